// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Libdevice.h"

#include "compiler/Interpreter/LibdeviceTable.h"

namespace tilescope::interp {

const LibdeviceFunction *findLibdevice(std::string_view symbol) {
  static const LibdeviceTable table = [] {
    LibdeviceTable rows;
    addBits(rows);
    addRoundings(rows);
    addElementary(rows);
    addSpecial(rows);
    return rows;
  }();
  return table.find(symbol);
}

} // namespace tilescope::interp
