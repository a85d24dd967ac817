// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of a program's tiles mean nothing: those that a load masked off without `other`, and those
// read from memory that nobody wrote. They may be computed with; they are followed to where they matter (a
// reduction, a product, a stored element, a branch, an address …) and reported there, with the load that
// they come from. In checking mode elements that stand for padding, and indices that wrapped, are followed
// in the same way.
//
// A program without such elements has no shadow and pays a test of one flag an instruction. Flow.h says what
// each instruction does to the elements.
#pragma once

#include "compiler/Interpreter/Findings.h"

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tilescope::interp {

struct Frame;

class Shadow {
public:
  /// Is anything followed?
  bool active() const { return m_active; }
  /// For the next program of a frame. `checking`: padding and indices too.
  void start(const Kernel &kernel, bool checking);
  bool checking() const { return m_checking; }

  /// Elements first … first + count of the result of the present instruction, a load, are of this kind.
  void mark(Frame &frame, OriginKind kind, size_t first, size_t count, Address address = 0,
            AllocationId tensor = 0);
  /// For instructions that move elements themselves: a number for each element of a slot, 0 for none; null if
  /// none is followed. clean() takes all away, cleanMarks() gives numbers that are all 0, to be written.
  uint8_t *marksOf(Slot slot) const { return m_active && dirty(slot) ? m_marks.get() + slot : nullptr; }
  void clean(Slot slot) {
    if (m_active)
      setDirty(slot, false);
  }
  uint8_t *cleanMarks(Slot slot, size_t count) {
    setDirty(slot, true);
    return static_cast<uint8_t *>(std::memset(m_marks.get() + slot, 0, count));
  }

  //===- For who shows a program (Stepper.h) ---------------------------------------------------------===//
  /// What an element of a slot is marked as, in front of others padding that was not computed with; nothing
  /// for one that means what it says.
  std::optional<OriginKind> kindOf(Slot slot, size_t element) const;
  /// What has been reported is followed on.
  void revive();
  /// Takes over the marks of another shadow of the same kernel.
  void copyFrom(const Shadow &other, const Kernel &kernel);

  /// Carries the marks through an instruction that is about to be carried out, and reports what matters.
  void follow(Frame &frame, const Instruction &instruction);

private:
  /// An element's mark: 0 for none; else the number of its origin, and a bit if it was computed with since in
  /// a way that 0 does not survive. Where two meet the higher number wins: what is undefined over the rest.
  using Mark = uint8_t;
  static constexpr Mark Changed = 0x80, NumberMask = 0x7f, FirstUndefined = 64;

  struct Origin {
    uint32_t instruction = 0;
    OriginKind kind = OriginKind::Masked;
    Address address = 0; ///< of the first element, where it was read
    AllocationId tensor = 0;
    /// Of the first element. Wrapped: its operands; PreferredPadding: itself, and what it was preferred to.
    std::array<double, 2> values = {0, 0};
  };
  /// One step of follow().
  struct Step {
    Frame &frame;
    const Instruction &instruction;
    const FlowDetail &flow;
  };

  static Mark combined(Mark a, Mark b) {
    const Mark number = std::max<Mark>(a & NumberMask, b & NumberMask);
    return static_cast<Mark>(number | ((a | b) & Changed));
  }
  bool isUndefined(Mark mark) const {
    return (mark & NumberMask) >= FirstUndefined && m_live[mark & NumberMask];
  }
  bool is(Mark mark, OriginKind kind) const {
    return mark != 0 && m_live[mark & NumberMask] && m_origins[mark & NumberMask].kind == kind;
  }

  bool dirty(Slot slot) const { return m_dirty[slot / 8] != 0; }
  void setDirty(Slot slot, bool value) { m_dirty[slot / 8] = value; }
  /// The marks of an operand; null if it has none.
  const Mark *operand(const Step &step, unsigned index) const;
  static size_t stride(const Step &step, unsigned index) { return step.flow.operands[index] > 1; }
  /// The marks of the result, none set.
  Mark *freshResult(const Step &step);
  void setResult(const Step &step, const std::vector<Mark> &marks);
  void activate(const Kernel &kernel);
  Mark numberOf(uint32_t instruction, OriginKind kind);

  /// The marks of the operands put together, in m_scratch; false if there are none.
  bool gather(const Step &step, bool keep);
  void elementwise(const Step &step, bool keep);
  void dropAbsorbed(const Step &step);
  void select(const Step &step);
  void move(const Step &step);
  void reduce(const Step &step);
  void scan(const Step &step);
  void dot(const Step &step);
  void gatherElements(const Step &step);
  void histogram(const Step &step);
  void unpackScaled(const Step &step);
  void pick(const Step &step);
  void put(const Step &step);
  void toPorts(const Step &step);
  void assembly(const Step &step);
  void fromPorts(const Step &step);
  void access(const Step &step);
  void load(const Step &step);
  void exchange(const Step &step);
  void checkWrap(const Step &step);
  /// Does the instruction set only some of its result's elements?
  static bool isPartial(const FlowDetail &flow) {
    return flow.flow == Flow::Move || flow.flow == Flow::Put || flow.flow == Flow::ToPorts;
  }
  void carry(const Step &step);
  /// Where it matters that elements are undefined.
  void sink(const Step &step);
  /// Adds an element of an operand to those that a finding spans.
  static void include(Finding &finding, const Step &step, unsigned index, uint64_t element);
  /// Reports the undefined elements of an operand for which `matters(i)`.
  void report(const Step &step, FindingKind kind, unsigned index, const std::function<bool(size_t)> &matters);
  template <typename Matters> void reportWrapped(const Step &step, Matters matters);

  //===- Padding (ShadowPadding.cpp) -----------------------------------------------------------------===//
  struct Best;
  bool isPadding(Mark mark) const;
  static double valueOf(const Step &step, unsigned index, size_t element);
  bool standsAlone(const Step &step, unsigned index, size_t element) const;
  bool isUntouched(const Step &step, size_t element) const;
  void dropNeutral(const Step &step);
  /// `results`: the marks of the lines' results.
  void checkPadding(const Step &step, std::vector<Mark> &results);
  void checkExtreme(const Step &step, std::vector<Mark> &results);
  void checkSum(const Step &step);
  void checkSorted(const Step &step, const std::function<bool(size_t)> &isOn);
  void reportPadding(const Step &step, FindingKind kind, Mark mark, Finding finding);

  bool m_active = false, m_checking = false;
  std::unique_ptr<Mark[]> m_marks;   ///< of element i in slot s: at s + i
  std::vector<uint8_t> m_dirty;      ///< by slot / 8: may have marks
  std::array<Origin, 128> m_origins; ///< by number
  std::array<bool, 128> m_live = {}; ///< by number: known, and not reported yet
  Mark m_undefinedOrigins = 0, m_lesserOrigins = 0;
  Mark m_decided = 0; ///< what decided the way of a map's function for the present elements
  std::vector<Mark> m_scratch;
};

} // namespace tilescope::interp
