// SPDX-License-Identifier: GPL-3.0-or-later
//
// The catalogue as a table in the program, made by MakeCatalogue.cpp and read by Words.cpp.
#pragma once

#include <cstddef>

namespace tilescope {

/// The form for one and the form for many; the same where nothing is counted.
struct WordForms {
  const char *one;
  const char *many;
};

struct WordEntry {
  const char *key;
  WordForms forms[3]; ///< in the order of Language
};

/// Sorted by key.
extern const WordEntry WordTable[];
extern const size_t WordTableSize;

} // namespace tilescope
