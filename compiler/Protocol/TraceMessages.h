// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stepping through one program of a launch: tilescope/trace/*, asked of the run process about its last run.
//
// A *position* is the number of steps carried out, from 0 to `steps`; a step is one operation of the source.
// Each question says the position that it is about, so that answers depend on nothing asked before. One trace
// is open at a time: opening another, or another run, closes it ("unknown-trace").
#pragma once

#include "compiler/Protocol/Messages.h"

namespace tilescope::protocol {

struct TraceOpenRequest { // tilescope/trace/open
  int64_t run = 0;
  int launch = 0;
  int64_t program = 0;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("launch", s.launch), v("program", s.program);
  }
};
struct TraceInfo { // result of tilescope/trace/open
  int64_t trace = 0;
  std::array<int64_t, 3> ids{0, 0, 0}; ///< program_id of each axis
  int64_t steps = 0;
  int64_t lines = 0;   ///< runs of steps on one line
  std::string outcome; ///< "finished", "failed" (at its last step), "limit": there is more, not followed
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("trace", s.trace), v("ids", s.ids), v("steps", s.steps), v("lines", s.lines), v("outcome", s.outcome);
  }
};
struct TraceCloseRequest { // tilescope/trace/close; replies {}
  int64_t trace = 0;
  template <typename S, typename V> static void fields(S &s, V &v) { v("trace", s.trace); }
};

struct TraceTimelineRequest { // tilescope/trace/timeline
  int64_t trace = 0;
  int64_t first = 0; ///< a run of steps on one line, from 0
  int64_t count = 0; ///< at most 65,536 a request
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("trace", s.trace), v("first", s.first), v("count", s.count);
  }
};
/// Two numbers a run of steps on one line: the position at its end, and the line (from 1, of the innermost
/// function).
struct TraceTimeline {
  int64_t first = 0;
  Packed ends;
  template <typename S, typename V> static void fields(S &s, V &v) { v("first", s.first), v("ends", s.ends); }
};

/// A value of the source as it was when it was last made. Interpreted.
struct TraceValue {
  int value = 0;              ///< what tilescope/trace/elements calls it
  std::string name;           ///< of the variable; empty for what has none
  std::string text;           ///< of the expression that made it
  std::string type;           ///< "fp32", "pointer<fp32>"
  std::vector<int64_t> shape; ///< empty for a scalar
  int64_t made = 0;           ///< the position at which it was made
  bool uniform = false;       ///< one element stands for all
  int64_t defined = 0, undefined = 0, padding = 0, outOfBounds = 0; ///< elements
  int64_t nan = 0;                                                  ///< among the defined
  int64_t on = 0;                                                   ///< not 0
  std::string least,
      most; ///< of the defined ones that are numbers; empty where there is none, and of pointers
  std::vector<std::string> tensors; ///< of pointers: the tensors that are meant
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("value", s.value), v("name", s.name), v("text", s.text), v("type", s.type), v("shape", s.shape);
    v("made", s.made), v("uniform", s.uniform), v("defined", s.defined), v("undefined", s.undefined);
    v("padding", s.padding), v("outOfBounds", s.outOfBounds), v("nan", s.nan), v("on", s.on);
    v("least", s.least), v("most", s.most), v("tensors", s.tensors);
  }
};
/// One operand of the `&` of a mask. Counts are elements of the mask's shape.
struct TraceConjunct {
  TraceValue value;
  std::vector<int64_t> shape; ///< broadcast to the mask's
  int64_t on = 0;
  int64_t offAlone = 0; ///< off by this conjunct and no other
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("value", s.value), v("shape", s.shape), v("on", s.on), v("offAlone", s.offAlone);
  }
};
struct TraceAccess {
  int access = 0; ///< index into LaunchSummary::accesses
  ElementCounts elements;
  std::vector<std::string> tensors; ///< that are meant
  std::optional<TraceValue> mask;
  std::vector<TraceConjunct> conjuncts; ///< of the mask, if it is an `&`
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("access", s.access), v("elements", s.elements), v("tensors", s.tensors), v("mask", s.mask);
    v("conjuncts", s.conjuncts);
  }
};

