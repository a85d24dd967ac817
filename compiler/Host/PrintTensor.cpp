// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Host/PrintTensor.h"

#include "compiler/Host/TensorData.h"

#include <algorithm>
#include <charconv>

namespace tilescope::host {

namespace {

// torch's default print options.
constexpr int Precision = 4;
constexpr int64_t Threshold = 1000; ///< with more elements than this only the edges are shown
constexpr int64_t EdgeItems = 3;
constexpr size_t LineWidth = 80;

/// The indices along a dimension that are shown; -1 stands for "...".
Dims shownIndices(int64_t size, bool summarize) {
  Dims indices;
  for (int64_t i = 0; i < size; ++i) {
    const bool hidden = summarize && size > 2 * EdgeItems && i >= EdgeItems && i < size - EdgeItems;
    if (!hidden)
      indices.push_back(i);
    else if (i == EdgeItems)
      indices.push_back(-1);
  }
  return indices;
}

std::string fixedText(double value, std::chars_format format, int precision) {
  if (value != value)
    return "nan";
  if (std::isinf(value))
    return value < 0 ? "-inf" : "inf";
  char buffer[400];
  return {buffer, std::to_chars(buffer, buffer + sizeof(buffer), value, format, precision).ptr};
}

std::string wholeText(ElementType type, Number number) {
  if (type == ElementType::Bool)
    return number.integer != 0 ? "True" : "False";
  return type == ElementType::UInt64 ? std::to_string(static_cast<uint64_t>(number.integer))
                                     : std::to_string(number.integer);
}

/// How all the numbers that are shown are written: as whole numbers, with decimals or in powers of ten, to
/// one width.
class Formatter {
public:
  Formatter(const TensorObject &tensor, bool summarize) : m_type(tensor.type) {
    collect(tensor, 0, 0, summarize);
    if (isFloat(m_type))
      chooseMode();
    for (Number number : m_shown)
      if (!isFloat(m_type) || isOrdinary(number.real))
        m_width = std::max(m_width, text(number).size());
  }

  size_t width() const { return m_width; }
  std::string padded(Number number) const {
    std::string written = text(number);
    return std::string(m_width - std::min(m_width, written.size()), ' ') + written;
  }

private:
  /// Zeros, infinities and NaN do not decide how the others are written.
  static bool isOrdinary(double value) { return std::isfinite(value) && value != 0; }

  void collect(const TensorObject &tensor, size_t dim, int64_t offset, bool summarize) {
    if (dim == tensor.shape.size()) {
      m_shown.push_back(elementAt(tensor, offset));
      return;
    }
    for (int64_t i : shownIndices(tensor.shape[dim], summarize))
      if (i >= 0)
        collect(tensor, dim + 1, offset + i * tensor.strides[dim], summarize);
  }

  void chooseMode() {
    double least = std::numeric_limits<double>::infinity(), greatest = 0;
    for (Number number : m_shown) {
      if (!isOrdinary(number.real))
        continue;
      least = std::min(least, std::fabs(number.real));
      greatest = std::max(greatest, std::fabs(number.real));
      m_whole &= number.real == std::ceil(number.real);
    }
    m_powers = greatest > 0 && (greatest / least > 1000 || greatest > 1e8 || least < 1e-4);
  }

  std::string text(Number number) const {
    if (!isFloat(m_type))
      return wholeText(m_type, number);
    if (m_powers)
      return fixedText(number.real, std::chars_format::scientific, Precision);
    if (!m_whole)
      return fixedText(number.real, std::chars_format::fixed, Precision);
    return fixedText(number.real, std::chars_format::fixed, 0) + (std::isfinite(number.real) ? "." : "");
  }

  const ElementType m_type;
  std::vector<Number> m_shown;
  bool m_whole = true, m_powers = false;
  size_t m_width = 1;
};

class Printer {
public:
  Printer(const TensorObject &tensor, bool summarize)
      : m_tensor(tensor), m_summarize(summarize), m_formatter(tensor, summarize) {}

  /// The part of the tensor below `dim` that begins at `offset`; `indent` columns stand before it.
  std::string print(size_t dim, int64_t offset, size_t indent) const {
    const size_t rank = m_tensor.shape.size();
    if (dim == rank)
      return m_formatter.padded(elementAt(m_tensor, offset));
    if (dim + 1 == rank)
      return printRow(offset, indent);
    const std::string separator = "," + std::string(rank - dim - 1, '\n') + std::string(indent + 1, ' ');
    std::string text;
    for (int64_t i : shownIndices(m_tensor.shape[dim], m_summarize)) {
      text += text.empty() ? "" : separator;
      text += i < 0 ? "..." : print(dim + 1, offset + i * m_tensor.strides[dim], indent + 1);
    }
    return "[" + text + "]";
  }

private:
  std::string printRow(int64_t offset, size_t indent) const {
    const size_t perLine =
        std::max<size_t>(1, (LineWidth - std::min(LineWidth, indent)) / (m_formatter.width() + 2));
    std::string text;
    size_t written = 0;
    for (int64_t i : shownIndices(m_tensor.shape.back(), m_summarize)) {
      if (written > 0)
        text += written % perLine == 0 ? ",\n" + std::string(indent + 1, ' ') : ", ";
      text += i < 0 ? " ..." : m_formatter.padded(elementAt(m_tensor, offset + i * m_tensor.strides.back()));
      ++written;
    }
    return "[" + text + "]";
  }

  const TensorObject &m_tensor;
  const bool m_summarize;
  const Formatter m_formatter;
};

/// Goes on a new line where it does not fit any more.
std::string withSuffixes(std::string text, const std::vector<std::string> &suffixes, size_t indent) {
  const size_t lineStart = text.rfind('\n');
  size_t column = text.size() - (lineStart == std::string::npos ? size_t(-1) : lineStart) + 1;
  for (const std::string &suffix : suffixes) {
    if (column + suffix.size() + 2 > LineWidth) {
      text += ",\n" + std::string(indent, ' ') + suffix;
      column = indent + suffix.size();
    } else {
      text += ", " + suffix;
      column += suffix.size() + 2;
    }
  }
  return text + ")";
}

} // namespace

std::string printTensor(const TensorObject &tensor) {
  static constexpr std::string_view Prefix = "tensor(";
  const bool empty = tensor.elements() == 0;
  std::vector<std::string> suffixes;
  if (tensor.onGpu)
    suffixes.push_back("device='cuda:0'");
  if (empty && tensor.shape.size() != 1)
    suffixes.push_back("size=" + shapeText(tensor.shape));
  const bool usual = tensor.type == ElementType::Float32 ||
                     (!empty && (tensor.type == ElementType::Int64 || tensor.type == ElementType::Bool));
  if (!usual)
    suffixes.push_back("dtype=" + std::string(torchName(tensor.type)));
  std::string text(Prefix);
  text += empty ? "[]" : Printer(tensor, tensor.elements() > Threshold).print(0, 0, Prefix.size());
  return withSuffixes(std::move(text), suffixes, Prefix.size());
}

} // namespace tilescope::host
