// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the library that can be said in the language itself. It is parsed once and compiled at each
// call, as a helper of the script would be.
#include "compiler/Frontend/Library.h"
#include "compiler/Syntax/Parser.h"

namespace tilescope::frontend {

namespace {

constexpr const char *preludeText = R"py(
def zeros(shape, dtype):
    return tl.full(shape, 0, dtype)

def zeros_like(input):
    return tl.full(input.shape, 0, input.dtype)

def cdiv(x, div):
    return (x + div - 1) // div

def sigmoid(x):
    return 1 / (1 + tl.exp(-x))

def softmax(x, dim=None, keep_dims=False, ieee_rounding=False):
    axis: tl.constexpr = 0 if dim is None else dim
    shifted = x - tl.max(x, axis, keep_dims=True)
    numerator = tl.exp(shifted)
    denominator = tl.sum(numerator, axis, keep_dims=True)
    return numerator / denominator

def ravel(x, can_reorder=False):
    return tl.reshape(x, x.numel, can_reorder=can_reorder)

def squeeze(x, dim):
    at: tl.constexpr = dim + len(x.shape) if dim < 0 else dim
    return tl.reshape(x, x.shape[:at] + x.shape[at + 1:])

def unsqueeze(x, dim):
    return tl.expand_dims(x, dim)

def interleave(a, b):
    c = tl.join(a, b)
    if len(c.shape) == 1:
        return c
    return tl.reshape(c, c.shape[:len(c.shape) - 2] + (2 * c.shape[len(c.shape) - 2],))

def swizzle2d(i, j, size_i, size_j, size_g):
    place = i * size_j + j
    group = place // (size_g * size_j)
    inside = place % (size_g * size_j)
    first = group * size_g
    rows = min(size_i - first, size_g)
    return first + inside % rows, inside // rows

def _xor(a, b):
    return a ^ b

def xor_sum(input, axis=None, keep_dims=False):
    return tl.reduce(input, axis, _xor, keep_dims)

def _or(a, b):
    return a | b

def reduce_or(input, axis, keep_dims=False):
    return tl.reduce(input, axis, _or, keep_dims)

def _greater_left(a, i, b, j):
    first = (a > b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)

def _greater(a, i, b, j):
    first = a > b
    return tl.where(first, a, b), tl.where(first, i, j)

def _less_left(a, i, b, j):
    first = (a < b) | ((a == b) & (i < j))
    return tl.where(first, a, b), tl.where(first, i, j)

def _less(a, i, b, j):
    first = a < b
    return tl.where(first, a, b), tl.where(first, i, j)

def _indices(input, axis: tl.constexpr):
    index = tl.arange(0, input.shape[axis])
    for i in tl.static_range(len(input.shape)):
        if i != axis:
            index = tl.expand_dims(index, i)
    return tl.broadcast_to(index, input.shape)

def _reduce_indexed(input, axis, keep_dims, combine):
    if axis is None:
        flat = tl.reshape(input, input.numel)
        value, index = tl.reduce((flat, tl.arange(0, input.numel)), 0, combine)
        if keep_dims:
            for i in tl.static_range(len(input.shape)):
                value = tl.expand_dims(value, i) if i > 0 else tl.broadcast_to(value, 1)
                index = tl.expand_dims(index, i) if i > 0 else tl.broadcast_to(index, 1)
        return value, index
    at: tl.constexpr = axis + len(input.shape) if axis < 0 else axis
    return tl.reduce((input, _indices(input, at)), at, combine, keep_dims)

def _max_indexed(input, axis, tie_break_left, keep_dims):
    if tie_break_left:
        return _reduce_indexed(input, axis, keep_dims, _greater_left)
    return _reduce_indexed(input, axis, keep_dims, _greater)

def _min_indexed(input, axis, tie_break_left, keep_dims):
    if tie_break_left:
        return _reduce_indexed(input, axis, keep_dims, _less_left)
    return _reduce_indexed(input, axis, keep_dims, _less)

def argmax(input, axis, tie_break_left=True, keep_dims=False):
    return tl.max(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left,
                  keep_dims=keep_dims)[1]

def argmin(input, axis, tie_break_left=True, keep_dims=False):
    return tl.min(input, axis, return_indices=True, return_indices_tie_break_left=tie_break_left,
                  keep_dims=keep_dims)[1]
)py";

struct Prelude {
  std::shared_ptr<Scope> scope = std::make_shared<Scope>();
  std::vector<std::shared_ptr<FunctionObject>> functions;

  Prelude() {
    Diagnostics diagnostics;
    auto module = syntax::parse(std::make_shared<SourceFile>("triton/language", preludeText), diagnostics);
    assert(diagnostics.empty());
    scope->set("tl", makeSymbol("triton.language"));
    for (const syntax::Stmt *stmt : module->body) {
      auto function = std::make_shared<FunctionObject>();
      function->module = module;
      function->definition = syntax::dynCast<syntax::FunctionDef>(stmt);
      function->scope = scope;
      function->decorators.push_back({makeSymbol("triton.jit"), {}, {}, {}});
      scope->set(function->name(), Value(std::shared_ptr<Object>(function)));
      functions.push_back(std::move(function));
    }
  }
};

const Prelude &prelude() {
  static const Prelude result;
  return result;
}

} // namespace

const FunctionObject *findPreludeFunction(std::string_view name) {
  for (const auto &function : prelude().functions)
    if (function->name() == name)
      return function.get();
  return nullptr;
}

std::vector<const FunctionObject *> preludeFunctions() {
  std::vector<const FunctionObject *> result;
  for (const auto &function : prelude().functions)
    result.push_back(function.get());
  return result;
}

} // namespace tilescope::frontend
