// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of a script: a walk over the syntax tree. Read this file first; what each group of functions does
// stands in Evaluator<Group>.cpp.
//
// An expression gives a Value, or nothing when something was raised; what was raised waits in m_raised until
// a `try` takes it or the run ends with it. Errors of values and operations (Result) get their place by
// placed().
#pragma once

#include "compiler/Host/EvaluatorNames.h"
#include "compiler/Host/EvaluatorObjects.h"

#include <deque>
#include <map>

namespace tilescope::host {

using Maybe = std::optional<Value>;

enum class Flow : uint8_t { Next, Break, Continue, Return, Raised };

/// Where a module's globals keep the library that it imported `*` from; no name of Python's.
constexpr std::string_view StarImport = "*";

/// A call in progress, or the top level of a module.
struct Frame {
  std::shared_ptr<const syntax::Module> module;
  std::shared_ptr<Scope> globals;
  std::shared_ptr<Scope> scope;         ///< where names are set now; a comprehension has one of its own
  std::shared_ptr<Scope> functionScope; ///< of the call itself; of a class body, what stands around it
  bool inClass = false;
  const FunctionNames *names = nullptr; ///< null at the top level and in a class body
  std::string function;                 ///< its name, for notes; empty at the top level
  SourceSpan calledFrom;                ///< no file at the top level of the script
  std::shared_ptr<ClassObject> owner;   ///< the class that defines the method
  Value self;
  Value result;
};

/// What was raised and not yet caught.
struct Raised {
  Diagnostic diagnostic;
  Value exception; ///< an ExceptionObject or an instance
  bool quiet =
      false; ///< ends the run without being reported: a stop, or nothing to go on with in Mode::Check
  bool failed = false; ///< quiet because it has been reported already
};

/// The arguments of a call with their places.
struct CallSite {
  CallArguments arguments;
  std::vector<SourceRange> ranges; ///< of each argument, positional ones first, then keywords
  std::vector<SourceRange> names;  ///< of each keyword's name
  SourceRange call;
  SourceRange callee;
};

/// Does the class derive from an exception of Python's?
bool isExceptionType(const ClassObject &type);

/// The evaluator as kernels see it.
std::shared_ptr<HostCalls> forKernels(class Evaluation &evaluation);

class Evaluation : public OperationContext {
public:
  Evaluation(AddressSpace &memory, Launcher &launcher, EvaluatorOptions options);
  ~Evaluation() override;

  Outcome run(std::shared_ptr<const syntax::Module> script, Diagnostics &diagnostics);
  void declare(std::shared_ptr<const syntax::Module> script, const std::string &folder,
               const std::string &name);
  Maybe callAside(const FunctionObject &around, const Value &callee, std::vector<Value> arguments);
  const std::vector<std::shared_ptr<FunctionObject>> &jitFunctions() const { return m_jitFunctions; }
  const std::vector<NotedLaunch> &notedLaunches() const { return m_launches; }
  const std::shared_ptr<Scope> &globals() const { return m_globals; }

  void defer(std::function<void()> action) override;
  bool settle() override;
  bool stopRequested() const override;
  void charge(std::string_view operation, const OperationCost &cost) override;

  // For the functions of Functions*.cpp.

  /// An error that has been raised already; a function that gets nothing from call() gives it back.
  static Error raisedAlready() { return {"raised", {}}; }
  /// Counts a step; false when the run must end (m_raised is set).
  bool step();
  /// Counts many steps at once, for work that makes `count` values.
  bool steps(uint64_t count);
  Maybe call(const Value &callee, CallSite site);
  /// Calls a function with plain arguments, at the place of another call.
  Maybe call(const Value &callee, std::vector<Value> arguments, const CallSite &at);
  Result<Value> binaryOf(syntax::BinaryOperator op, const Value &left, const Value &right);
  Result<Value> compareOf(syntax::CompareOperator op, const Value &left, const Value &right);
  Result<Value> subscriptOf(const Value &value, const Value &index);
  /// A bool, or unknown.
  Result<Value> truthOf(const Value &value);
  Result<Value> lengthOf(const Value &value);
  Result<std::vector<Value>> elementsOf(const Value &value);
  Result<std::string> strOf(const Value &value);
  Result<std::string> reprOf(const Value &value);
  Result<Value> formatOf(const Value &value, std::string_view spec);
  /// `value.name`, or an error "no-attribute"; `wanted` false makes that a None without an error.
  Result<Value> attributeOf(const Value &value, std::string_view name);
  Result<bool> isInstance(const Value &value, const Value &type);
  Value typeOf(const Value &value);
  void print(std::string_view text);
  const DeviceProperties &device() const { return m_options.device; }
  /// Raises SystemExit with these arguments.
  void exit(SourceRange range, std::vector<Value> arguments);
  int exitStatus() const { return m_exitStatus; }
  /// Tells the reader something without ending anything.
  void inform(SourceRange range, Error what);
  /// The innermost call of a method, for super().
  const Frame &frame() const { return *m_frames.back(); }

