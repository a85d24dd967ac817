# str methods, f-strings, formats
name, x, n = "Tile", 3.14159, 42
print(f"{name} {x:.2f} {n:>6}|{n:<6}|{n:^6}|{n:06d} {n:x} {n:#b} {1234567:,} {x!r} {name!r:>8} {name:*^10}")
width, digits = 10, 3
print(f"{x:{width}.{digits}f}|{x:>{width}}|{'nested ' + f'{n}'}|{{braces}}|{n=}|{x = :.1f}|{name=!s}")
print(f"{[1, 'a']} {(1,)} {None} {True} {n % 5} {'yes' if n else 'no'} {max(1, 2)} {name.upper()} {name[0]}")
print("{} {} {0}".replace("0", "x"), "{} {}".format(1, "b"), "{1} {0} {k:>4}".format("a", "b", k=1), "{0[1]} {0}".format([1, 2]), "{:.3e}".format(12345.678), "{{}}".format())
print("%d %s %5.2f %r %x %%" % (3, "s", 2.5, "r", 255), "%s" % [1], "%-5s|%5s|%05d" % ("a", "b", 42), "%(k)s" % {"k": "v"})
print("Hello World".upper(), "Hello".lower(), "hello world".title(), "hello".capitalize(), "Hi".swapcase())
print("  pad ".strip(), "|" + "  pad ".lstrip() + "|", "xxaxx".strip("x"), "abc".rstrip("c"))
print("a,b,,c".split(","), " a  b ".split(), "a,b,c".split(",", 1), "a,b,c".rsplit(",", 1), "a\nb\r\nc".splitlines(), "a b c".split(maxsplit=1))
print(", ".join(["a", "b"]), "".join(str(i) for i in range(3)), "abcabc".replace("b", "X"), "abcabc".replace("b", "X", 1), "ab".replace("", "-"))
print("hello".startswith("he"), "hello".endswith(("x", "lo")), "hello".find("l"), "hello".rfind("l"), "hello".find("z"), "hello".index("e"), "banana".count("an"))
print("abc".ljust(5, ".") + "|", "abc".rjust(5) + "|", "abc".center(6, "*") + "|", "abc".center(7) + "|", "-42".zfill(6), "7".zfill(3))
print("abc".isalpha(), "a1".isalnum(), "12".isdigit(), " ".isspace(), "AB".isupper(), "ab".islower(), "".isdigit())
print("prefix-x".removeprefix("prefix-"), "x.py".removesuffix(".py"), "k=v=w".partition("="), "none".partition("="))
print("añ中😀"[2], "añ中😀"[-1], "añ中😀"[1:3], len("añ中😀"), "añ中😀"[::-1], "ab" * 3, "a" < "b", "a" in "abc", "é" "joined")
print("tab\there", "quote\"s", 'it\'s', r"raw\n", "line\
continued", """triple
lines""", "\u00e9\x41\u2022")
print(repr("new\nline"), repr("it's"), repr('say "hi"'), repr("both'\""), repr("\x00\x7f"), ascii("x") if False else "")
for value in [0.1, 1.0, 1e16, 1e15, 1e-5, 0.0001, 123456789.123, 1e100, float("inf"), float("nan"), -0.0, 2.0**53, 1 / 3, 100.0, 5e-324]:
    print(value, f"{value:g}", f"{value:.3f}", f"{value:e}")
for value in [0, -5, 123456789, 2**70]:
    print(f"{value:>12}|{value:,}|{value:+}|{value:e}|{value:08}|{value:_}")
print(f"{1/3:.1%} {0.5:%} {1e10:,.2f} {-1.5:+.1f} {3:.2f} {True:d} {'s':5}|{'s':>5}|{65:c}")
print("multi", "line", sep="\n")
print(str(b"") if False else "", str([1.5, "x", None]), str({"a": (1,)}))
