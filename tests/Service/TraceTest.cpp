// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stepping through programs, over the protocol, as the window asks.
#include "compiler/Protocol/TraceMessages.h"
#include "tests/Service/Client.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace tilescope;
using namespace tilescope::testing;

namespace {

/// The script of the mock-up "stepping", with numbers that a test can work out.
const std::string RowSum = R"(import torch
import triton
import triton.language as tl


@triton.jit
def row_sum_kernel(out_ptr, x_ptr, M, N, stride,
                   BM: tl.constexpr, BN: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    cols = tl.program_id(1) * BN + tl.arange(0, BN)
    in_rows = rows[:, None] < M
    in_cols = cols[None, :] < N
    mask = in_rows & in_cols
    ptrs = x_ptr + rows[:, None] * stride + cols[None, :]
    x = tl.load(ptrs, mask=mask)
    part = tl.sum(x, axis=1)
    tl.atomic_add(out_ptr + rows, part, mask=rows < M)


x = torch.arange(13 * 27, device="cuda", dtype=torch.float32).reshape(13, 27) / 8
out = torch.zeros(13, device="cuda")
row_sum_kernel[(2, 2)](out, x, 13, 27, x.stride(0), 8, 16)
print("done")
)";
const std::string Path = "/tmp/none/row_sum.py";

/// The element of x at a place of the tile of program (1, 1).
float elementOfX(int row, int column) { return static_cast<float>((8 + row) * 27 + 16 + column) / 8; }

class TraceOfRowSum : public ::testing::Test {
protected:
  TraceOfRowSum() {
    client.initialize();
    run();
  }
  void run(int64_t number = 1) {
    const json report = client.request("tilescope/run", {{"run", number}, {"path", Path}, {"text", RowSum}},
                                       milliseconds(30'000));
    EXPECT_EQ(report["result"]["outcome"], "finished") << report;
  }
  json open(int64_t program) {
    const json info = ask("open", {{"run", 1}, {"launch", 0}, {"program", program}});
    trace = info.value("trace", 0);
    return info;
  }
  /// The result.
  json ask(const std::string &what, json params) {
    const json response = answer(what, std::move(params));
    EXPECT_TRUE(response.contains("result")) << response;
    return response.value("result", json::object());
  }
  json at(int64_t position, json params = json::object()) {
    params.update({{"trace", trace}, {"position", position}});
    return params;
  }
  json answer(const std::string &what, json params) {
    return client.request("tilescope/trace/" + what, std::move(params));
  }
  /// The id of the error.
  std::string refusal(const std::string &what, json params) {
    const json response = answer(what, std::move(params));
    return response.contains("error") ? response["error"]["data"].value("id", "") : "no error";
  }
  json breakpoint(int line, const std::string &condition = "") {
    return {{"path", Path}, {"line", line}, {"condition", condition}};
  }
  json goOn(int64_t position, json breakpoints, bool backwards = false) {
    return ask("continue", at(position, {{"breakpoints", std::move(breakpoints)}, {"backwards", backwards}}));
  }
  static json named(const json &stop, const std::string &name) {
    for (const json &variable : stop["variables"])
      if (variable["name"] == name)
        return variable;
    return json::object();
  }
  static std::vector<int32_t> packed(const json &text) {
    protocol::Packed numbers;
    EXPECT_TRUE(text.is_string() && protocol::decodeBase64(text, numbers));
    return numbers.values;
  }

  Client client{{"serve", "--role=run"}};
  int64_t trace = 0;
};

TEST_F(TraceOfRowSum, GoesLineByLine) {
  const json info = open(3);
  EXPECT_EQ(info["ids"], json({1, 1, 0}));
  EXPECT_EQ(info["outcome"], "finished");
  EXPECT_EQ(info["lines"], 9);
  const std::vector<int32_t> ends =
      packed(ask("timeline", {{"trace", trace}, {"first", 0}, {"count", 100}})["ends"]);
  ASSERT_EQ(ends.size(), 18u);
  EXPECT_EQ(ends[16], info["steps"]);
  int64_t position = 0;
  for (int line = 9; line <= 17; ++line) {
    EXPECT_EQ(ends[2 * (line - 9) + 1], line);
    const json stop = ask("step", at(position));
    EXPECT_EQ(stop["place"]["line"], line);
    EXPECT_EQ(stop["line"], line - 8);
    EXPECT_EQ(stop["position"], ends[2 * (line - 9)]);
    position = stop["position"];
  }
  EXPECT_EQ(ask("step", at(position))["position"], position) << "the end";
  for (int line = 16; line >= 9; --line) {
    const json stop = ask("step", at(position, {{"count", -1}}));
    EXPECT_EQ(stop["place"]["line"], line);
    position = stop["position"];
  }
  EXPECT_EQ(ask("step", at(position, {{"count", -1}}))["position"], 0);
  EXPECT_EQ(ask("step", at(5, {{"by", "operation"}, {"count", -2}}))["position"], 3);
}

TEST_F(TraceOfRowSum, ALoadWithItsMaskAndItsElements) {
  open(3);
  const json stop = goOn(0, {breakpoint(15)});
  EXPECT_EQ(stop["breakpoint"], 0);
  EXPECT_EQ(stop["operation"], "load");
  EXPECT_EQ(stop["place"]["path"], Path);
  EXPECT_EQ(stop["callers"], json::array());
  const json x = named(stop, "x");
  EXPECT_EQ(x["type"], "fp32");
  EXPECT_EQ(x["shape"], json({8, 16}));
  EXPECT_EQ(x["text"], "tl.load(ptrs, mask=mask)");
  EXPECT_EQ(x["defined"], 55);
  EXPECT_EQ(x["undefined"], 73);
  EXPECT_EQ(x["least"], "29");   // (8 * 27 + 16) / 8
  EXPECT_EQ(x["most"], "43.75"); // (12 * 27 + 26) / 8
  EXPECT_EQ(named(stop, "M")["least"], "13");
  const json rows = named(stop, "rows");
  EXPECT_EQ(rows["least"], "8");
  EXPECT_EQ(rows["most"], "15");
  EXPECT_EQ(named(stop, "ptrs")["type"], "pointer<fp32>");
  EXPECT_EQ(named(stop, "ptrs")["tensors"], json({"x"}));

  const json &access = stop["access"];
  EXPECT_EQ(access["elements"], json({{"active", 55}, {"masked", 73}, {"out_of_bounds", 0}}));
  EXPECT_EQ(access["tensors"], json({"x"}));
  EXPECT_EQ(access["mask"]["on"], 55);
  ASSERT_EQ(access["conjuncts"].size(), 2u);
  const json &byRow = access["conjuncts"][0], &byColumn = access["conjuncts"][1];
  EXPECT_EQ(byRow["value"]["name"], "in_rows");
  EXPECT_EQ(byRow["shape"], json({8, 1}));
  EXPECT_EQ(byRow["on"], 80);
  EXPECT_EQ(byRow["offAlone"], 33);
  EXPECT_EQ(byColumn["value"]["name"], "in_cols");
  EXPECT_EQ(byColumn["on"], 88);
  EXPECT_EQ(byColumn["offAlone"], 25);

  const json page =
      ask("elements", at(stop["position"], {{"value", x["value"]}, {"first", 16}, {"count", 32}}));
  EXPECT_EQ(page["first"], 16);
  EXPECT_EQ(page["wordsPerElement"], 1);
  const std::vector<int32_t> words = packed(page["words"]), kinds = packed(page["kinds"]);
  ASSERT_EQ(words.size(), 32u);
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(kinds[i], i % 16 < 11 ? 0 : 1);
    float value;
    std::memcpy(&value, &words[i], sizeof(value));
    EXPECT_EQ(value, i % 16 < 11 ? elementOfX(1 + i / 16, i % 16) : 0);
  }
  const json addresses = ask("access", at(stop["position"], {{"first", 0}, {"count", 128}}));
  const std::vector<int32_t> halves = packed(addresses["words"]);
  ASSERT_EQ(halves.size(), 256u);
  const auto address = [&](int i) { return int64_t(halves[2 * i + 1]) << 32 | uint32_t(halves[2 * i]); };
  EXPECT_EQ(address(5 * 16) - addresses["bases"][0].get<int64_t>(), 4 * (13 * 27 + 16))
      << "beyond x by 64 bytes";
}

TEST_F(TraceOfRowSum, StopsWhereAConditionHolds) {
  open(3);
  const int64_t load = goOn(0, {breakpoint(15)})["position"];
  const json end = goOn(0, {breakpoint(15, "mask.all()")});
  EXPECT_EQ(end["breakpoint"], -1);
  EXPECT_EQ(end["place"]["line"], 17) << "it never holds: the end";
  const json stop = goOn(0, {breakpoint(15, "mask.all()"), breakpoint(15, "not mask.all() and N == 27")});
  EXPECT_EQ(stop["breakpoint"], 1);
  EXPECT_EQ(stop["position"], load);
  EXPECT_EQ(goOn(end["position"], {breakpoint(13, "rows.max() >= M"), breakpoint(16, "BM == 16")},
                 true)["place"]["line"],
            13)
      << "backwards";
}

TEST_F(TraceOfRowSum, SaysWhichProgramsStop) {
  const auto stops = [&](const std::string &condition) {
    return packed(ask("programs", {{"run", 1},
                                   {"launch", 0},
                                   {"breakpoint", breakpoint(15, condition)},
                                   {"first", 0},
                                   {"count", 4}})["stops"]);
  };
  // 50 ms may be less than four programs take where the machine is busy.
  EXPECT_EQ(stops("").front(), 1);
  std::vector<int32_t> all;
  while (all.size() < 4) {
    const json page = ask("programs", {{"run", 1},
                                       {"launch", 0},
                                       {"breakpoint", breakpoint(15, "not mask.all()")},
                                       {"first", all.size()},
                                       {"count", 4}});
    const std::vector<int32_t> more = packed(page["stops"]);
    ASSERT_FALSE(more.empty());
    all.insert(all.end(), more.begin(), more.end());
  }
  EXPECT_EQ(all, (std::vector<int32_t>{0, 1, 1, 1})) << "all but the program in the corner of x";
}

TEST_F(TraceOfRowSum, Watches) {
  open(3);
  const int64_t load = goOn(0, {breakpoint(15)})["position"];
  const auto watch = [&](const std::string &expression) {
    const json answer = ask("evaluate", at(load, {{"expression", expression}}));
    return answer.value("text", "") + (answer.value("undefined", false) ? "?" : "");
  };
  EXPECT_EQ(watch("M, N"), "(13, 27)");
  EXPECT_EQ(watch("rows[5]"), "13");
  EXPECT_EQ(watch("mask.all()"), "False");
  EXPECT_EQ(watch("int(mask.sum())"), "55");
  EXPECT_EQ(watch("x[4, 10]"), "43.75");
  EXPECT_EQ(watch("x[5, 0]"), "0?");
  EXPECT_EQ(watch("BM * BN"), "128");
  EXPECT_EQ(ask("evaluate", at(load, {{"expression", "x"}}))["type"], "fp32[8, 16]");
  const json pointers = named(ask("stop", at(load)), "ptrs");
  EXPECT_EQ(watch("(ptrs[5, 0] - ptrs[0, 0]) // 4"), std::to_string(5 * 27));
}

TEST_F(TraceOfRowSum, SaysWhatIsWrong) {
  EXPECT_EQ(refusal("open", {{"run", 2}, {"launch", 0}, {"program", 0}}), "unknown-run");
  EXPECT_EQ(refusal("open", {{"run", 1}, {"launch", 5}, {"program", 0}}), "unknown-launch");
  EXPECT_EQ(refusal("open", {{"run", 1}, {"launch", 0}, {"program", 4}}), "unknown-program");
  EXPECT_EQ(refusal("open", {{"run", 1}, {"launch", 0}, {"program", -1}}), "unknown-program");
  EXPECT_EQ(refusal("stop", {{"trace", 99}, {"position", 0}}), "unknown-trace");
  const int64_t steps = open(0)["steps"];
  EXPECT_EQ(refusal("stop", at(steps + 1)), "wrong-position");
  EXPECT_EQ(refusal("step", at(-1)), "wrong-position");
  EXPECT_EQ(refusal("elements", at(steps, {{"value", 100000}})), "unknown-value");
  EXPECT_EQ(refusal("elements", at(steps, {{"value", -1}})), "unknown-value");
  EXPECT_EQ(refusal("access", at(1)), "no-access");
  EXPECT_EQ(refusal("continue", at(0, {{"breakpoints", {breakpoint(4)}}})), "no-code-on-line");
  EXPECT_EQ(refusal("continue", at(0, {{"breakpoints", {breakpoint(15, "mask ==")}}})), "wrong-expression");
  EXPECT_EQ(refusal("continue", at(0, {{"breakpoints", {breakpoint(15, "mask")}}})), "wrong-expression")
      << "neither true nor false";
  for (const char *text : {"nothing", "x = 3", "x @ rows", "[0] * 10**9"})
    EXPECT_EQ(refusal("evaluate", at(steps, {{"expression", text}})), "wrong-expression") << text;
  for (const char *text : {"", "1)\nimport os\n(2"})
    EXPECT_EQ(refusal("evaluate", at(steps, {{"expression", text}})), "not-an-expression") << text;
  EXPECT_EQ(refusal("evaluate", at(steps, {{"expression", 3}})), "wrong-field");
  ask("close", {{"trace", trace}});
  EXPECT_EQ(refusal("stop", at(0)), "unknown-trace");
  open(0);
  run(2);
  EXPECT_EQ(refusal("stop", at(0)), "unknown-trace") << "its run is no longer the last";
}

} // namespace
