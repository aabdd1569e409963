"""Run Weft as ``python -m weft``."""

from __future__ import annotations

from weft.faces.cli import main

if __name__ == "__main__":
    main()
