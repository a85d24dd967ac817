# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks real Triton which linear layouts its layouts stand for, and records what it says.

    python AskLayouts.py > data/layouts.json          # recorded with Triton 3.9

needs `pip install triton`; no GPU. One entry a line: what was asked, and for each input dimension the coordinates
that its bits add. The tests read the recorded file and need no Python.
"""
import json
import os
import random

from triton._C.libtriton import gluon_ir, ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import make_backend
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource
from triton.experimental.gluon.language._layouts import (BlockedLayout, DotOperandLayout, NVMMADistributedLayout,
                                                         NVMMASharedLayout, SliceLayout, SwizzledSharedLayout)
from triton.experimental.gluon.language._semantic import GluonSemantic

random.seed(7)
context = ir.context()
ir.load_dialects(context)
target = GPUTarget("cuda", 90, 32)
backend = make_backend(target)
backend.load_dialects(context)
builder = gluon_ir.GluonOpBuilder(context)
entries = []


def bases(layout, shape):
    linear = builder.to_linear_layout(layout._to_ir(builder), shape)
    if hasattr(linear, "offset_bases"):
        return {"offset": linear.offset_bases}
    return {"register": linear.reg_bases, "lane": linear.lane_bases, "warp": linear.warp_bases}


def record(kind, layout, shape, **asked):
    entries.append({"kind": kind, "shape": shape, **asked, "bases": bases(layout, shape)})


def powers(low, high, rank):
    return [2**random.randint(low, high) for _ in range(rank)]


def split(total, rank):
    """`total` as a product of powers of two."""
    parts = [1] * rank
    while total > 1:
        parts[random.randrange(rank)] *= 2
        total //= 2
    return parts


def some_blocked(rank):
    order = list(range(rank))
    random.shuffle(order)
    asked = dict(sizePerThread=powers(0, 3 if rank < 3 else 1, rank), threadsPerWarp=split(32, rank),
                 warps=split(random.choice([1, 2, 4, 8]), rank), order=order)
    return BlockedLayout(asked["sizePerThread"], asked["threadsPerWarp"], asked["warps"], order), asked


def ask_blocked():
    for rank, count in ((1, 20), (2, 70), (3, 30)):
        for _ in range(count):
            layout, asked = some_blocked(rank)
            record("blocked", layout, powers(0, {1: 11, 2: 7, 3: 5}[rank], rank), **asked)
    for _ in range(60):
        rank = random.choice([2, 3])
        layout, asked = some_blocked(rank)
        shape = powers(0, 7 if rank == 2 else 5, rank)
        dim = random.randrange(rank)
        record("slice", SliceLayout(dim, layout), shape[:dim] + shape[dim + 1:], parentShape=shape, dim=dim, **asked)


def ask_fma():
    for _ in range(24):
        rank = random.choice([2, 2, 3])
        parent, asked = some_blocked(rank)
        operand = random.randrange(2)
        shape = powers(0, 6 if rank == 2 else 4, rank)
        record("fmaOperand", DotOperandLayout(operand, parent, 0), shape, operand=operand, **asked)


def ask_mma():
    for warps in ([1, 1], [2, 2], [4, 1], [1, 4], [2, 4], [8, 1]):
        parent = NVMMADistributedLayout([2, 0], warps, [16, 8])
        for shape in ([16, 16], [32, 64], [128, 64], [64, 128], [16, 8]):
            record("mma", parent, shape, warps=warps)
        for bits in (8, 16, 32):
            for m, n, k in ((32, 32, 32), (64, 64, 64), (128, 32, 64), (16, 64, 16)):
                for operand, shape in ((0, [m, k]), (1, [k, n])):
                    record("mmaOperand", DotOperandLayout(operand, parent, 32 // bits), shape, warps=warps,
                           operand=operand, bits=bits)
    for warps in ([1, 2, 2], [4, 1, 1], [2, 2, 1]):
        parent = NVMMADistributedLayout([2, 0], warps, [1, 16, 8])
        record("mma", parent, [4, 32, 32], warps=warps)
        for operand in (0, 1):
            record("mmaOperand", DotOperandLayout(operand, parent, 2), [4, 32, 32], warps=warps, operand=operand,
                   bits=16)


def ask_wgmma():
    for warps in ([4, 1], [8, 1], [4, 2]):
        for n in (8, 16, 32, 64, 128, 256):
            for shape in ([64, 256], [128, 128], [256, 64], [64, 16]):
                if n <= shape[1]:
                    record("wgmma", NVMMADistributedLayout([3, 0], warps, [16, n, 16]), shape, warps=warps, n=n)
        for bits in (8, 16, 32):
            parent = NVMMADistributedLayout([3, 0], warps, [16, 64, 256 // bits])
            for shape in ([64, 64], [128, 32], [256, 128]):
                record("wgmmaOperand", DotOperandLayout(0, parent, 32 // bits), shape, warps=warps, bits=bits)


def ask_shared():
    for _ in range(60):
        vector, per_phase, max_phase = (2**random.randint(0, 4), 2**random.randint(0, 2), 2**random.randint(0, 3))
        rank = random.choice([2, 2, 3])
        order = list(range(rank))
        random.shuffle(order)
        shape = powers(0, 7 if rank == 2 else 5, rank)
        if vector * max_phase <= shape[order[0]]:
            record("swizzled", SwizzledSharedLayout(vector, per_phase, max_phase, order), shape, vector=vector,
                   perPhase=per_phase, maxPhase=max_phase, order=order)
    for bits in (8, 16, 32):
        for swizzle in (0, 32, 64, 128):
            for transposed in (False, True):
                for shape in ([64, 64], [128, 32], [8, 256], [16, 16], [64, 128]):
                    row, rows = shape[::1 if transposed else -1]
                    if row * bits // 8 >= max(swizzle, 16) and rows >= 8:
                        record("wgmmaShared", NVMMASharedLayout(swizzle, bits, 2, transposed), shape, bits=bits,
                               swizzle=swizzle, transposed=transposed)


@gluon.jit
def compare(registers: gl.constexpr, shared: gl.constexpr):
    gl.bank_conflicts(registers, shared)


def conflicts(registers, shared, element):
    """Excess accesses of each wavefront between registers and shared memory, as the compiler counts them."""
    answers = []

    def listen(self, *types):
        answers.append(answer(self, *types))
        return answers[-1]

    answer = GluonSemantic.bank_conflicts
    GluonSemantic.bank_conflicts = listen
    constants = {"registers": gl.distributed_type(element, [64, 64], registers),
                 "shared": gl.shared_memory_descriptor_type(element, [64, 64], shared, [64, 64])}
    options = backend.parse_options({})
    GluonASTSource(compare, dict.fromkeys(constants, "constexpr"), constants).make_ir(
        target, options, backend.get_codegen_implementation(options), backend.get_module_map(), context)
    GluonSemantic.bank_conflicts = answer
    return int(answers[0])


def ask_conflicts():
    distributed = [BlockedLayout(*parameters) for parameters in (
        ([1, 8], [4, 8], [4, 1], [1, 0]), ([1, 4], [2, 16], [2, 2], [1, 0]), ([8, 1], [8, 4], [1, 4], [0, 1]),
        ([1, 1], [1, 32], [4, 1], [1, 0]), ([1, 1], [32, 1], [1, 4], [0, 1]), ([4, 4], [8, 4], [2, 2], [1, 0]))]
    mma = NVMMADistributedLayout([2, 0], [2, 2], [16, 8])
    distributed += [mma, DotOperandLayout(0, mma, 2), DotOperandLayout(1, mma, 2)]
    for layout in distributed:
        for element in (gl.int8, gl.float16, gl.float32):
            for vector, per_phase, max_phase, order in ((1, 1, 1, [1, 0]), (8, 1, 8, [1, 0]), (4, 2, 4, [1, 0]),
                                                        (1, 1, 1, [0, 1]), (8, 1, 4, [0, 1]), (2, 1, 8, [1, 0])):
                shared = SwizzledSharedLayout(vector, per_phase, max_phase, order)
                entries.append({"kind": "conflicts", "shape": [64, 64], "bits": element.primitive_bitwidth,
                                "registers": bases(layout, [64, 64]), "shared": bases(shared, [64, 64]),
                                "conflicts": conflicts(layout, shared, element)})


for ask in (ask_blocked, ask_fma, ask_mma, ask_wgmma, ask_shared, ask_conflicts):
    ask()
lines = [json.dumps(entry, separators=(",", ":")) for entry in entries]
print("[\n" + ",\n".join(lines) + "\n]", flush=True)
os._exit(0)  # the binding complains of leaks of its own
