"""The far side of the wall: limits itself, reads the bytes, writes the text, ends.

It runs as a process of its own and imports nothing of Weft but the formats.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from weft.errors import Unavailable, WeftError

if TYPE_CHECKING:
    from weft.formats.rendered import Rendered

__all__ = ["main"]

_RENDERERS: Final = {"html": "weft.formats.html", "pdf": "weft.formats.pdf", "docx": "weft.formats.docx"}
_LIBRARIES: Final = {"pdf": "pypdf"}
_FENCED: Final = ("socket.", "subprocess.", "os.system", "os.exec", "os.spawn", "os.posix_spawn", "os.fork", "shutil.")
_WRITING: Final = frozenset("wax+")


def main(kind: str, cpu_s: str, memory_bytes: str) -> None:
    """Read a document of the format ``kind`` from standard input and write its text to standard output, as JSON."""
    _limit(int(cpu_s), int(memory_bytes))
    body = sys.stdin.buffer.read()
    renderer = import_module(_RENDERERS[kind])
    if kind in _LIBRARIES:
        _warm(_LIBRARIES[kind])
    sys.addaudithook(_fence)
    try:
        answer = _told(renderer.render(body))
    except WeftError as error:
        code = "unavailable" if isinstance(error, Unavailable) else "invalid"
        answer = {"error": error.message, "hint": error.hint, "code": code}
    sys.stdout.write(json.dumps(answer))


def _warm(library: str) -> None:
    """Load a library before the fence stands; that it is missing is said by the renderer."""
    try:
        import_module(library)
    except ModuleNotFoundError:
        return


def _told(rendered: Rendered) -> dict[str, Any]:
    return {"text": rendered.text, "problems": list(rendered.problems)}


def _limit(cpu_s: int, memory_bytes: int) -> None:
    """Take no more than this, from now on; where the system knows no such limits, only the clock outside holds."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    wanted = (
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, memory_bytes),
    )
    for what, most in wanted:
        _, hard = resource.getrlimit(what)
        held = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(ValueError, OSError):  # a system that knows the limit but cannot set it
            resource.setrlimit(what, (held, held))


def _fence(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse connections, programs and writing: reading a document needs none of them."""
    writes = event == "open" and isinstance(arguments[1], str) and not _WRITING.isdisjoint(arguments[1])
    if writes or event.startswith(_FENCED):
        raise PermissionError(f"{event} is not for those who read documents")
