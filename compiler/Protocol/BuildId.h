// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace tilescope::protocol {

/// Names what both programs were built from: the project's version and a digest of the protocol's sources.
std::string buildId();

} // namespace tilescope::protocol
