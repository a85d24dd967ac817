// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A script whose launches are written down and not carried out: for who wants to compile what it launches.
#pragma once

#include "compiler/Host/Evaluator.h"
#include "compiler/Host/Launcher.h"
#include "compiler/Memory/AddressSpace.h"
#include "compiler/Service/Sources.h"

#include <optional>
#include <vector>

namespace tilescope::service {

class RecordedScript final : private host::Launcher {
public:
  /// Evaluates it. `path`: its folder is where imports are looked up.
  RecordedScript(std::shared_ptr<const syntax::Module> module, const std::string &path);

  const std::vector<host::LaunchRequest> &launches() const { return m_launches; }
  /// The `index`-th launch of a kernel, or null.
  const host::LaunchRequest *find(std::string_view kernel, int index) const;
  /// The jit function of that name at the script's top level, or null.
  const FunctionObject *kernel(const std::string &name) const;
  const Diagnostics &diagnostics() const { return m_diagnostics; }

private:
  bool launch(const host::LaunchRequest &request, Diagnostics &diagnostics) override;

  const Sources m_sources;
  AddressSpace m_memory;
  std::vector<host::LaunchRequest> m_launches;
  std::optional<host::Evaluator> m_evaluator; ///< kept: the names of a script live as long as it
  Diagnostics m_diagnostics;
};

} // namespace tilescope::service
