// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Protocol/BuildId.h"

namespace tilescope::protocol {

std::string versionText() { return TILESCOPE_VERSION; }
std::string buildId() { return TILESCOPE_BUILD_ID; }

} // namespace tilescope::protocol
