#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Asks PyTorch (CPU) what tensor operations give and writes tensor-operations.json beside this file. Needs PyTorch;
# the tests need only the data.
#
# A case: {"op", "args", "kwargs", "ulps", "results"}. "torch.exp" is a function, ".sum" a method or attribute, "[]" a
# subscript, "[]=" an assignment (the result is the tensor after it), "+" and the like Python's operators. A tensor
# argument is {"shape", "dtype", "seed", …}: its elements follow a formula, see T; one of int64 may be written out as
# {"integers"}. A result may differ by "ulps" units
# in the last place of what is larger: the result, or "scale", the size of what was added up on the way.
import json
import math
import operator
import pathlib

import torch

SLICE = "slice"
cases = []


class T:
    """A tensor argument, by a formula whose values are exact in every type."""

    def __init__(self, *shape, dtype="float32", seed=1, transposed=False, positive=False):
        self.spec = {"shape": list(shape), "dtype": dtype, "seed": seed, "transposed": transposed, "positive": positive}

    def make(self):
        s = self.spec
        count = math.prod(s["shape"])
        numbers = [(i * 37 + 11 * s["seed"]) % 101 - 50 for i in range(count)]
        if s["positive"]:
            numbers = [abs(n) + 1 for n in numbers]
        dtype = getattr(torch, s["dtype"])
        if dtype == torch.bool:
            numbers = [n % 3 == 0 for n in numbers]
        elif dtype.is_floating_point:
            numbers = [n / 8 for n in numbers]
        elif dtype == torch.uint8:
            numbers = [abs(n) for n in numbers]
        tensor = torch.tensor(numbers, dtype=dtype).reshape(s["shape"])
        return tensor.t() if s["transposed"] else tensor


def real(value):
    if isinstance(value, T):
        return value.make()
    if isinstance(value, (list, tuple)):
        return type(value)(real(v) for v in value)
    return value


def encode(value):
    if isinstance(value, T):
        return {"tensor": value.spec}
    if isinstance(value, torch.Tensor):
        return {"integers": value.tolist()}
    if isinstance(value, torch.dtype):
        return {"dtype": str(value)}
    if isinstance(value, slice):
        return {"slice": [value.start, value.stop, value.step]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, tuple):
        return {"tuple": [encode(v) for v in value]}
    if isinstance(value, list):
        return [encode(v) for v in value]
    if isinstance(value, float):
        return {"float": number(value)}
    return value


def number(value):
    return value if isinstance(value, (bool, int)) or math.isfinite(value) else str(value)


def result(value):
    if isinstance(value, torch.Tensor):
        flat = value.reshape(-1)
        flat = flat.double() if value.is_floating_point() else flat
        return {"dtype": str(value.dtype), "shape": list(value.shape), "strides": list(value.stride()),
                "values": [number(v) for v in flat.tolist()]}
    if isinstance(value, tuple):
        return {"tuple": [result(v) for v in value]}
    if isinstance(value, float):
        return {"float": number(value)}
    return {"value": str(value) if isinstance(value, torch.dtype) else value}


OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
             "%": operator.mod, "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_,
             "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift, "==": operator.eq, "!=": operator.ne,
             "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def call(op, args, kwargs):
    if op == "[]":
        return args[0][args[1]]
    if op == "[]=":
        args[0][args[1]] = args[2]
        return args[0]
    if op in OPERATORS:
        return OPERATORS[op](*args)
    if op.startswith("."):
        member = getattr(args[0], op[1:])
        return member(*args[1:], **kwargs) if callable(member) else member
    function = torch
    for part in op.split(".")[1:]:
        function = getattr(function, part)
    return function(*args, **kwargs)


def case(op, *args, ulps=0, scale=0, **kwargs):
    kwargs = {k.rstrip("_"): v for k, v in kwargs.items()}  # scale_ is the operation's own
    value = call(op, real(list(args)), {k: real(v) for k, v in kwargs.items()})
    cases.append({"op": op, "args": [encode(a) for a in args], "kwargs": {k: encode(v) for k, v in kwargs.items()},
                  "ulps": ulps, "scale": scale, "result": result(value)})


