"""The lines of the terminal: one text, a heading with an id that can be pasted back, a count in words, a way back.

Every text of the graph is printed as text, never as markup. A command that is shown repeats the ``--graph`` that it was
told of, and one that is whole is never broken: it can be copied from a terminal of any width.
"""

from __future__ import annotations

import re
import shlex
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rich.cells import cell_len
from rich.padding import Padding
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console

__all__ = [
    "SHORT",
    "Answer",
    "command",
    "counted",
    "current",
    "hanging",
    "heading",
    "line",
    "moment",
    "quoted",
    "repeat",
    "several",
    "short",
    "typed",
    "unread",
    "way_back",
]

Answer: TypeAlias = dict[str, Any]
"""The answer of a tool, or a part of one, as every face gives it."""

SHORT = 18
"""Characters of an id that are shown: its time and counter, which tell apart all that one process makes."""

_HANG: Final = 4
_COMMAND: Final = re.compile(r"\bweft (?=[a-z])(?!copy\b)")  # a copy names its two graphs itself
_CONTROLS: Final = (*range(0x09), *range(0x0B, 0x0D), *range(0x0E, 0x20), *range(0x7F, 0xA0))
_TURNING: Final = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_UNSEEN: Final = dict.fromkeys((*_CONTROLS, *_TURNING), "\N{REPLACEMENT CHARACTER}")
"""What would have a terminal do something, or turn around the rest of a line: the name of a file may hold it."""
_REPEATED: ContextVar[str] = ContextVar("repeated", default="")
_PASSWORD: Final = re.compile(r"(?<=:)[^:/@]+(?=@)|(?<=password=)[^&]+")


def repeat(*, graph: str = "", role: str = "") -> None:
    """Have the commands that are shown from now on name this graph and this role; a password in a URL is left out."""
    words = (("--graph", _PASSWORD.sub("…", graph)), ("--role", role))
    _REPEATED.set(" ".join(f"{option} {quoted(value)}" for option, value in words if value))


def quoted(value: str) -> str:
    r"""Return ``value`` as it must be typed in a shell; what a terminal would act on as its code (``$'\u001b'``).

    So the command can be copied, and names the very file.
    """
    if value.translate(_UNSEEN) == value:
        return shlex.quote(value)
    spelt = {ord("\\"): r"\\", ord("'"): r"\'"} | {code: f"\\u{code:04x}" for code in _UNSEEN}
    return f"$'{value.translate(spelt)}'"


def typed(text: str, *, most: int = 0) -> str:
    """Return ``text``, words of ours, with each command in it as it must be typed to reach the graph of this call.

    ``most`` is how many commands there are at most; 0: any number.
    """
    options = _REPEATED.get()
    return _COMMAND.sub(lambda found: f"{found[0]}{options} ", text, count=most) if options else text


def line(screen: Console, text: str, *, style: str = "", indent: int = 0) -> None:
    """Print ``text``, wrapped with its indent kept, in a pipe unbroken and unfilled; nothing where it is empty."""
    text = text.translate(_UNSEEN)
    if text and screen.is_terminal:
        screen.print(Padding(Text(text, style=style), (0, 0, 0, indent), expand=False))
    elif text:
        margin = " " * indent
        screen.print("\n".join(f"{margin}{each}" if each else "" for each in text.split("\n")), soft_wrap=True)


def short(node_id: str) -> str:
    """Return as much of an id as is shown; commands that name a node or a batch take it."""
    return node_id[:SHORT]


def hanging(screen: Console, text: Text, *, mark: str = "", indent: int = 0) -> None:
    """Print ``text`` with what does not fit its line further in, so that it is not taken for a line of its own.

    After a ``mark`` the rest stands under the beginning of the text, and the mark never stands alone.
    """
    text.plain = text.plain.translate(_UNSEEN)
    first = " " * indent + mark
    rest = " " * (cell_len(first) if mark else indent + _HANG)
    fits = cell_len(first) + text.cell_len <= screen.width
    lines = [text] if fits else text.wrap(screen, max(1, screen.width - cell_len(rest)))
    for number, each in enumerate(lines):
        screen.print(Text.assemble((rest if number else first, text.style), each), soft_wrap=True)


def command(screen: Console, text: str, *, indent: int = 0) -> None:
    """Print words of ours that end in a whole command, unbroken: where they do not fit, the terminal folds them.

    A title within the command may speak of commands itself, and stays as it is.
    """
    screen.print(Text(" " * indent + typed(text, most=1), style="dim"), soft_wrap=True)


def heading(screen: Console, title: str, node_id: str, detail: str = "", *, mark: str = "", indent: int = 0) -> None:
    """Print a node's title, after a ``mark``, with its id and a few words beside it."""
    text = Text(title, style="bold")
    text.append(f"  {short(node_id)}", style="not bold cyan")
    if detail:
        text.append(f"  {detail}", style="not bold dim")
    hanging(screen, text, mark=mark, indent=indent)


def counted(count: int, one: str, many: str = "") -> str:
    """Return ``count`` with its noun: «1 node», «2 nodes»; ``many`` where an s does not do."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def moment(time: str) -> str:
    """Return a time (ISO 8601) to the minute: ``2026-11-21 14:05``."""
    return f"{time[:10]} {time[11:16]}"


def current(row: Mapping[str, Any]) -> str:
    """Return how current a node of an answer is: when it was written, when changed since, and a status but active.

    Where another line tells what superseded it, the status is left out.
    """
    status = "" if row.get("superseded_by") else row.get("status", "").replace("_", " ")
    written, changed = row["created_at"][:10], row.get("modified_at", "")[:10]
    since = f", changed {changed}" if changed not in {"", written} else ""
    return " · ".join(filter(None, (f"{written}{since}", status)))


def unread(screen: Console, entries: Sequence[Mapping[str, Any]], total: int, *, most: int) -> None:
    """Print ``most`` of the things that were not read, each with its file and line, and how many of ``total`` more."""
    for each in entries[:most]:
        place = f"{each['path']}:{each['line']}" if each["line"] else each["path"]
        line(screen, f"{place}: {each['reason']}", style="yellow", indent=4)
    more = total - min(most, len(entries))
    line(screen, f"and {more} more; --json lists them" if more > 0 else "", style="yellow", indent=4)


def way_back(screen: Console, batch: str) -> None:
    """Print the command that takes ``batch`` back; nothing where there is no batch."""
    if batch:
        command(screen, f"take back: weft undo {short(batch)}", indent=2)


def several(screen: Console, batches: int) -> None:
    """Print where the ways back of one command's several batches are listed."""
    line(
        screen, typed(f"{batches} batches; weft log lists them, weft undo BATCH takes one back"), style="dim", indent=2
    )
