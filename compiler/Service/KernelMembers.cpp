// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/KernelMembers.h"

#include <algorithm>

namespace tilescope::service {

namespace {

constexpr std::string_view ofTiles[] = {"dtype", "shape", "type", "numel", "T"};
constexpr std::string_view ofDescriptors[] = {"dtype",   "type",       "shape",
                                              "strides", "block_type", "block_shape"};

bool isDescriptor(std::string_view type) { return type.starts_with("tensordesc<"); }

/// Is it a type of run-time values: "fp32[64]", "pointer<fp16>", and no constant, tuple or function?
bool isValue(std::string_view type) {
  constexpr std::string_view starts[] = {"fp", "bf16", "int", "uint", "pointer<"};
  return std::ranges::any_of(starts, [&](std::string_view start) { return type.starts_with(start); });
}

void add(std::vector<KernelMember> &members, std::span<const std::string_view> attributes) {
  for (std::string_view attribute : attributes)
    members.push_back({std::string(attribute), nullptr});
}

} // namespace

std::string typeInKernels(const Analysis &analysis, std::string_view name) {
  auto found = std::ranges::find(analysis.types, name, &TypedName::name);
  return found == analysis.types.end() ? std::string() : found->type;
}

std::vector<KernelMember> kernelMembers(std::string_view type) {
  std::vector<KernelMember> members;
  const bool described = isDescriptor(type);
  if (!described && !isValue(type))
    return members;
  add(members, described ? std::span<const std::string_view>(ofDescriptors) : ofTiles);
  const char *module = described ? "triton.language.tensor_descriptor" : "triton.language";
  for (const LibraryMember &member : libraryMembers(module))
    if (member.entry && (described || member.entry->isMethod))
      members.push_back({member.label, member.entry});
  return members;
}

} // namespace tilescope::service
