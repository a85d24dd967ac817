// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// str(tensor) and repr(tensor) in PyTorch's layout (torch/_tensor_str.py with its default options).
#pragma once

#include "compiler/Host/Tensor.h"

#include <string>

namespace tilescope::host {

/// "tensor([…], device='cuda:0', dtype=torch.float16)". Contents must be settled.
std::string printTensor(const TensorObject &tensor);

} // namespace tilescope::host
