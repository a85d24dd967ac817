// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts `tilec serve` as a process and speaks to it, as the window does. Every wait ends: after a timeout a
// null JSON value comes back, and the test that looks into it fails.
#pragma once

#include "compiler/Protocol/Json.h"

#include <chrono>
#include <deque>

#include <sys/types.h>

namespace tilescope::testing {

using nlohmann::json;
using std::chrono::milliseconds;

class Client {
public:
  explicit Client(std::vector<std::string> arguments = {"serve"});
  /// Kills the process if it still runs.
  ~Client();
  Client(const Client &) = delete;
  Client &operator=(const Client &) = delete;

  /// As an editor that says nothing about itself; the whole response.
  json initialize(json params = json::object());

  /// Sends a request and waits for its response: an object with "result" or "error".
  json request(const std::string &method, json params = json::object(), milliseconds timeout = Patience);
  /// Sends a request; its id.
  int send(const std::string &method, json params = json::object());
  json response(int id, milliseconds timeout = Patience);
  void notify(const std::string &method, json params = json::object());
  /// Bytes as they are.
  void sendRaw(std::string_view bytes);

  /// The next notification of this method that has not been taken; its params.
  json notification(const std::string &method, milliseconds timeout = Patience);
  /// The next message of whatever kind.
  json message(milliseconds timeout = Patience);

  /// Opens a document, version 1.
  void open(const std::string &uri, const std::string &text);
  /// Replaces its whole text.
  void change(const std::string &uri, int version, const std::string &text);
  /// The diagnostics of this very version: waits for them.
  json diagnostics(const std::string &uri, int version, milliseconds timeout = Patience);

  void signal(int number);
  void closeInput();
  /// The exit status as waitpid gives it; nothing if it goes on.
  std::optional<int> waitForExit(milliseconds timeout = Patience);
  pid_t pid() const { return m_pid; }

  static constexpr milliseconds Patience{10'000};

private:
  void post(const json &message);
  bool readSome(std::chrono::steady_clock::time_point until);
  std::optional<json> takeFrame();
  template <typename Matches> json take(Matches matches, milliseconds timeout);

  pid_t m_pid = -1;
  int m_input = -1, m_output = -1;
  int m_nextId = 1;
  std::string m_buffer;
  std::deque<json> m_messages;
};

/// The path of the tilec that was built with the tests.
std::string tilecPath();
/// A file of the project.
std::string projectFile(const std::string &path);
std::string readFile(const std::string &path);

} // namespace tilescope::testing
