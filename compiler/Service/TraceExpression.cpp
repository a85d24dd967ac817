// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/TraceExpression.h"

#include "compiler/Host/Evaluator.h"
#include "compiler/Host/PrintTensor.h"
#include "compiler/Host/Tensor.h"
#include "compiler/Interpreter/Transfer.h"
#include "compiler/Support/Words.h"
#include "compiler/Syntax/Parser.h"
#include "compiler/Value/Operators.h"

#include <charconv>

namespace tilescope::service {

namespace {

using interp::ElementKind;
using interp::NotedValue;
using interp::Stepper;
using interp::TilePtr;

/// Host code of one expression takes no longer.
constexpr uint64_t MostSteps = 100'000;
constexpr const char *ResultName = "_value";

class NoLaunches final : public host::Launcher {
  bool launch(const host::LaunchRequest &, Diagnostics &) override { return false; }
};

Error wrong(const std::string &text, const Diagnostics &diagnostics) {
  const auto &all = diagnostics.all();
  return {"wrong-expression", {text, all.empty() ? std::string() : words(Language::English, all.front())}};
}

bool isNameCharacter(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

/// Does a name occur in a text, as a word of its own?
bool mentions(std::string_view text, std::string_view name) {
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !isNameCharacter(text[at - 1])) && (end == text.size() || !isNameCharacter(text[end])))
      return true;
  }
  return false;
}

std::string scriptOf(const std::string &constants, const std::string &text, bool asks) {
  return "import math\nimport torch\n" + constants + ResultName + " = " + (asks ? "bool(" : "(") + "\n" +
         text + "\n)\n";
}

/// The pointee's place does not matter to arithmetic: addresses are int64.
ElementType typeInHost(const NotedValue &value) {
  return value.isPointer ? ElementType::Int64 : value.element;
}

Value scalarOf(const NotedValue &value, const std::byte *element) {
  if (isFloat(value.element)) {
    double wide;
    float narrow;
    const bool isWide = value.element == ElementType::Float64;
    isWide ? std::memcpy(&wide, element, sizeof(wide)) : std::memcpy(&narrow, element, sizeof(narrow));
    return Value(isWide ? wide : double(narrow));
  }
  uint64_t bits = 0;
  const unsigned bytes = byteSize(value.element);
  std::memcpy(&bits, element, bytes);
  if (value.element == ElementType::Bool)
    return Value(bits != 0);
  if (isSignedInt(value.element))
    return Value(static_cast<int64_t>(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes));
  const Integer low(static_cast<int64_t>(bits & 0xffff'ffff)), high(static_cast<int64_t>(bits >> 32));
  return Value(Integer::shiftLeft(high, 32) + low);
}

/// A tensor with the tile's contents, of which the undefined elements count as never written.
std::shared_ptr<host::TensorObject> tensorOf(AddressSpace &memory, const NotedValue &value,
                                             const interp::Tile &tile) {
  const interp::Transfer transfer(value.element);
  const size_t stored = tile.elements.size() / transfer.slotBytes();
  const Result<AllocationId> allocation = memory.allocate(stored * transfer.bytes());
  if (!allocation)
    return nullptr;
  auto tensor = std::make_shared<host::TensorObject>();
  tensor->storage = std::make_shared<host::Storage>(memory, *allocation);
  tensor->type = typeInHost(value);
  tensor->shape = value.shape;
  tensor->strides.assign(value.shape.size(), 0);
  for (size_t d = value.shape.size(), stride = 1; d-- > 0 && stored > 1; stride *= size_t(value.shape[d]))
    tensor->strides[d] = static_cast<int64_t>(stride);
  const Address address = memory.allocation(*allocation).address;
  for (size_t i = 0; i < stored; ++i)
    if (tile.kinds.empty() || tile.kinds[i] != ElementKind::Undefined)
      transfer.toMemory(tile.elements.data() + i * transfer.slotBytes(),
                        memory.write(address + i * transfer.bytes(), transfer.bytes()), 1);
  return tensor;
}

/// One expression, evaluated once.
class Evaluation {
public:
  Evaluation() : m_evaluator(m_memory, m_launches, options()) {}

  bool bind(const Stepper &stepper, std::string_view text) {
    for (const TilePtr &tile : stepper.variables()) {
      const NotedValue &value = stepper.kernel().steps().values[tile->value];
      if (!mentions(text, value.name))
        continue;
      if (value.shape.empty()) {
        m_undefined |= !tile->kinds.empty() && tile->kinds[0] == ElementKind::Undefined;
        m_evaluator.globals()->set(value.name, scalarOf(value, tile->elements.data()));
      } else if (auto tensor = tensorOf(m_memory, value, *tile)) {
        m_evaluator.globals()->set(value.name, Value(std::static_pointer_cast<Object>(std::move(tensor))));
      } else {
        return false;
      }
    }
    return true;
  }

  /// Null after an error.
  const Value *run(std::string script, Diagnostics &diagnostics) {
    const auto file = std::make_shared<SourceFile>("", std::move(script));
    m_evaluator.run(syntax::parse(file, diagnostics), diagnostics);
    return diagnostics.hasErrors() ? nullptr : m_evaluator.globals()->findLocal(ResultName);
  }

  protocol::TraceAnswer answer(const Value &value) {
    protocol::TraceAnswer answer;
    if (auto *tensor = value.as<host::TensorObject>()) {
      answer.type = std::string(tritonName(tensor->type));
      for (size_t d = 0; d < tensor->shape.size(); ++d)
        answer.type += (d == 0 ? "[" : ", ") + std::to_string(tensor->shape[d]);
      answer.type += tensor->shape.empty() ? "" : "]";
      answer.text = tensor->elements() == 1 ? elementOf(*tensor) : host::printTensor(*tensor);
    } else {
      answer.type = value.typeName();
      answer.text = repr(value);
    }
    answer.undefined = m_undefined || !m_memory.undefinedReads().empty();
    return answer;
  }

private:
  host::EvaluatorOptions options() {
    host::EvaluatorOptions options;
    options.stepLimit = MostSteps;
    return options;
  }
  std::string elementOf(const host::TensorObject &tensor) {
    const unsigned bytes = byteSize(tensor.type);
    m_undefined |= !m_memory.isDefined(tensor.address(), bytes);
    std::byte slot[8] = {};
    interp::Transfer(tensor.type).toSlot(m_memory.read(tensor.address()), slot, 1);
    return elementText(tensor.type, slot);
  }

  AddressSpace m_memory{uint64_t(1) << 30, 0};
  NoLaunches m_launches;
  host::Evaluator m_evaluator;
  bool m_undefined = false;
};

} // namespace

std::string elementText(ElementType type, const std::byte *element) {
  NotedValue value;
  value.element = type;
  if (!isFloat(type) || type == ElementType::Float64)
    return repr(scalarOf(value, element));
  float narrow;
  std::memcpy(&narrow, element, sizeof(narrow));
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), narrow).ptr;
  return {text, end};
}

