"""Fixtures of neural-network layers: forward passes and gradients of PyTorch's modules in 64 bits.

Inputs, parameters, outputs and gradients have the library's layout (channels last, weights inputs × outputs); what PyTorch
lays out otherwise is transposed here. Gradients are those of Σ output·w with w[e] = sin(1 + 1.7e).
"""

import numpy as np
import torch
from torch import nn
from torch.nn.utils.stateless import functional_call

from shapes import write_fixture

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)


def draw(shape, shift, bound=1.0):
    """Numbers that look random and are the same everywhere: squares times a prime. Multiples of one, as in neural.py, are ramps,
    and matrices of ramps have rank two."""
    n = np.arange(1, int(np.prod(shape)) + 1) + shift
    return np.round((n * n * 7919 % 2003 / 1001 - 1) * bound, 3).reshape(shape)


def rounded(values):
    """7 decimals of the largest number: short in JSON, as far as the tests compare, and no noise where a number is 0."""
    values = np.asarray(values.detach() if torch.is_tensor(values) else values, float)
    largest = np.abs(values).max(initial=1e-12)
    return np.round(values, 7 - int(np.floor(np.log10(largest)))) + 0.0


def case(name, layer, x, shapes, forward, buffers=None, tokens=False, training=False):
    """`forward(x, parameters, seen)` returns the output and puts what else is compared into `seen`."""
    parameters = {key: torch.tensor(draw(shape, 104729 * (k + 1), (6 / sum(shape[-2:])) ** 0.5), requires_grad=True)
                  for k, (key, shape) in enumerate(shapes.items())}
    given = torch.tensor(x)
    given = given if tokens else given.double().requires_grad_()
    seen = {}
    output = forward(given, parameters, seen)
    weights = torch.sin(1 + 1.7 * torch.arange(output.numel(), dtype=torch.float64)).reshape(output.shape)
    (output * weights).sum().backward()
    flat = lambda values: rounded(values).ravel()
    expected = {"shape": list(output.shape), "output": flat(output),
                "gradients": {key: flat(value.grad) for key, value in parameters.items()},
                **({} if tokens else {"inputGradient": flat(given.grad)}),
                **{key: flat(value) for key, value in seen.items()}}
    return {"name": name, "layer": layer, "oracle": "PyTorch", "training": training, "shape": list(x.shape), "x": flat(given),
            "parameters": {key: flat(value) for key, value in parameters.items()}, "buffers": buffers or {}, "expected": expected}


to_nchw = lambda x: x.permute(0, 3, 1, 2)
to_nhwc = lambda x: x.permute(0, 2, 3, 1)
IMAGES = draw((2, 6, 6, 2), 31)
TOKENS = draw((2, 5, 4), 57, 2.0)
TEXT = np.array([[3, 1, 4, 1, 5], [2, 6, 5, 0, 0]])


def convolution(name, layer, depth, f=lambda z: z, images=IMAGES[:1], bias=True, **options):
    module = nn.Conv2d(2, layer["filters"], layer["size"], bias=bias, **options)
    side = layer["size"]
    shapes = {"filters": (side, side, depth, layer["filters"]), **({"bias": (layer["filters"],)} if bias else {})}

    def forward(x, p, seen):
        own = {"weight": p["filters"].permute(3, 2, 0, 1), **({"bias": p["bias"]} if bias else {})}
        return to_nhwc(f(functional_call(module, own, to_nchw(x))))
    return case(name, {"layer": "conv2d", **layer}, images, shapes, forward)


def pooling(name, layer, module):
    flat = layer["layer"].startswith("global")
    return case(name, layer, IMAGES[:1], {}, lambda x, p, seen: module(to_nchw(x)).flatten(1) if flat else to_nhwc(module(to_nchw(x))))


