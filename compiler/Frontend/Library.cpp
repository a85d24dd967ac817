// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding rows, reading arguments, and the list for completion.
#include "compiler/Frontend/Library.h"

#include "compiler/Frontend/Block.h"
#include "compiler/Frontend/Frontend.h"
#include "compiler/Frontend/LibdeviceTable.h"
#include "compiler/Frontend/Names.h"
#include "compiler/Frontend/Types.h"
#include "compiler/Value/Operators.h"

#include <bit>
#include <unordered_map>

namespace tilescope::frontend {

namespace {

constexpr std::string_view languagePrefix = "triton.language.";
constexpr std::string_view descriptorPrefix = "triton.language.tensor_descriptor.";

/// Other names of the same functions, as beginnings; the first under which there is a row counts. Triton 2
/// had libdevice in tl.libdevice and tl.math, with two functions that later became tl.maximum and tl.minimum.
struct Alias {
  std::string_view spelled, meant;
};
constexpr Alias aliases[] = {
    {"triton.language.extra.cuda.libdevice.", libdevicePrefix},
    {"triton.language.extra.hip.libdevice.", libdevicePrefix},
    {"torch._inductor.runtime.triton_helpers.libdevice.", libdevicePrefix}, // PyTorch hands Triton's on
    {"torch._inductor.runtime.triton_helpers.math.", languagePrefix},
    {"triton.language.math.max", "triton.language.maximum"},
    {"triton.language.math.min", "triton.language.minimum"},
    {"triton.language.libdevice.max", "triton.language.maximum"},
    {"triton.language.libdevice.min", "triton.language.minimum"},
    {"triton.language.libdevice.", libdevicePrefix},
    {"triton.language.math.libdevice.", libdevicePrefix},
    {"triton.language.extra.cuda.utils.", "triton.language.extra.cuda."},
    {"triton.language.extra.cuda.gdc.", "triton.language.extra.cuda."},
    {"triton.language.core.", languagePrefix},
    {"triton.language.standard.", languagePrefix},
    {"triton.language.random.", languagePrefix},
    {"triton.language.math.", languagePrefix},
    {"triton.language.math.", libdevicePrefix},
};

using Table = std::unordered_map<std::string_view, const LibraryFunction *>;
const Table &table() {
  static const Table result = [] {
    Table rows;
    for (auto group : {programRows(), pythonRows(), memoryRows(), atomicRows(), blockRows(), descriptorRows(),
                       mathRows(), shapeRows(), reductionRows(), constantRows(), libdeviceRows(),
                       productRows(), elementRows(), foreignRows()})
      for (const LibraryFunction &row : group)
        rows.emplace(row.name, &row);
    return rows;
  }();
  return result;
}

/// A name that is not for kernels to use.
bool isInternal(std::string_view name) { return lastPart(name).starts_with('_'); }

/// Names that are no functions.
constexpr std::string_view languageConstants[] = {
    "constexpr", "int1",    "int8",    "int16",    "int32",      "int64",        "uint8",
    "uint16",    "uint32",  "uint64",  "float8e5", "float8e4nv", "float8e4b8",   "float8e5b16",
    "bfloat16",  "float16", "float32", "float64",  "tensor",     "pointer_type",
};

} // namespace

std::string_view lastPart(std::string_view dotted) {
  size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

const LibraryFunction *findLibraryFunction(std::string_view symbol) {
  if (auto row = table().find(symbol); row != table().end())
    return row->second;
  for (const Alias &alias : aliases) {
    if (!symbol.starts_with(alias.spelled))
      continue;
    auto row = table().find(std::string(alias.meant) + std::string(symbol.substr(alias.spelled.size())));
    if (row != table().end())
      return row->second;
  }
  return nullptr;
}

bool isLibdevice(std::string_view symbol) {
  return symbol.starts_with(libdevicePrefix) || std::ranges::any_of(aliases, [&](const Alias &alias) {
           return alias.meant == libdevicePrefix && symbol.starts_with(alias.spelled);
         });
}

const LibraryFunction *findMethod(std::string_view name) {
  for (std::string_view prefix : {"", "core.", "tensor."}) {
    auto row = table().find(std::string(languagePrefix) + std::string(prefix) + std::string(name));
    if (row != table().end() && row->second->isMethod)
      return row->second;
  }
  return nullptr;
}

const LibraryFunction *findMethodOf(const Term &self, std::string_view name) {
  const BlockTerm *block = self.block();
  if (!block || block->kind != BlockTerm::Kind::Descriptor)
    return findMethod(name);
  auto row = table().find(std::string(descriptorPrefix) + std::string(name));
  return row == table().end() ? nullptr : row->second;
}

bool isMethod(std::string_view name) {
  return findMethod(name) || llvm::any_of(preludeFunctions(), [&](const PreludeFunction &row) {
           return row.isMethod && row.function->name() == name;
         });
}

const std::vector<std::string_view> &libdeviceNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> result;
    for (const LibraryFunction &row : libdeviceRows())
      result.push_back(lastPart(row.name));
    return result;
  }();
  return names;
}

