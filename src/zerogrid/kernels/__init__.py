"""Search as plain SPMD functions on arrays, linked with any game's rules for any target. They know no game.

tree.py      the arrays
select.py    from the root to a leaf
receive.py   a leaf's answer: expansion, backup by player, proven results
manner.py    what PUCT, UCT and Gumbel do differently: puct.py, uct.py or gumbel.py is linked in its place
noise.py     Dirichlet noise for the root
root.py      the policy that a search recommends, and the move to play
reroot.py    keeping the part of a tree that is still of use
playout.py   random games to the end, and searches that need no network
step.py      the kernels themselves: one simulation of every tree
mill.py      self-play: moves, examples, finished games replaced; its arrays are in mill_arrays.py
"""