def batch_norm(name, training):
    mean, variance = draw((2,), 5), draw((2,), 9) + 1.5
    module = nn.BatchNorm2d(2, eps=1e-3, momentum=0.1).train(training)

    def forward(x, p, seen):
        own = {"weight": p["gain"], "bias": p["shift"], "running_mean": torch.tensor(mean), "running_var": torch.tensor(variance)}
        output = to_nhwc(functional_call(module, own, to_nchw(x)))
        if training:
            # PyTorch's running variance is the unbiased one, Keras' and the library's the biased one.
            flat = x.detach().reshape(-1, 2)
            seen["mean"] = 0.9 * torch.tensor(mean) + 0.1 * flat.mean(0)
            seen["variance"] = 0.9 * torch.tensor(variance) + 0.1 * flat.var(0, unbiased=False)
        return output
    return case(name, {"layer": "batchNorm", "momentum": 0.9, "epsilon": 1e-3}, IMAGES[:1 + training], {"gain": (2,), "shift": (2,)}, forward,
                buffers={"mean": mean, "variance": variance}, training=training)


ATTENTION = {"query": (4, 4), "queryBias": (4,), "key": (4, 4), "keyBias": (4,), "value": (4, 4), "valueBias": (4,),
             "output": (4, 4), "outputBias": (4,)}


def attention_parameters(p, before="", prefix=""):
    """As nn.MultiheadAttention has them: one matrix of three, outputs × inputs."""
    own = lambda name: p[before + name]
    return {prefix + "in_proj_weight": torch.cat([own(name).T for name in ["query", "key", "value"]]),
            prefix + "in_proj_bias": torch.cat([own(name + "Bias") for name in ["query", "key", "value"]]),
            prefix + "out_proj.weight": own("output").T, prefix + "out_proj.bias": own("outputBias")}


def later(t):
    return torch.ones(t, t).triu(1).bool()


def attention(name, causal):
    module = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(x, p, seen):
        kwargs = {"attn_mask": later(5) if causal else None, "average_attn_weights": False}
        output, seen["attention"] = functional_call(module, attention_parameters(p), (x, x, x), kwargs)
        return output
    return case(name, {"layer": "multiHeadAttention", "heads": 2, "causal": causal}, TOKENS, ATTENTION, forward)


def padded_attention():
    """The vectors of the padding get no gradient through keys and values, and one as queries: of rows that nobody reads."""
    module = nn.MultiheadAttention(4, 2, batch_first=True)

    def forward(x, p, seen):
        vectors = nn.functional.embedding(x, p["0.vectors"])
        output, seen["attention"] = functional_call(module, attention_parameters(p, "1."), (vectors, vectors, vectors),
                                                    {"key_padding_mask": x == 0, "average_attn_weights": False})
        return output
    shapes = {"0.vectors": (7, 4), **{f"1.{key}": shape for key, shape in ATTENTION.items()}}
    layers = [{"layer": "embedding", "vocabulary": 7, "dimensions": 4, "padding": 0}, {"layer": "multiHeadAttention", "heads": 2}]
    return case("embedding with padding, attention", {"layer": "sequential", "layers": layers}, TEXT, shapes, forward, tokens=True)


BLOCK = {"attention.0.gain": (4,), "attention.0.shift": (4,), **{f"attention.1.{key}": shape for key, shape in ATTENTION.items()},
         "feedForward.0.gain": (4,), "feedForward.0.shift": (4,), "feedForward.1.hidden.weights": (4, 6),
         "feedForward.1.hidden.bias": (6,), "feedForward.1.output.weights": (6, 4), "feedForward.1.output.bias": (4,)}


def block_forward(x, p, before, causal):
    module = nn.TransformerEncoderLayer(4, 2, 6, dropout=0, activation="gelu", batch_first=True, norm_first=True)
    own = {**attention_parameters(p, before + "attention.1.", "self_attn."),
           "norm1.weight": p[before + "attention.0.gain"], "norm1.bias": p[before + "attention.0.shift"],
           "norm2.weight": p[before + "feedForward.0.gain"], "norm2.bias": p[before + "feedForward.0.shift"],
           "linear1.weight": p[before + "feedForward.1.hidden.weights"].T, "linear1.bias": p[before + "feedForward.1.hidden.bias"],
           "linear2.weight": p[before + "feedForward.1.output.weights"].T, "linear2.bias": p[before + "feedForward.1.output.bias"]}
    return functional_call(module, own, (x, later(x.shape[1]) if causal else None))


def causal_block():
    layer = {"layer": "transformerBlock", "heads": 2, "hidden": 6, "causal": True}
    return case("transformer block, causal", layer, TOKENS, BLOCK, lambda x, p, seen: block_forward(x, p, "", True))


