// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Runtime/Cuda/HeldAddresses.h"

#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace tilescope::cuda {
namespace {

constexpr const char *Restarts = "TILESCOPE_RESTARTS";
constexpr int MaxRestarts = 16;

bool isHeld = false;

} // namespace

bool holdTensorAddresses() {
  if (isHeld)
    return true;
  void *wanted = reinterpret_cast<void *>(AddressSpace::DeviceBase);
  void *given = mmap(wanted, TensorRangeBytes, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (given == MAP_FAILED)
    return false;
  isHeld = given == wanted; // a kernel that is older than the flag gives another place
  if (!isHeld)
    munmap(given, TensorRangeBytes);
  return isHeld;
}

void releaseTensorAddresses() {
  if (isHeld)
    munmap(reinterpret_cast<void *>(AddressSpace::DeviceBase), TensorRangeBytes);
  isHeld = false;
}

void holdTensorAddressesOrRestart(char **argv) {
  const char *text = std::getenv(Restarts);
  const int restarts = text ? std::atoi(text) : 0;
  if (holdTensorAddresses() || restarts >= MaxRestarts) {
    unsetenv(Restarts);
    return;
  }
  setenv(Restarts, std::to_string(restarts + 1).c_str(), 1);
  execv("/proc/self/exe", argv);
  unsetenv(Restarts); // it could not be started: go on, and say so when the driver gives other addresses
}

} // namespace tilescope::cuda
