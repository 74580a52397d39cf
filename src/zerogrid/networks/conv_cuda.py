"""Convolution, bias, addition and ReLU in one cuDNN kernel, for the fast path on CUDA.

Apart, the sum and the ReLU each read and write the whole map once more; on small boards that is a quarter of the time.
The functions are custom operators, so that torch.compile leaves them whole.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@torch.library.custom_op("zerogrid::conv_relu", mutates_args=())
def _conv_relu(x: Tensor, weight: Tensor, bias: Tensor, padding: int) -> Tensor:
    if x.is_cuda:
        out: Tensor = torch.ops.aten.cudnn_convolution_relu(x, weight, bias, (1, 1), (padding, padding), (1, 1), 1)
        return out
    return torch.relu(F.conv2d(x, weight, bias, padding=padding))


@torch.library.custom_op("zerogrid::conv_add_relu", mutates_args=())
def _conv_add_relu(x: Tensor, weight: Tensor, bias: Tensor, plus: Tensor, padding: int) -> Tensor:
    if x.is_cuda:
        out: Tensor = torch.ops.aten.cudnn_convolution_add_relu(
            x, weight, plus, 1.0, bias, (1, 1), (padding, padding), (1, 1), 1
        )
        return out
    return torch.relu(F.conv2d(x, weight, bias, padding=padding) + plus)


@_conv_relu.register_fake
def _(x: Tensor, weight: Tensor, bias: Tensor, padding: int) -> Tensor:
    return _shape_of_result(x, weight, padding)


@_conv_add_relu.register_fake
def _(x: Tensor, weight: Tensor, bias: Tensor, plus: Tensor, padding: int) -> Tensor:
    return _shape_of_result(x, weight, padding)


def _shape_of_result(x: Tensor, weight: Tensor, padding: int) -> Tensor:
    height, width = (side + 2 * padding - weight.shape[2] + 1 for side in x.shape[2:])
    empty = x.new_empty(x.shape[0], weight.shape[0], height, width)
    return empty.contiguous(memory_format=torch.channels_last)


def conv_relu(x: Tensor, conv: nn.Conv2d, plus: Tensor | None = None) -> Tensor:
    """relu(conv(x) + plus) for a square kernel without stride; the convolution must have a bias."""
    assert conv.bias is not None
    padding = int(conv.padding[0])
    out: Tensor
    if plus is None:
        out = _conv_relu(x, conv.weight, conv.bias, padding)
    else:
        out = _conv_add_relu(x, conv.weight, conv.bias, plus, padding)
    return out
