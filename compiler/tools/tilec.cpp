// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tilec, the compiler as a command line. This file reads the arguments; the subcommands are in *Command.cpp.
#include "compiler/Model/GpuTable.h"
#include "compiler/Protocol/BuildId.h"
#include "compiler/Runtime/Cuda/HeldAddresses.h"
#include "compiler/Service/GpuTarget.h"
#include "compiler/tools/Commands.h"
#include "compiler/tools/Console.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <set>

using namespace tilescope;
using namespace tilescope::tools;

namespace {

constexpr std::string_view LanguageFlag = "--lang";

/// The language is needed before the arguments are read: for what is said about them.
Language languageOf(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == LanguageFlag && i + 1 < argc)
      return tilescope::languageOf(argv[i + 1]);
    if (argument.starts_with(LanguageFlag) && argument.substr(LanguageFlag.size()).starts_with('='))
      return tilescope::languageOf(argument.substr(LanguageFlag.size() + 1));
  }
  return languageOfEnvironment();
}

/// The command line as CLI11 knows it, with every word from the catalogue.
class CommandLine {
public:
  explicit CommandLine(Language language) : m_language(language) {
    m_app.description(help("about"));
    m_app.name("tilec");
    m_app.get_formatter()->label("Usage", help("usage"));
    m_app.get_formatter()->label("OPTIONS", help("options"));
    m_app.get_formatter()->label("SUBCOMMAND", help("command"));
    m_app.get_formatter()->label("SUBCOMMANDS", help("command"));
    m_app.get_formatter()->label("Positionals", help("arguments"));
    m_app.get_formatter()->label("REQUIRED", "");
    m_app.option_defaults()->group(help("options"));
    m_app.set_help_flag("-h,--help", help("help"));
    m_app.set_version_flag("--version", "tilec " + protocol::buildId(), help("version"));
    m_app.add_option("--lang", m_languageName, help("lang"))
        ->type_name("LANG")
        ->check(CLI::IsMember({"en", "fr", "zh"}));
    m_app.require_subcommand(1);
    m_app.fallthrough();
    addRun();
    addCheck();
    addCompile();
    addTrace();
    addBench();
    addServe();
  }

  int run(int argc, char **argv) {
    try {
      m_app.parse(argc, argv);
    } catch (const CLI::Success &request) {
      return m_app.exit(request); // --help, --version
    } catch (const CLI::ParseError &error) {
      complain(m_language, wrongUsage(error));
      complain(m_language, {"see-help", {}});
      return WrongUsage;
    }
    return m_command();
  }

private:
  std::string help(const std::string &name) const { return words(m_language, "tilec.help-" + name); }

