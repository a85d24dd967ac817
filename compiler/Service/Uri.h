// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// file: URIs (RFC 8089) and paths.
#pragma once

#include <string>
#include <string_view>

namespace tilescope::service {

/// The path of a "file:" URI, percent escapes resolved; any other URI ("untitled:1") as it is.
std::string pathOfUri(std::string_view uri);
/// "file:///home/a%20b.py"; a path that is not absolute as it is.
std::string uriOfPath(std::string_view path);

} // namespace tilescope::service
