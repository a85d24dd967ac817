// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions but for calls.
#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Lowering.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

using namespace syntax;

namespace {

/// Python's own names that mean something in a kernel.
constexpr std::string_view builtinNames[] = {"range", "len",   "min",   "max",  "float", "int",
                                             "bool",  "print", "tuple", "list", "str",   "isinstance"};

bool isBuiltin(std::string_view name) { return llvm::is_contained(builtinNames, name); }

/// Is the operand of a comparison `a & b` or `a | b` without brackets of its own?
const BinOp *bareBitOperation(const SourceFile &file, const Expr *expr, uint32_t comparisonBegin) {
  const auto *op = dynCast<BinOp>(expr);
  if (!op || (op->op != BinaryOperator::BitAnd && op->op != BinaryOperator::BitOr))
    return nullptr;
  size_t before = op->range.begin;
  while (before > comparisonBegin && (file.text()[before - 1] == ' ' || file.text()[before - 1] == '\t'))
    --before;
  bool bracketed = before > comparisonBegin && file.text()[before - 1] == '(';
  return bracketed ? nullptr : op;
}

const Stmt *definitionOf(const Module &module, std::string_view name) {
  auto isName = [&](const Expr *target) {
    const auto *n = dynCast<Name>(target);
    return n && n->id == name;
  };
  for (const Stmt *stmt : module.body) {
    if (const auto *plain = dynCast<Assign>(stmt); plain && llvm::any_of(plain->targets, isName))
      return stmt;
    if (const auto *annotated = dynCast<AnnAssign>(stmt); annotated && isName(annotated->target))
      return stmt;
  }
  return nullptr;
}

bool callsConstexpr(const Expr *value) {
  const auto *call = dynCast<Call>(value);
  if (!call)
    return false;
  const auto *attribute = dynCast<Attribute>(call->func);
  const auto *name = dynCast<Name>(call->func);
  return (attribute && attribute->attr == "constexpr") || (name && name->id == "constexpr");
}

/// A plain global of a kind that Triton refuses to read from a kernel: a number, text or tuple.
bool isPlainData(const Value &value) {
  return value.asBool() || value.asInt() || value.asFloat() || value.asString() || value.as<TupleObject>() ||
         value.as<ListObject>();
}

} // namespace

Term Lowering::lower(const Expr &expr) {
  Emitter::At at(m_emitter, expr.range);
  Term term = lowerUnrecorded(expr);
  if (m_types && (expr.kind == ExprKind::Name || expr.kind == ExprKind::Call))
    record(expr.range, expr.kind == ExprKind::Name ? cast<Name>(&expr).id : std::string_view(), term);
  return term;
}

Term Lowering::lowerUnrecorded(const Expr &expr) {
  switch (expr.kind) {
  case ExprKind::Constant:
    return lowerConstant(cast<Constant>(&expr));
  case ExprKind::Name:
    return lowerName(cast<Name>(&expr));
  case ExprKind::Attribute:
    return lowerAttribute(cast<Attribute>(&expr));
  case ExprKind::BinOp:
    return lowerBinOp(cast<BinOp>(&expr));
  case ExprKind::UnaryOp: {
    const auto &unaryOp = cast<UnaryOp>(&expr);
    return unary(m_emitter, unaryOp.op, operand(*unaryOp.operand));
  }
  case ExprKind::Compare:
    return lowerCompare(cast<Compare>(&expr));
  case ExprKind::BoolOp:
    return lowerBoolOp(cast<BoolOp>(&expr));
  case ExprKind::IfExp:
    return lowerIfExp(cast<IfExp>(&expr));
  case ExprKind::Subscript:
    return lowerSubscript(cast<Subscript>(&expr));
  case ExprKind::Call:
    return lowerCall(cast<Call>(&expr));
  case ExprKind::Tuple:
    return lowerTuple(cast<Tuple>(&expr).elts);
  case ExprKind::List:
    return lowerTuple(cast<List>(&expr).elts);
  case ExprKind::ListComp:
    return lowerComprehension(*cast<ListComp>(&expr).elt, cast<ListComp>(&expr).generators);
  case ExprKind::GeneratorExp:
    return lowerComprehension(*cast<GeneratorExp>(&expr).elt, cast<GeneratorExp>(&expr).generators);
  case ExprKind::JoinedStr:
    return lowerFString(cast<JoinedStr>(&expr));
  case ExprKind::Lambda:
    return refuse(expr, "kernel-lambda");
  case ExprKind::NamedExpr:
    return refuse(expr, "kernel-walrus");
  case ExprKind::Dict:
  case ExprKind::DictComp:
    return refuse(expr, "kernel-dict");
  case ExprKind::Set:
  case ExprKind::SetComp:
    return refuse(expr, "kernel-set");
  case ExprKind::Await:
  case ExprKind::Yield:
  case ExprKind::YieldFrom:
    return refuse(expr, "kernel-yield");
  case ExprKind::Starred:
    return refuse(expr, "kernel-starred");
  case ExprKind::Slice:
    return refuse(expr, "tile-index");
  case ExprKind::FormattedValue:
  case ExprKind::Error:
    return {};
  }
  return {};
}

