// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access lane by lane: what the run process answers adds up to what `tilec trace` says of the same program and of
// the whole launch. Sectors are counted here from the lanes' addresses, as sets.
#include "compiler/Protocol/AccessDetail.h"
#include "tests/Service/Client.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>

using namespace tilescope;
using namespace tilescope::testing;

namespace {

struct Case {
  const char *script;
  int launch;
  int64_t program;
};
void PrintTo(const Case &c, std::ostream *out) { *out << c.script << " launch " << c.launch; }

json trace(const Case &c, bool wholeLaunch) {
  std::string command = tilecPath() + " trace --json --launch " + std::to_string(c.launch) + " ";
  if (!wholeLaunch)
    command += "--program " + std::to_string(c.program) + " ";
  FILE *pipe = popen((command + projectFile(c.script)).c_str(), "r");
  std::string text;
  for (char buffer[4096]; size_t count = fread(buffer, 1, sizeof buffer, pipe);)
    text.append(buffer, count);
  pclose(pipe);
  return json::parse(text, nullptr, false);
}

struct Sums {
  int64_t requests = 0, sectors = 0, used = 0;
  bool operator==(const Sums &) const = default;
};
void PrintTo(const Sums &s, std::ostream *out) {
  *out << s.requests << " requests, " << s.sectors << " sectors, " << s.used << " bytes used";
}
Sums sumsOf(const json &access) { return {access["requests"], access["sectors"], access["bytesUsed"]}; }

class AccessOf : public ::testing::TestWithParam<Case> {
protected:
  void SetUp() override {
    client.initialize();
    const std::string path = projectFile(GetParam().script);
    client.send("tilescope/run", {{"run", 1}, {"path", path}, {"text", readFile(path)}});
    for (int i = 0; i <= GetParam().launch; ++i)
      launch = client.notification("tilescope/launch", patience);
  }
  template <typename T> T ask(const std::string &method, json params) {
    params["run"] = 1, params["launch"] = GetParam().launch;
    const json response = client.request(method, params, patience);
    T result;
    std::string error = response.dump();
    EXPECT_TRUE(response.contains("result") && protocol::fromJson(response["result"], result, error)) << error;
    return result;
  }
  protocol::AccessDetail detail(int access, int64_t execution, int64_t first, int64_t count) {
    return ask<protocol::AccessDetail>("tilescope/access", {{"access", access},
                                                            {"program", GetParam().program},
                                                            {"execution", execution},
                                                            {"first", first},
                                                            {"count", count}});
  }

  /// Of the requests of a page; checks that each byte that they use is among those that were used.
  void add(const protocol::AccessDetail &page, Sums &sums) {
    const auto count = static_cast<int64_t>(page.addresses.values.size() / 64);
    size_t sector = 0;
    for (int64_t r = 0; r < count; ++r) {
      std::set<uint64_t> bytes, sectors;
      for (size_t lane = 0; lane < 32; ++lane) {
        if (!(static_cast<uint32_t>(page.on.values[size_t(page.first + r)]) >> lane & 1))
          continue;
        const auto low = static_cast<uint32_t>(page.addresses.values[size_t(r) * 64 + 2 * lane]);
        const auto high = static_cast<uint32_t>(page.addresses.values[size_t(r) * 64 + 2 * lane + 1]);
        for (int byte = 0; byte < page.elementBytes * page.vectorElements; ++byte) {
          const uint64_t address = (uint64_t(high) << 32 | low) + uint64_t(page.baseOffset) + uint64_t(byte);
          bytes.insert(address);
          sectors.insert(address / 32);
        }
      }
      sums.requests += !sectors.empty();
      sums.sectors += static_cast<int64_t>(sectors.size());
      sums.used += static_cast<int64_t>(bytes.size());
      for (const uint64_t each : sectors) {
        ASSERT_LT(sector, page.used.values.size());
        const auto used = static_cast<uint32_t>(page.used.values[sector++]);
        for (uint64_t byte = 0; byte < 32; ++byte)
          ASSERT_LE(bytes.contains(each * 32 + byte), used >> byte & 1);
      }
    }
    EXPECT_EQ(sector, page.used.values.size());
  }

