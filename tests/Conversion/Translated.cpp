// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Conversion/Translated.h"

#include "compiler/Layout/Text.h"
#include "compiler/Target/NVPTX/Ptx.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Program.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/Parser/Parser.h>

#include <gtest/gtest.h>

namespace tilescope::codegen::test {

Translated::Translated(const std::string &text, const Target &target) : m_target(target) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  const mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (module)
    translate(*module);
  EXPECT_TRUE(isDone()) << text << "\nunsupported: " << testing::PrintToString(m_unsupported);
}

Translated::Translated(mlir::ModuleOp module, const Target &target) : m_target(target) { translate(module); }

void Translated::translate(mlir::ModuleOp module) {
  std::vector<Unsupported> unsupported;
  m_module = translateToLlvm(*module.getOps<tile::FuncOp>().begin(), m_target, m_context, unsupported);
  for (const Unsupported &what : unsupported)
    m_unsupported.push_back(what.what);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (m_module && llvm::verifyModule(*m_module, &stream)) {
    ADD_FAILURE() << message;
    m_module.reset();
  }
}

const llvm::Function &Translated::kernel() const {
  for (const llvm::Function &function : *m_module)
    if (!function.isDeclaration())
      return function;
  llvm_unreachable("a kernel has a body");
}

std::string Translated::ptx() {
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(*m_module);
  auto ptx = nvptx::toPtx(*copy, m_target);
  EXPECT_TRUE(bool(ptx));
  return ptx ? *ptx : "";
}

std::string Translated::assemble() {
  const auto ptxas = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"});
  llvm::SmallString<64> source, log;
  if (!ptxas || llvm::sys::fs::createTemporaryFile("kernel", "ptx", source) ||
      llvm::sys::fs::createTemporaryFile("kernel", "log", log))
    return "";
  std::error_code error;
  llvm::raw_fd_ostream(source, error) << ptx();
  const std::string architecture = "-arch=" + m_target.cpu();
  const std::optional<llvm::StringRef> redirects[] = {std::nullopt, log.str(), log.str()};
  const llvm::StringRef arguments[] = {*ptxas, architecture, "-O0", "-o", "/dev/null", source};
  const int status = llvm::sys::ExecuteAndWait(*ptxas, arguments, std::nullopt, redirects);
  const auto text = llvm::MemoryBuffer::getFile(log);
  llvm::sys::fs::remove(source);
  llvm::sys::fs::remove(log);
  return status == 0 ? "" : (*text)->getBuffer().str();
}

//===- Text -----------------------------------------------------------------------------------------===//

namespace {

std::string shapeOf(const layout::LinearLayout &map) {
  std::string text;
  for (const layout::Extent &extent : map.outputs())
    text += (text.empty() ? "" : "x") + std::to_string(extent.size());
  return text;
}

} // namespace

std::string attribute(const layout::LinearLayout &map) {
  return "#tile.layout<" + shapeOf(map) + ", " + layout::text(map) + ">";
}

std::string typeText(const layout::LinearLayout &map, const std::string &element) {
  return shapeOf(map) + "x" + element + ", " + attribute(map);
}

layout::LinearLayout rowMajor(const layout::LinearLayout &like) {
  std::vector<uint64_t> columns;
  for (unsigned bit = 0; bit < like.outputBits(); ++bit)
    columns.push_back(uint64_t(1) << bit);
  return {{{layout::Dim::Offset, like.outputBits()}}, {like.outputs().begin(), like.outputs().end()}, columns};
}

} // namespace tilescope::codegen::test
