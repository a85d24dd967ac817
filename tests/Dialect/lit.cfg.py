# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# lit: every .mlir file here is a test, its RUN lines see tile-opt, FileCheck and not.
import os

import lit.formats

config.name = "tile dialect"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.environment["PATH"] = os.pathsep.join(config.tools_dirs + [config.environment["PATH"]])
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input-filter=error"
