"""Small programs that play, well and badly, for the tests of agents."""

GOOD = """
import sys, random, zerogrid
position = None
for line in sys.stdin:
    word, *rest = line.split()
    if word == "zerogrid": print("ready test bot")
    elif word == "game": game = zerogrid.game(rest[0]); print("ok")
    elif word == "position":
        position = game.start(int(rest[0]))
        for move in rest[1:]: position.play(move)
    elif word == "go":
        print("info thinking"); print("move", position.legal[int(rest[0]) % len(position.legal)])
    elif word == "quit": break
    sys.stdout.flush()
"""
BAD = """
import sys, time
for line in sys.stdin:
    word = line.split()[0]
    if word == "zerogrid": print("ready bad bot")
    elif word == "game": print("ok")
    elif word == "go": {on_go}
    elif word == "quit": break
    sys.stdout.flush()
"""
PISKVORK = """
import sys
size, board, reading = 0, {}, False
def move():
    x, y = next((x, y) for y in range(size) for x in range(size) if (x, y) not in board)
    board[x, y] = 1
    print("MESSAGE here I go"); print(f"{x},{y}")
for line in sys.stdin:
    text = line.strip()
    if reading:
        if text == "DONE": reading = False; move()
        else:
            x, y, own = map(int, text.split(",")); board[x, y] = own
    elif text.startswith("START"): size = int(text.split()[1]); print("OK")
    elif text == "RESTART": board = {}; print("OK")
    elif text == "BEGIN": move()
    elif text == "BOARD": board = {}; reading = True
    elif text == "END": break
    sys.stdout.flush()
"""
