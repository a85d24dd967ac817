// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Service/LaunchAccesses.h"

#include "compiler/Interpreter/Flatten.h"
#include "compiler/Model/GlobalAccess.h"
#include "compiler/Service/Server.h"
#include "compiler/Service/Stages.h"

#include "mlir/Parser/Parser.h"

#include <set>

namespace tilescope::service {
namespace {

using protocol::AccessCount, protocol::AccessDetail;

constexpr int64_t MaxRequestsPerPage = 256;
constexpr int64_t MaxRequestsKnown = 65536;
constexpr uint64_t LineBytes = 128;

protocol::Packed bases(const layout::LinearLayout &layout, layout::Dim dim) {
  protocol::Packed packed;
  for (unsigned bit = 0; bit < layout.inputBits(dim); ++bit)
    packed.values.push_back(int32_t(layout.basis(dim, bit)));
  return packed;
}

/// Which programs are counted first: those beside the chosen one, whose bytes its sectors may hold.
std::vector<int64_t> neighbours(int64_t program, const std::array<uint32_t, 3> &grid) {
  const int64_t row = grid[0], plane = row * grid[1];
  return {program, program - 1, program + 1, program - row, program + row, program - plane, program + plane};
}

} // namespace

/// The chosen execution of an access, as it comes by.
struct LaunchAccesses::Recorder {
  size_t place = 0;
  int64_t wanted = 0;
  const AccessCounter *counter = nullptr;

  int64_t executions = 0; ///< with an element on
  int32_t number = -1;    ///< of what was recorded
  std::vector<uint64_t> addresses;
  std::vector<uint8_t> mask;

  void observe(const interp::ObservedAccess &observed) {
    if (counter->placeOf(observed.number) != place)
      return;
    const bool isOn = !observed.isOff && (observed.mask.empty() || std::ranges::any_of(observed.mask, [](uint8_t on) {
                                            return on != 0;
                                          }));
    // One with nothing on is kept only as long as there is no other.
    if (isOn ? executions++ == wanted || number < 0 || isEmpty() : number < 0)
      record(observed);
  }
  bool isOn(size_t element) const { return mask.empty() || mask[element] != 0; }

private:
  bool isEmpty() const { return !mask.empty() && std::ranges::all_of(mask, [](uint8_t on) { return on == 0; }); }
  void record(const interp::ObservedAccess &observed) {
    number = observed.number;
    addresses.assign(observed.addresses.begin(), observed.addresses.end());
    mask.assign(observed.mask.begin(), observed.mask.end());
    if (observed.isOff)
      mask.assign(addresses.size(), 0);
  }
};

Result<std::unique_ptr<LaunchAccesses>> LaunchAccesses::make(std::shared_ptr<const CompiledKernel> kernel,
                                                             interp::LaunchAgain launch, const model::Gpu &gpu,
                                                             AddressSpace &memory) {
  const Error failed{"internal-error", {}};
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect>();
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kernel->bytecode, &context);
  Diagnostics diagnostics;
  if (!module || !lowerToStageTwo(*module, gpu, diagnostics))
    return failed;
  std::unique_ptr<LaunchAccesses> made(new LaunchAccesses(std::move(launch), kernel->code, memory));
  made->m_counter = std::make_unique<AccessCounter>(*module->getOps<tile::FuncOp>().begin(), memory, true);
  made->m_counter->setArguments(made->m_launch.arguments);
  auto resolver = [&](std::string_view path) -> SourceFilePtr {
    const auto found = std::ranges::find(kernel->files, path, [](const SourceFilePtr &file) { return file->path(); });
    return found == kernel->files.end() ? nullptr : *found;
  };
  made->m_launch.kernel = interp::flatten(*module, resolver, diagnostics);
  made->m_launch.log = nullptr;
  if (!made->m_launch.kernel || made->m_launch.kernel->parameters().size() != made->m_launch.arguments.size())
    return failed;
  made->m_isCounted.resize(size_t(made->programs()));
  return made;
}

const AccessPlace *LaunchAccesses::placeOf(int access) const {
  if (access < 0 || size_t(access) >= m_stageOne->accesses().size())
    return nullptr;
  const interp::AccessSite &site = m_stageOne->accesses()[size_t(access)];
  if (!site.span.file)
    return nullptr;
  const uint32_t line = site.span.file->line(site.span.range.begin);
  const uint32_t column = site.span.range.begin - site.span.file->lineRange(line).begin + 1;
  const auto found = std::ranges::find_if(m_counter->places(), [&](const AccessPlace &place) {
    return place.trace.line == int(line) && place.column == int(column) && place.trace.path == site.span.file->path();
  });
  return found == m_counter->places().end() ? nullptr : &*found;
}

bool LaunchAccesses::countProgram(int64_t program) {
  if (program < 0 || program >= programs() || m_isCounted[size_t(program)])
    return true;
  if (!interp::observeProgram(m_launch, m_memory, uint64_t(program),
                              [&](const interp::ObservedAccess &observed) { m_counter->count(observed); }))
    return false;
  m_isCounted[size_t(program)] = true;
  ++m_counted;
  return true;
}

AccessCount LaunchAccesses::countOf(const AccessPlace &place) const {
  return {m_counted, programs(), m_counter->trace(place, *m_launch.kernel)};
}

