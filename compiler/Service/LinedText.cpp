// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/LinedText.h"

#include "compiler/Conversion/TileToLLVM/DebugInfo.h"
#include "compiler/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/AssemblyAnnotationWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "mlir/IR/AsmState.h"

#include <algorithm>

namespace tilescope::service {
namespace {

void setLine(std::vector<int> &lines, size_t at, int source) {
  if (at >= lines.size())
    lines.resize(at + 1);
  if (lines[at] == 0)
    lines[at] = source;
}

void finish(LinedText &result) { result.lines.resize(size_t(std::ranges::count(result.text, '\n'))); }

/// Notes on which line of the output each instruction stands; writes nothing.
class LineNoter final : public llvm::AssemblyAnnotationWriter {
public:
  LineNoter(const llvm::DenseMap<const llvm::Instruction *, int> &sources, std::vector<int> &lines)
      : m_sources(sources), m_lines(lines) {}
  void emitInstructionAnnot(const llvm::Instruction *instruction, llvm::formatted_raw_ostream &stream) override {
    setLine(m_lines, stream.getLine(), m_sources.lookup(instruction));
  }

private:
  const llvm::DenseMap<const llvm::Instruction *, int> &m_sources;
  std::vector<int> &m_lines;
};

} // namespace

LinedText linedText(mlir::ModuleOp module) {
  LinedText result;
  mlir::AsmState::LocationMap printed;
  mlir::AsmState state(module, mlir::OpPrintingFlags(), &printed);
  llvm::raw_string_ostream stream(result.text);
  module.print(stream, state);
  if (!result.text.ends_with('\n'))
    result.text += '\n';
  // The last function is the kernel in stage one, and the only one later.
  std::string path;
  for (tile::FuncOp function : module.getOps<tile::FuncOp>())
    if (const auto origin = tile::readLocation(function.getLoc()); origin && path.empty())
      path = origin->place.path;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *operation) {
    const auto found = printed.find(operation);
    const auto origin = tile::readLocation(operation->getLoc());
    if (found == printed.end() || !origin || found->second.first == 0)
      return;
    const tile::SourcePlace place = codegen::shownPlace(*origin);
    if (place.path == path)
      setLine(result.lines, found->second.first - 1, int(place.beginLine));
  });
  finish(result);
  return result;
}

LinedText linedText(const llvm::Module &module) {
  llvm::ValueToValueMapTy clones;
  const std::unique_ptr<llvm::Module> clone = llvm::CloneModule(module, clones);
  llvm::DenseMap<const llvm::Instruction *, int> sources;
  for (const llvm::Function &function : *clone)
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block)
        if (const llvm::DebugLoc &place = instruction.getDebugLoc())
          sources[&instruction] = int(place.getLine());
  llvm::StripDebugInfo(*clone);
  LinedText result;
  {
    llvm::raw_string_ostream stream(result.text);
    LineNoter noter(sources, result.lines);
    clone->print(stream, &noter);
  }
  finish(result);
  return result;
}

LinedText linedPtx(std::string_view ptx) {
  LinedText result;
  int source = 0;
  while (!ptx.empty()) {
    const size_t length = std::min(ptx.find('\n'), ptx.size());
    const llvm::StringRef line(ptx.data(), length);
    ptx.remove_prefix(std::min(length + 1, ptx.size()));
    const llvm::StringRef words = line.trim();
    if (words.starts_with(".file"))
      continue;
    if (words.starts_with(".loc")) { // .loc FILE LINE COLUMN
      llvm::SmallVector<llvm::StringRef> parts;
      llvm::SplitString(words, parts);
      if (parts.size() < 3 || parts[2].getAsInteger(10, source))
        source = 0;
      continue;
    }
    if (words == "}")
      source = 0; // of the function
    const bool isInstruction = words.ends_with(";") && !words.starts_with(".") && !words.starts_with("//");
    result.text.append(line).append("\n");
    result.lines.push_back(isInstruction ? source : 0);
  }
  return result;
}

} // namespace tilescope::service
