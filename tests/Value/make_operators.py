# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes operators.jsonl: what Python itself answers to some thousands of operations, one a line:
[operation, operands…, answer]. Run it with python3 (3.11) in this folder.

Operands are JSON: null, true, ["i", "12"], ["f", "0x1.8p+0"], ["s", "text"], ["t" | "l" | "S", items…], ["d", [key, value]…],
["sl", lower, upper, step], ["r", start, stop, step]. The answer is the repr() of what came out, or "!" and the exception's class.
"""
import itertools
import json
import math
import operator
import random

random.seed(22)


def encode(v):
    if v is None or isinstance(v, bool):
        return v
    if isinstance(v, int):
        return ["i", str(v)]
    if isinstance(v, float):
        return ["f", v.hex()]
    if isinstance(v, str):
        return ["s", v]
    if isinstance(v, slice):
        return ["sl", encode(v.start), encode(v.stop), encode(v.step)]
    if isinstance(v, range):
        return ["r", encode(v.start), encode(v.stop), encode(v.step)]
    if isinstance(v, dict):
        return ["d"] + [[encode(k), encode(x)] for k, x in v.items()]
    return [{tuple: "t", list: "l", set: "S"}[type(v)]] + [encode(x) for x in v]


out = open("operators.jsonl", "w")


def show(r):
    # Sets print in the order of hash tables: compare them sorted.
    return "{" + ", ".join(sorted(map(repr, r))) + "}" if isinstance(r, set) and r else repr(r)


def ask(name, function, *operands):
    try:
        answer = function(*operands)
        if isinstance(answer, complex):
            answer = "!complex"
        elif isinstance(answer, int) and abs(answer).bit_length() > 10000:
            return
        else:
            answer = show(answer)
    except Exception as e:
        answer = "!" + type(e).__name__
    out.write(json.dumps([name, *map(encode, operands), answer], ensure_ascii=True) + "\n")


BINARY = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
          "%": operator.mod, "**": operator.pow, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_,
          "|": operator.or_, "^": operator.xor, "@": operator.matmul}
COMPARE = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
           "in": lambda a, b: a in b, "not in": lambda a, b: a not in b}
UNARY = {"~": operator.invert, "not": operator.not_, "u+": operator.pos, "u-": operator.neg}

INTS = [0, 1, -1, 2, 3, -7, 10, 63, 64, 255, -256, 1000003, 2**31 - 1, -2**31, 2**53, 2**53 + 1, 2**63 - 1, -2**63, 2**63, 2**64 + 1,
        -2**64 - 3, 10**25, -10**40 + 7, 3**200]
FLOATS = [0.0, -0.0, 0.5, -1.5, 2.0, 3.0, -7.25, 1e-7, 0.1, 1e16, 123456789.125, 1e22, 1e300, -1e-300, 5e-324, 2.0**53, 9007199254740993.0,
          float("inf"), float("-inf"), float("nan")]
OTHERS = [None, True, False, "", "a", "añ中😀", "%d-%s", (), (1,), (1, "x"), [], [1, 2.5], ["b", None], {}, {"a": 1}, {1: 2, "z": []},
          {1, 2, 3}, {"q"}, range(5), range(10, 0, -3)]


def small(op, a, b):
    """Keeps what would be astronomically large out of Python's own reach."""
    whole = isinstance(a, int) and isinstance(b, int)
    if op == "**":
        return not whole or abs(b) <= 200 or abs(a) <= 1
    if op == "<<":
        return not whole or b <= 300
    if op == "*":
        return not any(isinstance(x, int) and abs(x) > 1000 and isinstance(y, (str, list, tuple)) for x, y in ((a, b), (b, a)))
    return True


numbers = INTS + FLOATS
for a, b in itertools.product(numbers, numbers):
    for op in random.sample(sorted(BINARY), 2):
        if small(op, a, b):
            ask(op, BINARY[op], a, b)
    op = random.choice(sorted(COMPARE))
    ask(op, COMPARE[op], a, b)
for a, b in itertools.product(OTHERS + [3, -1, 2.5], repeat=2):
    for op in random.sample(["+", "*", "|", "&", "-", "%"], 3):
        if small(op, a, b):
            ask(op, BINARY[op], a, b)
    for op in random.sample(sorted(COMPARE), 3):
        ask(op, COMPARE[op], a, b)
for a in numbers + OTHERS:
    for op in UNARY:
        ask(op, UNARY[op], a)
    ask("repr", lambda x: x, a)
    ask("len", len, a)
    ask("iter", lambda x: list(x), a) if not isinstance(a, set) else None

# True division of big integers is correctly rounded, subnormal results too.
for _ in range(300):
    a, b = random.getrandbits(random.randint(1, 1400)), random.getrandbits(random.randint(1, 1400)) or 1
    ask("/", operator.truediv, a * random.choice([1, -1]), b)