Result<AccessCount> LaunchAccesses::count(int access, double milliseconds) {
  const AccessPlace *place = placeOf(access);
  if (!place)
    return Error{"unknown-access", {std::to_string(access)}};
  const Clock::time_point start = Clock::now();
  while (m_counted < programs() && m_nextProgram < programs()) {
    if (!countProgram(m_nextProgram++))
      return Error{"evicted", {}};
    if (millisecondsSince(start) > milliseconds)
      break;
  }
  return countOf(*place);
}

/// The tensor's first byte as the kernel was given it; the allocation's where it was given no such pointer.
uint64_t LaunchAccesses::baseOf(const AccessPlace &place) const {
  if (place.tensor == 0)
    return 0;
  for (const interp::Argument &argument : m_launch.arguments)
    if (argument.allocation == place.tensor)
      return argument.bits;
  return m_memory.allocation(place.tensor).address;
}

void LaunchAccesses::describe(const Recorder &record, const AccessPlace &place, AccessDetail &detail) const {
  const model::AccessPlan &plan = m_counter->planOf(record.number);
  detail.shape = place.trace.shape;
  detail.elementBytes = int(plan.elementBytes);
  detail.vectorElements = int(plan.vectorElements());
  detail.instructions = int(plan.instructions());
  detail.warps = int(plan.warps());
  detail.layout.registers = bases(plan.layout, layout::Dim::Register);
  detail.layout.lanes = bases(plan.layout, layout::Dim::Lane);
  detail.layout.warps = bases(plan.layout, layout::Dim::Warp);
  detail.layout.vectorBits.values.assign(plan.vectorBits.begin(), plan.vectorBits.end());
  detail.layout.freeRegisters = int(plan.freeRegisters);
  detail.layout.freeLanes = int(plan.freeLanes);
  detail.layout.freeWarps = int(plan.freeWarps);
  detail.baseOffset = int(baseOf(place) % LineBytes);
  const int64_t requests = std::min(int64_t(plan.instructions()) * plan.warps(), MaxRequestsKnown);
  for (int64_t request = 0; request < requests; ++request) {
    uint32_t on = 0;
    for (unsigned lane = 0; lane < model::kWarpLanes; ++lane)
      if (const auto elements = plan.elements(unsigned(request / plan.warps()), unsigned(request % plan.warps()), lane))
        on |= uint32_t(record.isOn(elements->first())) << lane;
    detail.on.values.push_back(int32_t(on));
  }
}

void LaunchAccesses::addPage(const Recorder &record, const AccessPlace &place,
                             const protocol::AccessDetailRequest &request, AccessDetail &detail) const {
  const model::AccessPlan &plan = m_counter->planOf(record.number);
  const auto known = int64_t(detail.on.values.size());
  detail.first = std::clamp<int64_t>(request.first, 0, known);
  const int64_t end = std::min(known, detail.first + std::clamp<int64_t>(request.count, 0, MaxRequestsPerPage));
  const uint64_t base = baseOf(place);
  for (int64_t r = detail.first; r < end; ++r) {
    std::set<uint64_t> sectors;
    for (unsigned lane = 0; lane < model::kWarpLanes; ++lane) {
      const auto elements = plan.elements(unsigned(r / plan.warps()), unsigned(r % plan.warps()), lane);
      const bool isOn = uint32_t(detail.on.values[size_t(r)]) >> lane & 1;
      const uint64_t address = elements && isOn ? record.addresses[elements->first()] : base;
      const uint64_t offset = address - base;
      detail.addresses.values.push_back(int32_t(uint32_t(offset)));
      detail.addresses.values.push_back(int32_t(uint32_t(offset >> 32)));
      if (isOn)
        for (uint64_t byte = 0; byte < plan.widthBytes(); byte += plan.elementBytes)
          sectors.insert((address + byte) / model::kSectorBytes);
    }
    for (const uint64_t sector : sectors)
      detail.used.values.push_back(int32_t(place.bytes.ofSector(sector * model::kSectorBytes)));
  }
}

Result<AccessDetail> LaunchAccesses::detail(const protocol::AccessDetailRequest &request) {
  if (request.program < 0 || request.program >= programs())
    return Error{"unknown-program", {std::to_string(request.program)}};
  const AccessPlace *place = placeOf(request.access);
  if (!place)
    return Error{"unknown-access", {std::to_string(request.access)}};
  for (const int64_t program : neighbours(request.program, m_launch.grid))
    if (!countProgram(program))
      return Error{"evicted", {}};
  Recorder record{size_t(place - m_counter->places().data()), request.execution, m_counter.get()};
  if (!interp::observeProgram(m_launch, m_memory, uint64_t(request.program),
                              [&](const interp::ObservedAccess &observed) { record.observe(observed); }))
    return Error{"evicted", {}};
  AccessDetail detail;
  detail.program = request.program;
  detail.access = request.access;
  detail.executions = record.executions;
  detail.execution = std::clamp<int64_t>(request.execution, 0, std::max<int64_t>(record.executions - 1, 0));
  if (record.number >= 0) {
    describe(record, *place, detail);
    addPage(record, *place, request, detail);
  }
  detail.count = countOf(*place);
  return detail;
}

} // namespace tilescope::service
