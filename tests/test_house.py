"""The house holds: floors, sizes, and who may touch what. No list of exceptions.

The table of floors below is also the documentation of ``docs/explanation/house.md``.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "weft"

# A room may import rooms on lower floors, and modules of its own room. First match wins, longest names first.
FLOORS: dict[str, int] = {
    "errors": 1,
    "identity": 1,
    "location": 1,
    "optional": 1,
    "vocabulary": 2,
    "settings": 2,
    "text": 2,
    "model": 3,
    "ports": 4,
    "reason": 5,
    "formats": 5,
    "store": 6,
    "embed": 6,
    "index": 6,
    "services": 6,
    "vault": 6,  # a second reader and writer beside the verbs; it uses theirs, and no verb knows of it
    "graph": 7,
    "": 8,  # the package's own face, which offers the doors of graph and tools
    "tools": 8,
    "faces": 9,
    "testing": 10,
    "__main__": 11,
}
# Rooms of one floor that never meet (services reach store, embed and index through ports only).
APART = {"services": {"store", "embed", "index", "vault"}, "vault": {"store", "embed", "index"}, "reason": {"formats"}}

LINES_A_FILE, LINES_A_FUNCTION, COMPLEXITY, PARAMETERS, PORT_METHODS, PUBLIC_NAMES, SETTINGS = 400, 50, 8, 8, 12, 20, 12

MODULES = sorted(SOURCE.rglob("*.py"))
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def name_of(path: Path) -> str:
    """Return the dotted module name under weft: ``store.sqlite``; a package's own is the package."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def room_of(module: str) -> str:
    """Return the room a module lies in."""
    return module.split(".", maxsplit=1)[0]


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the parsed file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """Return all that stands in a file."""
    return [*ast.walk(tree_of(path))]


@cache
def known() -> frozenset[str]:
    """Return the names of all modules of ours."""
    return frozenset(map(name_of, MODULES))


@cache
def imports_of(path: Path) -> set[str]:
    """Return the modules of ours that ``path`` imports, wherever in the file, TYPE_CHECKING blocks too."""
    found = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found |= {alias.name[5:] for alias in node.names if alias.name.startswith("weft.")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "weft":
            base = (node.module or "")[5:]
            deeper = {f"{base}.{alias.name}".strip(".") for alias in node.names}
            found |= {name for name in deeper if name in known()} or {base}
    return found - {name_of(path)}


@cache
def foreign_imports_of(path: Path) -> set[str]:
    """Return the top-level packages that are not ours."""
    found = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found - {"weft"}


def functions_of(path: Path) -> list[Function]:
    """Return all functions of a file, nested ones too."""
    return [node for node in nodes_of(path) if isinstance(node, Function)]


def complexity_of(function: Function) -> int:
    """Return McCabe's number as ruff's C901 counts it, nested functions apart."""
    branches = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case)
    inner = {id(n) for f in ast.walk(function) if f is not function and isinstance(f, Function) for n in ast.walk(f)}
    return 1 + sum(isinstance(node, branches) and id(node) not in inner for node in ast.walk(function))


def readers_of(*names: str) -> set[str]:
    """Return the modules in which one of these names or attributes is used."""
    return {
        name_of(path)
        for path in MODULES
        for node in nodes_of(path)
        if (isinstance(node, ast.Attribute) and node.attr in names) or (isinstance(node, ast.Name) and node.id in names)
    }


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_a_room_imports_only_from_floors_below_it_or_from_itself(path: Path) -> None:
    """A call goes down: no upward import, no meeting of rooms that are kept apart."""
    room = room_of(name_of(path))
    assert room in FLOORS, f"{room} stands on no floor: give it one here, with a reason"
    for imported in imports_of(path):
        other = room_of(imported)
        if other == room:
            continue
        assert FLOORS[other] <= FLOORS[room], f"{name_of(path)} imports {imported}, which is above it"
        assert other not in APART.get(room, set()), f"{name_of(path)} imports {imported}; they meet in graph only"
        if room != "testing":
            assert other != "testing", "the contracts are shipped, and imported by no product module"


