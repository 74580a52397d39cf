"""The command line: `zerogrid COMMAND ...`.

    frame.py       from the words typed to an exit code: the only file that turns errors into sentences
    commands.py    the table of all commands; a new one is a line there and a function in a module here
    signature.py   a function's signature is its command line
    output.py      words for people or JSON lines for programs
    inputs.py      what several commands are given: games, lists of moves, files

Every other module holds the commands of one subject and is imported when one of them is called, so that
`zerogrid games` never waits for PyTorch.
"""


def main() -> int:
    """Run the command in sys.argv and return the exit code."""
    from zerogrid.cli.frame import run

    return run()