  CLI::App *add(const std::string &name) {
    CLI::App *command = m_app.add_subcommand(name, help(name));
    command->group(help("commands"));
    return command;
  }
  void addRun() {
    CLI::App *command = add("run");
    command->add_option("FILE", m_run.file, help("file"))->required()->type_name("");
    command->add_option("--json", m_run.json, help("json"))->type_name("OUT");
    command->add_option("--threads", m_run.threads, help("threads"))
        ->type_name("N")
        ->check(CLI::Range(0u, 1024u));
    command->add_flag("--check", m_run.check, help("run-check"));
    addDevice(command, m_run.device);
    command->add_flag("--compare", m_run.compare, help("compare"));
    command->add_flag("--poison", m_run.poison, help("poison"));
    command->callback([this] { m_command = [this] { return runCommand(m_language, m_run); }; });
  }
  void addDevice(CLI::App *command, std::string &device) {
    command->add_option("--device", device, help("device"))->type_name("NAME")->check([](const std::string &name) {
      return name == "interpreter" || gpuNumber(name) ? std::string() : "--device: " + name;
    });
  }
  void addBench() {
    CLI::App *command = add("bench");
    command->add_option("FILE", m_bench.file, help("file"))->required()->type_name("");
    addDevice(command, m_bench.device);
    command->add_flag("--json", m_bench.json, help("trace-json"));
    command->add_flag("--schedule", m_bench.schedule, help("bench-schedule"));
    command->callback([this] { m_command = [this] { return benchCommand(m_language, m_bench); }; });
  }
  void addCheck() {
    CLI::App *command = add("check");
    CLI::Option *files = command->add_option("FILE", m_check.files, help("files"))->type_name("");
    command->add_flag("--run", m_check.run, help("check-run"));
    CLI::Option *kernels =
        command->add_option("--kernels", m_check.kernels, help("kernels"))->type_name("DIR")->excludes(files);
    command->add_option("--signatures", m_check.signatures, help("signatures"))
        ->type_name("FILE.json")
        ->needs(kernels);
    command->add_option("--json", m_check.json, help("survey-json"))->type_name("OUT")->needs(kernels);
    command->footer(help("signatures-format"));
    command->callback([this] { m_command = [this] { return checkOrSurvey(); }; });
  }
  int checkOrSurvey() {
    if (!m_check.kernels.empty())
      return surveyCommand(m_language, m_check);
    if (!m_check.files.empty())
      return checkCommand(m_language, m_check);
    complain(m_language, {"missing-argument", {"FILE"}});
    complain(m_language, {"see-help", {}});
    return WrongUsage;
  }
  void addCompile() {
    CLI::App *command = add("compile");
    command->add_option("FILE", m_compile.file, help("file"))->required()->type_name("");
    command->add_option("--kernel", m_compile.kernel, help("kernel"))->required()->type_name("K");
    command->add_option("--emit", m_compile.emit, help("emit"))
        ->required()
        ->type_name("KIND")
        ->check(CLI::IsMember({"ast", "tile", "stages", "llvm", "ptx", "cubin", "resources"}));
    command->add_option("--launch", m_compile.launch, help("launch"))
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--gpu", m_compile.gpu, help("compile-gpu"))->type_name("NAME")->check([](const std::string &name) {
      return service::targetNamed(name) ? std::string() : "--gpu: " + name;
    });
    command->callback([this] { m_command = [this] { return compileCommand(m_language, m_compile); }; });
  }
  void addGpu(CLI::App *command, std::string &gpu) {
    std::set<std::string> names;
    for (const model::Gpu &known : model::gpus())
      names.emplace(known.id);
    command->add_option("--gpu", gpu, help("gpu"))->type_name("NAME")->check(CLI::IsMember(std::move(names)));
  }
  void addTrace() {
    CLI::App *command = add("trace");
    command->add_option("FILE", m_trace.file, help("file"))->required()->type_name("");
    command->add_option("--launch", m_trace.launch, help("trace-launch"))
        ->required()
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--program", m_trace.program, help("trace-program"))
        ->type_name("P")
        ->check(CLI::NonNegativeNumber);
    command->add_flag("--json", m_trace.json, help("trace-json"));
    addGpu(command, m_trace.gpu);
    command->callback([this] { m_command = [this] { return traceCommand(m_language, m_trace); }; });
  }
  void addServe() {
    CLI::App *command = add("serve");
    command->add_option("--role", m_serve.role, help("role"))
        ->type_name("ROLE")
        ->check(CLI::IsMember({"language", "run"}));
    command->callback([this] { m_command = [this]() -> int { serveCommand(m_serve); }; });
  }

  /// What is wrong, out of CLI11's English sentence about it.
  Error wrongUsage(const CLI::ParseError &error) const {
    const std::string text = error.what();
    const std::string before = text.substr(0, text.find(':'));
    const std::string after = text.substr(std::min(text.find(": ") + 2, text.size()));
    if (dynamic_cast<const CLI::ExtrasError *>(&error))
      return {"unexpected-argument", {after}};
    const std::vector<std::string> left = m_app.remaining(true);
    if (m_app.get_subcommands().empty())
      return left.empty() ? Error{"missing-command", {}} : Error{"unexpected-argument", {left.front()}};
    if (dynamic_cast<const CLI::RequiredError *>(&error))
      return {"missing-argument", {text.substr(0, text.find(' '))}};
    if (dynamic_cast<const CLI::ArgumentMismatch *>(&error))
      return {"missing-value", {before}};
    const bool isConversion = dynamic_cast<const CLI::ConversionError *>(&error);
    return {"wrong-value", {isConversion ? after.substr(0, after.find(" =")) : before}};
  }

  const Language m_language;
  CLI::App m_app;
  std::string m_languageName;
  RunArguments m_run;
  CheckArguments m_check;
  CompileArguments m_compile;
  TraceArguments m_trace;
  BenchArguments m_bench;
  ServeArguments m_serve;
  std::function<int()> m_command;
};

} // namespace

/// Does anything here mean a GPU? Then the addresses of tensors have to be free.
static bool mayUseGpu(int argc, char **argv) {
  return std::any_of(argv, argv + argc, [](const char *argument) {
    const std::string_view text = argument;
    return text == "bench" || text == "serve" || text.find("cuda") != text.npos;
  });
}

int main(int argc, char **argv) {
  if (mayUseGpu(argc, argv))
    cuda::holdTensorAddressesOrRestart(argv);
  return CommandLine(languageOf(argc, argv)).run(argc, argv);
}
