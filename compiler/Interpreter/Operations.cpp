// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Operations.h"

namespace tilescope::interp {

bool isNarrowFloat(ElementType type) { return isFloat(type) && byteSize(type) < 4; }

ElementType slotType(ElementType type) { return isNarrowFloat(type) ? ElementType::Float32 : type; }

unsigned slotBytes(ElementType type) { return byteSize(slotType(type)); }

Handler elementwise(Op op, ElementType type) {
  constexpr Handler (*Tables[])(Op, ElementType) = {&integerArithmetic, &integerDivision, &integerBits,
                                                    &floatArithmetic,   &floatFunction,   &comparison};
  for (auto table : Tables)
    if (const Handler handler = table(op, slotType(type)))
      return handler;
  return nullptr;
}

} // namespace tilescope::interp