const std::vector<std::string_view> &languageNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> result(std::begin(languageConstants), std::end(languageConstants));
    for (const auto &[name, row] : table())
      if (name.starts_with(languagePrefix) && lastPart(name).size() + languagePrefix.size() == name.size() &&
          !isInternal(name))
        result.push_back(lastPart(name));
    for (const PreludeFunction &row : preludeFunctions())
      if (!isInternal(row.function->name()))
        result.push_back(row.function->name());
    std::sort(result.begin(), result.end());
    return result;
  }();
  return names;
}

//===- Reading arguments --------------------------------------------------------------------------===//

std::optional<int64_t> constantInt(Emitter &emitter, const Operand &operand) {
  if (const Value *constant = operand.term.constant())
    if (auto number = constant->index())
      return number;
  if (!operand.term.isError())
    emitter.error(operand.range, "constant-expected", {describe(operand.term)});
  return std::nullopt;
}

std::optional<bool> constantBool(Emitter &emitter, const Operand &operand) {
  if (const Value *constant = operand.term.constant())
    return truth(*constant);
  if (!operand.term.isError())
    emitter.error(operand.range, "constant-expected", {describe(operand.term)});
  return std::nullopt;
}

std::optional<std::string> constantString(Emitter &emitter, const Operand &operand) {
  if (const Value *constant = operand.term.constant())
    if (const std::string *text = constant->asString())
      return *text;
  if (!operand.term.isError())
    emitter.error(operand.range, "string-expected", {describe(operand.term)});
  return std::nullopt;
}

mlir::Type constantType(Emitter &emitter, const Operand &operand) {
  if (!operand.term.type() && !operand.term.isError())
    emitter.error(operand.range, "type-expected", {describe(operand.term)});
  return operand.term.type();
}

std::optional<llvm::SmallVector<int64_t>> constantShape(Emitter &emitter, const Operand &operand) {
  if (operand.term.isError())
    return std::nullopt;
  llvm::SmallVector<int64_t> shape;
  std::vector<Term> items = itemsOf(operand.term);
  if (items.size() == 1 && items[0].tuple())
    items = itemsOf(items[0]);
  for (const Term &item : items) {
    auto size = item.constant() ? item.constant()->index() : std::nullopt;
    if (!size) {
      emitter.error(operand.range, item.value() ? "run-time-shape" : "constant-expected", {describe(item)});
      return std::nullopt;
    }
    shape.push_back(*size);
  }
  return shape;
}

std::optional<llvm::SmallVector<int64_t>> tileShape(Emitter &emitter, const Operand &operand) {
  auto shape = constantShape(emitter, operand);
  constexpr int64_t most = 1 << 20;
  int64_t count = 1;
  for (int64_t size : shape ? *shape : llvm::SmallVector<int64_t>()) {
    if (size <= 0 || !std::has_single_bit(static_cast<uint64_t>(size))) {
      emitter.error(operand.range, "shape-not-power-of-two", {shapeName(*shape), std::to_string(size)});
      return std::nullopt;
    }
    if (size > most || (count *= size) > most) {
      emitter.error(operand.range, "tile-too-large", {shapeName(*shape), std::to_string(most)});
      return std::nullopt;
    }
  }
  return shape;
}

std::optional<int64_t> constantAxis(Emitter &emitter, const Operand &operand, int64_t rank) {
  auto axis = constantInt(emitter, operand);
  if (!axis)
    return std::nullopt;
  if (*axis >= -rank && *axis < rank)
    return *axis < 0 ? *axis + rank : *axis;
  emitter.error(operand.range, "axis-out-of-range", {std::to_string(*axis), std::to_string(rank)});
  return std::nullopt;
}

