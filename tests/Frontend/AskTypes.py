# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks real Triton for the type of every local variable of kernels, and records what it says.

    python AskTypes.py data/types.txt > new.txt     (and data/ops.txt)

needs `pip install triton torch`; no GPU, for Triton only makes its first IR for a named target. The tests read
the recorded file and need no Python. Kernels are separated by lines of `====`, each followed by `----` and what was
said, types or an error (which is asked again); each is a script without its imports whose kernel is called k. Parameters have the types that `usual` gives their names.
"""
import contextlib
import importlib.util
import os
import sys
import tempfile
import warnings

warnings.filterwarnings("ignore")
import triton.language as tl
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler import code_generator
from triton.compiler.compiler import make_backend

usual = {"p": "*fp32", "q": "*i32", "h": "*fp16", "b": "*i8", "u": "*u8", "n": "i32", "m": "i64", "f": "fp32",
         "u32": "u32", "B": "constexpr"}
recorded = []


def spell(value):
    if isinstance(value, tl.core.constexpr):
        return f"constexpr[{value.value!r}]"
    if isinstance(value, tl.core.tuple):
        items = [spell(item) for item in value]
        return "(" + ", ".join(items) + (",)" if len(items) == 1 else ")")
    if isinstance(value, tl.core.tensor_descriptor_base):
        element = tl.core.tensor(None, value.dtype)
        return f"tensordesc<{spell(element)}{[int(size) for size in value.block_shape]}>"
    if isinstance(value, tl.core.tensor):
        kind = value.type
        shape = [int(size) for size in kind.shape] if kind.is_block() else None
        name = str(kind.scalar).replace("triton.language.", "")
        names = {"float32": "fp32", "float16": "fp16", "float64": "fp64", "bfloat16": "bf16"}
        return names.get(name, name) + (str(shape) if shape is not None else "")
    return str(value)


def remember(self, name, value):
    if self.fn_name_is_kernel:
        recorded.append((name, spell(value)))
    return original(self, name, value)


original = code_generator.CodeGenerator.set_value
code_generator.CodeGenerator.set_value = remember
code_generator.CodeGenerator.fn_name_is_kernel = property(lambda self: self.function_name == "k")


@contextlib.contextmanager
def silence():
    """IR that does not verify is written to standard output from C++."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def ask(text):
    recorded.clear()
    path = tempfile.mktemp(suffix=".py")
    with open(path, "w") as file:
        file.write("import triton\nimport triton.language as tl\n" + text)
    spec = importlib.util.spec_from_file_location("kernels", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names = module.k.arg_names
    constants = {(i,): 64 for i, name in enumerate(names) if usual[name] == "constexpr"}
    source = ASTSource(module.k, {name: usual[name] for name in names}, constants)
    target = GPUTarget("cuda", 90, 32)
    backend = make_backend(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    try:
        with silence():
            source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(),
                           context)
    except Exception as error:
        return f"error {type(error).__name__}"
    last = dict(recorded)
    return "\n".join(f"{name}: {kind}" for name, kind in last.items() if name not in names)


if __name__ == "__main__":
    for block in filter(None, open(sys.argv[1]).read().split("====\n")):
        kernel = block.split("----\n")[0]
        print(kernel + "----\n" + ask(kernel) + "\n====", flush=True)
