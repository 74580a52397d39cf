"""Search as plain SPMD functions on arrays, linked with any game's rules for any target. They know no game.

tree.py      the arrays
select.py    from the root to a leaf         scores.py    what an edge is worth: PUCT, UCT, Gumbel
receive.py   a leaf's answer: expansion, backup by player, proven results
root.py      noise, candidates, budgets, the policy that a search recommends
reroot.py    keeping the part of a tree that is still of use
playout.py   random games to the end, and searches that need no network
step.py      the kernels themselves: one simulation of every tree
"""
