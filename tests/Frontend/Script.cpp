// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Frontend/Script.h"

#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Syntax/Parser.h"
#include "compiler/Value/Operators.h"

#include <gtest/gtest.h>

#include <llvm/Support/raw_ostream.h>
#include <mlir/IR/MLIRContext.h>
#include <sstream>

namespace tilescope::frontend::test {

using namespace syntax;

namespace {

Value evaluate(const Expr &expr) {
  if (const auto *literal = dynCast<syntax::Constant>(&expr)) {
    Result<Value> value = constant(*literal);
    return value ? *value : Value();
  }
  if (const auto *call = dynCast<Call>(&expr)) // tl.constexpr(4)
    return call->args.empty() ? Value() : evaluate(*call->args[0]);
  if (const auto *tuple = dynCast<Tuple>(&expr)) {
    std::vector<Value> items;
    for (const Expr *item : tuple->elts)
      items.push_back(evaluate(*item));
    return tilescope::makeTuple(std::move(items));
  }
  if (const auto *attribute = dynCast<Attribute>(&expr))
    return makeSymbol("triton.language." + std::string(attribute->attr));
  return {};
}

/// `@triton.jit` or `@triton.jit(key=value)`.
std::optional<Decorator> jitDecorator(const Expr &decorator) {
  const auto *call = dynCast<Call>(&decorator);
  const auto *attribute = dynCast<Attribute>(call ? call->func : &decorator);
  if (!attribute || attribute->attr != "jit")
    return std::nullopt;
  Decorator result{makeSymbol("triton.jit"), {}, {}, decorator.range};
  if (call)
    for (const Keyword &keyword : call->keywords)
      result.keywords.emplace_back(std::string(keyword.name), evaluate(*keyword.value));
  return result;
}

struct TypeName {
  std::string_view text;
  ElementType element;
};
constexpr TypeName typeNames[] = {
    {"i1", ElementType::Bool},
    {"i8", ElementType::Int8},
    {"i16", ElementType::Int16},
    {"i32", ElementType::Int32},
    {"i64", ElementType::Int64},
    {"u8", ElementType::UInt8},
    {"u16", ElementType::UInt16},
    {"u32", ElementType::UInt32},
    {"u64", ElementType::UInt64},
    {"fp16", ElementType::Float16},
    {"bf16", ElementType::BFloat16},
    {"fp32", ElementType::Float32},
    {"fp64", ElementType::Float64},
    {"fp8e5", ElementType::Float8E5M2},
    {"fp8e4nv", ElementType::Float8E4M3FN},
};

const std::map<std::string, std::string> usualTypes = {
    {"p", "*fp32"}, {"q", "*i32"}, {"h", "*fp16"}, {"b", "*i8"},   {"u", "*u8"},
    {"n", "i32"},   {"m", "i64"},  {"f", "fp32"},  {"u32", "u32"}, {"B", "=64"}};

} // namespace

ArgumentSpec specOf(std::string_view text) {
  ArgumentSpec spec;
  if (text.starts_with('(')) {
    spec.kind = ArgumentSpec::Kind::Tuple;
    std::istringstream items(std::string(text.substr(1, text.size() - 2)));
    for (std::string item; std::getline(items, item, ',');)
      spec.items.push_back(specOf(item));
    return spec;
  }
  if (text.starts_with('=')) {
    spec.constant =
        text == "=None" ? Value() : Value(static_cast<int64_t>(std::stoll(std::string(text.substr(1)))));
    return spec;
  }
  spec.kind = text.starts_with('*') ? ArgumentSpec::Kind::Pointer : ArgumentSpec::Kind::Scalar;
  if (text.starts_with('[')) {
    spec.kind = ArgumentSpec::Kind::Descriptor;
    while (!text.starts_with(']')) {
      text.remove_prefix(1);
      spec.blockShape.push_back(std::stoll(std::string(text)));
      text.remove_prefix(text.find_first_of(",]"));
    }
    text.remove_prefix(1);
  }
  if (text.starts_with('*'))
    text.remove_prefix(1);
  for (const TypeName &row : typeNames)
    if (row.text == text)
      spec.element = row.element;
  return spec;
}

Script::Script(std::string text) {
  auto file = std::make_shared<SourceFile>("kernel.py", std::move(text));
  m_module = parse(file, m_parseErrors);
  for (const Stmt *stmt : m_module->body)
    define(*stmt);
}

void Script::define(const Stmt &stmt) {
  if (const auto *import = dynCast<Import>(&stmt)) {
    for (const Alias &alias : import->names)
      m_scope->set(alias.asname.empty() ? alias.name : alias.asname, makeSymbol(std::string(alias.name)));
  } else if (const auto *from = dynCast<ImportFrom>(&stmt)) {
    for (const Alias &alias : from->names)
      m_scope->set(alias.asname.empty() ? alias.name : alias.asname,
                   makeSymbol(std::string(from->module) + "." + std::string(alias.name)));
  } else if (const auto *assign = dynCast<Assign>(&stmt)) {
    if (const auto *name = dynCast<Name>(assign->targets[0]))
      m_scope->set(name->id, evaluate(*assign->value));
  } else if (const auto *annotated = dynCast<AnnAssign>(&stmt)) {
    if (const auto *name = dynCast<Name>(annotated->target); name && annotated->value)
      m_scope->set(name->id, evaluate(*annotated->value));
  } else if (const auto *definition = dynCast<FunctionDef>(&stmt)) {
    auto function = std::make_shared<FunctionObject>();
    function->module = m_module;
    function->definition = definition;
    function->scope = m_scope;
    for (const Expr *decorator : definition->decorators)
      if (std::optional<Decorator> jit = jitDecorator(*decorator))
        function->decorators.push_back(*jit);
      else if (const auto *attribute = dynCast<Attribute>(decorator);
               attribute && attribute->attr == "extern")
        function->decorators.push_back({makeSymbol("triton.language.core.extern"), {}, {}, decorator->range});
    for (const Arg *arg : parameters(*definition))
      if (arg->defaultValue)
        function->defaults[std::string(arg->name)] = evaluate(*arg->defaultValue);
    m_scope->set(definition->name, Value(std::shared_ptr<Object>(function)));
  }
}

const FunctionObject &Script::function(std::string_view name) const {
  const Value *value = m_scope->find(name);
  EXPECT_TRUE(value && value->as<FunctionObject>()) << "no function " << name;
  return *value->as<FunctionObject>();
}

std::string Compiled::typeOf(std::string_view variable) const {
  for (auto it = types.rbegin(); it != types.rend(); ++it)
    if (it->name == variable)
      return it->type;
  return "";
}

std::vector<std::string> Compiled::errors() const {
  std::vector<std::string> result;
  for (const Diagnostic &diagnostic : diagnostics) {
    std::string text = diagnostic.id + "|" + std::string(script->text(diagnostic.span.range)) + "|";
    for (size_t i = 0; i < diagnostic.arguments.size(); ++i)
      text += (i ? ", " : "") + diagnostic.arguments[i];
    result.push_back(std::move(text));
  }
  return result;
}

std::string Compiled::fixed() const {
  if (diagnostics.empty() || !diagnostics[0].fix)
    return "";
  std::string text(script->text({0, UINT32_MAX}));
  const DiagnosticFix &fix = *diagnostics[0].fix;
  return text.replace(fix.range.begin, fix.range.size(), fix.replacement);
}

Compiled compileKernel(std::string text, const std::map<std::string, std::string> &signature,
                       std::string_view kernel, const std::function<void(mlir::ModuleOp)> &inspect) {
  Compiled result;
  result.script =
      std::make_shared<Script>("import triton\nimport triton.language as tl\nimport torch\n" + text);
  EXPECT_TRUE(result.script->parseErrors().empty());
  const FunctionObject &function = result.script->function(kernel);
  Specialisation specialisation;
  for (const syntax::Arg *arg : parameters(*function.definition)) {
    auto own = signature.find(std::string(arg->name)), usual = usualTypes.find(std::string(arg->name));
    specialisation.arguments.push_back(specOf(own != signature.end()      ? own->second
                                              : usual != usualTypes.end() ? usual->second
                                                                          : std::string("i32")));
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  Diagnostics diagnostics;
  auto module = compile(context, function, specialisation, diagnostics, result.types);
  result.diagnostics = diagnostics.all();
  if (module && inspect)
    inspect(*module);
  if (module) {
    llvm::raw_string_ostream plain(result.ir), located(result.irWithLocations);
    module->print(plain);
    mlir::OpPrintingFlags flags;
    flags.enableDebugInfo();
    module->print(located, flags);
  }
  return result;
}

} // namespace tilescope::frontend::test
