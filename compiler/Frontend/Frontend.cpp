// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel itself: its function with arguments out of the specialisation, and the verified module.
#include "compiler/Frontend/Frontend.h"

#include "compiler/Dialect/Tile/IR/Locations.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"

#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/Verifier.h>

namespace tilescope::frontend {

namespace {

mlir::Type argumentType(mlir::MLIRContext *context, const ArgumentSpec &spec) {
  mlir::Type element = mlirType(context, spec.element);
  return spec.kind == ArgumentSpec::Kind::Pointer ? mlir::Type(tile::PointerType::get(element)) : element;
}

mlir::NamedAttrList argumentAttributes(mlir::Builder &builder, std::string_view name,
                                       const ArgumentSpec &spec) {
  mlir::NamedAttrList attributes;
  attributes.set(tile::argumentNameAttr, builder.getStringAttr(llvm::StringRef(name.data(), name.size())));
  if (spec.divisibleBy16)
    attributes.set(tile::argumentDivisibilityAttr, builder.getI32IntegerAttr(16));
  return attributes;
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
  llvm::SmallVector<mlir::Type> types;
  for (size_t i = 0; i < declared.size() && i < specialisation.arguments.size(); ++i)
    if (specialisation.arguments[i].kind != ArgumentSpec::Kind::Constant)
      types.push_back(argumentType(m_emitter.context(), specialisation.arguments[i]));
  std::string_view name = function.name();
  auto func = m_emitter.create<tile::FuncOp>(llvm::StringRef(name.data(), name.size()),
                                             builder.getFunctionType(types, {}), /*isPublic=*/true);
  func.setNumWarps(static_cast<uint32_t>(specialisation.numWarps));
  func.setNumStages(static_cast<uint32_t>(specialisation.numStages));

  unsigned next = 0;
  for (size_t i = 0; i < declared.size() && i < specialisation.arguments.size(); ++i) {
    const ArgumentSpec &spec = specialisation.arguments[i];
    Term term = makeTerm(m_emitter.context(), spec.constant);
    if (spec.kind != ArgumentSpec::Kind::Constant) {
      mlir::BlockArgument argument = func.getBody().getArgument(next);
      argument.setLoc(
          tile::makeLocation(m_emitter.context(), m_emitter.span(declared[i]->nameRange), {},
                             llvm::StringRef(declared[i]->name.data(), declared[i]->name.size())));
      func.setArgAttrs(next++, argumentAttributes(builder, declared[i]->name, spec).getAttrs());
      term = mlir::Value(argument);
    }
    record(declared[i]->nameRange, declared[i]->name, term);
    top.names.set(declared[i]->name, {std::move(term), declared[i]->nameRange});
  }

  builder.setInsertionPointToEnd(&func.getBody().front());
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
