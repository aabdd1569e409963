"""A look at a whole graph: the engine, the truth with the log, and everything derived with the truth.

It sees one moment, so that what others write meanwhile disturbs nothing. Nothing is changed here; :mod:`.mending` makes
anew what is derived. What is asked of each engine in its own way is said by :class:`Ground`.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from weft.errors import WeftError
from weft.model import Flaw
from weft.model.codec import digest_of, id_of, json_text, to_data
from weft.store.due import broken_vectors, expected_words
from weft.store.rows import evidence_of, node_of, relation_of, source_of, suggestion_of, vote_of
from weft.text.indexing import CUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from weft.model import Progress
    from weft.model.codec import Value
    from weft.store.engine import Reader

__all__ = ["ANEW", "DERIVED", "RESTORE", "Checkup", "Ground", "Words", "few"]

Words: TypeAlias = "Iterator[tuple[int, dict[str, Any]]]"
"""Rows of passages, ascending, each with the words that it should have."""

PAGE: Final = 500
NAMED_MAX: Final = 5
"""Examples that a finding names."""

_KINDS: Final[dict[str, tuple[str, Callable[[tuple[Any, ...]], Value]]]] = {
    "node": ("nodes_hashed", node_of),
    "relation": ("relations_hashed", relation_of),
    "source": ("sources_hashed", source_of),
    "evidence": ("evidence_hashed", evidence_of),
    "suggestion": ("suggestions_hashed", suggestion_of),
}
DERIVED: Final[Mapping[str, tuple[str, str]]] = {
    "tags_amiss": ("tags of nodes", "Asking by tag misses nodes, or finds wrong ones."),
    "references_amiss": ("references to files", "Asking by file misses nodes, or finds wrong ones."),
    "names_amiss": ("names of nodes", "Naming a node by title, alias or handle may not find it."),
    "subjects_amiss": ("subjects of suggestions", "A suggestion may not show beside the nodes that it is about."),
    "tally_amiss": ("kept counts", "What status and list_ontologies count is wrong."),
    "bands_amiss": ("counts of confidence", "The distribution of confidence in status is wrong."),
    "mentions_amiss": ("mentions of nodes that are not there", "Search may follow a mention to nothing."),
    "prints_amiss": ("prints of files", "A changed file may not be noticed."),
}
"""What is kept by triggers or found in the text: by the query that compares it, what it is and what a fault means."""

ANEW: Final = "No knowledge is lost: weft doctor --repair makes it anew."
RESTORE: Final = "Restore a backup, or compare with an export; nothing can make it anew."


class Ground(Protocol):
    """What an engine tells of its graph in its own way, at the moment that the look is of."""

    def version(self) -> tuple[str, int]:
        """Return the engine and its version, and the number of the graph's schema."""
        ...

    def engine(self) -> Iterator[Flaw]:
        """Yield what is wrong with the engine, and with how it keeps the graph."""
        ...

    def schema(self) -> Iterator[Flaw]:
        """Yield what the schema lacks, and what is in it that should not be."""
        ...

    def attempt(self) -> AbstractContextManager[None]:
        """Hold a block in which something may fail without disturbing what is read after it."""
        ...

    def words_off(self, due: Words) -> int:
        """Return how many passages have other words than these, or are not found by them."""
        ...

    def words_standing(self) -> Mapping[str, int]:
        """Return in how many passages each word stands."""
        ...


