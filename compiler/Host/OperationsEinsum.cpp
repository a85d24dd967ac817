// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// torch.einsum: sums of products named by letters. Operands are taken in pairs from the left, as torch does;
// each pair is one batched matrix product, whose letters are either in both and kept (batch), in both and
// summed, or in one.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Host/SilentContext.h"
#include "compiler/Host/TensorMatmul.h"
#include "compiler/Host/TensorReduce.h"
#include "compiler/Host/TensorViews.h"
#include "compiler/Value/Operators.h"

#include <algorithm>

namespace tilescope::host {

namespace {

/// A tensor and the letters of its dimensions.
struct Named {
  TensorPtr tensor;
  std::string letters;
};

bool holds(std::string_view letters, char letter) { return letters.find(letter) != std::string_view::npos; }

std::string kept(std::string_view letters, auto keep) {
  std::string result;
  std::ranges::copy_if(letters, std::back_inserter(result), keep);
  return result;
}

/// The part of "ab,bc->ac" before "->" cut at the commas, and what is after it.
struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

/// Without "->" the result has the letters that occur once, in order.
std::optional<Equation> equationOf(std::string_view text) {
  const std::string plain = kept(text, [](char c) { return c != ' '; });
  const size_t arrow = plain.find("->");
  Equation equation{{""}, arrow == std::string::npos ? "" : plain.substr(arrow + 2)};
  std::string once, all;
  for (char c : std::string_view(plain).substr(0, arrow)) {
    if (c == ',')
      equation.operands.emplace_back();
    else if (!std::isalpha(static_cast<unsigned char>(c)) || holds(equation.operands.back(), c))
      return std::nullopt;
    else
      (equation.operands.back() += c, all += c);
  }
  std::ranges::sort(all);
  if (arrow == std::string::npos)
    equation.result = kept(all, [&](char c) { return std::ranges::count(all, c) == 1; });
  const auto &result = equation.result;
  const bool known = std::ranges::all_of(
      result, [&](char c) { return holds(all, c) && std::ranges::count(result, c) == 1; });
  return known ? std::optional(equation) : std::nullopt;
}

class Einsum {
public:
  Einsum(Call &call, Equation equation) : m_call(call), m_equation(std::move(equation)) { m_sizes.fill(-1); }

  Result<TensorPtr> run(const std::vector<TensorPtr> &tensors) {
    if (auto error = takeSizes(tensors))
      return *error;
    auto whole = summed({tensors[0], m_equation.operands[0]}, lettersFrom(1));
    for (size_t k = 1; whole && k < tensors.size(); ++k) {
      const std::string later = lettersFrom(k + 1);
      auto next = summed({tensors[k], m_equation.operands[k]}, later + whole->letters);
      whole = next ? product(*whole, *next, later) : next;
    }
    return whole ? ordered(*whole, m_equation.result) : Result<TensorPtr>(whole.error());
  }

private:
  std::optional<Error> takeSizes(const std::vector<TensorPtr> &tensors) {
    if (tensors.size() != m_equation.operands.size())
      return m_call.fail(
          {"einsum-operands", {std::to_string(m_equation.operands.size()), std::to_string(tensors.size())}});
    for (size_t k = 0; k < tensors.size(); ++k) {
      const std::string &letters = m_equation.operands[k];
      if (letters.size() != tensors[k]->shape.size())
        return m_call.fail({"einsum-rank", {letters, shapeText(tensors[k]->shape)}});
      for (size_t d = 0; d < letters.size(); ++d) {
        int64_t &size = m_sizes[static_cast<unsigned char>(letters[d])];
        if (size >= 0 && size != tensors[k]->shape[d])
          return m_call.fail(
              {"einsum-sizes",
               {std::string(1, letters[d]), std::to_string(size), std::to_string(tensors[k]->shape[d])}});
        size = tensors[k]->shape[d];
      }
    }
    return std::nullopt;
  }

  /// The letters of the result and of the operands from `first` on.
  std::string lettersFrom(size_t first) const {
    std::string letters = m_equation.result;
    for (size_t k = first; k < m_equation.operands.size(); ++k)
      letters += m_equation.operands[k];
    return letters;
  }

