"""Many games side by side, and what they teach.

settings.py   how games are played
room.py       some games, their trees and examples under way, in ordinary memory
card.py       the same on a CUDA card, where all of it stays
mill.py       all rooms together: play until there is enough, and gather it
"""
