#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Our interpreter beside Triton's: the same kernels, the same tensors, one thread of one core each.

    interp-compare.py path/to/interp-bench [RUNS]

Needs triton, torch and numpy; interp_kernels.py lies beside this file. Runs interp-bench, then each kernel under
TRITON_INTERPRET=1 on what it wrote, and prints both times with the ratios that must hold. Exits with 1 if a result
differs by more than its tolerance or a ratio does not hold.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ["TRITON_INTERPRET"] = "1"
for library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

import numpy
import torch

import interp_kernels

# How many times faster than Triton's interpreter; and what the other modes may cost.
AT_LEAST = {"vector_add": 100, "softmax": 100, "layer_norm": 100, "matmul": 50, "attention": 50}
AT_MOST = {"recording": 2.5, "checking": 3.0}
NUMPY_TYPES = {"fp16": numpy.float16, "fp32": numpy.float32}


def run_ours(program, folder):
    here = pathlib.Path(__file__).resolve().parent
    report = folder / "report.json"
    subprocess.run([program, "--kernels", here / "interp_kernels.py", "--json", report, "--values", folder], check=True)
    return json.loads(report.read_text())


def values_of(case, tensor, folder):
    path = folder / f"{case['kernel']}.{tensor['name']}.bin"
    return numpy.fromfile(path, NUMPY_TYPES[tensor["type"]]).reshape(tensor["shape"])


def run_triton(case, folder, runs):
    """The least time in seconds, and the tensors after the last run."""
    tensors = [torch.from_numpy(values_of(case, tensor, folder)) for tensor in case["tensors"]]
    for tensor, description in zip(tensors, case["tensors"]):
        if description["output"]:
            tensor.zero_()
    kernel = getattr(interp_kernels, case["kernel"])[tuple(case["grid"])]
    least = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        kernel(*tensors, **case["constants"])
        least = min(least, time.perf_counter() - start)
    return least, tensors


def difference(case, tensors, folder):
    """The largest difference of an output, as a part of what the tolerance allows (of 1e-30 where that is 0)."""
    worst = 0.0
    for tensor, description in zip(tensors, case["tensors"]):
        if description["output"]:
            theirs = tensor.numpy().astype(numpy.float64)
            ours = values_of(case, description, folder).astype(numpy.float64)
            allowed = max(case["tolerance"], 1e-30) * (1 + numpy.abs(theirs))
            worst = max(worst, float(numpy.nan_to_num(numpy.abs(ours - theirs) / allowed, nan=numpy.inf).max()))
    return worst


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    torch.set_num_threads(1)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    holds = True
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cases = run_ours(program, folder)
        print(f"\n{'kernel':12} {'Triton s':>9} {'ours ms':>9} {'times':>7} {'needed':>7} {'rec.':>6} {'check':>6} "
              f"{'difference/allowed':>19}")
        for case in cases:
            seconds, tensors = run_triton(case, folder, runs)
            times = case["milliseconds"]
            ratio = seconds * 1000 / times["plain"]
            costs = {mode: times[mode] / times["plain"] for mode in AT_MOST}
            worst = difference(case, tensors, folder)
            passed = ratio >= AT_LEAST[case["kernel"]] and worst <= 1 and all(
                costs[mode] <= most for mode, most in AT_MOST.items())
            holds &= passed
            print(f"{case['kernel']:12} {seconds:9.3f} {times['plain']:9.2f} {ratio:7.0f} {AT_LEAST[case['kernel']]:7} "
                  f"{costs['recording']:6.2f} {costs['checking']:6.2f} {worst:19.3g}  {'' if passed else 'DOES NOT HOLD'}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
