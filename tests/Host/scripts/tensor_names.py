# NumPy's names for torch's parameters, and devices that compare.
import torch

x, y = torch.arange(6.0).view(2, 3), torch.zeros(3)
print(x.sum(axis=1), x.mean(axis=0, keepdims=True), torch.softmax(x, axis=-1).sum(axis=1), torch.exp(x=y))
print(x.device == y.device, x.device != torch.device("cuda"), x.device in (torch.device("cpu"),))
print(torch.device("cuda") == torch.device("cuda:0"), torch.device("cuda", 0) == torch.device("cuda:0"))
print({torch.device("cpu"): "host"}[y.device])
