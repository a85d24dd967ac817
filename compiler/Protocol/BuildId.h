// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which build this is. Programs whose build ids differ do not speak to each other.
#pragma once

#include <string>

namespace tilescope::protocol {

/// "0.1.0".
std::string versionText();
/// Names what both programs were built from: the project's version and a digest of the protocol's sources.
std::string buildId();

} // namespace tilescope::protocol
