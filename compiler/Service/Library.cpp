// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Library.h"

#include "compiler/Frontend/Frontend.h"
#include "compiler/Host/Functions.h"
#include "compiler/Host/Operations.h"

#include <algorithm>

namespace tilescope::service {
namespace {

/// What stands over kernels and is never called by itself.
constexpr std::string_view Decorators[] = {"triton.autotune", "triton.heuristics"};

std::vector<LibraryName> collect() {
  std::vector<LibraryName> names;
  for (const frontend::LibraryEntry &entry : frontend::libraryEntries())
    names.push_back({entry.name, entry.signature, entry.helpKey, !entry.signature.empty(), entry.isMethod});
  for (std::string_view name : host::functionNames())
    names.push_back({std::string(name), "(" + std::string(host::findFunction(name)->schema) + ")", {}});
  for (const std::string &name : host::nativeNames())
    names.push_back({name, {}, {}});
  for (std::string_view name : Decorators)
    names.push_back({std::string(name), {}, {}});
  std::ranges::stable_sort(names, {}, &LibraryName::name);
  const auto repeated = std::ranges::unique(names, {}, &LibraryName::name);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

} // namespace

const std::vector<LibraryName> &libraryNames() {
  static const std::vector<LibraryName> names = collect();
  return names;
}

const LibraryName *findLibraryName(std::string_view fullName) {
  const std::vector<LibraryName> &names = libraryNames();
  auto found = std::ranges::lower_bound(names, fullName, {}, &LibraryName::name);
  return found != names.end() && found->name == fullName ? &*found : nullptr;
}

std::vector<LibraryMember> libraryMembers(std::string_view module) {
  const std::string prefix = std::string(module) + ".";
  const std::vector<LibraryName> &names = libraryNames();
  std::vector<LibraryMember> members;
  for (auto name = std::ranges::lower_bound(names, prefix, {}, &LibraryName::name);
       name != names.end() && name->name.starts_with(prefix); ++name) {
    const std::string_view rest = std::string_view(name->name).substr(prefix.size());
    const std::string label(rest.substr(0, rest.find('.')));
    if (members.empty() || members.back().label != label)
      members.push_back({label, label == rest ? &*name : nullptr});
  }
  return members;
}

} // namespace tilescope::service
