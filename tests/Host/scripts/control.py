# if, while, for, else, break, continue, conditional expressions, chained comparisons, walrus
n = 0
while n < 5:
    n += 1
    if n == 2:
        continue
    if n == 4:
        break
    print("while", n)
else:
    print("not reached")
while n < 6:
    n += 1
else:
    print("while ended", n)
for i in range(3):
    print(i, end=" ")
else:
    print("for ended")
for i in range(10, 0, -4):
    if i < 5:
        break
    print(i)
else:
    print("not reached")
for i, c in enumerate("añ😀", start=5):
    print(i, c)
for (a, b), *rest in [((1, 2), 3, 4), ((5, 6),)]:
    print(a, b, rest)
x = 5
print("big" if x > 3 else "small", 1 < x < 10, 1 < x > 7, 1 < x <= 5 != 6)
print(0 or "" or [] or "last", 1 and 2 and 3, None and 1, not 0, not "a")
if (y := x * 2) > 9:
    print("walrus", y)
print([z := 3, z + 1], z)
pass
numbers = [1, 2, 3]
for v in numbers:
    if v < 10:
        numbers.append(v * 10)
print(numbers)
del numbers[1], numbers[-2:]
print(numbers)
if x == 1:
    print("one")
elif x == 5:
    print("five")
else:
    print("other")
for k in {"a": 1, "b": 2}:
    print(k)
a = b = [1]
a += [2]
print(b, a is b)
t = (1,)
u = t
t += (2,)
print(t, u)
print(__name__)
if __name__ == "__main__":
    print("main")
print(1, 2, sep="-", end="!\n")
print()
print("a", None, True, 1.0, [1, "x"], ("y",), {"k": 1.5}, sep="|")
