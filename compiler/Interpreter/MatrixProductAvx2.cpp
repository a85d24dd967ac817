// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/MatrixProductBlock.h"

namespace tilescope::interp {

void addProductAvx2(MatrixProduct product) { addProductByBlocks<8, 4, 2>(product); }

} // namespace tilescope::interp
