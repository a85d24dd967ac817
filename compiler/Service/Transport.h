// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages over a pair of descriptors, framed as the Language Server Protocol does: "Content-Length: N",
// an empty line, N bytes of JSON. What is not a frame is reported and skipped; reading goes on at the next
// header. Reading is for one thread, writing for any.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace tilescope::service {

class Transport {
public:
  /// Longer messages are refused: the largest honest one is a script of some megabytes.
  static constexpr uint64_t MaxMessage = uint64_t(64) << 20;

  Transport(int input, int output) : m_input(input), m_output(output) {}
  ~Transport();
  Transport(const Transport &) = delete;
  Transport &operator=(const Transport &) = delete;

  /// Takes standard input and output for itself, as private duplicates: from then on standard input is
  /// empty, and whatever writes to standard output writes to standard error, so nothing breaks the framing.
  static Transport overStandardStreams();

  enum class Status : uint8_t {
    Message,
    Malformed, ///< bytes that are no frame have been skipped
    TooLarge,  ///< a frame of more than MaxMessage has been given up
    End,       ///< the peer is gone
  };
  /// Waits for a message. A frame cut off by the end of the stream is an end.
  Status read(std::string &message);

  /// Writes one frame, whole. Does nothing once the peer is gone.
  void write(std::string_view message);

private:
  bool fill();
  Status readHeader(uint64_t &length);
  bool readLine(std::string &line);
  bool skipToHeader();

  const int m_input, m_output;
  std::string m_buffer; ///< read and not consumed: from m_at on
  size_t m_at = 0;
  bool m_isLost = false; ///< what follows is not the beginning of a frame
  std::mutex m_writing;
};

} // namespace tilescope::service
