"""The learner's kernels compile for cards, and simulated blocks write what one thread of the processor writes."""

from typing import Any

import numpy as np
import pytest

import zerogrid
from training.examples import games_of_chance
from zerogrid.core import cuda, labels, rules
from zerogrid.core import encoding as shown_interface
from zerogrid.core.link import link
from zerogrid.encodings import encoding
from zerogrid.encodings.labels import labels_for
from zerogrid.training import learner_batches as kernels

SPEC, WAY = "dots_and_boxes:2x2", "chainloop6"


def parts() -> tuple[dict[Any, Any], dict[Any, Any]]:
    """(what the kernels are linked with, each kernel with its arrays on a few positions)."""
    game = zerogrid.game(SPEC)
    made = encoding(game, WAY)
    labelled = labels_for(game).module
    columns, _ = games_of_chance(SPEC, 1, made.history)
    states = columns["state"][:5]
    count, reach, size = states.shape
    rows = np.arange(count * reach, dtype=np.int32).reshape(count, reach)
    actions = np.full((count, game.MAX_LEGAL), -7, np.int32)
    link(kernels.list_kernel, "python", {rules: game.module})(
        count, kernels.ListArgs(states.reshape(-1, size), rows, actions)
    )
    listing = kernels.ListArgs(states.reshape(-1, size), rows, np.full_like(actions, -7))
    show = kernels.ShowArgs(
        states.reshape(-1, size),
        rows,
        columns["known"][:5].astype(np.int32),
        actions,
        np.zeros((count, made.scratch), np.int16),
        np.full((count, made.height * made.width, made.planes), 9, np.float32),
        np.full((count, game.MAX_LEGAL), -1, np.int32),
        np.zeros((count, game.MAX_LEGAL, made.features), np.float32),
    )
    classes = kernels.ClassArgs(states.reshape(-1, size), rows, np.full((count, labelled.LABEL_CELLS), 9, np.int8))
    linked = {rules: game.module, shown_interface: made.module, labels: labelled}
    given = {kernels.list_kernel: listing, kernels.show_kernel: show, kernels.describe_kernel: show}
    return linked, {**given, kernels.class_kernel: classes}


@pytest.mark.skipif(cuda.SIMULATED, reason="the simulator compiles nothing")
def test_the_kernels_compile_for_cards() -> None:
    linked, given = parts()
    for kernel, args in given.items():
        assert ".entry" in cuda.ptx(kernel, linked, args), kernel


def test_python_and_compiled_kernels_agree() -> None:
    targets = ("python", "cuda") if cuda.SIMULATED else ("python",)
    for target in targets:
        linked, given = parts()
        linked_again, expected = parts()
        for kernel, args in given.items():
            link(kernel, "cpu", linked_again)(5, expected[kernel])
            link(kernel, target, linked)(5, args)
            for name, array in args._asdict().items():
                if name != "scratch":
                    np.testing.assert_array_equal(array, getattr(expected[kernel], name), err_msg=f"{kernel} {name}")