  // EvaluatorKernels.cpp: what kernels that are compiled ask for.
  Result<Value> callForKernel(const Value &callee, CallArguments arguments);
  Result<Value> attributeForKernel(const Value &value, std::string_view name);
  std::optional<HostCalls::Record> recordOf(const Value &type);

private:
  Result<Value> forKernel(const std::function<Maybe(const CallSite &)> &action);

  // Evaluator.cpp
  Outcome finish(Flow flow, Diagnostics &diagnostics);
  bool exits(const Raised &raised);
  bool runLaunch(const LaunchRequest &request, const std::vector<DiagnosticNote> &notes);

  // EvaluatorErrors.cpp
  /// Raises at a range of the running module; always gives nothing.
  std::nullopt_t raise(SourceRange range, Error error);
  std::nullopt_t raise(SourceRange range, Error error, Value exception);
  std::nullopt_t raiseQuietly(bool failed);
  /// The value, or nothing with the error raised at `range`. An unknown value is one too.
  Maybe placed(SourceRange range, Result<Value> result);
  /// The same with a place under one argument if the operation blamed one.
  Maybe placed(const CallSite &site, Result<Value> result);
  std::vector<DiagnosticNote> callChain() const;
  void suggest(std::string_view name, const std::vector<std::string> &candidates, SourceRange range);
  void note(std::string id, SourceSpan span, std::vector<std::string> arguments = {});
  std::nullopt_t raiseUndefined(const syntax::Name &name);
  std::nullopt_t raiseUnsupported(SourceRange range, std::string what);
  /// Unknown in declare().
  Maybe raiseUnknownSymbol(SourceRange range, std::string_view symbol);
  Value exceptionFor(const Error &error);

  // EvaluatorStatements.cpp
  Flow execute(syntax::Body body);
  Flow execute(const syntax::Stmt &statement);
  Flow executeSimple(const syntax::Stmt &statement);
  Flow executeIf(const syntax::If &statement);
  Flow executeWhile(const syntax::While &statement);
  Flow executeFor(const syntax::For &statement);
  Flow executeForBody(const syntax::For &statement, const Value &item);
  Flow executeReturn(const syntax::Return &statement);
  Flow executeAssert(const syntax::Assert &statement);
  Flow executeFunction(const syntax::FunctionDef &statement);
  bool evaluateDefaults(const syntax::Arguments &arguments, FunctionObject &function);
  Maybe decorated(Value function, const syntax::Expr &decorator);
  /// Calls `visit` with each item of an iterable, until it gives something else than Next or Continue.
  Flow forEach(SourceRange range, const Value &iterable, const std::function<Flow(const Value &)> &visit);
  /// Nothing if raised, or if the truth is unknown, which ends the run quietly.
  std::optional<bool> condition(const syntax::Expr &test);
  std::optional<bool> decided(SourceRange range, const Value &value);

  // EvaluatorAssign.cpp
  bool assign(const syntax::Expr &target, const Value &value);
  void assignName(std::string_view name, const Value &value);
  bool unpack(SourceRange range, std::span<syntax::Expr *const> targets, const Value &value);
  bool assignAttribute(const syntax::Attribute &target, const Value &object, const Value &value);
  bool assignItem(SourceRange range, const Value &object, const Value &index, const Value &value);
  bool assignSlice(SourceRange range, ListObject &list, const SliceObject &slice, const Value &value);
  bool augment(const syntax::AugAssign &statement);
  Maybe augmented(const syntax::AugAssign &statement, const Value &left);
  bool remove(const syntax::Expr &target);

