# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records what Python (3.11, with PyTorch on the CPU) prints for every script of this folder, beside it as NAME.out."""
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).parent
for script in sorted(here.glob("*.py")):
    if script.name == pathlib.Path(__file__).name:
        continue
    run = subprocess.run([sys.executable, script.name], cwd=here, capture_output=True, text=True, check=True)
    script.with_suffix(".out").write_text(run.stdout)
