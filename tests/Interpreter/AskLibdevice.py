# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks what libdevice's functions give, for every signature in ../Frontend/data/libdevice.txt.

    python AskLibdevice.py gpu data/libdevice.txt
    python AskLibdevice.py exact data/libdevice-exact.txt

The first runs every function on an NVIDIA GPU; it needs `pip install triton torch` and about two minutes. The second computes
those that mpmath has with 60 digits, at ordinary values, and rounds once; it needs `pip install mpmath`.

A file holds, in hexadecimal bits, one list of values for each type (`values f …`: i int32, l int64, u uint32, v uint64,
f fp32, d fp64; n: int32, orders of Bessel functions), and for each symbol its types and its results (`__nv_powif fi>f …`, - where there is none). `places` says
which values element i is computed from.
"""
import math
import os
import random
import re
import struct
import sys
import tempfile

COUNT = 256  # elements of a row, and values of a list
EDGES = 64  # of a list, at its beginning
LETTERS = {"int32": "i", "int64": "l", "uint32": "u", "uint64": "v", "fp32": "f", "fp64": "d", "int1": "b"}
STEPS = (1, 37, 71, 101)  # of the arguments through the list


def places(arity, i):
    """The index of each argument in the list of its type: of the second half only edges, but for one argument."""
    if arity == 1 or i < COUNT // 2:
        return [(i * step + 11 * k) % COUNT for k, step in enumerate(STEPS[:arity])]
    return [(i * step + 7 * k * (i // EDGES)) % EDGES for k, step in enumerate(STEPS[:arity])]


def bits(letter, value):
    if letter in "fd":
        return struct.unpack("<I" if letter == "f" else "<Q", struct.pack("<" + letter, value))[0]
    return value & (2**32 - 1 if letter in "iun" else 2**64 - 1)


def number(letter, pattern):
    return struct.unpack("<" + letter, struct.pack("<I" if letter == "f" else "<Q", pattern))[0]


def float_values(letter):
    wide = letter == "d"
    least, digits, greatest = (-1074, 52, 1024) if wide else (-149, 23, 128)
    sizes = [0.0, 1.0, math.inf, 2.0**least, 2.0**(least + digits - 1), 2.0**(least + digits),
             2.0**(least + digits) * (1 - 2.0**-digits), (2 - 2.0**-digits) * 2.0**(greatest - 1), 0.5, 1.5, 2.5, 0.49999997,
             1 + 2.0**-digits, 1 - 2.0**-(digits + 1), 2.0**digits + 1, 2.0**(digits - 1) + 0.5, 2.0**31, 2.0**31 - 0.5, 2.0**32,
             2.0**63, 2.0**64, 2.0, 3.0, 10.0, 0.1, math.pi, 100.0, 1e10, 1e-10, 2.0**126 * 1.5]
    edges = [sign * size for size in sizes for sign in (1, -1)] + [math.nan, -7.0, 127.5, 255.0]
    source = random.Random(letter)
    ordinary = [source.random() for _ in range(48)] + [source.uniform(-10, 10) for _ in range(80)]
    ordinary += [source.choice((1, -1)) * 2.0**source.uniform(-20, 20) for _ in range(COUNT - EDGES - len(ordinary))]
    return edges + ordinary


def integer_values(letter):
    if letter == "n":
        return [i % 67 - 3 for i in range(COUNT)]
    width = 32 if letter in "iu" else 64
    edges = [0, 1, -1, 2, -2, 3, -3, 7, 2**(width - 1), 2**(width - 1) - 1, 2**(width - 2), 0x3210, 0x7531, 0x89ab, 0xffff, 0x10000]
    edges += [1 << k for k in range(8, 8 + 24)] + [2**k - 1 for k in range(8, 8 + 16)]
    edges += [5, -5, 10, -10, 126, -126, 150, -150]
    source = random.Random(letter)
    ordinary = [source.randint(-20, 20) for _ in range(64)]
    return edges + ordinary + [source.getrandbits(width) for _ in range(COUNT - EDGES - len(ordinary))]


VALUES = {letter: [bits(letter, x) for x in (float_values if letter in "fd" else integer_values)(letter)] for letter in "iluvfdn"}
assert all(len(values) == COUNT for values in VALUES.values())


def signatures():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Frontend/data/libdevice.txt")) as file:
        for line in file:
            name, types, result, symbol = re.fullmatch(r"(\w+)\((.*)\) -> (\w+) (\w+)\n", line).groups()
            letters = "".join(LETTERS[t] for t in types.split(", "))
            yield name, symbol, letters.replace("i", "n") if name in ("jn", "yn") else letters, LETTERS[result]


def arguments(letters):
    """For each argument the patterns of all elements."""
    chosen = [places(len(letters), i) for i in range(COUNT)]
    return [[VALUES[letter][place[k]] for place in chosen] for k, letter in enumerate(letters)]


# ---- On a GPU ----

TL = {"n": "int32", "i": "int32", "l": "int64", "u": "uint32", "v": "uint64", "f": "float32", "d": "float64", "b": "int32"}


def kernel_text(name, letters, result):
    pointers = [f"p{k}" for k in range(len(letters))]
    loads = [f"tl.load({p} + o).to(tl.{TL[letter]}, bitcast=True)" for p, letter in zip(pointers, letters)]
    value = f"libdevice.{name}({', '.join(loads)})"
    value += ".to(tl.int32)" if result == "b" else f".to(tl.int{32 if result in 'iuf' else 64}, bitcast=True)"
    return ("import triton\nimport triton.language as tl\nfrom triton.language.extra import libdevice\n\n\n"
            f"@triton.jit\ndef k({', '.join(pointers)}, r, N: tl.constexpr):\n    o = tl.arange(0, N)\n    tl.store(r + o, {value})\n")


def ask_gpu(folder):
    import importlib.util

    import torch
    import triton

    yield f"# {torch.cuda.get_device_name()}, Triton {triton.__version__}"

    def tensor(letter, patterns):
        width = 32 if letter in "iufbn" else 64
        signed = [p - (1 << width) if p >> (width - 1) else p for p in patterns]
        return torch.tensor(signed, dtype=torch.int32 if width == 32 else torch.int64, device="cuda")

    for name, symbol, letters, result in signatures():
        path = os.path.join(folder, f"{symbol}.py")
        with open(path, "w") as file:
            file.write(kernel_text(name, letters, result))
        spec = importlib.util.spec_from_file_location(symbol, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        given = [tensor(letter, patterns) for letter, patterns in zip(letters, arguments(letters))]
        out = tensor(result, [0] * COUNT)
        try:
            module.k[(1, )](*given, out, COUNT)
        except Exception as error:  # this Triton lacks it
            print(f"{symbol}: {type(error).__name__}: {error}", file=sys.stderr)
            continue
        width = 32 if result in "iufb" else 64
        yield row(symbol, letters, result, [x & (2**width - 1) for x in out.tolist()])


# ---- With many digits ----


def exact_functions():
    from mpmath import mp, mpf

    mp.prec = 320
    quarter = mp.pi / 2
    return {
        "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "asin": mp.asin, "acos": mp.acos, "atan": mp.atan, "atan2": mp.atan2,
        "sinpi": mp.sinpi, "cospi": mp.cospi, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh, "asinh": mp.asinh,
        "acosh": mp.acosh, "atanh": mp.atanh, "exp": mp.exp, "exp2": lambda x: mpf(2)**x, "exp10": lambda x: mpf(10)**x,
        "expm1": mp.expm1, "log": mp.log, "log2": lambda x: mp.log(x, 2), "log10": mp.log10, "log1p": mp.log1p, "pow": mp.power,
        "sqrt": mp.sqrt, "rsqrt": lambda x: 1 / mp.sqrt(x), "cbrt": lambda x: mp.sign(x) * mp.cbrt(abs(x)),
        "rcbrt": lambda x: mp.sign(x) / mp.cbrt(abs(x)), "hypot": mp.hypot, "rhypot": lambda x, y: 1 / mp.hypot(x, y),
        "norm3d": lambda *x: mp.norm(x), "rnorm3d": lambda *x: 1 / mp.norm(x), "norm4d": lambda *x: mp.norm(x),
        "rnorm4d": lambda *x: 1 / mp.norm(x), "erf": mp.erf, "erfc": mp.erfc, "erfcx": lambda x: mp.exp(x * x) * mp.erfc(x),
        "erfinv": mp.erfinv, "erfcinv": lambda x: mp.erfinv(1 - x) if 0 < x < 2 else mp.nan, "normcdf": lambda x: mp.erfc(-x / mp.sqrt(2)) / 2,
        "normcdfinv": lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), "lgamma": lambda x: mp.log(abs(mp.gamma(x))), "tgamma": mp.gamma,
        "j0": mp.j0, "j1": mp.j1, "jn": lambda n, x: mp.besselj(n, x) if n >= 0 else mp.nan,
        "y0": lambda x: mp.bessely(0, x) if x > 0 else mp.nan, "y1": lambda x: mp.bessely(1, x) if x > 0 else mp.nan,
        "yn": lambda n, x: mp.bessely(n, x) if n >= 0 and x > 0 else mp.nan, "cyl_bessel_i0": lambda x: mp.besseli(0, x),
        "cyl_bessel_i1": lambda x: mp.besseli(1, x), "fma": lambda x, y, z: x * y + z, "add_rn": lambda x, y: x + y,
        "mul_rn": lambda x, y: x * y, "div_rn": lambda x, y: x / y, "rcp_rn": lambda x: 1 / x, "fmod": lambda x, y: x - y * mp.sign(x) * mp.sign(y) * mp.floor(abs(x / y)),
        "fdim": lambda x, y: max(x - y, mpf(0)), "fast_powf": lambda x, y: mpf(2)**(y * mp.log(x, 2)) if x > 0 else mp.nan,
    }


def exactly(function, result, given):
    """The nearest pattern of a finite real result, or None."""
    from mpmath import mp, mpf

    try:
        value = function(*given)
        if isinstance(value, mp.mpc) or not mp.isfinite(value):
            return None
        digits, least, greatest = (53, -1022, 1024) if result == "d" else (24, -126, 128)
        if abs(value) < mpf(2)**least or abs(value) >= mpf(2)**greatest:
            return None
        scale = mpf(2)**(digits - 1 - mp.floor(mp.log(abs(value), 2)))
        return bits(result, float(mp.nint(value * scale) / scale))
    except (ArithmeticError, ValueError):
        return None


def ask_exact():
    import mpmath

    yield f"# mpmath {mpmath.__version__}"
    functions = exact_functions()
    for name, symbol, letters, result in signatures():
        if name not in functions or result not in "fd":
            continue
        rows = []
        for i, given in enumerate(zip(*arguments(letters))):
            real = [number(letter, p) if letter in "fd" else p - (p >> 31 << 32) for letter, p in zip(letters, given)]
            ordinary = all(place >= EDGES or letter == "n" for place, letter in zip(places(len(letters), i), letters)) and all(abs(x) < 1e6 for x in real)
            rows.append(exactly(functions[name], result, [mpmath.mpf(x) for x in real]) if ordinary else None)
        yield row(symbol, letters, result, rows)


def row(symbol, letters, result, patterns):
    width = 8 if result in "iufb" else 16
    return f"{symbol} {letters}>{result} " + " ".join("-" if p is None else f"{p:0{width}x}" for p in patterns)


def main(how, path):
    with tempfile.TemporaryDirectory() as folder:
        lines = list(ask_gpu(folder) if how == "gpu" else ask_exact())
    values = [f"values {letter} " + " ".join(f"{p:0{8 if letter in 'iufn' else 16}x}" for p in VALUES[letter]) for letter in VALUES]
    with open(path, "w") as file:
        file.write("\n".join(lines[:1] + values + lines[1:]) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
