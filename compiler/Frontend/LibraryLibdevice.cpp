// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of libdevice: one handler for all, by the signatures of LibdeviceTable.h. As in Triton, types are
// never promoted: they match a signature, or there is no such function.
#include "compiler/Frontend/LibdeviceTable.h"
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Types.h"

#include <algorithm>
#include <deque>

namespace tilescope::frontend {

namespace {

using Signatures = std::span<const LibdeviceSignature>;
using Values = llvm::SmallVector<mlir::Value, 4>;

mlir::Type elementOf(mlir::Value value) { return tile::elementTypeOf(value.getType()); }

/// How many arguments, from the first one on, have the types of a signature.
size_t matching(const LibdeviceSignature &signature, const Values &values) {
  size_t i = 0;
  while (i < values.size() && elementType(elementOf(values[i])) == signature.argument(i))
    ++i;
  return i;
}

std::string castText(LibraryCall &call, SourceRange range) {
  std::string text(call.emitter.frame()->function->module->file->text(range));
  const bool isName = std::ranges::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return (isName ? text : "(" + text + ")") + ".to(tl.float32)";
}

/// The argument to blame is the first one with which every signature is out; a 16-bit or 8-bit float is
/// offered a cast.
void reportTypes(LibraryCall &call, Signatures signatures, const Values &values) {
  size_t blamed = 0;
  std::string given = "(", taken;
  for (const LibdeviceSignature &signature : signatures) {
    blamed = std::max(blamed, matching(signature, values));
    taken += (taken.empty() ? "" : ", ") + signature.argumentsText();
  }
  for (size_t i = 0; i < values.size(); ++i)
    given += (i ? ", " : "") + typeName(elementOf(values[i]));
  const Operand &operand = call[blamed];
  Diagnostic &error = call.emitter.error(operand.range, "libdevice-types",
                                         {std::string(lastPart(call.function.name)), given + ")", taken});
  mlir::Type element = elementOf(values[blamed]);
  const bool takesFloat = std::ranges::any_of(
      signatures, [&](const auto &s) { return s.argument(blamed) == ElementType::Float32; });
  if (operand.term.value() && tile::isFloat(element) && tile::bitWidthOf(element) < 32 && takesFloat)
    error.fix = DiagnosticFix{"cast-argument", {"tl.float32"}, operand.range, castText(call, operand.range)};
}

bool broadcastAll(LibraryCall &call, Values &values) {
  for (size_t i = 1; i < values.size(); ++i)
    if (!broadcast(call.emitter, values[0], values[i], call[0].range, call[i].range))
      return false;
  for (size_t i = 1; i < values.size(); ++i)
    if (!broadcast(call.emitter, values[i], values[0], call[i].range, call[0].range))
      return false;
  return true;
}

//===- Functions that are operations of their own ---------------------------------------------------===//

template <typename Op> mlir::Value one(Emitter &emitter, const Values &values) {
  return emitter.create<Op>(values[0].getType(), values[0]);
}

/// Where the dialect has exactly the same function. Not abs, floor and ceil: in libdevice an fp32 number too
/// small to be normal counts as zero.
struct OwnOperation {
  std::string_view name;
  mlir::Value (*make)(Emitter &, const Values &);
};
constexpr OwnOperation ownOperations[] = {
    {"erf", one<tile::ErfOp>},   {"nearbyint", one<tile::RoundOp>}, {"rint", one<tile::RoundOp>},
    {"tanh", one<tile::TanhOp>}, {"trunc", one<tile::TruncOp>},
};

mlir::Value compute(Emitter &emitter, const LibdeviceSignature &signature, const Values &values) {
  for (const OwnOperation &own : ownOperations)
    if (own.name == signature.name)
      return own.make(emitter, values);
  mlir::Type type =
      tile::withElementType(values[0].getType(), mlirType(emitter.context(), signature.result()));
  return emitter.create<tile::ExternOp>(type, signature.symbol, values);
}

Term libdevice(LibraryCall &call) {
  Values values;
  for (const Operand &operand : call.arguments)
    if (!values.emplace_back(toTensor(call.emitter, operand)))
      return {};
  Signatures signatures = libdeviceSignatures(lastPart(call.function.name));
  auto found = std::ranges::find_if(
      signatures, [&](const auto &signature) { return matching(signature, values) == values.size(); });
  if (found == signatures.end()) {
    reportTypes(call, signatures, values);
    return {};
  }
  if (!broadcastAll(call, values))
    return {};
  mlir::Value result = compute(call.emitter, *found, values);
  return found->givesTruth() ? castTo(call.emitter, result, boolean(call.emitter.context()), call.range)
                             : result;
}

/// By number of arguments.
constexpr std::string_view parameterLists[] = {"", "arg0", "arg0, arg1", "arg0, arg1, arg2",
                                               "arg0, arg1, arg2, arg3"};

struct Rows {
  std::deque<std::string> names;
  std::vector<LibraryFunction> rows;

  Rows() {
    for (const LibdeviceSignature &signature : libdeviceSignatures()) {
      std::string name = std::string(libdevicePrefix) + std::string(signature.name);
      if (names.empty() || names.back() != name)
        rows.push_back({names.emplace_back(std::move(name)), parameterLists[signature.arity()], libdevice});
    }
  }
};

} // namespace

std::span<const LibraryFunction> libdeviceRows() {
  static const Rows result;
  return result.rows;
}

} // namespace tilescope::frontend
