# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks real Triton for every signature of libdevice, and for the type that each function of tl.math gives for each
element type.

    python AskLibrary.py data

writes libdevice.txt and math.txt there. It needs `pip install triton torch`; no GPU. A line of the first is `name(types) -> type symbol`; of the second
`expression | type of x | type of y | type of the result, or error`. The tests read the recorded files.
"""
import inspect
import itertools
import re
import sys

import triton.language as tl
from triton.language.extra.cuda import libdevice

from AskTypes import ask


class Result:
    """What a call of extern_elementwise gives: remembers a cast of it."""

    def __init__(self):
        self.type = None

    def to(self, dtype, _semantic=None):
        self.type = dtype
        return self


def spell(dtype):
    return str(dtype)


def libdevice_lines():
    asked = {}

    def answer(lib, path, args, symbols, is_pure, _semantic=None):
        asked["symbols"] = symbols
        asked["result"] = Result()
        return asked["result"]

    tl.core.extern_elementwise = answer
    for name, function in inspect.getmembers(libdevice, callable):
        if name.startswith("_") or inspect.getmodule(function) is not libdevice:
            continue
        count = sum(parameter != "_semantic" for parameter in inspect.signature(function).parameters)
        function(*[None] * count, _semantic=object())
        for types, (symbol, result) in asked["symbols"].items():
            yield f"{name}({', '.join(map(spell, types))}) -> {spell(asked['result'].type or result)} {symbol}"


types = ("int1 int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 float8e5 "
         "float8e4nv").split()
one = "exp exp2 log log2 cos sin sqrt sqrt_rn rsqrt abs erf floor ceil sigmoid".split()
two = "umulhi fdiv div_rn maximum minimum cdiv".split()
pairs = [("float32", t) for t in types] + [(t, "float32") for t in types] + [
    (t, t) for t in types] + [("int32", "int64"), ("int32", "uint32"), ("uint32", "int64"), ("int8", "int32"),
                              ("float16", "bfloat16"), ("int32", "float16"), ("float64", "int32")]
literals = ["tl.math.{f}(2.0)", "tl.math.{f}(2)", "x.{f}()"]


def math_cases():
    for name in one:
        for t in types:
            yield f"tl.{name}(x)", t, "float32"
        for form in literals:
            if form != literals[2] or name not in ("sqrt_rn",):
                yield form.format(f=name).replace("tl.math.sigmoid", "tl.sigmoid"), "float32", "float32"
    for name in two:
        for pair in pairs:
            yield (f"tl.{name}(x, y)", *pair)
        for arguments in ("x, 2", "x, 2.0", "3, x", "0.5, x", "2.0, 3.0", "7, 2", "x, -1"):
            for t in ("int32", "uint32", "float16", "float32"):
                yield f"tl.{name}({arguments})", t, "float32"
    for t, u in pairs:
        yield "tl.fma(x, y, x)", t, u
        yield "tl.clamp(x, y, y)", t, u
    for expression in ("tl.fma(x, 2, y)", "tl.fma(2.0, x, 1)", "tl.clamp(x, 0, 1)", "tl.clamp(x, 0.0, y)", "tl.clamp(1, x, y)",
                       "tl.fma(x, x, 0.5)"):
        for t, u in itertools.product(("int32", "float16", "float32"), ("int64", "float32", "float16")):
            yield expression, t, u
    for options in ("ieee_rounding=True", "approx=True", "ieee_rounding=True, approx=True"):
        for t in ("float16", "float32", "float64"):
            yield f"tl.fdiv(x, y, {options})", t, t


def math_lines():
    for expression, x, y in dict.fromkeys(math_cases()):
        said = ask("@triton.jit\ndef k(p, B: tl.constexpr):\n    o = tl.arange(0, B)\n"
                   f"    x = tl.load(p + o).to(tl.{x})\n    y = tl.load(p + o).to(tl.{y})\n    r = {expression}\n")
        found = re.search(r"^r: (.*)$", said, re.MULTILINE)
        yield f"{expression} | {x} | {y} | {found[1] if found else 'error'}"


for name, answers in ("math", math_lines), ("libdevice", libdevice_lines):  # the second replaces a function of Triton's
    lines = list(answers())
    with open(f"{sys.argv[1]}/{name}.txt", "w") as file:
        file.write("\n".join(lines) + "\n")
