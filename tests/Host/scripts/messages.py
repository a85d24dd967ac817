# What an exception says of itself, and sys.exit.
import sys


def said(action):
    try:
        action()
    except Exception as e:
        print(type(e).__name__, "|", e)
    except SystemExit as e:
        print("exit", e.args, e.code)


said(lambda: 1 / 0)
said(lambda: missing_name)  # noqa: F821
said(lambda: [].missing)
said(lambda: (3)[0])
said(lambda: (3)())
said(lambda: len(3))
said(lambda: [x for x in 3])
said(lambda: {} + 1)
said(lambda: {}["key"])
said(lambda: {}[7])
said(lambda: sys.exit())
said(lambda: sys.exit(3))
said(lambda: sys.exit("enough"))

try:
    sys.exit(0)
finally:
    print("on the way out")
print("not reached")