struct TraceStopRequest { // tilescope/trace/stop: what there is at a position
  int64_t trace = 0;
  int64_t position = 0;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("trace", s.trace), v("position", s.position);
  }
};
struct TraceStepRequest { // tilescope/trace/step; replies TraceStop
  int64_t trace = 0;
  int64_t position = 0;
  std::string by = "line"; ///< or "operation"
  int64_t count = 1;       ///< below 0: backwards. Ends at the ends of the program
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("trace", s.trace), v("position", s.position), v("by", s.by), v("count", s.count);
  }
};
struct TracePlace {
  std::string path;
  Range range;
  int line = 0; ///< from 1
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("path", s.path), v("range", s.range), v("line", s.line);
  }
};
struct TraceStop {
  int64_t position = 0;
  int64_t line = 0;                ///< runs of steps on one line that have begun
  std::string operation;           ///< of the step that led here: "load"; empty at position 0
  TracePlace place;                ///< of that step
  std::vector<TracePlace> callers; ///< the calls that led there, the innermost first
  std::vector<TraceValue> results; ///< of that step
  std::optional<TraceAccess> access;
  std::vector<TraceValue> variables; ///< of the function that the step is in
  int breakpoint = -1;               ///< of tilescope/trace/continue: the one that stopped it
  bool outOfTime = false;            ///< of tilescope/trace/continue: no stop yet; ask on from here
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("position", s.position), v("line", s.line), v("operation", s.operation), v("place", s.place);
    v("callers", s.callers), v("results", s.results), v("access", s.access), v("variables", s.variables);
    v("breakpoint", s.breakpoint), v("outOfTime", s.outOfTime);
  }
};

struct TraceElementsRequest { // tilescope/trace/elements
  int64_t trace = 0;
  int64_t position = 0;
  int value = 0;     ///< of a TraceValue at this position
  int64_t first = 0; ///< row-major
  int64_t count = 0; ///< at most 16,384 a request
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("trace", s.trace), v("position", s.position), v("value", s.value), v("first", s.first);
    v("count", s.count);
  }
};
/// `words` of an element: floats of up to 32 bits as fp32, fp64 and 64-bit integers (addresses) as their low
/// and high halves, other integers as int32, int1 as 0 or 1.
struct TraceElements {
  int64_t first = 0;
  int wordsPerElement = 1;
  Packed words;
  Packed kinds; ///< 0 defined, 1 undefined, 2 padding (`other`), 3 out of bounds; empty where all are defined
  std::vector<std::string> tensors; ///< of pointers: the names that `tensorOf` numbers
  Packed tensorOf;                  ///< of each pointer; empty where all have the first
  std::vector<int64_t> bases;       ///< addresses of the tensors
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("first", s.first), v("wordsPerElement", s.wordsPerElement), v("words", s.words), v("kinds", s.kinds);
    v("tensors", s.tensors), v("tensorOf", s.tensorOf), v("bases", s.bases);
  }
};
struct TraceAccessRequest { // tilescope/trace/access: of the access that led to a position
  int64_t trace = 0;
  int64_t position = 0;
  int64_t first = 0;
  int64_t count = 0; ///< at most 16,384 a request
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("trace", s.trace), v("position", s.position), v("first", s.first), v("count", s.count);
  }
};
/// Reads as TraceElements of pointers; `kinds`: 0 active, 1 masked off, 2 out of bounds.

struct Breakpoint {
  std::string path;
  int line = 0;          ///< from 1; stops when what stands there has been carried out
  std::string condition; ///< a Python expression over the variables; empty: always
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("path", s.path), v("line", s.line), v("condition", s.condition);
  }
};
struct TraceContinueRequest { // tilescope/trace/continue; replies TraceStop, at an end where nothing stops it
  int64_t trace = 0;
  int64_t position = 0;
  bool backwards = false;
  std::vector<Breakpoint> breakpoints;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("trace", s.trace), v("position", s.position), v("backwards", s.backwards);
    v("breakpoints", s.breakpoints);
  }
};
struct TraceProgramsRequest { // tilescope/trace/programs: needs no open trace
  int64_t run = 0;
  int launch = 0;
  Breakpoint breakpoint;
  int64_t first = 0;
  int64_t count = 0; ///< at most 65,536 a request
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("launch", s.launch), v("breakpoint", s.breakpoint), v("first", s.first);
    v("count", s.count);
  }
};
/// How often programs stop at a breakpoint. A page ends early where that takes long, with one at least.
struct TraceProgramPage {
  int64_t first = 0;
  Packed stops; ///< one number a program
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("first", s.first), v("stops", s.stops);
  }
};

struct TraceEvaluateRequest { // tilescope/trace/evaluate
  int64_t trace = 0;
  int64_t position = 0;
  std::string expression; ///< Python, over the variables
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("trace", s.trace), v("position", s.position), v("expression", s.expression);
  }
};
struct TraceAnswer {
  std::string text;       ///< as Python prints it
  std::string type;       ///< "int", "bool", "fp32[8, 16]"
  bool undefined = false; ///< undefined elements went into it
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("text", s.text), v("type", s.type), v("undefined", s.undefined);
  }
};

} // namespace tilescope::protocol
