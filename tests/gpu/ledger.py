# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Everything that only a GPU can show, in one run; writes ledger.json, which gpu-ledger-test holds against the code.

    ledger.py TILEC [--commit ID] [--jobs N] [--skip PART,...] [--out FILE]
    ledger.py TILEC --stale         # needs no GPU: which kernels compile to other code than when the ledger was written

Parts: `operations` (each of ../Interpreter/data/values.txt), `examples` (each launch of resources/examples), both beside the
interpreter with outputs poisoned; `sanitizer` (compute-sanitizer's memcheck and racecheck of the examples), `counters`
(Nsight Compute's beside `tilec trace`), `speed` (beside Triton). Exits with 1 if something does not hold, with 77 where
there is no CUDA device. Needs torch, triton, ncu and compute-sanitizer.
"""
import argparse
import concurrent.futures
import datetime
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = sorted((HERE.parent.parent / "resources" / "examples").glob("*.py"))

# Where a result on the GPU may differ from the interpreter's, by how much, and why: the first row that fits. A part of the
# expression, the type of the result, units in the last place, or else this much (of 1 + the value).
TOLERANCES = [
    ("tl.exp", "fp32", 2, 2.0**-126, "ex2.approx, which flushes"),
    ("tl.sigmoid", "fp32", 8, 2.0**-126, "exp and a division"),
    ("tl.softmax", "fp32", 8, 0, "exp and a division"),
    ("tl.randn", "fp32", 0, 1e-5, "a logarithm, a root, a sine"),
    ("tl.log", "fp32", 2, 1e-6, "lg2.approx"),
    ("tl.sin", "fp32", 2, 0, "libdevice"),
    ("tl.cos", "fp32", 2, 0, "libdevice"),
    ("tl.sqrt(", "fp32", 2, 2.0**-63, "sqrt.approx.ftz"),
    ("tl.rsqrt", "fp32", 2, 0, "rsqrt.approx.ftz"),
    ("tl.erf", "fp32", 2, 2.0**-126, "libdevice"),
    ("tl.floor", "fp32", 0, 1, "a subnormal operand is taken for 0"),
    ("tl.ceil", "fp32", 0, 1, "a subnormal operand is taken for 0"),
    ("tl.exp", "fp64", 1, 0, "libdevice"),
    ("tl.sigmoid", "fp64", 2, 0, "libdevice"),
    ("tl.log", "fp64", 1, 0, "libdevice"),
    ("tl.sin", "fp64", 1, 0, "libdevice"),
    ("tl.cos", "fp64", 1, 0, "libdevice"),
    ("tl.rsqrt", "fp64", 1, 0, "libdevice"),
    ("tl.erf", "fp64", 1, 0, "libdevice"),
    ("x / ", "fp32", 2, 0, "div.full"),
    ("tl.fdiv", "fp32", 2, 0, "div.full"),
    ("tl.sum", "fp16", 0, 3e-2, "the order of a sum, rounded at each step"),
    ("tl.sum", "bf16", 0, 0.1, "the order of a sum, rounded at each step"),
    ("tl.sum", "fp32", 0, 1e-3, "the order of a sum"),
    ("tl.cumsum", "fp16", 0, 2e-2, "the order of a sum"),
    ("tl.cumsum", "bf16", 0, 0.2, "the order of a sum, rounded at each step"),
    ("tl.cumsum", "fp32", 0, 2e-3, "the order of a sum"),
    ("tl.cumprod", "bf16", 0, 2e-2, "the order of a product, rounded at each step"),
    ("tl.cumprod", "fp16", 0, 2e-3, "the order of a product"),
    ("tl.cumprod", "fp32", 16, 0, "the order of a product"),
    ("tl.cumprod", "fp64", 16, 0, "the order of a product"),
    ("tl.dot", "fp32", 0, 1e-3, "the order of a sum"),
    ("tl.dot", "fp16", 0, 1e-2, "the order of a sum"),
    ("", "fp16", 0, 2e-2, "the order of a sum"),     # examples only: see `tolerance`
    ("", "fp32", 0, 2e-3, "the order of a sum, ex2.approx, div.full"),
]


def tolerance(expression, kind):
    """Nothing where the result has to be equal bit for bit. `expression` is None for a launch of an example."""
    for part, of, ulps, share, why in TOLERANCES:
        if of == kind and (part != "" and expression is not None and part in expression or part == "" and expression is None):
            return ulps, share, why
    return None


def run_beside(tilec, script):
    """The comparisons of each launch, and what went wrong."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        done = subprocess.run([tilec, "--lang", "en", "run", "--device", "cuda", "--poison", "--compare", "--json",
                               report.name, str(script)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        text = pathlib.Path(report.name).read_text()
        errors = [line for line in done.stderr.decode().splitlines() if "error" in line]
        compared = json.loads(text).get("compared", []) if text else []
        return compared, errors[-1] if errors else "" if done.returncode == 0 else f"status {done.returncode}"


def judged(name, expression, tensor):
    row = {"name": name, "type": tensor["type"], "elements": tensor["elements"], "different": tensor["different"]}
    if tensor["different"] == 0:
        return row | {"holds": True}
    # Scans of bf16 are stored as fp32, but each of their steps rounds to bf16.
    steps = "bf16" if expression and "tl.cum" in expression and name.startswith("bf16") else tensor["type"]
    allowed = tolerance(expression, steps)
    row |= {key: tensor[key] for key in ("ulps", "absolute", "relative", "first", "gpu", "interpreter")}
    if not allowed:
        return row | {"holds": False}
    ulps, share, why = allowed
    number = lambda value: float("inf") if value is None else value
    return row | {"holds": tensor["ulps"] <= ulps or number(tensor["relative"]) <= share, "why": why}


def operations(tilec, folder, pool):
    subprocess.run([sys.executable, HERE / "operations.py", folder], check=True)
    cases = json.loads((folder / "cases.json").read_text())
    rows = []
    for name, (compared, error) in zip(cases, pool.map(lambda n: run_beside(tilec, folder / f"{n}.py"), cases)):
        for case, launch in zip(cases[name], compared):
            rows += [judged(f"{name.replace('_', ' ')}: {case['expression']}", case["expression"], tensor)
                     for tensor in launch["tensors"]]
        missing = cases[name][len(compared):]
        if missing:
            rows.append({"name": f"{name.replace('_', ' ')}: {missing[0]['expression']} and {len(missing) - 1} more",
                         "holds": False, "error": error})
    return rows


def examples(tilec, pool):
    rows = []
    for path, (compared, error) in zip(EXAMPLES, pool.map(lambda p: run_beside(tilec, p), EXAMPLES)):
        for launch in compared:
            rows += [judged(f"{path.name} launch {launch['launch']} {launch['kernel']}: {tensor['tensor']}", None, tensor)
                     for tensor in launch["tensors"]]
        if error:
            rows.append({"name": path.name, "holds": False, "error": error})
    return rows


def sanitizer(tilec, pool):
    def check(job):
        path, tool = job
        done = subprocess.run(["compute-sanitizer", "--tool", tool, tilec, "run", "--device", "cuda", path],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        summary = [line for line in done.stdout.decode().splitlines() if "SUMMARY" in line]
        text = summary[-1].split("SUMMARY:")[-1].strip() if summary else done.stdout.decode()[-200:]
        return {"name": f"{path.name} {tool}", "holds": done.returncode == 0 and text.startswith("0 "), "summary": text}
    return list(pool.map(check, [(path, tool) for path in EXAMPLES for tool in ("memcheck", "racecheck")]))


def other(script, arguments, folder):
    """What one of the other scripts here found."""
    out = folder / f"{script}.json"
    done = subprocess.run([sys.executable, HERE / f"{script}.py", *arguments, "--json", out], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    print(done.stdout.decode(), end="")
    found = json.loads(out.read_text()) if out.exists() else []
    return found["rows"] if isinstance(found, dict) else found


def hashes(tilec):
    """Of the PTX of each example's kernels as their first launches compile, without the lines that name files."""
    rows = {}
    for path in EXAMPLES:
        for kernel in re.findall(r"@triton\.jit\ndef (\w+)", path.read_text()):
            done = subprocess.run([tilec, "compile", path, "--kernel", kernel, "--gpu", "sm_90a", "--emit", "ptx"],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            code = b"\n".join(line for line in done.stdout.splitlines() if b".file" not in line)
            rows[f"{path.name} {kernel}"] = hashlib.sha256(code).hexdigest()[:16]
    return rows


def holds(part, row):
    if part == "speed":
        return row["high"] < 1.02
    return row["equal"] if part == "counters" else row["holds"]


def stale(tilec):
    """Says what has to be measured again; the ledger itself has to be there and whole."""
    ledger = json.loads((HERE / "ledger.json").read_text())
    now = hashes(tilec)
    changed = [name for name, code in now.items() if ledger["ptx"].get(name) != code]
    for name in changed:
        print(f"stale: {name} compiles to other code than on {ledger['date']} ({ledger['commit']})")
    print(f"{len(now) - len(changed)} of {len(now)} kernels are as measured")
    return 0 if now and all(ledger[part] for part in ("operations", "examples", "sanitizer", "counters", "speed")) else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilec")
    parser.add_argument("--commit", default="")
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--skip", default="")
    parser.add_argument("--out", default=str(HERE / "ledger.json"))
    parser.add_argument("--stale", action="store_true")
    options = parser.parse_args()
    tilec = str(pathlib.Path(options.tilec).resolve())
    if options.stale:
        sys.exit(stale(tilec))
    if not shutil.which("nvidia-smi"):
        print("no GPU")
        sys.exit(77)
    skipped, fine = options.skip.split(","), True
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         stdout=subprocess.PIPE).stdout.decode().strip()
    ledger = {"commit": options.commit, "date": str(datetime.date.today()), "gpu": gpu, "ptx": hashes(tilec)}
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(name)
        parts = {"operations": lambda: operations(tilec, folder / "operations", pool),
                 "examples": lambda: examples(tilec, pool),
                 "sanitizer": lambda: sanitizer(tilec, pool),
                 "counters": lambda: other("counters", [tilec, *map(str, EXAMPLES)], folder),
                 "speed": lambda: other("speed", [tilec], folder)}
        for part, find in parts.items():
            if part in skipped:
                continue
            ledger[part] = rows = find()
            failing = [row for row in rows if not holds(part, row)]
            fine = fine and rows and not failing
            equal = sum(row.get("different") == 0 for row in rows)
            print(f"{part}: {len(rows)} rows, {equal} equal bit for bit, {len(failing)} do not hold", flush=True)
            for row in failing:
                print("  ", json.dumps(row), flush=True)
    pathlib.Path(options.out).write_text(json.dumps(ledger, indent=1) + "\n")
    sys.exit(0 if fine else 1)


main()
