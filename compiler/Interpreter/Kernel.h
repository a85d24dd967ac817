// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter's code: instructions of one fixed size over preallocated slots of a frame. A slot holds a
// tile's elements one after another, row-major; a scalar is a tile of one element. Floats of at most 32 bits
// are kept as fp32 and rounded to their own format after each operation, i1 as a byte of 0 or 1, pointers as
// 64-bit addresses. Control flow is jumps. What an instruction needs beyond its operands stands in the tables
// of details; where it comes from, in its place.
//
// Assembler.h makes a Kernel, Machine.h runs one.
#pragma once

#include "compiler/Interpreter/Flow.h"
#include "compiler/Interpreter/Interpreter.h"
#include "compiler/Interpreter/Ptx.h"
#include "compiler/Interpreter/Steps.h"

#include <string>

namespace tilescope::interp {

struct Frame;
struct Instruction;

/// Carries out one instruction in a frame. Jumps set the frame's program counter.
using Handler = void (*)(Frame &frame, const Instruction &instruction);

/// Byte offset of a slot in a frame. While assembling: the number of a value.
using Slot = uint32_t;

struct Instruction {
  Handler handler = nullptr;
  Slot result = 0;
  Slot operands[3] = {0, 0, 0};
  uint32_t count = 1;  ///< elements that the loop runs over
  uint32_t detail = 0; ///< jump target, or index into the table of details that the handler reads
  uint32_t cost = 1;   ///< operations, for the limit
  uint8_t single = 0;  ///< bit k: operand k is one element for all
  uint8_t used = 0;    ///< bit k: operand k is there; bit 7: the result is
  uint8_t inPlace = 0; ///< bit k: the result may stand in the slot of operand k
};

inline constexpr uint8_t ResultUsed = 0x80;

/// Where an instruction stands in the source: a span and the calls through which a helper was inlined,
/// innermost first.
struct Place {
  SourceSpan span;
  std::vector<SourceSpan> calls;
};

enum class AtomicKind : uint8_t { Add, Max, Min, And, Or, Xor, Exchange, CompareExchange };

/// A load, store or atomic: instruction operands are address, mask and other (load), value (store, rmw), or
/// compare and value (cas).
struct AccessDetail {
  uint32_t site = 0; ///< index into accesses()
  ElementType element = ElementType::Float32;
  bool pointers = false; ///< elements are pointers (element is UInt64)
  uint32_t row = 1;      ///< elements of the innermost dimension: those likely to be a run
  Provenance provenance;
  AtomicKind atomic = AtomicKind::Add;
  bool isVolatile = false;                 ///< loads
  bool acquires = false, releases = false; ///< orders memory between programs
  bool resultUsed = true;                  ///< atomics
  uint32_t block = 0;                      ///< of a block of a tensor: 1 + its index into blocks()
  int32_t number = -1;                     ///< the operation's `tile.access`, for RunOptions::observe
};

/// What a block of a tensor says of its elements, dimension by dimension.
struct BlockDetail {
  struct Dimension {
    int64_t extent = 1;  ///< of the block
    Slot indices = 0;    ///< in the tensor: values of Int64
    bool single = false; ///< one index for all
    Slot size = 0;       ///< of the tensor: an Int64
  };
  std::vector<Dimension> dimensions;
};

/// Moves elements between slots: for each index of `shape`, to[toOffset + Σ i·toStrides] =
/// from[fromOffset + Σ i·fromStrides], in elements.
struct CopyDetail {
  std::vector<int64_t> shape, fromStrides, toStrides;
  int64_t fromOffset = 0, toOffset = 0;
};

/// A reduction or scan seen as [outer, length, inner] along its middle axis.
struct AxisDetail {
  uint32_t outer = 1, length = 1, inner = 1;
  bool reverse = false; ///< scans
};

enum class DotPrecision : uint8_t { Exact, Tf32, Tf32x3, Bf16x3, Bf16x6 };

/// batch products of MxK by KxN.
struct DotDetail {
  uint32_t batch = 1, m = 1, n = 1, k = 1;
  DotPrecision precision = DotPrecision::Exact;
};

/// result[o, i, n] = source[o, indices[o, i, n], n]: operands are source and indices (64 bits).
struct GatherDetail {
  uint32_t outer = 1, length = 1, indices = 1, inner = 1;
  std::vector<int64_t> shape; ///< of the result
};

/// An operand of a scaled product to fp32 of [batch, rows, columns]: operands are its elements and its
/// scales.
struct ScaledDetail {
  uint32_t batch = 1, rows = 1, columns = 1;
  bool packedRows = false, packedColumns = false; ///< e2m1, two in a byte along that dimension
  bool scalesRows = true;                         ///< a scale is for a row, else for a column
  uint32_t group = 0;                             ///< elements along K for each scale; 0 without scales
  bool realScales = false;                        ///< scales are floats, else exponents of powers of two
  bool ignoreNaN = false;
};

/// Where an operand or result of inline PTX stands among the ports of a group: `perPort` elements of `bytes`
/// side by side in one.
struct PortDetail {
  uint32_t first = 0, ports = 1, pack = 1, perPort = 1, bytes = 4;
};

/// A buffer in shared memory: operands are where it begins, in bytes, and all of shared memory, behind the
/// value that goes there.
struct SharedDetail {
  ElementType element = ElementType::Float32;
  uint32_t memoryBytes = 0;      ///< of all buffers
  std::vector<uint32_t> offsets; ///< of each element of the tile, in elements
};

struct MessageDetail {
  std::string text;
  std::vector<int64_t> shape;
};

struct PrintDetail {
  std::string prefix;
  bool hex = false;
  bool pointer = false;
  ElementType element = ElementType::Int32;
  std::vector<int64_t> shape;
  int operand = -1; ///< its number where a print has several, else -1
  bool hasValue = true;
};

/// A counted loop: operands of its begin are lower, upper and step; results stand in their own slots.
struct LoopDetail {
  ElementType type = ElementType::Int32;
  Slot induction = 0, step = 0, trips = 0; ///< trips: 64 bits, those that are left
  uint32_t target = 0;                     ///< begin: behind the loop; end: the body
};

/// The instructions of a loop, half-open.
struct LoopRange {
  uint32_t begin = 0, end = 0;
  uint32_t place = 0;
  bool waits = false; ///< a `while`, which may wait for another program
};

/// What a kernel's parameter looks like in the frame.
struct Parameter {
  std::string name;
  ElementType element = ElementType::Int32; ///< of a scalar
  bool pointer = false;
  Slot slot = 0; ///< of its 64 bits, and 8 bytes behind them its AllocationId
};

class Kernel {
public:
  const std::string &name() const { return m_name; }
  const std::vector<Parameter> &parameters() const { return m_parameters; }
  const std::vector<AccessSite> &accesses() const { return m_sites; }

