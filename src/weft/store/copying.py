"""A whole graph copied from one place to another, whichever engines hold them, and compared at the end.

The source is read at one moment. Rows go over as they are, page by page in the order of their keys, and each page is
written in one transaction with a mark that says how far the copy is: one that was broken off goes on from there, and
nobody opens half a graph. Vectors are carried, so that nothing is embedded; the words of each passage are cut anew, as
each engine keeps them in its own way. At the end both sides are read once more, and every row is compared.
"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from weft.errors import CannotOpen, Conflict, InvalidArgument, WeftError
from weft.model import Compared, Copied
from weft.model.codec import json_text
from weft.store.giving import Head, giving_file
from weft.store.opened import COPYING, compare_model, refuse_unfinished
from weft.store.tables import PASSAGE, TABLES, TERM, WORDS
from weft.store.taking import KEPT, taking_file
from weft.text.indexing import CUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from weft.model import Progress
    from weft.store.giving import Giver, Row
    from weft.store.tables import Table

__all__ = ["Place", "Taker", "copy"]

Place: TypeAlias = "Path | str"
"""A file, or the URL of a database."""


_COMPARED: Final = (*TABLES, TERM, WORDS)


class Taker(Protocol):
    """A graph that is being filled, by nobody else."""

    def facts(self) -> dict[str, str]:
        """Return what is known of the graph as a whole, by key."""
        ...

    def begin(self, mark: str) -> None:
        """Take out what a broken copy left, and put guards and look-ups aside: from now on nobody opens this graph.

        Raises:
            Conflict: there is something else here.
        """
        ...

    def put(self, table: Table, rows: Iterable[Row], mark: str) -> None:
        """Write the next rows of a table, together with how far the copy is: both last, or neither."""
        ...

    def carried(self, table: Table) -> None:
        """Take note that all rows of a table are there."""
        ...

    def complete(self, facts: Mapping[str, str]) -> None:
        """Count the words, take over what is known of the whole, and make the look-ups anew; may be done again."""
        ...

    def reading(self) -> AbstractContextManager[Giver]:
        """Give what has been written, as it stands now."""
        ...

    def open(self) -> None:
        """Put the guards back, and let this be opened as a graph."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """How far a copy is: which log it copies, up to where, the table that it is at, and the last key that is there."""

    head: Head
    table: str
    after: tuple[Any, ...] = ()

    def text(self) -> str:
        """Return the mark as it is kept."""
        return json_text({"head": self.head, "table": self.table, "after": self.after})

    @classmethod
    def of(cls, facts: Mapping[str, str]) -> Mark | None:
        """Return the mark among what is known of a graph; None: there is no copy under way."""
        if COPYING not in facts:
            return None
        held = json.loads(facts[COPYING])
        return cls(head=Head(*held["head"]), table=held["table"], after=tuple(held["after"]))


def copy(source: Place, target: Place, *, restart: bool = False, report: Progress | None = None) -> Copied:
    """Copy the graph at ``source`` to ``target``, which must be empty or hold a copy of it that was broken off.

    ``restart`` throws away what is there of such a copy. The result says what was compared; where anything differs, the
    target stays closed. Tokens are not copied: whoever opens another door decides anew who may come in.

    Raises:
        CannotOpen: there is no graph at the source, or one of the two cannot be opened.
        Conflict: the target holds another graph, or the source has changed since the copy began.
        InvalidArgument: both are the same, or the target's engine cannot hold a value.
        Unavailable: somebody else is writing to the target, or an engine does not answer.
    """
    if source == target or (_is_file(source, target) and Path(source).samefile(target)):
        raise InvalidArgument("A graph cannot be copied onto itself.")
    with ExitStack() as stack:
        giver = stack.enter_context(_giving(source))
        facts = giver.facts()
        _refuse_other_words(facts)
        taker = stack.enter_context(_taking(target, facts))
        copying = _Copying(giver, taker, report)
        copied = copying.whole(restart=restart)
    with suppress(WeftError), _giving(source) as now:  # it is copied, whether the source still answers or not
        copied = replace(copied, behind=now.head().seq - copied.changes)
    return copied


def _is_file(*places: Place) -> bool:
    return all(isinstance(place, Path) and place.exists() for place in places)


def _giving(place: Place) -> AbstractContextManager[Giver]:
    if isinstance(place, Path):
        return giving_file(place)
    from weft.store.postgres.copying import giving_server

    return giving_server(place)


def _taking(place: Place, facts: Mapping[str, str]) -> AbstractContextManager[Taker]:
    if isinstance(place, Path):
        return taking_file(place, facts)
    from weft.store.postgres.copying import taking_server

    return taking_server(place, facts)


def _refuse_other_words(facts: dict[str, str]) -> None:
    refuse_unfinished(facts)
    if facts.get("words") != CUT:
        raise CannotOpen(
            "The words of the source are not cut as this release cuts them.", hint="Open it once with this release."
        )


class _Copying:
    """One copy, from where it stands to its end."""

    def __init__(self, giver: Giver, taker: Taker, report: Progress | None) -> None:
        self._giver = giver
        self._taker = taker
        self._report = report
        self._counts = {table.name: giver.count(table) for table in TABLES}
        self._total = 2 * sum(self._counts.values())  # each is carried once, and compared once
        self._done = 0
        self._seen: dict[str, _Sum] = {}

    def whole(self, *, restart: bool) -> Copied:
        """Carry what is missing, compare everything, and open the target where nothing differs."""
        mark, resumed = self._begun(restart=restart)
        self._carry(mark)
        self._tell(0, "making look-ups")
        self._taker.complete(self._giver.facts())
        self._tell(0, "comparing")
        with self._taker.reading() as taken:
            compared = (*(self._compared(table, taken) for table in _COMPARED), _facts(self._giver, taken))
        if all(each.same for each in compared):
            self._taker.open()
        return Copied(changes=mark.head.seq, resumed=resumed, tables=compared)

    def _begun(self, *, restart: bool) -> tuple[Mark, bool]:
        facts, head = self._taker.facts(), self._giver.head()
        held = Mark.of(facts)
        if held is None:
            known = self._giver.facts()
            compare_model(facts, known["model"], int(known["dimension"]))
        elif held.head == head and not restart:
            return held, True
        elif not restart:
            raise self._other(held.head, head)
        mark = Mark(head=head, table=TABLES[0].name)
        self._taker.begin(mark.text())
        return mark, False

    def _other(self, held: Head, head: Head) -> Conflict:
        hint = "Throw away what is there of it, and copy anew, with: weft copy SOURCE TARGET --restart"
        if self._giver.head(held.seq) == held:
            moved = f"it was at change {held.seq}, and is at {head.seq}"
            return Conflict(f"The source has changed since this copy of it began: {moved}.", hint=hint)
        return Conflict("What is there is a half-made copy of another graph.", hint=hint)

    def _carry(self, mark: Mark) -> None:
        at = [table.name for table in TABLES].index(mark.table)
        self._tell(sum(self._counts[table.name] for table in TABLES[:at]), "")
        for table in TABLES[at:]:
            after = mark.after if table.name == mark.table else ()
            seen = _Sum()
            if not after:
                self._seen[table.name] = seen
            for page, rows in self._pages(table, after):
                seen.add(page)
                self._put(table, rows, Mark(head=mark.head, table=table.name, after=table.key_of(page[-1])))
                self._tell(len(page), f"copying {table.name}")
            self._taker.carried(table)

    def _pages(self, table: Table, after: Row) -> Iterator[tuple[list[Row], list[Row]]]:
        """Yield each page, and its rows as they are written; the next is read while one is being written."""

        def read(after: Row) -> tuple[list[Row], list[Row]]:
            page = self._giver.page(table, after)
            return page, (list(self._giver.worded(page)) if table is PASSAGE else page)

        with ThreadPoolExecutor(1) as ahead:
            coming = ahead.submit(read, after)
            while (turn := coming.result())[0]:
                coming = ahead.submit(read, table.key_of(turn[0][-1]))
                yield turn

    def _put(self, table: Table, rows: Iterable[Row], mark: Mark) -> None:
        try:
            self._taker.put(table, rows, mark.text())
        except InvalidArgument as error:
            raise InvalidArgument(
                f"The target's engine cannot hold a row of {table.name} up to {'/'.join(map(str, mark.after))}:"
                f" {error.message}",
                hint=error.hint,
            ) from error

    def _compared(self, table: Table, taken: Giver) -> Compared:
        """Compare a table with its copy; what was read as it was carried is not read again."""
        here = self._seen.get(table.name) or self._read(self._giver, table)
        there = self._read(taken, table)
        self._tell(self._counts.get(table.name, 0), f"comparing {table.name}")
        return _both(table.name, here, there)

    def _read(self, giver: Giver, table: Table) -> _Sum:
        read = _Sum()
        after: Row = ()
        while page := giver.page(table, after):
            read.add(page)
            after = table.key_of(page[-1])
            self._tell(0, f"comparing {table.name}")
        return read

    def _tell(self, done: int, what: str) -> None:
        self._done += done
        if self._report is not None:
            self._report(min(self._done, self._total), self._total, what)


class _Sum:
    """How many rows a table has, and the SHA-256 over them: one JSON array after the other, vectors in hexadecimal."""

    def __init__(self) -> None:
        self.rows = 0
        self._digest = sha256()

    def add(self, page: list[Row]) -> None:
        """Take the next rows in."""
        if any(isinstance(value, bytes) for value in page[0]):
            page = [tuple(value.hex() if isinstance(value, bytes) else value for value in row) for row in page]
        self._digest.update(("," if self.rows else "").encode() + json_text(page)[1:-1].encode())
        self.rows += len(page)

    def hex(self) -> str:
        """Return the digest."""
        return self._digest.hexdigest()


def _both(table: str, here: _Sum, there: _Sum) -> Compared:
    return Compared(table=table, rows=here.rows, digest=here.hex(), copied_rows=there.rows, copied_digest=there.hex())


def _facts(giver: Giver, taken: Giver) -> Compared:
    """Compare what is known of both graphs, but for their names."""
    return _both("meta", _known(giver), _known(taken))


def _known(giver: Giver) -> _Sum:
    known = _Sum()
    known.add(sorted(pair for pair in giver.facts().items() if pair[0] not in KEPT))
    return known
