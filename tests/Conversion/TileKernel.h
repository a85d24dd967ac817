// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel around one operation: tiles come out of shared memory, where they stand row-major one behind the other, and go
// back there. Elements are whole numbers, whatever their type, so that a slow reference is exact.
#pragma once

#include "tests/Conversion/Translated.h"

#include <cstdint>

namespace tilescope::codegen::test {

/// The bytes of an element by its name in the dialect: "i1", "si8", "ui32", "bf16", "f64" …
unsigned bytesOf(const std::string &element);
/// A number as such an element: whole numbers wrap, i1 is the lowest bit.
int64_t wrapped(const std::string &element, int64_t number);

class TileKernel {
public:
  explicit TileKernel(unsigned warps) : m_warps(warps) {}

  /// `%name` is the tile in `body`.
  void addInput(const std::string &name, const layout::LinearLayout &map, const std::string &element,
                const std::vector<int64_t> &numbers);
  /// `body` defines `%name`.
  void addOutput(const std::string &name, const layout::LinearLayout &map, const std::string &element);
  /// `$scratch` in it becomes the attribute that says where scratch space is, `$name` the type of a tile.
  void setBody(std::string body) { m_body = std::move(body); }

  std::string text() const;
  /// All threads run; the numbers of each output, row-major. Shared memory ends where the operation's scratch space does.
  std::vector<std::vector<int64_t>> run(const Target &target = {});
  /// Of `run`: how often each thread did something (Simt::count).
  unsigned count(llvm::StringRef text) const;
  /// LLVM makes PTX of it for every GPU family, and ptxas (where there is one) takes it.
  void expectAssembles() const;

private:
  struct Tile {
    std::string name;
    layout::LinearLayout map;
    std::string element;
    std::vector<int64_t> numbers; ///< none: an output
    int64_t offset;
    std::string type() const { return "!tile.tile<" + typeText(map, element) + ">"; }
    std::string buffer() const { return "!tile.buffer<" + typeText(rowMajor(map), element) + ">"; }
  };
  void add(Tile tile);

  unsigned m_warps;
  std::vector<Tile> m_tiles;
  int64_t m_bytes = 0;
  std::string m_body;
  std::vector<std::string> m_done;
};

} // namespace tilescope::codegen::test
