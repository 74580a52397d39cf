"""The rules of the house that a machine can hold: layers, lightness, no unsafe loader, nothing private."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import zerogrid
from house.tree import ROOT, SOURCES, tracked_files

# What can run code that a file holds, and the one place for each that may use it.
UNSAFE_MODULES = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "yaml"}
UNSAFE_CALLS = {"eval", "exec", "torch.load", "numpy.load", "np.load", "yaml.load", "__import__"}
ALLOWED = {
    ("core/disk_cache.py", "pickle"),  # Numba's own compiled code, in a private folder
    ("core/catalogue.py", "exec"),  # a game file is code, and only the person at the keyboard can name one
    ("encodings/shelf.py", "exec"),  # so is an encoding
}


def test_imports_point_downward() -> None:
    done = subprocess.run([Path(sys.executable).with_name("lint-imports")], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("module", ["zerogrid", "zerogrid.core.drawing", "zerogrid.views", "zerogrid.cli.frame"])
def test_looking_at_games_needs_nothing_heavy(module: str) -> None:
    heavy = {"torch", "scipy", "matplotlib", "openvino", "onnx", "onnxruntime", "numba", "rich", "safetensors"}
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert heavy.isdisjoint(done.stdout.split())


def unsafe_uses(source: str) -> Iterator[str]:
    """Names of unsafe modules and calls in a source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.partition(".")[0] in UNSAFE_MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in UNSAFE_MODULES:
            yield node.module or ""
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in UNSAFE_CALLS:
            yield ast.unparse(node.func)
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            yield "allow_pickle"


def test_the_search_for_unsafe_loaders_finds_them() -> None:
    source = "import pickle; from yaml import safe_load; torch.load('x'); eval('1'); f(allow_pickle=True)"
    assert sorted(unsafe_uses(source)) == ["allow_pickle", "eval", "pickle", "torch.load", "yaml"]


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT / "src")))
def test_nothing_runs_code_that_it_was_handed(file: Path) -> None:
    name = file.relative_to(ROOT / "src" / "zerogrid").as_posix()
    found = {use for use in unsafe_uses(file.read_text("utf-8")) if (name, use) not in ALLOWED}
    assert not found


@pytest.mark.parametrize("file", SOURCES, ids=lambda file: str(file.relative_to(ROOT / "src")))
def test_every_module_says_what_it_is(file: Path) -> None:
    assert ast.get_docstring(ast.parse(file.read_text("utf-8")))


def test_nothing_private_is_part_of_the_project() -> None:
    """Neither paths of somebody's machine nor addresses of a package registry."""
    private = re.compile(rb"(?<![\w.])/(?:work|root|home|Users|opt)/\w|/tmp/\w|https?://[^\s)\"']*/simple\b|index-url")
    found = []
    for file in tracked_files():
        content = file.read_bytes()
        if file != Path(__file__) and len(content) < 2_000_000:
            found += [f"{file.relative_to(ROOT)}: {hit.group().decode()}" for hit in private.finditer(content)]
    assert not found


@pytest.mark.parametrize("name", zerogrid.names())
def test_every_game_has_a_page(name: str) -> None:
    page = ROOT / "docs" / "games" / f"{name}.md"
    assert page.is_file(), f"write docs/games/{name}.md"
    assert zerogrid.game(name).title in page.read_text("utf-8").splitlines()[0]


def test_every_dependency_has_its_version_written_down() -> None:
    """What pip installs for us is what constraints.txt names, so that a fresh set-up is the tested one."""
    from importlib import metadata

    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE))
    pinned = {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pinned.items()}
    direct = {re.match(r"[\w.-]+", needed).group() for needed in metadata.requires("zerogrid") or ()}  # type: ignore[union-attr]
    missing = {name for name in direct if re.sub(r"[-_.]+", "-", name).lower() not in pinned | {"zerogrid": ""}}
    assert not missing
