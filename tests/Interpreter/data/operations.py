# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks Triton on a GPU what inline PTX, tl.gather, tl.histogram, tl.map_elementwise and tl.dot_scaled give, and
records the bits.

Run by hand on a GPU machine: python operations.py OUT.json. Approximate PTX is recorded too; the test allows for it.
"""
import json
import sys

import torch
import triton
import triton.language as tl

N = 16
TORCH = {"si8": torch.int8, "ui8": torch.uint8, "si16": torch.int16, "si32": torch.int32, "ui32": torch.int32,
         "si64": torch.int64, "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
TL = {"si8": tl.int8, "ui8": tl.uint8, "si16": tl.int16, "si32": tl.int32, "ui32": tl.uint32, "si64": tl.int64,
      "f16": tl.float16, "bf16": tl.bfloat16, "f32": tl.float32, "f64": tl.float64}
A = [0, 1, -1, 2, 7, 0x7fffffff, -0x80000000, 0x12345678, -0x12345678, 255, 256, 0x00ff00ff, 31, 32, 33, 1000]
B = [3, -7, 0x00010001, 5, -2, 0x7fffffff, 16, 8, 0x0f0f0f0f, -1, 1, 2, 40, 63, -0x80000000, 12]
C = [1, 4, 8, 31, 32, 33, 0, 16, 5, 7, 24, 2, 3, 9, 12, 40]
F = [0.0, -0.0, 1.0, -1.5, 2.75, -3.25, 100.5, 1e-3, -1e5, 3.0e38, float("inf"), float("-inf"), float("nan"), 0.5, 1e-40,
     65504.0]
G = [1.0, 2.0, -0.0, 0.25, -7.0, 3.5, 0.1, 1e3, 2.5, 2.0, -1.0, 4.0, 1.0, float("nan"), 3.0, 8.0]

INT32 = {
    "add": "add.s32 $0, $1, $2;", "sub": "sub.s32 $0, $1, $2;", "mul.lo": "mul.lo.s32 $0, $1, $2;",
    "mul.hi": "mul.hi.s32 $0, $1, $2;", "mul.hi.u": "mul.hi.u32 $0, $1, $2;", "mad": "mad.lo.s32 $0, $1, $2, $3;",
    "div": "div.s32 $0, $1, $2;", "div.u": "div.u32 $0, $1, $2;", "rem": "rem.s32 $0, $1, $2;",
    "min": "min.s32 $0, $1, $2;", "max.u": "max.u32 $0, $1, $2;", "abs": "abs.s32 $0, $1;", "neg": "neg.s32 $0, $1;",
    "sad": "sad.s32 $0, $1, $2, $3;", "dp4a": "dp4a.s32.s32 $0, $1, $2, $3;", "dp4a.u": "dp4a.u32.u32 $0, $1, $2, $3;",
    "and": "and.b32 $0, $1, $2;", "or": "or.b32 $0, $1, $2;", "xor": "xor.b32 $0, $1, 0x55555555;",
    "not": "not.b32 $0, $1;", "cnot": "cnot.b32 $0, $1;", "shl": "shl.b32 $0, $1, $3;", "shr.u": "shr.u32 $0, $1, $3;",
    "shr.s": "shr.s32 $0, $1, $3;", "shf.l.wrap": "shf.l.wrap.b32 $0, $1, $2, $3;",
    "shf.r.wrap": "shf.r.wrap.b32 $0, $1, $2, $3;", "shf.l.clamp": "shf.l.clamp.b32 $0, $1, $2, $3;",
    "shf.r.clamp": "shf.r.clamp.b32 $0, $1, $2, $3;", "brev": "brev.b32 $0, $1;", "popc": "popc.b32 $0, $1;",
    "clz": "clz.b32 $0, $1;", "bfind.u": "bfind.u32 $0, $1;", "bfind.s": "bfind.s32 $0, $1;",
    "bfind.shift": "bfind.shiftamt.u32 $0, $1;", "bfe.u": "bfe.u32 $0, $1, $3, 9;", "bfe.s": "bfe.s32 $0, $1, $3, 9;",
    "bfe.s.len": "bfe.s32 $0, $1, 5, $3;", "bfi": "bfi.b32 $0, $1, $2, $3, 7;", "prmt": "prmt.b32 $0, $1, $2, $3;",
    "prmt.const": "prmt.b32 $0, $1, $2, 0xb5d2;", "lop3": "lop3.b32 $0, $1, $2, $3, 0xf8;",
    "lop3.ca": "lop3.b32 $0, $1, $2, $3, 0xca;", "add.s16x2": "add.s16x2 $0, $1, $2;",
    "setp": "{ .reg .pred p; setp.lt.s32 p, $1, $2; selp.s32 $0, $1, $2, p; }",
    "setp.u": "{ .reg .pred p, q; setp.hi.u32 p|q, $1, $2; selp.b32 $0, 7, $3, q; }",
    "setp.and": "{ .reg .pred p, q; setp.eq.s32 q, $3, 8; setp.gt.or.s32 p, $1, $2, q; @p mov.s32 $0, 1; @!p mov.s32 $0, 0; }",
    "mov.vector": "{ .reg .b16 l, h; mov.b32 {l, h}, $1; mov.b32 $0, {h, l}; }",
    "cvt.sat": "{ .reg .b32 t; cvt.sat.s8.s32 t, $1; mov.b32 $0, t; }", "cvt.u8": "cvt.u32.u8 $0, $1;",
    "cvt.s16": "cvt.s32.s16 $0, $1;",
    "comment": "// the sum\n add.u32 $0, $1, $2; /* and\n one */ add.u32 $0, $0, 1;",
}
FLOAT = {
    "add": "add.f32 $0, $1, $2;", "add.rz": "add.rz.f32 $0, $1, $2;", "add.rm": "add.rm.f32 $0, $1, $2;",
    "add.rp": "add.rp.f32 $0, $1, $2;", "mul.ftz": "mul.ftz.f32 $0, $1, $2;", "mul.sat": "mul.sat.f32 $0, $1, $2;",
    "fma": "fma.rn.f32 $0, $1, $2, $1;", "fma.ftz": "fma.rn.ftz.f32 $0, $1, $2, 0f3F800000;", "div": "div.rn.f32 $0, $1, $2;",
    "min": "min.f32 $0, $1, $2;", "max": "max.f32 $0, $1, $2;", "max.NaN": "max.NaN.f32 $0, $1, $2;",
    "abs": "abs.f32 $0, $1;", "neg": "neg.f32 $0, $1;", "copysign": "copysign.f32 $0, $1, $2;",
    "sqrt": "sqrt.rn.f32 $0, $1;", "rcp": "rcp.rn.f32 $0, $1;", "ex2~": "ex2.approx.ftz.f32 $0, $2;",
    "lg2~": "lg2.approx.f32 $0, $1;", "rcp~": "rcp.approx.ftz.f32 $0, $2;", "rsqrt~": "rsqrt.approx.f32 $0, $2;",
    "sqrt~": "sqrt.approx.f32 $0, $1;", "tanh~": "tanh.approx.f32 $0, $2;", "sin~": "sin.approx.f32 $0, $2;",
    "cos~": "cos.approx.f32 $0, $2;", "cvt.rni": "cvt.rni.f32.f32 $0, $1;", "cvt.rmi": "cvt.rmi.f32.f32 $0, $1;",
    "cvt.rzi": "cvt.rzi.f32.f32 $0, $2;",
    "setp.ltu": "{ .reg .pred p; setp.ltu.f32 p, $1, $2; selp.f32 $0, 0f3F800000, 0f00000000, p; }",
    "setp.num": "{ .reg .pred p; setp.num.f32 p, $1, $2; selp.f32 $0, $1, $2, p; }",
}
TO_INT = {"cvt.rni": "cvt.rni.s32.f32 $0, $1;", "cvt.rzi": "cvt.rzi.u32.f32 $0, $1;", "cvt.rpi": "cvt.rpi.s32.f32 $0, $1;",
          "cvt.f16x2": "cvt.rn.f16x2.f32 $0, $1, $2;", "cvt.bf16x2": "cvt.rn.bf16x2.f32 $0, $1, $2;",
          "cvt.rz.bf16x2": "cvt.rz.bf16x2.f32 $0, $1, $2;",
          "cvt.e4m3x2": "{ .reg .b16 t; cvt.rn.satfinite.e4m3x2.f32 t, $1, $2; cvt.u32.u16 $0, t; }",
          "cvt.e5m2x2": "{ .reg .b16 t; cvt.rn.satfinite.e5m2x2.f32 t, $1, $2; cvt.u32.u16 $0, t; }"}
PACKED = {"add": "add.f16x2 $0, $1, $2;", "mul": "mul.f16x2 $0, $1, $2;", "fma": "fma.rn.f16x2 $0, $1, $2, $1;",
          "min": "min.f16x2 $0, $1, $2;", "max.NaN": "max.NaN.f16x2 $0, $1, $2;", "neg": "neg.f16x2 $0, $1;",
          "tanh~": "tanh.approx.f16x2 $0, $2;", "ex2~": "ex2.approx.f16x2 $0, $2;"}
BRAIN = {"fma": "fma.rn.bf16x2 $0, $1, $2, $1;", "max": "max.bf16x2 $0, $1, $2;", "abs": "abs.bf16x2 $0, $1;",
         "tanh~": "tanh.approx.bf16x2 $0, $2;"}


def bits(tensor):
    view = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[tensor.element_size()]
    return [int(v) & (1 << 8 * tensor.element_size()) - 1 for v in tensor.view(view).flatten()]


@triton.jit
def assemble1(x, out, N: tl.constexpr, ASM: tl.constexpr, CON: tl.constexpr, T: tl.constexpr, PACK: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.inline_asm_elementwise(ASM, CON, [tl.load(x + i)], dtype=T.value, is_pure=True, pack=PACK))


@triton.jit
def assemble2(x, y, out, N: tl.constexpr, ASM: tl.constexpr, CON: tl.constexpr, T: tl.constexpr, PACK: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.inline_asm_elementwise(ASM, CON, [tl.load(x + i), tl.load(y + i)], dtype=T.value, is_pure=True,
                                                pack=PACK))


@triton.jit
def assemble3(x, y, z, out, N: tl.constexpr, ASM: tl.constexpr, CON: tl.constexpr, T: tl.constexpr, PACK: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.inline_asm_elementwise(ASM, CON, [tl.load(x + i), tl.load(y + i), tl.load(z + i)], dtype=T.value,
                                                is_pure=True, pack=PACK))


def assemble(name, asm, constraints, values, types, result, pack=1):
    tensors = [torch.tensor(v, dtype=TORCH[t], device="cuda") for v, t in zip(values, types)]
    out = torch.zeros(N, dtype=TORCH[result], device="cuda")
    kernel = {1: assemble1, 2: assemble2, 3: assemble3}[len(tensors)]
    kernel[(1,)](*tensors, out, N, asm, constraints, TL[result], pack, num_warps=1)
    return {"name": name, "asm": asm, "constraints": constraints, "pack": pack, "types": types, "result": result,
            "operands": [bits(t) for t in tensors], "values": bits(out)}


def assembly():
    for name, asm in INT32.items():
        yield assemble("s32 " + name, asm, "=r,r,r,r", [A, B, C], ["si32"] * 3, "si32")
    for name, asm in FLOAT.items():
        yield assemble("f32 " + name, asm, "=f,f,f", [F, G], ["f32"] * 2, "f32")
    for name, asm in TO_INT.items():
        yield assemble("f32 to s32 " + name, asm, "=r,f,f", [F, G], ["f32"] * 2, "si32")
    for name, asm in PACKED.items():
        yield assemble("f16x2 " + name, asm, "=r,r,r", [F, G], ["f16"] * 2, "f16", pack=2)
    for name, asm in BRAIN.items():
        yield assemble("bf16x2 " + name, asm, "=r,r,r", [F, G], ["bf16"] * 2, "bf16", pack=2)
    yield assemble("wide", "mul.wide.s32 $0, $1, $2;", "=l,r,r", [A, B], ["si32"] * 2, "si64")
    yield assemble("wide.u", "mul.wide.u32 $0, $1, $2;", "=l,r,r", [A, B], ["si32"] * 2, "si64")
    yield assemble("clz64", "{ .reg .b32 t; clz.b64 t, $1; cvt.u64.u32 $0, t; }", "=l,l", [A], ["si64"], "si64")
    yield assemble("f64", "fma.rn.f64 $0, $1, $2, 0d3FF8000000000000;", "=d,d,d", [F, G], ["f64"] * 2, "f64")
    yield assemble("cvt.f64", "cvt.rn.f32.f64 $0, $1;", "=f,d", [F], ["f64"], "f32")
    yield assemble("from s64", "cvt.rn.f32.s64 $0, $1;", "=f,l", [A], ["si64"], "f32")
    yield assemble("bytes", "and.b32 $0, $1, 0x1F1F1F1F; shl.b32 $0, $0, 3;", "=r,r", [[v & 255 for v in A]], ["ui8"], "ui8",
                   pack=4)
    yield assemble("half", "add.f16 $0, $1, $1;", "=h,h", [F], ["f16"], "f16")
    yield assemble("tied", "add.s32 $0, $0, $2;", "=r,0,r", [A, B], ["si32"] * 2, "si32")
    e4m3 = "cvt.rn.f16x2.e4m3x2 $0, $1;"
    bytes8 = [[0x00, 0x80, 0x38, 0xb8, 0x7e, 0xfe, 0x7f, 0x01, 0x08, 0x40, 0x55, 0xaa, 0x77, 0x3c, 0x10, 0x07]]
    unpack = "{ .reg .b16 l, h; mov.b32 {l, h}, $2; cvt.rn.f16x2.e4m3x2 $0, l; cvt.rn.f16x2.e4m3x2 $1, h; }"
    yield assemble("e4m3x2", unpack, "=r,=r,r", bytes8, ["ui8"], "f16", pack=4)
    yield assemble("e5m2x2", unpack.replace("e4m3", "e5m2"), "=r,=r,r", bytes8, ["ui8"], "f16", pack=4)


@triton.jit
def product(a, sa, b, sb, out, M: tl.constexpr, N: tl.constexpr, KA: tl.constexpr, KB: tl.constexpr, S: tl.constexpr,
            FA: tl.constexpr, FB: tl.constexpr, HAS_SA: tl.constexpr, HAS_SB: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    x = tl.load(a + m[:, None] * KA + tl.arange(0, KA)[None, :])
    y = tl.load(b + tl.arange(0, KB)[:, None] * N + n[None, :])
    g = tl.arange(0, S)
    scale_a = tl.load(sa + m[:, None] * S + g[None, :]) if HAS_SA else None
    scale_b = tl.load(sb + n[:, None] * S + g[None, :]) if HAS_SB else None
    z = tl.dot_scaled(x, scale_a, FA, y, scale_b, FB)
    tl.store(out + m[:, None] * N + n[None, :], z)


def operand(format, shape, k_axis):
    """Small values, whose sums are exact in fp32."""
    if format == "e2m1":
        shape = list(shape)
        shape[k_axis] //= 2
        return torch.randint(0, 256, shape, dtype=torch.uint8)
    values = torch.randint(-4, 5, shape).float() / 2
    if format in ("bf16", "fp16"):
        return values.to(torch.bfloat16 if format == "bf16" else torch.float16)
    return values.to(torch.float8_e4m3fn if format == "e4m3" else torch.float8_e5m2).view(torch.uint8)


def scaled():
    torch.manual_seed(0)
    m, n, k = 16, 16, 64
    for fa, fb, has_a, has_b in [("e2m1", "e2m1", True, True), ("e4m3", "e5m2", True, True), ("e2m1", "e4m3", True, False),
                                 ("e5m2", "e2m1", False, True), ("bf16", "e2m1", False, True), ("e4m3", "e4m3", True, True)]:
        a, b = operand(fa, (m, k), 1).cuda(), operand(fb, (k, n), 0).cuda()
        sa = torch.randint(124, 131, (m, k // 32), dtype=torch.uint8).cuda()
        sb = torch.randint(124, 131, (n, k // 32), dtype=torch.uint8).cuda()
        out = torch.zeros((m, n), device="cuda")
        product[(1,)](a, sa, b, sb, out, m, n, a.shape[1], b.shape[0], k // 32, fa, fb, has_a, has_b)
        yield {"a": bits(a), "b": bits(b), "sa": bits(sa) if has_a else [], "sb": bits(sb) if has_b else [], "formats": [fa, fb],
               "values": bits(out)}


def main():
    record = {"triton": triton.__version__, "gpu": torch.cuda.get_device_name(), "assembly": [], "scaled": []}
    for name, cases in (("assembly", assembly()), ("scaled", scaled())):
        for case in cases:
            record[name].append(case)
    with open(sys.argv[1], "w") as file:
        head = {key: record[key] for key in ("triton", "gpu")}
        lists = ",\n".join(f'"{key}":[\n' + ",\n".join(json.dumps(c, separators=(",", ":")) for c in record[key]) + "\n]"
                           for key in ("assembly", "scaled"))
        file.write(json.dumps(head)[:-1] + ",\n" + lists + "\n}\n")


main()
