// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Service/Client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilescope;
using namespace tilescope::testing;
using ::testing::Contains;
using ::testing::IsSupersetOf;
using ::testing::Not;

namespace {

const std::string Uri = "file:///tmp/none/main.py";

class Language : public ::testing::Test {
protected:
  Language() {
    client.initialize();
    text = readFile(projectFile("resources/examples/main.py"));
    client.open(Uri, text);
    client.diagnostics(Uri, 1);
  }

  /// The place `plus` bytes behind the first `mark` (ASCII up to there).
  json place(const std::string &mark, size_t plus = 0) const {
    const size_t at = text.find(mark) + plus;
    const auto line = std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n');
    const size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return {{"line", line}, {"character", at - begin}};
  }
  json ask(const std::string &method, const json &position) {
    return client.request(method, {{"textDocument", {{"uri", Uri}}}, {"position", position}})["result"];
  }
  json hover(const std::string &mark, size_t plus = 0) {
    return ask("textDocument/hover", place(mark, plus));
  }
  std::vector<std::string> complete(const std::string &newText, const std::string &mark) {
    text = newText;
    client.change(Uri, ++version, text);
    std::vector<std::string> labels;
    const json found = ask("textDocument/completion", place(mark, mark.size()));
    for (const json &item : found["items"])
      labels.push_back(item["label"]);
    return labels;
  }
  json hints() {
    const json range = {{"start", {{"line", 0}, {"character", 0}}},
                        {"end", {{"line", 1000}, {"character", 0}}}};
    return client.request("textDocument/inlayHint",
                          {{"textDocument", {{"uri", Uri}}}, {"range", range}})["result"];
  }

  Client client;
  std::string text;
  int version = 1;
};

// --- hover -----------------------------------------------------------------------------------------------

TEST_F(Language, TypesOfNamesInTheKernel) {
  EXPECT_EQ(hover("x = tl.load")["data"]["type"], "fp32[1024]");
  EXPECT_EQ(hover("mask = cols")["data"]["type"], "int1[1024]");
  EXPECT_EQ(hover("row = tl.program_id")["data"]["type"], "int32");
  EXPECT_EQ(hover("den = tl.sum")["data"]["type"], "fp32");
}

TEST_F(Language, HoverSaysWhereAndInMarkdown) {
  const json found = hover("x = tl.load");
  EXPECT_EQ(found["range"]["start"], place("x = tl.load"));
  EXPECT_EQ(found["range"]["end"], place("x = tl.load", 1));
  EXPECT_EQ(found["contents"]["kind"], "markdown");
  EXPECT_NE(found["contents"]["value"].get<std::string>().find("x: fp32[1024]"), std::string::npos);
}

TEST_F(Language, FunctionsOfTheLibrary) {
  const json load = hover("tl.load", 4);
  EXPECT_EQ(load["data"]["name"], "tl.load");
  EXPECT_NE(load["data"]["signature"].get<std::string>().find("mask"), std::string::npos);
  EXPECT_NE(load["data"]["helpKey"], "");
  const json randn = hover("torch.randn", 8);
  EXPECT_NE(randn["data"]["signature"], "");
}

TEST_F(Language, NamesOfTheModule) {
  EXPECT_EQ(hover("x = torch.randn")["data"]["type"], "torch.float32[1823, 781]");
  EXPECT_EQ(hover("softmax(x):")["data"]["signature"], "(x)");
}

TEST_F(Language, NothingWhereThereIsNothing) {
  EXPECT_TRUE(hover("\n\n@triton.jit").is_null());
  EXPECT_TRUE(ask("textDocument/hover", {{"line", 9999}, {"character", 9999}}).is_null());
}

TEST_F(Language, HoverOfATextThatNoLongerParses) {
  text = "import os = 1\n" + text;
  client.change(Uri, 2, text);
  EXPECT_EQ(hover("x = tl.load")["data"]["type"], "fp32[1024]");
}

// --- completion ------------------------------------------------------------------------------------------

TEST_F(Language, MembersOfModules) {
  EXPECT_THAT(complete(text + "tl.\n", "\ntl."), IsSupersetOf({"load", "store", "program_id", "float32"}));
  EXPECT_THAT(complete("import torch\ntorch.\n", "torch."),
              IsSupersetOf({"randn", "softmax", "allclose", "nn"}));
  EXPECT_THAT(complete("import triton\ntriton.\n", "triton."),
              IsSupersetOf({"cdiv", "jit", "next_power_of_2"}));
  EXPECT_THAT(complete("import triton.language as 瓦\n瓦.lo", "瓦.lo"), Contains("load"));
  EXPECT_TRUE(complete("import numpy\nnumpy.", "numpy.").empty());
}

TEST_F(Language, MembersOfTensors) {
  const std::vector<std::string> members = complete(text + "y.su", "y.su");
  EXPECT_THAT(members, IsSupersetOf({"shape", "sum", "softmax"}));
}

TEST_F(Language, MembersOfWhatKernelsHold) {
  text = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef k(p_ptr, n):\n"
         "    d = tl.make_tensor_descriptor(p_ptr, [n, n], [n, 1], [8, 8])\n"
         "    t = d.load([0, n])\n    d.store([n, 0], t.trans())\n";
  client.change(Uri, 2, text);
  EXPECT_EQ(hover("d = tl.")["data"]["type"], "tensordesc<fp32[8, 8]>");
  const json load = hover("d.load([", 2)["data"];
  EXPECT_EQ(load["signature"], "(self, offsets)");
  EXPECT_EQ(load["helpKey"], "library.tensor_descriptor.load");
  EXPECT_NE(hover("t.trans(", 2)["data"]["helpKey"], "");
  EXPECT_THAT(complete(text + "    d.", "    d."), IsSupersetOf({"gather", "atomic_add", "block_shape"}));
  EXPECT_THAT(complete(text + "    t.", "    t."), IsSupersetOf({"sum", "to", "dtype"}));
}

TEST_F(Language, NamesWhereTheTextDoesNotParse) {
  const std::string broken =
      "import triton.language as tl\n"
      "def kernel(in_ptr, n_cols):\n    cols = tl.arange(0, 64)\n    x = tl.load(in_ptr + co";
  EXPECT_THAT(complete(broken, "+ co"),
              IsSupersetOf({"cols", "in_ptr", "n_cols", "kernel", "tl", "range", "while"}));
  EXPECT_THAT(complete("def f(a):\n  b = a\nx = (\n", "x = ("), Not(Contains("b")));
}

TEST_F(Language, DetailsAreTypesAndSignatures) {
  const json items = ask("textDocument/completion", place("cols < n_cols"))["items"];
  auto detail = [&](const std::string &label) {
    for (const json &item : items)
      if (item["label"] == label)
        return item["detail"].get<std::string>();
    return std::string("missing");
  };
  EXPECT_EQ(detail("cols"), "int32[1024]");
  EXPECT_EQ(detail("softmax"), "(x)");
}

TEST_F(Language, NothingInCommentsAndStrings) {
  EXPECT_TRUE(complete("import triton.language as tl\n# tl.", "# tl.").empty());
  EXPECT_TRUE(complete("import triton.language as tl\nx = 'tl.", "'tl.").empty());
}

// --- hints -----------------------------------------------------------------------------------------------

TEST_F(Language, OneHintALineAtItsEnd) {
  const json found = hints();
  ASSERT_TRUE(found.is_array());
  json load;
  std::set<int> lines;
  for (const json &hint : found) {
    EXPECT_TRUE(lines.insert(hint["position"]["line"].get<int>()).second);
    if (hint["position"]["line"] == 11)
      load = hint;
  }
  EXPECT_EQ(load["label"], "fp32[1024]");
  EXPECT_EQ(load["position"], place("-float(\"inf\"))", 14));
  EXPECT_FALSE(lines.contains(7)) << "a scalar is no tile";
}

TEST_F(Language, HintsFollowAnEdit) {
  text = "x = = '😀'\n" + text;
  client.change(Uri, 2, text);
  json found = hints();
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const json &hint) {
    return hint["position"]["line"] == 12 && hint["label"] == "fp32[1024]";
  }));
}

