// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/visualizer/Accesses.h"

#include "compiler/Protocol/Json.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace tilescope::viz::accesses {

Recorded recorded(const std::string &name) {
  std::ifstream file(TILESCOPE_SOURCE_DIR "/tests/visualizer/data/" + name + ".json");
  const nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  Recorded found;
  std::string error = "no such file";
  if (json.is_object() && protocol::fromJson(json["launch"], found.launch, error) &&
      protocol::fromJson(json["detail"], found.detail, error))
    return found;
  std::fprintf(stderr, "tests/visualizer/data/%s.json: %s\n", name.c_str(), error.c_str());
  std::abort();
}

const std::vector<std::string> &all() {
  static const std::vector<std::string> names{"aligned",    "softmax",    "row-load",    "column-store",
                                              "strided",    "misaligned", "masked",      "gathered",
                                              "shared-row", "square",     "square-store"};
  return names;
}

} // namespace tilescope::viz::accesses
