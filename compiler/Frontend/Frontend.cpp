// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel itself: its function with arguments out of the specialisation, and the verified module.
#include "compiler/Frontend/Frontend.h"

#include "compiler/Dialect/Tile/IR/Locations.h"
#include "compiler/Frontend/Block.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"

#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/Verifier.h>

namespace tilescope::frontend {

namespace {

/// A parameter of the tile.func.
struct FlatParameter {
  std::string name;
  mlir::Type type;
  bool divisibleBy16;
};

/// What a parameter of the kernel becomes: nothing for a constant, one, those of a descriptor or of a tuple's
/// items.
std::vector<FlatParameter> flatParameters(mlir::MLIRContext *context, std::string_view name,
                                          const ArgumentSpec &spec) {
  if (spec.kind == ArgumentSpec::Kind::Constant)
    return {};
  if (spec.kind == ArgumentSpec::Kind::Tuple) {
    std::vector<FlatParameter> result;
    for (size_t i = 0; i < spec.items.size(); ++i)
      llvm::append_range(
          result, flatParameters(context, std::string(name) + "[" + std::to_string(i) + "]", spec.items[i]));
    return result;
  }
  mlir::Type element = mlirType(context, spec.element);
  bool isAddress = spec.kind != ArgumentSpec::Kind::Scalar;
  std::vector<FlatParameter> result{{std::string(name),
                                     isAddress ? mlir::Type(tile::PointerType::get(element)) : element,
                                     spec.divisibleBy16}};
  auto add = [&](const char *what, size_t count) {
    for (size_t i = 0; i < count; ++i)
      result.push_back({std::string(name) + what + "[" + std::to_string(i) + "]", int64(context), false});
  };
  if (spec.kind == ArgumentSpec::Kind::Descriptor) {
    add(".shape", spec.blockShape.size());
    add(".strides", spec.blockShape.size() - 1);
  }
  return result;
}

mlir::NamedAttrList argumentAttributes(mlir::Builder &builder, const FlatParameter &parameter) {
  mlir::NamedAttrList attributes;
  attributes.set(tile::argumentNameAttr, builder.getStringAttr(parameter.name));
  if (parameter.divisibleBy16)
    attributes.set(tile::argumentDivisibilityAttr, builder.getI32IntegerAttr(16));
  return attributes;
}

/// The descriptor whose values are parameters of the tile.func.
Term descriptorOf(Emitter &emitter, const ArgumentSpec &spec, llvm::ArrayRef<mlir::Value> values) {
  BlockTerm block{.kind = BlockTerm::Kind::Descriptor,
                  .blockShape = {spec.blockShape.begin(), spec.blockShape.end()},
                  .padding = spec.padsNaN ? tile::Padding::NaN : tile::Padding::Zero,
                  .base = values.front()};
  block.shape.assign(values.begin() + 1, values.begin() + 1 + static_cast<std::ptrdiff_t>(block.rank()));
  block.strides.assign(block.shape.size() + values.begin() + 1, values.end());
  block.strides.push_back(constantOf(emitter, int64(emitter.context()), Value(1)));
  return std::make_shared<const BlockTerm>(std::move(block));
}

/// What a parameter stands for; its run-time parts are taken from the front of `arguments`.
Term argumentTerm(Emitter &emitter, const ArgumentSpec &spec, mlir::ValueRange &arguments) {
  if (spec.kind == ArgumentSpec::Kind::Constant)
    return makeTerm(emitter.context(), spec.constant);
  if (spec.kind == ArgumentSpec::Kind::Tuple) {
    std::vector<Term> items;
    for (const ArgumentSpec &item : spec.items)
      items.push_back(argumentTerm(emitter, item, arguments));
    return makeTuple(std::move(items), spec.fieldNames);
  }
  const size_t count = spec.kind == ArgumentSpec::Kind::Descriptor ? 2 * spec.blockShape.size() : 1;
  llvm::SmallVector<mlir::Value> values(arguments.take_front(count));
  arguments = arguments.drop_front(count);
  return spec.kind == ArgumentSpec::Kind::Descriptor ? descriptorOf(emitter, spec, values) : Term(values[0]);
}

/// The verifier's own words never reach a person: what it says is folded into one "internal-error".
bool verified(mlir::ModuleOp module, Emitter &emitter, SourceRange range) {
  std::string details;
  mlir::ScopedDiagnosticHandler handler(module.getContext(), [&](mlir::Diagnostic &diagnostic) {
    details += (details.empty() ? "" : "\n") + diagnostic.str();
    return mlir::success();
  });
  if (mlir::succeeded(mlir::verify(module)))
    return true;
  emitter.error(range, "internal-error", {"frontend", details});
  return false;
}

} // namespace

mlir::OwningOpRef<mlir::ModuleOp> Lowering::kernel(const FunctionObject &function,
                                                   const Specialisation &specialisation) {
  Frame top;
  top.function = &function;
  m_frame = &top;
  m_isLaunched = specialisation.isLaunched;
  m_emitter.setFrame(&top);
  SourceRange nameRange = function.definition->nameRange;
  Emitter::At at(m_emitter, nameRange);
  mlir::OpBuilder &builder = m_emitter.builder;
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(m_emitter.location());
  builder.setInsertionPointToEnd(module->getBody());

  std::vector<const syntax::Arg *> declared = parameters(*function.definition);
  declared.resize(std::min(declared.size(), specialisation.arguments.size()));
  std::vector<std::vector<FlatParameter>> flat;
  llvm::SmallVector<mlir::Type> types;
  for (size_t i = 0; i < declared.size(); ++i) {
    flat.push_back(flatParameters(m_emitter.context(), declared[i]->name, specialisation.arguments[i]));
    for (const FlatParameter &parameter : flat.back())
      types.push_back(parameter.type);
  }
  std::string_view name = function.name();
  auto func = m_emitter.create<tile::FuncOp>(llvm::StringRef(name.data(), name.size()),
                                             builder.getFunctionType(types, {}), /*isPublic=*/true);
  func.setNumWarps(static_cast<uint32_t>(specialisation.numWarps));
  func.setNumStages(static_cast<uint32_t>(specialisation.numStages));

  builder.setInsertionPointToEnd(&func.getBody().front());
  unsigned next = 0;
  for (size_t i = 0; i < declared.size(); ++i) {
    const unsigned first = next;
    for (const FlatParameter &parameter : flat[i]) {
      func.getBody().getArgument(next).setLoc(tile::makeLocation(
          m_emitter.context(), m_emitter.span(declared[i]->nameRange), {}, parameter.name));
      func.setArgAttrs(next++, argumentAttributes(builder, parameter).getAttrs());
    }
    mlir::ValueRange arguments = func.getBody().getArguments().slice(first, next - first);
    Term term = argumentTerm(m_emitter, specialisation.arguments[i], arguments);
    record(declared[i]->nameRange, declared[i]->name, term);
    top.names.set(declared[i]->name, {std::move(term), declared[i]->nameRange});
  }

  lowerBody(function.definition->body, nullptr);
  m_emitter.create<tile::ReturnOp>();
  bool ok = !m_emitter.hasErrors() && verified(*module, m_emitter, nameRange);
  m_emitter.setFrame(nullptr);
  m_frame = nullptr;
  return ok ? std::move(module) : mlir::OwningOpRef<mlir::ModuleOp>();
}

mlir::OwningOpRef<mlir::ModuleOp> compile(mlir::MLIRContext &context, const FunctionObject &kernel,
                                          const Specialisation &specialisation, Diagnostics &diagnostics) {
  Diagnostics own;
  auto module = Lowering(&context, own, nullptr).kernel(kernel, specialisation);
  for (const Diagnostic &diagnostic : own.all())
    diagnostics.add(diagnostic);
  return module;
}

mlir::OwningOpRef<mlir::ModuleOp> compile(mlir::MLIRContext &context, const FunctionObject &kernel,
                                          const Specialisation &specialisation, Diagnostics &diagnostics,
                                          std::vector<TypedExpression> &types) {
  Diagnostics own;
  auto module = Lowering(&context, own, &types).kernel(kernel, specialisation);
  for (const Diagnostic &diagnostic : own.all())
    diagnostics.add(diagnostic);
  return module;
}

} // namespace tilescope::frontend
