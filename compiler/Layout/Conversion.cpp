// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Layout/Conversion.h"

#include "compiler/Layout/Bits.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tilescope::layout {
namespace {

/// Places of the result to places of the operand, part by part.
class Sources {
public:
  explicit Sources(LinearLayout map) : m_map(std::move(map)) {}

  unsigned bits(Dim dim) const { return m_map.inputBits(dim); }
  /// What bit `bit` of `from` adds to `to` of the operand.
  uint64_t part(Dim from, unsigned bit, Dim to) const {
    return m_map.basis(from, bit) >> m_map.outputShift(to) & (m_map.outputSize(to) - 1);
  }
  /// Whether every place reads from its own `dim`.
  bool stays(Dim dim) const {
    for (Dim from : {Dim::Register, Dim::Lane, Dim::Warp})
      for (unsigned bit = 0; bit < bits(from); ++bit)
        if (part(from, bit, dim) != (from == dim ? uint64_t(1) << bit : 0))
          return false;
    return true;
  }
  bool isIdentity() const {
    return stays(Dim::Register) && stays(Dim::Lane) && stays(Dim::Warp) &&
           m_map.inputBits(Dim::Register) == m_map.outputBits(Dim::Register);
  }
  const LinearLayout &map() const { return m_map; }

private:
  LinearLayout m_map;
};

/// Bits of registers that are the same in operand and result, whatever the others are.
std::vector<PackedBit> packedBits(const Sources &sources, unsigned bits) {
  std::vector<PackedBit> packed;
  auto isOnlyOnce = [&](uint64_t output) {
    return std::ranges::count_if(sources.map().columns(),
                                 [&](uint64_t column) { return (column & output) != 0; }) == 1;
  };
  for (unsigned bit = 0; bit < sources.bits(Dim::Register) && bits << packed.size() < 32; ++bit) {
    const uint64_t reg = sources.part(Dim::Register, bit, Dim::Register);
    const bool stays = sources.part(Dim::Register, bit, Dim::Lane) == 0;
    if (stays && std::has_single_bit(reg) && isOnlyOnce(reg << sources.map().outputShift(Dim::Register)))
      packed.push_back({unsigned(std::countr_zero(reg)), bit});
  }
  return packed;
}

uint64_t without(uint64_t value, uint64_t drop) {
  uint64_t result = 0;
  for (unsigned bit = 0, to = 0; value >> bit != 0; ++bit)
    if (!(drop >> bit & 1))
      result |= (value >> bit & 1) << to++;
  return result;
}

/// The same map between words.
Sources wordsOf(const Sources &sources, const std::vector<PackedBit> &packed) {
  uint64_t operand = 0, result = 0;
  for (PackedBit bit : packed) {
    operand |= uint64_t(1) << bit.operand;
    result |= uint64_t(1) << bit.result;
  }
  const LinearLayout kept = sources.map().withoutInputBits(Dim::Register, result);
  std::vector<Extent> outputs(kept.outputs().begin(), kept.outputs().end());
  for (Extent &output : outputs)
    if (output.dim == Dim::Register)
      output.bits -= unsigned(packed.size());
  const LinearLayout space({}, outputs, {});
  std::vector<uint64_t> columns;
  for (uint64_t column : kept.columns()) {
    std::vector<Coordinate> place = kept.unpackOutput(column);
    for (Coordinate &coordinate : place)
      if (coordinate.dim == Dim::Register)
        coordinate.value = without(coordinate.value, operand);
    columns.push_back(space.packOutput(place));
  }
  return Sources({{kept.inputs().begin(), kept.inputs().end()}, outputs, columns});
}

/// Chooses which register a lane fills in round i: i ^ S(lane), with a linear S such that what is read from
/// one lane in one round is one word. Lanes of which that cannot be said take turns: they differ in a bit of
/// `turns`.
class Rounds {
public:
  explicit Rounds(const Sources &words) : m_words(words) {
    for (unsigned bit = 0; bit < words.bits(Dim::Register); ++bit)
      m_reach.add(words.part(Dim::Register, bit, Dim::Lane), bit);
    for (unsigned lane = 0; lane < m_words.bits(Dim::Lane); ++lane) {
      const std::vector<uint64_t> candidates = candidatesOf(lane);
      const auto found = std::ranges::find_if(candidates, [&](uint64_t skew) { return accept(lane, skew); });
      if (found == candidates.end())
        m_turns |= uint64_t(1) << lane;
      m_skews.push_back(found == candidates.end() ? 0 : *found);
    }
  }

