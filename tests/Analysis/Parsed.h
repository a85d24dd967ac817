// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel out of text, for tests of analyses.
#pragma once

#include "compiler/Dialect/Tile/IR/Tile.h"

#include <mlir/IR/MLIRContext.h>
#include <mlir/Parser/Parser.h>

#include <gtest/gtest.h>

namespace tilescope::analysis::test {

class Parsed {
public:
  explicit Parsed(const std::string &text) : m_context(mlir::MLIRContext::Threading::DISABLED) {
    m_context.loadDialect<tile::TileDialect>();
    m_module = mlir::parseSourceString<mlir::ModuleOp>(text, &m_context);
    EXPECT_TRUE(m_module) << text;
  }
  tile::FuncOp kernel() const { return *m_module->getOps<tile::FuncOp>().begin(); }
  /// The first operation with that attribute.
  mlir::Operation *marked(llvm::StringRef attribute) const {
    mlir::Operation *found = nullptr;
    kernel()->walk([&](mlir::Operation *op) {
      if (!found && op->hasAttr(attribute))
        found = op;
    });
    EXPECT_TRUE(found) << attribute.str();
    return found;
  }

private:
  mlir::MLIRContext m_context;
  mutable mlir::OwningOpRef<mlir::ModuleOp> m_module;
};

} // namespace tilescope::analysis::test
