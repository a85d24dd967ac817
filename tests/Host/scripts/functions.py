# parameters of every kind, defaults, closures, lambdas, recursion, decorators, scoping
def plain(a, b=2, *args, c, d=4, **kwargs):
    return a, b, args, c, d, kwargs


print(plain(1, c=3))
print(plain(1, 5, 6, 7, c=3, e=8, d=9))
print(plain(*[1, 2, 3], **{"c": 1, "z": 2}))


def positional(a, b, /, c, *, d):
    return a + b + c + d


print(positional(1, 2, 3, d=4), positional(1, 2, c=3, d=4))


def shared(item, seen=[]):
    seen.append(item)
    return seen


shared(1)
print(shared(2))


def counter():
    count = 0

    def step(by=1):
        nonlocal count
        count += by
        return count

    return step


first, second = counter(), counter()
first()
print(first(5), second())
total = 0


def add(n):
    global total
    total += n


add(3)
add(4)
print(total)
adders = [lambda x, n=n: x + n for n in range(3)]
print([f(10) for f in adders], (lambda: 7)(), (lambda *a, **k: (a, k))(1, b=2))


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(15))


def factorial(n):
    if n == 0:
        return 1
    return n * factorial(n - 1)


print(factorial(30))


def logged(prefix):
    def wrap(fn):
        def inner(*args, **kwargs):
            print(prefix, fn.__name__, args, kwargs)
            return fn(*args, **kwargs)

        return inner

    return wrap


def twice(fn):
    return lambda *a: fn(*a) * 2


@logged("call")
@twice
def mul(a: int, b: "annotations are not evaluated" = 3) -> int:
    """A docstring."""
    return a * b


print(mul(2, 5))


def nothing():
    pass


print(nothing())


def early(n):
    for i in range(n):
        if i == 3:
            return i
    return -1


print(early(10), early(2))
print(sorted(["bb", "a", "ccc"], key=len), sorted([3, 1, 2], reverse=True), max([1, 5, 3], key=lambda v: -v))
compose = lambda *fs: lambda x: x if not fs else compose(*fs[1:])(fs[0](x))
print(compose(lambda x: x + 1, lambda x: x * 10)(4))


def outer():
    x = "outer"

    def inner():
        return x

    x = "changed"
    return inner()


print(outer())
x = "global"


def reads():
    return x


def shadows():
    x = "local"
    return [x for _ in range(1)], reads()


print(shadows(), callable(reads), callable(3))
