// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the window and `tilec serve` say to each other: JSON-RPC 2.0 framed as the Language Server Protocol
// does, LSP's own methods for what LSP covers, `tilescope/*` for the rest. One struct a message, with one
// list of its fields that both directions of JSON (Json.h) use. Standard library only.
//
// Two processes speak it. The *language service* (`tilec serve`) holds open documents and answers
// initialize, textDocument/{didOpen,didChange,didClose,hover,completion,inlayHint}, publishes diagnostics.
// The *run process* (`tilec serve --role=run`) carries out tilescope/run and then answers questions about
// that run (tiles, schedule, program) until the next one. Either may die; the window starts it again and
// loses nothing.
//
// Positions are LSP's: line from 0, character from 0 in UTF-16 units. Programs are numbered
// x + gridX * (y + gridY * z).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::protocol {

/// Raised by one with each incompatible change. Peers with different ones refuse each other in words.
inline constexpr int Version = 1;

/// Many numbers at once: little-endian int32, in base64 on the wire.
struct Packed {
  std::vector<int32_t> values;
};

// --- places and diagnostics ------------------------------------------------------------------------------

struct Position {
  uint32_t line = 0;
  uint32_t character = 0;
  friend bool operator==(const Position &, const Position &) = default;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("line", s.line), v("character", s.character);
  }
};

struct Range {
  Position start;
  Position end;
  friend bool operator==(const Range &, const Range &) = default;
  template <typename S, typename V> static void fields(S &s, V &v) { v("start", s.start), v("end", s.end); }
};

struct Note {
  std::string id; ///< catalogue key "note.<id>"
  std::vector<std::string> arguments;
  std::string uri;
  Range range;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("id", s.id), v("arguments", s.arguments), v("uri", s.uri), v("range", s.range);
  }
};

struct Fix {
  std::string id; ///< catalogue key "fix.<id>"
  std::vector<std::string> arguments;
  Range range;
  std::string replacement;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("id", s.id), v("arguments", s.arguments), v("range", s.range), v("replacement", s.replacement);
  }
};

/// What the IDE makes its own sentence from, in the reader's language.
struct DiagnosticData {
  std::vector<std::string> arguments;
  std::vector<Note> notes;
  std::optional<Fix> fix;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("arguments", s.arguments), v("notes", s.notes), v("fix", s.fix);
  }
};

/// An LSP diagnostic. `code` is the id; `message` is the English sentence for editors that know no catalogue.
struct Diagnostic {
  Range range;
  int severity = 1; ///< 1 error, 2 warning, 3 information
  std::string code;
  std::string source = "tilescope";
  std::string message;
  DiagnosticData data;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("range", s.range), v("severity", s.severity), v("code", s.code), v("source", s.source);
    v("message", s.message), v("data", s.data);
  }
};

struct PublishDiagnostics { // notification textDocument/publishDiagnostics
  std::string uri;
  std::optional<int64_t> version;
  std::vector<Diagnostic> diagnostics;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("uri", s.uri), v("version", s.version), v("diagnostics", s.diagnostics);
  }
};

// --- start -----------------------------------------------------------------------------------------------

struct Identity { // initializationOptions of initialize, and "tilescope" in its result
  int protocolVersion = Version;
  std::string buildId; ///< both programs come from one build, or they refuse each other
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("protocolVersion", s.protocolVersion), v("buildId", s.buildId);
  }
};

// --- documents (language service) ------------------------------------------------------------------------