Term Lowering::refuse(const Expr &expr, std::string form) {
  m_emitter.error(expr.range, std::move(form));
  return {};
}

Term Lowering::lowerConstant(const Constant &expr) {
  Result<Value> value = constant(expr);
  if (value)
    return *value;
  m_emitter.error(expr.range, value.error().id, value.error().arguments);
  return {};
}

//===- Names --------------------------------------------------------------------------------------===//

Term Lowering::lowerName(const Name &expr) {
  const Binding *binding = frame().names.find(expr.id);
  if (!binding)
    return lowerGlobal(expr);
  if (binding->state == Binding::State::Bound || frame().isPrelude)
    return binding->term;
  bool oneBranch = binding->state == Binding::State::OneBranch;
  Diagnostic &error = m_emitter.error(
      expr.range, oneBranch ? "defined-in-one-branch" : "defined-in-loop-only", {std::string(expr.id)});
  error.notes.insert(error.notes.begin(),
                     {"assigned-here", {std::string(expr.id)}, m_emitter.span(binding->assigned)});
  return {};
}

Term Lowering::lowerGlobal(const Name &expr) {
  const FunctionObject &function = *frame().function;
  const Value *value = function.scope ? function.scope->find(expr.id) : nullptr;
  if (!value)
    return isBuiltin(expr.id) ? Term(makeSymbol("builtins." + std::string(expr.id))) : undefinedName(expr);
  if (value->object() && value->object()->kind() == ObjectKind::Host && isBuiltin(expr.id))
    return makeSymbol("builtins." + std::string(expr.id));
  if (isPlainData(*value)) {
    const auto *plain = dynCast<Assign>(definitionOf(*function.module, expr.id));
    if (plain && !callsConstexpr(plain->value)) {
      Diagnostic &error = m_emitter.error(expr.range, "global-not-constexpr", {std::string(expr.id)});
      std::string text(file().text(plain->value->range));
      error.fix = DiagnosticFix{
          "wrap-constexpr", {std::string(expr.id)}, plain->value->range, "tl.constexpr(" + text + ")"};
      return makeTerm(m_emitter.context(), *value);
    }
  }
  return makeTerm(m_emitter.context(), *value);
}

Term Lowering::undefinedName(const Name &expr) {
  std::vector<std::string_view> candidates(std::begin(builtinNames), std::end(builtinNames));
  for (const auto &[name, binding] : frame().names.all())
    candidates.push_back(name);
  for (Scope *scope = frame().function->scope.get(); scope; scope = scope->parent().get())
    for (const std::string &name : scope->names())
      candidates.push_back(name);
  Diagnostic &error = m_emitter.error(expr.range, "undefined-name", {std::string(expr.id)});
  std::string_view near = nearest(expr.id, candidates);
  std::string replacement(near);
  if (near.empty() && llvm::is_contained(languageNames(), expr.id))
    replacement = "tl." + std::string(expr.id);
  if (!replacement.empty())
    error.fix = DiagnosticFix{"replace-name", {replacement}, expr.range, replacement};
  if (!frame().names.find(expr.id)) // said once, not at every use
    frame().names.set(expr.id, {Term(), expr.range});
  return {};
}

//===- Attributes ---------------------------------------------------------------------------------===//

Term Lowering::lowerAttribute(const Attribute &expr) {
  Operand value = operand(*expr.value);
  if (value.term.isError())
    return {};
  if (auto symbol = value.term.symbol())
    return makeTerm(m_emitter.context(), makeSymbol(std::string(*symbol) + "." + std::string(expr.attr)));
  return attributeOf(value, expr);
}