FLOATS = ["float16", "bfloat16", "float32", "float64"]
INTS = ["int8", "int16", "int32", "int64", "uint8"]
ALL = FLOATS + INTS + ["bool"]


def arithmetic():
    for dtype in ALL:
        for op in ["+", "-", "*", "/"]:
            if not (dtype == "bool" and op == "-"):
                case(op, T(3, 4, dtype=dtype), T(4, dtype=dtype, seed=3))
        for op in ["==", "!=", "<", "<=", ">", ">="]:
            case(op, T(3, 4, dtype=dtype), T(3, 1, dtype=dtype, seed=3))
    for a in ALL:
        for b in ALL:
            case("+", T(5, dtype=a), T(5, dtype=b, seed=4))
            case("*", T(5, dtype=a), T(dtype=b, seed=4))
        for scalar in [True, 3, 2.5]:
            case("*", T(5, dtype=a), scalar)
            case("+", scalar, T(5, dtype=a))
    for dtype in ["float32", "float64", "int32", "int64"]:
        for op in ["//", "%"]:
            case(op, T(40, dtype=dtype), T(40, dtype=dtype, seed=6, positive=True))
            case(op, T(40, dtype=dtype), -7)
            case(op, T(40, dtype=dtype), 3)
        case("torch.fmod", T(40, dtype=dtype), 7)
    case("//", T(20), 0.0)
    case("%", T(20), 0.0)
    for exponent in [2, 3, 0.5, -1, 1.7]:
        case("**", T(20, positive=True), exponent, ulps=2)
    case("**", T(20, dtype="int64"), 3)
    case("**", 2, T(8, positive=True), ulps=2)
    for dtype in INTS[:-1]:
        for op in ["&", "|", "^"]:
            case(op, T(20, dtype=dtype), T(20, dtype=dtype, seed=5))
        case("<<", T(20, dtype=dtype), 2)
        case(">>", T(20, dtype=dtype), 2)
    case("&", T(20, dtype="bool"), T(20, dtype="bool", seed=5))
    case("torch.add", T(3, 4), T(3, 4, seed=2), alpha=2.5)
    case("torch.sub", T(3, 4, dtype="int32"), T(3, 4, seed=2, dtype="int32"), alpha=3)
    case("torch.div", T(20), T(20, seed=2, positive=True), rounding_mode="floor")
    case("torch.div", T(20), T(20, seed=2, positive=True), rounding_mode="trunc")
    case("torch.div", T(20, dtype="int32"), 7, rounding_mode="trunc")
    case("+", T(4, 3, transposed=True), T(3, 4))
    case("*", T(3, 4, 5), T(4, 1))
    case(".add_", T(3, 4), T(4, seed=3))
    case(".mul_", T(3, 4, dtype="int32"), 3)
    case("torch.maximum", T(20), T(20, seed=7))
    case("torch.minimum", T(20, dtype="int16"), T(20, seed=7))