struct TextDocumentItem {
  std::string uri;
  std::string languageId = "python";
  int64_t version = 0;
  std::string text;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("uri", s.uri), v("languageId", s.languageId), v("version", s.version), v("text", s.text);
  }
};
struct DidOpen { // notification textDocument/didOpen
  TextDocumentItem textDocument;
  template <typename S, typename V> static void fields(S &s, V &v) { v("textDocument", s.textDocument); }
};
struct VersionedDocument {
  std::string uri;
  int64_t version = 0;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("uri", s.uri), v("version", s.version);
  }
};
struct ContentChange {
  std::optional<Range> range; ///< absent: `text` is the whole document
  std::string text;
  template <typename S, typename V> static void fields(S &s, V &v) { v("range", s.range), v("text", s.text); }
};
struct DidChange { // notification textDocument/didChange
  VersionedDocument textDocument;
  std::vector<ContentChange> contentChanges;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("textDocument", s.textDocument), v("contentChanges", s.contentChanges);
  }
};
struct DocumentUri {
  std::string uri;
  template <typename S, typename V> static void fields(S &s, V &v) { v("uri", s.uri); }
};
struct DidClose { // notification textDocument/didClose
  DocumentUri textDocument;
  template <typename S, typename V> static void fields(S &s, V &v) { v("textDocument", s.textDocument); }
};
struct DocumentPosition { // textDocument/hover, textDocument/completion
  DocumentUri textDocument;
  Position position;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("textDocument", s.textDocument), v("position", s.position);
  }
};
struct MarkupContent {
  std::string kind = "markdown";
  std::string value;
  template <typename S, typename V> static void fields(S &s, V &v) { v("kind", s.kind), v("value", s.value); }
};
struct HoverData {       ///< for the IDE's own words
  std::string name;      ///< "x", "tl.load"
  std::string type;      ///< "fp32[1024]"; empty if not known
  std::string signature; ///< of a library function
  std::string helpKey;   ///< catalogue key of its one-line help
  std::string value;     ///< of a name of the module: "1024"
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("name", s.name), v("type", s.type), v("signature", s.signature), v("helpKey", s.helpKey);
    v("value", s.value);
  }
};
struct Hover { // result, or null
  MarkupContent contents;
  std::optional<Range> range;
  HoverData data;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("contents", s.contents), v("range", s.range), v("data", s.data);
  }
};
struct CompletionItem {
  std::string label;
  int kind = 6;       ///< LSP: 3 function, 6 variable, 9 module, 14 keyword, 7 class
  std::string detail; ///< a type or a signature
  std::string helpKey;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("label", s.label), v("kind", s.kind), v("detail", s.detail), v("helpKey", s.helpKey);
  }
};
struct CompletionList { // result
  bool isIncomplete = false;
  std::vector<CompletionItem> items;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("isIncomplete", s.isIncomplete), v("items", s.items);
  }
};
struct InlayHintParams { // textDocument/inlayHint
  DocumentUri textDocument;
  Range range;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("textDocument", s.textDocument), v("range", s.range);
  }
};
struct InlayHint { // result: a list. One a line, at the line's end
  Position position;
  std::string label; ///< a type and shape: "fp32[1024]"
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("position", s.position), v("label", s.label);
  }
};

// --- a run (run process) ---------------------------------------------------------------------------------

struct Buffer { ///< an editor's text that goes before the file on disk
  std::string path;
  std::string text;
  template <typename S, typename V> static void fields(S &s, V &v) { v("path", s.path), v("text", s.text); }
};
struct RunRequest { // tilescope/run: replies RunReport when the script has ended
  int64_t run = 0;  ///< chosen by the window; comes back in every notification
  std::string path; ///< of the script; its folder is where imports are looked up
  std::string text;
  std::vector<Buffer> buffers;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("path", s.path), v("text", s.text), v("buffers", s.buffers);
  }
};
struct StopRequest { // notification tilescope/stop
  int64_t run = 0;
  template <typename S, typename V> static void fields(S &s, V &v) { v("run", s.run); }
};
struct Output { // notification tilescope/output
  int64_t run = 0;
  std::string text;
  template <typename S, typename V> static void fields(S &s, V &v) { v("run", s.run), v("text", s.text); }
};
struct FileDiagnostics {
  std::string path;
  std::vector<Diagnostic> diagnostics;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("path", s.path), v("diagnostics", s.diagnostics);
  }
};
struct RunReport { // result of tilescope/run
  int64_t run = 0;
  std::string outcome; ///< "finished", "failed", "stopped"
  double wallMs = 0;
  uint64_t launches = 0;
  uint64_t programs = 0;
  std::vector<FileDiagnostics> diagnostics;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("outcome", s.outcome), v("wallMs", s.wallMs), v("launches", s.launches);
    v("programs", s.programs), v("diagnostics", s.diagnostics);
  }
};

