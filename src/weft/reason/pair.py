"""Which relation two nodes of different kinds have that a recall brought together: a table over pairs of kinds.

Table and figures are the memory toolset's; what they leave open is said there.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.apart import numbered_apart
from weft.reason.compare import jaccard
from weft.reason.failing import failure
from weft.reason.finding import Action, Finding, ends_of, folded, shown
from weft.vocabulary import PAIR_CANDIDATES_MAX, PAIRS_MAX, RELATION_TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from weft.model import Node

__all__ = ["PAIR_FLOOR", "RELATED_FLOOR", "TROUBLE", "concludes", "could_pair", "pairs"]

PAIR_FLOOR: Final = 0.70
RELATED_FLOOR: Final = 0.80
POPULAR: Final = 10
"""A node with this many relations takes no further one from a keyword-only match."""

_LIKENESS: Final = "relates_to"
_SOLVES: Final = "solves"

TROUBLE: Final = frozenset({"problem", "error", "issue"})
"""The kinds that tell how things went wrong."""

_REMEDY: Final = frozenset({"solution", "fix"})
_PATTERN: Final = frozenset({"pattern", "code_pattern"})

# (kinds of the new node, kinds of the found node, type, whether it runs from found to new), first match counts.
_TABLE: Final = (
    (_REMEDY, TROUBLE, _SOLVES, False),
    (TROUBLE, _REMEDY, _SOLVES, True),
    (frozenset({"decision"}), _PATTERN | {"solution", "insight", "procedure"}, "builds_on", False),
    (_REMEDY | {"configuration", "procedure"}, _PATTERN | {"decision", "insight"}, "builds_on", False),
    (frozenset({"insight"}), _REMEDY | {"procedure"}, "builds_on", False),
)


class _Row(NamedTuple):
    """What the table says of two nodes: the type, whether it runs from found to new, and what becomes of it.

    ``failed`` are the words with which one of the two says that it did not help.
    """

    type: str
    reversed: bool = False
    action: Action = "create"
    failed: str = ""


def pairs(
    new: Node,
    others: Sequence[tuple[Node, float | None, bool]],
    *,
    popularity: Mapping[str, int],
    doubted: AbstractSet[str] = frozenset(),
) -> tuple[Finding, ...]:
    """Return at most three relations between ``new`` and the nodes a recall found, by the kinds of both.

    ``others`` are (node, calibrated similarity or None, whether only keywords matched), best first, of which five are
    looked at; ``popularity`` counts the relations a node has already. Nodes of the same kind are never paired, and
    requires and follows are never concluded. The similarity is the strength; a keyword-only match needs a shared tag
    (for relates_to nearly all), and its strength is the overlap of tags, marked by the score ``keyword_only``.

    A popular node is damped: its similarity is divided by 1 + 0.15 · log2(1 + n / 5) with n its relations before the
    floor (0.70, relates_to 0.80) and the order are looked at, so that the first few link freely and a hub only to what
    is nearly the same. Floors come before the cut to three. Where either says that a remedy did not help, it is only
    asked whether one solves the other. What is merely alike, while one goes by a number and the other speaks of other
    numbers of the kind (ISO 9001, ISO 9004), is no relates_to. Of ``doubted`` ids, whose kinds were guessed, the table
    only asks whether one solves the other: whether two such texts are of different kinds, and so related, would be
    chance.
    """
    looked_at = [each for each in others if each[0].id != new.id][:PAIR_CANDIDATES_MAX]
    tried = (
        _pair(
            new,
            other,
            row,
            similarity=None if keyword_only else similarity,
            degree=max(0, popularity.get(other.id, 0)),
        )
        for other, similarity, keyword_only in looked_at
        if (row := _row(new, other, doubted))
    )
    found = sorted(filter(None, tried), key=lambda item: (-item[0], item[1].source_id, item[1].target_id))
    return tuple(finding for _, finding in found[:PAIRS_MAX])


def concludes(new: Node, other: Node) -> bool:
    """Return whether the table says anything of the kinds of the two."""
    return bool(_row(new, other, frozenset()))


def could_pair(new: Node, other: Node, similarity: float, *, doubted: AbstractSet[str] = frozenset()) -> bool:
    """Return whether the table may join two nodes of this similarity (0..1), however popular the other is."""
    row = _row(new, other, doubted)
    return row is not None and similarity >= _floor(row.type) and not _apart(new, other, row.type)


def _apart(new: Node, other: Node, relation_type: str) -> bool:
    if relation_type != _LIKENESS:
        return False
    texts = {each.id: f"{each.title}\n{each.content}" for each in (new, other)}
    return numbered_apart(new.title, texts[other.id]) or numbered_apart(other.title, texts[new.id])


def _floor(relation_type: str) -> float:
    return RELATED_FLOOR if relation_type == _LIKENESS else PAIR_FLOOR


def _pair(new: Node, other: Node, row: _Row, *, similarity: float | None, degree: int) -> tuple[float, Finding] | None:
    damping = 1 + 0.15 * math.log2(1 + degree / 5)
    if similarity is None:
        strength = jaccard(folded(new.tags), folded(other.tags))
        telling = strength >= RELATED_FLOOR if row.type == _LIKENESS else strength > 0.0
        enough = telling and degree < POPULAR
        scores = (("tag_overlap", strength), ("keyword_only", 1.0), ("popularity", float(degree)))
    else:
        strength = max(0.0, min(1.0, similarity))
        enough = strength / damping >= _floor(row.type) and not _apart(new, other, row.type)
        scores = (("similarity", strength), ("damped", strength / damping), ("popularity", float(degree)))
    if not enough:
        return None
    source, target = (other, new) if row.reversed else (new, other)
    failed = failure(source, target, later=not row.reversed) if row.type == _SOLVES else ""
    row = row._replace(action="suggest", failed=failed) if failed else row
    return strength / damping, _paired(source, target, row, strength=strength, scores=scores)


def _row(new: Node, found: Node, doubted: AbstractSet[str]) -> _Row | None:
    if new.kind == found.kind:
        return None
    rows = (row for row in _TABLE if new.kind in row[0] and found.kind in row[1])
    _, _, relation_type, reversed_ = next(rows, (None, None, _LIKENESS, False))
    if doubted.isdisjoint((new.id, found.id)):
        return _Row(relation_type, reversed_)
    return _Row(_SOLVES, reversed_, "suggest") if relation_type == _SOLVES else None


def _paired(
    source: Node, target: Node, row: _Row, *, strength: float, scores: tuple[tuple[str, float], ...]
) -> Finding:
    """Return the finding; its reasoning names the ends as the table settled them, whatever order they are stored in."""
    arrow = "↔" if RELATION_TYPES[row.type].symmetric else "→"
    ground = f"{'similarity' if scores[0][0] == 'similarity' else 'keywords only, tag overlap'} {strength:.2f}"
    kinds = f"{source.kind} {row.type} {target.kind}"
    but = f", but one says «{row.failed}»" if row.failed else ""
    source_id, target_id = ends_of(source.id, target.id, row.type)
    return Finding(
        rule="kind_pair",
        source_id=source_id,
        target_id=target_id,
        type=row.type,
        confidence=strength,
        reasoning=(f"{shown(source.title)} {arrow} {shown(target.title)}: {kinds}, {ground}{but}."),
        scores=scores,
        action=row.action,
    )