def unary():
    for name in ["exp", "sin", "cos", "tanh", "sigmoid", "erf", "expm1", "exp2", "atan", "sinh", "cosh"]:
        for dtype in FLOATS + ["int32"]:
            case("torch." + name, T(101, dtype=dtype), ulps=3)
    for name in ["log", "log2", "log10", "log1p", "sqrt", "rsqrt", "reciprocal"]:
        for dtype in FLOATS + ["int64"]:
            case("torch." + name, T(101, dtype=dtype, positive=True), ulps=3)
    case("torch.log", T(20), ulps=3)
    case("torch.sqrt", T(20), ulps=1)
    for name in ["abs", "neg", "square", "sign", "floor", "ceil", "trunc", "round", "relu", "isnan", "isfinite",
                 "logical_not"]:
        for dtype in FLOATS + ["int32"]:
            case("torch." + name, T(101, dtype=dtype))
    case("torch.bitwise_not", T(9, dtype="int32"))
    case("torch.bitwise_not", T(9, dtype="bool"))
    for dtype in FLOATS:
        case("torch.nn.functional.gelu", T(101, dtype=dtype), ulps=3, scale=4)
        case("torch.nn.functional.gelu", T(101, dtype=dtype), approximate="tanh", ulps=3, scale=4)
        case("torch.nn.functional.silu", T(101, dtype=dtype), ulps=3)
    case("torch.nn.functional.leaky_relu", T(101), 0.2)
    case("torch.nn.functional.softplus", T(101), ulps=3)
    case("torch.clamp", T(20), -1.0, 2.0)
    case("torch.clamp", T(20, dtype="int32"), min=5)
    case("torch.clamp", T(20), max=0.3)
    case("torch.where", T(4, 5, dtype="bool"), T(4, 5), 0.0)
    case("torch.where", T(5, dtype="bool"), T(4, 5, dtype="int32"), T(4, 1, seed=2))
    case(".masked_fill", T(4, 5), T(4, 5, dtype="bool"), float("-inf"))


def reductions():
    for dtype in ALL:
        for name in ["sum", "prod"]:
            case("torch." + name, T(7, dtype=dtype, positive=True), ulps=1)
        case("torch.sum", T(6, 7, dtype=dtype), dim=1, ulps=1)
        case("torch.sum", T(6, 7, dtype=dtype), 0, ulps=1)
        case("torch.amax", T(6, 7, dtype=dtype), dim=1, keepdim=True)
        case("torch.amin", T(6, 7, dtype=dtype), dim=0)
        case("torch.any", T(6, 7, dtype=dtype), dim=0)
        case("torch.all", T(6, 7, dtype=dtype))
        case("torch.max", T(6, 7, dtype=dtype))
        if dtype != "bool":
            case("torch.max", T(6, 7, dtype=dtype), 1)
            case("torch.min", T(6, 7, dtype=dtype), dim=0, keepdim=True)
            case("torch.argmax", T(6, 7, dtype=dtype), dim=1)
            case("torch.argmin", T(6, 7, dtype=dtype))
        case("torch.cumsum", T(3, 9, dtype=dtype), dim=1, ulps=1)
        case("torch.count_nonzero", T(6, 7, dtype=dtype), dim=0)
    for dtype in FLOATS:
        case("torch.mean", T(6, 50, dtype=dtype), dim=-1, ulps=1)
        case(".mean", T(6, 7, 5, dtype=dtype), dim=(0, 2), keepdim=True, ulps=1)
        for name in ["var", "std"]:
            case("torch." + name, T(6, 50, dtype=dtype), dim=1, ulps=2)
            case("torch." + name, T(6, 50, dtype=dtype), dim=1, unbiased=False, ulps=2)
            case("torch." + name, T(30, dtype=dtype), correction=0, ulps=2)
        case("torch.norm", T(6, 50, dtype=dtype), ulps=1)
        case("torch.norm", T(6, 50, dtype=dtype), p=1, dim=1, ulps=1)
        case("torch.logsumexp", T(6, 50, dtype=dtype), dim=1, ulps=2)
        for dim in [0, 1]:
            case("torch.softmax", T(6, 50, dtype=dtype), dim=dim, ulps=4)
            case("torch.log_softmax", T(6, 50, dtype=dtype), dim=dim, ulps=4, scale=1)
        case("torch.nn.functional.layer_norm", T(6, 50, dtype=dtype), (50,), T(50, dtype=dtype, seed=2),
             T(50, dtype=dtype, seed=3), ulps=3, scale=8)
        case("torch.nn.functional.rms_norm", T(6, 50, dtype=dtype), (50,), T(50, dtype=dtype, seed=2), ulps=3, scale=8)
    case("torch.sum", T(3, 4, 5), dim=(0, 2))
    case("torch.sum", T(3, 4, 5), dim=(0, -1), keepdim=True)
    case("torch.sum", T(0, 4), dim=0)
    case("torch.sum", T(5, dtype="float16"), dtype=torch.float32)
    case("torch.max", T(12), T(12, seed=3))
    case("torch.softmax", T(6, 50, dtype="float16"), dim=1, dtype=torch.float32, ulps=4)
    case(".sum", T(4, 3, transposed=True), 0)


