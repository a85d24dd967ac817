// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Frontend/Signature.h"

#include "compiler/Frontend/Library.h"
#include "compiler/Frontend/Names.h"
#include "compiler/Value/Operators.h"

namespace tilescope::frontend {

namespace {

std::string_view trim(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

/// A default as signatures write it; a bare name is one of triton.language, such as float32.
Term defaultOf(mlir::MLIRContext *context, std::string_view text) {
  if (text == "None")
    return Value();
  if (text == "True" || text == "False")
    return Value(text == "True");
  if (text == "()")
    return makeTuple(std::vector<Term>());
  if (text.starts_with('\''))
    return Value(std::string(text.substr(1, text.size() - 2)));
  if (auto integer = Integer::parse(text))
    return Value(*integer);
  return makeTerm(context, makeSymbol("triton.language." + std::string(text)));
}

class Binder {
public:
  Binder(Emitter &emitter, std::string_view function, llvm::ArrayRef<Parameter> parameters,
         const CallArguments &arguments)
      : m_emitter(emitter), m_function(function), m_parameters(parameters), m_arguments(arguments),
        m_bound(parameters.size()) {}

  std::optional<std::vector<Operand>> run() {
    if (!bindPositional() || !bindNamed() || !fillDefaults())
      return std::nullopt;
    std::vector<Operand> result;
    for (auto &operand : m_bound)
      result.push_back(std::move(*operand));
    return result;
  }

private:
  bool bindPositional() {
    size_t next = 0;
    for (const Operand &operand : m_arguments.positional) {
      if (next < m_parameters.size() && m_parameters[next].isStar)
        return bindStar(next);
      if (next == m_parameters.size() || m_parameters[next].keywordOnly || m_parameters[next].isDoubleStar)
        return tooMany(next);
      m_bound[next++] = operand;
    }
    return true;
  }

  bool bindStar(size_t star) {
    std::vector<Term> items;
    for (size_t i = star; i < m_arguments.positional.size(); ++i)
      items.push_back(m_arguments.positional[i].term);
    SourceRange range = m_arguments.positional[star].range.to(m_arguments.positional.back().range);
    m_bound[star] = Operand{makeTuple(std::move(items)), range};
    return true;
  }

  bool tooMany(size_t allowed) {
    const auto &given = m_arguments.positional;
    m_emitter.error(given[allowed].range.to(given.back().range), "too-many-arguments",
                    {std::string(m_function), std::to_string(allowed), std::to_string(given.size())});
    return false;
  }

  bool bindNamed() {
    for (const NamedOperand &argument : m_arguments.named) {
      size_t i = 0;
      while (i < m_parameters.size() && m_parameters[i].name != argument.name)
        ++i;
      if (i == m_parameters.size() || m_parameters[i].isStar)
        return unknown(argument);
      if (m_bound[i]) {
        m_emitter.error(argument.nameRange, "repeated-argument",
                        {std::string(m_function), std::string(argument.name)});
        return false;
      }
      m_bound[i] = argument.operand;
    }
    return true;
  }

  bool unknown(const NamedOperand &argument) {
    if (!m_parameters.empty() && m_parameters.back().isDoubleStar)
      return true;
    Diagnostic &error = m_emitter.error(argument.nameRange, "unknown-keyword",
                                        {std::string(m_function), std::string(argument.name)});
    std::vector<std::string_view> names;
    for (size_t i = 0; i < m_parameters.size(); ++i)
      if (!m_bound[i])
        names.push_back(m_parameters[i].name);
    if (std::string_view near = nearest(argument.name, names); !near.empty())
      error.fix = DiagnosticFix{"replace-name", {std::string(near)}, argument.nameRange, std::string(near)};
    return false;
  }

  bool fillDefaults() {
    for (size_t i = 0; i < m_parameters.size(); ++i) {
      if (m_bound[i])
        continue;
      const Parameter &parameter = m_parameters[i];
      if (parameter.isStar || parameter.isDoubleStar) {
        m_bound[i] = Operand{makeTuple(std::vector<Term>()), m_arguments.callee};
      } else if (parameter.defaultValue) {
        m_bound[i] = Operand{*parameter.defaultValue, m_arguments.callee};
      } else {
        m_emitter.error(m_arguments.call, "missing-argument",
                        {std::string(m_function), std::string(parameter.name)});
        return false;
      }
    }
    return true;
  }

  Emitter &m_emitter;
  std::string_view m_function;
  llvm::ArrayRef<Parameter> m_parameters;
  const CallArguments &m_arguments;
  std::vector<std::optional<Operand>> m_bound;
};

} // namespace

bool isConstexprAnnotation(const FunctionObject &function, const syntax::Expr &annotation) {
  if (const auto *text = syntax::dynCast<syntax::Constant>(&annotation))
    return text->constant == syntax::ConstantKind::String && lastPart(text->text) == "constexpr";
  if (const auto *attribute = syntax::dynCast<syntax::Attribute>(&annotation))
    return attribute->attr == "constexpr";
  const auto *name = syntax::dynCast<syntax::Name>(&annotation);
  if (!name)
    return false;
  const Value *value = function.scope ? function.scope->find(name->id) : nullptr;
  auto symbol = value ? symbolName(*value) : std::nullopt;
  return symbol ? lastPart(*symbol) == "constexpr" : name->id == "constexpr";
}

std::optional<std::vector<Operand>> bindArguments(Emitter &emitter, std::string_view function,
                                                  llvm::ArrayRef<Parameter> parameters,
                                                  const CallArguments &arguments) {
  return Binder(emitter, function, parameters, arguments).run();
}

std::vector<Parameter> parseSignature(mlir::MLIRContext *context, std::string_view signature) {
  std::vector<Parameter> parameters;
  bool keywordOnly = false;
  while (!signature.empty()) {
    size_t comma = signature.find(',');
    std::string_view item = trim(signature.substr(0, comma));
    signature = comma == std::string_view::npos ? std::string_view() : signature.substr(comma + 1);
    if (item == "*") {
      keywordOnly = true;
      continue;
    }
    Parameter parameter;
    parameter.keywordOnly = keywordOnly;
    if (item.starts_with('*')) {
      parameter.isStar = keywordOnly = true;
      item.remove_prefix(1);
    }
    size_t equals = item.find('=');
    parameter.name = item.substr(0, equals);
    if (equals != std::string_view::npos)
      parameter.defaultValue = defaultOf(context, item.substr(equals + 1));
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

} // namespace tilescope::frontend