for _ in range(200):
    a, b = random.getrandbits(random.randint(1, 200)) - 2**99, random.getrandbits(random.randint(1, 150)) - 2**60
    for op in ["//", "%", "*", "-", "&", "|", "^"]:
        if b:
            ask(op, BINARY[op], a, b)
    ask(">>", operator.rshift, a, random.randint(0, 210))
    ask("float", float, a)
for k in range(-30, 30):  # halves that round to even
    ask("float", float, (2**54 + 2 * k + 1) * 2**random.randint(1, 60))
for _ in range(400):
    bits = random.getrandbits(64)
    x = __import__("struct").unpack("d", __import__("struct").pack("Q", bits))[0]
    ask("repr", lambda v: v, x)
    ask("int", int, x)
for exponent in range(-8, 20):
    for digits in (1.0, 1.5, 1.23456789, 9.999999999999999):
        ask("repr", lambda v: v, digits * 10.0**exponent)

# Indexing and slicing.
SEQUENCES = ["", "hello", "añ中😀z", [], [1, 2, 3, 4, 5], (1, "b", None), range(3, 30, 4), range(0)]
INDICES = [0, 1, -1, 4, -5, 5, 100, -100, 2**70, True, None, 1.0, "x"]
for s in SEQUENCES + [{"a": 1}, {1: "b", (1, 2): "c"}, 5, None, {1, 2}]:
    for i in INDICES + ["a", (1, 2), [1]]:
        ask("[]", operator.getitem, s, i)
BOUNDS = [None, 0, 1, -1, 3, -3, 10, -10, 2**70, -2**70, True]
for s in SEQUENCES:
    for lower, upper in itertools.product(BOUNDS, BOUNDS):
        steps = [None, 1, -1, 2, -2, 5, 0, "x"] + ([] if isinstance(s, range) else [-2**70, 2**70])
        ask("[]", operator.getitem, s, slice(lower, upper, random.choice(steps)))

# format()
SPECS = ["", "d", "5d", "<5d", "^7d", ">7", "=+8d", "08d", "+d", " d", ",", ",d", "_d", "_b", "#x", "#X", "#o", "#b", "#010x", "x", "c", "012,d", "09,",
         "08_x", "*^9", "é>6", "f", ".2f", "8.3f", "+.1f", "08.2f", ",.2f", "012,.1f", "e", ".3e", "E", ".0e", "#.0e", "g", ".3g", "#g", "G", ".10g", "%", ".1%",
         ".0f", "#.0f", ".5", ".0", "10.4", "<10", "z.1f", "n", "s", ".2s", "10s", ">10", "^10s", "05", "<05", "=5", "+", "q", "10.", "-d", "-.3f", "2.2.2", ",x",
         "0=10,", "x>10,", "#.3", "_.3f", ">+9.2e", "05s", "{", "5.1d"]
VALUES = [0, 5, -17, 1234567, -10**12, 10**20, True, 65, 0.0, -0.0, 1.0, 0.1, -2.5, 3.14159265, 1e10, 1e16, 123456789.0, 1e-5, 1e100, 0.00012345, 999999.5, 2.675,
          float("inf"), float("-inf"), float("nan"), "", "abc", "añ中😀", None, [1]]
for v in VALUES:
    for spec in SPECS:
        ask("format", format, v, spec)
for _ in range(600):
    spec = random.choice(["", "<", ">", "^", "=", "*<", "0>"]) + random.choice(["", "+", " "]) + random.choice(["", "#"]) + random.choice(["", "0"])
    spec += random.choice(["", "3", "12", "20"]) + random.choice(["", ",", "_"]) + random.choice(["", ".0", ".2", ".7"]) + random.choice(["", *"defgx%"])
    v = random.choice([random.randint(-10**9, 10**9), random.uniform(-1, 1) * 10.0**random.randint(-12, 20), random.randint(-5, 5)])
    ask("format", format, v, spec)

# text % arguments
TEMPLATES = ["%d", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%x", "%#x", "%o", "%X", "%e", "%.3f", "%10.2f|", "%-10.2f|", "%g", "%s", "%r", "%10s|", "%-10s|", "%.2s",
             "%c", "%%", "%i%%", "100%", "%q", "%.5d", "%*d", "%(a)s", "plain"]
ARGUMENTS = [5, -3, 3.7, -0.0, 1e20, "text", "x", None, (1,), (1, 2), (6, 42), [1, "a"], {"a": 1}, True, 10**20, ()]
for t in TEMPLATES:
    for a in ARGUMENTS:
        ask("%", operator.mod, t, a)

# repr of strings
for s in ["", "'", '"', "'\"", "\\", "\n\r\t\0\x7f", "\x80\x9f\xa0\xad", "é中😀", "\u200b\u2028\ud7ff", "\U000e0001", "a'b", 'a"b', "\ufffe", "\u0378"]:
    ask("repr", lambda v: v, s)
    ask("repr", lambda v: v, [s, (s,), {s: s}])
