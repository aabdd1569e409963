"""The near side of the wall: hands the bytes over, waits for a while, and believes nothing of what comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from weft.errors import InvalidArgument, Unavailable
from weft.formats.rendered import RENDERED_MAX, Rendered

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["LIMITS", "Limits", "rendered"]

PROBLEMS_MAX: Final = 20
_SAID_MAX: Final = 300

_START: Final = (
    "import json, sys\n"
    "sys.path[:] = json.loads(sys.argv[1])\n"
    "from weft.services.rendering.child import main\n"
    "main(*sys.argv[2:])\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the process may use: seconds of processor, bytes of memory, seconds on the clock."""

    cpu_s: int = 20
    memory_bytes: int = 1_000_000_000
    wall_s: float = 90.0


LIMITS: Final[Mapping[str, Limits]] = MappingProxyType(
    {"html": Limits(cpu_s=10, wall_s=45.0), "pdf": Limits(cpu_s=40, wall_s=150.0), "docx": Limits()}
)
"""By format."""


def rendered(kind: str, body: bytes, *, limits: Limits | None = None) -> Rendered:
    """Return ``body``, a document of the format ``kind``, as Markdown.

    Raises:
        InvalidArgument: it cannot be read, or takes more time or memory than it may.
        Unavailable: the library for the format is not installed, or no process could be started.
    """
    limits = limits or LIMITS[kind]
    command = [sys.executable, "-I", "-c", _START, json.dumps(sys.path), kind]
    command += [str(limits.cpu_s), str(limits.memory_bytes)]
    # Without the environment, and with it no key of anybody's, wherever a process can start so.
    bare: dict[str, str] | None = {} if os.name == "posix" else None
    try:
        done = subprocess.run(command, input=body, capture_output=True, timeout=limits.wall_s, check=False, env=bare)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise InvalidArgument(f"document: was not read within {limits.wall_s:g} s") from error
    except OSError as error:
        raise Unavailable(f"No process could be started to read a document ({error.strerror}).") from error
    return _answer(done, kind, limits)


def _answer(done: subprocess.CompletedProcess[bytes], kind: str, limits: Limits) -> Rendered:
    answer = _parsed(done.stdout) if done.returncode == 0 else None
    if answer is None:
        raise InvalidArgument(f"document: {_why(done, kind, limits)}")
    said = str(answer.get("error", ""))[:_SAID_MAX]
    if said and answer.get("code") == "unavailable":
        raise Unavailable(said, hint=str(answer.get("hint", ""))[:_SAID_MAX])
    if said:
        raise InvalidArgument(said)
    problems = answer.get("problems")
    told = tuple(str(each)[:_SAID_MAX] for each in problems[:PROBLEMS_MAX]) if isinstance(problems, list) else ()
    return Rendered(text=str(answer.get("text", ""))[:RENDERED_MAX], problems=told)


def _parsed(output: bytes) -> dict[str, Any] | None:
    try:
        answer = json.loads(output)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _why(done: subprocess.CompletedProcess[bytes], kind: str, limits: Limits) -> str:
    said = done.stderr.decode(errors="replace").strip().rsplit("\n", 1)[-1]
    if b"MemoryError" in done.stderr:
        return f"a {kind.upper()} that takes more than {limits.memory_bytes // 1_000_000:,} MB to read"
    if done.returncode < 0:
        return f"a {kind.upper()} that takes more than {limits.cpu_s} s to read, or breaks its reader"
    return f"a broken {kind.upper()} ({said.split(':', maxsplit=1)[0][:80] or 'no answer'})"
