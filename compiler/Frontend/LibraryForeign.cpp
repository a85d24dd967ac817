// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is not of the language: inline assembly, and questions about the GPU and the launch.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Types.h"

namespace tilescope::frontend {

namespace {

//===- Inline assembly ----------------------------------------------------------------------------===//

/// Its results, of which there may be several; empty where the operands do not fit.
mlir::ResultRange assembly(Emitter &emitter, llvm::StringRef text, llvm::StringRef constraints, uint32_t pack,
                           bool isPure, mlir::TypeRange results, mlir::ValueRange operands) {
  auto op = emitter.create<tile::InlineAsmOp>(results, text, constraints, pack, isPure, operands);
  return op.getResults();
}

Term inlineAssembly(LibraryCall &call) {
  auto text = constantString(call.emitter, call[0]), constraints = constantString(call.emitter, call[1]);
  auto isPure = constantBool(call.emitter, call[4]);
  auto pack = constantInt(call.emitter, call[5]);
  if (!text || !constraints || !isPure || !pack)
    return {};
  auto operands = tensorsInOneShape(call.emitter, call[2]);
  if (!operands)
    return {};
  llvm::ArrayRef<int64_t> shape;
  if (!operands->empty())
    shape = tile::shapeOf(operands->front().getType());
  llvm::SmallVector<mlir::Type> results;
  for (const Term &item : itemsOf(call[3].term)) {
    mlir::Type element = constantType(call.emitter, {item, call[3].range});
    if (!element)
      return {};
    results.push_back(tile::tileOrScalar(shape, element));
  }
  if (results.empty()) {
    call.emitter.error(call[3].range, "assembly-without-result");
    return {};
  }
  int64_t count = tile::elementCountOf(results[0]);
  if (*pack < 1 || count % *pack != 0) {
    call.emitter.error(call[5].range, "pack-does-not-divide", {std::to_string(*pack), std::to_string(count)});
    return {};
  }
  std::vector<Term> terms;
  for (mlir::Value result :
       assembly(call.emitter, *text, *constraints, static_cast<uint32_t>(*pack), *isPure, results, *operands))
    terms.push_back(result);
  return call[3].term.tuple() ? makeTuple(std::move(terms)) : terms[0];
}

//===- Foreign functions --------------------------------------------------------------------------===//

/// The row of the table whose key names the types of these values, as (symbol, result type); an error term
/// after an error.
Term foreignRow(LibraryCall &call, llvm::ArrayRef<mlir::Value> values) {
  std::string given, known;
  for (mlir::Value value : values)
    given += (given.empty() ? "" : ", ") + typeName(tile::elementTypeOf(value.getType()));
  for (const Term &pair : itemsOf(call[3].term)) {
    std::vector<Term> sides = itemsOf(pair);
    if (sides.size() != 2)
      continue;
    std::string key;
    for (const Term &type : itemsOf(sides[0]))
      key += (key.empty() ? "" : ", ") + describe(type);
    if (key == given)
      return sides[1];
    known += (known.empty() ? "(" : ", (") + key + ")";
  }
  call.emitter.error(call[2].range, "foreign-types", {given, known});
  return {};
}

Term externElementwise(LibraryCall &call) {
  auto operands = tensorsInOneShape(call.emitter, call[2]);
  if (!operands)
    return {};
  Term row = foreignRow(call, *operands);
  if (row.isError())
    return {};
  std::vector<Term> parts = itemsOf(row);
  const std::string *symbol = parts[0].constant() ? parts[0].constant()->asString() : nullptr;
  mlir::Type element = parts.size() == 2 ? parts[1].type() : mlir::Type();
  if (!symbol || !element || operands->empty()) {
    call.emitter.error(call[3].range, "foreign-row", {describe(row)});
    return {};
  }
  mlir::Type type = tile::withElementType(operands->front().getType(), element);
  return mlir::Value(call.emitter.create<tile::ExternOp>(type, *symbol, *operands));
}

/// One instruction without operands that gives a scalar.
Term instruction(LibraryCall &call, llvm::StringRef text, llvm::StringRef constraints, ElementType result,
                 bool isPure) {
  mlir::Type type = mlirType(call.emitter.context(), result);
  return mlir::Value(assembly(call.emitter, text, constraints, 1, isPure, type, {})[0]);
}

Term globalTimer(LibraryCall &call) {
  return instruction(call, "mov.u64 $0, %globaltimer;", "=l", ElementType::Int64, /*isPure=*/false);
}
Term multiprocessor(LibraryCall &call) {
  return instruction(call, "mov.u32 $0, %smid;", "=r", ElementType::Int32, /*isPure=*/true);
}

/// The operation has a result, of which nobody asks.
Term waitForPriorGrid(LibraryCall &call) {
  instruction(call, "griddepcontrol.wait;\nmov.u32 $0, 0;", "=r", ElementType::Int32, /*isPure=*/false);
  return Value();
}
Term launchDependentGrid(LibraryCall &call) {
  instruction(call, "griddepcontrol.launch_dependents;\nmov.u32 $0, 0;", "=r", ElementType::Int32,
              /*isPure=*/false);
  return Value();
}

//===- The launch and the GPU ---------------------------------------------------------------------===//

constexpr uint32_t defaultWarps = 4;

int64_t warpsOf(LibraryCall &call) {
  mlir::Operation *around = call.emitter.builder.getInsertionBlock()->getParentOp();
  auto function = llvm::dyn_cast_or_null<tile::FuncOp>(around);
  if (!function && around)
    function = around->getParentOfType<tile::FuncOp>();
  return function ? function.getNumWarps().value_or(defaultWarps) : defaultWarps;
}

Term numWarps(LibraryCall &call) { return Value(warpsOf(call)); }
Term numThreads(LibraryCall &call) { return Value(32 * warpsOf(call)); }

constexpr int64_t targetWarpSize = 32;

Term currentTarget(LibraryCall &) {
  return makeTuple({Value(std::string("cuda")), Value(computeCapability), Value(targetWarpSize)},
                   {"backend", "arch", "warp_size"});
}

/// A data type by its short name: tl.dtype("fp32").
Term typeOfName(LibraryCall &call) {
  auto name = constantString(call.emitter, call[0]);
  if (!name)
    return {};
  for (auto element = ElementType::Bool; element <= ElementType::Float64;
       element = static_cast<ElementType>(static_cast<int>(element) + 1))
    if (tritonName(element) == *name)
      return mlirType(call.emitter.context(), element);
  call.emitter.error(call[0].range, "type-expected", {describe(call[0].term)});
  return {};
}

constexpr LibraryFunction rows[] = {
    {"triton.language.dtype", "name", typeOfName},
    {"triton.language.inline_asm_elementwise", "asm, constraints, args, dtype, is_pure, pack",
     inlineAssembly},
    {"triton.language.extern_elementwise",
     "lib_name, lib_path, args, arg_type_symbol_dict, is_pure, _semantic=None", externElementwise},
    {"triton.language.extra.cuda.globaltimer", "", globalTimer},
    {"triton.language.extra.cuda.smid", "", multiprocessor},
    {"triton.language.extra.cuda.num_warps", "", numWarps},
    {"triton.language.extra.cuda.num_threads", "", numThreads},
    {"triton.language.extra.cuda.gdc_wait", "", waitForPriorGrid},
    {"triton.language.extra.cuda.gdc_launch_dependents", "", launchDependentGrid},
    {"triton.language.target_info.current_target", "", currentTarget},
};

} // namespace

bool isForeignFunction(const FunctionObject &function) {
  return llvm::any_of(function.decorators, [](const Decorator &decorator) {
    auto name = symbolName(decorator.callee);
    return name && name->starts_with("triton.language.") &&
           (lastPart(*name) == "extern" || lastPart(*name) == "builtin");
  });
}

std::span<const LibraryFunction> foreignRows() { return rows; }

} // namespace tilescope::frontend