  // EvaluatorTry.cpp
  Flow executeRaise(const syntax::Raise &statement);
  Flow executeTry(const syntax::Try &statement);
  Flow handle(const syntax::Try &statement);
  std::optional<bool> matches(const syntax::ExceptHandler &handler, const Value &exception);
  Flow executeWith(const syntax::With &statement, size_t item = 0);
  Maybe exceptionOf(const syntax::Raise &statement);

  // EvaluatorExpressions.cpp
  Maybe evaluate(const syntax::Expr &expression);
  Maybe evaluateName(const syntax::Name &name);
  const Value *lookUp(std::string_view name, bool &unbound);
  Maybe evaluateBoolOp(const syntax::BoolOp &expression);
  Maybe evaluateCompare(const syntax::Compare &expression);
  Maybe evaluateBinary(const syntax::BinOp &expression);
  Maybe evaluateUnary(const syntax::UnaryOp &expression);
  Maybe evaluateIf(const syntax::IfExp &expression);
  Maybe evaluateSubscript(const syntax::Subscript &expression);
  Maybe evaluateAttribute(const syntax::Attribute &expression);
  Maybe evaluateSlice(const syntax::Slice &expression);
  Maybe evaluateLambda(const syntax::Lambda &expression);

  // EvaluatorDisplays.cpp
  std::optional<std::vector<Value>> evaluateItems(std::span<syntax::Expr *const> expressions);
  Maybe evaluateDict(const syntax::Dict &expression);
  Maybe evaluateSet(const syntax::Set &expression);
  bool generate(std::span<const syntax::Comprehension> generators, const std::function<bool()> &yield);
  template <typename Body> bool inOwnScope(Body body);
  Maybe evaluateList(const syntax::Expr &element, std::span<const syntax::Comprehension> generators,
                     bool asSet);
  std::optional<std::vector<Value>> comprehend(const syntax::Expr &element,
                                               std::span<const syntax::Comprehension> generators);
  Maybe evaluateDictComp(const syntax::DictComp &expression);
  Maybe evaluateJoined(const syntax::JoinedStr &expression);
  Maybe evaluateFormatted(const syntax::FormattedValue &expression);

  // EvaluatorOperators.cpp
  Result<Value> special(const Value &object, std::string_view method, std::vector<Value> arguments,
                        bool &found);
  Result<Value> unaryOf(syntax::UnaryOperator op, const Value &operand);
  Result<std::string> objectText(const Value &value);
  SourceRange m_at; ///< where operators that call methods of the script are called from

  // EvaluatorAttributes.cpp
  Result<Value> symbolAttribute(const SymbolObject &symbol, std::string_view name);
  Result<Value> instanceAttribute(const Value &value, std::string_view name);
  Result<Value> classAttribute(const Value &value, std::string_view name);
  Result<Value> functionAttribute(const Value &value, std::string_view name);
  Result<Value> bound(const Value &self, const Value &member, const std::shared_ptr<ClassObject> &owner);
  std::vector<std::string> attributeNames(const Value &value);
  std::nullopt_t raiseMissingJit(SourceRange range, const FunctionObject &function);

  // EvaluatorClasses.cpp
  Flow executeClass(const syntax::ClassDef &statement);
  void addFields(const syntax::ClassDef &statement, ClassObject &type);
  Maybe instantiate(const std::shared_ptr<ClassObject> &type, CallSite site);
  bool initializeFields(const std::shared_ptr<ClassObject> &type, Scope &fields, const CallSite &site);
  Maybe makeNamedTuple(const std::shared_ptr<ClassObject> &type, const CallSite &site);

  // EvaluatorCalls.cpp
  Maybe evaluateCall(const syntax::Call &expression);
  bool evaluateArguments(const syntax::Call &expression, CallSite &site);
  Maybe callSymbol(const SymbolObject &symbol, CallSite &site);
  Maybe callMethod(const BoundMethodObject &method, CallSite site);
  Maybe callNamedMethod(const Value &self, const std::string &name, CallSite &site);
  Maybe callTensorMember(const Operation &operation, CallSite &site);
  Maybe callFunction(const std::shared_ptr<FunctionObject> &function, const CallSite &site,
                     std::shared_ptr<ClassObject> owner = nullptr);
  bool bindArguments(const FunctionObject &function, const CallSite &site, Scope &scope);
  bool mayCall(SourceRange range);

