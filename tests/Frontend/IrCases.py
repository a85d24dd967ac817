# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The calls that AskIr.py asks about: every function of triton.language, its types, ranks and keywords, by theme.

A name such as f32_2 is a tile of fp32 with two dimensions (f32_0: a scalar). `names` says how each is made.
"""
floats = ["f16", "bf16", "f32", "f64"]
signed = ["i8", "i16", "i32", "i64"]
unsigned = ["u8", "u16", "u32", "u64"]
integers = ["i1"] + signed + unsigned
narrow = ["e5", "e4"]
everything = integers + floats + narrow
spelled = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "e5": "float8e5", "e4": "float8e4nv"} | {
    name: name.replace("u", "uint").replace("i", "int") if name[0] == "i" else name.replace("u", "uint") for name in integers}
pointees = {"f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64"} | {name: name for name in signed + unsigned}
width = {name: int(name.lstrip("biuf")) for name in integers + floats} | {"e5": 8, "e4": 8}
shapes = {0: [], 1: [16], 2: [8, 16], 3: [2, 4, 8]}

helpers = """\
@triton.jit
def plus(a, b):
    return a + b

@triton.jit
def first(a, i, b, j):
    take = (a > b) | ((a == b) & (i < j))
    return tl.where(take, a, b), tl.where(take, i, j)
