"""Self-play on many machines. The only package that imports Ray."""
