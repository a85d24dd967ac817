// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/editor/Columns.h"

#include <algorithm>

namespace tilescope::app {
namespace {

// Messages of Scintilla 3.8 and newer that QScintilla 2.13 does not name.
constexpr unsigned SciCountCodeUnits = 2715;
constexpr unsigned SciPositionRelativeCodeUnits = 2716;

} // namespace

int bytePosition(const QsciScintillaBase &editor, protocol::Position position) {
  using Base = QsciScintillaBase;
  auto lines = static_cast<uint32_t>(editor.SendScintilla(Base::SCI_GETLINECOUNT));
  if (position.line >= lines)
    return static_cast<int>(editor.SendScintilla(Base::SCI_GETLENGTH));
  auto start = editor.SendScintilla(Base::SCI_POSITIONFROMLINE, static_cast<unsigned long>(position.line));
  auto end = editor.SendScintilla(Base::SCI_GETLINEENDPOSITION, static_cast<unsigned long>(position.line));
  long length = editor.SendScintilla(SciCountCodeUnits, static_cast<unsigned long>(start), end);
  if (static_cast<long>(position.character) >= length)
    return static_cast<int>(end);
  return static_cast<int>(editor.SendScintilla(SciPositionRelativeCodeUnits,
                                               static_cast<unsigned long>(start),
                                               static_cast<long>(position.character)));
}

protocol::Position protocolPosition(const QsciScintillaBase &editor, int byte) {
  using Base = QsciScintillaBase;
  byte = std::clamp(byte, 0, static_cast<int>(editor.SendScintilla(Base::SCI_GETLENGTH)));
  long line = editor.SendScintilla(Base::SCI_LINEFROMPOSITION, static_cast<unsigned long>(byte));
  long start = editor.SendScintilla(Base::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
  long end = editor.SendScintilla(Base::SCI_GETLINEENDPOSITION, static_cast<unsigned long>(line));
  long units =
      editor.SendScintilla(SciCountCodeUnits, static_cast<unsigned long>(start), std::min<long>(byte, end));
  return {static_cast<uint32_t>(line), static_cast<uint32_t>(units)};
}

} // namespace tilescope::app