  const std::vector<Instruction> &code() const { return m_code; }
  /// The place of an instruction, as an index into places().
  uint32_t placeOf(size_t instruction) const { return m_placeOf[instruction]; }
  const std::vector<Place> &places() const { return m_places; }
  const FlowDetail &flow(size_t instruction) const { return m_flows[instruction]; }
  const std::vector<std::vector<int64_t>> &shapes() const { return m_shapes; }

  const AccessDetail &access(uint32_t index) const { return m_access[index]; }
  const BlockDetail &block(uint32_t index) const { return m_blocks[index]; }
  const CopyDetail &copy(uint32_t index) const { return m_copies[index]; }
  const AxisDetail &axis(uint32_t index) const { return m_axes[index]; }
  const DotDetail &dot(uint32_t index) const { return m_dots[index]; }
  const GatherDetail &gather(uint32_t index) const { return m_gathers[index]; }
  const ScaledDetail &scaled(uint32_t index) const { return m_scaled[index]; }
  const PortDetail &port(uint32_t index) const { return m_ports[index]; }
  const PtxProgram &assembly(uint32_t index) const { return m_assemblies[index]; }
  const SharedDetail &shared(uint32_t index) const { return m_shared[index]; }
  const MessageDetail &message(uint32_t index) const { return m_messages[index]; }
  const PrintDetail &print(uint32_t index) const { return m_prints[index]; }
  const LoopDetail &loop(uint32_t index) const { return m_loops[index]; }

  /// For who steps through a program.
  const StepTable &steps() const { return m_steps; }

  /// Inner loops before those around them.
  const std::vector<LoopRange> &loopRanges() const { return m_loopRanges; }

  /// Bytes of a program's frame, and how its first bytes look before each program: constants.
  size_t frameBytes() const { return m_frameBytes; }
  const std::vector<std::byte> &image() const { return m_image; }

  /// Programs run one after another, in their order (though they give way while they wait): the kernel
  /// prints, uses what an atomic gave, or changes floats atomically.
  bool inProgramOrder() const { return m_inProgramOrder; }
  /// What every program costs at least: the operations before its first jump.
  uint64_t leastCost() const { return m_leastCost; }

private:
  friend class Assembler;

  std::string m_name;
  std::vector<Parameter> m_parameters;
  std::vector<AccessSite> m_sites;
  std::vector<Instruction> m_code;
  std::vector<uint32_t> m_placeOf;
  std::vector<Place> m_places;
  std::vector<FlowDetail> m_flows; ///< of each instruction
  std::vector<std::vector<int64_t>> m_shapes{{}};
  std::vector<AccessDetail> m_access;
  std::vector<BlockDetail> m_blocks;
  std::vector<CopyDetail> m_copies;
  std::vector<AxisDetail> m_axes;
  std::vector<DotDetail> m_dots;
  std::vector<GatherDetail> m_gathers;
  std::vector<ScaledDetail> m_scaled;
  std::vector<PortDetail> m_ports;
  std::vector<PtxProgram> m_assemblies;
  std::vector<SharedDetail> m_shared;
  std::vector<MessageDetail> m_messages;
  std::vector<PrintDetail> m_prints;
  std::vector<LoopDetail> m_loops;
  std::vector<LoopRange> m_loopRanges;
  StepTable m_steps;
  size_t m_frameBytes = 0;
  std::vector<std::byte> m_image;
  bool m_inProgramOrder = false;
  uint64_t m_leastCost = 0;
};

} // namespace tilescope::interp