"""


def places(shape):
    terms, stride = [], 1
    for axis in reversed(range(len(shape))):
        index = ", ".join(":" if i == axis else "None" for i in range(len(shape)))
        terms.insert(0, f"tl.arange(0, {shape[axis]})" + (f"[{index}]" if len(shape) > 1 else "") + (f" * {stride}" if stride > 1 else ""))
        stride *= shape[axis]
    return " + ".join(terms)


def names():
    """(parameters with their types, names with the expression that makes them)."""
    parameters = {f"p_{name}": "*" + pointee for name, pointee in pointees.items()}
    parameters |= {"n": "i32", "s": "fp32"}
    made = {}
    tiles = {str(rank): shape for rank, shape in shapes.items()}
    tiles |= {"a": [16, 32], "b": [32, 16], "c": [16, 16], "a3": [2, 16, 32], "b3": [2, 32, 16], "one": [1, 16], "pair": [16, 2]}
    for tag, shape in tiles.items():
        for name in pointees:
            made[f"{name}_{tag}"] = f"tl.load(p_{name}" + (" + " + places(shape) if shape else "") + ")"
        made[f"i1_{tag}"] = f"i32_{tag} > 0"
        for name in narrow:
            made[f"{name}_{tag}"] = f"f32_{tag}.to(tl.{spelled[name]})"
    for rank in (1, 2):
        for name in pointees:
            made[f"at_{name}_{rank}"] = f"p_{name} + {places(shapes[rank])}"
    return parameters, made


def operators():
    for op in ["+", "-", "*", "/", "//", "%"]:
        for name in everything:
            yield f"{name}_1 {op} {name}_1"
            yield f"{name}_1 {op} 2"
        for name in integers + floats:
            yield f"{name}_0 {op} 3"
            yield f"7 {op} {name}_1"
        yield f"f32_1 {op} 2.5"
        yield f"i32_1 {op} 2.5"
        yield f"f32_2 {op} f32_1"
        yield f"f32_0 {op} f32_2"
        yield f"i32_1 {op} u32_1"
    for op in ["&", "|", "^", "<<", ">>"]:
        for name in everything:
            yield f"{name}_1 {op} {name}_1"
        for name in integers:
            yield f"{name}_1 {op} 1"
        yield f"i32_1 {op} i64_1"
        yield f"u32_1 {op} i32_1"
        yield f"i32_1 {op} u32_1"
        yield f"u8_1 {op} i32_1"
        yield f"i8_1 {op} u32_1"
    for op in ["<", "<=", ">", ">=", "==", "!="]:
        for name in everything:
            yield f"{name}_1 {op} {name}_1"
        yield f"i32_1 {op} u32_1"
        yield f"i32_0 {op} 3"
        yield f"f16_1 {op} 0.5"
    for op in ["-", "+", "~", "not "]:
        for name in everything:
            yield f"{op}{name}_1"
        yield f"{op}f32_0"
        yield f"{op}i1_0"
    for pair in ["i1_1 and i1_1", "i1_1 or i1_1", "i32_1 and i32_1", "i1_0 and i1_0", "i1_0 or i32_0", "at_f32_1 + i64_1",
                 "p_f32 + n", "at_f32_1 - i32_1", "at_f32_1 - at_f32_1", "at_f32_1 < at_f32_1", "at_f32_1 == at_f32_1", "2 + at_f32_1"]:
        yield pair


unary = ["exp", "exp2", "log", "log2", "sin", "cos", "erf", "floor", "ceil", "rsqrt", "sqrt", "sqrt_rn", "abs"]


def math():
    for call in unary:
        for name in everything:
            yield f"tl.{call}({name}_1)"
        for argument in ("f32_0", "f32_2", "f32_3", "f64_2"):
            yield f"tl.math.{call}({argument})"
        yield f"f32_1.{call}()"
        yield f"tl.{call}(x=f32_1)"
        yield f"tl.{call}(2.0)"
        yield f"tl.{call}(2)"
    for call in ("maximum", "minimum"):
        for name in everything:
            yield f"tl.{call}({name}_1, {name}_1)"
        for name in floats:
            yield f"tl.{call}({name}_1, {name}_1, propagate_nan=tl.PropagateNan.ALL)"
        for pair in ("f32_2, f32_1", "f16_1, f32_1", "i32_1, 0", "f32_1, 0", "0.0, f32_1", "f16_1, 1.5", "n, 4", "i32_0, i64_0", "i32_1, u32_1", "x=f32_1, y=f32_1"):
            yield f"tl.{call}({pair})"
    for call in ("div_rn", "fdiv", "umulhi", "add", "sub", "mul"):
        for name in everything:
            yield f"tl.{call}({name}_1, {name}_1)"
        for pair in ("f32_2, f32_1", "f16_1, f32_1", "f32_1, 2.0", "i32_1, 3", "u32_1, 3", "x=i32_1, y=i32_1", "3, u32_1"):
            yield f"tl.{call}({pair})"
    yield "tl.fdiv(f32_1, f32_1, ieee_rounding=True)"
    yield "tl.fdiv(f32_1, f32_1, approx=True)"
    for call in ("add", "sub", "mul"):
        yield f"tl.{call}(i32_1, i32_1, sanitize_overflow=False)"
    for name in everything:
        yield f"tl.fma({name}_1, {name}_1, {name}_1)"
        yield f"tl.clamp({name}_1, {name}_1, {name}_1)"
        yield f"tl.where(i1_1, {name}_1, {name}_1)"
    for triple in ("f32_2, f32_1, f32_0", "f16_1, f32_1, f16_1", "f32_1, 2.0, 1.0"):
        yield f"tl.fma({triple})"
    for triple in ("f32_1, 0.0, 1.0", "f16_1, 0.0, 1.0", "f32_2, f32_0, f32_0", "f32_1, 0.0, 1.0, propagate_nan=tl.PropagateNan.ALL", "x=f32_1, min=0.0, max=6.0", "i32_1, 0, 5"):
        yield f"tl.clamp({triple})"
    for triple in ("i1_1, f32_1, 0.0", "i1_1, 1, 0", "i1_2, f32_1, f32_0", "i32_1, f32_1, f32_1", "i1_1, f32_1, f16_1", "i1_0, f32_1, f32_1", "i1_0, n, 1",
                   "True, f32_1, 0.0", "i1_1, i32_1, u32_1", "i1_1, f32_1, float('-inf')", "condition=i1_1, x=f32_1, y=i32_1", "f32_1, f32_1, f32_1"):
        yield f"tl.where({triple})"
    yield "tl.where(i1_1, at_f32_1, at_f32_1)"
    for call in ("cdiv", "sigmoid", "softmax"):
        for name in everything:
            yield f"tl.{call}({name}_1{', 3' if call == 'cdiv' else ''})"
    for call in ("tl.cdiv(n, n)", "i32_1.cdiv(i32_1)", "tl.cdiv(x=n, div=2)", "tl.softmax(f32_2, 1)", "tl.softmax(f32_2, dim=0)", "tl.softmax(f32_2, 1, ieee_rounding=True)",
                 "tl.softmax(f32_2, 1, keep_dims=True)", "tl.softmax(f32_2, 1, True)", "f32_2.softmax(-1)", "f32_2.sigmoid()", "tl.sigmoid(f32_0)",
                 "i1_1.logical_and(i1_1)", "i1_1.logical_or(i1_1)", "i32_1.logical_and(i32_1)", "i1_1.logical_and(True)"):
        yield call


def cast():
    for source in everything:
        for target in everything:
            yield f"{source}_1.to(tl.{spelled[target]})"
            if width[source] == width[target]:
                yield f"{source}_1.to(tl.{spelled[target]}, bitcast=True)"
    for source, target in (("f32", "f16"), ("f32", "bf16"), ("f32", "e5"), ("f16", "e4"), ("f64", "f32"), ("f16", "f32"), ("f32", "i32")):
        for mode in ("rtne", "rtz", "nearest"):
            yield f"{source}_1.to(tl.{spelled[target]}, fp_downcast_rounding={mode!r})"
    for call in ("tl.cast(f32_1, tl.int32)", "tl.cast(input=f32_2, dtype=tl.float16)", "tl.cast(i32_0, tl.float32)", "f32_1.cast(tl.float16)", "tl.cast(f32_1, tl.int32, None, True)",
                 "tl.cast(f32_1, tl.int16, bitcast=True)", "n.to(tl.int64)", "f32_1.to(f16_1.dtype)", "f32_1.to(p_f16.dtype.element_ty)", "f32_1.to(dtype=tl.float16)",
                 "p_f32.to(tl.int64)", "p_f32.to(tl.pointer_type(tl.float16))", "at_f32_1.to(tl.pointer_type(tl.int32), bitcast=True)", "i64_0.to(tl.pointer_type(tl.float32))",
                 "i64_1.to(tl.pointer_type(tl.float32))", "tl.cast(3, tl.float32)", "tl.to_tensor(3)", "tl.to_tensor(1.5)", "tl.to_tensor(f32_1)", "tl.to_tensor(True)",
                 "tl.cast(at_f32_1, tl.uint64)", "tl.cast(f32_1, tl.float32)"):
        yield call


def shape():
    for call in ("reshape(f32_2, 128)", "reshape(f32_2, (16, 8))", "reshape(f32_2, [2, 4, 16])", "reshape(f32_2, 16, 8)", "reshape(f32_2, 4, 32, can_reorder=True)", "reshape(f32_1, (1, 16))",
                 "reshape(f32_2, (8, 8))", "reshape(f32_2, (3, 5))", "reshape(f32_2, (n, 16))", "reshape(f32_1, ())", "view(f32_2, 128)", "view(f32_2, (16, 8))", "view(f32_2, 16, 8)",
                 "broadcast_to(f32_1, (8, 16))", "broadcast_to(f32_1, 8, 16)", "broadcast_to(f32_0, (4,))", "broadcast_to(f32_one, [8, 16])", "broadcast_to(f32_1, (16, 8))", "broadcast_to(f32_1, (16,))",
                 "broadcast_to(2, (16,))",
                 "broadcast(f32_2, f32_1)", "broadcast(f32_0, f32_1)", "broadcast(f32_1, f32_2)", "broadcast(input=f32_one, other=f32_2)", "broadcast(f32_1, f32_c)", "broadcast(f32_2, f32_3)",
                 "expand_dims(f32_1, 0)", "expand_dims(f32_1, 1)", "expand_dims(f32_1, -1)", "expand_dims(f32_2, (0, 3))", "expand_dims(f32_1, [0, 1])", "expand_dims(f32_1, 2)", "expand_dims(f32_1, (0, 0))",
                 "expand_dims(f32_0, 0)", "expand_dims(input=f32_1, axis=-2)", "expand_dims(3, 0)",
                 "trans(f32_2)", "trans(f32_2, 1, 0)", "trans(f32_3, (2, 1, 0))", "trans(f32_3, 0, 2, 1)", "trans(f32_3)", "trans(f32_1)", "trans(f32_2, (0, 0))", "trans(f32_2, 0, 2)", "trans(f32_2, -1, 0)",
                 "permute(f32_2, 1, 0)", "permute(f32_3, (1, 2, 0))", "permute(f32_3, [2, 0, 1])", "permute(f32_2)", "permute(f32_2, (1,))", "permute(f32_1, 0)",
                 "join(f32_1, f32_1)", "join(f32_2, f32_2)", "join(f32_0, f32_0)", "join(f32_2, f32_1)", "join(f32_1, f16_1)", "join(a=i32_1, b=i32_1)", "join(f32_1, 1.0)", "join(f32_1, f32_c)", "join(n, 3)",
                 "split(f32_pair)", "split(f32_1)", "split(f32_2)", "split(tl.join(f32_0, f32_0))", "split(tl.reshape(f32_2, (8, 8, 2)))", "split(a=f32_pair)",
                 "interleave(f32_1, f32_1)", "interleave(f32_2, f32_2)", "interleave(f32_0, f32_0)", "interleave(f16_1, f32_1)", "interleave(a=f32_1, b=f32_1)",
                 "cat(f32_1, f32_1)", "cat(f32_1, f32_1, can_reorder=True)", "cat(f32_2, f32_2, dim=1)", "cat(f32_2, f32_2, False, -1)", "cat(f32_1, f16_1)", "cat(f32_1, f32_2)", "cat(f32_2, f32_2)", "cat(f32_1, f32_1, dim=1)",
                 "ravel(f32_2)", "ravel(f32_1)", "ravel(f32_2, can_reorder=True)", "ravel(f32_3, True)",
                 "squeeze(f32_one, 0)", "squeeze(f32_one, -2)", "squeeze(f32_one, 1)", "squeeze(f32_one, dim=2)", "unsqueeze(f32_1, 0)", "unsqueeze(f32_1, -1)", "unsqueeze(f32_2, dim=1)", "unsqueeze(f32_1, 2)",
                 "flip(f32_1)", "flip(f32_2, 0)", "flip(f32_2, dim=-1)", "flip(i8_2, 1)", "flip(bf16_1, 0)", "flip(f64_1)", "flip(f32_2, 2)", "flip(i1_1)",
                 "swizzle2d(n, n, 4, 4, 2)", "swizzle2d(i32_1, i32_1, n, n, n)", "swizzle2d(i=n, j=n, size_i=8, size_j=8, size_g=2)",
                 "full((16,), 0, tl.float32)", "full([8, 16], 1.5, tl.float16)", "full((16,), 3, tl.int8)", "full((16,), n, tl.int32)", "full((16,), f32_0, tl.float16)", "full((16,), True, tl.int1)", "full((), 2, tl.int32)",
                 "full(shape=(4,), value=-1, dtype=tl.int64)", "full((3,), 0, tl.float32)", "full((16,), f32_1, tl.float32)", "full((16,), 0, None)", "full((16,), float('inf'), tl.float32)", "full((16,), n, tl.float32)", "full(16, 0, tl.int32)",
                 "zeros((16,), tl.float32)", "zeros([8, 16], dtype=tl.bfloat16)", "zeros((4,), tl.uint8)", "zeros((), tl.float32)", "zeros(shape=(16, 16), dtype=tl.int1)", "zeros((n,), tl.float32)", "zeros_like(f16_2)", "zeros_like(i1_1)", "zeros_like(f32_0)",
                 "arange(0, 16)", "arange(4, 8)", "arange(start=0, end=32)", "arange(0, 12)", "arange(8, 8)", "arange(0, n)", "arange(16, 0)", "arange(-4, 4)"):
        yield "tl." + call
    for call in ("f32_2.T", "f32_2.trans()", "f32_2.trans(1, 0)", "f32_2.permute(1, 0)", "f32_2.reshape(128)", "f32_2.reshape((16, 8))", "f32_2.view(16, 8)", "f32_1.broadcast_to(8, 16)", "f32_1.expand_dims(0)",
                 "f32_pair.split()", "f32_2.ravel()", "f32_2.flip(0)", "tl.full((1,), 2.0, tl.float32).item()", "f32_1.item()", "f32_0.item()", "f32_1[:, None]", "f32_1[None, :]", "f32_2[:, None, :]", "f32_1[None]",
                 "f32_0[None]", "f32_2[:, :]", "f32_1[0]", "f32_1[:, :]", "f32_2.shape", "f32_2.dtype", "f32_2.numel", "f32_2.T.T", "f32_3.T", "f32_1.T"):
        yield call


def reduce():
    for call in ("sum", "max", "min", "argmax", "argmin", "xor_sum", "reduce_or"):
        for name in everything:
            yield f"tl.{call}({name}_2, 1)"
        for name in ("f32", "i32"):
            axes = ["0", "-1", "axis=0"] + ([] if call in ("argmax", "argmin") else ["None"])
            for axis in axes:
                yield f"tl.{call}({name}_2, {axis})"
                yield f"tl.{call}({name}_3, {axis}, keep_dims=True)"
            yield f"{name}_1.{call}(0)"
            yield f"tl.{call}({name}_1, 1)"
            yield f"tl.{call}({name}_0, 0)"
            yield f"tl.{call}({name}_1, axis=0, keep_dims=True)"
            yield f"tl.{call}(input={name}_2, axis=1)"
        yield f"tl.{call}(i32_1)"
        yield f"i32_1.{call}()"
    for call in ("max", "min"):
        for name in everything:
            yield f"tl.{call}({name}_2, 1, return_indices=True)"
        for rest in ("0, return_indices=True, return_indices_tie_break_left=False", "1, True, True, True", "-1, return_indices=True, keep_dims=True"):
            yield f"tl.{call}(f32_2, {rest})"
        yield f"f32_1.{call}(0, return_indices=True)"
    for call in ("argmax", "argmin"):
        for rest in ("0, tie_break_left=False", "1, True, True", "0, keep_dims=True"):
            yield f"tl.{call}(f32_2, {rest})"
    for kind in ("float32", "float64", "int64", "int32", "int8", "uint8", "float16", "bfloat16"):
        for name in ("f16", "i8", "i32", "f32"):
            yield f"tl.sum({name}_2, 1, dtype=tl.{kind})"
    for call in ("cumsum", "cumprod"):
        for name in everything:
            yield f"tl.{call}({name}_2, 1)"
        for rest in ("0", "-1", "axis=0", "0, True", "1, reverse=True", "0, dtype=tl.float64", "1, False, tl.float16", "2"):
            yield f"tl.{call}(f32_2, {rest})"
        for whole in ("f32_1", "i8_1, dtype=tl.int64", "f32_3, 1", "f32_0"):
            yield f"tl.{call}({whole})"
        yield f"f32_1.{call}()"
        yield f"i32_2.{call}(1, reverse=True)"
    for name in everything:
        yield f"tl.reduce({name}_2, 1, plus)"
    for rest in ("f32_2, 0, plus", "f32_2, None, plus", "f32_2, axis=-1, combine_fn=plus, keep_dims=True", "f32_3, None, plus, True", "(f32_2, i32_2), 1, first", "(f32_2, i32_2), 0, first, keep_dims=True",
                 "(f32_1, i32_1), 0, combine_fn=first", "(f32_2, i32_2), None, first", "(f32_1,), 0, plus", "(f32_2, i32_1), 0, first", "f32_2, 2, plus", "(f32_1, i32_1), 0, plus", "f32_1, 0, tl.standard._sum_combine"):
        yield f"tl.reduce({rest})"
    yield "f32_2.reduce(1, plus)"
    yield "f32_2.reduce(1, plus, keep_dims=True)"
    for name in everything:
        yield f"tl.associative_scan({name}_2, 1, plus)"
    for rest in ("f32_2, 0, plus", "f32_1, axis=0, combine_fn=plus, reverse=True", "(f32_2, i32_2), 1, first", "(f32_2, i32_2), 0, first, True", "f32_2, -1, plus", "f32_2, 2, plus", "f32_1, None, plus"):
        yield f"tl.associative_scan({rest})"
    yield "f32_2.associative_scan(1, plus)"
    for name in everything:
        yield f"tl.histogram({name}_1, 16)"
    for rest in ("i32_1, num_bins=32", "i32_1, 16, mask=i1_1", "input=i32_1, num_bins=8", "i32_2, 16", "i32_1, 12", "i32_1, n", "i32_1, 16, i1_2"):
        yield f"tl.histogram({rest})"
    yield "i32_1.histogram(16)"
    for name in everything:
        yield f"tl.gather({name}_2, i32_2, 1)"
    for rest in ("f32_1, i32_1, 0", "f32_2, i32_2, axis=0", "src=f32_2, index=i64_2, axis=-1", "f32_2, i32_1, 0", "f32_2, f32_2, 0", "f32_2, i32_2, 2", "f32_c, i32_2, 0", "f32_2, i8_2, 1"):
        yield f"tl.gather({rest})"
    yield "f32_1.gather(i32_1, 0)"


def sort():
    for name in everything:
        yield f"tl.sort({name}_1)"
        yield f"tl.topk({name}_1, 4)"
        yield f"tl.topk({name}_1, 1)"
    for call in ("sort(f32_2)", "sort(f32_2, 1)", "sort(f32_2, dim=1, descending=True)", "sort(f32_2, descending=1)", "sort(f32_2, 0)", "sort(f32_2, -1)", "sort(f32_3)", "topk(f32_2, 2)", "topk(f32_2, k=8, dim=1)", "topk(f32_2, 16)",
                 "topk(f32_2, 4, descending=False)", "topk(f32_2, 32)", "topk(f32_2, 3)", "topk(f32_2, 4, 0)", "bitonic_merge(f32_1)", "bitonic_merge(i32_2, descending=True)", "bitonic_merge(f32_2, dim=1)", "bitonic_merge(f32_2, 0)"):
        yield "tl." + call


def random():
    for call in ("rand", "randn", "randint", "rand4x", "randn4x", "randint4x"):
        for offset in ("i32_1", "i64_1", "u32_1", "i32_2", "i32_0", "i8_1", "f32_1"):
            yield f"tl.{call}(n, {offset})"
        for seed in ("5", "i64_0", "u64_0", "i32_1", "f32_0", "2**40"):
            yield f"tl.{call}({seed}, i32_1)"
        yield f"tl.{call}(n, i32_1, 6)"
        yield f"tl.{call}(n, i32_1, n_rounds=4)"
        yield f"tl.random.{call}(seed=n, {'offsets' if call == 'rand4x' else 'offset'}=i32_1)"
    for call in ("philox(n, i32_1, i32_1, i32_1, i32_1)", "philox(n, i64_1, i64_1, i64_1, i64_1)", "philox(n, i8_1, i8_1, i8_1, i8_1)", "philox(seed=n, c0=u32_1, c1=u32_1, c2=u32_1, c3=u32_1, n_rounds=3)", "philox(n, 0, 0, 0, 0)",
                 "philox_impl(u32_1, u32_1, u32_1, u32_1, u32_1, u32_1)", "philox_impl(u64_1, u64_1, u64_1, u64_1, u64_1, u64_1, 5)", "philox_impl(i32_1, i32_1, i32_1, i32_1, i32_1, i32_1)",
                 "uint_to_uniform_float(u32_1)", "uint_to_uniform_float(i32_1)", "uint_to_uniform_float(u64_1)", "uint_to_uniform_float(i8_1)", "uint_to_uniform_float(x=i64_2)", "pair_uniform_to_normal(f32_1, f32_1)", "pair_uniform_to_normal(u1=f32_0, u2=f32_0)"):
        yield "tl." + call


def memory():
    for name in pointees:
        yield f"tl.load(at_{name}_1)"
        yield f"tl.load(p_{name})"
        yield f"tl.load(at_{name}_2, mask=i1_2, other=0)"
        yield f"do tl.store(at_{name}_1, {name}_1)"
        yield f"do tl.store(at_{name}_1, f32_1)"
        yield f"do tl.store(at_{name}_1, 1, mask=i1_1)"
    for rest in ("mask=i1_1", "i1_1, 0.0", "mask=i1_1, other=f32_1", "mask=i1_0", "mask=True", "mask=None, other=None", "other=0.0", "mask=i1_1, other=float('-inf')", "cache_modifier='.ca'", "cache_modifier='.cg'", "cache_modifier='.cv'",
                 "cache_modifier='.wb'", "eviction_policy='evict_last'", "eviction_policy='evict_first'", "eviction_policy='first'", "volatile=True", "mask=i1_1, other=1, cache_modifier='.cg', eviction_policy='evict_last', volatile=True", "mask=i32_1",
                 "mask=i1_2", "i1_1, 0.0, None", "boundary_check=(0,)"):
        yield f"tl.load(at_f32_1, {rest})"
    for whole in ("p_f32, mask=i1_0, other=0.0", "pointer=at_f32_1", "at_f32_2, mask=i1_1", "at_f32_2, mask=i1_one", "f32_1", "p_f32, mask=i1_1", "i64_1"):
        yield f"tl.load({whole})"
    for whole in ("p_f32, 1.0", "p_f32, f32_0, i1_0", "at_f32_1, f32_0", "at_f32_2, f32_1", "at_f32_1, f32_1, i1_1", "at_f32_1, value=f32_1, mask=i1_1", "at_f32_1, f32_1, cache_modifier='.wt'", "at_f32_1, f32_1, cache_modifier='.cs'",
                  "at_f32_1, f32_1, eviction_policy='evict_first'", "at_f32_1, f32_2", "p_f32, f32_1", "at_f32_1, f32_1, mask=i32_1", "at_f32_1, f32_1, cache_modifier='.ca'", "f32_1, f32_1", "at_f32_1, None"):
        yield f"do tl.store({whole})"
    yield "do at_f32_1.store(f32_1)"
    yield "do at_f32_1.store(f32_1, mask=i1_1)"
    for call in ("add", "max", "min", "and", "or", "xor", "xchg"):
        for name in pointees:
            yield f"tl.atomic_{call}(at_{name}_1, {name}_1)"
        for rest in ("1", "i32_1, mask=i1_1", "i32_1, sem='relaxed'", "i32_1, sem='acquire'", "i32_1, sem='release', scope='cta'", "i32_1, sem='acq_rel', scope='sys'", "i32_1, i1_1, 'relaxed', 'gpu'", "val=i32_0", "i32_1, sem='weak'", "i32_1, scope='world'", "i64_1", "f32_1"):
            yield f"tl.atomic_{call}(at_i32_1, {rest})"
        yield f"tl.atomic_{call}(p_i32, 1)"
        yield f"at_i32_1.atomic_{call}(i32_1)"
    for name in pointees:
        yield f"tl.atomic_cas(at_{name}_1, {name}_1, {name}_1)"
    for rest in ("p_i32, 0, 1", "p_i32, 0, 1, sem='acquire'", "at_i32_1, cmp=i32_1, val=i32_1, sem='release', scope='sys'", "p_i32, n, n, 'relaxed', 'cta'", "at_i32_1, 0, i32_1"):
        yield f"tl.atomic_cas({rest})"
    yield "p_i32.atomic_cas(0, 1)"
    for rest in ("at_i32_1", "p_i32", "at_f32_1, mask=i1_1", "p_i32, sem='acquire', scope='sys'", "p_i32, sem='release'", "at_i32_1, i1_1, 'relaxed', 'cta'"):
        yield f"tl.atomic_load({rest})"
    for rest in ("at_i32_1, i32_1", "p_i32, 1", "at_f32_1, f32_1, mask=i1_1", "p_i32, 1, sem='release', scope='sys'", "p_i32, 1, sem='acquire'", "at_i32_1, i32_1, i1_1, 'relaxed', 'cta'"):
        yield f"do tl.atomic_store({rest})"
    for rest in ("p_i32, 1", "p_i32, 1, sem='acquire'", "p_i32, 1, scope='sys'", "p_i32, 1, timeout_ns=100"):
        yield f"tl.atomic_poll({rest})"


def dot():
    for name in ("i8", "u8", "f16", "bf16", "f32", "f64", "e5", "e4", "i32"):
        yield f"tl.dot({name}_a, {name}_b)"
        yield f"tl.dot({name}_a3, {name}_b3)"
    for name in ("i32", "f16", "f32", "bf16", "f64"):
        for operand in ("i8", "f16", "f32", "e5"):
            yield f"tl.dot({operand}_a, {operand}_b, {name}_c)"
            yield f"tl.dot({operand}_a, {operand}_b, out_dtype=tl.{spelled[name]})"
    for rest in ("acc=f32_c", "input_precision='ieee'", "input_precision='tf32'", "input_precision='tf32x3'", "input_precision='bf16x3'", "input_precision='tf16'", "allow_tf32=True", "allow_tf32=False", "max_num_imprecise_acc=32", "None, 'ieee'",
                 "allow_tf32=False, input_precision='ieee'", "f32_c, max_num_imprecise_acc=0, out_dtype=tl.float32", "other=f32_b"):
        yield f"tl.dot(f32_a, f32_b, {rest})"
        yield f"tl.dot(f16_a, f16_b, {rest})"
    for pair in ("f32_a, f32_a", "f32_1, f32_b", "f16_a, f32_b", "f16_a, bf16_b", "e5_a, e4_b", "e5_a, f16_b", "i8_a, u8_b", "f32_a3, f32_b", "f32_2, f32_2", "f32_a, f32_b, f32_1", "input=f16_a, other=f16_b", "tl.trans(f16_b), tl.trans(f16_a)"):
        yield f"tl.dot({pair})"
    for pair in ("e5_c, i8_1, 'e5m2', e5_c, i8_1, 'e5m2'",):
        yield f"tl.dot_scaled({pair})"


def program():
    for call in ("program_id", "num_programs"):
        for axis in ("0", "1", "2", "axis=0", "3", "-1", "n"):
            yield f"tl.{call}({axis})"
    for call in ("multiple_of", "max_contiguous", "max_constancy"):
        for rest in ("i32_1, 16", "i32_1, (8,)", "i32_2, [8, 16]", "n, 16", "i32_2, 4", "at_f32_1, 16", "input=i32_1, values=8", "i32_1, 1.5", "i32_1, n"):
            yield f"tl.{call}({rest})"
    for call in ("assume(n > 0)", "assume(True)", "assume(i1_1)", "assume(cond=n < 4)", "debug_barrier()", "static_assert(True)", "static_assert(False)", "static_assert(1 < 2, 'words')", "static_assert(cond=False, msg='words')", "static_assert(n > 0)",
                 "static_print('x', 1)", "static_print(f32_1, sep=',')", "device_print('x', f32_1)", "device_print('x')", "device_print('x', f32_1, n, hex=True)", "device_print(f32_1)", "device_print('x', 3)", "device_assert(n > 0)", "device_assert(i1_1, 'words')",
                 "device_assert(i1_1, 'words', mask=i1_1)", "device_assert(cond=i1_1, msg='words')", "device_assert(True)", "device_assert(i32_1)"):
        yield f"do tl.{call}"
    for expression in ("min(n, 4)", "max(n, 4)", "min(n, n, 3)", "max(f32_0, 1.0)", "min(3, 4)", "max(1, 2.5)", "max(f32_1, 0.0)", "abs(f32_1)", "abs(-3)", "abs(n)", "len(f32_2.shape)", "float(3)", "int(2.5)", "float('inf')", "tl.constexpr(3)", "f32_1 * float('nan')", "min(n)",
                       "tl.core.get_int_dtype(16, True)", "tl.float32.primitive_bitwidth", "f32_1.dtype.is_floating()", "i32_1.dtype.is_int_signed()", "u8_1.dtype.is_int_unsigned()", "e5_1.dtype.is_fp8()", "p_f32.dtype.is_ptr()", "i1_1.dtype.is_bool()",
                       "f16_1.dtype.is_fp16()", "bf16_1.dtype.is_bf16()", "tl.float32 == f32_1.dtype", "f32_1.type.is_block()", "tl.int32.int_bitwidth", "tl.float16.fp_mantissa_width", "p_f32.dtype.element_ty", "tl.target_info.is_cuda()", "range(3)"):
        yield expression


themes = {"operators": operators, "math": math, "cast": cast, "shape": shape, "reduce": reduce, "sort": sort, "random": random, "memory": memory, "dot": dot, "program": program}