def matrices():
    for dtype in FLOATS + ["int32"]:
        case("@", T(5, 7, dtype=dtype), T(7, 6, dtype=dtype, seed=2), ulps=1)
        case("torch.matmul", T(7, dtype=dtype), T(7, dtype=dtype, seed=2), ulps=1)
        case("torch.matmul", T(7, dtype=dtype), T(7, 6, dtype=dtype, seed=2), ulps=1)
        case("torch.matmul", T(5, 7, dtype=dtype), T(7, dtype=dtype, seed=2), ulps=1)
        case("torch.bmm", T(3, 5, 7, dtype=dtype), T(3, 7, 6, dtype=dtype, seed=2), ulps=1)
    case("torch.matmul", T(2, 3, 5, 7), T(3, 7, 6, seed=2), ulps=1)
    case("torch.mm", T(7, 5, transposed=True), T(7, 6, seed=2), ulps=1)
    case("torch.addmm", T(6), T(5, 7, seed=2), T(7, 6, seed=3), ulps=1)
    case("torch.addmm", T(5, 6), T(5, 7, seed=2), T(7, 6, seed=3), beta=0.5, alpha=2.0, ulps=1)
    case("torch.nn.functional.linear", T(5, 7), T(6, 7, seed=2), T(6, seed=3), ulps=1)
    # Scores of about 60 are what exp() is taken of: their last place counts.
    for dtype in FLOATS:
        qkv = [T(2, 3, 5, 8, dtype=dtype), T(2, 3, 6, 8, dtype=dtype, seed=2), T(2, 3, 6, 7, dtype=dtype, seed=3)]
        case("torch.nn.functional.scaled_dot_product_attention", *qkv, ulps=4, scale=64)
        case("torch.nn.functional.scaled_dot_product_attention", *qkv, is_causal=True, scale_=0.3, ulps=4, scale=64)
        case("torch.nn.functional.scaled_dot_product_attention", *qkv, attn_mask=T(5, 6, dtype="bool"), ulps=4,
             scale=64)
    case("torch.tril", T(4, 5))
    case("torch.triu", T(2, 4, 5), 1)


def views():
    case(".reshape", T(4, 6), 3, 8)
    case(".reshape", T(4, 6), (2, -1))
    case(".reshape", T(4, 6, transposed=True), -1)
    case(".view", T(4, 6), 2, 2, 6)
    case(".t", T(4, 6))
    case(".T", T(4, 6))
    case(".transpose", T(2, 3, 4), 0, -1)
    case(".permute", T(2, 3, 4), 2, 0, 1)
    case(".expand", T(3, 1), 3, 4)
    case(".expand", T(3, 1), 2, -1, 4)
    case(".unsqueeze", T(3, 4), 1)
    case(".unsqueeze", T(3, 4), -1)
    case(".squeeze", T(1, 3, 1))
    case(".squeeze", T(1, 3, 1), 0)
    case(".flatten", T(2, 3, 4), 1)
    case(".contiguous", T(4, 6, transposed=True))
    case(".clone", T(4, 6, transposed=True))
    case(".chunk", T(7, 2), 3)
    case(".split", T(7, 2), 3, dim=0)
    case(".unbind", T(3, 2))
    case("torch.cat", [T(2, 3), T(4, 3, seed=2)])
    case("torch.cat", [T(2, 3), T(2, 1, seed=2, dtype="int32")], dim=1)
    case("torch.stack", [T(2, 3), T(2, 3, seed=2)], dim=1)
    case(".repeat", T(2, 3), 2, 2)
    case(".repeat", T(3), 2, 2)
    for to in [torch.float16, torch.bfloat16, torch.float32, torch.int32, torch.uint8, torch.bool,
               torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz]:
        case(".to", T(101), to)
        case("torch.exp", T(101, dtype="float16"), ulps=1)
    for name in ["shape", "dtype", "ndim"]:
        case("." + name, T(2, 3))
    for name in ["size", "stride", "numel", "dim", "element_size", "is_contiguous"]:
        case("." + name, T(2, 3, transposed=True))
    case(".size", T(2, 3), -1)
    case(".item", T(1))
    case(".tolist", T(2, 3, dtype="int32"))
    case("torch.exp", T(4, 6, transposed=True), ulps=3)
    case(".to", T(4, 6, transposed=True), torch.float16)
    case("torch.zeros_like", T(4, 6, transposed=True))


