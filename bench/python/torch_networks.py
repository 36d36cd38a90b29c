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
        nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(16 * 5 * 5, outputs))


def trainer(name, X, y, classes, batch_size, epochs, hidden=()):
    X, y = torch.from_numpy(X.astype(np.float32)), torch.from_numpy(y.astype(np.int64))

    def train_one(seed):
        torch.manual_seed(seed)
        model = mlp(X.shape[1], classes, hidden) if name == "mlp" else cnn(classes)
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
