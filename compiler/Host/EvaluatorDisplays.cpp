// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists, dicts and sets, comprehensions, and f-strings.
#include "compiler/Host/EvaluatorRun.h"

#include "compiler/Value/Operators.h"

namespace tilescope::host {

using namespace syntax;

std::optional<std::vector<Value>> Evaluation::evaluateItems(std::span<Expr *const> expressions) {
  std::vector<Value> items;
  for (const Expr *expression : expressions) {
    auto *starred = dynCast<Starred>(expression);
    auto value = evaluate(starred ? *starred->value : *expression);
    if (!value)
      return std::nullopt;
    if (!starred) {
      items.push_back(std::move(*value));
      continue;
    }
    auto all = elementsOf(*value);
    if (!all)
      return raise(expression->range, all.error());
    items.insert(items.end(), all->begin(), all->end());
  }
  return items;
}

Maybe Evaluation::evaluateDict(const Dict &expression) {
  auto dict = std::make_shared<DictObject>();
  for (size_t i = 0; i < expression.values.size(); ++i) {
    const Expr *keyExpression = expression.keys[i];
    Maybe key = keyExpression ? evaluate(*keyExpression) : Maybe(Value());
    auto value = key ? evaluate(*expression.values[i]) : std::nullopt;
    if (!value)
      return std::nullopt;
    if (keyExpression) {
      if (auto added = dict->table.set(*key, *value); !added)
        return raise(keyExpression->range, added.error());
      continue;
    }
    auto *other = value->as<DictObject>();
    if (!other)
      return raise(expression.values[i]->range, {"not-a-dict", {std::string(value->typeName())}});
    for (const auto &entry : other->table.entries())
      (void)dict->table.set(entry.key, entry.value); // keys of a dict can be keys
  }
  return Value(std::shared_ptr<Object>(std::move(dict)));
}

Maybe Evaluation::evaluateSet(const Set &expression) {
  auto items = evaluateItems(expression.elts);
  return items ? placed(expression.range, makeSet(*items)) : std::nullopt;
}

/// Runs `body` with a scope of its own for the names of a comprehension.
template <typename Body> bool Evaluation::inOwnScope(Body body) {
  auto outer = top().scope;
  bool wasClass = top().inClass;
  top().scope = std::make_shared<Scope>(outer);
  top().inClass = false;
  bool fine = body();
  top().scope = std::move(outer);
  top().inClass = wasClass;
  return fine;
}

bool Evaluation::generate(std::span<const Comprehension> generators, const std::function<bool()> &yield) {
  if (generators.empty())
    return yield();
  const Comprehension &first = generators.front();
  auto iterable = evaluate(*first.iter);
  if (!iterable)
    return false;
  auto visit = [&](const Value &item) {
    if (!assign(*first.target, item))
      return Flow::Raised;
    for (const Expr *test : first.ifs) {
      auto holds = condition(*test);
      if (!holds || !*holds)
        return holds ? Flow::Next : Flow::Raised;
    }
    return generate(generators.subspan(1), yield) ? Flow::Next : Flow::Raised;
  };
  return forEach(first.iter->range, *iterable, visit) == Flow::Next;
}

std::optional<std::vector<Value>> Evaluation::comprehend(const Expr &element,
                                                         std::span<const Comprehension> generators) {
  std::vector<Value> items;
  auto yield = [&] {
    auto value = evaluate(element);
    if (value)
      items.push_back(std::move(*value));
    return value.has_value();
  };
  bool fine = inOwnScope([&] { return generate(generators, yield); });
  return fine ? std::optional(std::move(items)) : std::nullopt;
}

Maybe Evaluation::evaluateList(const Expr &element, std::span<const Comprehension> generators, bool asSet) {
  auto items = comprehend(element, generators);
  if (!items)
    return std::nullopt;
  return asSet ? placed(element.range, makeSet(*items)) : Maybe(makeList(std::move(*items)));
}

Maybe Evaluation::evaluateDictComp(const DictComp &expression) {
  auto dict = std::make_shared<DictObject>();
  auto yield = [&] {
    auto key = evaluate(*expression.key);
    auto value = key ? evaluate(*expression.value) : std::nullopt;
    if (!value)
      return false;
    auto added = dict->table.set(*key, *value);
    return added || (raise(expression.key->range, added.error()), false);
  };
  bool fine = inOwnScope([&] { return generate(expression.generators, yield); });
  return fine ? Maybe(Value(std::shared_ptr<Object>(std::move(dict)))) : std::nullopt;
}

Maybe Evaluation::evaluateJoined(const JoinedStr &expression) {
  std::string text;
  bool known = true;
  for (const Expr *part : expression.values) {
    auto value = evaluate(*part);
    if (!value)
      return std::nullopt;
    if (auto *piece = value->asString())
      text += *piece;
    else
      known = false;
  }
  if (text.size() > MaxStringBytes)
    return raise(expression.range, {"string-too-long", {std::to_string(MaxStringBytes >> 20)}});
  return known && steps(text.size() / 32) ? Value(std::move(text)) : known ? Maybe() : Maybe(unknown());
}

Maybe Evaluation::evaluateFormatted(const FormattedValue &expression) {
  auto value = evaluate(*expression.value);
  Maybe spec = value && expression.formatSpec ? evaluate(*expression.formatSpec) : Maybe(Value(""));
  if (!value || !spec)
    return std::nullopt;
  if (isUnknown(*value) || isUnknown(*spec))
    return unknown();
  bool asRepr = expression.conversion == 'r' || expression.conversion == 'a' ||
                (!expression.conversion && !expression.selfDocumenting.empty() && !expression.formatSpec);
  if (asRepr || expression.conversion) {
    auto text = asRepr ? reprOf(*value) : strOf(*value);
    auto shown = placed(expression.value->range, text ? Result<Value>(Value(*text)) : text.error());
    if (!shown || isUnknown(*shown))
      return shown;
    value = shown;
  }
  return placed(expression.range, formatOf(*value, *spec->asString()));
}

} // namespace tilescope::host
