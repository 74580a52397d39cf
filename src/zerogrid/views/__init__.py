"""Drawing, knowing no game: colours, shapes to SVG, boards to text."""
