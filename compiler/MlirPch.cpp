// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled only to make the precompiled header that Llvm.cmake lists.
