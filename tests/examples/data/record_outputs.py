#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what real Triton prints for every script of resources/examples, beside this file as NAME.out.

Without a GPU: Triton's own interpreter runs the kernels, on tensors of the CPU. Needs PyTorch and Triton; the tests need
only what was recorded.
"""
import contextlib
import io
import os
import pathlib
import runpy
import tempfile

os.environ["TRITON_INTERPRET"] = "1"
here = pathlib.Path(__file__).parent
examples = here.parents[2] / "resources" / "examples"


def output_of(script):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / script.name
        copy.write_text(script.read_text().replace('"cuda"', '"cpu"'))
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(copy), run_name="__main__")
        return printed.getvalue()


for script in sorted(examples.glob("*.py")):
    (here / f"{script.stem}.out").write_text(output_of(script))
    print(script.name)
