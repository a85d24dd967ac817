# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks real Triton for the type of `left op right`, for every pair of element types and for Python's numbers.

    python AskPromotions.py > data/promotions.txt

needs `pip install triton torch`; no GPU. Each line is `op left right type`, with `refused` for what Triton does not
take; the tests read the recorded file and need no Python. Operands are tiles of eight elements, or numbers.
"""
import importlib.util
import os
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, code_generator
from triton.compiler.compiler import make_backend

types = {"int1": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "uint8": "u8", "uint16": "u16",
         "uint32": "u32", "uint64": "u64", "fp8e5": "fp8e5", "fp8e4nv": "fp8e4nv", "bf16": "bf16", "fp16": "fp16",
         "fp32": "fp32", "fp64": "fp64"}
numbers = ["True", "1", "-1", "200", "70000", "3000000000", "1.5", "1e40"]
operators = ["+", "/", "//", "%", "<<", "&", "<"]
names = {"float32": "fp32", "float16": "fp16", "float64": "fp64", "bfloat16": "bf16"}
said = {}


def remember(self, name, value):
    said[name] = value
    return setValue(self, name, value)


setValue = code_generator.CodeGenerator.set_value
code_generator.CodeGenerator.set_value = remember
target = GPUTarget("cuda", 90, 32)
backend = make_backend(target)
options = backend.parse_options({})
folder = tempfile.mkdtemp()
count = 0


def operand(kind, parameter):
    return kind if kind in numbers else f"tl.load({parameter} + tl.arange(0, 8))"


def kernelOf(op, left, right):
    return f"    x = {operand(left, 'a')} {op} {operand(right, 'b')}\n"


def ask(op, left, right):
    global count
    count += 1
    path = os.path.join(folder, f"k{count}.py")
    with open(path, "w") as file:
        file.write("import triton\nimport triton.language as tl\n@triton.jit\ndef k(a, b):\n" + kernelOf(op, left, right))
    spec = importlib.util.spec_from_file_location(f"k{count}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    source = ASTSource(module.k, {"a": "*" + types.get(left, "i32"), "b": "*" + types.get(right, "i32")}, {})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    try:
        source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    except Exception:
        return "refused"
    name = str(said["x"].type.scalar).replace("triton.language.", "")
    return names.get(name, name)


for op in operators:
    for left in types:
        for right in [*types, *numbers]:
            print(op, left, right, ask(op, left, right))
    for left in numbers:
        for right in types:
            print(op, left, right, ask(op, left, right))
