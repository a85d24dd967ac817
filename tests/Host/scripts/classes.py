# classes, inheritance, special methods, properties, dataclasses
from dataclasses import dataclass


class Shape:
    count = 0
    sides: int

    def __init__(self, name, scale=1):
        self.name = name
        self.scale = scale
        Shape.count += 1

    def area(self):
        return 0

    def describe(self):
        return f"{self.name}: {self.area() * self.scale}"

    @property
    def title(self):
        return self.name.title()

    @staticmethod
    def unit():
        return "m"

    @classmethod
    def make(cls, name):
        return cls(name)


class Square(Shape):
    def __init__(self, side):
        super().__init__("square", scale=2)
        self.side = side

    def area(self):
        return self.side**2

    def __repr__(self):
        return f"Square({self.side})"

    def __eq__(self, other):
        return isinstance(other, Square) and self.side == other.side

    def __add__(self, other):
        return Square(self.side + other.side)

    def __len__(self):
        return self.side

    def __getitem__(self, i):
        return [self.side] * 4 if isinstance(i, slice) else self.side * i

    def __call__(self, k, *, extra=0):
        return self.side * k + extra

    def __contains__(self, v):
        return v == self.side

    def __lt__(self, other):
        return self.side < other.side


s = Square(3)
print(s.describe(), s.title, Shape.unit(), s.unit(), Shape.make("x").name, Shape.count)
print(s, [s], str(s), s == Square(3), s != Square(4), s + Square(1), len(s), s[2], s[:], s(2, extra=1), 3 in s, 4 not in s)
print(sorted([Square(3), Square(1)]), max(Square(1), Square(5)), bool(Square(0)), isinstance(s, Shape), isinstance(Shape("a"), Square))
s.extra = [1]
s.extra.append(2)
s.side += 4
print(s.extra, s.side, hasattr(s, "extra"), hasattr(s, "other"), getattr(s, "other", "none"), getattr(s, "side"))
print(type(s).__name__, type(s) is Square, s.__class__.__name__)


class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


head = None
for i in range(3):
    head = Node(i, head)
values = []
while head is not None:
    values.append(head.value)
    head = head.next
print(values)


class Text:
    def __str__(self):
        return "as text"


print(Text(), f"{Text()}")


@dataclass
class Point:
    x: int
    y: int = 5


p = Point(1)
print(p, p.x + p.y, Point(y=2, x=3))


class Counter:
    total = 10

    def bump(self):
        self.total += 1
        return self


c = Counter()
print(c.bump().bump().total, Counter.total)


class Context:
    def __enter__(self):
        print("enter")
        return "value"

    def __exit__(self, kind, error, trace):
        print("exit", kind is None)
        return True


with Context() as v:
    print(v)
with Context():
    raise ValueError("swallowed")
print("after")


class Callback:
    def method(self, x):
        return x + 1


bound = Callback().method
print(bound(1), list(map(bound, [1, 2])))
print(Callback.method(Callback(), 5))
