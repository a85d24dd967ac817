// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Compile.h"

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Dialect/Tile/Transforms/Stages.h"
#include "compiler/Interpreter/Flatten.h"

#include "mlir/Bytecode/BytecodeWriter.h"

namespace tilescope::service {
namespace {

/// One compilation's context, with what the frontend makes operations of.
struct Context {
  mlir::MLIRContext mlir{mlir::MLIRContext::Threading::DISABLED};
  Context() { mlir.loadDialect<tile::TileDialect>(); }
};

} // namespace

std::shared_ptr<const interp::Kernel> compileKernel(const SourceClosure &closure,
                                                    const frontend::Specialisation &specialisation,
                                                    Diagnostics &diagnostics,
                                                    std::vector<frontend::TypedExpression> *types,
                                                    std::string *bytecode) {
  Context context;
  std::vector<frontend::TypedExpression> unused;
  const FunctionObject &kernel = *closure.functions().front();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      frontend::compile(context.mlir, kernel, specialisation, diagnostics, types ? *types : unused);
  if (!module)
    return nullptr;
  if (bytecode) {
    llvm::raw_string_ostream stream(*bytecode);
    if (mlir::failed(mlir::writeBytecodeToFile(*module, stream)))
      bytecode->clear();
  }
  // Which products and sums a GPU rounds once is decided in the IR, for every backend.
  for (tile::FuncOp function : module->getOps<tile::FuncOp>())
    tile::contract(function);
  auto resolver = [&](std::string_view path) { return closure.file(path); };
  return interp::flatten(*module, resolver, diagnostics);
}

std::string printTileIr(const FunctionObject &kernel, const frontend::Specialisation &specialisation,
                        Diagnostics &diagnostics) {
  Context context;
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (mlir::OwningOpRef<mlir::ModuleOp> module =
          frontend::compile(context.mlir, kernel, specialisation, diagnostics))
    module->print(stream);
  return text;
}

} // namespace tilescope::service