std::optional<llvm::SmallVector<mlir::Value>> tensorsInOneShape(Emitter &emitter, const Operand &operand) {
  llvm::SmallVector<mlir::Value> values;
  for (const Term &item : itemsOf(operand.term)) {
    mlir::Value value = toTensor(emitter, {item, operand.range});
    if (!value || (!values.empty() && !broadcast(emitter, values[0], value, operand.range, operand.range)))
      return std::nullopt;
    values.push_back(value);
  }
  for (mlir::Value &value : values)
    if (!(value = broadcastTo(emitter, value, tile::shapeOf(values[0].getType()), operand.range)))
      return std::nullopt;
  return values;
}

std::optional<size_t> chooseOption(Emitter &emitter, const Operand &operand,
                                   std::span<const std::string_view> texts) {
  auto text = constantString(emitter, operand);
  if (!text)
    return std::nullopt;
  for (size_t i = 0; i < texts.size(); ++i)
    if (texts[i] == *text)
      return i;
  std::string all;
  for (std::string_view choice : texts)
    if (!choice.empty())
      all += (all.empty() ? "" : ", ") + std::string(choice);
  Diagnostic &error = emitter.error(operand.range, "unknown-option", {*text, all});
  if (std::string_view near = nearest(*text, texts); !near.empty())
    error.fix =
        DiagnosticFix{"replace-name", {std::string(near)}, operand.range, "\"" + std::string(near) + "\""};
  return std::nullopt;
}

//===- Completion ---------------------------------------------------------------------------------===//

namespace {

std::string signatureOf(const FunctionObject &function) {
  const SourceFile &file = *function.module->file;
  const auto &keywordOnly = function.definition->args->kwonlyargs;
  std::string text;
  for (const syntax::Arg *arg : parameters(*function.definition)) {
    const bool isFirstKeyword =
        !keywordOnly.empty() && arg->nameRange.begin == keywordOnly.front().nameRange.begin;
    text += (text.empty() ? "" : ", ") + std::string(isFirstKeyword ? "*, " : "") + std::string(arg->name);
    if (arg->defaultValue)
      text += "=" + std::string(file.text(arg->defaultValue->range));
  }
  return "(" + text + ")";
}

} // namespace

namespace {

/// What Triton 3 has in tl.math.
constexpr std::string_view mathNames[] = {"abs",   "ceil", "cos",   "div_rn",  "erf",   "exp",
                                          "exp2",  "fdiv", "floor", "fma",     "log",   "log2",
                                          "rsqrt", "sin",  "sqrt",  "sqrt_rn", "umulhi"};

/// tl.math and tl.extra.cuda.libdevice list functions that have their rows elsewhere.
void addOtherPaths(std::vector<LibraryEntry> &entries) {
  const auto add = [&](const LibraryFunction &row, std::string_view module) {
    const std::string name(lastPart(row.name));
    entries.push_back(
        {std::string(module) + name, "(" + std::string(row.signature) + ")", "library." + name});
  };
  for (std::string_view name : mathNames)
    add(*findLibraryFunction(std::string(languagePrefix) + std::string(name)), "triton.language.math.");
  for (const LibraryFunction &row : libdeviceRows())
    add(row, "triton.language.extra.cuda.libdevice.");
}

} // namespace

const std::vector<LibraryEntry> &libraryEntries() {
  static const std::vector<LibraryEntry> entries = [] {
    std::vector<LibraryEntry> result;
    auto add = [&](std::string name, std::string signature) {
      bool isOfDescriptor = name.starts_with(descriptorPrefix);
      std::string key =
          "library." + (isOfDescriptor ? name.substr(languagePrefix.size()) : std::string(lastPart(name)));
      bool method = name.starts_with(languagePrefix) && isMethod(name.substr(languagePrefix.size()));
      result.push_back({std::move(name), std::move(signature), std::move(key), method});
    };
    for (const auto &[name, row] : table())
      if (!name.starts_with("builtins.") && !isInternal(name))
        add(std::string(name), "(" + std::string(row->signature) + ")");
    for (const PreludeFunction &row : preludeFunctions())
      if (!isInternal(row.function->name()))
        add(std::string(languagePrefix) + std::string(row.function->name()), signatureOf(*row.function));
    for (std::string_view name : languageConstants)
      add(std::string(languagePrefix) + std::string(name), "");
    addOtherPaths(result);
    std::sort(result.begin(), result.end(), [](const auto &a, const auto &b) { return a.name < b.name; });
    return result;
  }();
  return entries;
}

} // namespace tilescope::frontend
