// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A context for the parts of a fused operation: they cost nothing of their own.
#pragma once

#include "compiler/Host/Operations.h"

namespace tilescope::host {

class SilentContext final : public OperationContext {
public:
  explicit SilentContext(OperationContext &outer)
      : OperationContext(outer.memory, outer.random, outer.mode), m_outer(outer) {}
  void defer(std::function<void()> action) override { m_outer.defer(std::move(action)); }
  bool settle() override { return m_outer.settle(); }
  bool stopRequested() const override { return m_outer.stopRequested(); }
  void charge(std::string_view, const OperationCost &) override {}

private:
  OperationContext &m_outer;
};

} // namespace tilescope::host