  // EvaluatorLaunch.cpp
  Maybe launch(const KernelLaunchObject &launcher, const CallSite &site);
  bool takeOptions(CallSite &site, const FunctionObject &kernel, LaunchRequest &request);
  bool takeOption(std::string_view name, const Value &value, SourceRange range, LaunchRequest &request);
  bool applyConfig(const FunctionObject &kernel, CallSite &site);
  bool applyHeuristics(const FunctionObject &kernel, CallSite &site);
  Value givenArguments(const FunctionObject &kernel, const CallSite &site);
  std::optional<bool> resolveGrid(const KernelLaunchObject &launcher, const CallSite &site, const Value &meta,
                                  LaunchRequest &request);
  std::optional<int64_t> gridSize(const Value &value, SourceRange range, size_t axis);
  SourceRange rangeOf(const FunctionObject &kernel, const CallSite &site, std::string_view name);
  void hand(LaunchRequest request);

  // EvaluatorDeclare.cpp
  void declare(syntax::Body body);
  void declare(const syntax::Stmt &statement);
  void declareAside(syntax::Body body);
  void declareIf(const syntax::If &statement);
  void declareTry(const syntax::Try &statement);
  void declareClass(const syntax::ClassDef &statement);
  void declareFunction(const syntax::FunctionDef &statement);
  Value declareDecorated(const Value &function, const syntax::Expr &decorator);
  void forgetNames(const syntax::Stmt &statement);
  Value firstItem(const syntax::Expr &iterable);
  void enter(const std::shared_ptr<FunctionObject> &function);
  void setFirstCase(const Decorator &decorator, Scope &scope);
  void noteLaunches(const syntax::Stmt &statement);

  // Modules.cpp
  Flow executeImport(const syntax::Import &statement);
  Flow executeImportFrom(const syntax::ImportFrom &statement);
  bool importFrom(const syntax::Alias &alias, ModuleObject &module, const std::string &base);
  using ModulePtr = std::shared_ptr<ModuleObject>;
  /// A module of the script's folder by its dotted name, run if it has not been; null if there is none.
  /// Nothing when raised.
  std::optional<ModulePtr> localModule(const std::string &dotted, SourceRange range);
  std::optional<ModulePtr> localModuleWithParents(const std::string &dotted, SourceRange range);
  std::optional<ModulePtr> load(const std::string &dotted, SourceFilePtr file, SourceRange range);
  std::optional<std::string> absoluteName(const syntax::ImportFrom &statement);
  Flow runModule(std::shared_ptr<const syntax::Module> tree, const std::shared_ptr<Scope> &scope,
                 SourceSpan from);

  Frame &top() { return *m_frames.back(); }
  const FunctionNames &namesOfFunction(const syntax::FunctionDef &definition);
  std::shared_ptr<FunctionObject> makeFunction();

  Launcher &m_launcher;
  std::shared_ptr<HostCalls> m_forKernels; ///< what functions hold of this
  std::shared_ptr<const syntax::Module> m_script; ///< what is run or declared
  const EvaluatorOptions m_options;
  Diagnostics *m_diagnostics = nullptr;
  std::shared_ptr<Scope> m_globals;
  std::string m_folder; ///< of the script; with a trailing "/", or empty
  std::vector<Frame *> m_frames;
  std::optional<Raised> m_raised;
  std::vector<Value> m_handled; ///< exceptions whose handlers are running, for a bare `raise`
  uint64_t m_steps = 0;
  int m_exitStatus = 0;
  bool m_declaring = false;                 ///< in declare(): an error costs a value, and ends nothing
  bool m_mayCallScript = true;              ///< false within functions that are entered without being called
  std::vector<std::shared_ptr<FunctionObject>> m_jitFunctions;
  std::vector<std::shared_ptr<FunctionObject>>
      m_entered; ///< functions of the host, to be read or read already
  std::vector<NotedLaunch> m_launches;
  const char *m_stackTop = nullptr;
  std::deque<std::function<void()>> m_queue; ///< launches and fills that wait, in program order
  bool m_launchFailed = false;
  bool m_checkFailed = false; ///< a launch did not compile in Mode::Check, which goes on to the others
  std::unordered_map<const syntax::FunctionDef *, FunctionNames> m_names;
  std::map<std::string, ModulePtr> m_modules; ///< by dotted name
  std::vector<std::weak_ptr<Scope>> m_scopes; ///< that functions refer to: cleared at the end
};

} // namespace tilescope::host
