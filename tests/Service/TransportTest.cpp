// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Transport.h"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

using namespace tilescope::service;
using Status = Transport::Status;

namespace {

/// A transport whose two ends are in the test's hands.
class Pipes : public ::testing::Test {
protected:
  Pipes() {
    std::signal(SIGPIPE, SIG_IGN);
    EXPECT_EQ(pipe(m_in), 0);
    EXPECT_EQ(pipe(m_out), 0);
    transport.emplace(m_in[0], m_out[1]);
  }
  ~Pipes() override {
    hangUp();
    close(m_out[0]);
  }
  void send(std::string_view bytes) {
    ASSERT_EQ(::write(m_in[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void hangUp() {
    if (m_in[1] >= 0)
      close(std::exchange(m_in[1], -1));
  }
  std::string received(size_t size) {
    std::string bytes(size, 0);
    size_t done = 0;
    while (done < size) {
      ssize_t count = ::read(m_out[0], bytes.data() + done, size - done);
      if (count <= 0)
        break;
      done += static_cast<size_t>(count);
    }
    return bytes.substr(0, done);
  }
  Status read() { return transport->read(message); }

  std::optional<Transport> transport;
  std::string message;

private:
  int m_in[2], m_out[2];
};

TEST_F(Pipes, FramesComeOutAsTheyWentIn) {
  send("Content-Length: 2\r\n\r\n{}Content-Length: 5\r\nContent-Type: x\r\n\r\n[\n\r\n]");
  EXPECT_EQ(read(), Status::Message);
  EXPECT_EQ(message, "{}");
  EXPECT_EQ(read(), Status::Message);
  EXPECT_EQ(message, "[\n\r\n]");
}

TEST_F(Pipes, HeadersAreReadLeniently) {
  send("content-length:3\n\nabcCONTENT-LENGTH :  1 \r\n\r\nx");
  EXPECT_EQ(read(), Status::Message);
  EXPECT_EQ(message, "abc");
  EXPECT_EQ(read(), Status::Message);
  EXPECT_EQ(message, "x");
}

TEST_F(Pipes, MessagesMayComeInPieces) {
  std::thread sender([&] {
    for (char c : std::string_view("Content-Length: 4\r\n\r\n\xF0\x9F\x98\x80")) {
      send(std::string_view(&c, 1));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  EXPECT_EQ(read(), Status::Message);
  EXPECT_EQ(message, "\xF0\x9F\x98\x80");
  sender.join();
}

TEST_F(Pipes, ReadingGoesOnAfterWhatIsNoFrame) {
  for (std::string_view wrong :
       {"hello\r\n\r\n", "Content-Length: x\r\n\r\n{}", "Content-Length: -1\r\n\r\n",
        "Content-Length: 1 2\r\n\r\n", "Content-Length:\r\n\r\n", "Other: 1\r\n\r\n"}) {
    send(wrong);
    send("Content-Length: 2\r\n\r\nok");
    EXPECT_EQ(read(), Status::Malformed) << wrong;
    EXPECT_EQ(read(), Status::Message) << wrong;
    EXPECT_EQ(message, "ok") << wrong;
  }
}

TEST_F(Pipes, GiganticLengthsAreRefusedWithoutMemory) {
  for (std::string_view length : {"67108865", "99999999999999999999999999"}) {
    send("Content-Length: " + std::string(length) + "\r\n\r\n{\"a\":1}Content-Length: 2\r\n\r\nok");
    EXPECT_EQ(read(), Status::TooLarge);
    EXPECT_EQ(read(), Status::Message);
    EXPECT_EQ(message, "ok");
  }
}

TEST_F(Pipes, HeaderLinesWithoutEndAreGivenUp) {
  std::thread sender([&] {
    send(std::string(200'000, 'a'));
    send("\r\nContent-Length: 2\r\n\r\nok");
  });
  EXPECT_EQ(read(), Status::Malformed);
  EXPECT_EQ(read(), Status::Message);
  EXPECT_EQ(message, "ok");
  sender.join();
}

TEST_F(Pipes, HalfAMessageIsTheEnd) {
  send("Content-Length: 10\r\n\r\n{\"a\"");
  hangUp();
  EXPECT_EQ(read(), Status::End);
  EXPECT_EQ(read(), Status::End);
}

TEST_F(Pipes, WritesAreWholeFromManyThreads) {
  constexpr int Threads = 4, Each = 200;
  std::vector<std::thread> writers;
  for (int t = 0; t < Threads; ++t)
    writers.emplace_back([&, t] {
      for (int i = 0; i < Each; ++i)
        transport->write(std::string(100, static_cast<char>('a' + t)));
    });
  constexpr std::string_view Header = "Content-Length: 100\r\n\r\n";
  for (int i = 0; i < Threads * Each; ++i) {
    ASSERT_EQ(received(Header.size()), Header);
    const std::string body = received(100);
    ASSERT_EQ(body, std::string(100, body[0]));
  }
  for (std::thread &writer : writers)
    writer.join();
}

} // namespace