def refuse_circles(needs: dict[str, set[str]]) -> None:
    """Put what is named in an order in which each needs earlier ones only."""
    settled: set[str] = set()
    while needs:
        ready = {name for name, needed in needs.items() if not (needed - settled) & needs.keys()}
        assert ready, f"a circle among {sorted(needs)}"
        settled |= ready
        needs = {name: needed for name, needed in needs.items() if name not in ready}


def test_no_circle_of_imports_stands_anywhere() -> None:
    """Modules can be put in an order in which each imports earlier ones only."""
    refuse_circles({name_of(path): imports_of(path) for path in MODULES})


def test_rooms_of_services_lean_one_way() -> None:
    """As modules can, so can the rooms of the verbs."""
    needs: dict[str, set[str]] = {}
    for path in MODULES:
        name = name_of(path)
        if room_of(name) == "services":
            inner = {".".join(each.split(".")[:2]) for each in imports_of(path) if room_of(each) == "services"}
            room = ".".join(name.split(".")[:2])
            needs.setdefault(room, set()).update(inner - {room})
    refuse_circles(needs)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_files_and_functions_stay_small(path: Path) -> None:
    """File ≤ 400 lines, function ≤ 50, complexity ≤ 8, parameters ≤ 8."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES_A_FILE
    for function in functions_of(path):
        where = f"{name_of(path)}:{function.lineno} {function.name}"
        assert (function.end_lineno or 0) - function.lineno + 1 <= LINES_A_FUNCTION, where
        assert complexity_of(function) <= COMPLEXITY, where
        arguments = function.args
        given = [a.arg for a in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]
        assert len([name for name in given if name not in {"self", "cls"}]) <= PARAMETERS, where


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_everything_public_is_explained_and_everything_is_typed(path: Path) -> None:
    """Docstrings on modules, public classes and functions; a return type on every function."""
    tree = tree_of(path)
    assert ast.get_docstring(tree), f"{name_of(path)} has no docstring"
    for node in nodes_of(path):
        if isinstance(node, Function):
            assert node.returns is not None, f"{name_of(path)}:{node.lineno} {node.name} has no return type"
    for node in tree.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            assert ast.get_docstring(node), f"{name_of(path)}:{node.lineno} {node.name} has no docstring"


def test_a_port_is_small_enough_to_implement_in_an_afternoon() -> None:
    """At most twelve methods a Protocol."""
    ports = [node for path in (SOURCE / "ports").glob("*.py") for node in tree_of(path).body]
    protocols = [node for node in ports if isinstance(node, ast.ClassDef)]
    assert protocols
    for node in protocols:
        methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
        assert 1 <= len(methods) <= PORT_METHODS, node.name


def test_nobody_asks_a_port_what_it_can_do() -> None:
    """``hasattr`` and ``getattr`` on a port mean that the port is wrong."""
    services = [path for path in MODULES if room_of(name_of(path)) in {"services", "tools", "graph"}]
    called = {
        f"{name_of(path)}:{node.lineno}"
        for path in services
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hasattr"
    }
    assert not called


def test_the_environment_is_read_at_one_door() -> None:
    """Only settings reads os.environ, and it has at most twelve fields."""
    assert readers_of("environ", "getenv") <= {"settings"}
    classes = [node for node in tree_of(SOURCE / "settings.py").body if isinstance(node, ast.ClassDef)]
    settings = next(node for node in classes if node.name == "Settings")
    assert sum(isinstance(item, ast.AnnAssign) for item in settings.body) <= SETTINGS


def test_drivers_stay_in_their_dialects_and_no_second_sqlite_enters() -> None:
    """Apsw in store.sqlite, psycopg in store.postgres.connection and its pool beside it, sqlite3 nowhere."""
    homes = {"apsw": {"store.sqlite"}, "psycopg": {"store.postgres.connection"}, "sqlite3": set()}
    homes |= {"psycopg_pool": {"store.postgres.pool"}}
    for driver, home in homes.items():
        users = {name_of(path) for path in MODULES if driver in foreign_imports_of(path)}
        assert users <= home, f"{driver} is imported by {users - home}"


def test_only_faces_are_asynchronous() -> None:
    """The core has one colour of function."""
    for path in MODULES:
        if room_of(name_of(path)) != "faces":
            assert not any(isinstance(node, ast.AsyncFunctionDef) for node in nodes_of(path)), name_of(path)


def _catches_all(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or ast.unparse(handler.type) in {"Exception", "BaseException"}


def test_a_broad_except_stands_once_a_face_and_nowhere_else() -> None:
    """Where an unknown failure becomes an answer; everything else names what it catches."""
    for path in MODULES:
        handlers = [node for node in nodes_of(path) if isinstance(node, ast.ExceptHandler)]
        broad = [handler.lineno for handler in handlers if _catches_all(handler)]
        allowed = 1 if room_of(name_of(path)) == "faces" else 0
        assert len(broad) <= allowed, f"{name_of(path)}: lines {broad}"


@pytest.mark.parametrize("room", ["reason", "formats", "model", "vocabulary", "text"])
def test_thinking_has_no_clock_and_no_dice(room: str) -> None:
    """Pure rooms take the time as an argument and draw nothing at random."""
    forbidden = {"time", "random", "secrets", "uuid", "os", "socket", "subprocess", "threading"}
    for path in MODULES:
        if room_of(name_of(path)) == room:
            assert not foreign_imports_of(path) & forbidden, name_of(path)


def test_pydantic_stays_at_the_table_and_the_faces() -> None:
    """Values of the core are dataclasses."""
    users = {room_of(name_of(path)) for path in MODULES if "pydantic" in foreign_imports_of(path)}
    assert users <= {"tools", "faces"}


def test_the_package_offers_few_names() -> None:
    """At most twenty public names at the top, listed in order."""
    lists = [node for node in tree_of(SOURCE / "__init__.py").body if isinstance(node, ast.Assign)]
    exported = next(ast.literal_eval(node.value) for node in lists if ast.unparse(node.targets[0]) == "__all__")
    assert exported == sorted(exported)
    assert len(exported) <= PUBLIC_NAMES


def project_of_the_package() -> dict[str, Any]:
    """Return what pyproject says of the package."""
    import tomllib

    found: dict[str, Any] = tomllib.loads((SOURCE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def test_every_licence_and_notice_in_the_package_is_told_of_by_a_wheel() -> None:
    """Whoever audits an environment reads the licence files of its packages, not their folders."""
    root = SOURCE.parents[1]
    told = {path for pattern in project_of_the_package()["license-files"] for path in root.glob(pattern)}
    held = {path for word in ("*LICENSE*", "*NOTICE*", "*COPYING*") for path in SOURCE.rglob(word) if path.is_file()}
    assert told == {root / "LICENSE", *held}


def test_every_foreign_import_is_a_declared_dependency() -> None:
    """What src imports stands in pyproject, with a cap on the major."""
    import sys

    project = project_of_the_package()
    extras = project["optional-dependencies"].values()
    entries = [*project["dependencies"], *(entry for extra in extras for entry in extra)]
    declared = {entry.split(">")[0].split("[")[0].replace("-", "_").lower() for entry in entries}
    names = {"yaml": "pyyaml", "markdown_it": "markdown_it_py", "mcp_types": "mcp", "pydantic_core": "pydantic"}
    names |= {"Stemmer": "pystemmer", "psycopg_pool": "psycopg", "jwt": "pyjwt"}
    for path in MODULES:
        if room_of(name_of(path)) == "testing":
            continue
        for imported in foreign_imports_of(path) - set(sys.stdlib_module_names):
            assert names.get(imported, imported).lower() in declared, f"{name_of(path)} imports {imported}"
    assert all("<" in entry for entry in project["dependencies"])


def test_what_tests_and_benches_take_from_the_package_is_there() -> None:
    """Those of their imports too that only type checkers follow: a name that is gone misleads who reads it."""
    from importlib import import_module

    root = SOURCE.parents[1]
    paths = [path for folder in ("tests", "bench", "scripts") for path in (root / folder).rglob("*.py")]
    taken = {
        (node.module, alias.name)
        for path in paths
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "weft"
        for alias in node.names
    }
    assert taken
    for module, name in taken:
        there = f"{module}.{name}".removeprefix("weft.") in known() or hasattr(import_module(module), name)
        assert there, f"{module} has no {name}"
