// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM asks the C library for arc4random, which glibc has only since 2.36. With one of our own the static
// tilec runs on older systems too.
#include <cstdint>
#include <cstdlib>

#include <sys/random.h>

extern "C" uint32_t arc4random() noexcept {
  uint32_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    std::abort();
  return number;
}
