"""Write what ``tools/list`` shows of each toolset to tests/faces/snapshots; ``--check`` only says what is stale."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from weft.tools.table import TOOLS, TOOLSETS

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "faces" / "snapshots"


def wanted() -> dict[str, str]:
    """Return the files as they should be: one a toolset, its tools in order, readable in a diff."""
    return {
        f"{toolset}.json": json.dumps(
            [tool.listing() for tool in TOOLS if tool.toolset == toolset], ensure_ascii=False, indent=2
        )
        + "\n"
        for toolset in TOOLSETS
    }


def stale() -> list[str]:
    """Return the names of the files that are not what the table says now."""
    return [name for name, text in wanted().items() if _read(FOLDER / name) != text]


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main() -> None:
    """Write every file, or with ``--check`` exit 1 when one is stale."""
    if "--check" in sys.argv:
        sys.exit(f"stale: {', '.join(stale())}; run scripts/write_snapshots.py" if stale() else 0)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in wanted().items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
