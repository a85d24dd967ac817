// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/GpuTarget.h"

#include "compiler/Target/NVPTX/Ptx.h"

namespace tilescope::service {

codegen::Target targetFor(int major, int minor) {
  codegen::Target target;
  target.capability = unsigned(major * 10 + minor);
  while (!nvptx::isKnown(target) && target.capability > 75)
    --target.capability;
  target.isArchSpecific = target.capability == 90;
  return target;
}

std::optional<codegen::Target> targetNamed(std::string_view name) {
  if (const model::Gpu *gpu = model::findGpu(name))
    return targetFor(gpu->sm.major, gpu->sm.minor);
  return nvptx::parseTarget(name);
}

model::Gpu gpuLike(const codegen::Target &target) {
  const model::Gpu *best = &model::gpus().front();
  for (const model::Gpu &gpu : model::gpus()) {
    const unsigned capability = unsigned(gpu.sm.major * 10 + gpu.sm.minor);
    const unsigned bestCapability = unsigned(best->sm.major * 10 + best->sm.minor);
    if (capability <= target.capability && (capability > bestCapability || bestCapability > target.capability))
      best = &gpu;
  }
  model::Gpu result = *best;
  result.sm.major = int(target.capability / 10);
  result.sm.minor = int(target.capability % 10);
  return result;
}

} // namespace tilescope::service
