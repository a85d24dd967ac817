// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/RequestQueue.h"

#include <gtest/gtest.h>

#include <thread>

#include <fcntl.h>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::service;
using nlohmann::json;

namespace {

/// A queue whose answers can be read.
class Queue : public ::testing::Test {
protected:
  Queue() {
    EXPECT_EQ(pipe2(m_pipe, O_NONBLOCK), 0);
    transport.emplace(open("/dev/null", O_RDONLY), m_pipe[1]);
  }
  ~Queue() override { close(m_pipe[0]); }

  ResponderPtr push(int id, std::string tag = {}, std::optional<int64_t> deadline = std::nullopt) {
    protocol::RequestOptions options{std::move(tag), deadline, std::nullopt};
    auto responder = std::make_shared<Responder>(*transport, id, options);
    queue.push({"m", json::object(), responder});
    return responder;
  }
  json nextId() {
    auto item = queue.pop(Clock::now());
    return item && item->message.responder ? item->message.responder->id() : json();
  }
  /// The error id of the next answer.
  std::string answered() {
    char block[4096];
    const ssize_t size = read(m_pipe[0], block, sizeof block);
    const std::string text(block, static_cast<size_t>(std::max<ssize_t>(size, 0)));
    const json answer = json::parse(text.substr(std::min(text.find('{'), text.size())), nullptr, false);
    return answer.is_object() && answer.contains("error") ? answer["error"]["data"]["id"].get<std::string>()
                                                          : "";
  }

  std::optional<Transport> transport;
  RequestQueue queue;

private:
  int m_pipe[2];
};

TEST_F(Queue, ComesOutInOrder) {
  push(1);
  queue.push({"n", json::object(), nullptr});
  push(2);
  EXPECT_EQ(nextId(), 1);
  EXPECT_EQ(queue.pop(Clock::now())->message.method, "n");
  EXPECT_EQ(nextId(), 2);
  EXPECT_FALSE(queue.pop(Clock::now()));
}

TEST_F(Queue, ANewerRequestTakesTheTagOfAnOlder) {
  push(1, "hover");
  push(2, "hints");
  push(3, "hover");
  EXPECT_EQ(answered(), "replaced");
  EXPECT_EQ(nextId(), 2);
  EXPECT_EQ(nextId(), 3);
}

TEST_F(Queue, TheTagCountsWhileARequestIsWorkedOn) {
  ResponderPtr working = push(1, "tiles");
  EXPECT_EQ(nextId(), 1);
  push(2, "tiles");
  EXPECT_TRUE(working->isDone());
  EXPECT_EQ(answered(), "replaced");
  working->result(1);
  EXPECT_EQ(answered(), "") << "only one answer goes out";
}

TEST_F(Queue, CancelledOnesNeverComeOut) {
  push(1);
  push(2);
  queue.cancel(1);
  queue.cancel(99);
  EXPECT_EQ(answered(), "cancelled");
  EXPECT_EQ(nextId(), 2);
}

TEST_F(Queue, TooLateOnesAreAnswered) {
  push(1, {}, 0);
  push(2, {}, 60'000);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(nextId(), 2);
  EXPECT_EQ(answered(), "deadline");
}

TEST_F(Queue, WhoCarriesItOutLearnsOfAFailure) {
  ResponderPtr responder = push(1);
  int calls = 0;
  responder->whenFailed([&] { ++calls; });
  queue.cancel(1);
  EXPECT_EQ(calls, 1);
  responder->whenFailed([&] { calls += 10; });
  EXPECT_EQ(calls, 11) << "at once, where it has failed before";
}

TEST_F(Queue, WaitsForWhatComesLater) {
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    queue.post([] {});
  });
  auto item = queue.pop();
  ASSERT_TRUE(item);
  EXPECT_TRUE(item->work);
  later.join();
}

} // namespace
