"""``weft install``: the entry that makes an agent's program start Weft, put beside those it has."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from weft.errors import Conflict, InvalidArgument, Unavailable, WeftError
from weft.faces.lines import line
from weft.faces.terminal import asked, console, fail, written

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CLIENTS", "register"]

NAME: Final = "weft"


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Where a program keeps its MCP servers: the file by platform (``~`` is the home folder), the key, what it adds.

    A file that does not begin with ``~`` lies in the working directory: the project's.
    """

    files: Mapping[str, str]
    key: str = "mcpServers"
    extra: Mapping[str, str]

    @property
    def file(self) -> Path:
        """The file on this machine."""
        return Path(self.files.get(sys.platform, self.files["linux"])).expanduser().absolute()


def _client(linux: str, *, key: str = "mcpServers", extra: Mapping[str, str] | None = None, **others: str) -> Client:
    return Client(files={"linux": linux, **others}, key=key, extra=extra or {})


CLIENTS: Final[Mapping[str, Client]] = {
    "claude": _client(".mcp.json"),
    "claude-desktop": _client(
        "~/.config/Claude/claude_desktop_config.json",
        darwin="~/Library/Application Support/Claude/claude_desktop_config.json",
        win32="~/AppData/Roaming/Claude/claude_desktop_config.json",
    ),
    "cursor": _client("~/.cursor/mcp.json"),
    "gemini": _client("~/.gemini/settings.json"),
    "vscode": _client(".vscode/mcp.json", key="servers", extra={"type": "stdio"}),
    "windsurf": _client("~/.codeium/windsurf/mcp_config.json"),
}
"""The programs that are known, by the name they are asked for."""


def install(
    context: typer.Context,
    client: Annotated[str, typer.Argument(help=f"{', '.join(CLIENTS)}.")],
    file: Annotated[Path | None, typer.Option(help="Another file than the program's usual one.")] = None,
    name: Annotated[str, typer.Option(help="What the entry is called.")] = NAME,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the entry and the file; write nothing.")] = False,  # noqa: FBT002
    replace: Annotated[bool, typer.Option("--replace", help="Replace another entry of this name.")] = False,  # noqa: FBT002
) -> None:
    """Have an agent's program start Weft on this graph. Its other entries stay as they are."""
    try:
        if client not in CLIENTS:
            raise InvalidArgument(f"client: {client!r} is not known; there are {', '.join(CLIENTS)}.")
        known = CLIENTS[client]
        path = (file.expanduser() if file else known.file).absolute()
        entry = dict(known.extra) | _command(context)
        held = _held(path)
        merged = _merged(held, known.key, name, entry, replace=replace, path=path)
        answer: dict[str, Any] = {"client": client, "file": str(path), "key": known.key, "name": name, "entry": entry}
        answer |= {"written": not dry_run and merged != held, "kept": ""}
        if answer["written"]:
            answer["kept"] = _written(path, merged)
    except WeftError as error:
        fail(context, error)
    _show(context, answer, dry_run=dry_run)


def _command(context: typer.Context) -> dict[str, Any]:
    """Return how this Weft is started on this graph, by absolute paths: programs start with a short PATH."""
    from weft.settings import locate

    settings = asked(context).settings
    found = Path(sys.argv[0]).absolute()
    program = [str(found)] if found.stem == "weft" and os.access(found, os.X_OK) else [sys.executable, "-m", "weft"]
    role = ["--role", settings.role] if settings.role != "curator" else []
    return {
        "command": program[0],
        "args": [*program[1:], "--graph", settings.server or str(locate(settings)), *role, "serve"],
    }


def _held(path: Path) -> dict[str, Any]:
    """Return what the file holds; an empty object where there is none."""
    try:
        text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        held = json.loads(text) if text.strip() else {}
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(f"{path} cannot be read: {error}") from error
    except ValueError as error:
        raise InvalidArgument(
            f"{path} is not plain JSON ({error}); it was left as it is.",
            hint="Add the entry by hand: weft install CLIENT --dry-run --file NEW.json prints it.",
        ) from error
    if not isinstance(held, dict):
        raise InvalidArgument(f"{path} holds no JSON object; it was left as it is.")
    return held


def _merged(
    held: dict[str, Any], key: str, name: str, entry: dict[str, Any], *, replace: bool, path: Path
) -> dict[str, Any]:
    servers = held.get(key, {})
    if not isinstance(servers, dict):
        raise InvalidArgument(f"{path}: {key} is no JSON object; it was left as it is.")
    if servers.get(name, entry) != entry and not replace:
        raise Conflict(f"{path} has another entry called {name}.", hint="Give --name another name, or add --replace.")
    return {**held, key: {**servers, name: entry}}


def _written(path: Path, merged: dict[str, Any]) -> str:
    """Write the file whole or not at all, and return where the one before is kept; empty: there was none."""
    kept, target = "", Path(os.path.realpath(path))
    fresh = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            kept = str(target.with_name(f"{target.name}.before-weft"))
            shutil.copy2(target, kept)
        with fresh.open("x", encoding="utf-8") as file:
            file.write(json.dumps(merged, ensure_ascii=False, indent=2) + "\n")
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, fresh)
        fresh.replace(target)
    except OSError as error:
        raise Unavailable.by_system(f"{path} cannot be written", error) from error
    finally:
        fresh.unlink(missing_ok=True)
    return kept


def _show(context: typer.Context, answer: dict[str, Any], *, dry_run: bool) -> None:
    if written(context, answer):
        return
    screen = console()
    if dry_run:
        line(screen, f"This would go into {answer['file']}:", style="bold")
        sys.stdout.write(json.dumps({answer["key"]: {answer["name"]: answer["entry"]}}, indent=2) + "\n")
        return
    said = "Wrote the entry to" if answer["written"] else "The entry is there already, in"
    line(screen, f"{said} {answer['file']}", style="bold")
    line(screen, f"the file before is kept as {answer['kept']}" if answer["kept"] else "", style="dim", indent=2)
    line(screen, "Start the program anew to see it.", style="dim", indent=2)


def register(app: typer.Typer) -> None:
    """Put the command on ``app``."""
    app.command()(install)
