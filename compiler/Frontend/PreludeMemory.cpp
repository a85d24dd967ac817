// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of memory is said in the language itself: waiting.
#include "compiler/Frontend/Prelude.h"

namespace tilescope::frontend {

const char *const memoryPrelude = R"py(
def _is_missing(seen):
    if len(seen.shape) == 0:
        return seen == 0
    return tl.min(seen.to(tl.int32)) == 0

# Nobody measures time here: a look at memory counts as 100 ns.
@method
def atomic_poll(pointer, expected_value, sem=None, scope=None, timeout_ns=None):
    tl._require(pointer.dtype.is_ptr(), "not-a-pointer", "atomic_poll", pointer.dtype)
    kind: tl.constexpr = pointer.dtype.element_ty
    tl._require(kind.is_int() and kind.primitive_bitwidth >= 16, "dtype-not-supported", "atomic_poll",
                "int16, uint16, int32, uint32, int64, uint64", kind)
    expected = tl.cast(expected_value, kind)
    seen = tl.atomic_load(pointer, None, sem, scope) == expected
    if timeout_ns is None:
        while _is_missing(seen):
            seen = tl.atomic_load(pointer, None, sem, scope) == expected
    else:
        looks = tl.cast(timeout_ns, tl.int64) // 100
        while _is_missing(seen) & (looks > 0):
            seen = tl.atomic_load(pointer, None, sem, scope) == expected
            looks -= 1
    return seen
)py";

} // namespace tilescope::frontend