def vision_transformer():
    """Patches, a class token, positions, one block, a norm and a dense layer."""
    layers = [{"layer": "patchEmbedding", "size": 3, "dimensions": 4}, {"layer": "classToken"}, {"layer": "positionalEmbedding"},
              {"layer": "transformerBlock", "heads": 2, "hidden": 6}, {"layer": "layerNorm"}, {"layer": "takeToken", "index": 0},
              {"layer": "dense", "units": 3}]
    shapes = {"0.filters": (3, 3, 2, 4), "0.bias": (4,), "1.token": (1, 1, 4), "2.positions": (5, 4),
              **{f"3.{key}": shape for key, shape in BLOCK.items()}, "4.gain": (4,), "4.shift": (4,), "6.weights": (4, 3), "6.bias": (3,)}

    def forward(x, p, seen):
        patches = nn.functional.conv2d(to_nchw(x), p["0.filters"].permute(3, 2, 0, 1), p["0.bias"], stride=3)
        tokens = patches.flatten(2).transpose(1, 2)
        tokens = torch.cat([p["1.token"].expand(tokens.shape[0], 1, 4), tokens], 1) + p["2.positions"]
        first = nn.functional.layer_norm(block_forward(tokens, p, "3.", False), (4,), p["4.gain"], p["4.shift"])[:, 0]
        return nn.functional.linear(first, p["6.weights"].T, p["6.bias"])
    return case("a small vision transformer", {"layer": "sequential", "layers": layers}, IMAGES[:1], shapes, forward)


def layer_norm():
    module = nn.LayerNorm(4)
    return case("layer norm", {"layer": "layerNorm"}, TOKENS, {"gain": (4,), "shift": (4,)},
                lambda x, p, seen: functional_call(module, {"weight": p["gain"], "bias": p["shift"]}, x))


def embedding():
    module = nn.Embedding(7, 3)
    return case("embedding", {"layer": "embedding", "vocabulary": 7, "dimensions": 3}, TEXT, {"vectors": (7, 3)},
                lambda x, p, seen: functional_call(module, {"weight": p["vectors"]}, x), tokens=True)


def dense(activation, f):
    return case(f"dense, {activation}", {"layer": "dense", "units": 3, "activation": activation}, TOKENS,
                {"weights": (4, 3), "bias": (3,)},
                lambda x, p, seen: f(nn.functional.linear(x, p["weights"].T, p["bias"])))


cases = [
    convolution("convolution", {"filters": 3, "size": 3}, 2, images=IMAGES),
    convolution("convolution, stride and padding, tanh", {"filters": 3, "size": 4, "stride": 2, "padding": 1, "activation": "tanh"}, 2,
                torch.tanh, stride=2, padding=1),
    convolution("convolution, gelu, no bias", {"filters": 2, "size": 2, "activation": "gelu", "bias": False}, 2, nn.functional.gelu,
                bias=False),
    convolution("convolution in groups", {"filters": 4, "size": 3, "groups": 2, "padding": "same"}, 1, groups=2, padding="same"),
    pooling("max pooling", {"layer": "maxPool2d", "size": 2}, nn.MaxPool2d(2)),
    pooling("max pooling, overlap and padding", {"layer": "maxPool2d", "size": 4, "stride": 2, "padding": 1}, nn.MaxPool2d(4, 2, 1)),
    pooling("average pooling", {"layer": "averagePool2d", "size": 3}, nn.AvgPool2d(3)),
    pooling("average pooling, padding not counted", {"layer": "averagePool2d", "size": 3, "stride": 1, "padding": 1},
            nn.AvgPool2d(3, 1, 1, count_include_pad=False)),
    pooling("global average pooling", {"layer": "globalAveragePool"}, nn.AdaptiveAvgPool2d(1)),
    pooling("global max pooling", {"layer": "globalMaxPool"}, nn.AdaptiveMaxPool2d(1)),
    batch_norm("batch norm, training", True),
    batch_norm("batch norm, predicting", False),
    layer_norm(),
    dense("gelu", nn.functional.gelu),
    dense("softplus", nn.functional.softplus),
    dense("softmax", lambda z: torch.softmax(z, -1)),
    embedding(),
    attention("attention", False),
    attention("attention, causal", True),
    padded_attention(),
    causal_block(),
    vision_transformer(),
]

write_fixture("torch-layers", cases)
