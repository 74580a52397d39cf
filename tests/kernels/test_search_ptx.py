"""Searching and self-play compile for a card, which needs none. The simulator would not tell: it compiles nothing."""

import zerogrid
from selfplay.replaying import settings
from zerogrid.core import cuda
from zerogrid.encodings import encoding
from zerogrid.kernels import mill
from zerogrid.kernels import step as kernels
from zerogrid.kernels.mill_arrays import Numbers
from zerogrid.search.settings import SearchSettings
from zerogrid.selfplay.room import Errand, Room


def test_self_play_by_gumbel_compiles_for_a_card() -> None:
    """Leaves, moves and releases: between them they call every kernel function but the random games'."""
    search = SearchSettings(kind="gumbel", simulations=8)
    room = Room(encoding(zerogrid.game("tictactoe")), settings(search=search), 2)
    numbers = Numbers(
        seed=1, slots=2, first_slot=0, simulations=8, cap_simulations=2, cap_share=0.5, random_moves=0, search_from=0,
        archive_share=0.0, resign=0.0, resign_check=0.0, draw_value=0.0, target_temperature=1.0, gamma=1.0, keep=True,
        rival=False,
    )  # fmt: skip
    arrays = room._prepare(Errand(numbers, 4, 1, None))
    for kernel, args in (
        *((kernel, room.forest.trees) for kernel in (*kernels.pieces(1), *kernels.pieces(2))),
        (mill.advance, (room.forest.trees, arrays)),
        (mill.release, (room.forest.trees, arrays)),
    ):
        assert ".entry" in cuda.ptx(kernel, room._interfaces, args, alone=kernel in kernels.ALONE)
