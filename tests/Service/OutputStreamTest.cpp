// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/OutputStream.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tilescope::service;
using Clock = std::chrono::steady_clock;

namespace {

struct Sink {
  std::mutex mutex;
  std::vector<std::string> messages;
  std::string all() {
    std::lock_guard lock(mutex);
    std::string text;
    for (const std::string &message : messages)
      text += message;
    return text;
  }
  auto sender() {
    return [this](std::string text) {
      std::lock_guard lock(mutex);
      messages.push_back(std::move(text));
    };
  }
};

TEST(OutputStream, ManyLinesBecomeFewMessagesAndNothingIsLost) {
  Sink sink;
  std::atomic<bool> stop = false;
  OutputStream stream(sink.sender());
  std::string expected;
  for (int i = 0; i < 10'000; ++i) {
    const std::string line = "第 " + std::to_string(i) + " 行 😀\n";
    expected += line;
    stream.write(line, stop);
  }
  stream.flush();
  EXPECT_EQ(sink.all(), expected);
  EXPECT_LT(sink.messages.size(), 60u);
}

TEST(OutputStream, MessagesAreBoundedAndNeverCutACharacter) {
  Sink sink;
  std::atomic<bool> stop = false;
  OutputStream stream(sink.sender());
  std::string text = "x";
  for (int i = 0; i < 50'000; ++i)
    text += "😀";
  stream.write(text, stop);
  stream.flush();
  EXPECT_EQ(sink.all(), text);
  for (const std::string &message : sink.messages) {
    EXPECT_LE(message.size(), OutputStream::MaxMessage);
    EXPECT_NE(static_cast<unsigned char>(message[0]) & 0xC0, 0x80);
  }
}

TEST(OutputStream, AFloodIsHeldBackToAFewMegabytesASecond) {
  Sink sink;
  std::atomic<bool> stop = false;
  const std::string line(1000, 'x');
  OutputStream stream(sink.sender());
  size_t written = 0;
  for (Clock::time_point begin = Clock::now(); Clock::now() - begin < std::chrono::milliseconds(500);) {
    stream.write(line, stop);
    written += line.size();
  }
  // One message of 32 KiB every 16 ms, and what is held.
  EXPECT_LT(written, OutputStream::MaxHeld + 40 * OutputStream::MaxMessage);
  EXPECT_GT(written, OutputStream::MaxHeld);
}

TEST(OutputStream, AStopFreesWhoWaits) {
  Sink sink;
  std::atomic<bool> stop = false;
  OutputStream stream(sink.sender());
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  const Clock::time_point begin = Clock::now();
  for (int i = 0; i < 5000; ++i)
    stream.write(std::string(1000, 'x'), stop);
  EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(400));
  stopper.join();
}

} // namespace
