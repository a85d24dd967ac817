// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Uri.h"

#include <charconv>

namespace tilescope::service {
namespace {

constexpr std::string_view Scheme = "file://";
constexpr std::string_view Unescaped = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

} // namespace

std::string pathOfUri(std::string_view uri) {
  if (!uri.starts_with(Scheme))
    return std::string(uri);
  const size_t slash = uri.find('/', Scheme.size()); // after an authority, such as "localhost"
  if (slash == std::string_view::npos)
    return std::string(uri);
  std::string_view escaped = uri.substr(slash);
  std::string path;
  for (size_t i = 0; i < escaped.size(); ++i) {
    unsigned char byte = 0;
    const char *digits = escaped.data() + i + 1;
    if (escaped[i] == '%' && i + 2 < escaped.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      path += static_cast<char>(byte);
      i += 2;
    } else {
      path += escaped[i];
    }
  }
  return path;
}

std::string uriOfPath(std::string_view path) {
  if (!path.starts_with('/'))
    return std::string(path);
  constexpr std::string_view Digits = "0123456789ABCDEF";
  std::string uri(Scheme);
  for (unsigned char c : path) {
    if (Unescaped.find(static_cast<char>(c)) != std::string_view::npos)
      uri += static_cast<char>(c);
    else
      (uri += '%') += {Digits[c >> 4], Digits[c & 15]};
  }
  return uri;
}

} // namespace tilescope::service