namespace {

Term shapeTerm(llvm::ArrayRef<int64_t> shape) {
  std::vector<Term> sizes;
  for (int64_t size : shape)
    sizes.push_back(Value(size));
  return makeTuple(std::move(sizes));
}

/// An attribute of a run-time value, by name; a null handler's place is taken by methods of the library.
std::optional<Term> valueAttribute(Emitter &emitter, mlir::Value value, std::string_view name) {
  mlir::Type type = value.getType();
  if (name == "dtype")
    return Term(tile::elementTypeOf(type));
  if (name == "type")
    return Term(type);
  if (name == "shape")
    return shapeTerm(tile::shapeOf(type));
  if (name == "numel")
    return Term(Value(tile::elementCountOf(type)));
  if (name == "T" && tile::shapeOf(type).size() == 2)
    return Term(mlir::Value(emitter.create<tile::PermuteOp>(value, llvm::ArrayRef<int32_t>{1, 0})));
  return std::nullopt;
}

std::optional<Term> typeAttribute(mlir::Type type, std::string_view name) {
  auto pointer = llvm::dyn_cast<tile::PointerType>(tile::elementTypeOf(type));
  if (name == "element_ty")
    return Term(pointer && !llvm::isa<tile::TileType>(type) ? pointer.getPointee()
                                                            : tile::elementTypeOf(type));
  if (name == "scalar")
    return Term(tile::elementTypeOf(type));
  if (name == "shape")
    return shapeTerm(tile::shapeOf(type));
  if (name == "primitive_bitwidth")
    return Term(Value(int64_t(tile::bitWidthOf(tile::elementTypeOf(type)))));
  if (name == "itemsize")
    return Term(Value(int64_t(tile::byteSizeOf(tile::elementTypeOf(type)))));
  if (name == "name")
    return Term(Value(typeName(type)));
  return std::nullopt;
}

constexpr std::string_view typeMethods[] = {
    "is_floating", "is_int",  "is_int1", "is_ptr",  "is_block", "is_fp8",   "is_fp16",
    "is_bf16",     "is_fp32", "is_fp64", "is_int8", "is_int16", "is_int32", "is_int64",
};

} // namespace

Term Lowering::attributeOf(const Operand &value, const Attribute &expr) {
  auto method = [&]() -> Term {
    return std::make_shared<const MethodTerm>(MethodTerm{value.term, value.range, expr.attr});
  };
  if (mlir::Value runtime = value.term.value()) {
    if (auto term = valueAttribute(m_emitter, runtime, expr.attr))
      return *term;
    if (isMethod(expr.attr))
      return method();
  } else if (mlir::Type type = value.term.type()) {
    if (auto term = typeAttribute(type, expr.attr))
      return *term;
    if (llvm::is_contained(typeMethods, expr.attr))
      return method();
  } else if (const TupleTerm *tuple = value.term.tuple()) {
    for (size_t i = 0; i < tuple->fieldNames.size(); ++i)
      if (tuple->fieldNames[i] == expr.attr)
        return tuple->items[i];
  } else if (value.term.constant()) {
    if (expr.attr == "value")
      return value.term;
    if (value.term.isNumber() && isMethod(expr.attr))
      return method();
  }
  Diagnostic &error =
      m_emitter.error(expr.attrRange, "unknown-attribute", {describe(value.term), std::string(expr.attr)});
  std::vector<std::string_view> candidates{"dtype", "shape", "type", "T", "numel"};
  for (std::string_view name : languageNames())
    if (isMethod(name))
      candidates.push_back(name);
  if (std::string_view near = nearest(expr.attr, candidates); !near.empty() && value.term.value())
    error.fix = DiagnosticFix{"replace-name", {std::string(near)}, expr.attrRange, std::string(near)};
  return {};
}

//===- Operators ----------------------------------------------------------------------------------===//

Term Lowering::lowerBinOp(const BinOp &expr) {
  Operand left = operand(*expr.left);
  Operand right = operand(*expr.right);
  return binary(m_emitter, expr.op, left, right);
}

Term Lowering::lowerCompare(const Compare &expr) {
  if (expr.ops.size() == 2)
    if (const BinOp *mixed = bareBitOperation(file(), expr.comparators[0], expr.range.begin)) {
      Diagnostic &error =
          m_emitter.error(expr.range, "comparison-precedence", {std::string(spelling(mixed->op))});
      auto text = [&](const Expr *e) { return std::string(file().text(e->range)); };
      error.fix = DiagnosticFix{"add-brackets",
                                {},
                                expr.range,
                                "(" + text(expr.left) + " " + std::string(spelling(expr.ops[0])) + " " +
                                    text(mixed->left) + ") " + std::string(spelling(mixed->op)) + " (" +
                                    text(mixed->right) + " " + std::string(spelling(expr.ops[1])) + " " +
                                    text(expr.comparators[1]) + ")"};
      return {};
    }
  Operand left = operand(*expr.left);
  std::optional<Operand> all;
  for (size_t i = 0; i < expr.ops.size(); ++i) {
    Operand right = operand(*expr.comparators[i]);
    Operand part{compare(m_emitter, expr.ops[i], left, right), left.range.to(right.range)};
    all = all ? Operand{binary(m_emitter, BinaryOperator::BitAnd, *all, part), all->range.to(part.range)}
              : part;
    left = right;
  }
  return all->term;
}

