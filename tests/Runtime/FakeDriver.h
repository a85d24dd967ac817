// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests see of the fake driver.
#pragma once

#include <cstdint>

extern "C" {
/// Bytes that cuMemcpyHtoD and cuMemcpyDtoH have copied.
uint64_t fakeBytesToDevice();
uint64_t fakeBytesToHost();
/// Ends a fault, as only a new process does with CUDA.
uint64_t fakeHeal();
}