def indexing():
    for index in [0, -1, slice(1, 3), slice(None, None, 2), (slice(None), 1), (Ellipsis, 2), None, (None, 1),
                  (slice(None), None), (1, 2), [0, 2], (slice(None), [0, 2]), ([0, 1], [2, 3]), slice(5, 2),
                  (slice(None), slice(-3, -1))]:
        case("[]", T(4, 5), index)
    case("[]", T(4, 5), T(4, 5, dtype="bool"))
    case("[]", T(4, 5), T(4, dtype="bool"))
    case("[]", T(2, 3, 4), (slice(None), [0, 2], 1))
    case("[]", T(2, 3, 4), ([0, 1], slice(None), [0, 2]))
    case("[]", T(2, 3, 4), (1, Ellipsis, [0, 2]))
    case("[]=", T(4, 5), 1, 7.0)
    case("[]=", T(4, 5), (slice(None), 2), T(4, seed=3))
    case("[]=", T(4, 5), T(4, 5, dtype="bool"), 0)
    case("[]=", T(4, 5), (slice(None), [0, 2]), T(4, 2, seed=4))
    case("[]=", T(4, 5, dtype="int32"), slice(1, 3), 2.75)


def creation():
    case("torch.zeros", 2, 3)
    case("torch.ones", (2, 3), dtype=torch.float16)
    case("torch.full", (2, 3), 7)
    case("torch.full", (2,), 1.5)
    case("torch.arange", 5)
    case("torch.arange", 1, 10, 3)
    case("torch.arange", 0.0, 1.0, 0.1)
    case("torch.arange", 5, 0, -2)
    case("torch.arange", 4, dtype=torch.float32)
    case("torch.linspace", 0, 1, 7)
    case("torch.linspace", -3.0, 2.0, 10, dtype=torch.float64)
    case("torch.eye", 3)
    case("torch.eye", 2, 4, dtype=torch.int32)
    case("torch.tensor", [1, 2, 3])
    case("torch.tensor", [[1, 2.5], [3, 4]])
    case("torch.tensor", [True, False])
    case("torch.tensor", 3.25)
    case("torch.tensor", [])
    case("torch.tensor", [[], []])
    case("torch.tensor", [1, 2], dtype=torch.float16)
    case("torch.zeros_like", T(2, 3, dtype="int32"))
    case("torch.full_like", T(2, 3), 2)


def comparisons():
    for seed in [1, 2]:
        case("torch.allclose", T(20), T(20, seed=seed))
        case("torch.equal", T(20), T(20, seed=seed))
        case("torch.isclose", T(20), T(20, seed=seed), atol=3.0)
    case("torch.allclose", T(20), T(20, seed=2), atol=100.0)
    case("torch.equal", T(2, 3), T(6))


