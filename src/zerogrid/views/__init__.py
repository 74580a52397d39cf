"""Drawing, knowing no game: colours, shapes to SVG, boards to text.

    look        what to show: heat, labels, last move, theme     canvas      shapes to SVG, by roles of colour
    board       grid, coordinates, players, caption              overlays    heat over cells, edges, arrows
    stones ...  one file for each kind of board                  ansi        boards for the terminal
    default     for games that have no drawing of their own      sheet       several pictures in one
"""

from zerogrid.views.look import Look

__all__ = ["Look"]