// --- requests --------------------------------------------------------------------------------------------

std::string errorId(const json &response) {
  return response.is_object() && response.contains("error") ? response["error"]["data"].value("id", "") : "";
}

TEST_F(Language, TagsReplaceVersionsGoStaleAndDeadlinesPass) {
  const json position = place("x = tl.load");
  auto params = [&](json options) {
    return json{{"textDocument", {{"uri", Uri}}}, {"position", position}, {"tilescope", std::move(options)}};
  };
  EXPECT_EQ(errorId(client.request("textDocument/hover", params({{"version", 7}}))), "stale");
  EXPECT_TRUE(client.request("textDocument/hover", params({{"version", 1}})).contains("result"));
  EXPECT_EQ(errorId(client.request("textDocument/hover", params({{"deadlineMs", 0}}))), "deadline");

  // A text whose analysis takes a while, so that questions about it wait.
  client.change(Uri, 2, text + "while True:\n    pass\n");
  const int first = client.send("textDocument/hover", params({{"tag", "hover"}}));
  const int second = client.send("textDocument/hover", params({{"tag", "hover"}}));
  EXPECT_EQ(errorId(client.response(first)), "replaced");
  client.notify("$/cancelRequest", {{"id", second}});
  EXPECT_EQ(errorId(client.response(second)), "cancelled");
  const int third = client.send("textDocument/hover", params({{"deadlineMs", 1}}));
  EXPECT_EQ(errorId(client.response(third)), "deadline");
  const int fourth = client.send("textDocument/hover", params(json::object()));
  client.change(Uri, 3, text);
  EXPECT_EQ(errorId(client.response(fourth)), "stale");
}

TEST_F(Language, UnknownDocumentsAndWrongFields) {
  EXPECT_EQ(errorId(client.request("textDocument/hover", {{"textDocument", {{"uri", "file:///other.py"}}}})),
            "unknown-document");
  const json wrong = client.request("textDocument/hover", {{"textDocument", {{"uri", 5}}}});
  EXPECT_EQ(errorId(wrong), "wrong-field");
  EXPECT_EQ(wrong["error"]["data"]["arguments"], json({"$.textDocument.uri"}));
  const json range = {{"textDocument", {{"uri", Uri}}}, {"position", {{"line", -1}, {"character", 1e300}}}};
  EXPECT_EQ(errorId(client.request("textDocument/hover", range)), "wrong-field");
}

} // namespace
