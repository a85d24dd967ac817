// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/MatrixProductBlock.h"

namespace tilescope::interp {

void addProductAvx512(MatrixProduct product) { addProductByBlocks<16, 6, 2>(product); }

} // namespace tilescope::interp
