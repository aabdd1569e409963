"""Where things lie: paths as a user writes them, folders that are made for a graph, and what may be told of a URL."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from weft.errors import CannotOpen

__all__ = ["FOLDER", "absolute", "database_of", "here", "homeless", "make_folder", "shown"]

FOLDER = ".weft"
"""The folder that marks a project's own graph, looked for upward from the working directory, as git does."""

_IGNORED = "# Weft made this: a graph changes with every call, and belongs into no commit.\n*\n"


def here() -> Path:
    """Return the working directory.

    Raises:
        CannotOpen: somebody has removed it.
    """
    try:
        return Path.cwd()
    except OSError as error:
        raise CannotOpen("The working directory is gone.", hint="Change to a folder that is there.") from error


def absolute(path: str) -> Path:
    """Return ``path`` from the root on, ``~`` read as the user's home.

    Raises:
        CannotOpen: the user has no home, or the working directory is gone.
    """
    try:
        expanded = Path(path).expanduser()
    except RuntimeError as error:
        raise homeless() from error
    return expanded if expanded.is_absolute() else here() / expanded


def homeless() -> CannotOpen:
    """Return the refusal of what would lie in the home of a user who has none."""
    return CannotOpen(
        "Where this user's own files belong is not known: the system names no home for it.",
        hint="Set HOME, or name the graph by its path: --graph ./notes.db",
    )


def make_folder(folder: Path) -> tuple[Path, ...]:
    """Make ``folder`` and its parents, private to their owner; return the folders that now have a new entry.

    What lies in a project's own folder changes with every call: a ``.gitignore`` in it keeps all of it out of commits.
    It is written while the folder is empty, so whoever takes it out afterwards has their way.

    Raises:
        OSError: the system refuses.
    """
    new: tuple[Path, ...] = ()
    if not folder.is_dir():
        new = (folder.parent, *make_folder(folder.parent))
        folder.mkdir(mode=0o700, exist_ok=True)
    if folder.name == FOLDER and not any(folder.iterdir()):
        with suppress(FileExistsError), (folder / ".gitignore").open("x", encoding="utf-8") as file:
            file.write(_IGNORED)
    return new


def shown(url: str) -> str:
    """Return a server's URL without the user, the password and the options in it: what may be told."""
    scheme, _, rest = url.partition("://")
    place = rest.partition("?")[0]
    hosts, _, database = place.rpartition("@")[2].partition("/")
    return f"{scheme}://{hosts}/{database}"


def database_of(url: str) -> str:
    """Return the name of the database that a server's URL names; empty where it names none."""
    return unquote(shown(url).rpartition("/")[2]) if url else ""
