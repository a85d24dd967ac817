// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/Analysis/Claims.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tilescope::analysis::test {
namespace {

std::string text(Value value) {
  std::string result;
  llvm::raw_string_ostream stream(result);
  value.print(stream);
  return result;
}

/// Along one dimension, whose neighbours are `stride` apart in row-major order.
class LineClaims {
public:
  LineClaims(const Numbers &numbers, const AxisFacts &facts, int64_t unit, int64_t stride)
      : m_numbers(numbers), m_facts(facts), m_unit(unit), m_stride(stride) {}

  /// What is claimed in vain of the element with that place in its line; null if nothing.
  const char *wrongAt(int64_t number, int64_t place) const {
    const int64_t element = at(number);
    const int64_t inRun = place % m_facts.contiguity, inBlock = place % m_facts.constancy;
    if (element != at(number - inRun * m_stride) + inRun * m_unit)
      return "contiguity";
    if (inRun == 0 && element % m_facts.divisibility != 0)
      return "divisibility";
    return element != at(number - inBlock * m_stride) ? "constancy" : nullptr;
  }

private:
  int64_t at(int64_t number) const { return m_numbers.elements[size_t(number)]; }

  const Numbers &m_numbers;
  const AxisFacts &m_facts;
  int64_t m_unit, m_stride;
};

} // namespace

std::string wrongClaim(Type type, const Numbers &numbers, const AxisInfo &info) {
  const auto pointer = dyn_cast<tile::PointerType>(tile::elementTypeOf(type));
  const int64_t unit = pointer ? int64_t(tile::byteSizeOf(pointer.getPointee())) : 1;
  SmallVector<int64_t> shape = numbers.shape;
  if (shape.empty())
    shape.push_back(1);
  if (shape.size() != info.axes.size())
    return "rank";
  std::string wrong;
  int64_t stride = int64_t(numbers.elements.size());
  for (size_t dim = 0; dim < shape.size() && wrong.empty(); ++dim) {
    stride /= shape[dim];
    const AxisFacts &facts = info.axes[dim];
    if (facts.contiguity > shape[dim] || facts.constancy > shape[dim])
      return "more than the tile has in dimension " + std::to_string(dim);
    const LineClaims claims(numbers, facts, unit, stride);
    forEachElement(shape, [&](ArrayRef<int64_t> at, int64_t number) {
      if (const char *claim = claims.wrongAt(number, at[dim]); claim && wrong.empty())
        wrong = claim + (" of dimension " + std::to_string(dim)) + " at row-major " + std::to_string(number);
    });
  }
  if (info.constant &&
      llvm::any_of(numbers.elements, [&](int64_t number) { return number != *info.constant; }))
    return "constant " + std::to_string(*info.constant);
  if (info.isNonNegative && llvm::any_of(numbers.elements, [](int64_t number) { return number < 0; }))
    return "not negative";
  return wrong;
}

std::string firstWrongClaim(tile::FuncOp kernel, const AxisInfoAnalysis &facts, int64_t program,
                            ArrayRef<int64_t> arguments) {
  std::string first;
  SlowEvaluator(program, [&](Value value, const Numbers &numbers) {
    const std::string wrong = first.empty() ? wrongClaim(value.getType(), numbers, facts.of(value)) : "";
    if (!wrong.empty())
      first = wrong + " of " + text(value);
  }).run(kernel, arguments);
  return first;
}

} // namespace tilescope::analysis::test
