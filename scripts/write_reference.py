"""Write the reference pages from the tables that the product itself runs on; ``--check`` only says what is stale."""

from __future__ import annotations

import inspect
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
import typer.core
import typer.main

from weft import errors, settings, vocabulary
from weft.faces.cli import app
from weft.tools.table import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"
WHICH = """\
## Which graph is meant

`--graph`, `WEFT_GRAPH` and the first argument of `weft.open` take the same words:

| what is given | which graph it is |
| --- | --- |
| a text with a slash in it, or one that ends in `.db` | the file at that path |
| `postgresql://…` | the graph in that database |
| a name, `notes` say | inside a project `.weft/notes.db`, outside `notes.db` in the folder of the user's graphs |
| nothing | the same with the name `graph` |

A project is a folder with `.weft` in it; the nearest one is taken, upward from the working directory. The folder of the
user's graphs is `home`. Where that is not set, it is the platform's data folder: `~/.local/share/weft` on Linux,
`~/Library/Application Support/weft` on macOS, `%LOCALAPPDATA%\\weft` on Windows. `weft status` says which file it is.
"""
NOTE = "<!-- Written by scripts/write_reference.py; do not edit. -->\n\n"


def tools_page() -> str:
    """Return the page of tools: one section a tool, its parameters as a table."""
    ways = "over MCP, `weft call NAME`, `POST /api/tools/NAME` and as methods of `weft.connect(…)`"
    parts = ["# Tools\n", f"{len(TOOLS)} tools, the same {ways}.\n"]
    for tool in TOOLS:
        parts += [f"## {tool.name}\n", f"Toolset `{tool.toolset}`, tier {tool.tier.label}. {tool.description}\n"]
        parts += ["| parameter | type | default | meaning |", "| --- | --- | --- | --- |"]
        parts += [*_parameters(tool.input_schema), ""]
    return "\n".join(parts)


def _parameters(schema: dict[str, Any]) -> Iterator[str]:
    required = set(schema.get("required", []))
    for name, field in schema.get("properties", {}).items():
        default = "required" if name in required else json.dumps(field["default"]) if "default" in field else "–"
        yield f"| `{name}` | {_type_of(field)} | {default} | {field.get('description', '')} |"