Result<TraceExpression> TraceExpression::parse(std::string text,
                                               const std::vector<protocol::ArgumentSummary> &constants) {
  Diagnostics diagnostics;
  const auto module = syntax::parse(std::make_shared<SourceFile>("", "(\n" + text + "\n)\n"), diagnostics);
  if (diagnostics.hasErrors())
    return wrong(text, diagnostics);
  const bool isBlank = text.find_first_not_of(" \t\r\n") == std::string::npos;
  if (isBlank || module->body.size() != 1 || module->body[0]->kind != syntax::StmtKind::Expr)
    return Error{"not-an-expression", {text}};
  std::string known;
  for (const protocol::ArgumentSummary &constant : constants)
    if (constant.type == "constexpr" && mentions(text, constant.name))
      known += constant.name + " = " + constant.value + "\n";
  return TraceExpression(std::move(text), std::move(known));
}

Result<protocol::TraceAnswer> TraceExpression::evaluate(const Stepper &stepper) const {
  Evaluation evaluation;
  Diagnostics diagnostics;
  const Value *value = nullptr;
  if (evaluation.bind(stepper, m_text))
    value = evaluation.run(scriptOf(m_constants, m_text, /*asks=*/false), diagnostics);
  if (!value)
    return wrong(m_text, diagnostics);
  return evaluation.answer(*value);
}

Result<bool> TraceExpression::holds(const Stepper &stepper) const {
  Evaluation evaluation;
  Diagnostics diagnostics;
  const Value *value = nullptr;
  if (evaluation.bind(stepper, m_text))
    value = evaluation.run(scriptOf(m_constants, m_text, /*asks=*/true), diagnostics);
  const bool *isTrue = value ? value->asBool() : nullptr;
  if (!isTrue)
    return wrong(m_text, diagnostics);
  return *isTrue;
}

} // namespace tilescope::service
