"""Searches for people and programs: trees of one game or of thousands, over the kernels and an evaluator."""
