// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Transport.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

namespace tilescope::service {
namespace {

constexpr size_t MaxHeaderLine = 1024;
constexpr size_t ReadBlock = 64 * 1024;
constexpr std::string_view LengthField = "content-length";

std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The number of a "Content-Length" line; one too large for 64 bits is the largest.
std::optional<uint64_t> lengthOf(std::string_view digits) {
  uint64_t length = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument)
    return std::nullopt;
  return error == std::errc::result_out_of_range ? UINT64_MAX : length;
}

} // namespace

Transport::~Transport() {
  close(m_input);
  close(m_output);
}

Transport Transport::overStandardStreams() {
  std::signal(SIGPIPE, SIG_IGN);
  const int input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (int null = open("/dev/null", O_RDONLY | O_CLOEXEC); null >= 0) {
    dup2(null, STDIN_FILENO);
    close(null);
  }
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return {input, output};
}

bool Transport::fill() {
  if (m_at > 0) {
    m_buffer.erase(0, m_at);
    m_at = 0;
  }
  const size_t held = m_buffer.size();
  m_buffer.resize(held + ReadBlock);
  ssize_t count;
  do
    count = ::read(m_input, m_buffer.data() + held, ReadBlock);
  while (count < 0 && errno == EINTR);
  m_buffer.resize(held + std::max<ssize_t>(count, 0));
  return count > 0;
}

/// A header line without its end. False at the end of the stream; a line too long comes out cut.
bool Transport::readLine(std::string &line) {
  for (;;) {
    const size_t end = m_buffer.find('\n', m_at);
    if (end != std::string::npos && end - m_at <= MaxHeaderLine) {
      line.assign(m_buffer, m_at, end - m_at);
      m_at = end + 1;
      if (line.ends_with('\r'))
        line.pop_back();
      return true;
    }
    if (m_buffer.size() - m_at > MaxHeaderLine) {
      line.assign(m_buffer, m_at, MaxHeaderLine);
      m_at += MaxHeaderLine;
      return true;
    }
    if (!fill())
      return false;
  }
}

/// Consumes everything before the next "Content-Length:", in a block's memory.
bool Transport::skipToHeader() {
  constexpr std::string_view Mark = "Content-Length:";
  for (;;) {
    const size_t found = m_buffer.find(Mark, m_at);
    if (found != std::string::npos) {
      m_at = found;
      return true;
    }
    m_at = std::max(m_at, m_buffer.size() - std::min(m_buffer.size(), Mark.size() - 1));
    if (!fill())
      return false;
  }
}

Transport::Status Transport::readHeader(uint64_t &length) {
  std::optional<uint64_t> found;
  std::string line;
  while (readLine(line)) {
    if (line.empty()) {
      length = found.value_or(0);
      return found ? Status::Message : Status::Malformed;
    }
    const size_t colon = line.find(':');
    if (colon == std::string::npos)
      return Status::Malformed;
    if (lowered(trimmed(std::string_view(line).substr(0, colon))) != LengthField)
      continue;
    found = lengthOf(trimmed(std::string_view(line).substr(colon + 1)));
    if (!found)
      return Status::Malformed;
  }
  return Status::End;
}

Transport::Status Transport::read(std::string &message) {
  if (m_isLost && !skipToHeader())
    return Status::End;
  uint64_t length = 0;
  Status status = readHeader(length);
  if (status == Status::Message && length > MaxMessage)
    status = Status::TooLarge;
  m_isLost = status != Status::Message;
  if (m_isLost)
    return status;
  while (m_buffer.size() - m_at < length)
    if (!fill())
      return Status::End;
  message.assign(m_buffer, m_at, length);
  m_at += length;
  return Status::Message;
}

void Transport::write(std::string_view message) {
  std::string frame = "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
  frame += message;
  std::lock_guard lock(m_writing);
  for (size_t done = 0; done < frame.size();) {
    const ssize_t count = ::write(m_output, frame.data() + done, frame.size() - done);
    if (count < 0 && errno != EINTR)
      return;
    done += std::max<ssize_t>(count, 0);
  }
}

} // namespace tilescope::service
