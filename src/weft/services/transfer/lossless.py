"""The whole graph as lines, of one moment and a page at a time: nothing but the page is held in memory."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from weft.formats.jsonl import End, Header, Series, Use, key_of, render, unknown
from weft.model import Evidence, Node, Relation, Source, Subject, Suggestion, Vote
from weft.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from weft.formats.jsonl import Former, Line
    from weft.model.codec import Value
    from weft.ports import Moment, Usage
    from weft.vocabulary import Own

__all__ = ["CHANGES", "PAGES", "lines", "nodes", "relations", "values"]

CHANGES: Final = 200
"""Changes that are read at once; each may hold a long text twice."""

PAGES: Final = {
    Subject.SOURCE: 20,
    Subject.NODE: 200,
    Subject.RELATION: 1_000,
    Subject.EVIDENCE: 500,
    Subject.SUGGESTION: 500,
    Subject.VOTE: 500,
}
"""Values of each kind that are read at once: fewer where they hold whole documents."""

_ORDER: Final = (
    Subject.SOURCE,
    Subject.NODE,
    Subject.RELATION,
    Subject.EVIDENCE,
    Subject.SUGGESTION,
    Subject.VOTE,
)


def lines(moment: Moment, usage: Usage, own: Own) -> Iterator[str]:
    """Yield the lines of :mod:`weft.formats.jsonl` for everything that the graph holds, its own vocabulary first.

    The log keeps names that were taken away since; they are told before what is written in them, or it could not be
    taken in anywhere.
    """
    counts: Counter[str] = Counter()
    for line in _with_former(_all(moment, usage, own), Vocabulary(lambda: own)):
        counts[key_of(line)] += 1
        yield render(line)
    yield render(End(counts={name: counts[name] for name in sorted(counts)}))


def _with_former(lines: Iterable[Line], vocabulary: Vocabulary) -> Iterator[Line]:
    told: set[Former] = set()
    for line in lines:
        for name in unknown(line, vocabulary):
            if name not in told:
                told.add(name)
                yield name
        yield line


def values(moment: Moment, subject: Subject) -> Iterator[Value]:
    """Yield all values of a kind in order of their keys, retired nodes too."""
    after: tuple[str, ...] = ()
    while page := moment.page(subject, after, limit=PAGES[subject]):
        yield from page
        after = _key(page[-1])


def nodes(moment: Moment) -> Iterator[Node]:
    """Yield all nodes that stand, in order of their ids."""
    for value in values(moment, Subject.NODE):
        if isinstance(value, Node) and value.retired is None:
            yield value


def relations(moment: Moment) -> Iterator[Relation]:
    """Yield all relations in order of their ids."""
    for value in values(moment, Subject.RELATION):
        if isinstance(value, Relation):
            yield value


def _all(moment: Moment, usage: Usage, own: Own) -> Iterator[Line]:
    yield Header()
    yield from own.rows
    seq = 0
    while changes := moment.changes(seq, limit=CHANGES):
        yield from changes
        seq = changes[-1].seq
    for subject in _ORDER:
        yield from values(moment, subject)
    yield from (Series(name=name, value=value) for name, value in moment.series().items())
    yield from _uses(moment, usage)


def _uses(moment: Moment, usage: Usage) -> Iterator[Use]:
    after: tuple[str, ...] = ()
    while page := moment.page(Subject.NODE, after, limit=PAGES[Subject.NODE]):
        ids = [node.id for node in page if isinstance(node, Node)]
        uses = usage.uses(ids)
        yield from (Use(node=id_, count=uses[id_][0], last=uses[id_][1]) for id_ in ids if id_ in uses)
        after = _key(page[-1])


def _key(value: Value) -> tuple[str, ...]:
    match value:
        case Vote(learned_id=learned_id, actor=actor):
            return (learned_id, actor)
        case Node() | Relation() | Source() | Evidence() | Suggestion():
            return (value.id,)
