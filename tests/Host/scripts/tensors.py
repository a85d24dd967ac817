# tensors among the rest of Python: operators, truth, iteration, printing inside containers, views, in-place changes
import torch
import torch.nn.functional as F

x = torch.arange(6, dtype=torch.float32).reshape(2, 3)
y = torch.ones(2, 3)
print(x)
print(x + y * 2 - 1, x.shape, x.dtype, x.shape[0], len(x), x.numel(), x.dim(), x.size(1))
print([x[0], 1], (y[0, :2],), {"k": torch.tensor(3)})
total = 0
for row in x:
    total += row.sum().item()
print(total, x.sum().item(), float(x[1, 2]), int(x.max()), bool(x[0, 0] == 0))
if (x >= 0).all():
    print("all")
assert torch.allclose(x, x.clone()), "must not happen"
z = x
z += 1
x[0, 0] = 100
print(z is x, x[0], -x[1], x[:, 1], x.T.shape)
m, n = x.shape
print(f"{m}x{n} {x[0, 0].item():.2f} {x.mean():.3f} {x.dtype}")
a, b = torch.split(torch.arange(4), 2)
print(a, b, max(a), sorted([3, int(a[1])]))
s = torch.softmax(x, dim=1)
print(torch.allclose(s, F.softmax(x, dim=-1)), (s.sum(dim=1) - 1).abs().max().item() < 1e-6)
values, indices = torch.max(x, dim=1)
print(values, indices, x @ y.T)
print(isinstance(x, torch.Tensor), type(x) is torch.Tensor, isinstance(3, torch.Tensor), x.dtype == torch.float32, x.dtype is torch.float)


def reference(x):
    x_max = x.max(dim=1)[0]
    z = x - x_max[:, None]
    numerator = torch.exp(z)
    return numerator / numerator.sum(dim=1)[:, None]


print(torch.allclose(reference(x), torch.softmax(x, 1)))
try:
    if x > 1:
        print("not reached")
except RuntimeError:
    print("ambiguous")
try:
    x + torch.ones(5)
except RuntimeError:
    print("shapes")
print(list(map(lambda t: t.item(), torch.arange(3))), torch.tensor([1, 2]).tolist() + [3])
print("done", torch.zeros(0), torch.tensor([True, False]))
