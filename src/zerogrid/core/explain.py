"""What a compiler complains about, cut down to what the author of rules or kernels can use."""

import re

CANNOT = re.compile(r">>> (\w+)\((.*)\)")
UNIFY = re.compile(r"Cannot unify (.+) and (.+) for '([^'.]+)(?:\.\d+)*'")
PLACE = re.compile(r'File "([^"]+)", line (\d+)')
NOISE = ("During:", "Failed in", "-", "[", "^", "<source", "File", "Overload", "There are", "With argument", "No match")


def explain(name: str, target: str, error: Exception) -> str:
    """One sentence from a compiler's error: what cannot be compiled, why, and where in the author's file."""
    text = _plain(str(error))
    kinds, found = UNIFY.search(text), CANNOT.search(text)
    if kinds:
        one, other = sorted((_short(kinds[1]), _short(kinds[2])))
        what = "an expression" if kinds[3].startswith("$") else kinds[3]
        why = f"{what} is {one} in one place and {other} in another; give it one kind of value"
    elif found and "readonly" in found[2]:
        why = "it changes an array of its file, which is a constant in compiled code; keep what changes in the state"
    elif found:
        why = f"compiled code has no {found[1]}({_short(found[2])})"
    else:
        lines = [line for line in text.splitlines() if line and not line.startswith(NOISE)]
        why = re.sub(r", defined at .*", "", lines[0] if lines else type(error).__name__)[:300].rstrip(".")
    return f"{name} cannot be compiled for {target}: {why}{_place(text)}."


def _plain(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


def _short(kind: str) -> str:
    """A type without the compiler's own additions."""
    return re.sub(r"Literal\[(\w+)\]\([^)]*\)", r"\1", kind)[:120]


def _place(text: str) -> str:
    """The first place named that is not in the compiler or in ZeroGrid's own launcher, with its line of source."""
    for found in PLACE.finditer(text):
        file = found[1].replace("\\", "/")
        if "numba" in file or file.endswith(("core/link.py", "core/cuda.py")):
            continue
        pointed = re.search(r"\n(.*)\n\^", text[found.end() :])
        source = f": {pointed[1].strip()}" if pointed and len(pointed[1]) < 120 else ""
        return f" ({file.rpartition('/')[2]}, line {found[2]}{source})"
    return ""
