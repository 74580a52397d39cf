"""Colours by what they stand for, for light and dark screens.

Shapes ask for a role, never for a colour. The players' colours are those of Okabe and Ito ("Color universal design",
2008), which people with any form of colour blindness tell apart; they also differ in lightness, and every drawing
adds a shape or a sign to them.
"""

LIGHT = {
    "paper": "#ffffff", "ink": "#1f2328", "print": "#15181d", "faint": "#656d76", "rule": "#d0d7de",
    "board": "#f0f3f6", "other": "#dfe5eb", "line": "#8c959f",
    "wood": "#ecd2a0", "grain": "#7d5d33",
    "felt": "#3f8f63", "seam": "#2b6b48", "frame": "#1a3a6e", "hole": "#e8eef6",
    "black": "#22262b", "black_edge": "#000000", "white": "#fdfdfb", "white_edge": "#5f5748",
    "blue": "#0072b2", "blue_edge": "#004a75", "orange": "#e69f00", "orange_edge": "#8f6200",
    "yellow": "#f5d033", "yellow_edge": "#9a7d00", "scarlet": "#ea5532", "scarlet_edge": "#7d1d0a",
    "green": "#009e73", "pink": "#cc79a7", "sky": "#56b4e9", "red": "#d55e00",
    "heat": "#7a2a8f", "last": "#d7263d", "win": "#d7263d", "halo": "#ffffff",
    "crate": "#57606a", "crate_edge": "#32383f", "danger": "#d55e00",
}
DARK = {
    "paper": "#15181d", "ink": "#e6edf3", "print": "#0b0d10", "faint": "#949da8", "rule": "#3d444d",
    "board": "#232931", "other": "#303842", "line": "#66707c",
    "wood": "#57452a", "grain": "#b59a6c",
    "felt": "#1f5b3c", "seam": "#4f9a74", "frame": "#1c3763", "hole": "#12161c",
    "black": "#0b0d10", "black_edge": "#9aa4b0", "white": "#eceae4", "white_edge": "#ffffff",
    "blue": "#2f95d6", "blue_edge": "#9ad0f5", "orange": "#f0b429", "orange_edge": "#ffe0a0",
    "yellow": "#f7d94c", "yellow_edge": "#fff0a8", "scarlet": "#e0523a", "scarlet_edge": "#f2a090",
    "green": "#2cc29a", "pink": "#dd9cc0", "sky": "#7cc7f2", "red": "#f08a4b",
    "heat": "#d9a4ea", "last": "#ff6b7d", "win": "#ff6b7d", "halo": "#15181d",
    "crate": "#7d8894", "crate_edge": "#aab4be", "danger": "#f08a4b",
}

VALUES = ("blue", "orange", "green", "pink", "sky", "red")  # colours for the values of a board no one has drawn yet


def palette(theme: str) -> dict[str, str]:
    """The colours of a theme; "auto" is light here, and Canvas adds the rule that turns it dark."""
    return DARK if theme == "dark" else LIGHT
