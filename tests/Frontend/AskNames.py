# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks real Triton for every name of triton.language and its parts, with its parameters.

    python AskNames.py > data/names.txt

needs `pip install triton torch`; no GPU. A line is the name, as a kernel would write it after `import triton.language`,
and either its parameters (a method's without the value it is called on), "type" for a data type, or what kind of
Python object it is. What comes from other modules (typing, builtins) is left out.
"""
import inspect
import re
import warnings

warnings.filterwarnings("ignore")
import triton.language as tl
from triton.language import core, math, random, standard
from triton.language.extra import libdevice
from triton.runtime.jit import JITFunction


def parameters(function, is_method):
    signature = inspect.signature(getattr(function, "fn", function))
    result, keyword_only = [], False
    for parameter in list(signature.parameters.values())[1 if is_method else 0:]:
        if parameter.name in ("_semantic", "_generator"):
            continue
        if parameter.kind == parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            if not any(p.startswith("*") for p in result):
                result.append("*")
        text = ("*" if parameter.kind == parameter.VAR_POSITIONAL else "") + parameter.name
        if parameter.default is not parameter.empty:
            value = parameter.default
            while isinstance(value, tl.constexpr):
                value = value.value
            text += "=" + repr(value).replace("triton.language.", "")
        result.append(re.sub(r"<.*>", "?", text))
    return "(" + ", ".join(result) + ")"


def describe(value, is_method=False):
    if isinstance(value, tl.dtype):
        return "type"
    if isinstance(value, property):
        return "attribute"
    if isinstance(value, JITFunction) or inspect.isfunction(getattr(value, "fn", value)):
        return parameters(value, is_method)
    return type(value).__name__


def ours(value):
    module = getattr(getattr(value, "fn", value), "__module__", "triton.language.core") or ""
    return module.startswith("triton.language") or not callable(value)


for prefix, module in (("", tl), ("math.", math), ("core.", core), ("standard.", standard), ("random.", random),
                       ("target_info.", tl.target_info), ("extra.libdevice.", libdevice), ("tensor.", tl.tensor)):
    for name in dir(module):
        value = getattr(module, name)
        if name.startswith("_") or inspect.ismodule(value) or not ours(value):
            continue
        print(prefix + name, describe(value, module is tl.tensor))
