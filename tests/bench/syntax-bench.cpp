// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many megabytes of Python a second the parser reads on one core: the files of Python's own library,
// held in memory, each parsed as a file of its own.
//
//   syntax-bench [FOLDER] [ROUNDS]
#include "compiler/Syntax/Parser.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

using namespace tilescope;
namespace fs = std::filesystem;

namespace {

std::vector<SourceFilePtr> readFolder(const fs::path &folder) {
  std::vector<SourceFilePtr> files;
  for (auto &entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    if (!entry.is_regular_file() || entry.path().extension() != ".py")
      continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    files.push_back(std::make_shared<SourceFile>(entry.path().string(), std::move(text)));
  }
  return files;
}

/// Seconds for one round over all files.
double parseAll(const std::vector<SourceFilePtr> &files) {
  auto start = std::chrono::steady_clock::now();
  for (const SourceFilePtr &file : files) {
    Diagnostics diagnostics;
    syntax::parse(file, diagnostics);
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int main(int argc, char **argv) {
  std::vector<SourceFilePtr> files = readFolder(argc > 1 ? argv[1] : "/usr/lib/python3");
  size_t bytes = 0;
  for (const SourceFilePtr &file : files)
    bytes += file->text().size();
  double best = 1e9;
  for (int i = 0; i < (argc > 2 ? std::atoi(argv[2]) : 5); ++i)
    best = std::min(best, parseAll(files));
  std::printf("%zu files, %.1f MB, %.3f s, %.1f MB/s\n", files.size(), bytes / 1e6, best, bytes / 1e6 / best);
  return files.empty();
}