struct ElementCounts {
  uint64_t active = 0;
  uint64_t masked = 0;
  uint64_t outOfBounds = 0;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("active", s.active), v("masked", s.masked), v("out_of_bounds", s.outOfBounds);
  }
};
/// One load, store or atomic of the kernel, summed over the launch. Counted by the interpreter.
struct AccessSummary {
  int line = 0; ///< from 1
  Range range;
  std::string op; ///< "load", "store", "atomic"
  ElementCounts elements;
  uint64_t bytes = 0;
  std::string tensor;         ///< name of the tensor it means, else of the parameter
  std::string type;           ///< "fp32"
  std::vector<int64_t> shape; ///< of the tile
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("line", s.line), v("range", s.range), v("op", s.op), v("elements", s.elements), v("bytes", s.bytes);
    v("tensor", s.tensor), v("type", s.type), v("shape", s.shape);
  }
};
struct ArgumentSummary {
  std::string name;             ///< of the parameter
  std::string type;             ///< "pointer<fp32>", "int32", "constexpr"
  std::string value;            ///< "1024"; for a tensor its name in the script, where it has one
  std::vector<int64_t> shape;   ///< of a tensor
  std::vector<int64_t> strides; ///< in elements
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("name", s.name), v("type", s.type), v("value", s.value), v("shape", s.shape), v("strides", s.strides);
  }
};
/// A tensor that the launch stores to: what the "tiles on SMs" view cuts into tiles.
struct OutputTensor {
  std::string name;
  std::string type;
  std::vector<int64_t> shape;
  int64_t rows = 0;    ///< all dimensions but the last, multiplied
  int64_t columns = 0; ///< the last dimension
  int access = 0;      ///< index of the store in `accesses`
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("name", s.name), v("type", s.type), v("shape", s.shape), v("rows", s.rows), v("columns", s.columns);
    v("access", s.access);
  }
};
struct LaunchSummary { // also the payload of notification tilescope/launch
  int64_t run = 0;
  int launch = 0; ///< index in the run, from 0
  std::string kernel;
  std::string path; ///< of the file with the launching call
  int line = 0;     ///< of the call, from 1
  std::string kernelPath;
  int kernelLine = 0;    ///< of the kernel's `def`
  int kernelEndLine = 0; ///< of its last line
  std::array<int64_t, 3> grid{1, 1, 1};
  uint64_t programs = 0;
  int numWarps = 4;
  int numStages = 3;
  std::vector<ArgumentSummary> arguments;
  std::vector<AccessSummary> accesses;
  std::vector<OutputTensor> outputs;
  double wallMs = 0; ///< on the interpreter
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("launch", s.launch), v("kernel", s.kernel), v("path", s.path), v("line", s.line);
    v("kernelPath", s.kernelPath), v("kernelLine", s.kernelLine), v("kernelEndLine", s.kernelEndLine);
    v("grid", s.grid), v("programs", s.programs), v("num_warps", s.numWarps), v("num_stages", s.numStages);
    v("arguments", s.arguments), v("accesses", s.accesses), v("outputs", s.outputs), v("wall_ms", s.wallMs);
  }
};

// --- questions about a run (run process) -----------------------------------------------------------------

struct TilesRequest { // tilescope/tiles
  int64_t run = 0;
  int launch = 0;
  int output = 0; ///< index into LaunchSummary::outputs
  int64_t first = 0;
  int64_t count = 0; ///< at most 65,536 a request
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("launch", s.launch), v("output", s.output), v("first", s.first), v("count", s.count);
  }
};
/// Which part of the output each program wrote: four numbers a program (row begin, row end, column begin,
/// column end; half-open, elements), all -1 for one that wrote nothing. Interpreted.
struct TilePage {
  int64_t first = 0;
  Packed tiles;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("first", s.first), v("tiles", s.tiles);
  }
};

