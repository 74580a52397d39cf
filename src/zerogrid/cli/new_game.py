"""zerogrid new-game: a small game that works, to be changed into one's own."""

from pathlib import Path
from typing import Annotated

from zerogrid.cli.output import Output
from zerogrid.core.errors import ZeroGridError, quote

TEMPLATE = Path(__file__).with_name("my_game.py")


def new_game(
    out: Output,
    name: Annotated[str, "what your game is called: lower-case letters, digits and _"],
) -> None:
    """Write NAME.py in this folder: a whole game of about a hundred lines, with every part explained.

    It works as it is. Change it, and let zerogrid check tell you what you have broken.

    Examples:
      zerogrid new-game dominoes
      zerogrid check dominoes.py
      zerogrid show dominoes --plugin dominoes.py --moves a1-a2,b1-c1
    """
    from zerogrid.core import catalogue

    if not catalogue.NAME.fullmatch(name):
        raise ZeroGridError(f"{quote(name)} cannot name a game; use lower-case letters, digits and _, as in my_game.")
    if name in catalogue.names():
        raise ZeroGridError(f"there is a game {quote(name)} already; give yours another name.")
    file = Path(f"{name}.py")
    title = name.replace("_", " ").title()
    text = TEMPLATE.read_text(encoding="utf-8").replace("my_game", name).replace("My Game", title)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise ZeroGridError(f"{file} is there already and was left as it is; choose another name.") from None
    except OSError as error:
        raise ZeroGridError(f"{file} cannot be written here: {error.strerror}.") from error
    out.record({"name": name, "title": title, "file": str(file)})
    out.text(f"{file} is a whole game. Open it, change it, and see what you have broken:")
    out.text(f"  zerogrid check {file}")
    out.text(f"  zerogrid show {name} --plugin {file} --moves a1-a2,b1-c1")
