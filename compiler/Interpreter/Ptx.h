// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX that kernels write inline: parsed to steps over numbered registers of 64 bits, and run for one
// group of elements after another. Straight-line code only: arithmetic, bits, conversions, predicates, plain
// loads and stores. The machine has one thread on one multiprocessor: lane, warp and thread are 0, and its
// clocks count the operations that the program has carried out.
//
// Source: PTX ISA 8.7, chapter 9. What is approximate there is computed in fp64 and rounded once.
#pragma once

#include "compiler/Support/Result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::interp {

struct Frame;

/// The type of an instruction: `.f16x2` is a Float of 16 bits in 2 lanes.
struct PtxType {
  enum class Kind : uint8_t { Bits, Unsigned, Signed, Float, Brain, E4M3, E5M2, Predicate };
  Kind kind = Kind::Bits;
  uint8_t bits = 32; ///< of one lane
  uint8_t lanes = 1;

  bool isFloat() const { return kind >= Kind::Float && kind <= Kind::E5M2; }
  bool isSigned() const { return kind == Kind::Signed; }
};

enum class PtxRounding : uint8_t { Nearest, Zero, Down, Up };

/// Of ld and st.
struct PtxMemory {
  bool loads = false, stores = false;
  bool isStrong = false; ///< volatile, relaxed and what is stronger: may meet others
  bool acquires = false, releases = false;
  uint32_t access = 0; ///< its AccessDetail
};

struct PtxStep;
/// Carries out one step; false to stop the program.
using PtxFunction = bool (*)(const PtxStep &step, uint64_t *registers, Frame &frame);

struct PtxStep {
  PtxFunction function = nullptr;
  PtxType result, source; ///< they differ in conversions and wide products
  PtxRounding rounding = PtxRounding::Nearest;
  bool toInteger = false; ///< cvt rounds to a whole number
  bool flush = false;     ///< .ftz
  bool saturate = false;  ///< .sat: into [0, 1], an integer into its range
  bool isNaN = false;     ///< .NaN: min and max give NaN for one
  bool finite = false;    ///< .satfinite
  uint8_t comparison = 0; ///< of setp: what ptxComparison said
  char combine = 0;       ///< of setp: '&', '|' or '^' with its last source
  int32_t guard = -1;     ///< a predicate, or -1
  bool guardIsNegated = false;
  int64_t offset = 0; ///< of an address
  uint32_t text = 0;  ///< which instruction, for messages
  PtxMemory memory;
  std::vector<uint16_t> results, sources;
};

/// A place that is filled anew for each group.
enum class PtxSpecial : uint8_t {
  Zero,
  One,
  BlockX,
  BlockY,
  BlockZ,
  BlocksX,
  BlocksY,
  BlocksZ,
  Clock,
};

/// What comes from which ports, seen over the whole program.
struct PtxFlow {
  std::vector<std::vector<bool>> ports; ///< of each port: those whose values its own is made of
  std::vector<bool> addresses, stored;  ///< those that addresses, and what is stored, are made of
};

struct PtxProgram {
  uint32_t ports = 0;          ///< registers $0, $1 …: results, then operands
  std::vector<uint64_t> image; ///< all registers, constants set
  std::vector<PtxStep> steps;
  std::vector<std::string> texts; ///< of the instructions
  std::vector<std::pair<uint16_t, PtxSpecial>> specials;
  std::vector<std::pair<uint16_t, uint16_t>> ties; ///< copied before each run: to, from
  PtxFlow flow;
};

/// Parses `text` with LLVM's constraints. `ports`: how many registers the operands and results take. The
/// error's first argument is the instruction that is not known, or the constraints where their number is
/// wrong.
Result<PtxProgram> parsePtx(std::string_view text, std::string_view constraints, uint32_t ports);

PtxFlow ptxFlow(const PtxProgram &program); ///< PtxFlow.cpp

/// Runs the program on its registers, ports set; false after a finding that ends the launch.
bool runPtx(const PtxProgram &program, uint64_t *registers, Frame &frame);

//===- For the tables of instructions -------------------------------------------------------------===//

/// A row: an instruction's name with what tells it from others of that name ("mul" with "lo").
struct PtxRow {
  std::string_view name, form;
  PtxFunction function;
  uint8_t sources; ///< AnySources: the function counts them itself
  uint32_t kinds;  ///< bit k: a type of Kind k
};

inline constexpr uint8_t AnySources = 0xff;

constexpr uint32_t ptxKinds(std::initializer_list<PtxType::Kind> kinds) {
  uint32_t set = 0;
  for (PtxType::Kind kind : kinds)
    set |= uint32_t(1) << uint32_t(kind);
  return set;
}
inline constexpr uint32_t PtxIntegers =
    ptxKinds({PtxType::Kind::Bits, PtxType::Kind::Unsigned, PtxType::Kind::Signed, PtxType::Kind::Predicate});
inline constexpr uint32_t PtxFloats = ptxKinds({PtxType::Kind::Float, PtxType::Kind::Brain});

std::span<const PtxRow> ptxIntegerRows(); ///< PtxInteger.cpp
std::span<const PtxRow> ptxFloatRows();   ///< PtxFloat.cpp
std::span<const PtxRow> ptxMoveRows();    ///< PtxMove.cpp: mov, setp, selp, cvt, ld, st

/// Notes what follows `ld` or `st` and says how memory is to be reached; false if it is none of that.
bool ptxMemoryHint(std::string_view name, PtxMemory &memory);

/// The comparison of that name ("lt", "ltu", …), or -1.
int ptxComparison(std::string_view name);

/// The bits of a lane, extended by the type's sign.
uint64_t ptxLane(PtxType type, uint64_t bits, unsigned lane);
/// A float lane's value.
double ptxReal(PtxType type, uint64_t bits, unsigned lane);
/// A value rounded to a float type's bits.
uint64_t ptxBits(PtxType type, double value, PtxRounding rounding, bool saturatesFinite);
/// `whole` with a lane replaced.
uint64_t ptxPut(PtxType type, uint64_t whole, unsigned lane, uint64_t bits);

} // namespace tilescope::interp
