"""Encodings: how a position is shown to a network. One game has many; each is one file in encodings/files.

    from zerogrid.encodings import encoding, names_for
    e = encoding("gomoku:6x6x4", "stones,history=5")
    e.encode(position)      # float32 [6, 6, 20]
"""

from zerogrid.encodings.catalogue import default_encoding, encoding, names_for, settings_of, use_file
from zerogrid.encodings.encoding import Encoding, Gathers

__all__ = ["Encoding", "Gathers", "default_encoding", "encoding", "names_for", "settings_of", "use_file"]
