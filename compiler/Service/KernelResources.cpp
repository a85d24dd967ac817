// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/KernelResources.h"

#include "compiler/Runtime/Cuda/Kernel.h"

namespace tilescope::service {
namespace {

std::optional<nvptx::Resources> fromDriver(const KernelCode &code) {
  const Result<std::unique_ptr<cuda::Device>> device = cuda::Device::open();
  if (!device || unsigned((*device)->info().major * 10 + (*device)->info().minor) != code.target.capability)
    return std::nullopt;
  cuda::Modules modules(**device);
  const Result<cuda::Kernel> kernel = modules.load(code.ptx, code.name, code.sharedBytes);
  if (!kernel)
    return std::nullopt;
  return nvptx::Resources{kernel->registers, kernel->localBytes, 0, 0, int(kernel->staticSharedBytes)};
}

} // namespace

Result<KernelResources> resourcesOf(const KernelCode &code) {
  if (nvptx::hasAssembler()) {
    const Result<nvptx::Cubin> cubin = assemble(code);
    if (!cubin)
      return cubin.error();
    return KernelResources{cubin->resources, ResourceSource::Assembler};
  }
  if (const std::optional<nvptx::Resources> resources = fromDriver(code))
    return KernelResources{*resources, ResourceSource::Driver};
  return KernelResources{{code.estimatedRegisters}, ResourceSource::Estimate};
}

} // namespace tilescope::service
