# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the syntax trees of many files as compiler/Syntax/Dump.h describes, from Python's own `ast`.

    python3 dump_ast.py LIST OUT

LIST names a file a line. For each, OUT gets a line "file NAME ok" or "file NAME error", and after "ok" the
tree. Ranges inside f-strings are left out: they are right since Python 3.12 only (pass --fstring-ranges).
"""
import ast
import io
import sys
import tokenize
import warnings

OPERATORS = {
    "Add": "+", "Sub": "-", "Mult": "*", "MatMult": "@", "Div": "/", "Mod": "%", "Pow": "**", "LShift": "<<",
    "RShift": ">>", "BitOr": "|", "BitXor": "^", "BitAnd": "&", "FloorDiv": "//", "And": "and", "Or": "or",
    "Invert": "~", "Not": "not", "UAdd": "+", "USub": "-", "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=",
    "Gt": ">", "GtE": ">=", "Is": "is", "IsNot": "is not", "In": "in", "NotIn": "not in",
}
KINDS = {"AsyncFunctionDef": "FunctionDef", "AsyncFor": "For", "AsyncWith": "With", "TryStar": "Try"}


def quoted(data):
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02x}" for b in data) + '"'


class Dumper:
    def __init__(self, source, fstring_ranges):
        self.lines = source.splitlines(True)
        self.fstring_ranges = fstring_ranges
        self.out = ["Module"]
        self.depth = 0
        self.fstrings = 0

    def line(self, field, kind, node=None, *plain):
        text = "  " * self.depth + field + " " + kind
        if node is not None and (not self.fstrings or self.fstring_ranges):
            text += f" {node.lineno}:{node.col_offset}-{node.end_lineno}:{node.end_col_offset}"
        self.out.append(" ".join([text, *plain]))

    def written(self, node):
        """The digits of a number, as the source has them."""
        line = self.lines[node.lineno - 1]
        return line[node.col_offset:node.end_col_offset].decode().replace("_", "")

    def constant(self, node):
        value = node.value
        if isinstance(value, str):
            return quoted(value.encode("utf-8", "surrogatepass"))
        if isinstance(value, bytes):
            return "b" + quoted(value)
        if value is None or value is ... or isinstance(value, bool):
            return "Ellipsis" if value is ... else str(value)
        if self.fstrings and not self.fstring_ranges:
            return "number"
        return self.written(node)

    def children(self, node, *fields):
        self.depth += 1
        for name in fields:
            value = getattr(node, name, None)
            for item in value if isinstance(value, list) else [value]:
                if item is not None:
                    self.node(name, item)
        self.depth -= 1

    def parameters(self, args):
        self.depth += 1
        plain = [("posonlyargs", a) for a in args.posonlyargs] + [("args", a) for a in args.args]
        defaults = [None] * (len(plain) - len(args.defaults)) + args.defaults
        groups = [(name, arg, default) for (name, arg), default in zip(plain, defaults)]
        groups += [("vararg", args.vararg, None)]
        groups += [("kwonlyargs", arg, default) for arg, default in zip(args.kwonlyargs, args.kw_defaults)]
        groups += [("kwarg", args.kwarg, None)]
        for name, arg, default in groups:
            if arg is None:
                continue
            self.line(name, "arg", arg, "name=" + arg.arg)
            self.children(arg, "annotation")
            if default is not None:
                self.depth += 1
                self.node("default", default)
                self.depth -= 1
        self.depth -= 1

    def node(self, field, node):
        kind = type(node).__name__
        special = getattr(self, "dump_" + kind, None)
        if special:
            return special(field, node)
        plain = []
        if kind in ("AsyncFunctionDef", "AsyncFor", "AsyncWith"):
            plain.append("async")
        if kind == "TryStar":
            plain.append("star")
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, (ast.operator, ast.unaryop, ast.boolop)):
                plain.append("op=" + OPERATORS[type(value).__name__])
            elif isinstance(value, str) and name != "type_comment":
                plain.append(name + "=" + value)
        self.line(field, KINDS.get(kind, kind), node, *plain)
        fields = [f for f in node._fields if isinstance(getattr(node, f, None), (ast.expr, ast.pattern, list))]
        self.children(node, *fields)

    def dump_FunctionDef(self, field, node):
        plain = ["async"] if isinstance(node, ast.AsyncFunctionDef) else []
        self.line(field, "FunctionDef", node, *plain, "name=" + node.name)
        self.children(node, "decorator_list", "type_params")
        self.parameters(node.args)
        self.children(node, "returns", "body")

    dump_AsyncFunctionDef = dump_FunctionDef

    def dump_ClassDef(self, field, node):
        self.line(field, "ClassDef", node, "name=" + node.name)
        self.children(node, "decorator_list", "type_params", "bases", "keywords", "body")

    def dump_Lambda(self, field, node):
        self.line(field, "Lambda", node)
        self.parameters(node.args)
        self.children(node, "body")

    def dump_Constant(self, field, node):
        self.line(field, "Constant", node, self.constant(node))

    def dump_Compare(self, field, node):
        self.line(field, "Compare", node, *("op=" + OPERATORS[type(op).__name__] for op in node.ops))
        self.children(node, "left", "comparators")

    def dump_Dict(self, field, node):
        self.line(field, "Dict", node)
        self.depth += 1
        for key, value in zip(node.keys, node.values):
            if key is not None:
                self.node("key", key)
            self.node("value" if key is not None else "unpacked", value)
        self.depth -= 1

    def dump_JoinedStr(self, field, node):
        self.line(field, "JoinedStr", node)
        # Python 3.12 leaves empty texts behind a nested field, Python 3.13 does not.
        node.values = [v for v in node.values if not (isinstance(v, ast.Constant) and v.value == "")]
        self.fstrings += 1
        self.children(node, "values")
        self.fstrings -= 1

    def dump_FormattedValue(self, field, node):
        plain = ["conversion=" + chr(node.conversion)] if node.conversion != -1 else []
        self.line(field, "FormattedValue", node, *plain)
        self.children(node, "value", "format_spec")

    def dump_comprehension(self, field, node):
        self.line(field, "comprehension", None, *(["async"] if node.is_async else []))
        self.children(node, "target", "iter", "ifs")

    def dump_withitem(self, field, node):
        self.line(field, "withitem")
        self.children(node, "context_expr", "optional_vars")

    def dump_match_case(self, field, node):
        self.line(field, "match_case")
        self.children(node, "pattern", "guard", "body")

    def dump_AnnAssign(self, field, node):
        self.line(field, "AnnAssign", node, *(["simple"] if node.simple else []))
        self.children(node, "target", "annotation", "value")

    def dump_ImportFrom(self, field, node):
        plain = ["module=" + node.module] if node.module else []
        self.line(field, "ImportFrom", node, *plain, f"level={node.level}")
        self.children(node, "names")

    def dump_Global(self, field, node):
        self.line(field, type(node).__name__, node, *("name=" + name for name in node.names))

    dump_Nonlocal = dump_Global

    def dump_IfExp(self, field, node):
        self.line(field, "IfExp", node)
        self.children(node, "test", "body", "orelse")

    def dump_Try(self, field, node):
        self.line(field, "Try", node, *(["star"] if type(node).__name__ == "TryStar" else []))
        self.children(node, "body", "handlers", "orelse", "finalbody")

    dump_TryStar = dump_Try

    def dump_MatchSingleton(self, field, node):
        self.line(field, "MatchSingleton", node, str(node.value))

    def dump_MatchMapping(self, field, node):
        self.line(field, "MatchMapping", node, *(["name=" + node.rest] if node.rest else []))
        self.keyed(node, "keys", "key", "patterns")

    def dump_MatchClass(self, field, node):
        self.line(field, "MatchClass", node, *("kwd_attr=" + name for name in node.kwd_attrs))
        self.keyed(node, "cls", "value", "patterns", "kwd_patterns")

    def keyed(self, node, name, shown, *rest):
        value = getattr(node, name)
        self.depth += 1
        for item in value if isinstance(value, list) else [value]:
            self.node(shown, item)
        self.depth -= 1
        self.children(node, *rest)


def as_utf8(data):
    """The file as UTF-8 without byte order mark, line ends as "\\n": so `ast` counts columns."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n").encode()


def dump(path, fstring_ranges):
    with open(path, "rb") as file:
        data = file.read()
    try:
        tree = ast.parse(data)
        dumper = Dumper(as_utf8(data), fstring_ranges)
        dumper.children(tree, "body")
    except (SyntaxError, ValueError, RecursionError, MemoryError, LookupError):
        return None
    return "\n".join(dumper.out) + "\n"


def main():
    fstring_ranges = "--fstring-ranges" in sys.argv
    listed, out = [a for a in sys.argv[1:] if not a.startswith("--")]
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    with open(listed) as names, open(out, "w", newline="\n") as target:
        for name in names.read().splitlines():
            text = dump(name, fstring_ranges)
            target.write(f"file {name} {'error' if text is None else 'ok'}\n{text or ''}")


if __name__ == "__main__":
    main()
