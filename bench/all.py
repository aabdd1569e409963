"""Every figure that docs/explanation/performance.md quotes, one campaign after another.

    python bench/all.py [--only stdio,startup]

The header names the machine and the versions, for figures mean little without them. A campaign that fails ends the run
with its exit code, after the others had their turn.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from weft import __version__

FOLDER = Path(__file__).parent

CAMPAIGNS: dict[str, tuple[str, ...]] = {
    "startup": ("startup.py",),
    "stdio": ("stdio.py",),
    "writers": ("writers.py",),
    "search_kernels": ("search_kernels.py",),
    "bridges": ("bridges.py",),
    "learned_scope": ("learned_scope.py",),
    "kill": ("crash.py", "kill", "200"),
    "power": ("crash.py", "power", "1000"),
}
"""Each with the arguments of a run that ends within minutes; the scripts take larger ones."""

PACKAGES = ("apsw", "mcp", "numpy", "onnxruntime", "usearch")


def header() -> str:
    """Return what the figures were measured with."""
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}"
    return f"{machine}\nPython {platform.python_version()}, weft {__version__}, {packages}"


def main() -> int:
    """Run the campaigns and return the first exit code that is not 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(CAMPAIGNS), help="campaigns, separated by commas")
    wanted = parser.parse_args().only.split(",")
    unknown = sorted(set(wanted) - set(CAMPAIGNS))
    if unknown:
        parser.error(f"there is no campaign {unknown[0]!r}; there are {', '.join(CAMPAIGNS)}")
    print(header())
    codes = []
    for name in wanted:
        script, *arguments = CAMPAIGNS[name]
        print(f"\n== {name}: python bench/{script} {' '.join(arguments)}".rstrip(), flush=True)
        codes.append(subprocess.run([sys.executable, str(FOLDER / script), *arguments], check=False).returncode)
    return next((code for code in codes if code), 0)


if __name__ == "__main__":
    sys.exit(main())
