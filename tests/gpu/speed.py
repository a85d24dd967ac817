# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our code beside Triton's on one GPU: the same source, warps, blocks and tensors, random data.

    speed.py TILEC [--pairs N] [--json OUT] [--only NAME]

Kernels are those of resources/examples. Each pair times both, the caches flushed before each, in turns that change
places; a row says the median times, the median of the ratios of the pairs (ours / Triton's) with its 95 % interval, and
the bytes a second that a kernel must move as a share of what a copy by the driver moves. Results are compared first.
Needs torch and triton and a CUDA device.
"""
import argparse
import ctypes
import hashlib
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import torch
import triton

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "resources" / "examples"
CUDA = ctypes.CDLL("libcuda.so.1")


def check(status):
    if status:
        raise RuntimeError(f"CUDA status {status}")


class Ours:
    """A kernel that tilec compiled, by name, from a script that launches it once."""

    def __init__(self, tilec, script, name):
        emit = lambda kind: subprocess.run(
            [tilec, "--lang", "en", "compile", script, "--kernel", name, "--gpu", "sm_90a", "--emit", kind],
            check=True, stdout=subprocess.PIPE).stdout
        self.ptx = emit("ptx")
        resources = emit("resources").decode()
        self.shared = int(re.search(r"static and (\d+) dynamic", resources)[1])
        self.warps = int(re.search(r"(\d+) warps", resources)[1])
        module, self.function = ctypes.c_void_p(), ctypes.c_void_p()
        check(CUDA.cuModuleLoadData(ctypes.byref(module), self.ptx + b"\0"))  # as tilec runs it
        check(CUDA.cuModuleGetFunction(ctypes.byref(self.function), module, name.encode()))
        registers = ctypes.c_int()
        check(CUDA.cuFuncGetAttribute(ctypes.byref(registers), 4, self.function))
        self.registers = registers.value
        if self.shared > 48 * 1024:
            check(CUDA.cuFuncSetAttribute(self.function, 8, self.shared))

    def launcher(self, grid, arguments):
        """`arguments`: one for each parameter that is no constant."""
        values = [ctypes.c_uint64(a.data_ptr()) if isinstance(a, torch.Tensor)
                  else ctypes.c_float(a) if isinstance(a, float) else ctypes.c_int32(a) for a in arguments]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.pointer(v), ctypes.c_void_p) for v in values])
        grid = tuple(grid) + (1,) * (3 - len(grid))
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)

        def launch(keep=values):
            check(CUDA.cuLaunchKernel(self.function, *grid, 32 * self.warps, 1, 1, self.shared, stream, pointers, None))
        return launch


def kernel_source(example, kernel):
    """The text of one jit function of an example."""
    text = (EXAMPLES / f"{example}.py").read_text()
    return re.search(rf"@triton\.jit\ndef {kernel}\(.*?(?=\n\n\n)", text, re.S)[0]


class Case:
    """`order`: the arguments that are no constants. `tensors`: their shapes, outputs begin with "out". `moved`: the bytes that
    any kernel for this has to read and write."""

    def __init__(self, name, example, kernel, order, tensors, scalars, constants, grid, moved):
        self.name, self.example, self.kernel, self.order = name, example, kernel, order
        self.tensors, self.scalars, self.constants, self.grid, self.moved = tensors, scalars, constants, grid, moved

    def script(self, folder):
        lines = ["import torch", "import triton", "import triton.language as tl", "", "",
                 kernel_source(self.example, self.kernel), "", ""]
        for name in self.tensors:
            lines.append(f"{name} = torch.empty(16, device='cuda')")
        arguments = [name if name in self.tensors else repr(self.scalars[name]) for name in self.order]
        arguments += [f"{key}={value}" for key, value in self.constants.items()]
        lines.append("if __name__ == '__main__':")
        lines.append(f"    {self.kernel}[(1,)]({', '.join(arguments)})")
        path = folder / f"{self.name}.py"
        path.write_text("\n".join(lines) + "\n")
        return path


def softmax(rows, columns):
    return Case(f"softmax_{columns}", "main", "softmax_kernel", ["out", "x", "stride", "n"],
                {"out": (rows, columns), "x": (rows, columns)}, {"stride": columns, "n": columns},
                {"BLOCK_SIZE": triton.next_power_of_2(columns), "num_warps": 4}, (rows,), 8 * rows * columns)


def layer_norm(rows, columns):
    return Case(f"layer_norm_{columns}", "layer_norm", "forward_kernel",
                ["x", "weight", "bias", "out", "out_mean", "out_rstd", "n", "eps"],
                {"x": (rows, columns), "weight": (columns,), "bias": (columns,), "out": (rows, columns),
                 "out_mean": (rows,), "out_rstd": (rows,)}, {"n": columns, "eps": 1e-5},
                {"BLOCK": triton.next_power_of_2(columns)}, (rows,), 8 * rows * columns)


def cases():
    size = 1 << 27
    yield Case("vector_add", "vector_add", "add_kernel", ["x", "y", "out", "n"],
               {"x": (size,), "y": (size,), "out": (size,)}, {"n": size}, {"BLOCK": 1024}, (size // 1024,), 12 * size)
    yield softmax(32768, 781)
    yield softmax(32768, 1024)
    yield softmax(32768, 4096)
    yield softmax(16384, 8192)
    yield layer_norm(32768, 781)
    yield layer_norm(32768, 4096)
    yield Case("dropout", "dropout", "dropout_kernel", ["x", "out", "n", "p", "seed"],
               {"x": (size,), "out": (size,)}, {"n": size, "p": 0.25, "seed": 123}, {"BLOCK": 1024}, (size // 1024,),
               8 * size)
    rows, columns = 8192, 8192
    yield Case("transpose", "transpose", "transpose_tile_kernel", ["x", "out", "rows", "columns"],
               {"x": (rows, columns), "out": (columns, rows)}, {"rows": rows, "columns": columns}, {"TILE": 32},
               (rows // 32, columns // 32), 8 * rows * columns)


class Stopwatch:
    def __init__(self):
        self.flush = torch.empty(1 << 28, dtype=torch.int8, device="cuda")

    def pairs(self, first, second, count):
        """Times in ms of `count` runs of each, in turns."""
        events = [[torch.cuda.Event(enable_timing=True) for _ in range(4)] for _ in range(count)]
        for index, (a, b, c, d) in enumerate(events):
            for action, begin, end in ((first, a, b), (second, c, d)) if index % 2 == 0 else ((second, c, d), (first, a, b)):
                self.flush.zero_()
                begin.record()
                action()
                end.record()
        torch.cuda.synchronize()
        return [(a.elapsed_time(b), c.elapsed_time(d)) for a, b, c, d in events]


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def interval(values):
    """Of the median, 95 %, by ranks."""
    values = sorted(values)
    reach = 0.98 * len(values) ** 0.5
    low, high = int(len(values) / 2 - reach), int(len(values) / 2 + reach + 0.999)
    return values[max(low, 0)], values[min(high, len(values) - 1)]


def run(case, tilec, folder, watch, pairs):
    path = case.script(folder)
    spec = importlib.util.spec_from_file_location(case.name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    kernel = getattr(module, case.kernel)
    ours = Ours(tilec, str(path), case.kernel)

    torch.manual_seed(0)
    given = {name: torch.empty(shape, device="cuda") if name.startswith("out") else torch.randn(shape, device="cuda")
             for name, shape in case.tensors.items()}
    arguments = [given.get(name, case.scalars.get(name)) for name in case.order]
    theirs = lambda: kernel[case.grid](*arguments, **case.constants)
    our_launch = ours.launcher(case.grid, arguments)

    handle = theirs()
    expected = {name: tensor.clone() for name, tensor in given.items() if name.startswith("out")}
    for name in expected:
        given[name].fill_(float("nan"))
    our_launch()
    torch.cuda.synchronize()
    worst = max((given[name] - value).abs().nan_to_num(float("inf")).max().item() for name, value in expected.items())

    watch.pairs(our_launch, theirs, 20)
    times = watch.pairs(our_launch, theirs, pairs)
    ratios = [a / b for a, b in times]
    low, high = interval(ratios)
    our_ms, their_ms = median([a for a, _ in times]), median([b for _, b in times])
    return {"case": case.name, "ours_ms": our_ms, "triton_ms": their_ms, "ratio": median(ratios), "low": low, "high": high,
            "bytes_per_second": case.moved / our_ms * 1e3, "triton_bytes_per_second": case.moved / their_ms * 1e3,
            "difference": worst, "registers": ours.registers, "triton_registers": handle.n_regs,
            "ptx": hashlib.sha256(ours.ptx).hexdigest()[:16], "pairs": pairs}


def copy_ceiling(watch):
    bytes_moved = 1 << 30
    a = torch.empty(bytes_moved, dtype=torch.int8, device="cuda")
    b = torch.empty_like(a)
    copy = lambda: b.copy_(a)
    times = watch.pairs(copy, copy, 30)
    return 2 * bytes_moved / median([t for pair in times for t in pair]) * 1e3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilec")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--json")
    parser.add_argument("--only")
    options = parser.parse_args()
    watch = Stopwatch()
    ceiling = copy_ceiling(watch)
    print(f"{torch.cuda.get_device_name()}, Triton {triton.__version__}; a copy moves {ceiling / 1e12:.2f} TB/s")
    print(f"{'case':18} {'ours µs':>9} {'Triton µs':>9}  ratio [95 %]           of copy  Triton's  regs       difference")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in cases():
            if options.only and options.only not in case.name:
                continue
            try:
                row = run(case, options.tilec, pathlib.Path(folder), watch, options.pairs)
            except Exception as problem:
                print(f"{case.name:18} failed: {type(problem).__name__} {problem}")
                continue
            rows.append(row)
            print(f"{row['case']:18} {row['ours_ms'] * 1e3:9.2f} {row['triton_ms'] * 1e3:9.2f}  {row['ratio']:.4f} "
                  f"[{row['low']:.4f}, {row['high']:.4f}]  {row['bytes_per_second'] / ceiling:6.3f}  "
                  f"{row['triton_bytes_per_second'] / ceiling:6.3f}    {row['registers']:3}/{row['triton_registers']:3}  "
                  f"{row['difference']:.2e}", flush=True)
            torch.cuda.empty_cache()
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"copy_bytes_per_second": ceiling, "rows": rows}, indent=1))


main()
