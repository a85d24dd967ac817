# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes UnicodeTables.inc: the characters beyond ASCII that may start and continue an identifier, and the
styled forms of Latin and Greek letters with the distance to the plain letter (normalisation form KC).

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
    print_items(f" {{0x{first:X}, 0x{last:X}}}," for first, last in ranges(allowed))


def styled():
    """(first, last, distance) of characters that Python reads as one plain letter."""
    runs = []
    for point in range(0x80, sys.maxunicode + 1):
        plain = unicodedata.normalize("NFKC", chr(point))
        is_letter = len(plain) == 1 and (plain.isascii() or 0x370 <= ord(plain) < 0x400)
        if not ("a" + chr(point)).isidentifier() or not is_letter or plain == chr(point):
            continue
        distance = ord(plain) - point
        if runs and runs[-1][1] + 1 == point and runs[-1][2] == distance:
            runs[-1][1] = point
        else:
            runs.append([point, point, distance])
    return runs


def print_items(items):
    line = "   "
    for item in items:
        if len(line) + len(item) > 110:
            print(line)
            line = "   "
        line += item
    print(line + "\n};")


print("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
print(f"// Made by MakeUnicodeTables.py from Unicode {unicodedata.unidata_version}.")
table("IdentifierStart", str.isidentifier)
table("IdentifierContinue", lambda c: ("a" + c).isidentifier())
print("constexpr StyledLetters Styled[] = {")
print_items(f" {{{{0x{first:X}, 0x{last:X}}}, {distance}}}," for first, last, distance in styled())