  /// S of each bit of lanes.
  const std::vector<uint64_t> &skews() const { return m_skews; }
  uint64_t turns() const { return m_turns; }

private:
  /// Best is one that makes the lane read from itself, or from one at the same distance in every round.
  std::vector<uint64_t> candidatesOf(unsigned lane) const {
    std::vector<uint64_t> candidates;
    if (auto home = m_reach.solve(m_words.part(Dim::Lane, lane, Dim::Lane) ^ uint64_t(1) << lane))
      candidates.push_back(*home);
    candidates.push_back(0);
    for (unsigned bit = 0; bit < m_words.bits(Dim::Register); ++bit)
      candidates.push_back(uint64_t(1) << bit);
    return candidates;
  }

  /// Whether lanes so far and this one read different words only from different lanes.
  bool accept(unsigned lane, uint64_t skew) {
    uint64_t from = m_words.part(Dim::Lane, lane, Dim::Lane), word = m_words.map().basis(Dim::Lane, lane);
    for (unsigned bit = 0; bit < m_words.bits(Dim::Register); ++bit)
      if (skew >> bit & 1) {
        from ^= m_words.part(Dim::Register, bit, Dim::Lane);
        word ^= m_words.map().basis(Dim::Register, bit);
      }
    Echelon lanes = m_lanes, places = m_places;
    const bool newLane = lanes.add(from, lane), newPlace = places.add(word, lane);
    if (newPlace && !newLane)
      return false;
    m_lanes = lanes;
    m_places = places;
    return true;
  }

