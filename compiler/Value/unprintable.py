# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes Unprintable.inc: the code points that Python's repr() escapes, as {first, last} from U+0080 on."""
ranges = []
for point in range(0x80, 0x110000):
    if chr(point).isprintable():
        continue
    if ranges and ranges[-1][1] == point - 1:
        ranges[-1][1] = point
    else:
        ranges.append([point, point])
with open("Unprintable.inc", "w") as out:
    out.write("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n// Written by unprintable.py.\n")
    row = ""
    for first, last in ranges:
        item = f"{{{first:#x}, {last:#x}}}, "
        if len(row) + len(item) > 118:
            out.write(row.rstrip() + "\n")
            row = ""
        row += item
    out.write(row.rstrip() + "\n")