  int64_t size(std::string_view letters) const {
    int64_t product = 1;
    for (char letter : letters)
      product *= m_sizes[static_cast<unsigned char>(letter)];
    return product;
  }

  /// Sums over the letters that nobody needs any more.
  Result<Named> summed(const Named &named, std::string_view needed) {
    std::vector<bool> reduced;
    for (char letter : named.letters)
      reduced.push_back(!holds(needed, letter));
    if (std::ranges::find(reduced, true) == reduced.end())
      return named;
    OperationContext &context = m_call.context;
    const std::string letters = kept(named.letters, [&](char c) { return holds(needed, c); });
    Dims shape;
    for (char letter : letters)
      shape.push_back(size({&letter, 1}));
    auto result = newTensor(context, shape, named.tensor->type, named.tensor->onGpu);
    if (!result)
      return result.error();
    if (!context.checking()) {
      if (!context.settle() ||
          !reduceElements(context, Reduction::Sum, 0, *named.tensor, reduced, {*result, nullptr}))
        return stopped();
      const Operand read{named.tensor, {}};
      charge(context, "sum", {&read, 1}, {&*result, 1});
    }
    return Named{*result, letters};
  }

  Result<TensorPtr> ordered(const Named &named, std::string_view letters) {
    Dims order;
    for (char letter : letters)
      order.push_back(static_cast<int64_t>(named.letters.find(letter)));
    return order.empty() ? named.tensor : permuted(named.tensor, order);
  }

  Result<Named> product(const Named &left, const Named &right, std::string_view later) {
    auto in = [](const std::string &letters) { return [&](char c) { return holds(letters, c); }; };
    const std::string both = kept(left.letters, in(right.letters)),
                      batch = kept(both, [&](char c) { return holds(later, c); }),
                      inner = kept(both, [&](char c) { return !holds(later, c); }),
                      rows = kept(left.letters, [&](char c) { return !holds(both, c); }),
                      columns = kept(right.letters, [&](char c) { return !holds(both, c); });
    // Copies that bring letters together are not charged: a GPU's product reads strided operands.
    SilentContext silent(m_call.context);
    auto matrix = [&](const Named &operand, const std::string &first, const std::string &second) {
      auto turned = ordered(operand, batch + first + second);
      return turned ? reshaped(silent, *turned, {size(batch), size(first), size(second)}) : turned;
    };
    auto a = matrix(left, rows, inner), b = matrix(right, inner, columns);
    if (!a || !b)
      return a ? b.error() : a.error();
    auto result = matmul(m_call.context, "bmm", *a, *b);
    if (!result)
      return result.error();
    const std::string letters = batch + rows + columns;
    Dims shape;
    for (char letter : letters)
      shape.push_back(size({&letter, 1}));
    auto view = viewAs(*result, shape);
    return view ? Result<Named>(Named{*view, letters}) : view.error();
  }

  Call &m_call;
  const Equation m_equation;
  std::array<int64_t, 128> m_sizes; ///< by letter; -1 for none
};

/// einsum(equation, a, b) or einsum(equation, [a, b]).
Result<Value> einsum(Call &call) {
  const std::string text = call.text("equation");
  auto operands = elements(call.value("operands"));
  if (operands && operands->size() == 1 && !tensorOf((*operands)[0]))
    operands = elements((*operands)[0]);
  std::vector<TensorPtr> tensors;
  for (const Value &operand : operands ? *operands : std::vector<Value>())
    if (auto tensor = tensorOf(operand))
      tensors.push_back(tensor);
  if (!call.failed() && (!operands || tensors.empty() || tensors.size() != operands->size()))
    call.fail({"operation-argument-type", {"einsum", "operands", "Tensor", "object"}}, "operands");
  if (call.failed())
    return call.error();
  auto equation = equationOf(text);
  if (!equation)
    return call.fail({"einsum-equation", {text}}, "equation");
  if (!call.context.checking() && !call.context.settle())
    return stopped();
  return call.finish(Einsum(call, *equation).run(tensors));
}

constexpr OperationRow Rows[] = {{"einsum", Torch, "equation, *operands", einsum}};

} // namespace

std::span<const OperationRow> einsumRows() { return Rows; }

} // namespace tilescope::host