  const Sources &m_words;
  Echelon m_reach; ///< lanes that registers lead to
  Echelon m_lanes, m_places;
  std::vector<uint64_t> m_skews;
  uint64_t m_turns = 0;
};

/// Each lane fills register `round ^ skew(lane)`; everything else stays as it is.
LinearLayout fillMap(const Sources &words, const std::vector<uint64_t> &skews) {
  const std::vector<Extent> places(words.map().inputs().begin(), words.map().inputs().end());
  LinearLayout space({}, places, {});
  std::vector<uint64_t> columns;
  for (const Extent &extent : places)
    for (unsigned bit = 0; bit < extent.bits; ++bit) {
      std::vector<Coordinate> place{{extent.dim, uint64_t(1) << bit}};
      if (extent.dim == Dim::Lane)
        place.push_back({Dim::Register, skews[bit]});
      columns.push_back(space.packOutput(place));
    }
  return {places, places, columns};
}

/// The same map for those lanes whose bits `turns` are the last bits of the round.
LinearLayout inTurns(const LinearLayout &map, uint64_t turns) {
  std::vector<Extent> inputs(map.inputs().begin(), map.inputs().end());
  inputs.front().bits += unsigned(std::popcount(turns));
  std::vector<uint64_t> columns, moved;
  for (const Extent &extent : map.inputs())
    for (unsigned bit = 0; bit < extent.bits; ++bit) {
      const bool isTurn = extent.dim == Dim::Lane && (turns >> bit & 1);
      columns.push_back(isTurn ? 0 : map.basis(extent.dim, bit));
      if (isTurn)
        moved.push_back(map.basis(extent.dim, bit));
    }
  columns.insert(columns.begin() + map.inputBits(Dim::Register), moved.begin(), moved.end());
  return {inputs, {map.outputs().begin(), map.outputs().end()}, columns};
}

/// How many rounds move nothing from lane to lane: those where what is read from, less the lane itself, is 0.
unsigned localRounds(const LinearLayout &from, uint64_t turns) {
  for (unsigned bit = 0; bit < from.inputBits(Dim::Lane); ++bit)
    if (!(turns >> bit & 1) && from.basis(Dim::Lane, bit) != uint64_t(1) << bit)
      return 0;
  for (unsigned bit = 0; bit < from.inputBits(Dim::Warp); ++bit)
    if (from.basis(Dim::Warp, bit) != 0)
      return 0;
  const auto rounds = from.columns().first(from.inputBits(Dim::Register));
  std::vector<uint64_t> moves(rounds.begin(), rounds.end());
  for (auto move = moves.end() - std::popcount(turns); move != moves.end(); ++move, turns &= turns - 1)
    *move ^= turns & -turns;
  return 1u << (moves.size() - Echelon(moves).rank());
}

Shuffles shufflesOf(const Sources &sources, unsigned bits) {
  Shuffles plan;
  plan.packed = packedBits(sources, bits);
  const Sources words = wordsOf(sources, plan.packed);
  const Rounds rounds(words);
  const Dim all[] = {Dim::Register, Dim::Lane, Dim::Warp}, reg[] = {Dim::Register}, lane[] = {Dim::Lane};
  const LinearLayout fill = fillMap(words, rounds.skews()), read = fill.compose(words.map());
  const LinearLayout inRounds = inTurns(read, rounds.turns());
  plan.turns = rounds.turns();
  plan.fill = inTurns(fill, rounds.turns()).sublayout(all, reg);
  plan.from = inRounds.sublayout(all, lane);

  // From (round, lane, warp) to (round, the lane that is read from, warp): the other way round, then to what
  // is read there.
  const std::vector<Extent> places(inRounds.inputs().begin(), inRounds.inputs().end());
  const LinearLayout space({}, places, {});
  std::vector<uint64_t> columns;
  for (const Extent &extent : places)
    for (unsigned bit = 0; bit < extent.bits; ++bit) {
      std::vector<Coordinate> place{{Dim::Lane, plan.from.basis(extent.dim, bit)}};
      if (extent.dim != Dim::Lane)
        place.push_back({extent.dim, uint64_t(1) << bit});
      columns.push_back(space.packOutput(place));
    }
  plan.send = LinearLayout(places, places, columns).pseudoInverse().compose(inRounds).sublayout(all, reg);

  plan.rounds = unsigned(inRounds.inputSize(Dim::Register));
  plan.localRounds = localRounds(plan.from, plan.turns);
  plan.instructions = (plan.rounds - plan.localRounds) * std::max(1u, bits / 32);
  return plan;
}

SharedExchange exchangeOf(const LinearLayout &operand, const LinearLayout &result, unsigned bits) {
  SharedExchange exchange;
  exchange.shared = exchangeLayout(operand, result, bits);
  exchange.bytes = operand.outputSize() * bits / 8;
  exchange.store = sharedAccess(operand, exchange.shared, bits, Direction::Store);
  exchange.load = sharedAccess(result, exchange.shared, bits, Direction::Load);
  return exchange;
}

} // namespace

std::string_view name(Movement movement) {
  static constexpr std::string_view names[] = {"none", "within-thread", "within-warp", "across-warps"};
  return names[std::size_t(movement)];
}

Conversion convert(const LinearLayout &operand, const LinearLayout &result, unsigned bits) {
  assert(bits >= 8 && bits <= 64 && operand.inputBits(Dim::Lane) == result.inputBits(Dim::Lane));
  assert(operand.inputBits(Dim::Warp) == result.inputBits(Dim::Warp));
  const Sources sources(result.invertAndCompose(operand));
  Conversion conversion{.sources = sources.map()};
  if (sources.isIdentity())
    return conversion;
  if (sources.stays(Dim::Lane) && sources.stays(Dim::Warp)) {
    conversion.movement = Movement::WithinThread;
    return conversion;
  }
  if (sources.stays(Dim::Warp)) {
    conversion.movement = Movement::WithinWarp;
    conversion.shuffles = shufflesOf(sources, bits);
  } else {
    conversion.movement = Movement::AcrossWarps;
    conversion.exchange = exchangeOf(operand, result, bits);
  }
  return conversion;
}

} // namespace tilescope::layout
