// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/Codegen.h"
#include "compiler/Service/Compile.h"
#include "compiler/Service/GpuTarget.h"
#include "compiler/Service/KernelResources.h"
#include "compiler/Service/RecordedScript.h"
#include "compiler/Service/Specialise.h"
#include "compiler/Service/Stages.h"
#include "compiler/Syntax/Dump.h"
#include "compiler/Syntax/Parser.h"
#include "compiler/tools/Commands.h"
#include "compiler/tools/Console.h"

#include <algorithm>

namespace tilescope::tools {
namespace {

int noSuchKernel(Language language, const CompileArguments &arguments) {
  complain(language, {"no-such-kernel", {arguments.kernel, arguments.file}});
  return WrongUsage;
}

int emitAst(Language language, const CompileArguments &arguments, const syntax::Module &module) {
  auto isKernel = [&](const syntax::Stmt *statement) {
    auto *function = syntax::dynCast<syntax::FunctionDef>(statement);
    return function && function->name == arguments.kernel;
  };
  auto found = std::ranges::find_if(module.body, isKernel);
  if (found == module.body.end())
    return noSuchKernel(language, arguments);
  syntax::Module alone;
  alone.file = module.file;
  alone.body = module.body.subspan(found - module.body.begin(), 1);
  std::fputs(syntax::dump(alone).c_str(), stdout);
  return Fine;
}

/// Each stage under a comment, parted as MLIR's `--split-input-file` has it.
void printStages(const CompileArguments &arguments, const FunctionObject &kernel,
                 const frontend::Specialisation &specialisation, Diagnostics &diagnostics) {
  const char *separator = "";
  const model::Gpu gpu = service::gpuLike(*service::targetNamed(arguments.gpu));
  for (const service::StageText &stage : service::printStages(kernel, specialisation, gpu, diagnostics)) {
    std::printf("%s// %s: %s\n%s", separator, stage.name.c_str(), stage.summary.c_str(), stage.ir.c_str());
    separator = "\n// -----\n\n";
  }
}

void printResources(Language language, const service::KernelCode &code, const service::KernelResources &found) {
  constexpr const char *Sources[] = {"assembler", "driver", "estimate"};
  const nvptx::Resources &resources = found.resources;
  auto number = [](int64_t value) { return std::to_string(value); };
  const bool isEstimate = found.source == service::ResourceSource::Estimate;
  std::vector<std::string> arguments{code.name, code.target.cpu(), number(resources.registers)};
  if (!isEstimate)
    arguments.insert(arguments.end(), {number(resources.stackBytes), number(resources.sharedBytes)});
  arguments.insert(arguments.end(), {number(code.sharedBytes), number(code.numWarps)});
  if (found.source == service::ResourceSource::Assembler)
    arguments.insert(arguments.end(), {number(resources.spillStores), number(resources.spillLoads)});
  std::puts(words(language, std::string("tilec.resources-") + Sources[int(found.source)], arguments).c_str());
}

/// What a GPU takes: LLVM IR, PTX, a cubin, or what that uses.
void emitCode(Language language, const CompileArguments &arguments, const FunctionObject &kernel,
              const frontend::Specialisation &specialisation, Diagnostics &diagnostics) {
  const service::CodegenOptions options{*service::targetNamed(arguments.gpu), arguments.emit == "llvm",
                                        arguments.emit == "resources"};
  const service::SourceClosure closure(kernel);
  const std::optional<service::KernelCode> code =
      service::generateCode(closure, specialisation, options, diagnostics);
  if (!code)
    return;
  if (arguments.emit == "llvm" || arguments.emit == "ptx") {
    std::fputs((arguments.emit == "llvm" ? code->llvm.text : code->ptx).c_str(), stdout);
    return;
  }
  if (arguments.emit == "resources") {
    const Result<service::KernelResources> resources = service::resourcesOf(*code);
    if (resources)
      printResources(language, *code, *resources);
    else
      service::reportTargetError(resources.error(), kernel, diagnostics);
    return;
  }
  const Result<nvptx::Cubin> cubin = service::assemble(*code);
  if (cubin)
    std::fwrite(cubin->image.data(), 1, cubin->image.size(), stdout);
  else
    service::reportTargetError(cubin.error(), kernel, diagnostics);
}

int emitTile(Language language, const CompileArguments &arguments,
             std::shared_ptr<const syntax::Module> module) {
  const service::RecordedScript script(std::move(module), arguments.file);
  const host::LaunchRequest *launch = script.find(arguments.kernel, arguments.launch);
  const FunctionObject *kernel = launch ? launch->kernel.get() : script.kernel(arguments.kernel);
  if (!kernel) {
    print(stderr, language, script.diagnostics());
    return noSuchKernel(language, arguments);
  }
  if (!launch && arguments.launch > 0) {
    complain(language, {"no-such-launch", {arguments.kernel, std::to_string(arguments.launch)}});
    return WrongUsage;
  }
  Diagnostics diagnostics;
  std::optional<frontend::Specialisation> specialisation =
      launch ? service::specialise(*launch, diagnostics) : frontend::inferSpecialisation(*kernel);
  if (specialisation && arguments.emit == "stages")
    printStages(arguments, *kernel, *specialisation, diagnostics);
  else if (specialisation && arguments.emit != "tile")
    emitCode(language, arguments, *kernel, *specialisation, diagnostics);
  else if (specialisation)
    std::fputs(service::printTileIr(*kernel, *specialisation, diagnostics).c_str(), stdout);
  return print(stderr, language, diagnostics) ? ScriptIsWrong : Fine;
}

} // namespace

int compileCommand(Language language, const CompileArguments &arguments) {
  SourceFilePtr file = readOrComplain(language, arguments.file);
  if (!file)
    return WrongUsage;
  Diagnostics diagnostics;
  std::shared_ptr<const syntax::Module> module = syntax::parse(file, diagnostics);
  if (print(stderr, language, diagnostics))
    return ScriptIsWrong;
  return arguments.emit == "ast" ? emitAst(language, arguments, *module)
                                 : emitTile(language, arguments, std::move(module));
}

} // namespace tilescope::tools
