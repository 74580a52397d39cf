"""Encodings: how a position is shown to a network. One game has many; each is one file in encodings/files.

    from zerogrid.encodings import encoding, names_for
    e = encoding("gomoku:6x6x4", "stones,history=5")
    e.encode(position)      # float32 [6, 6, 20]

Beside them, what learning may add to a position: potentials for shaping, and labels for auxiliary heads.
"""

from zerogrid.encodings.catalogue import default_encoding, encoding, names_for, settings_of, use_file
from zerogrid.encodings.check import check_encoding
from zerogrid.encodings.encoding import Encoding, Gathers
from zerogrid.encodings.labels import Labels, label_many, labels_for
from zerogrid.encodings.potential import Potential, potential_for, potentials_for, use_potential_file

__all__ = [
    "Encoding",
    "Gathers",
    "Labels",
    "Potential",
    "check_encoding",
    "default_encoding",
    "encoding",
    "label_many",
    "labels_for",
    "names_for",
    "potential_for",
    "potentials_for",
    "settings_of",
    "use_file",
    "use_potential_file",
]
