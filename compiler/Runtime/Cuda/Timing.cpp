// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/Runtime/Cuda/Timing.h"

#include <algorithm>
#include <cmath>

namespace tilescope::cuda {
namespace {

/// A mark in the stream of work.
class Mark {
public:
  explicit Mark(const Driver &driver) : m_driver(driver) {}
  ~Mark() {
    if (m_event)
      m_driver.cuEventDestroy(m_event);
  }
  Mark(Mark &&other) noexcept : m_driver(other.m_driver), m_event(std::exchange(other.m_event, nullptr)) {}

  std::optional<Error> create() { return m_driver.check(m_driver.cuEventCreate(&m_event, 0), "cuEventCreate"); }
  std::optional<Error> record() const { return m_driver.check(m_driver.cuEventRecord(m_event, nullptr), "cuEventRecord"); }
  Result<double> millisecondsSince(const Mark &begin) const {
    float time = 0;
    if (auto error = m_driver.check(m_driver.cuEventElapsedTime(&time, begin.m_event, m_event), "cuEventElapsedTime"))
      return *error;
    return double(time);
  }

private:
  const Driver &m_driver;
  Event m_event = nullptr;
};

double quantile(const std::vector<double> &sorted, double share) {
  const double at = share * double(sorted.size() - 1);
  const size_t below = size_t(at), above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - double(below)) * (sorted[above] - sorted[below]);
}

} // namespace

Times summarise(std::vector<double> milliseconds) {
  std::ranges::sort(milliseconds);
  return {quantile(milliseconds, 0.5), quantile(milliseconds, 0.2), quantile(milliseconds, 0.8), int(milliseconds.size())};
}

Result<std::unique_ptr<Stopwatch>> Stopwatch::create(const Device &device) {
  const size_t bytes = size_t(std::max<int64_t>(int64_t(256) << 20, 4 * device.info().l2Bytes));
  Result<Buffer> flush = Buffer::allocate(device, bytes);
  if (!flush)
    return flush.error();
  return std::unique_ptr<Stopwatch>(new Stopwatch(device, std::move(*flush)));
}

Result<std::vector<double>> Stopwatch::run(const std::function<std::optional<Error>()> &begin, int runs) {
  std::vector<Mark> marks;
  for (int i = 0; i < 2 * runs; ++i) {
    marks.emplace_back(m_device.driver());
    if (auto error = marks.back().create())
      return *error;
  }
  for (int i = 0; i < runs; ++i) {
    if (auto error = m_flush.fill(0))
      return *error;
    if (auto error = marks[2 * i].record())
      return *error;
    if (auto error = begin())
      return *error;
    if (auto error = marks[2 * i + 1].record())
      return *error;
  }
  if (auto error = m_device.synchronise())
    return *error;
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const Result<double> time = marks[2 * i + 1].millisecondsSince(marks[2 * i]);
    if (!time)
      return time.error();
    times.push_back(*time);
  }
  return times;
}

Result<Times> Stopwatch::time(const std::function<std::optional<Error>()> &begin, const TimingOptions &options) {
  constexpr int Trial = 5, MostRuns = 10'000;
  if (auto error = begin()) // the first is not like the others: code is loaded
    return *error;
  if (auto error = m_device.synchronise())
    return *error;
  const Result<std::vector<double>> trial = run(begin, Trial);
  if (!trial)
    return trial.error();
  double each = 0;
  for (double time : *trial)
    each += time / Trial;
  auto runsFor = [&](double milliseconds) {
    return std::clamp(each > 0 ? int(std::min(milliseconds / each, 1e9)) : MostRuns, 1, MostRuns);
  };
  if (const Result<std::vector<double>> warmup = run(begin, runsFor(options.warmupMs)); !warmup)
    return warmup.error();
  Result<std::vector<double>> times = run(begin, runsFor(options.measureMs));
  if (!times)
    return times.error();
  return summarise(std::move(*times));
}

Result<double> Stopwatch::copyBytesPerSecond() {
  constexpr size_t Bytes = size_t(512) << 20;
  const Result<Buffer> from = Buffer::allocate(m_device, Bytes), to = Buffer::allocate(m_device, Bytes);
  if (!from || !to)
    return from ? to.error() : from.error();
  const Driver &driver = m_device.driver();
  const Result<Times> times = time([&] {
    return driver.check(driver.cuMemcpyDtoDAsync(to->address(), from->address(), Bytes, nullptr), "cuMemcpyDtoDAsync");
  });
  if (!times)
    return times.error();
  return 2 * double(Bytes) / (times->medianMs / 1000);
}

} // namespace tilescope::cuda
