"""Every game's rules inside simulated CUDA blocks count what independent programs counted."""

import pytest

from house.truth import TRUTH, counted_and_known


@pytest.mark.parametrize("spec", TRUTH)
def test_rules_on_cuda_count_what_is_known(spec: str) -> None:
    counted, known = counted_and_known(spec, "cuda", most_leaves=400)
    assert counted == known