def moves():
    for dtype in ["float32", "float16", "int32", "bool"]:
        case("torch.flip", T(3, 4, 5, dtype=dtype), (0, 2))
    case(".flip", T(3, 4), 1)
    case(".flip", T(3, 4), -1)
    case("torch.roll", T(3, 5), 2)
    case("torch.roll", T(3, 5), -7, 1)
    case("torch.roll", T(3, 5), (1, 2), dims=(0, 1))
    index = [[0, 2, 1], [2, 2, 0]]
    case("torch.gather", T(3, 4), 0, torch.tensor(index))
    case("torch.gather", T(3, 4, dtype="int16"), 1, torch.tensor(index))
    case(".gather", T(5), 0, torch.tensor([4, 0, 0]))
    case(".scatter_", T(3, 4), 0, torch.tensor(index), T(2, 3, seed=4))
    case("torch.scatter", T(3, 4), 1, torch.tensor(index), T(2, 4, seed=4))
    case(".scatter_", T(3, 4), 1, torch.tensor([[1], [2]]), 1.5)
    case(".scatter_add_", T(3, 4), 0, torch.tensor(index), T(3, 4, seed=4))
    case(".scatter_add", T(7, dtype="int32"), 0, torch.tensor([3, 3, 3, 1]), T(4, dtype="int32", seed=4))
    case("torch.index_select", T(4, 5), 1, torch.tensor([4, 0, 4]))
    case(".index_select", T(4, 5), 0, torch.tensor([3]))
    case(".index_add_", T(4, 5), 0, torch.tensor([2, 2, 0]), T(3, 5, seed=3))
    case(".index_copy_", T(4, 5), 1, torch.tensor([2, 0]), T(4, 2, seed=3))
    case("torch.repeat_interleave", T(2, 3), 2)
    case("torch.repeat_interleave", T(2, 3), 3, dim=1)
    case(".repeat_interleave", T(2, 3, 2), 2, 0)
    case("torch.nn.functional.pad", T(3, 4), (1, 2))
    case("torch.nn.functional.pad", T(3, 4), (1, 0, 2, -1), value=-1.5)
    case("torch.nn.functional.pad", T(4, dtype="int32"), (0, 3))
    case("torch.nn.functional.embedding", torch.tensor(index), T(4, 6))
    case("torch.movedim", T(2, 3, 4), 0, 2)
    case("torch.movedim", T(2, 3, 4), (0, 1), (-1, 0))
    case("torch.diagonal", T(4, 5))
    case("torch.diagonal", T(3, 4, 5), -1, 0, 2)
    case("torch.diagonal", T(4, 5), 3)
    case(".unfold", T(3, 9), 1, 4, 2)
    case(".view_as", T(4, 6), T(3, 8))
    case(".reshape_as", T(4, 6, transposed=True), T(3, 8))
    case(".type_as", T(4), T(1, dtype="float16"))
    case("torch.broadcast_tensors", T(3, 1), T(4, seed=2))
    case("torch.meshgrid", T(3), T(4, seed=2), indexing="ij")
    case("torch.meshgrid", T(3), T(4, seed=2), indexing="xy")
    case("torch.outer", T(3), T(4, seed=2))
    case("torch.addcmul", T(3, 4), T(4, seed=2), T(3, 1, seed=3), ulps=1)
    case("torch.addcmul", T(3, 4), T(4, seed=2), T(3, 1, seed=3), value=0.5, ulps=1)
    case(".addcdiv_", T(3, 4), T(4, seed=2), T(4, seed=3, positive=True), value=-0.25, ulps=1, scale=8)
    case("torch.lerp", T(12), T(12, seed=2), 0.25, ulps=1, scale=8)
    case("torch.lerp", T(12), T(12, seed=2), 0.75, ulps=1, scale=8)


def sorting():
    for dtype in ["float32", "bfloat16", "int32", "uint8"]:
        case("torch.sort", T(4, 9, dtype=dtype), stable=True)
        case("torch.sort", T(4, 9, dtype=dtype), dim=0, descending=True, stable=True)
    case(".argsort", T(20))
    case("torch.topk", T(4, 9), 3)
    case("torch.topk", T(4, 9), 2, dim=0, largest=False)
    case("torch.bincount", torch.tensor([3, 1, 1, 0, 6, 3, 1]))
    case("torch.bincount", torch.tensor([3, 1, 1]), minlength=9)
    case("torch.bincount", torch.tensor([3, 1, 1, 0]), T(4))
    case("torch.histc", T(101), bins=7)
    case("torch.histc", T(101), bins=5, min=-3, max=4)
    case("torch.nonzero", T(3, 4, dtype="bool"))
    case(".nonzero", T(5))


