# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks real Triton about forms of the language: does it take a kernel, and which types do its variables get?

    python AskForms.py data/forms.txt > new.txt

needs `pip install triton torch`; no GPU, for Triton only makes its first IR for a named target. The tests read
the recorded file and need no Python. A case starts with a line `==== name`; then comes a script, whose kernel is
called k, and after `----` what was said (which is asked again): `name: type` for each local variable of k as it
was last, or `refused`. Parameters have the types that `usual` gives their names, or those of a comment
`# types: a=*fp16 c=constexpr:3`; what is not named is an i32. With -v the reason of a refusal is shown too.
"""
import contextlib
import io
import itertools
import sys
import tempfile
import importlib.util
import os
import warnings

warnings.filterwarnings("ignore")
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, code_generator
from triton.compiler.compiler import make_backend

usual = {"p": "*fp32", "q": "*i32", "h": "*fp16", "b": "*i8", "u": "*u8", "n": "i32", "m": "i64", "f": "fp32",
         "u32": "u32", "B": "constexpr:64"}
short = {"float32": "fp32", "float16": "fp16", "float64": "fp64", "bfloat16": "bf16"}
recorded, numbers = {}, itertools.count()


def typeName(kind):
    if kind.is_block():
        return typeName(kind.element_ty) + str([int(size) for size in kind.shape])
    if kind.is_ptr():
        return f"pointer<{typeName(kind.element_ty)}>"
    name = str(kind).replace("triton.language.", "")
    return short.get(name, name)


def spell(value):
    if isinstance(value, tl.core.constexpr):
        known = value.value
        if known is None or isinstance(known, tl.core.dtype):
            return spell(known)
        return f"function {known.__name__}" if hasattr(known, "arg_names") else f"constexpr[{known!r}]"
    if hasattr(type(value), "__aggregate_fields__"):
        return "(" + ", ".join(spell(getattr(value, name)) for name in type(value).__aggregate_fields__) + ")"
    if isinstance(value, tl.core.tuple):
        items = [spell(item) for item in value]
        return "(" + ", ".join(items) + (",)" if len(items) == 1 else ")")
    if isinstance(value, tl.core.tensor):
        return typeName(value.type)
    if isinstance(value, tl.core.dtype):
        return typeName(value)
    return str(value)


def remember(self, name, value):
    if self.function_name == "k":
        recorded[name] = spell(value)
    return setValue(self, name, value)


def annotated(self, node):
    result = annAssign(self, node)
    if self.function_name == "k" and isinstance(result, tl.core.base_value):
        recorded[node.target.id] = spell(result)
    return result


setValue = code_generator.CodeGenerator.set_value
annAssign = code_generator.CodeGenerator.visit_AnnAssign
code_generator.CodeGenerator.set_value = remember
code_generator.CodeGenerator.visit_AnnAssign = annotated


def load(text):
    path = os.path.join(tempfile.mkdtemp(), f"kernels{next(numbers)}.py")
    with open(path, "w") as file:
        file.write("import triton\nimport triton.language as tl\nimport torch\n" + text)
    spec = importlib.util.spec_from_file_location(f"kernels{next(numbers)}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def jitOf(kernel):
    while not hasattr(kernel, "arg_names") or not hasattr(kernel, "parse"):
        kernel = kernel.fn
    return kernel


def ask(text):
    recorded.clear()
    module = load(text)
    kernel = jitOf(module.k)
    own = {}
    for line in text.splitlines():
        if line.startswith("# types: "):
            own.update(item.split("=", 1) for item in line[9:].split())
    types, constants = {}, {}
    for index, name in enumerate(kernel.arg_names):
        kind = own.get(name, usual.get(name, "i32"))
        if kind.startswith("constexpr:"):
            constants[(index,)] = eval(kind[10:], vars(module))
            kind = "constexpr"
        elif kind.startswith("("):
            kind = tuple(kind[1:-1].split(","))
        types[name] = kind
    source = ASTSource(kernel, types, constants)
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    return "\n".join(f"{name}: {kind}" for name, kind in recorded.items() if name not in kernel.arg_names)


def reasonOf(error):
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error).strip().splitlines()[-1:]


for block in open(sys.argv[1]).read().split("==== ")[1:]:
    name, rest = block.split("\n", 1)
    kernel = rest.split("----\n")[0]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            said = ask(kernel)
    except Exception as error:
        said = "refused" + (f" {reasonOf(error)}" if "-v" in sys.argv else "")
    print(f"==== {name}\n{kernel}----\n{said}")
