// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times the kernels of interp_kernels.py in the interpreter, one thread: plain (bounds and undefined elements
// are checked), recording (what showing a program again needs is kept) and checking mode, which records too.
// The modes take turns, outputs are allocated anew for every launch, and the least time of each counts.
// Usage:
//
//   interp-bench [--kernels FILE] [--runs N] [--only KERNEL] [--json OUT] [--values FOLDER]
//
// --json says what was run and how long it took; --values writes each tensor's bytes to
// FOLDER/KERNEL.TENSOR.bin. Both are what interp-compare.py reads. Exits with 1 if a launch has findings,
// modes differ in an output, or a recorded program stores something else when it is run again.
#include "compiler/Dialect/Tile/IR/Tile.h"
#include "compiler/Interpreter/Flatten.h"
#include "compiler/Interpreter/RaceCheck.h"
#include "tests/Frontend/Script.h"
#include "tests/Interpreter/Harness.h"

#include <mlir/IR/MLIRContext.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

using namespace tilescope;
using namespace tilescope::interp;
using nlohmann::json;

namespace {

struct TensorSpec {
  std::string name;
  ElementType type; ///< fp16 or fp32
  std::vector<int64_t> shape;
  bool output = false;

  const char *typeName() const { return type == ElementType::Float16 ? "fp16" : "fp32"; }
  uint64_t elements() const {
    uint64_t count = 1;
    for (int64_t extent : shape)
      count *= static_cast<uint64_t>(extent);
    return count;
  }
  uint64_t bytes() const { return elements() * byteSize(type); }
};

/// Arguments: the tensors in the order of the parameters, then constants.
struct Case {
  std::string kernel;
  std::array<uint32_t, 3> grid;
  std::vector<TensorSpec> tensors;
  std::vector<std::pair<std::string, int64_t>> constants;
  double tolerance; ///< |ours - Triton's| <= tolerance · (1 + |Triton's|): sums in another order
};

const std::vector<Case> &cases() {
  constexpr int64_t Million = 1 << 20, Rows = 1024, Size = 512, Heads = 4, Dim = 64;
  constexpr ElementType F16 = ElementType::Float16, F32 = ElementType::Float32;
  static const std::vector<Case> list = {
      {"vector_add",
       {Million / 1024, 1, 1},
       {{"x", F32, {Million}}, {"y", F32, {Million}}, {"out", F32, {Million}, true}},
       {{"SIZE", Million}, {"BLOCK", 1024}},
       0},
      {"softmax",
       {Rows, 1, 1},
       {{"x", F32, {Rows, Rows}}, {"out", F32, {Rows, Rows}, true}},
       {{"COLUMNS", Rows}, {"BLOCK", Rows}},
       1e-6},
      {"layer_norm",
       {Rows, 1, 1},
       {{"x", F32, {Rows, Rows}},
        {"weight", F32, {Rows}},
        {"bias", F32, {Rows}},
        {"out", F32, {Rows, Rows}, true},
        {"mean", F32, {Rows}, true},
        {"rstd", F32, {Rows}, true}},
       {{"COLUMNS", Rows}, {"BLOCK", Rows}},
       1e-5},
      {"matmul",
       {Size / 64, Size / 64, 1},
       {{"a", F16, {Size, Size}}, {"b", F16, {Size, Size}}, {"c", F16, {Size, Size}, true}},
       {{"M", Size}, {"N", Size}, {"K", Size}, {"BLOCK_M", 64}, {"BLOCK_N", 64}, {"BLOCK_K", 32}},
       1e-3},
      {"attention",
       {Size / 64, Heads, 1},
       {{"q", F16, {Heads, Size, Dim}},
        {"k", F16, {Heads, Size, Dim}},
        {"v", F16, {Heads, Size, Dim}},
        {"out", F16, {Heads, Size, Dim}, true}},
       {{"LENGTH", Size}, {"DIM", Dim}, {"BLOCK_M", 64}, {"BLOCK_N", 64}},
       1e-3}};
  return list;
}

/// Values between -1 and 1, other ones for each tensor.
std::vector<std::byte> valuesOf(const TensorSpec &tensor, uint32_t seed) {
  std::vector<std::byte> bytes(tensor.bytes());
  uint32_t state = seed * 2654435761u + 1;
  for (uint64_t i = 0; i < tensor.elements(); ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const float value = static_cast<float>(static_cast<int32_t>(state)) * 0x1p-31f;
    if (tensor.type == ElementType::Float32) {
      std::memcpy(bytes.data() + i * 4, &value, 4);
    } else {
      const uint16_t half = test::toHalf(value);
      std::memcpy(bytes.data() + i * 2, &half, 2);
    }
  }
  return bytes;
}

std::shared_ptr<const Kernel> compiled(const frontend::test::Script &script, const Case &what) {
  const FunctionObject &function = script.function(what.kernel);
  frontend::Specialisation specialisation;
  const auto parameters = frontend::parameters(*function.definition);
  for (size_t i = 0; i < parameters.size(); ++i) {
    frontend::ArgumentSpec spec;
    if (i < what.tensors.size()) {
      spec = {frontend::ArgumentSpec::Kind::Pointer, what.tensors[i].type};
    } else if (i < what.tensors.size() + what.constants.size()) {
      spec.constant = Value(what.constants[i - what.tensors.size()].second);
    } else {
      spec.constant = function.defaults.at(std::string(parameters[i]->name));
    }
    specialisation.arguments.push_back(std::move(spec));
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  Diagnostics diagnostics;
  const auto module = frontend::compile(context, function, specialisation, diagnostics);
  return module ? flatten(
                      *module, [&](std::string_view) { return function.module->file; }, diagnostics)
                : nullptr;
}

enum Mode : uint8_t { Plain, Recording, Checking, Modes };
constexpr const char *ModeNames[Modes] = {"plain", "recording", "checking"};

/// One kernel in one mode, with tensors of its own.
class Bench {
public:
  Bench(Mode mode, const Case &what, const Kernel &kernel)
      : m_mode(mode), m_case(what), m_kernel(kernel),
        m_machine(mode == Plain ? 0 : AddressSpace::DefaultSnapshotBudget), m_ids(what.tensors.size()) {
    m_machine.options.threads = 1;
    m_machine.options.checking = mode == Checking;
    if (mode == Plain)
      m_machine.options.logBudget = 0;
    for (size_t i = 0; i < m_ids.size(); ++i)
      if (!what.tensors[i].output)
        m_ids[i] =
            m_machine.tensor(valuesOf(what.tensors[i], static_cast<uint32_t>(i + 1)), what.tensors[i].name);
  }

  void launch() {
    std::vector<Argument> arguments;
    for (size_t i = 0; i < m_ids.size(); ++i) {
      if (m_case.tensors[i].output) {
        if (m_ids[i])
          m_machine.memory().free(m_ids[i]);
        m_ids[i] = *m_machine.memory().allocate(m_case.tensors[i].bytes(), m_case.tensors[i].name);
      }
      arguments.push_back(m_machine.pointer(m_ids[i]));
    }
    const auto start = std::chrono::steady_clock::now();
    const RunResult result = m_machine.run(m_kernel, m_case.grid, arguments);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    m_least = std::min(m_least, taken.count());
    m_sound &= result.status == RunStatus::Finished && m_machine.diagnostics.empty();
    if (m_mode == Recording)
      m_sound &= canBeShownAgain(result, arguments);
  }

  double least() const { return m_least; }
  bool sound() const { return m_sound; }
  std::vector<std::byte> bytes(size_t tensor) const { return m_machine.values<std::byte>(m_ids[tensor]); }

private:
  /// Does the last program store again what stands in memory?
  bool canBeShownAgain(const RunResult &result, const std::vector<Argument> &arguments) {
    const uint64_t last = uint64_t(m_case.grid[0]) * m_case.grid[1] - 1;
    uint64_t stored = 0;
    bool equal = true;
    footprints(m_kernel, m_case.grid, arguments, m_machine.memory(), result.version, result.log.get(), last,
               [&](Address at, const std::byte *data, uint64_t bytes) {
                 stored += bytes;
                 equal &= std::memcmp(m_machine.memory().read(at), data, bytes) == 0;
               });
    return stored > 0 && equal;
  }

  const Mode m_mode;
  const Case &m_case;
  const Kernel &m_kernel;
  test::Machine m_machine;
  std::vector<AllocationId> m_ids; ///< of each tensor
  double m_least = 1e9;
  bool m_sound = true;
};

struct Options {
  std::string kernels = TILESCOPE_SOURCE_DIR "/tests/bench/interp_kernels.py";
  std::string json, values, only;
  int runs = 15;
};

json describe(const Case &what) {
  json tensors = json::array(), constants = json::object();
  for (const TensorSpec &tensor : what.tensors)
    tensors.push_back({{"name", tensor.name},
                       {"type", tensor.typeName()},
                       {"shape", tensor.shape},
                       {"output", tensor.output}});
  for (const auto &[name, value] : what.constants)
    constants[name] = value;
  return {{"kernel", what.kernel},
          {"grid", what.grid},
          {"tensors", tensors},
          {"constants", constants},
          {"tolerance", what.tolerance}};
}

/// Null after a failure, which has been said.
json measure(const frontend::test::Script &script, const Case &what, const Options &options) {
  const auto kernel = compiled(script, what);
  if (!kernel) {
    std::fprintf(stderr, "%s does not compile\n", what.kernel.c_str());
    return nullptr;
  }
  std::vector<std::unique_ptr<Bench>> benches;
  for (int mode = 0; mode < Modes; ++mode)
    benches.push_back(std::make_unique<Bench>(static_cast<Mode>(mode), what, *kernel));
  for (int run = 0; run < options.runs; ++run)
    for (const auto &bench : benches)
      bench->launch();

  json result = describe(what);
  for (int mode = 0; mode < Modes; ++mode) {
    bool sound = benches[mode]->sound();
    for (size_t i = 0; i < what.tensors.size(); ++i)
      sound &= benches[mode]->bytes(i) == benches[0]->bytes(i);
    if (!sound)
      return std::fprintf(stderr, "%s, %s: wrong\n", what.kernel.c_str(), ModeNames[mode]), nullptr;
    result["milliseconds"][ModeNames[mode]] = benches[mode]->least();
  }
  for (size_t i = 0; i < what.tensors.size() && !options.values.empty(); ++i) {
    const std::vector<std::byte> bytes = benches[0]->bytes(i);
    std::ofstream file(options.values + "/" + what.kernel + "." + what.tensors[i].name + ".bin",
                       std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  const double plain = benches[Plain]->least(), recording = benches[Recording]->least(),
               checking = benches[Checking]->least();
  std::printf("%-12s %10.2f %10.2f %10.2f %12.2f %10.2f\n", what.kernel.c_str(), plain, recording, checking,
              recording / plain, checking / plain);
  return result;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i], value = argv[i + 1];
    if (option == "--runs")
      options.runs = std::stoi(value);
    else if (std::string *text = option == "--kernels"  ? &options.kernels
                                 : option == "--json"   ? &options.json
                                 : option == "--values" ? &options.values
                                 : option == "--only"   ? &options.only
                                                        : nullptr)
      *text = value;
    else
      return std::fprintf(stderr, "unknown option %s\n", option.c_str()), 2;
  }
  std::ifstream file(options.kernels);
  std::stringstream text;
  text << file.rdbuf();
  const frontend::test::Script script(text.str());
  std::printf("one thread, least of %d, ms; a check for races may use %llu MiB\n", options.runs,
              static_cast<unsigned long long>(RaceCheck::Budget >> 20));
  std::printf("%-12s %10s %10s %10s %12s %10s\n", "kernel", "plain", "recording", "checking", "rec./plain",
              "ch./plain");
  json report = json::array();
  bool sound = true;
  for (const Case &what : cases()) {
    if (!options.only.empty() && options.only != what.kernel)
      continue;
    json result = measure(script, what, options);
    sound &= !result.is_null();
    if (!result.is_null())
      report.push_back(std::move(result));
  }
  if (!options.json.empty())
    std::ofstream(options.json) << report.dump(1) << "\n";
  return sound ? 0 : 1;
}