Term Lowering::lowerBoolOp(const BoolOp &expr) {
  bool isAnd = expr.op == BoolOperator::And;
  std::optional<Operand> result;
  for (const Expr *value : expr.values) {
    Operand next = operand(*value);
    if (next.term.isError())
      return {};
    bool isRuntime = next.term.value() != nullptr;
    if (!isRuntime) {
      bool holds = !next.term.constant() || truth(*next.term.constant());
      if (holds != isAnd)
        return next.term;
      if (!result || !result->term.value())
        result = next;
      continue;
    }
    if (llvm::isa<tile::TileType>(next.term.value().getType()) && expr.values.size() == 2) {
      std::string name = isAnd ? "and" : "or", op = isAnd ? "&" : "|";
      Diagnostic &warning = m_emitter.warning(expr.range, "logical-on-tiles", {name, op});
      warning.fix = DiagnosticFix{"use-bitwise",
                                  {op},
                                  expr.range,
                                  "(" + std::string(file().text(expr.values[0]->range)) + ") " + op + " (" +
                                      std::string(file().text(expr.values[1]->range)) + ")"};
    }
    if (!result || !result->term.value())
      result = next;
    else
      result = Operand{logical(m_emitter, expr.op, *result, next), result->range.to(next.range)};
  }
  return result->term;
}

Term Lowering::lowerIfExp(const IfExp &expr) {
  Operand test = operand(*expr.test);
  if (test.term.isError())
    return {};
  if (!test.term.value()) {
    bool taken = !test.term.constant() || truth(*test.term.constant());
    return lower(taken ? *expr.body : *expr.orelse);
  }
  mlir::Value condition = toCondition(m_emitter, test);
  if (!condition)
    return {};
  auto skeleton = m_emitter.create<tile::IfOp>(mlir::TypeRange(), condition, /*withElse=*/true);
  Branch first{{}, {}, skeleton.thenBlock()}, second{{}, {}, skeleton.elseBlock()};
  auto side = [&](mlir::Block *block, const Expr &value) {
    mlir::OpBuilder::InsertionGuard guard(m_emitter.builder);
    m_emitter.builder.setInsertionPointToEnd(block);
    return toTensor(m_emitter, operand(value));
  };
  mlir::Value a = side(first.block, *expr.body), b = side(second.block, *expr.orelse);
  bool agree = a && b && a.getType() == b.getType();
  if (a && b && !agree)
    m_emitter.error(expr.range, "conditional-types", {typeName(a.getType()), typeName(b.getType())});
  auto result = withResults(skeleton, first, agree ? mlir::ValueRange(a) : mlir::ValueRange(), second,
                            agree ? mlir::ValueRange(b) : mlir::ValueRange());
  return agree ? Term(mlir::Value(result.getResult(0))) : Term();
}

//===- Subscripts, tuples, strings ----------------------------------------------------------------===//

Term Lowering::lowerSubscript(const Subscript &expr) {
  Operand value = operand(*expr.value);
  if (value.term.isError())
    return {};
  if (value.term.value())
    return lowerIndex(value, expr);
  if (const auto *slice = dynCast<Slice>(expr.slice))
    return lowerTupleSlice(value, *slice);
  Operand index = operand(*expr.slice);
  if (index.term.isError())
    return {};
  if (const TupleTerm *tuple = value.term.tuple())
    return tupleItem(*tuple, index);
  if (!value.term.constant() || !index.term.constant()) {
    m_emitter.error(expr.range, "not-subscriptable", {describe(value.term)});
    return {};
  }
  Result<Value> item = subscript(*value.term.constant(), *index.term.constant());
  if (item)
    return makeTerm(m_emitter.context(), *item);
  m_emitter.error(expr.range, item.error().id, item.error().arguments);
  return {};
}

Term Lowering::tupleItem(const TupleTerm &tuple, const Operand &index) {
  auto size = static_cast<int64_t>(tuple.items.size());
  auto position = constantInt(m_emitter, index);
  if (!position)
    return {};
  if (*position >= -size && *position < size)
    return tuple.items[static_cast<size_t>(*position < 0 ? *position + size : *position)];
  m_emitter.error(index.range, "index-out-of-range", {std::to_string(*position), std::to_string(size)});
  return {};
}

