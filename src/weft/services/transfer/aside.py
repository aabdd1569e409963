"""Texts of records, set aside until their nodes are written: relations between records need names, not texts.

So an import takes no more memory than its names do, however much the texts are. Up to 4 MB of them are held; more
goes to a file without a name in the folder for temporary files, which is gone when the import ends, however it ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from tempfile import SpooledTemporaryFile, gettempdir
from typing import TYPE_CHECKING, Final

from weft.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType
    from typing import Self

    from weft.formats.foreign import Record

__all__ = ["Aside", "Incoming", "parts"]

_HELD_MAX_BYTES: Final = 4_000_000
_PART_MAX: Final = 100  # records, which become one batch
_PART_MAX_BYTES: Final = 500_000
"""Texts of so many bytes are embedded in half a minute; then they are in, and it is told how far the import is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A record with the file it stands in. ``span`` says where its text was set aside: from which byte, how many."""

    path: str
    record: Record
    span: tuple[int, int] = (0, 0)


class Aside:
    """Keeps the texts of one import. It is a context: what it keeps is gone at its end."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=_HELD_MAX_BYTES)  # noqa: SIM115 - closed by __exit__
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def put(self, incoming: Incoming) -> Incoming:
        """Return the record without its text, which is kept here.

        Raises:
            Unavailable: it cannot be written.
        """
        body = incoming.record.content.encode("utf-8", "surrogatepass")
        start, self._end = self._end, self._end + len(body)
        try:
            self._file.seek(start)
            self._file.write(body)
        except OSError as error:
            said = f"The texts of the import cannot be set aside in {gettempdir()}"
            raise Unavailable.by_system(said, error) from error
        return replace(incoming, record=replace(incoming.record, content=""), span=(start, len(body)))

    def whole(self, incoming: Incoming) -> Incoming:
        """Return the record with its text.

        Raises:
            Unavailable: it cannot be read.
        """
        start, size_bytes = incoming.span
        try:
            self._file.seek(start)
            body = self._file.read(size_bytes)
        except OSError as error:
            raise Unavailable.by_system(f"What was set aside in {gettempdir()} cannot be read", error) from error
        return replace(incoming, record=replace(incoming.record, content=body.decode("utf-8", "surrogatepass")))


def parts(incoming: Sequence[Incoming]) -> Iterator[Sequence[Incoming]]:
    """Yield the records in parts: a hundred each, fewer where their texts are more than 500,000 bytes, but one."""
    start = size_bytes = 0
    for at, each in enumerate(incoming):
        size_bytes += each.span[1]
        if at > start and (at - start == _PART_MAX or size_bytes > _PART_MAX_BYTES):
            yield incoming[start:at]
            start, size_bytes = at, each.span[1]
    if start < len(incoming):
        yield incoming[start:]
