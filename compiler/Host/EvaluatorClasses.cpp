// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classes of the script and their instances.
#include "compiler/Host/EvaluatorRun.h"
#include "compiler/Host/Functions.h"

#include <algorithm>

namespace tilescope::host {

using namespace syntax;

Flow Evaluation::executeClass(const ClassDef &statement) {
  auto type = std::make_shared<ClassObject>(std::string(statement.name));
  auto bases = evaluateItems(statement.bases);
  if (!bases)
    return Flow::Raised;
  type->bases = std::move(*bases);
  auto body = std::make_shared<Scope>(top().scope);
  Frame frame;
  frame.module = top().module;
  frame.globals = top().globals;
  frame.scope = body;
  frame.functionScope = top().inClass ? top().functionScope : top().scope;
  frame.inClass = true;
  m_frames.push_back(&frame);
  Flow flow = execute(statement.body);
  m_frames.pop_back();
  if (flow != Flow::Next)
    return flow;
  for (const std::string &name : body->names())
    type->attributes->set(name, *body->findLocal(name));
  m_scopes.push_back(type->attributes);
  Value value(std::static_pointer_cast<Object>(type));
  for (size_t i = statement.decorators.size(); i-- > 0;) {
    auto result = decorated(value, *statement.decorators[i]);
    if (!result)
      return Flow::Raised;
    value = *result;
  }
  addFields(statement, *type);
  assignName(statement.name, value);
  return Flow::Next;
}

namespace {

std::string_view lastNameOf(const Expr &decorator) {
  auto *call = dynCast<syntax::Call>(&decorator);
  const Expr *callee = call ? call->func : &decorator;
  auto *name = dynCast<Name>(callee);
  auto *attribute = dynCast<Attribute>(callee);
  return name ? name->id : attribute ? attribute->attr : std::string_view();
}

} // namespace

/// The annotated names of a dataclass, named tuple or aggregate, those of its bases first.
void Evaluation::addFields(const ClassDef &statement, ClassObject &type) {
  for (const Expr *decorator : statement.decorators) {
    std::string_view name = lastNameOf(*decorator);
    type.isDataclass = type.isDataclass || name == "dataclass";
    type.isAggregate = type.isAggregate || name == "_aggregate" || name == "aggregate";
  }
  for (const Value &base : type.bases) {
    auto *parent = base.as<ClassObject>();
    type.isNamedTuple |= symbolName(base) == "typing.NamedTuple" || (parent && parent->isNamedTuple);
    if (parent)
      type.fields.insert(type.fields.end(), parent->fields.begin(), parent->fields.end());
  }
  if (!type.isDataclass && !type.isAggregate && !type.isNamedTuple)
    return;
  for (const Stmt *part : statement.body)
    if (auto *annotated = dynCast<AnnAssign>(part); annotated && annotated->simple)
      type.fields.emplace_back(cast<Name>(annotated->target).id);
}

bool Evaluation::initializeFields(const std::shared_ptr<ClassObject> &type, Scope &fields,
                                  const CallSite &site) {
  const auto &[positional, keywords] = site.arguments;
  if (positional.size() > type->fields.size())
    return raise(site.ranges[type->fields.size()],
                 {"too-many-arguments",
                  {type->name, std::to_string(type->fields.size()), std::to_string(positional.size())}}),
           false;
  for (size_t i = 0; i < positional.size(); ++i)
    fields.set(type->fields[i], positional[i]);
  for (size_t i = 0; i < keywords.size(); ++i) {
    const auto &[name, value] = keywords[i];
    bool known = std::find(type->fields.begin(), type->fields.end(), name) != type->fields.end();
    if (!known || fields.findLocal(name)) {
      raise(site.names[i], {known ? "duplicate-argument" : "unexpected-argument", {type->name, name}});
      if (!known)
        suggest(name, type->fields, site.names[i]);
      return false;
    }
    fields.set(name, value);
  }
  std::string missing;
  for (const std::string &field : type->fields) {
    if (fields.findLocal(field))
      continue;
    if (auto fallback = classAttribute(Value(std::static_pointer_cast<Object>(type)), field))
      fields.set(field, *fallback);
    else
      missing += (missing.empty() ? "" : ", ") + field;
  }
  return missing.empty() || (raise(site.call, {"missing-argument", {type->name, missing}}), false);
}

Maybe Evaluation::makeNamedTuple(const std::shared_ptr<ClassObject> &type, const CallSite &site) {
  Scope fields;
  if (!initializeFields(type, fields, site))
    return std::nullopt;
  std::vector<Value> items;
  for (const std::string &field : type->fields)
    items.push_back(*fields.findLocal(field));
  return makeObject<TupleObject>(std::move(items), type->fields, type->name);
}

Maybe Evaluation::instantiate(const std::shared_ptr<ClassObject> &type, CallSite site) {
  if (type->isNamedTuple)
    return makeNamedTuple(type, site);
  auto instance = std::make_shared<InstanceObject>(type);
  Value value(std::static_pointer_cast<Object>(instance));
  if (type->isDataclass && !type->attributes->findLocal("__init__")) {
    if (!initializeFields(type, instance->attributes, site))
      return std::nullopt;
    auto after = attributeOf(value, "__post_init__");
    return !after || call(*after, {}, site) ? Maybe(value) : std::nullopt;
  }
  bool isException = isExceptionType(*type);
  if (isException)
    instance->attributes.set("args", makeTuple(site.arguments.positional));
  auto initialize = attributeOf(value, "__init__");
  if (initialize)
    return call(*initialize, std::move(site)) ? Maybe(value) : std::nullopt;
  if (initialize.error().id != "no-attribute")
    return raise(site.callee, initialize.error());
  if (!isException && !site.arguments.positional.empty())
    return raise(site.ranges[0],
                 {"too-many-arguments", {type->name, "0", std::to_string(site.arguments.positional.size())}});
  return value;
}

} // namespace tilescope::host
