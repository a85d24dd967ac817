import torch

x = torch.zeros(3, 4)
attempts = [
    lambda: x[10],
    lambda: x[0, 0, 0],
    lambda: x.sum(dim=5),
    lambda: x[torch.zeros(2, dtype=torch.bool)],
    lambda: x[::-1],
    lambda: torch.zeros(3, foo=1),
    lambda: torch.stack(),
    lambda: f"{x:.3f}",
    lambda: torch.tensor([[1], [1, 2]]),
    lambda: torch.testing.assert_close(x, x + 1),
    lambda: torch.testing.assert_close(x, x[0]),
    lambda: torch.testing.assert_close(x, x.double()),
    lambda: bool(x),
    lambda: x.item(),
    lambda: x + torch.zeros(5),
    lambda: x.view(5),
    lambda: x @ x,
    lambda: (x > 0) - (x > 0),
    lambda: x & x,
    lambda: list(zip([1], [1, 2], strict=True)),
    lambda: int("1", 37),
    lambda: int(float("nan")),
]
for attempt in attempts:
    try:
        attempt()
        print("none")
    except IndexError:
        print("IndexError")
    except AssertionError:
        print("AssertionError")
    except Exception as e:
        print(type(e).__name__)
