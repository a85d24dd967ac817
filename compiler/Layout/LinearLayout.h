// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear layouts over F2: where each element of a tile lives, as one linear map between bits (Zhou et al.
// 2025, arXiv 2505.23819). A distributed layout maps (register, lane, warp, block) to coordinates of the
// tile, a shared one maps an offset in elements. Sizes are powers of two; coordinates add by exclusive or.
// Read compiler/docs/layout.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tilescope::layout {

/// What a coordinate counts. `Tile0` + k is the tile's dimension k.
enum class Dim : uint8_t { Register, Lane, Warp, Block, Offset, Tile0 };

constexpr Dim tileDim(unsigned k) { return Dim(unsigned(Dim::Tile0) + k); }
constexpr bool isTileDim(Dim dim) { return dim >= Dim::Tile0; }
/// "register", "lane", "warp", "block", "offset", "dim0" …
std::string_view name(Dim dim);

/// A dimension of 2^bits coordinates.
struct Extent {
  Dim dim = Dim::Register;
  unsigned bits = 0;
  uint64_t size() const { return uint64_t(1) << bits; }
  friend bool operator==(const Extent &, const Extent &) = default;
};

struct Coordinate {
  Dim dim = Dim::Register;
  uint64_t value = 0;
  friend bool operator==(const Coordinate &, const Coordinate &) = default;
};

/// A linear map over F2 from input dimensions to output dimensions. Both sides are packed into one number:
/// inputs with the FIRST dimension in the lowest bits (register, then lane, …), outputs with the LAST one in
/// the lowest bits, so that the packed output of a tile is the row-major number of its element. At most 63
/// bits a side.
class LinearLayout {
public:
  /// Nothing to nothing: the neutral element of operator*.
  LinearLayout() = default;
  /// `columns`: for each input bit, lowest first, the packed output that it adds.
  LinearLayout(std::vector<Extent> inputs, std::vector<Extent> outputs, std::vector<uint64_t> columns);

  /// Coordinate i goes to i, of 2^bits.
  static LinearLayout identity(Dim input, Dim output, unsigned bits);
  /// 2^bits inputs that all go to 0, of an output of 2^outputBits: replication.
  static LinearLayout zeros(Dim input, Dim output, unsigned bits, unsigned outputBits = 0);

  std::span<const Extent> inputs() const { return m_inputs; }
  std::span<const Extent> outputs() const { return m_outputs; }
  std::span<const uint64_t> columns() const { return m_columns; }
  unsigned inputBits() const { return unsigned(m_columns.size()); } ///< of all together
  unsigned outputBits() const;
  unsigned inputBits(Dim dim) const; ///< 0 for a dimension that is not there
  unsigned outputBits(Dim dim) const;
  uint64_t inputSize() const { return uint64_t(1) << inputBits(); }
  uint64_t outputSize() const { return uint64_t(1) << outputBits(); }
  uint64_t inputSize(Dim dim) const { return uint64_t(1) << inputBits(dim); }
  uint64_t outputSize(Dim dim) const { return uint64_t(1) << outputBits(dim); }
  bool hasInput(Dim dim) const;
  bool hasOutput(Dim dim) const;
  /// Where the bits of a dimension begin in the packed number.
  unsigned inputShift(Dim dim) const;
  unsigned outputShift(Dim dim) const;
  /// The packed output of bit `bit` of an input dimension.
  uint64_t basis(Dim dim, unsigned bit) const { return m_columns[inputShift(dim) + bit]; }

  uint64_t apply(uint64_t packed) const;
  /// Inputs that are not named are 0. One coordinate for each output, in order.
  std::vector<Coordinate> apply(std::span<const Coordinate> inputs) const;
  uint64_t packInput(std::span<const Coordinate> inputs) const;
  uint64_t packOutput(std::span<const Coordinate> outputs) const;
  std::vector<Coordinate> unpackInput(uint64_t packed) const;
  std::vector<Coordinate> unpackOutput(uint64_t packed) const;

  /// This, then `outer`: its inputs are this map's outputs by name; one that it lacks is dropped only if its
  /// size is 1.
  LinearLayout compose(const LinearLayout &outer) const;
  /// Side by side: of a dimension that both have, this one's bits are the lower ones. New dimensions go
  /// behind.
  friend LinearLayout operator*(const LinearLayout &inner, const LinearLayout &outer);
  /// The `q` with `inner` * q equal to this (dimensions in this map's order); nothing if there is none.
  std::optional<LinearLayout> quotient(const LinearLayout &inner) const;
  /// The inverse, for a map that is a bijection.
  LinearLayout inverse() const;
  /// A map back that is right wherever an output is reached: to the least solution, with free inputs 0. For
  /// outputs that no input reaches it means nothing.
  LinearLayout pseudoInverse() const;
  /// The conversion from this layout to `other`, of one tile: each input of this map to the input of `other`
  /// that reaches the same output. Needs `other` surjective onto what this map reaches. Where several do,
  /// each bit stays as near as it can: in its register, else its lane, else its warp, else its block.
  LinearLayout invertAndCompose(const LinearLayout &other) const;

  /// Only these inputs and outputs, in this order.
  LinearLayout sublayout(std::span<const Dim> inputs, std::span<const Dim> outputs) const;
  /// The same bits under other dimensions; the numbers of bits agree.
  LinearLayout reshapeInputs(std::vector<Extent> inputs) const;
  /// Row-major, as tile.reshape has it.
  LinearLayout reshapeOutputs(std::vector<Extent> outputs) const;
  /// The same dimensions in another order.
  LinearLayout transposeInputs(std::span<const Dim> order) const;
  LinearLayout transposeOutputs(std::span<const Dim> order) const;
  LinearLayout renameInput(Dim from, Dim to) const;
  LinearLayout renameOutput(Dim from, Dim to) const;
  /// Without the input bits of a dimension that `drop` has set.
  LinearLayout withoutInputBits(Dim dim, uint64_t drop) const;

  /// Bits of an input dimension that hold copies: 0, or the sum of bits before them (in the order of inputs).
  uint64_t freeVariableMask(Dim dim) const;
  unsigned rank() const;
  bool isSurjective() const { return rank() == outputBits(); }
  bool isInjective() const { return rank() == inputBits(); }

  friend bool operator==(const LinearLayout &, const LinearLayout &) = default;
  friend std::size_t hash_value(const LinearLayout &layout);

private:
  std::vector<Extent> m_inputs, m_outputs;
  std::vector<uint64_t> m_columns;
};

} // namespace tilescope::layout
