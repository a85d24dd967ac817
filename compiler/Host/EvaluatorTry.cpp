// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// raise, try and with.
#include "compiler/Host/EvaluatorRun.h"
#include "compiler/Host/Functions.h"

#include <algorithm>

namespace tilescope::host {

using namespace syntax;

namespace {

constexpr std::string_view BuiltinPrefix = "builtins.";

/// The name of Python's own exception class that a symbol is, or empty.
std::string_view builtinException(const Value &value) {
  auto name = symbolName(value);
  if (!name || !name->starts_with(BuiltinPrefix) || !isExceptionClass(name->substr(BuiltinPrefix.size())))
    return {};
  return name->substr(BuiltinPrefix.size());
}

} // namespace

bool isExceptionType(const ClassObject &type) {
  return std::any_of(type.bases.begin(), type.bases.end(), [](const Value &base) {
    auto *parent = base.as<ClassObject>();
    return parent ? isExceptionType(*parent) : !builtinException(base).empty();
  });
}

Maybe Evaluation::exceptionOf(const Raise &statement) {
  auto value = evaluate(*statement.exc);
  if (!value)
    return std::nullopt;
  CallSite site;
  site.call = site.callee = statement.exc->range;
  if (auto name = builtinException(*value); !name.empty())
    return makeObject<ExceptionObject>(std::string(name), std::vector<Value>{});
  if (value->as<ClassObject>())
    return call(*value, {}, site);
  auto *instance = value->as<InstanceObject>();
  if (value->as<ExceptionObject>() || (instance && isExceptionType(*instance->type)))
    return value;
  return raise(statement.exc->range, {"not-an-exception", {std::string(value->typeName())}});
}

Flow Evaluation::executeRaise(const Raise &statement) {
  Maybe exception = statement.exc       ? exceptionOf(statement)
                    : m_handled.empty() ? Maybe(raise(statement.range, {"nothing-to-raise", {}}))
                                        : Maybe(m_handled.back());
  auto text = exception ? strOf(*exception) : Result<std::string>(raisedAlready());
  if (!exception || !text)
    return Flow::Raised;
  std::string id = text->empty() ? "exception-raised" : "exception-raised-saying";
  SourceRange place = statement.exc ? statement.range : m_at;
  raise(place, {std::move(id), {std::string(exception->typeName()), *text}}, *exception);
  return Flow::Raised;
}

std::optional<bool> Evaluation::matches(const ExceptHandler &handler, const Value &exception) {
  if (!handler.type)
    return true;
  auto type = evaluate(*handler.type);
  if (!type)
    return std::nullopt;
  auto fits = isInstance(exception, *type);
  if (!fits)
    return raise(handler.type->range, fits.error());
  return *fits;
}

Flow Evaluation::handle(const Try &statement) {
  if (m_raised->quiet)
    return Flow::Raised;
  Raised raised = std::move(*m_raised);
  m_raised.reset();
  for (const ExceptHandler &handler : statement.handlers) {
    auto fits = matches(handler, raised.exception);
    if (!fits)
      return Flow::Raised;
    if (!*fits)
      continue;
    if (!handler.name.empty())
      assignName(handler.name, raised.exception);
    m_handled.push_back(raised.exception);
    Flow flow = execute(handler.body);
    m_handled.pop_back();
    return flow;
  }
  m_raised = std::move(raised);
  return Flow::Raised;
}

Flow Evaluation::executeTry(const Try &statement) {
  if (statement.isStar) {
    raiseUnsupported(statement.range, "except*");
    return Flow::Raised;
  }
  Flow flow = execute(statement.body);
  if (flow == Flow::Raised)
    flow = handle(statement);
  else if (flow == Flow::Next)
    flow = execute(statement.orelse);
  if (statement.finalbody.empty() || (m_raised && m_raised->quiet))
    return flow;
  auto raised = std::move(m_raised);
  Value result = top().result;
  m_raised.reset();
  Flow last = execute(statement.finalbody);
  if (last != Flow::Next)
    return last;
  m_raised = std::move(raised);
  top().result = std::move(result);
  return flow;
}

/// Contexts of libraries (torch.no_grad, torch.inference_mode …) change nothing here; those of the script are
/// entered.
Flow Evaluation::executeWith(const With &statement, size_t item) {
  if (item == statement.items.size())
    return execute(statement.body);
  const WithItem &with = statement.items[item];
  auto context = evaluate(*with.contextExpr);
  if (!context)
    return Flow::Raised;
  bool entered = false, left = false;
  m_at = with.contextExpr->range;
  Maybe value = placed(m_at, special(*context, "__enter__", {}, entered));
  if (!value)
    return Flow::Raised;
  if (!entered && !symbolName(*context) && !isUnknown(*context)) {
    raise(with.contextExpr->range, {"not-a-context", {std::string(context->typeName())}});
    return Flow::Raised;
  }
  if (with.optionalVars && !assign(*with.optionalVars, entered ? *value : *context))
    return Flow::Raised;
  Flow flow = executeWith(statement, item + 1);
  if (!entered || (m_raised && m_raised->quiet))
    return flow;
  auto raised = std::move(m_raised);
  m_raised.reset();
  Value type = raised ? typeOf(raised->exception) : Value();
  m_at = with.contextExpr->range;
  auto swallowed = placed(
      m_at, special(*context, "__exit__", {type, raised ? raised->exception : Value(), Value()}, left));
  auto truth = swallowed ? decided(m_at, *swallowed) : std::nullopt;
  if (!truth)
    return Flow::Raised;
  if (raised && *truth)
    return Flow::Next;
  m_raised = std::move(raised);
  return flow;
}

} // namespace tilescope::host
