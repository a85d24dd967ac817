// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every name of triton.language, its parts and the methods of tl.tensor is known here, with the parameters
// that real Triton gives it (data/names.txt, recorded by AskNames.py); data/names-differences.txt names those
// that are not, with the reason.
#include "compiler/Frontend/Frontend.h"
#include "compiler/Frontend/Library.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

namespace tilescope::frontend::test {
namespace {

std::vector<std::string> linesOf(const std::string &name) {
  std::ifstream file(std::string(TILESCOPE_SOURCE_DIR "/tests/Frontend/data/") + name);
  std::vector<std::string> result;
  for (std::string line; std::getline(file, line);)
    result.push_back(line);
  return result;
}

/// "(x, dim=None, *, k=0)" as "x dim= * k=": what the defaults are is for the values to show.
std::string parametersOf(std::string_view signature, bool isMethod) {
  std::string result;
  signature = signature.substr(1, signature.size() - 2);
  for (bool isFirst = true; !signature.empty(); isFirst = false) {
    const size_t comma = std::min(signature.find(", "), signature.size());
    std::string_view parameter = signature.substr(0, comma);
    signature.remove_prefix(std::min(comma + 2, signature.size()));
    if (isFirst && isMethod)
      continue;
    const size_t equals = parameter.find('=');
    result += (result.empty() ? "" : " ") + std::string(parameter.substr(0, equals));
    if (equals != std::string_view::npos)
      result += "=";
  }
  return result;
}

/// The signature of a function of the library under that name, or nothing.
std::optional<std::string> signatureOf(const std::string &symbol) {
  if (const LibraryFunction *row = findLibraryFunction(symbol))
    return "(" + std::string(row->signature) + ")";
  if (findPreludeFunction(lastPart(symbol)))
    for (const LibraryEntry &entry : libraryEntries())
      if (entry.name == "triton.language." + std::string(lastPart(symbol)))
        return entry.signature;
  return std::nullopt;
}

std::optional<std::string> methodSignature(std::string_view name) {
  if (const LibraryFunction *row = findMethod(name))
    return "(" + std::string(row->signature) + ")";
  return isMethod(name) ? signatureOf("triton.language." + std::string(name)) : std::nullopt;
}

bool isKnown(const std::string &name) {
  const auto &names = languageNames();
  return std::find(names.begin(), names.end(), lastPart(name)) != names.end();
}

/// How a name differs from what was recorded; empty if it does not.
std::string difference(const std::string &name, const std::string &recorded) {
  if (!recorded.starts_with("("))
    return recorded == "attribute" || isKnown(name) ? "" : "unknown";
  const bool isOfTensor = name.starts_with("tensor.");
  const auto ours = isOfTensor ? methodSignature(lastPart(name)) : signatureOf("triton.language." + name);
  if (!ours)
    return "unknown";
  const std::string parameters = parametersOf(*ours, isOfTensor), wanted = parametersOf(recorded, false);
  return parameters == wanted ? "" : parameters + ", Triton has " + wanted;
}

std::map<std::string, std::string> withReasons(const std::string &file) {
  std::map<std::string, std::string> result;
  std::string reason;
  for (const std::string &line : linesOf(file))
    if (line.starts_with("# "))
      reason = line.substr(2);
    else
      result[line] = reason;
  return result;
}

TEST(Names, AreThoseOfTriton) {
  const auto differences = withReasons("names-differences.txt");
  const auto lines = linesOf("names.txt");
  ASSERT_GT(lines.size(), 500u);
  for (const std::string &line : lines) {
    const std::string name = line.substr(0, line.find(' ')), recorded = line.substr(line.find(' ') + 1);
    const std::string found = difference(name, recorded);
    if (differences.contains(name))
      EXPECT_NE(found, "") << name << " agrees by now: take it from data/names-differences.txt";
    else
      EXPECT_EQ(found, "") << name;
  }
}

} // namespace
} // namespace tilescope::frontend::test
