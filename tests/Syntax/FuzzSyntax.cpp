// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The libFuzzer target of the parser; built with clang and -DTILESCOPE_FUZZ=ON.
//
//   syntax-fuzz -max_len=4096 CORPUS tests/Syntax/data
#include "tests/Syntax/TreeCheck.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string problem = tilescope::syntax::TreeCheck::of({reinterpret_cast<const char *>(data), size});
  if (problem.empty())
    return 0;
  std::fprintf(stderr, "%s\n", problem.c_str());
  std::abort();
}
