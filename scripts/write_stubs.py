"""Write src/weft/tools/typed, the tools as type checkers and editors read them; ``--check`` only says what is stale."""

from __future__ import annotations

import json
import subprocess
import sys
from inspect import Parameter
from pathlib import Path
from textwrap import indent
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, Union, get_args, get_origin

from weft.tools.method import documentation_of, signature_of
from weft.tools.table import TOOLS, TOOLSETS
from weft.tools.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.tools.row import Tool
    from weft.tools.verbs import Verb

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "src" / "weft" / "tools" / "typed"
ROOMS: Final = {"reading": "only read", "writing": "write"}
JSON: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list[Any]",
    "object": "dict[str, Any]",
}
HEAD: Final = '''"""{said}. Written by scripts/write_stubs.py; do not edit."""

# ruff: noqa: A002, N803, PYI021 - names are the table's, and editors show what a stub documents

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from os import PathLike
from typing import Any, Literal, NotRequired, TypedDict
'''

ALL: Final = '''"""The tools as type checkers and editors read them: the table, written down, with nothing to run in it.

Written by scripts/write_stubs.py; do not edit.
"""

# ruff: noqa: PYI021 - editors show what a stub documents
'''


def wanted() -> dict[str, str]:
    """Return the files as they should be: two a toolset, one for operators, and the class that has all of them."""
    texts = {f"{toolset}_{room}": _tools(toolset, room) for toolset in TOOLSETS for room in ROOMS}
    texts["operators"] = _room("operators", "What operators do, beside the tools", VERBS)
    texts["__init__"] = _all(sorted(texts))
    return {f"{name}.pyi": _formatted(text) for name, text in texts.items()}


def _tools(toolset: str, room: str) -> str:
    rows = [tool for tool in TOOLS if tool.toolset == toolset and tool.effect.writes is (room == "writing")]
    return _room(f"{toolset}_{room}", f"The tools of ``{toolset}`` that {ROOMS[room]}", rows)


def _all(names: Sequence[str]) -> str:
    imports = "\n".join(f"from weft.tools.typed.{name} import {_camel(name)}" for name in names)
    bases = ", ".join(map(_camel, names))
    return f'{ALL}\n{imports}\n\nclass Tools({bases}):\n    """All tools as methods."""\n'


def _room(name: str, said: str, rows: Sequence[Tool | Verb]) -> str:
    methods = "\n".join(indent(_method(row), "    ") for row in rows)
    answers = "\n".join(map(_answer, rows))
    whole = f'class {_camel(name)}:\n    """Tools as methods."""\n\n{methods}'
    return f"{HEAD.format(said=said)}\n{answers}\n{whole}"


def _camel(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))


def _answer(row: Tool | Verb) -> str:
    schema = row.output_schema
    lines = [f'class {_camel(row.name)}Answer(TypedDict):\n    """What ``{row.name}`` answers."""\n']
    for name, field in schema["properties"].items():
        kind = JSON[field["type"]]
        lines.append(f"    {name}: {kind if name in schema['required'] else f'NotRequired[{kind}]'}")
    return "\n".join(lines) + "\n"


def _method(row: Tool | Verb) -> str:
    parameters = list(signature_of(row).parameters.values())
    placed = [_parameter(each) for each in parameters if each.kind is Parameter.POSITIONAL_OR_KEYWORD]
    named = [_parameter(each) for each in parameters if each.kind is Parameter.KEYWORD_ONLY]
    told = indent(f'"""{documentation_of(row)}"""', "    ")
    return f"def {row.name}({', '.join([*placed, '*', *named])},) -> {_camel(row.name)}Answer:\n{told}\n"


def _parameter(each: Parameter) -> str:
    if each.annotation is Parameter.empty:
        return each.name
    default = json.dumps(each.default) if isinstance(each.default, str) else repr(each.default)
    return f"{each.name}: {_type(each.annotation)}" + ("" if each.default is Parameter.empty else f" = {default}")


def _type(annotation: Any) -> str:  # noqa: ANN401 - an annotation may be anything
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in (Union, UnionType):
        return " | ".join(map(_type, inner))
    if origin is Literal:
        return f"Literal[{', '.join(map(json.dumps, inner))}]"
    if isinstance(annotation, list):  # the arguments of a Callable
        return f"[{', '.join(map(_type, annotation))}]"
    if origin is not None:
        return f"{origin.__name__}[{', '.join(map(_type, inner))}]"
    return {None: "None", NoneType: "None", Any: "Any", ...: "..."}.get(annotation) or str(annotation.__name__)


def _formatted(text: str) -> str:
    """Return ``text`` as the linter wants it, without imports and exceptions that it does not need."""
    unneeded = ("check", "--quiet", "--fix-only", "--select", "F401,RUF100,A002,N803,PYI021")
    return _ruff("format", text=_ruff(*unneeded, text=text))


def _ruff(*words: str, text: str) -> str:
    command = [sys.executable, "-m", "ruff", *words, "--stdin-filename", str(FOLDER / "room.pyi"), "-"]
    return subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, check=True).stdout


def stale() -> list[str]:
    """Return the names of the files that are not what the table says now, and of those that nothing writes."""
    texts = wanted()
    left = {path.name for path in FOLDER.glob("*.pyi")} - texts.keys()
    return [name for name, text in texts.items() if _read(FOLDER / name) != text] + sorted(left)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main() -> None:
    """Write every file, or with ``--check`` exit 1 when one is stale."""
    if "--check" in sys.argv:
        sys.exit(f"stale: {', '.join(stale())}; run make docs" if stale() else 0)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in wanted().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