  Client client{{"serve", "--role=run"}};
  json launch;
  const milliseconds patience{30'000};
};

TEST_P(AccessOf, AddsUpToWhatTraceSaysOfTheProgram) {
  const json traced = trace(GetParam(), /*wholeLaunch=*/false);
  ASSERT_EQ(traced["accesses"].size(), launch["accesses"].size());
  for (int access = 0; access < static_cast<int>(launch["accesses"].size()); ++access) {
    Sums sums;
    protocol::AccessDetail page = detail(access, 0, 0, 256);
    for (int64_t execution = 0; execution < page.executions; ++execution) {
      page = detail(access, execution, 0, 256);
      const auto requests = static_cast<int64_t>(page.on.values.size());
      EXPECT_EQ(requests, int64_t(page.instructions) * page.warps);
      add(page, sums);
      while (page.first + 256 < requests) {
        page = detail(access, execution, page.first + 256, 256);
        add(page, sums);
      }
    }
    const json *of = nullptr;
    for (const json &each : traced["accesses"])
      if (each["line"] == launch["accesses"][access]["line"] && each["op"] == launch["accesses"][access]["op"])
        of = &each;
    ASSERT_TRUE(of);
    EXPECT_EQ(sums, sumsOf(*of)) << "line " << (*of)["line"];
  }
}

TEST_P(AccessOf, CountsTheLaunchAsTraceDoes) {
  const json traced = trace(GetParam(), /*wholeLaunch=*/true);
  for (int access = 0; access < static_cast<int>(launch["accesses"].size()); ++access) {
    protocol::AccessCount count;
    int64_t before = -1;
    do {
      ASSERT_GT(count.counted, before) << "each answer counts on";
      before = count.counted;
      count = ask<protocol::AccessCount>("tilescope/access/count", {{"access", access}});
    } while (count.counted < count.programs && count.programs > 0);
    ASSERT_EQ(count.programs, launch["programs"]);
    const json totals = protocol::toJson(count.totals);
    EXPECT_NE(std::ranges::find(traced["accesses"], totals), traced["accesses"].end()) << totals;
  }
}

INSTANTIATE_TEST_SUITE_P(Scripts, AccessOf,
                         ::testing::Values(Case{"resources/examples/main.py", 0, 1822},
                                           Case{"resources/examples/vector_add.py", 0, 96},
                                           Case{"resources/examples/transpose.py", 0, 3},
                                           Case{"resources/examples/layer_norm.py", 0, 5},
                                           Case{"tests/visualizer/data/patterns.py", 3, 7},
                                           Case{"tests/visualizer/data/patterns.py", 4, 2},
                                           Case{"tests/visualizer/data/patterns.py", 5, 15}));

TEST(Access, QuestionsThatHaveNoAnswer) {
  Client client{{"serve", "--role=run"}};
  client.initialize();
  const std::string path = projectFile("resources/examples/vector_add.py");
  client.request("tilescope/run", {{"run", 1}, {"path", path}, {"text", readFile(path)}}, milliseconds(30'000));
  auto error = [&](json params) {
    params["run"] = params.value("run", 1);
    return client.request("tilescope/access", params)["error"]["data"].value("id", "");
  };
  EXPECT_EQ(error({{"run", 2}}), "unknown-run");
  EXPECT_EQ(error({{"launch", 9}}), "unknown-launch");
  EXPECT_EQ(error({{"program", 97}}), "unknown-program");
  EXPECT_EQ(error({{"program", -1}}), "unknown-program");
  EXPECT_EQ(error({{"access", 3}}), "unknown-access");
  EXPECT_EQ(error({{"gpu", "Voodoo"}}), "unknown-gpu");
}

} // namespace