def _type_of(field: dict[str, Any]) -> str:
    if "enum" in field:
        return " · ".join(str(value) for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(_type_of(option) for option in field["anyOf"] if option.get("type") != "null")
    if field.get("type") == "array":
        return f"list of {_type_of(field.get('items', {}))}"
    bounds = [f"{field[word]}" for word in ("minimum", "maximum") if word in field]
    return f"{field.get('type', 'object')}{' ' + '–'.join(bounds) if bounds else ''}"


def commands_page() -> str:
    """Return the page of commands: what ``weft COMMAND --help`` says, without the terminal's width in it."""
    group = typer.main.get_group(app)
    parts = ["# Commands\n", "Global options may stand before or after the command.\n", *_options(group), ""]
    for name, command in _commands(group):
        usage = f"```text\nweft {name} {_usage(command)}\n```\n"
        parts += [f"## weft {name}\n", usage, f"{(command.help or '').strip()}\n", *_options(command), ""]
    codes = "0 done · 1 an error answer · 2 wrong usage · 3 the graph cannot be opened · 130 interrupted\n"
    return "\n".join([*parts, "## Exit codes\n", codes])


def _commands(group: TyperGroup, ahead: str = "") -> Iterator[tuple[str, TyperCommand | TyperGroup]]:
    """Yield every command with its name, those of a group after the group."""
    for name, command in sorted(group.commands.items()):
        yield f"{ahead}{name}", command
        if isinstance(command, typer.core.TyperGroup):
            yield from _commands(command, f"{ahead}{name} ")


def _usage(command: TyperCommand | TyperGroup) -> str:
    """Return what follows a command's name, its arguments in capitals; options that must be given are spelled out."""
    pieces = command.collect_usage_pieces(typer.Context(command))
    needed = [f"{each.opts[0]} {str(each.name).upper()}" for each in command.params if _is_needed(each)]
    return " ".join([*pieces[:1], *needed, *(re.sub(r"\{(\w+)\}|(\[\w+\])", _loud, each) for each in pieces[1:])])


def _loud(found: re.Match[str]) -> str:
    return (found[1] or found[2]).upper()


def _is_needed(parameter: TyperOption | TyperArgument) -> bool:
    return bool(parameter.required) and parameter.opts[0].startswith("-")


def _options(command: TyperCommand | TyperGroup) -> Iterator[str]:
    for parameter in command.params:
        spelled = ", ".join(f"`{_spelled(parameter, word)}`" for word in parameter.opts)
        yield f"- {spelled}: {vars(parameter).get('help') or parameter.name}{_default(parameter)}"


def _spelled(parameter: TyperOption | TyperArgument, word: str) -> str:
    return word if word.startswith("-") else (parameter.metavar or word).upper()


def _default(parameter: TyperOption | TyperArgument) -> str:
    """Return what holds where the parameter is not given; nothing where that is nothing, or its help says it."""
    value, told = parameter.default, str(vars(parameter).get("help"))
    silent = value in (None, "", "{}") or isinstance(value, bool) or "default" in told.casefold()
    return "" if silent else f" Default: `{value}`."


def vocabulary_page() -> str:
    """Return the page of kinds and relation types."""
    parts = ["# Vocabulary\n", "## Kinds\n", "| kind | family | meaning |", "| --- | --- | --- |"]
    parts += [f"| `{kind.name}` | {kind.family} | {kind.meaning} |" for kind in vocabulary.KINDS.values()]
    parts += ["\n## Relation types\n", "| type | family | read backwards | polarity | notes | meaning |"]
    parts += ["| --- | --- | --- | --- | --- | --- |"]
    for row in vocabulary.RELATION_TYPES.values():
        notes = ", ".join(word for word, said in (("symmetric", row.symmetric), ("transitive", row.transitive)) if said)
        polarity = f"{row.polarity:+d}" if row.polarity else "0"
        parts.append(f"| `{row.name}` | {row.family} | {row.inverse} | {polarity} | {notes} | {row.meaning} |")
    return "\n".join(parts) + "\n"


def settings_page() -> str:
    """Return the page of settings: what the class says of each, which graph a name means, and the variables."""
    first, _, told = inspect.cleandoc(settings.Settings.__doc__ or "").replace("``", "`").partition("\n\n")
    said = [_setting(*line.split(": ", 1)) for line in told.replace("\n    ", " ").splitlines()]
    rows = [f"| `{field}` | `{settings.variable(field)}` |" for field in settings.variables()]
    table = ["| setting | variable |", "| --- | --- |", *rows]
    return "\n".join(["# Settings\n", first, "", *said, "", WHICH, "## Variables\n", *table, ""])


def _setting(names: str, meaning: str) -> str:
    return f"- {', '.join(f'`{name}`' for name in names.split(', '))}: {meaning}"


def errors_page() -> str:
    """Return the page of errors: code, meaning, and what to do."""
    parts = ["# Errors\n", "| code | class | meaning |", "| --- | --- | --- |"]
    family = [vars(errors)[name] for name in errors.__all__]
    named = [kind for kind in family if issubclass(kind, errors.WeftError) and kind is not errors.WeftError]
    parts += [f"| {kind.code} | `{kind.__name__}` | {_first_line(kind)} |" for kind in named]
    return "\n".join(parts) + "\n"


def _first_line(kind: type) -> str:
    return inspect.cleandoc(kind.__doc__ or "").splitlines()[0]


PAGES = {
    "tools.md": tools_page,
    "commands.md": commands_page,
    "vocabulary.md": vocabulary_page,
    "settings.md": settings_page,
    "errors.md": errors_page,
}


def stale() -> list[str]:
    """Return the names of pages that are not what the tables say now."""
    return [name for name, page in PAGES.items() if not _same(REFERENCE / name, NOTE + page())]


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


def main() -> None:
    """Write every page, or with ``--check`` exit 1 when one is stale."""
    if "--check" in sys.argv:
        sys.exit(f"stale: {', '.join(stale())}; run make docs" if stale() else 0)
    REFERENCE.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(NOTE + page(), encoding="utf-8")


if __name__ == "__main__":
    main()