class Checkup:
    """One look at a graph through ``reader``, which is used by nobody else; ``report`` is told how far it is."""

    def __init__(self, reader: Reader, ground: Ground, report: Progress | None = None) -> None:
        self._reader = reader
        self._ground = ground
        self._report = report
        self.found: tuple[Flaw, ...] = ()
        self.engine, self.schema = ground.version()
        self.rows = self.changes = self.passages = 0
        self._done = 0

    def findings(self) -> tuple[Flaw, ...]:
        """Return everything that does not agree; an engine that cannot go on is a finding too."""
        found: list[Flaw] = []
        self.passages = self._reader.read("passages_counted")[0][0]
        looks = {
            "engine": self._of_the_engine,
            "schema": self._of_the_schema,
            "rows": self._of_the_rows,
            "log": self._of_the_log,
            "derived": self._of_what_is_derived,
            "passages": self._of_the_passages,
            "words": self._of_the_words,
            "receipts": self._of_the_receipts,
        }
        for part, look in looks.items():
            found += self._guarded(part, look)
        return tuple({finding.key: finding for finding in reversed(found)}.values())[::-1]

    def _guarded(self, part: str, look: Callable[[], Iterator[Flaw]]) -> list[Flaw]:
        try:
            with self._ground.attempt():
                return list(look())
        except (WeftError, ValueError, KeyError, TypeError) as error:
            return [_unreadable(part, error)]

    def _tell(self, done: int, what: str) -> None:
        self._done += done
        if self._report is not None:
            self._report(self._done, max(self._done, 2 * self.passages), what)

    def _of_the_engine(self) -> Iterator[Flaw]:
        self._tell(0, "the engine")
        return self._ground.engine()

    def _of_the_schema(self) -> Iterator[Flaw]:
        yield from self._ground.schema()
        if facts := [row[0] for row in self._reader.read("meta_missing")]:
            yield Flaw(
                part="schema",
                key="facts_missing",
                what=f"Facts about the graph are missing: {', '.join(facts)}.",
                meaning="Which model made the vectors, or which cut the words are of, is not known.",
                remedy=RESTORE,
            )

    # ---- the truth and the log

    def _of_the_rows(self) -> Iterator[Flaw]:
        """Compare each row with its hash, and with what the log last said of it."""
        for table, (query, value_of) in _KINDS.items():
            off: dict[str, list[str]] = {"hash": [], "log": []}
            after = ""
            while page := self._reader.read(query, after=after, limit=PAGE):
                self._tell(len(page), f"every {table}")
                self.rows += len(page)
                said = dict(self._reader.read("last_said", subject=table, ids=[row[0] for row in page]))
                for *row, digest in page:
                    text = json_text(to_data(value_of(tuple(row))))
                    off["hash"] += [row[0]] if digest != digest_of(text) else []
                    off["log"] += [row[0]] if said[row[0]] != text else []
                after = page[-1][0]
            yield from _rows_off(table, off)
        yield from self._of_the_votes()

    def _of_the_votes(self) -> Iterator[Flaw]:
        off: list[str] = []
        after = ("", "")
        while page := self._reader.read("archive_votes", after=after[0], after_too=after[1], limit=PAGE):
            votes = {id_of(vote): vote for vote in map(vote_of, page)}
            said = dict(self._reader.read("last_said", subject="vote", ids=list(votes)))
            off += [key for key, vote in votes.items() if said[key] != json_text(to_data(vote))]
            after = page[-1][:2]
        yield from _rows_off("vote", {"hash": [], "log": off})

    def _of_the_log(self) -> Iterator[Flaw]:
        self._tell(0, "the log")
        count, first, last, back = self._reader.read("log_ends")[0]
        self.changes = count
        if (first, last) != (1, count):
            yield _of_log("log_gaps", f"The log has {count} lines, numbered {first} to {last}: some are missing.")
        if back:
            yield _of_log("log_times", f"{back} lines of the log are dated before the line above.")
        if breaks := self._reader.read("log_breaks", limit=NAMED_MAX):
            named = few(f"line {seq} on {subject} {subject_id}" for seq, subject, subject_id in breaks)
            yield _of_log("log_breaks", f"Lines of the log do not begin where the last one ended: {named}.")
        if unheld := self._reader.read("log_unheld", limit=NAMED_MAX):
            named = few(f"{subject} {subject_id}" for subject, subject_id in unheld)
            yield Flaw(
                part="rows",
                key="rows_missing",
                what=f"The log tells of what is not there: {named}.",
                meaning="Something was removed past Weft; the log still holds it.",
                remedy=RESTORE,
            )

    # ---- what is derived

    def _of_what_is_derived(self) -> Iterator[Flaw]:
        self._tell(0, "what is derived")
        for key, (name, meaning) in DERIVED.items():
            surplus, missing = self._reader.read(key)[0]
            if surplus or missing:
                yield Flaw(
                    part="mentions" if key == "mentions_amiss" else "derived",
                    key=key,
                    what=f"The {name} are off: {surplus} too many, {missing} missing.",
                    meaning=meaning,
                    remedy=ANEW,
                    derived=True,
                )

    def _of_the_passages(self) -> Iterator[Flaw]:
        lacking = [row[0] for row in self._reader.read("passages_lacking")]
        (surplus,) = self._reader.read("passages_surplus")[0]
        broken = broken_vectors(self._reader.read, lambda count: self._tell(count, "vectors"))
        said = (
            ("passages_lacking", len(lacking), f"standing nodes have no passage ({few(lacking)})"),
            ("passages_surplus", surplus, "passages stand of nodes that left"),
            ("vectors_broken", len(broken), "vectors of passages are no vectors of this model"),
        )
        for key, count, what in said:
            if count:
                yield Flaw(
                    part="passages",
                    key=key,
                    what=f"{count} {what}.",
                    meaning="Search does not find these nodes by meaning, or finds what left.",
                    remedy=ANEW,
                    derived=True,
                )

    def _of_the_words(self) -> Iterator[Flaw]:
        """Compare the words of each passage with its text: how many there are, and in how many passages each stands."""
        frequencies: Counter[str] = Counter()
        wrong = self._ground.words_off(self._words_due(frequencies))
        kept, held = dict(self._reader.read("terms_kept")), self._ground.words_standing()
        off = sum(kept.get(term) != count or held.get(term) != count for term, count in frequencies.items())
        off += len((kept.keys() | held.keys()) - frequencies.keys())
        cut = dict(self._reader.read("meta_values")).get("words")
        if wrong or off or cut != CUT:
            yield Flaw(
                part="words",
                key="words_amiss",
                what=f"The words of {wrong} passages and the frequencies of {off} words are not those of the text.",
                meaning="Search by words misses nodes, or finds wrong ones.",
                remedy=ANEW,
                derived=True,
            )

    def _words_due(self, frequencies: Counter[str]) -> Words:
        """Yield the words that each passage should have, and count in ``frequencies`` in how many each one stands."""
        for row, values in expected_words(self._reader.read):
            frequencies.update(json.loads(values["terms"]))
            yield row, values
            self._tell(1, "words")

    def _of_the_receipts(self) -> Iterator[Flaw]:
        if count := sum(not (_is_json(answer) and _is_json(subjects)) for answer, subjects in self._receipts()):
            yield Flaw(
                part="receipts",
                key="receipts_amiss",
                what=f"{count} receipts hold no answer that can be read.",
                meaning="A repeated call with such a receipt fails; no knowledge is lost.",
                remedy="Callers should use a new idempotency key; the old answer is gone.",
            )

    def _receipts(self) -> Iterator[tuple[str, str]]:
        """Yield the answer of each receipt, and what it is about."""
        place = ("", "", "")
        while page := self._reader.read("receipts_after", actor=place[0], tool=place[1], key=place[2], limit=PAGE):
            yield from ((answer, subjects) for *_, answer, subjects, _ in page)
            place = page[-1][:3]


