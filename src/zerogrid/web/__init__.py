"""The page to play and inspect on."""
