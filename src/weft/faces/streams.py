"""Standard input and output as the user's environment gives them: closed, full, or of an encoding that lacks a sign."""

from __future__ import annotations

import json
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["abandon", "compact", "prepare", "read_piped"]


def prepare() -> None:
    """Make the streams ready for any text: a sign that the encoding lacks is written as ?.

    Closed ones are put down to nothing, so that no file that is opened later takes their number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = vars(sys)[name]
        if stream is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - it stays for the process's life
            if name != "stdin":
                vars(sys)[name] = nowhere
        elif mode == "w" and isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def abandon() -> None:
    """Write nothing more to standard output, which failed; else its end would be a second failure."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def read_piped() -> str:
    """Return what standard input holds.

    Raises:
        InvalidArgument: it is closed, cannot be read, or is no text.
    """
    try:
        if sys.stdin is None:
            raise InvalidArgument("Standard input is closed: there is nothing to read where - stands.")
        text = sys.stdin.read()
        text.encode()
    except UnicodeError:
        raise InvalidArgument(f"Standard input is no text in {sys.stdin.encoding}.") from None
    except OSError as error:
        raise InvalidArgument(f"Standard input cannot be read: {error.strerror}.") from None
    return text


def compact(answer: Mapping[str, Any]) -> str:
    """Return ``answer`` as JSON on one line, in signs that standard output can write."""
    wide = (sys.stdout.encoding or "").lower().startswith("utf")
    return json.dumps(answer, ensure_ascii=not wide, separators=(",", ":")) + "\n"
