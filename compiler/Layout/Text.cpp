// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Text.h"

#include <algorithm>

namespace tilescope::layout {
namespace {

std::string cell(const LinearLayout &layout, uint64_t input) {
  auto part = [&](Dim dim) {
    return std::to_string(input >> layout.inputShift(dim) & (layout.inputSize(dim) - 1));
  };
  if (layout.hasInput(Dim::Offset))
    return part(Dim::Offset);
  const std::string thread = part(Dim::Lane) + ":" + part(Dim::Register);
  return layout.inputBits(Dim::Warp) > 0 ? part(Dim::Warp) + "/" + thread : thread;
}

} // namespace

std::string text(const LinearLayout &layout) {
  std::string text = "{";
  for (const Extent &extent : layout.inputs()) {
    text += (text.size() > 1 ? ", " : "") + std::string(name(extent.dim)) + " = [";
    for (unsigned bit = 0; bit < extent.bits; ++bit) {
      text += bit > 0 ? ", [" : "[";
      bool first = true;
      for (const Coordinate &coordinate : layout.unpackOutput(layout.basis(extent.dim, bit))) {
        text += (first ? "" : ", ") + std::to_string(coordinate.value);
        first = false;
      }
      text += "]";
    }
    text += "]";
  }
  return text + "}";
}

std::string table(const LinearLayout &layout) {
  std::vector<std::string> cells(layout.outputSize());
  std::size_t width = 1;
  for (uint64_t input = layout.inputSize(); input-- > 0;) {
    std::string &at = cells[layout.apply(input)];
    at = cell(layout, input);
    width = std::max(width, at.size());
  }
  const uint64_t columns = layout.outputs().empty() ? 1 : layout.outputs().back().size();
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string &at = cells[i].empty() ? "-" : cells[i];
    text += std::string(width - std::min(width, at.size()), ' ') + at + ((i + 1) % columns == 0 ? "\n" : " ");
  }
  return text;
}

} // namespace tilescope::layout
