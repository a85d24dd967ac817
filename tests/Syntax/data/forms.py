# Every form of Python, those of 3.12 among them; the tree that Python 3.12 makes of this file is in trees.txt.
import a, b.c as d
from . import e
from ...f.g import (h as i, j,)
from k import *
type Vector = list[float]
type Pair[T, *Ts, **P] = tuple[T, Callable[P, T]]
type = 1
type.x, match, case, _ = type, 2, 3, 4
print(type(x), match [1], case)
match = {}
match[0]: int = 3
match.a.b(c)
match * 2
match (x), y

class Stack[T: (int, str), U: object](Base[T], metaclass=Meta, **options):
    items: list[T] = []
    (count): int
    self.total: "float"

    @property
    @decorated(1)[2].by.anything or nothing
    def first[S](self, /, a, b: int = 1, *args: *Ts, c, d=2, **kwargs: str) -> T | None:
        """Text."""
        return self.items[0]; pass

    async def run(self, *, wait=False): await self.x; return await y ** 2

def generator(a=1, /, b=2, *, c):
    global g1, g2
    x = yield
    y = yield x, *z
    yield from (yield)
    return *a, b
    def inner():
        nonlocal x
    del x, (y), [a.b, c[0]], (d, e)
    raise
    raise E from None
    assert a, "b"

f"plain"
f"{x}{x!r}{x:>{width}.{precision}f}{x = }{x=!s:^10}{{}}"
f'{a['b']}' f"{"nested" + f'{f"{deeper}"}'}"
f"{x:{'{'}}" rf"\d{x}\N" f'{x}\x41\{x}'
f'''{
    x  # a comment
    + 1
!r}'''
f"{lambda_}{(lambda y: y)(1)}{ {1: 2}[1] }{a if b else c}{x, *y}{yield_}{x:=5}{(z := 1)}{a != b}"
"joined" "to" 'one' u'unicode' r'\raw' R"\n"
b'bytes\x00' rb'\x' BR"\y"
'\x41\u00e9\U0001F600\101\0\
continued \
\' " \\ \a\b\f\n\r\t\v'
"""triple "quoted" \""" text
on lines"""
x = 0xFF + 0o17 + 0b1_01 + 1_000.5e-1_0 + .5 + 5. + 1e5 + 3j + 0_0 + 00 + 1E+3J + 0Xdead_beef
x = 1if y else 2
naïve = 变量 + переменная
x = -a ** -b + ~c @ d // e % f << g >> h & i ^ j | k
x = not a and b or c and not d
x = a < b <= c != d is e is not f in g not in h == i
x = (a if b else c) if d else (e)
x = lambda: 0, lambda a, *b, c=1, **d: a, lambda a, /, b, *, c: (yield)
x = [*a, b], (*a,), {*a, b}, {**a, b: c}, (), [], {}, (a), (a,), a,
x = [i for i in j if k if l async for m in n], {i for i in j}, {i: j for i, j in k}, (i for i in j)
x = f(i for i in j)(a, *b, c, d=e, *f, **g, h=i)(a := b)[a:b:c, ::, d:, :e, *f][a, b][:][*a][a := b]
(a.b)(c).d
(a) + (b)
(a) < (b)
(a)(b)
a.b.c[0].d()
x = y = z, = 1
x += yield
x @= 1
x //= 2; y **= 3; z >>= 4; a <<= 5; b &= 6; c ^= 7; d |= 8; e -= 9; f *= 10; g /= 11; h %= 12
x: int
x: int = yield
if (n := len(a)) > 10: pass
elif b: pass
elif c:
    pass
else:
    pass
while x: break
else: continue_
for x, *y in a, *b:
    continue
for (x) in y: pass
for x[0] in y: pass
for x.y, in z: pass
else: pass
with a: pass
with a as b, c as (d, e): pass
with (a as b, c,): pass
with (a, b): pass
with (a): pass
with (a, b) as c: pass
with (a) as b, (c): pass
with (yield): pass
with (a for a in b) as c: pass
with (a := b): pass
with (a).b: pass
with (a, b)[0], c: pass
with (a as b): pass
async def coroutine():
    async with a as b, c: pass
    async for x in y: pass
    else: pass
    return [x async for x in y if await z]
try: pass
except: pass
try:
    pass
except A: pass
except (B, C) as d:
    pass
else:
    pass
finally:
    pass
try: pass
finally: pass
try:
    pass
except* A as e: pass
except* B: pass
match x, *y:
    case 1 | -2 | 3.5 | -1j | 1 + 2j | -1 - 2j: pass
    case "a" "b" | b"c" | None | True | False: pass
    case a.b | a.b.c: pass
    case _: pass
    case name: pass
    case (name): pass
    case [] | () | (a,) | [a, *_] | (*rest, a, b): pass
    case a, *rest: pass
    case a,: pass
    case {"a": 1, b.c: x, -1: y, None: z, **rest}: pass
    case {}: pass
    case {**rest}: pass
    case C() | a.C(1, x, y=2, z=D(),): pass
    case (1 | 2) as x if x > 1: pass
    case str() as s, int(): pass
match(x):
    case case: pass
match -x:
    case match if match: pass
match {}:
    case type(): pass
match x := y:
    case _: pass
def f(): return
def f(): return yield_; yield
def f(a: int, b: (yield_) = 1,): ...
class A: pass
class B(): x = 1
class C[T]: pass
class D(*a, b=c): pass
@a
class E: pass
@b
async def f(): pass
if a:
	if b:
		tab
	else:
	  tab_and_spaces
x = (1,
2)
x = 1 + \
    2
if True:
    # a comment

    x

        # another
y
