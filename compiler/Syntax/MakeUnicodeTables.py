# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes UnicodeTables.inc: the characters beyond ASCII that may start and continue an identifier.

    python3.12 compiler/Syntax/MakeUnicodeTables.py > compiler/Syntax/UnicodeTables.inc
"""
import sys
import unicodedata


def ranges(allowed):
    first = None
    for point in range(0x80, sys.maxunicode + 2):
        inside = point <= sys.maxunicode and allowed(chr(point))
        if inside and first is None:
            first = point
        elif not inside and first is not None:
            yield first, point - 1
            first = None


def table(name, allowed):
    print(f"constexpr CodePoints {name}[] = {{")
    line = "   "
    for first, last in ranges(allowed):
        item = f" {{0x{first:X}, 0x{last:X}}},"
        if len(line) + len(item) > 110:
            print(line)
            line = "   "
        line += item
    print(line + "\n};")


print("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
print(f"// Made by MakeUnicodeTables.py from Unicode {unicodedata.unidata_version}.")
table("IdentifierStart", str.isidentifier)
table("IdentifierContinue", lambda c: ("a" + c).isidentifier())
