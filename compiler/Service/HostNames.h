// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of host code in the words of hover and completion.
#pragma once

#include "compiler/Value/Value.h"

namespace tilescope::service {

struct HostName {
  std::string type;      ///< "int", "torch.float32[1823, 781]", "function"
  std::string value;     ///< "1024"; empty for what is long or has no text
  std::string signature; ///< of a function: "(x, BLOCK: tl.constexpr)"
};
HostName describe(const Value &value);

} // namespace tilescope::service
