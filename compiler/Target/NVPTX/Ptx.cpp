// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Target/NVPTX/Ptx.h"

#include "compiler/Target/NVPTX/Libdevice.h"
#include "compiler/Target/NVPTX/PtxVersion.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <algorithm>
#include <array>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace tilescope::nvptx {
namespace {

constexpr std::array<unsigned, 10> capabilities{75, 80, 86, 87, 89, 90, 100, 103, 120, 121};

/// NVPTX's pass that joins neighbouring accesses can be switched off only as on a command line.
void keepAccessesAsPlanned() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("disable-nvptx-load-store-vectorizer");
  assert(found != options.end());
  static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(true);
}

const llvm::Target *llvmTarget() {
  static const llvm::Target *target = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    keepAccessesAsPlanned();
    std::string error;
    return llvm::TargetRegistry::lookupTarget(llvm::Triple("nvptx64-nvidia-cuda"), error);
  }();
  return target;
}

std::unique_ptr<llvm::TargetMachine> machineFor(const llvm::Module &module, const codegen::Target &target) {
  const unsigned version = std::max(target.ptxVersion, ptxVersionFor(module, target));
  return std::unique_ptr<llvm::TargetMachine>(llvmTarget()->createTargetMachine(
      module.getTargetTriple(), target.cpu(), "+ptx" + std::to_string(version), llvm::TargetOptions(), std::nullopt,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

/// Collects what LLVM complains of, which it would print and then end the process for.
class Complaints final : public llvm::DiagnosticHandler {
public:
  explicit Complaints(std::string &text) : m_text(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(m_text);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      if (!m_text.empty())
        stream << "; ";
      info.print(printer);
    }
    return true;
  }

private:
  std::string &m_text;
};

void optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = false; // a thread has no vectors of numbers to fill
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = true; // pairs of fp16
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager calls;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(calls);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, calls, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
}

Result<std::string> emitPtx(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return Error{"ptx-failed", {"no assembly printer"}};
  passes.run(module);
  return text.str().str();
}

} // namespace

bool isKnown(const codegen::Target &target) {
  return std::ranges::count(capabilities, target.capability) > 0 && (!target.isArchSpecific || target.capability >= 90);
}

std::optional<codegen::Target> parseTarget(std::string_view name) {
  llvm::StringRef rest = name;
  codegen::Target target;
  if (!rest.consume_front("sm_"))
    return std::nullopt;
  target.isArchSpecific = rest.consume_back("a");
  if (rest.getAsInteger(10, target.capability) || !isKnown(target))
    return std::nullopt;
  return target;
}

Result<std::string> toPtx(llvm::Module &module, const codegen::Target &target,
                          llvm::function_ref<void(const llvm::Module &)> optimised) {
  std::string complaint;
  llvm::raw_string_ostream stream(complaint);
  if (llvm::verifyModule(module, &stream))
    return Error{"ptx-failed", {complaint}};
  std::unique_ptr<llvm::TargetMachine> machine = machineFor(module, target);
  if (!machine)
    return Error{"ptx-failed", {target.cpu()}};
  module.setDataLayout(machine->createDataLayout());

  llvm::LLVMContext &context = module.getContext();
  std::unique_ptr<llvm::DiagnosticHandler> before = context.getDiagnosticHandler();
  context.setDiagnosticHandler(std::make_unique<Complaints>(complaint));
  Result<std::string> ptx = std::string();
  if (std::optional<Error> error = linkLibdevice(module)) {
    ptx = *error;
  } else {
    optimise(module, *machine);
    if (optimised)
      optimised(module);
    ptx = emitPtx(module, *machine);
  }
  context.setDiagnosticHandler(std::move(before));
  if (ptx && !complaint.empty())
    return Error{"ptx-failed", {complaint}};
  return ptx;
}

} // namespace tilescope::nvptx
