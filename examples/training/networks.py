"""Networks on generated data that is on the device: a transformer of 124 million parameters, ResNet-50, and a perceptron."""

import torch
from torch import nn

ROWS = 128
"""Rows of generated data. The index of a sample selects one."""


class LanguageModel(nn.Module):
    """A decoder with the dimensions of GPT-2 small. Embedding and output share their weights."""

    def __init__(self, vocabulary=50304, width=768, layers=12, length=512):
        super().__init__()
        self.vocabulary, self.length = vocabulary, length
        self.token = nn.Embedding(vocabulary, width)
        nn.init.normal_(self.token.weight, std=0.02)
        self.place = nn.Parameter(torch.randn(length, width) * 0.02)
        self.layers = nn.Sequential(*(Decoder(width, width // 64) for _ in range(layers)), nn.LayerNorm(width))

    def forward(self, tokens):
        return nn.functional.linear(self.layers(self.token(tokens) + self.place), self.token.weight)

    def data(self, device):
        source = torch.Generator(device).manual_seed(1)
        tokens = torch.randint(self.vocabulary, (ROWS, self.length + 1), generator=source, device=device)
        return tokens[:, :-1], tokens[:, 1:]


class Decoder(nn.Module):
    """A layer with causal attention; it requires PyTorch 2.0."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.attention = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 3 * width))
        self.mixed = nn.Linear(width, width)
        self.perceptron = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, states):
        shape = (*states.shape[:2], 3, self.heads, -1)
        query, key, value = self.attention(states).view(shape).permute(2, 0, 3, 1, 4)
        attended = nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        states = states + self.mixed(attended.transpose(1, 2).flatten(2))
        return states + self.perceptron(states)


class Bottleneck(nn.Module):
    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.path = nn.Sequential(
            *normalized(inputs, width, 1),
            nn.ReLU(),
            *normalized(width, width, 3, stride),
            nn.ReLU(),
            *normalized(width, outputs, 1),
        )
        changes = stride != 1 or inputs != outputs
        self.shortcut = nn.Sequential(*normalized(inputs, outputs, 1, stride)) if changes else nn.Identity()

    def forward(self, inputs):
        return torch.relu(self.path(inputs) + self.shortcut(inputs))


def normalized(inputs, outputs, size, stride=1):
    return nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs)


class ResNet50(nn.Sequential):
    """He et al. 2016, with 25.6 million parameters, for images of 224 x 224 pixels."""

    def __init__(self):
        blocks, inputs = [], 64
        for stage, count in enumerate((3, 4, 6, 3)):
            width = 64 << stage
            for number in range(count):
                blocks.append(Bottleneck(inputs, width, 2 if number == 0 and stage > 0 else 1))
                inputs = 4 * width
        stem = (*normalized(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        super().__init__(*stem, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))
        self.to(memory_format=torch.channels_last)

    def data(self, device):
        source = torch.Generator(device).manual_seed(1)
        images = torch.randn(ROWS, 3, 224, 224, generator=source, device=device)
        return images.to(memory_format=torch.channels_last), torch.arange(ROWS, device=device)


class Perceptron(nn.Sequential):
    """Ten classes of overlapping clouds of points."""

    def __init__(self):
        super().__init__(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))

    def data(self, device):
        source = torch.Generator().manual_seed(1)
        labels = torch.arange(64 * ROWS) % 10
        points = torch.randn(10, 16, generator=source)[labels] + torch.randn(len(labels), 16, generator=source)
        return points.to(device), labels.to(device)


NETWORKS = {
    "transformer": (LanguageModel, lambda weights: torch.optim.AdamW(weights, lr=1e-4)),
    "resnet50": (ResNet50, lambda weights: torch.optim.SGD(weights, lr=0.01, momentum=0.9)),
    "perceptron": (Perceptron, lambda weights: torch.optim.SGD(weights, lr=0.002, momentum=0.9)),
}
"""Network and optimizer by name."""


class Loss:
    """Mean loss of samples, with matrix products in bfloat16 on GPUs."""

    def __init__(self, network, device):
        self.inputs, self.labels = network.data(device)
        self.device = device

    def __call__(self, model, indices):
        rows = indices.to(self.device, non_blocking=True) % len(self.inputs)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            scores = model(self.inputs[rows])
            labels = self.labels[rows]
            if scores.dim() == 3:
                scores, labels = scores.flatten(0, 1), labels.flatten()
            return nn.functional.cross_entropy(scores, labels)
