# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes scripts that run each operation of ../Interpreter/data/values.txt on a GPU.

    operations.py OUT

One script for each choice of operand types, OUT/NAME.py, with a kernel for each expression, k0, k1, ..., that stores its value; and
OUT/cases.json, which says of each script the expressions and types of results. `ledger.py` runs them with `tilec run --compare`.
"""
import base64
import json
import pathlib
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "Interpreter" / "data" / "values.txt"
LANGUAGE = {"fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "fp8e5": "float8_e5m2",
            "fp8e4nv": "float8_e4m3fn", "i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
            "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64"}
WIDTH = {"fp16": 2, "bf16": 2, "fp32": 4, "fp64": 8, "fp8e5": 1, "fp8e4nv": 1, "i1": 1, "i8": 1, "i16": 2, "i32": 4,
         "i64": 8, "u8": 1, "u16": 2, "u32": 4, "u64": 8}

KERNEL = """
@triton.jit
def k{number}({parameters}, out_ptr):
    i = tl.arange(0, 256)
{loads}
    tl.store(out_ptr + tl.arange(0, {count}), {expression})
"""


def read():
    inputs, groups = {}, {}
    for line in DATA.read_text().splitlines():
        if line.startswith("#"):
            continue
        if line.startswith("input "):
            _, kind, bits = line.split()
            inputs[kind] = base64.b64decode(bits)
            continue
        kinds, count, rest = line.split(" | ", 2)
        expression, answer = rest.rsplit(" | ", 1)
        if answer != "refused":
            groups.setdefault(tuple(kinds.split()), []).append((int(count), expression, answer.split()[0]))
    return inputs, groups


def operand(bits, place, operands):
    """The elements of x, y or z as signed integers, arranged as AskValues.py has it."""
    width = len(bits) // 256
    values = [int.from_bytes(bits[i * width:(i + 1) * width], "little", signed=True) for i in range(256)]
    if operands == 1:
        return values
    return [values[i % 16 if place == 0 else i // 16 if place == 1 else (i // 16 + 1) % 16] for i in range(256)]


def script(kinds, cases, inputs):
    lines = ["import torch", "import triton", "import triton.language as tl"]
    names = "xyz"[:len(kinds)]
    for number, (count, expression, _) in enumerate(cases):
        loads = "\n".join(f"    {name} = tl.load({name}_ptr + i)" + (".to(tl.int1)" if kind == "i1" else "")
                          for name, kind in zip(names, kinds))
        parameters = ", ".join(f"{name}_ptr" for name in names)
        lines.append(KERNEL.format(number=number, parameters=parameters, loads=loads, count=count, expression=expression))
    for place, (name, kind) in enumerate(zip(names, kinds)):
        values = operand(inputs[kind], place, len(kinds))
        signed = f"torch.int{8 * WIDTH[kind]}"
        view = "" if signed == f"torch.{LANGUAGE[kind]}" else f".view(torch.{LANGUAGE[kind]})"
        lines.append(f"{name} = torch.tensor({values}, dtype={signed}, device='cuda'){view}")
    for number, (count, _, result) in enumerate(cases):
        lines.append(f"out = torch.empty({count}, dtype=torch.{LANGUAGE[result]}, device='cuda')")
        lines.append(f"k{number}[(1,)]({', '.join(names)}, out)")
    return "\n".join(lines) + "\n"


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    inputs, groups = read()
    index = {}
    for kinds, cases in groups.items():
        name = "_".join(kinds)
        (out / f"{name}.py").write_text(script(kinds, cases, inputs))
        index[name] = [{"expression": expression, "type": result} for _, expression, result in cases]
    (out / "cases.json").write_text(json.dumps(index, indent=1))


main()
