// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what dump_ast.py wrote, and compares it with our own dump.
#pragma once

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace tilescope::syntax {

struct PythonTree {
  std::string path;
  bool isError = false;
  std::string text;
};

/// The trees of a file, one after the other.
class TreeReader {
public:
  explicit TreeReader(const std::string &path) : m_in(path, std::ios::binary) {
    std::getline(m_in, m_header);
  }

  bool next(PythonTree &tree) {
    if (m_header.empty())
      return false;
    size_t status = m_header.rfind(' ');
    tree = {m_header.substr(5, status - 5), m_header.substr(status + 1) == "error", {}};
    m_header.clear();
    for (std::string line; std::getline(m_in, line);) {
      if (line.starts_with("file ")) {
        m_header = line;
        break;
      }
      tree.text.append(line).append("\n");
    }
    return true;
  }

private:
  std::ifstream m_in;
  std::string m_header;
};

inline std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The first line that differs, with its number; otherwise empty.
inline std::string firstDifference(const std::string &ours, const std::string &theirs) {
  std::istringstream a(ours), b(theirs);
  std::string lineA, lineB;
  for (int number = 1;; ++number) {
    bool hasA = static_cast<bool>(std::getline(a, lineA)), hasB = static_cast<bool>(std::getline(b, lineB));
    if (!hasA && !hasB)
      return {};
    if (!hasA || !hasB || lineA != lineB)
      return "line " + std::to_string(number) + "\n  ours   " + (hasA ? lineA : "(end)") + "\n  Python " +
             (hasB ? lineB : "(end)");
  }
}

} // namespace tilescope::syntax
