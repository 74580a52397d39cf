"""The experiments of the four papers, each a configuration and what it should show."""
