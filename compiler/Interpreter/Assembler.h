// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a Kernel, instruction by instruction, over numbered values; finish() gives the values their slots. It
// knows nothing of MLIR: Flatten.h translates tile IR to calls of it.
#pragma once

#include "compiler/Interpreter/Operations.h"
#include "compiler/Support/Result.h"

#include <map>
#include <tuple>

namespace tilescope::interp {

/// A value: a tile's elements, or one element that stands for all of them (a scalar, a splat).
struct Operand {
  uint32_t value = 0;                    ///< its number
  ElementType type = ElementType::Int32; ///< UInt64 for pointers
  uint32_t stored = 1;                   ///< elements in its slot
  Provenance provenance;                 ///< of pointers; a Slot's index is the number of a value of UInt32
  bool spread = false;                   ///< its elements repeat along an axis

  unsigned slotBytes() const { return interp::slotBytes(type); }
};

class Assembler {
public:
  explicit Assembler(std::string name);

  /// The place of the instructions that follow.
  void setPlace(const Place &place);
  uint32_t place() const { return m_place; }
  void returnTo(uint32_t place) { m_place = place; }

  //===- Values ------------------------------------------------------------------------------------===//
  Operand parameter(std::string name, ElementType type, bool pointer);
  /// A number in the form that a slot holds; constants are made once and kept in the frame's image.
  Operand constant(ElementType type, uint64_t slotBits);
  Operand real(ElementType type, double value);
  Operand range(int32_t start, int32_t end);
  Operand fresh(ElementType type, uint32_t stored);
  /// The allocations that pointers are meant for, as a value of UInt32; looked up by address where need be.
  Operand provenanceValue(const Operand &pointer);

  //===- Operations --------------------------------------------------------------------------------===//
  /// Null handlers are an error of the caller. `operands` that hold one element serve all `count` of the
  /// loop.
  Instruction &emit(Handler handler, const Operand &result, std::initializer_list<Operand> operands,
                    uint32_t count, uint32_t detail = 0);
  /// Without a result.
  Instruction &emit(Handler handler, std::initializer_list<Operand> operands, uint32_t count,
                    uint32_t detail = 0);
  /// Gives the type of its operands, to which it rounds; comparisons i1.
  Operand elementwise(Op op, std::initializer_list<Operand> operands);
  bool has(Op op, ElementType type) const { return elementwiseHandler(op, type) != nullptr; }
  Operand select(const Operand &condition, const Operand &onTrue, const Operand &onFalse);
  Operand addPointer(const Operand &pointer, const Operand &offset, unsigned scale);
  Operand cast(const Operand &from, ElementType to, bool towardZero = false, bool saturate = false);
  Operand bitcast(const Operand &from, ElementType to);
  /// Rounded in place, if its type is a narrow float.
  Operand rounded(Operand value, bool towardZero = false, bool saturate = false);
  /// With all `count` elements in its slot.
  Operand full(const Operand &operand, uint32_t count);
  /// A new value of `stored` elements, some of which are those that `copy` moves.
  Operand moved(const Operand &from, uint32_t stored, CopyDetail copy);
  void moveInto(const Operand &to, const Operand &from, CopyDetail copy);
  void copyInto(const Operand &to, const Operand &from);
  /// Tries to compute `source` in the slot of `target`, to which the trip of a loop that began at `begin`
  /// assigns it at its end, so that no copy is needed. `target` must not be used after this.
  bool computeInPlace(const Operand &target, const Operand &source, uint32_t begin);

  /// Notes what the last instruction does to elements, where emit() cannot tell.
  void flow(Flow flow, std::vector<int64_t> shape = {});
  void flow(Flow flow, Op op, ElementType type, std::vector<int64_t> shape = {});

  /// Branches from `begin` on are those of a map's function: they only decide what its elements are.
  void branchesDecideElements(uint32_t begin);

  /// The last instruction reads this value too, through its detail.
  void keep(const Operand &operand);

