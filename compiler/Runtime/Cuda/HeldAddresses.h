// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The addresses that tensors have (AddressSpace) are addresses of the host process too, where the driver must find
// nothing. They are held from the start of the process on, until the driver takes them.
#pragma once

#include "compiler/Memory/AddressSpace.h"

namespace tilescope::cuda {

/// All that an AddressSpace of the default capacity hands out: twice that, and a segment more.
inline constexpr uint64_t TensorRangeBytes = 2 * AddressSpace::DefaultCapacity + (uint64_t(4) << 20);

/// Holds the range. False if something of the process lies there: where, the system has drawn by chance.
bool holdTensorAddresses();
/// Gives it back, for the driver to take. Does nothing if it is not held.
void releaseTensorAddresses();

/// Holds the range; if something lies there, starts the process anew, with the same arguments, until it is free (16 times
/// at most). For the beginning of `main`, before anything has happened.
void holdTensorAddressesOrRestart(char **argv);

} // namespace tilescope::cuda
