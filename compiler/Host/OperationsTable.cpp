// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking operations up by name.
#include "compiler/Host/OperationsRows.h"

#include "compiler/Support/EditDistance.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace tilescope::host {

namespace {

using Index = std::unordered_map<std::string_view, const Operation *>;

class Table {
public:
  Table() {
    for (auto rows :
         {arrangeRows(), comparisonRows(), creationRows(), einsumRows(), elementwiseRows(), matrixRows(),
          moveRows(), networkRows(), propertyRows(), randomRows(), reductionRows(), sortRows(), viewRows()})
      for (const OperationRow &row : rows)
        addNames(row);
  }

  Index functions, members;

private:
  void addNames(const OperationRow &row) {
    for (std::string_view names = row.names; !names.empty();) {
      const size_t end = std::min(names.find(' '), names.size());
      add(row, std::string(names.substr(0, end)));
      names.remove_prefix(std::min(end + 1, names.size()));
    }
  }

  void add(const OperationRow &row, const std::string &name) {
    const std::pair<Place, std::string> spellings[] = {
        {Torch, "torch." + name}, {Method, name},
        {InPlace, name + "_"},    {Functional, "torch.nn.functional." + name},
        {Attribute, name},        {FullName, name}};
    for (const auto &[place, spelling] : spellings) {
      if (!(row.places & place))
        continue;
      const bool function = place & (Torch | Functional | FullName);
      const auto kind = function             ? Operation::Kind::Function
                        : place == Attribute ? Operation::Kind::Attribute
                                             : Operation::Kind::Method;
      m_names.push_back(spelling);
      m_operations.push_back({m_names.back(), kind, row.schema, row.body});
      (function ? functions : members).emplace(m_names.back(), &m_operations.back());
    }
  }

  std::deque<std::string> m_names;
  std::deque<Operation> m_operations;
};

const Table &table() {
  static const Table instance;
  return instance;
}

const Operation *find(const Index &index, std::string_view name) {
  auto found = index.find(name);
  return found == index.end() ? nullptr : found->second;
}

std::vector<std::string_view> sortedNames(const Index &index) {
  std::vector<std::string_view> names;
  for (const auto &[name, operation] : index)
    names.push_back(name);
  std::ranges::sort(names);
  return names;
}

/// At most a third of the letters (of the last part of the name) may be wrong.
std::string_view nearest(const Index &index, std::string_view name) {
  const size_t dot = name.rfind('.'),
               letters = dot == std::string_view::npos ? name.size() : name.size() - dot - 1;
  std::string_view best;
  size_t bestDistance = std::max<size_t>(1, letters / 3) + 1;
  for (const auto &[candidate, operation] : index) {
    const size_t d = editDistance(name, candidate);
    if (d < bestDistance || (d == bestDistance && !best.empty() && candidate < best)) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

} // namespace

Result<Value> Operation::evaluate(OperationContext &context, const CallArguments &arguments) const {
  Call call(context, *this, arguments);
  return call.failed() ? Result<Value>(call.error()) : body(call);
}

const Operation *findFunction(std::string_view name) { return find(table().functions, name); }
const Operation *findMember(std::string_view name) { return find(table().members, name); }
std::vector<std::string_view> functionNames() { return sortedNames(table().functions); }
std::vector<std::string_view> memberNames() { return sortedNames(table().members); }
std::string_view nearestFunction(std::string_view name) { return nearest(table().functions, name); }
std::string_view nearestMember(std::string_view name) { return nearest(table().members, name); }

} // namespace tilescope::host