struct ProgramRequest { // tilescope/program
  int64_t run = 0;
  int launch = 0;
  int64_t program = 0;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("run", s.run), v("launch", s.launch), v("program", s.program);
  }
};
struct ProgramAccess {
  int access = 0; ///< index into LaunchSummary::accesses
  ElementCounts elements;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("access", s.access), v("elements", s.elements);
  }
};
struct ProgramDetail {
  int64_t program = 0;
  std::array<int64_t, 3> ids{0, 0, 0}; ///< program_id of each axis
  std::vector<ProgramAccess> accesses;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("program", s.program), v("ids", s.ids), v("accesses", s.accesses);
  }
};

struct GpuInfo {
  std::string name; ///< "H200": also what requests say
  std::string computeCapability;
  int sms = 0;
  int maxWarpsPerSm = 0;
  int maxProgramsPerSm = 0;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("name", s.name), v("computeCapability", s.computeCapability), v("sms", s.sms);
    v("maxWarpsPerSm", s.maxWarpsPerSm), v("maxProgramsPerSm", s.maxProgramsPerSm);
  }
};
struct GpuList { // result of tilescope/gpus, which takes nothing
  std::vector<GpuInfo> gpus;
  template <typename S, typename V> static void fields(S &s, V &v) { v("gpus", s.gpus); }
};

struct ScheduleRequest { // tilescope/schedule: needs no run, only numbers
  std::string gpu;
  int64_t programs = 0;
  int numWarps = 4;
  std::optional<int> registersPerThread;
  std::optional<int64_t> sharedBytes;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("gpu", s.gpu), v("programs", s.programs), v("num_warps", s.numWarps);
    v("registersPerThread", s.registersPerThread), v("sharedBytes", s.sharedBytes);
  }
};
/// What one resource of an SM allows.
struct OccupancyLimit {
  std::string resource;        ///< "warps", "programs", "registers", "sharedMemory"
  std::optional<int> programs; ///< an SM can hold so many; absent while not known
  int64_t needed = 0;          ///< by one program, in the resource's unit (warps, programs, registers, bytes)
  int64_t available = 0;       ///< on one SM
  bool limiting = false;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("resource", s.resource), v("programs", s.programs), v("needed", s.needed), v("available", s.available);
    v("limiting", s.limiting);
  }
};
/// Programs on SMs, modelled. With one slot an SM, program p of a wave runs on SM p; with several, nothing is
/// claimed about which program is where, only how many an SM holds.
struct Schedule {
  std::string gpu;
  int sms = 0;
  int slotsPerSm = 0;
  int64_t programs = 0;
  int64_t slotCount = 0; ///< sms * slotsPerSm ("slots" is a word of Qt's)
  double waves = 0;  ///< programs / slots
  int64_t waveCount = 0;
  int64_t lastWavePrograms = 0;
  Packed lastWaveCounts; ///< programs on each SM in the last wave, sorted from most to least
  std::vector<OccupancyLimit> limits;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("gpu", s.gpu), v("sms", s.sms), v("slotsPerSm", s.slotsPerSm), v("programs", s.programs),
        v("slots", s.slotCount);
    v("waves", s.waves), v("waveCount", s.waveCount), v("lastWavePrograms", s.lastWavePrograms);
    v("lastWaveCounts", s.lastWaveCounts), v("limits", s.limits);
  }
};

// --- errors ----------------------------------------------------------------------------------------------

/// `data` of a JSON-RPC error: what went wrong, in the catalogue's words ("error.<id>"), and whether asking
/// again can help.
struct ErrorData {
  std::string id;
  std::vector<std::string> arguments;
  bool retryable = false;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("id", s.id), v("arguments", s.arguments), v("retryable", s.retryable);
  }
};

/// Every request may carry these beside its own fields, in "tilescope": {tag, deadlineMs, version}. A newer
/// request with the same tag replaces an older one, which is answered with error "replaced".
struct RequestOptions {
  std::string tag;
  std::optional<int64_t> deadlineMs;
  std::optional<int64_t> version;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("tag", s.tag), v("deadlineMs", s.deadlineMs), v("version", s.version);
  }
};

} // namespace tilescope::protocol
