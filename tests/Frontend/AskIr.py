# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks real Triton what type each call of IrCases.py gives and which operations its first IR has, and records it.

    python AskIr.py data

needs `pip install triton torch`; no GPU. Writes data/ir-names.txt (what the names in the calls stand for) and
data/ir-THEME.txt: a line a call, the call, its type and its operations, between tabs; or "error" where Triton refuses it.
Operations are counted with those of the functions they call, without those that make the call's arguments.
"""
import collections
import importlib.util
import re
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, code_generator
from triton.compiler.compiler import make_backend

import IrCases

parameters, made = IrCases.names()
# Of no interest: where a number becomes a tile, changes of sign, and how functions are called.
silent = {"arith.constant", "arith.bitcast", "tt.splat", "tt.return", "tt.reduce.return", "tt.scan.return", "tt.map_elementwise.return", "ub.poison", "tt.call"}
# The attributes that matter, in the order in which they are written down.
attributes = [r"\baxis = (\d+)", r"\breverse = (true)", r"\border = array<i32: ([\d, ]+)>", r"\bstart = (-?\d+)", r"\bend = (-?\d+)", r"\bcache_modifier = (?!none)(\w+)", r"\beviction_policy = (?!evict_normal)(\w+)",
              r"\bisVolatile = (true)", r"\binputPrecision = (\w+)", r"\bmaxNumImpreciseAcc = (?!1073741824)(\d+)", r"\brounding = (\w+)", r'\bsymbol = "(\w+)"', r"\bhex = (true)", r"\bpropagateNan = (\w+)"]
leading = {"arith.cmpi": 1, "arith.cmpf": 1, "tt.atomic_rmw": 3, "tt.atomic_cas": 2, "tt.atomic_load": 2, "tt.atomic_store": 2, "tt.get_program_id": 1, "tt.get_num_programs": 1}
last = {}


def spell(value):
    if isinstance(value, tl.core.constexpr):
        return f"constexpr[{spell(value.value) if isinstance(value.value, (tl.dtype, tuple)) else repr(value.value)}]"
    if isinstance(value, (tl.core.tuple, tuple)):
        items = [spell(item) for item in value]
        return "(" + ", ".join(items) + (",)" if len(items) == 1 else ")")
    kind = value.type if isinstance(value, tl.core.tensor) else value
    if isinstance(kind, tl.dtype):
        shape = [int(size) for size in kind.shape] if kind.is_block() else None
        name = str(kind.scalar).replace("triton.language.", "")
        for long, short in (("bfloat16", "bf16"), ("float32", "fp32"), ("float16", "fp16"), ("float64", "fp64")):
            name = re.sub(rf"\b{long}\b", short, name)
        return name + (str(shape) if shape is not None else "")
    return str(value)


def remember(self, name, value):
    if name == "y" and self.function_name.startswith("case"):
        last[self.function_name] = spell(value)
    return original(self, name, value)


original = code_generator.CodeGenerator.set_value
code_generator.CodeGenerator.set_value = remember


def needed(expression):
    """The names that an expression needs, each after those that it needs itself."""
    result = []
    for name in re.findall(r"\w+", expression):
        for item in (needed(made[name]) + [name] if name in made else [name] if name in parameters else []):
            if item not in result:
                result.append(item)
    return result


def kernel(name, expression, withCall):
    wanted = needed(expression)
    lines = [f"    {item} = {made[item]}" for item in wanted if item in made]
    if withCall:
        lines.append("    " + (expression[3:] if expression.startswith("do ") else f"y = {expression}"))
    return f"@triton.jit\ndef {name}({', '.join(item for item in wanted if item in parameters)}):\n" + "\n".join(lines or ["    pass"]) + "\n"


def operations(text):
    """How often each operation is carried out in the public function, those of what it calls included."""
    functions, current, dead = {}, None, False
    for line in text.splitlines():
        if match := re.match(r"\s*tt.func (public|private) @(?:\"([^\"]+)\"|([\w.$]+))", line):
            current = functions.setdefault("k" if match[1] == "public" else match[2] or match[3], [])
            dead = False
        elif "// no predecessors" in line:
            dead = True
        elif not dead and (match := re.match(r"\s*(?:%[^=]+ = )?\"?([a-z]+\w*\.[a-z_.\d]+)\"?(.*)", line)):
            current.append((match[1], match[2]))
    count = collections.Counter()

    def add(name):
        for op, rest in functions[name]:
            if op == "tt.call":
                match = re.match(r" @(?:\"([^\"]+)\"|([\w.$]+))", rest)
                add(match[1] or match[2])
            elif op not in silent:
                count[describe(op, rest)] += 1

    add("k")
    return count


def describe(op, rest):
    words = [word.strip() for word in re.split(r"[ ,]+", rest.strip())[: leading.get(op, 0)]]
    words += [match[1].replace(" ", "") for pattern in attributes if (match := re.search(pattern, rest))]
    return " ".join([op] + words)


def ask(module, name):
    function = getattr(module, name)
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({"sanitize_overflow": False})  # its checks are for debugging
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(function, {item: parameters[item] for item in function.arg_names}, {})
    return operations(source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context).str_nodebug())


def load(text):
    path = tempfile.mktemp(suffix=".py")
    with open(path, "w") as file:
        file.write(text)
    spec = importlib.util.spec_from_file_location("kernels", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


folder = sys.argv[1]
for theme, cases in IrCases.themes.items():
    cases = list(dict.fromkeys(cases()))
    text = "import triton\nimport triton.language as tl\n" + IrCases.helpers
    for i, case in enumerate(cases):
        text += kernel(f"case{i}", case, True) + kernel(f"base{i}", case, False)
    module = load(text)
    refused = 0
    with open(f"{folder}/ir-{theme}.txt", "w") as file:
        for i, case in enumerate(cases):
            last.clear()
            try:
                count = ask(module, f"case{i}")
            except Exception as error:
                file.write(case + "\terror\n")
                refused += 1
                continue
            count.subtract(ask(module, f"base{i}"))
            ops = "; ".join(f"{n if n > 1 else ''}{' ' if n > 1 else ''}{op}" for op, n in sorted(count.items()) if n)
            file.write(f"{case}\t{last.get(f'case{i}', '')}\t{ops}\n")
    print(theme, len(cases), "calls,", refused, "refused")
with open(f"{folder}/ir-names.txt", "w") as file:
    file.write("".join(f"param {name} {kind}\n" for name, kind in parameters.items()))
    file.write("".join(f"let {name} {expression}\n" for name, expression in made.items()))
    file.write("".join(f"| {line}\n" for line in IrCases.helpers.splitlines()))
