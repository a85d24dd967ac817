// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process itself: who may speak to it, what it does with nonsense, how it ends.
#include "compiler/Protocol/BuildId.h"
#include "tests/Service/Client.h"

#include <gtest/gtest.h>

#include <csignal>

#include <sys/wait.h>

using namespace tilescope;
using namespace tilescope::testing;

namespace {

json identity(int version, const std::string &build) {
  return {{"initializationOptions", {{"protocolVersion", version}, {"buildId", build}}}};
}

std::string errorId(const json &response) {
  return response.is_object() && response.contains("error") ? response["error"]["data"].value("id", "") : "";
}

class Roles : public ::testing::TestWithParam<const char *> {
protected:
  Client client{{"serve", "--role", GetParam()}};
};
INSTANTIATE_TEST_SUITE_P(LifeCycle, Roles, ::testing::Values("language", "run"));

TEST_P(Roles, SaysWhoItIs) {
  const json answer = client.initialize(identity(protocol::Version, protocol::buildId()));
  EXPECT_EQ(answer["result"]["tilescope"]["protocolVersion"], protocol::Version);
  EXPECT_EQ(answer["result"]["tilescope"]["buildId"], protocol::buildId());
  EXPECT_EQ(answer["result"]["serverInfo"]["name"], "tilec");
}

TEST_P(Roles, EditorsThatSayNothingAreWelcome) { EXPECT_TRUE(client.initialize().contains("result")); }

TEST_P(Roles, AnotherProtocolIsRefusedInWords) {
  const json answer = client.request("initialize", identity(protocol::Version + 1, protocol::buildId()));
  EXPECT_EQ(errorId(answer), "protocol-mismatch");
  EXPECT_NE(answer["error"]["message"].get<std::string>().find("install both"), std::string::npos);
  EXPECT_EQ(errorId(client.request("shutdown")), "not-initialized");
}

TEST_P(Roles, AnotherBuildIsRefusedInWords) {
  const json answer = client.request("initialize", identity(protocol::Version, "0.0.9+other"));
  EXPECT_EQ(errorId(answer), "build-mismatch");
  EXPECT_NE(answer["error"]["message"].get<std::string>().find("0.0.9+other"), std::string::npos);
}

TEST_P(Roles, RequestsOutOfTurnAreRefused) {
  EXPECT_EQ(errorId(client.request("textDocument/hover")), "not-initialized");
  client.initialize();
  EXPECT_EQ(errorId(client.request("initialize")), "already-initialized");
  EXPECT_EQ(errorId(client.request("no/such")), "unknown-method");
  client.notify("no/such/either");
  EXPECT_TRUE(client.request("shutdown").contains("result"));
  EXPECT_EQ(errorId(client.request("no/such")), "shut-down");
}

TEST_P(Roles, EndsAsItIsTold) {
  client.initialize();
  EXPECT_FALSE(client.request("shutdown", nullptr).contains("error"));
  client.notify("exit");
  std::optional<int> status = client.waitForExit();
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 0);
}

TEST_P(Roles, ExitWithoutShutdownIsAFailure) {
  client.initialize();
  client.notify("exit");
  std::optional<int> status = client.waitForExit();
  ASSERT_TRUE(status && WIFEXITED(*status));
  EXPECT_EQ(WEXITSTATUS(*status), 1);
}

TEST_P(Roles, EndsWithItsParent) {
  client.initialize();
  client.closeInput();
  EXPECT_TRUE(client.waitForExit(milliseconds(1000)));
}

TEST_P(Roles, NonsenseIsAnsweredAndSurvived) {
  client.initialize();
  client.sendRaw("complete nonsense\r\n\r\n");
  EXPECT_EQ(errorId(client.message()), "malformed-message");
  for (std::string body : {"{", "[]", "null", "\"x\"", "{\"method\":5}", "{\"id\":{},\"method\":\"m\"}",
                           "{\"id\":null,\"method\":\"m\"}", "\xFF\xFE"}) {
    client.sendRaw("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    EXPECT_EQ(errorId(client.message()), "malformed-message") << body;
  }
  client.sendRaw("Content-Length: 999999999999\r\n\r\n{}");
  EXPECT_EQ(errorId(client.message()), "message-too-large");
  const std::string nested(1'000'000, '[');
  client.sendRaw("Content-Length: 1000000\r\n\r\n" + nested);
  EXPECT_EQ(errorId(client.message()), "malformed-message");
  EXPECT_EQ(errorId(client.request("no/such")), "unknown-method") << "it goes on";
}

TEST_P(Roles, ParametersOfAnyShapeAreSurvived) {
  client.initialize();
  for (const json &params : {json(nullptr), json::array(), json("x"), json(1), json{{"tilescope", 5}},
                             json{{"tilescope", {{"deadlineMs", "soon"}}}}})
    EXPECT_EQ(errorId(client.request("no/such", params)), "unknown-method") << params;
  for (const char *method :
       {"$/cancelRequest", "tilescope/stop", "textDocument/didChange", "textDocument/didOpen"})
    for (const json &params :
         {json(nullptr), json::array(), json("x"), json{{"id", {1}}}, json{{"run", "x"}}})
      client.notify(method, params);
  EXPECT_EQ(errorId(client.request("no/such")), "unknown-method") << "it goes on";
}

TEST(LifeCycle, HalfAMessageAndThenNothing) {
  Client client;
  client.initialize();
  client.sendRaw("Content-Length: 100\r\n\r\n{\"half\":");
  client.closeInput();
  EXPECT_TRUE(client.waitForExit(milliseconds(1000)));
}

TEST(LifeCycle, MessagesOfSeveralMegabytes) {
  Client client;
  client.initialize();
  std::string text = "x = 1\n";
  while (text.size() < 8'000'000)
    text += "# 注释 comment 😀\n";
  client.open("file:///big.py", text);
  EXPECT_TRUE(client.diagnostics("file:///big.py", 1, milliseconds(20'000)).is_array());
}

TEST(LifeCycle, KilledFromOutside) {
  Client client;
  client.initialize();
  client.signal(SIGKILL);
  std::optional<int> status = client.waitForExit();
  ASSERT_TRUE(status);
  EXPECT_TRUE(WIFSIGNALED(*status));
  Client next;
  EXPECT_TRUE(next.initialize().contains("result")) << "another takes its place";
}

} // namespace