def _unreadable(part: str, error: Exception) -> Flaw:
    """Return that a part of the graph cannot be looked at; of all parts only the words can be made anew then."""
    words = part == "words"
    return Flaw(
        part="words" if words else "engine",
        key="words_damaged" if words else f"unreadable_{part}",
        what=f"A part of the graph cannot be read: {error}",
        meaning="The graph is damaged there.",
        remedy=ANEW if words else RESTORE,
        derived=words,
    )


def _is_json(text: str) -> bool:
    """Return whether a text can be read; PostgreSQL itself can be asked so only from 16 on."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _rows_off(table: str, off: dict[str, list[str]]) -> Iterator[Flaw]:
    if off["hash"]:
        yield Flaw(
            part="rows",
            key=f"{table}_hash",
            what=f"{len(off['hash'])} rows of {table} are not those that were hashed ({few(off['hash'])}).",
            meaning="They changed past Weft: another program, or a failing disk.",
            remedy="See what the log says (weft fetch shows the history), and restore a backup.",
        )
    if off["log"]:
        yield Flaw(
            part="rows",
            key=f"{table}_log",
            what=f"{len(off['log'])} rows of {table} are not what the log last said ({few(off['log'])}).",
            meaning="Either the row or the log changed past Weft; undo and «as of» may be wrong for it.",
            remedy="Compare with a backup, and restore it where that is right.",
        )


def _of_log(key: str, what: str) -> Flaw:
    return Flaw(
        part="log",
        key=key,
        what=what,
        meaning="Undo, «as of» and the history are wrong for what these lines are about.",
        remedy=RESTORE,
    )


def few(names: Iterable[object]) -> str:
    """Return the first five of ``names``, and how many more there are."""
    listed = [str(name) for name in names]
    more = f" and {len(listed) - NAMED_MAX} more" if len(listed) > NAMED_MAX else ""
    return ", ".join(listed[:NAMED_MAX]) + more
