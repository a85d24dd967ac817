// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the kernels of a file come: parsed, typed, compiled to verified tile IR, or why not. The file's
// host code is read and not run (host::Evaluator::declare), argument types are inferred or given
// (compiler/docs/frontend.md).
#pragma once

#include "compiler/Frontend/Frontend.h"
#include "compiler/Host/Evaluator.h"
#include "compiler/Service/KernelFolder.h"
#include "compiler/Service/Signatures.h"
#include "compiler/Support/Words.h"

namespace tilescope::service {

/// Why a kernel did not compile: its first diagnostic.
struct SurveyReason {
  std::string id;
  std::string file; ///< below the folder
  uint32_t line = 0;
  uint32_t column = 0;
  std::string text;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("id", s.id), v("file", s.file), v("line", s.line), v("column", s.column), v("text", s.text);
  }
};

/// One jit function.
struct SurveyedKernel {
  std::string file;
  std::string name; ///< with the functions and classes around it, "Test.run.kernel"
  uint32_t line = 0;
  uint32_t column = 0;
  std::string stage;                  ///< how far it came: "parsed", "typed" or "compiled"
  std::vector<std::string> arguments; ///< what it was compiled for, "x_ptr: *fp32:16"
  std::optional<SurveyReason> reason; ///< unless compiled
  std::vector<std::string> uses;      ///< places of the jit functions that its text names
  double milliseconds = 0;
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("file", s.file), v("kernel", s.name), v("line", s.line), v("column", s.column), v("stage", s.stage);
    v("arguments", s.arguments), v("reason", s.reason), v("uses", s.uses), v("milliseconds", s.milliseconds);
  }
  std::string place() const { return file + ":" + std::to_string(line); }
};

/// A file before its kernels are compiled.
struct SurveyedFile {
  std::string file;
  std::vector<SurveyedKernel> kernels; ///< in the order of the source; not yet compiled
  std::vector<std::string> launched;   ///< places of the jit functions that the file launches
  std::optional<SurveyReason> reason;  ///< if it cannot be read
  template <typename S, typename V> static void fields(S &s, V &v) {
    v("file", s.file), v("kernels", s.kernels), v("launched", s.launched), v("reason", s.reason);
  }
};

class FileSurvey {
public:
  /// Reads a file of the folder and what it imports. Words are made in `language`.
  FileSurvey(const KernelFolder &folder, const Signatures &signatures, const std::string &file,
             Language language);
  ~FileSurvey();

  const SurveyedFile &file() const { return m_file; }
  /// Compiles the i-th of the file's kernels.
  SurveyedKernel compile(size_t i) const;

private:
  void read(const std::string &file);
  frontend::Specialisation specialisation(size_t i) const;
  SurveyedKernel found(const FunctionObject &function) const;
  SurveyReason reason(const Diagnostic &diagnostic) const;
  std::string placeOf(const FunctionObject &function) const;
  std::string below(const std::string &path) const;

  const KernelFolder &m_folder;
  const Signatures &m_signatures;
  const Language m_language;
  SurveyedFile m_file;
  AddressSpace m_memory;
  std::unique_ptr<host::Launcher> m_launcher;
  std::unique_ptr<host::Evaluator> m_evaluator;
  std::vector<std::shared_ptr<FunctionObject>> m_functions; ///< of `m_file.kernels`
};

} // namespace tilescope::service
