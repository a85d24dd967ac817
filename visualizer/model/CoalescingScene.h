// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the view "Coalescing" shows: one load, store or atomic of one program, request after request, lane by lane, and
// what the launch asks for there. Every figure comes from tilescope/access or is counted from its addresses here;
// nothing knows a pixel.
#pragma once

#include "visualizer/model/LineWindow.h"
#include "visualizer/model/Phrase.h"
#include "visualizer/model/RequestClock.h"
#include "visualizer/model/TileLayout.h"

#include <optional>
#include <unordered_set>

namespace tilescope::viz {

/// Requests one after another, summed.
struct RequestSums {
  int64_t requests = 0, sectors = 0, ideal = 0, bytesUsed = 0;
  int64_t distinct = 0; ///< sectors, each once
};

class CoalescingScene {
public:
  CoalescingScene() = default;
  /// `detail` is the first page of an execution, whose access is one of the launch's.
  CoalescingScene(protocol::LaunchSummary launch, protocol::AccessDetail detail, std::string gpu = "H200");

  /// Another page of the same execution, or the same once more is counted.
  void addPage(const protocol::AccessDetail &page);
  void setCount(const protocol::AccessCount &count);
  /// Another number with each change, different in all scenes.
  uint64_t revision() const { return m_revision; }

  /// No access, or one that no program carries out.
  bool empty() const { return m_requests.empty(); }
  const protocol::LaunchSummary &launch() const { return m_launch; }
  const protocol::AccessDetail &detail() const { return m_detail; } ///< without the pages
  const protocol::AccessSummary &access() const { return m_launch.accesses[static_cast<size_t>(m_detail.access)]; }
  const protocol::AccessCount &count() const { return m_detail.count; }
  const std::string &gpu() const { return m_gpu; } ///< that it is modelled after
  const TileLayout &tile() const { return m_tile; }
  const RequestClock &clock() const { return m_clock; }
  bool stores() const { return access().op == "store"; }
  bool fullyCounted() const { return count().programs > 0 && count().counted >= count().programs; }

  /// Requests with a lane on, in the order of their instructions: what time counts.
  std::span<const WarpRequest> requests() const { return m_requests; }
  const WarpRequest &request(int64_t order) const { return m_requests[static_cast<size_t>(order)]; }
  /// Of all requests, the order of the one that moves an element; -1 if no lane of it is on.
  int64_t requestOf(int64_t element) const { return m_elements[static_cast<size_t>(element)].order; }
  /// Whether an element is not masked off.
  bool isOn(int64_t element) const { return m_elements[static_cast<size_t>(element)].on; }
  /// The first of all requests that is not known yet; as many as there are if all are.
  int64_t firstUnknown() const { return m_firstUnknown; }
  /// Of all requests, those with no lane on too.
  int64_t allRequests() const { return static_cast<int64_t>(m_on.size()); }
  /// Of the first `count` requests that are known.
  const RequestSums &sums(int64_t count) const;

  /// The lane that is followed: the chosen one, else the next that is on.
  int followed(int64_t order, int chosen) const;
  /// Bytes from the tensor's first one to a position.
  int64_t offsetOf(int64_t position) const { return position - m_detail.baseOffset; }
  /// What comes once for all: the sectors that hold the whole tensor; 0 where it is not known.
  int64_t tensorSectors() const;

  // Words; their keys are in translations/view-coalescing.json.
  Phrase context() const;
  Phrase accessName(int access) const; ///< "load of x"
  Phrase tileSubtitle() const;
  Phrase layoutNote(int64_t order, int lane) const; ///< what a lane of a request holds
  Phrase warpTitle(int64_t order) const;
  Phrase warpSubtitle(int64_t order) const;
  Phrase memorySubtitle(const LineWindow &window) const;
  Phrase launchLine() const;
  Phrase why(int64_t order) const;
  /// Who uses the rest of its sectors; empty where nothing is left.
  Phrase rest(int64_t order) const;
  /// What would make it better, or that nothing would.
  Phrase better(int64_t order) const;
  Phrase narration(double time) const;
  Phrase position(double time) const;              ///< "request 1 of 25"
  Phrase elementName(int64_t element) const;       ///< "element 3, 5"
  std::string elementIndex(int64_t element) const; ///< "3, 5"
  std::vector<Phrase> description(double time) const;

private:
  void readPage(const protocol::AccessDetail &page);
  void findElements();
  void sumUp();
  const protocol::ArgumentSummary *argument() const;

  protocol::LaunchSummary m_launch;
  protocol::AccessDetail m_detail;
  std::string m_gpu;
  TileLayout m_tile;
  RequestClock m_clock;
  std::vector<uint32_t> m_on;     ///< of all requests
  std::vector<int64_t> m_orderOf; ///< of all requests, among those with a lane on; -1
  struct Element {
    int32_t order = -1;
    bool on = false;
  };
  std::vector<Element> m_elements;
  std::vector<WarpRequest> m_requests;
  int64_t m_firstUnknown = 0;
  std::vector<RequestSums> m_sums; ///< after each, from none on
  std::unordered_set<int64_t> m_distinct;
  uint64_t m_revision = 0;
};

} // namespace tilescope::viz