def network():
    functional = "torch.nn.functional."
    for dtype in ["float32", "float64", "bfloat16"]:
        image, filters = T(2, 4, 9, 8, dtype=dtype), T(6, 4, 3, 2, dtype=dtype, seed=2)
        case(functional + "conv2d", image, filters, ulps=1, scale=4096)
        case(functional + "conv2d", image, filters, T(6, dtype=dtype, seed=3), stride=(2, 1), padding=1, ulps=1,
             scale=4096)
    case(functional + "conv2d", T(2, 4, 9, 8), T(6, 2, 3, 3, seed=2), padding="same", groups=2, ulps=1, scale=4096)
    case(functional + "conv2d", T(4, 9, 8), T(6, 4, 3, 3, seed=2), dilation=2, ulps=1, scale=4096)
    case(functional + "conv1d", T(2, 4, 9), T(6, 4, 3, seed=2), T(6, seed=3), padding=2, ulps=1, scale=4096)
    for name in ["max_pool2d", "avg_pool2d"]:
        case(functional + name, T(2, 3, 6, 8), 2, ulps=1)
        case(functional + name, T(2, 3, 6, 8), (3, 2), stride=(1, 2), padding=1, ulps=1)
    case(functional + "max_pool1d", T(2, 3, 9), 3, 2)
    case(functional + "unfold", T(2, 3, 5, 6), (2, 3), padding=1, stride=2)
    for reduction in ["mean", "sum", "none"]:
        case(functional + "mse_loss", T(5, 7), T(5, 7, seed=2), reduction=reduction, ulps=2)
        case(functional + "l1_loss", T(5, 7), T(5, 7, seed=2), reduction=reduction, ulps=2)
        case(functional + "cross_entropy", T(5, 7), torch.tensor([3, 0, 6, -100, 2]), reduction=reduction, ulps=4)
        case(functional + "nll_loss", T(5, 7), torch.tensor([3, 0, 6, 1, 2]), reduction=reduction, ulps=2)
    case(functional + "kl_div", T(5, 7), T(5, 7, seed=2, positive=True), reduction="batchmean", ulps=4, scale=64)


def einsums():
    a, b = T(3, 4), T(4, 5, seed=2)
    case("torch.einsum", "ij,jk->ik", a, b, ulps=1)
    case("torch.einsum", "ij,jk", a, b, ulps=1)
    case("torch.einsum", "ij->ji", a)
    case("torch.einsum", "ij->i", a, ulps=1)
    case("torch.einsum", "ij,ij->", a, T(3, 4, seed=2), ulps=1)
    case("torch.einsum", "i,j->ij", T(3), T(4, seed=2))
    case("torch.einsum", "bhqd,bhkd->bhqk", T(2, 3, 4, 5), T(2, 3, 6, 5, seed=2), ulps=1)
    case("torch.einsum", "bij, bjk -> bik", T(2, 3, 4), T(2, 4, 5, seed=2), ulps=1)
    case("torch.einsum", "ij,jk,kl->il", a, b, T(5, 2, seed=3), ulps=2, scale=65536)
    case("torch.einsum", "ijk,k->i", T(3, 4, 5), T(5, seed=2), ulps=1, scale=1024)


for family in [arithmetic, unary, reductions, matrices, views, indexing, creation, comparisons, moves, sorting, network,
               einsums]:
    family()
lines = ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases)
here = pathlib.Path(__file__).parent
(here / "tensor-operations.json").write_text(f'{{"torch":"{torch.__version__}","cases":[\n{lines}\n]}}\n')
print(len(cases), "cases")
