"""The rules interface, linking to three targets, positions for people, random draws, errors. Imports nothing above."""