Term Lowering::lowerTupleSlice(const Operand &value, const Slice &slice) {
  const TupleTerm *tuple = value.term.tuple();
  if (!tuple || slice.step)
    return refuse(slice, "tile-index");
  auto size = static_cast<int64_t>(tuple->items.size());
  auto bound = [&](const Expr *expr, int64_t otherwise) {
    int64_t position = expr ? constantInt(m_emitter, operand(*expr)).value_or(otherwise) : otherwise;
    return std::clamp<int64_t>(position < 0 ? position + size : position, 0, size);
  };
  int64_t from = bound(slice.lower, 0), to = std::max(from, bound(slice.upper, size));
  return makeTuple({tuple->items.begin() + from, tuple->items.begin() + to});
}

Term Lowering::lowerIndex(const Operand &value, const Subscript &expr) {
  llvm::SmallVector<const Expr *> items{expr.slice};
  if (const auto *tuple = dynCast<Tuple>(expr.slice))
    items.assign(tuple->elts.begin(), tuple->elts.end());
  mlir::Value result = value.term.value();
  size_t rank = tile::shapeOf(result.getType()).size(), used = 0;
  int64_t axis = 0;
  for (const Expr *item : items) {
    if (const auto *slice = dynCast<Slice>(item)) {
      if (slice->lower || slice->upper || slice->step)
        return refuse(*item, "tile-index");
      ++used;
    } else {
      Term term = lower(*item);
      if (term.isError())
        return {};
      if (!term.isNone())
        return refuse(*item, rank == 0 ? "scalar-index" : "tile-index");
      result = expandDims(m_emitter, result, axis);
    }
    ++axis;
  }
  if (used <= rank)
    return result;
  m_emitter.error(expr.slice->range, "too-many-indices", {std::to_string(used), std::to_string(rank)});
  return {};
}

Term Lowering::lowerTuple(std::span<Expr *const> elts) {
  std::vector<Term> items;
  for (const Expr *elt : elts) {
    if (const auto *starred = dynCast<Starred>(elt)) {
      auto inner = staticItems(operand(*starred->value));
      if (!inner)
        return {};
      items.insert(items.end(), inner->begin(), inner->end());
    } else {
      items.push_back(lower(*elt));
    }
    if (items.size() && items.back().isError())
      return {};
  }
  return makeTuple(std::move(items));
}

Term Lowering::lowerComprehension(const Expr &elt, std::span<const Comprehension> generators) {
  if (generators.size() != 1)
    return refuse(elt, "kernel-comprehension");
  auto items = staticItems(operand(*generators[0].iter));
  if (!items)
    return {};
  Names before = frame().names;
  std::vector<Term> results;
  for (const Term &item : *items) {
    assign(*generators[0].target, {item, generators[0].iter->range});
    bool kept = llvm::all_of(generators[0].ifs, [&](const Expr *test) {
      Term term = lower(*test);
      return term.constant() && truth(*term.constant());
    });
    if (kept)
      results.push_back(lower(elt));
  }
  frame().names = std::move(before);
  return makeTuple(std::move(results));
}

Term Lowering::lowerFString(const JoinedStr &expr) {
  std::string text;
  for (const Expr *part : expr.values) {
    if (const auto *literal = dynCast<Constant>(part)) {
      text += literal->text;
      continue;
    }
    const auto *formatted = dynCast<FormattedValue>(part);
    if (!formatted)
      return {};
    Operand value = operand(*formatted->value);
    if (value.term.isError())
      return {};
    if (value.term.value()) {
      m_emitter.error(value.range, "fstring-run-time-value", {describe(value.term)});
      return {};
    }
    if (!value.term.constant()) {
      text += describe(value.term);
      continue;
    }
    const Value &constant = *value.term.constant();
    Term spec = formatted->formatSpec ? lower(*formatted->formatSpec) : Term(Value(""));
    const std::string *format = spec.constant() ? spec.constant()->asString() : nullptr;
    Result<std::string> piece = formatted->conversion == 'r' ? Result<std::string>(repr(constant))
                                : !format || format->empty() ? Result<std::string>(str(constant))
                                                             : tilescope::format(constant, *format);
    text += piece ? *piece : repr(constant);
  }
  return Value(std::move(text));
}

void Lowering::record(SourceRange range, std::string_view name, const Term &term) {
  if (m_types && !frame().isPrelude && !term.isError())
    m_types->push_back({m_emitter.span(range), std::string(name), describe(term)});
}

} // namespace tilescope::frontend
