# raise, try, except, else, finally
class MyError(Exception):
    pass


class Detailed(ValueError):
    def __init__(self, message, code):
        super().__init__(message)
        self.code = code


def risky(n):
    if n == 0:
        raise ValueError("zero")
    if n == 1:
        raise MyError("one", 1)
    if n == 2:
        return [][5]
    if n == 3:
        return {}["missing"]
    if n == 4:
        return 1 / 0
    if n == 5:
        return undefined_name  # noqa: F821
    if n == 6:
        return "a" + 1
    if n == 7:
        raise KeyError("key")
    if n == 8:
        return (1).missing
    if n == 9:
        raise NotImplementedError
    if n == 10:
        assert n == 0, "assertion"
    if n == 11:
        a, b = 1, 2, 3
    return "fine"


for n in range(13):
    try:
        result = risky(n)
    except ValueError as e:
        print(n, "ValueError")
        if n == 0:
            print(e, repr(e), e.args)
    except (IndexError, KeyError) as e:
        print(n, "lookup", type(e).__name__)
    except ArithmeticError:
        print(n, "arithmetic")
    except MyError as e:
        print(n, e, e.args)
    except NameError:
        print(n, "name")
    except AssertionError as e:
        print(n, "assert", e)
    except Exception as e:
        print(n, "other", type(e).__name__)
    else:
        print(n, result)
    finally:
        print("finally", n)


def order():
    try:
        return "returned"
    finally:
        print("first")


print(order())


def swallow():
    for i in range(3):
        try:
            if i == 1:
                continue
            if i == 2:
                break
            print("body", i)
        finally:
            print("cleanup", i)
    try:
        try:
            raise ValueError("inner")
        except ValueError:
            raise
    except ValueError as e:
        print("again", e)
    try:
        try:
            1 / 0
        finally:
            print("on the way")
    except ZeroDivisionError:
        print("caught")


swallow()
try:
    raise Detailed("bad", 3)
except ValueError as e:
    print(e.code)
print("end")
