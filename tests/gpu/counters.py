# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `tilec trace` says of each launch beside Nsight Compute's counters of the same code on a GPU.

    counters.py TILEC FILE... [--gpu h200] [--json OUT]

Prints a row for each launch and kind of access, and exits with 1 if one differs. Needs ncu and a CUDA device.
"""
import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys

KINDS = {"load": "ld", "store": "st", "atomic": "atom", "reduction": "red"}
METRICS = {f"{kind} {what}": f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum"
           for kind, op in KINDS.items() for what in ("requests", "sectors")}
METRICS |= {f"shared {kind} wavefronts": f"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"
            for kind, op in (("load", "ld"), ("store", "st"))}
METRICS |= {"registers": "launch__registers_per_thread", "dynamic shared": "launch__shared_mem_per_block_dynamic"}


def measured(tilec, path):
    """For each kernel launch of the script, its name and counters."""
    command = ["ncu", "--csv", "--page", "raw", "--clock-control", "none", "--target-processes", "all", "--print-units",
               "base", "--metrics", ",".join(METRICS.values()), tilec, "run", "--device", "cuda", path]
    text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode()
    start = text.find('"ID"')
    if start < 0:
        raise RuntimeError(text[-2000:])
    rows = list(csv.DictReader(io.StringIO(text[start:])))[1:]  # the first has the units
    launches = []
    for row in rows:
        counters = {}
        for name, metric in METRICS.items():
            value = row.get(metric, "").replace(",", "")
            if value not in ("", "n/a"):
                counters[name] = int(float(value))
        launches.append((row["Kernel Name"], counters))
    return launches


def modelled(tilec, path, launch, gpu):
    text = subprocess.run([tilec, "trace", path, "--launch", str(launch), "--gpu", gpu, "--json"], check=True,
                          stdout=subprocess.PIPE).stdout
    trace = json.loads(text)
    counters = {}
    for access in trace["accesses"]:
        kind = "copy" if access["isAsync"] else access["op"]
        for what in ("requests", "sectors"):
            key = f"{kind} {what}"
            counters[key] = counters.get(key, 0) + access[what]
    counters["dynamic shared"] = trace["sharedBytes"]
    return trace["kernel"], counters


def compare(kernel, said, found):
    """(name, modelled, measured) for each figure of the launch."""
    said, found = dict(said), dict(found)
    for what in ("requests", "sectors"):
        # The hardware counts asynchronous copies with the loads, and atomics without a result apart.
        said[f"load {what}"] = said.get(f"load {what}", 0) + said.get(f"copy {what}", 0)
        found[f"atomic {what}"] = found.get(f"atomic {what}", 0) + found.pop(f"reduction {what}", 0)
    for name in METRICS:
        if name == "registers" or name.startswith(("reduction", "shared")):
            continue
        if said.get(name, 0) or found.get(name, 0):
            yield name, said.get(name, 0), found.get(name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilec")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--gpu", default="h200")
    parser.add_argument("--json")
    options = parser.parse_args()
    report, fine = [], True
    for path in options.files:
        try:
            launches = measured(options.tilec, path)
        except RuntimeError as problem:
            print(f"{path}: {problem}")
            fine = False
            continue
        seen = set()
        for number, (name, found) in enumerate(launches):
            if (name, json.dumps(found)) in seen:
                continue
            seen.add((name, json.dumps(found)))
            kernel, said = modelled(options.tilec, path, number, options.gpu)
            rows = list(compare(kernel, said, found))
            equal = all(a == b for _, a, b in rows)
            fine &= equal
            words = ", ".join(f"{key} {a}" if a == b else f"{key} {a} (ncu {b})" for key, a, b in rows)
            print(f"{pathlib.Path(path).name} launch {number} {kernel}: {'equal' if equal else 'DIFFERENT'}: {words}; "
                  f"registers {found.get('registers')}, shared wavefronts {found.get('shared load wavefronts')} "
                  f"{found.get('shared store wavefronts')}", flush=True)
            report.append({"file": pathlib.Path(path).name, "launch": number, "kernel": kernel, "equal": equal,
                           "modelled": said, "measured": found})
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1))
    sys.exit(0 if fine else 1)


main()
