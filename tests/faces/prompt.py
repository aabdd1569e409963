"""The command line as the tests type at it: what is printed, what a script reads, what a terminal of a width shows."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any

from typer.testing import CliRunner

from weft.faces.cli import app

if TYPE_CHECKING:
    import pytest
    from typer.testing import Result


def forget_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what whoever runs the tests has set of Weft."""
    for name in [name for name in os.environ if name.startswith("WEFT_")]:
        monkeypatch.delenv(name)


def weft(*words: str, stdin: str | None = None) -> Result:
    """Run ``weft`` with these words."""
    return CliRunner().invoke(app, list(words), input=stdin)


def answer(*words: str, code: int = 0, stdin: str | None = None) -> dict[str, Any]:
    """Run ``weft`` with ``--json`` and return what it answers; it must end with this ``code``."""
    said = weft(*words, "--json", stdin=stdin)
    assert said.exit_code == code, said.output
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def wide(*words: str, columns: int) -> list[str]:
    """Return the lines that a terminal of this width shows, without its colours."""
    environment = {"COLUMNS": str(columns), "FORCE_COLOR": "1", "TTY_COMPATIBLE": "1"}
    said = CliRunner().invoke(app, list(words), env=environment, color=True)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", said.stdout).splitlines()