  //===- Details -----------------------------------------------------------------------------------===//
  uint32_t site(AccessSite site);
  uint32_t detail(AccessDetail detail) { return add(m_kernel->m_access, std::move(detail)); }
  uint32_t detail(BlockDetail detail) { return add(m_kernel->m_blocks, std::move(detail)); }
  uint32_t detail(CopyDetail detail) { return add(m_kernel->m_copies, std::move(detail)); }
  uint32_t detail(AxisDetail detail) { return add(m_kernel->m_axes, std::move(detail)); }
  uint32_t detail(DotDetail detail) { return add(m_kernel->m_dots, std::move(detail)); }
  uint32_t detail(GatherDetail detail) { return add(m_kernel->m_gathers, std::move(detail)); }
  uint32_t detail(ScaledDetail detail) { return add(m_kernel->m_scaled, std::move(detail)); }
  uint32_t detail(PortDetail detail) { return add(m_kernel->m_ports, std::move(detail)); }
  uint32_t detail(PtxProgram detail) { return add(m_kernel->m_assemblies, std::move(detail)); }
  uint32_t detail(SharedDetail detail) { return add(m_kernel->m_shared, std::move(detail)); }
  uint32_t detail(MessageDetail detail) { return add(m_kernel->m_messages, std::move(detail)); }
  uint32_t detail(PrintDetail detail) { return add(m_kernel->m_prints, std::move(detail)); }
  void runInProgramOrder() { m_kernel->m_inProgramOrder = true; }

  //===- Control flow ------------------------------------------------------------------------------===//
  uint32_t position() const { return static_cast<uint32_t>(m_kernel->m_code.size()); }
  /// A jump whose target is set by landHere, or the target itself.
  uint32_t jump(uint32_t target = 0);
  uint32_t jumpUnless(const Operand &condition);
  void landHere(uint32_t jump);

  struct CountedLoop {
    uint32_t begin, detail; ///< its first instruction
    Operand induction;
    uint32_t firstStep = 0; ///< of the body
  };
  CountedLoop beginFor(const Operand &lower, const Operand &upper, const Operand &step);
  void endFor(const CountedLoop &loop);
  /// From `begin` to here is a loop that goes back to step `firstStep`; it may wait for another program.
  void endWhile(uint32_t begin, uint32_t firstStep);

  //===- Steps (Steps.h) ---------------------------------------------------------------------------===//
  /// What follows belongs to a new step, at the present place. Its number.
  uint32_t beginStep(std::string operation, bool isHidden = false);
  /// The results of the step stand in their slots from here on.
  void stepMade(uint32_t step) { m_kernel->m_steps.steps[step].made = position(); }
  /// Forgets the last step if no instruction and no variable came of it.
  void endStep(uint32_t step);
  uint32_t nextStep() const { return static_cast<uint32_t>(m_kernel->m_steps.steps.size()); }
  /// Completes `value` by where it stands; gives its index.
  uint32_t note(NotedValue value, const Operand &operand);
  StepTable &steps() { return m_kernel->m_steps; }

  /// Error "program-too-large" (kernel, bytes, limit).
  Result<std::shared_ptr<const Kernel>> finish();

  /// Bytes of a program's tiles at most.
  static constexpr uint64_t FrameLimit = uint64_t(1) << 30;

private:
  static constexpr uint32_t Unseen = ~uint32_t(0);
  struct Value {
    uint64_t bytes = 0;
    uint32_t first = Unseen, last = 0;
    int64_t fixed = -1;       ///< its offset in the image, for parameters and constants
    uint32_t shares = Unseen; ///< the value whose slot it uses, if not one of its own
  };

  template <typename T> static uint32_t add(std::vector<T> &table, T entry) {
    table.push_back(std::move(entry));
    return static_cast<uint32_t>(table.size() - 1);
  }
  static Handler elementwiseHandler(Op op, ElementType type);
  Operand fixed(ElementType type, uint32_t stored, size_t offset);
  size_t reserve(uint64_t bytes, uint64_t alignment);
  void touch(uint32_t value);
  /// The value whose slot this one uses.
  uint32_t owner(uint32_t value) const;
  void markInPlace(const Operand &result, std::initializer_list<Operand> operands);
  void addLoop(uint32_t begin, bool waits);
  void stretchLivesOverLoops();
  void noteFlow(Handler handler, std::initializer_list<Operand> operands);
  void findOffsets();
  uint64_t leastCost() const;
  void resolve(const std::vector<uint64_t> &offsets);

  std::shared_ptr<Kernel> m_kernel;
  std::vector<Value> m_values;
  uint32_t m_place = 0;
  std::map<std::pair<ElementType, uint64_t>, Operand> m_constants;
  std::map<std::pair<int32_t, int32_t>, Operand> m_ranges;
  std::vector<Operand> m_allocations; ///< of each parameter
  std::map<std::vector<uint64_t>, uint32_t> m_placeNumbers;
  std::map<std::vector<uint64_t>, uint32_t> m_siteNumbers;
};

} // namespace tilescope::interp
