// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Frontend/InferTables.h"

#include "compiler/Frontend/InferUse.h"

#include <algorithm>

namespace tilescope::frontend {

using namespace syntax;

const Expr *CallView::argument(size_t position, std::string_view name) const {
  const size_t skipped = m_self ? 1 : 0;
  if (m_self && position == 0)
    return m_self;
  if (position - skipped < m_call.args.size())
    return m_call.args[position - skipped];
  return name.empty() ? nullptr : keyword(name);
}

const Expr *CallView::keyword(std::string_view name) const {
  for (const Keyword &keyword : m_call.keywords)
    if (keyword.name == name)
      return keyword.value;
  return nullptr;
}

namespace {

constexpr size_t First[] = {0};
constexpr size_t FirstTwo[] = {0, 1};
constexpr size_t SecondAndThird[] = {1, 2};

struct CarriedRow {
  std::string_view function;
  std::span<const size_t> positions;
};
constexpr CarriedRow Carried[] = {
    {"broadcast_to", First},
    {"expand_dims", First},
    {"reshape", First},
    {"view", First},
    {"trans", First},
    {"permute", First},
    {"ravel", First},
    {"squeeze", First},
    {"unsqueeze", First},
    {"flip", First},
    {"sum", First},
    {"max", First},
    {"min", First},
    {"cumsum", First},
    {"cumprod", First},
    {"sort", First},
    {"reduce", First},
    {"associative_scan", First},
    {"gather", First},
    {"abs", First},
    {"multiple_of", First},
    {"max_contiguous", First},
    {"max_constancy", First},
    {"advance", First},
    {"make_block_ptr", First},
    {"make_tensor_descriptor", First},
    {"where", SecondAndThird},
    {"minimum", FirstTwo},
    {"maximum", FirstTwo},
    {"cdiv", FirstTwo},
    {"cat", FirstTwo},
    {"join", FirstTwo},
    {"interleave", FirstTwo},
    {"broadcast", FirstTwo},
    {"swizzle2d", FirstTwo},
};

constexpr std::string_view IntegerSources[] = {"arange", "program_id", "num_programs", "cdiv",
                                               "range",  "argmax",     "argmin",       "swizzle2d"};

constexpr ArgumentPlace Places[] = {
    {"load", 0, "pointer", AsAddress},
    {"store", 0, "pointer", AsAddress},
    {"atomic_add", 0, "pointer", AsAddress},
    {"atomic_max", 0, "pointer", AsAddress},
    {"atomic_min", 0, "pointer", AsAddress},
    {"atomic_xchg", 0, "pointer", AsAddress},
    {"atomic_cas", 0, "pointer", AsAddress | ToIntegers},
    {"atomic_and", 0, "pointer", AsAddress | ToIntegers},
    {"atomic_or", 0, "pointer", AsAddress | ToIntegers},
    {"atomic_xor", 0, "pointer", AsAddress | ToIntegers},
    {"make_block_ptr", 0, "base", AsAddress},
    {"make_block_ptr", 1, "shape", AsInteger},
    {"make_block_ptr", 2, "strides", AsInteger},
    {"make_block_ptr", 3, "offsets", AsInteger},
    {"make_block_ptr", 4, "block_shape", AsSize},
    {"make_tensor_descriptor", 0, "base", AsAddress},
    {"make_tensor_descriptor", 1, "shape", AsInteger},
    {"make_tensor_descriptor", 2, "strides", AsInteger},
    {"make_tensor_descriptor", 3, "block_shape", AsSize},
    {"advance", 1, "offsets", AsInteger},
    {"arange", 0, "start", AsSize},
    {"arange", 1, "end", AsSize},
    {"zeros", 0, "shape", AsSize},
    {"zeros", 1, "dtype", AsType},
    {"full", 0, "shape", AsSize},
    {"full", 2, "dtype", AsType},
    {"broadcast_to", 1, "shape", AsSize},
    {"reshape", 1, "shape", AsSize},
    {"view", 1, "shape", AsSize},
    {"to", 1, "dtype", AsType},
    {"cast", 1, "dtype", AsType},
    {"dot", SIZE_MAX, "out_dtype", AsType},
    {"sum", SIZE_MAX, "dtype", AsType},
    {"range", 0, "", AsInteger},
    {"range", 1, "", AsInteger},
    {"range", 2, "", AsInteger},
    {"static_range", 0, "", AsInteger | AsCount},
    {"static_range", 1, "", AsInteger | AsCount},
    {"static_range", 2, "", AsInteger},
};

} // namespace

std::span<const size_t> carriedArguments(std::string_view function) {
  auto row = std::ranges::find(Carried, function, &CarriedRow::function);
  return row == std::end(Carried) ? std::span<const size_t>() : row->positions;
}

bool isIntegerSource(std::string_view function) {
  return std::ranges::find(IntegerSources, function) != std::end(IntegerSources);
}

std::span<const ArgumentPlace> argumentPlaces() { return Places; }

} // namespace tilescope::frontend
