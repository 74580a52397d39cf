"""The games that come with ZeroGrid: one file each, found by its name (see core/catalogue.py)."""
