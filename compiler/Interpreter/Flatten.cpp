// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Interpreter/Flatten.h"

#include "compiler/Dialect/Tile/IR/Locations.h"
#include "compiler/Interpreter/Flattener.h"

#include <utility>

namespace tilescope::interp {

ElementType elementTypeOf(mlir::Type type) {
  if (llvm::isa<tile::BufferType, tile::TokenType>(type))
    return ElementType::Int32; // where it begins; nothing
  const mlir::Type element = tile::elementTypeOf(type);
  if (tile::isPointer(element))
    return ElementType::UInt64;
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element)) {
    if (integer.getWidth() == 1)
      return ElementType::Bool;
    const bool isSigned = tile::isSigned(element);
    switch (integer.getWidth()) {
    case 8:
      return isSigned ? ElementType::Int8 : ElementType::UInt8;
    case 16:
      return isSigned ? ElementType::Int16 : ElementType::UInt16;
    case 32:
      return isSigned ? ElementType::Int32 : ElementType::UInt32;
    default:
      return isSigned ? ElementType::Int64 : ElementType::UInt64;
    }
  }
  if (element.isF16())
    return ElementType::Float16;
  if (element.isBF16())
    return ElementType::BFloat16;
  if (element.isF32())
    return ElementType::Float32;
  if (element.isF64())
    return ElementType::Float64;
  if (llvm::isa<mlir::Float8E4M3FNType>(element))
    return ElementType::Float8E4M3FN;
  if (llvm::isa<mlir::Float8E5M2Type>(element))
    return ElementType::Float8E5M2;
  if (llvm::isa<mlir::Float8E4M3FNUZType>(element))
    return ElementType::Float8E4M3FNUZ;
  return ElementType::Float8E5M2FNUZ;
}

uint32_t elementsOf(mlir::Type type) { return static_cast<uint32_t>(tile::elementCountOf(type)); }

bool isPointer(mlir::Type type) { return tile::isPointer(tile::elementTypeOf(type)); }

llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

//===- Places --------------------------------------------------------------------------------------===//

SourceFilePtr Flattener::fileOf(const std::string &path) {
  auto [entry, isNew] = m_files.try_emplace(path);
  if (isNew)
    entry->second = m_resolver ? m_resolver(path) : nullptr;
  return entry->second;
}

Place Flattener::placeOf(mlir::Location location) {
  Place result;
  result.calls = m_calls;
  const std::optional<tile::ValueOrigin> origin = tile::readLocation(location);
  if (!origin)
    return result;
  const auto span = [&](const tile::SourcePlace &place) -> SourceSpan {
    const SourceFilePtr file = fileOf(place.path);
    return {file, file ? tile::rangeOf(place, *file) : SourceRange{}};
  };
  result.span = span(origin->place);
  auto at = result.calls.begin();
  for (const tile::SourcePlace &call : origin->callStack)
    at = result.calls.insert(at, span(call)) + 1;
  return result;
}

SourceSpan Flattener::spanOf(mlir::Location location) { return placeOf(location).span; }

bool Flattener::unsupported(mlir::Operation *op) {
  m_diagnostics.error("unsupported-operation", spanOf(op->getLoc()), {op->getName().getStringRef().str()});
  return false;
}

//===- The walk ------------------------------------------------------------------------------------===//

bool Flattener::block(mlir::Block &block) {
  for (mlir::Operation &op : block.without_terminator())
    if (!operation(&op))
      return false;
  return true;
}

bool Flattener::operation(mlir::Operation *op) {
  m_code.setPlace(placeOf(op->getLoc()));
  const uint32_t outer = std::exchange(m_step, beginStep(op->getName().stripDialect().str()));
  const bool wasOneStep = m_isOneStep;
  m_isOneStep |= llvm::isa<tile::ReduceOp, tile::ScanOp, tile::MapOp>(op);
  const bool done = translate(op);
  m_isOneStep = wasOneStep;
  if (done && !llvm::isa<tile::ForOp, tile::WhileOp, tile::IfOp, tile::CallOp>(op))
    noteResults(op);
  closeStep();
  m_step = outer;
  return done;
}

bool Flattener::translate(mlir::Operation *op) {
  for (auto group : {&Flattener::elementwise, &Flattener::shape, &Flattener::memory, &Flattener::blocks,
                     &Flattener::control, &Flattener::elements, &Flattener::shared}) {
    const Outcome outcome = (this->*group)(op);
    if (outcome == Outcome::Done)
      claimScratch(op);
    if (outcome != Outcome::NotMine)
      return outcome == Outcome::Done;
  }
  return unsupported(op);
}

std::shared_ptr<const Kernel> Flattener::run() {
  tile::FuncOp kernel;
  for (auto function : m_module.getOps<tile::FuncOp>())
    if (function.isKernel() && !kernel)
      kernel = function;
  if (!kernel || kernel.isExternal()) {
    m_diagnostics.error("no-kernel", {});
    return nullptr;
  }
  m_code = Assembler(kernel.getName().str());
  mlir::Block &body = kernel.getBody().front();
  const uint32_t preamble = beginStep("", /*isHidden=*/true);
  for (auto [index, argument] : llvm::enumerate(body.getArguments())) {
    const std::string name = kernel.argumentName(index).str();
    set(argument, m_code.parameter(name, interp::elementTypeOf(argument.getType()),
                                   interp::isPointer(argument.getType())));
    noteParameter(argument, name);
  }
  barrier(); // nobody has used shared memory yet
  endStep(preamble);
  if (!block(body))
    return nullptr;
  auto code = m_code.finish();
  if (code)
    return *code;
  m_diagnostics.error(code.error().id, spanOf(kernel.getLoc()), code.error().arguments);
  return nullptr;
}

std::shared_ptr<const Kernel> flatten(mlir::ModuleOp module, const SourceResolver &resolver,
                                      Diagnostics &diagnostics) {
  return Flattener(module, resolver, diagnostics).run();
}

} // namespace tilescope::interp
