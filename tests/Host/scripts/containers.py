# list, tuple, dict and set methods; comprehensions; unpacking; slices
a = [3, 1, 2]
a.append(5)
a.extend((7, 8))
a.insert(1, 9)
a.insert(-1, 4)
print(a, a.pop(), a.pop(0), a, a.index(2), a.count(9), len(a))
a.remove(9)
a.sort()
print(a)
a.reverse()
print(a, sorted(a), a[::-1], a[1:3], a[-2:], a[:], a.copy() is a)
a.sort(key=lambda v: v % 3)
print(a)
a[1:3] = ["x", "y", "z"]
a[::2] = [0] * len(a[::2])
print(a, a + [1], a * 2, 2 * [1])
a.clear()
print(a)
t = 1, "b", 3.0
x, *y = t
print(x, y, t[1], t.index("b"), t.count(1), t + (4,), (0,) * 3, len(t))
(p, q), [r, s] = (1, 2), [3, 4]
print(p, q, r, s)
*head, tail = "abc"
print(head, tail)
d = {"a": 1, "b": 2, **{"c": 3}}
d["d"] = d.get("a") + d.get("zz", 10)
print(d, list(d), list(d.keys()), list(d.values()), list(d.items()), "a" in d, "z" not in d, len(d))
print(d.pop("a"), d.pop("zz", None), d.setdefault("e", []), d.popitem(), d)
d.update({"b": 20}, f=6)
d.update([("g", 7)])
for k, v in d.items():
    print(k, v)
del d["b"]
print(d, dict(a=1, b=2), dict([(1, 2)]), {**d, "g": 8}, d | {"h": 1}, d == {"c": 3, "d": 11, "f": 6, "g": 7})
d2 = d.copy()
d2.clear()
print(d2, bool(d2), d2 == {})
s = {1, 2} | {2, 3}
s.add(4)
s.discard(9)
s.remove(1)
print(sorted(s), len(s), 2 in s, sorted(s & {2, 9}), sorted(s - {2}), sorted(s ^ {2, 8}), {1} < {1, 2}, set(), sorted(set("hello")))
print(s.issubset({2, 3, 4, 5}), sorted(s.union([7], [8])), sorted(s.intersection({3})))
print([i * j for i in range(3) for j in range(i)], [i for i in range(10) if i % 2 if i > 3], {i: i**2 for i in range(3)}, sorted({i % 3 for i in range(9)}))
print([[r * c for c in range(3)] for r in range(2)], sum(i for i in range(5)), list(i * 2 for i in (1, 2)), any(i > 3 for i in range(5)), all([]))
print([*range(3), *"ab"], (*[1], 2), {*[1, 1]}, [1, [2, [3]]] == [1, [2, [3]]], [1, 2] < [1, 3], (1, "a") < (1, "b"))
print(list(zip([1, 2, 3], "ab")), list(map(lambda v, w: v + w, [1, 2], [10, 20])), list(filter(None, [0, 1, "", "a"])), list(reversed([1, 2])))
print(list(enumerate("ab")), min(3, 1, 2), max("abc"), min([], default=0), sum([[1], [2]], []), sum([0.1] * 3), abs(-3), abs(-2.5))
print(divmod(7, -2), pow(2, 10), pow(3, 200, 1000), round(2.5), round(3.5), round(2.675, 2), round(1234, -2), round(-0.5), round(1e20))
it = iter([1, 2])
print(next(it), next(it), next(it, "done"))
print(isinstance(1, int), isinstance(True, int), isinstance(1, (str, float)), isinstance("a", str), isinstance([], list), isinstance((), tuple), isinstance(1.0, float), isinstance({}, dict))
print(type(1), type("a"), type(None), type([]), type(1) is int, type(1) == int, int("12"), int("-0x1f", 16), int(" 7 "), int(-3.9), int("1_000"), float("1e3"), float("-inf"), float(" 2.5 "))
print(str(1.0), repr("a'b"), bool(""), bool("x"), bool(0.0), list("ab"), tuple([1]), list(range(3)), hex(255), bin(5), oct(8), chr(233), ord("é"))
print(range(3), list(range(5, 1, -2)), range(10)[2:5], len(range(0, 10, 3)), 3 in range(5), range(3) == range(0, 3))
m = [[0] * 3 for _ in range(2)]
m[0][1] = 5
m[1][2] += 2
print(m)
nested = {"list": [1, 2], "t": ({"x": 1},)}
nested["list"][0] = "changed"
print(nested, nested["t"][0]["x"])
first, (second, *others) = 1, (2, 3, 4)
print(first, second, others)
data = [("b", 2), ("a", 2), ("c", 1)]
print(sorted(data, key=lambda p: p[1]), sorted(data, key=lambda p: p[1], reverse=True), max(data, key=lambda p: p[1]))
big = 2**100
print(big, big // 3, -big % 7, big * big, 10**20 / 3, 7 // -2, -7 % 3, 2**-1, 1 << 70, ~5, 5 & 3 | 8 ^ 1)
