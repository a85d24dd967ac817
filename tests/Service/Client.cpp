// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Service/Client.h"

#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilescope::testing {

using Clock = std::chrono::steady_clock;

std::string tilecPath() { return std::string(TILESCOPE_BINARY_DIR) + "/bin/tilec"; }
std::string projectFile(const std::string &path) { return std::string(TILESCOPE_SOURCE_DIR) + "/" + path; }

std::string readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

Client::Client(std::vector<std::string> arguments) {
  std::signal(SIGPIPE, SIG_IGN);
  int input[2], output[2];
  if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0)
    return;
  arguments.insert(arguments.begin(), tilecPath());
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  m_pid = fork();
  if (m_pid == 0) {
    dup2(input[0], STDIN_FILENO);
    dup2(output[1], STDOUT_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(input[0]);
  close(output[1]);
  m_input = input[1];
  m_output = output[0];
}

Client::~Client() {
  closeInput();
  if (m_pid > 0) {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  close(m_output);
}

void Client::closeInput() {
  if (m_input >= 0)
    close(std::exchange(m_input, -1));
}

void Client::signal(int number) { kill(m_pid, number); }

std::optional<int> Client::waitForExit(milliseconds timeout) {
  int status = 0;
  for (Clock::time_point until = Clock::now() + timeout; Clock::now() < until;) {
    if (waitpid(m_pid, &status, WNOHANG) == m_pid) {
      m_pid = -1;
      return status;
    }
    std::this_thread::sleep_for(milliseconds(2));
  }
  return std::nullopt;
}

// --- sending ---------------------------------------------------------------------------------------------

void Client::sendRaw(std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(m_input, bytes.data(), bytes.size());
    if (count <= 0)
      return;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
}

void Client::post(const json &message) {
  const std::string text = message.dump();
  sendRaw("Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
}

int Client::send(const std::string &method, json params) {
  const int id = m_nextId++;
  post({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  return id;
}

void Client::notify(const std::string &method, json params) {
  post({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

// --- receiving -------------------------------------------------------------------------------------------

bool Client::readSome(Clock::time_point until) {
  auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now()).count();
  pollfd descriptor{m_output, POLLIN, 0};
  if (poll(&descriptor, 1, static_cast<int>(std::max<int64_t>(left, 0))) <= 0)
    return false;
  char block[65536];
  ssize_t count = ::read(m_output, block, sizeof block);
  if (count <= 0)
    return false;
  m_buffer.append(block, static_cast<size_t>(count));
  return true;
}

std::optional<json> Client::takeFrame() {
  const size_t end = m_buffer.find("\r\n\r\n");
  if (end == std::string::npos)
    return std::nullopt;
  const size_t length = std::stoul(m_buffer.substr(m_buffer.find(':') + 1));
  if (m_buffer.size() < end + 4 + length)
    return std::nullopt;
  json message = json::parse(m_buffer.substr(end + 4, length), nullptr, false);
  m_buffer.erase(0, end + 4 + length);
  return message;
}

template <typename Matches> json Client::take(Matches matches, milliseconds timeout) {
  const Clock::time_point until = Clock::now() + timeout;
  for (size_t seen = 0;;) {
    for (; seen < m_messages.size(); ++seen)
      if (matches(m_messages[seen])) {
        json found = std::move(m_messages[seen]);
        m_messages.erase(m_messages.begin() + static_cast<ptrdiff_t>(seen));
        return found;
      }
    while (std::optional<json> frame = takeFrame())
      m_messages.push_back(std::move(*frame));
    if (seen == m_messages.size() && !readSome(until))
      return nullptr;
  }
}

json Client::message(milliseconds timeout) {
  return take([](const json &) { return true; }, timeout);
}

json Client::response(int id, milliseconds timeout) {
  return take([&](const json &m) { return m.contains("id") && m["id"] == id; }, timeout);
}

json Client::request(const std::string &method, json params, milliseconds timeout) {
  return response(send(method, std::move(params)), timeout);
}

json Client::notification(const std::string &method, milliseconds timeout) {
  json found = take([&](const json &m) { return m.contains("method") && m["method"] == method; }, timeout);
  return found.is_object() ? found["params"] : found;
}

json Client::initialize(json params) {
  json answer = request("initialize", std::move(params));
  notify("initialized");
  return answer;
}

// --- documents -------------------------------------------------------------------------------------------

void Client::open(const std::string &uri, const std::string &text) {
  notify("textDocument/didOpen",
         {{"textDocument", {{"uri", uri}, {"languageId", "python"}, {"version", 1}, {"text", text}}}});
}

void Client::change(const std::string &uri, int version, const std::string &text) {
  json changes = json::array({{{"text", text}}});
  notify("textDocument/didChange",
         {{"textDocument", {{"uri", uri}, {"version", version}}}, {"contentChanges", changes}});
}

json Client::diagnostics(const std::string &uri, int version, milliseconds timeout) {
  json found = take(
      [&](const json &m) {
        return m.contains("method") && m["method"] == "textDocument/publishDiagnostics" &&
               m["params"]["uri"] == uri && m["params"].value("version", -1) == version;
      },
      timeout);
  return found.is_object() ? found["params"]["diagnostics"] : found;
}

} // namespace tilescope::testing
