"""Networks by PyTorch on two threads, as information: the same layers, batches and optimizer as the others."""

import numpy as np
import torch
from torch import nn

torch.set_num_threads(2)


def mlp(inputs, outputs, hidden):
    sizes = [inputs, *hidden]
    layers = [layer for a, b in zip(sizes, sizes[1:]) for layer in (nn.Linear(a, b), nn.ReLU())]
    return nn.Sequential(*layers, nn.Linear(sizes[-1], outputs))


def cnn(outputs):
    """28 x 28 images of one channel."""
    return nn.Sequential(
        nn.Unflatten(1, (1, 28, 28)),
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(16 * 7 * 7, outputs))


class Vit(nn.Module):
    def __init__(self, outputs, side, patch, dimensions, depth, heads, hidden):
        super().__init__()
        self.side = side
        self.embed = nn.Conv2d(1, dimensions, patch, patch)
        self.positions = nn.Parameter(0.02 * torch.randn((side // patch) ** 2, dimensions))
        block = lambda: nn.TransformerEncoderLayer(dimensions, heads, hidden, dropout=0, activation="gelu",
                                                   batch_first=True, norm_first=True)
        self.blocks = nn.Sequential(*(block() for _ in range(depth)), nn.LayerNorm(dimensions))
        self.classify = nn.Linear(dimensions, outputs)

    def forward(self, x):
        patches = self.embed(x.view(-1, 1, self.side, self.side)).flatten(2).transpose(1, 2)
        return self.classify(self.blocks(patches + self.positions).mean(1))


def network(name, inputs, outputs, hidden, vit):
    if name == "mlp":
        return mlp(inputs, outputs, hidden)
    return cnn(outputs) if name == "cnn" else Vit(outputs, **vit)


def trainer(name, X, y, classes, batch_size, epochs, hidden=(), vit=None):
    X, y = torch.from_numpy(X.astype(np.float32)), torch.from_numpy(y.astype(np.int64))

    def train_one(seed):
        torch.manual_seed(seed)
        model = network(name, X.shape[1], classes, hidden, vit)
        optimizer = torch.optim.Adam(model.parameters())
        for _ in range(epochs):
            total = 0.0
            for rows in torch.randperm(len(X)).split(batch_size):
                optimizer.zero_grad()
                loss = nn.functional.cross_entropy(model(X[rows]), y[rows])
                loss.backward()
                optimizer.step()
                total += loss.item() * len(rows)
        return model, total / len(X)

    return train_one
