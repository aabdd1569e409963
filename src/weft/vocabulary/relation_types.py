"""Every relation type the graph knows, as data: one row a type, grouped in families."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RELATION_FAMILIES", "RELATION_TYPES", "RelationType"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationType:
    """What ``source —name→ target`` says, and what may be concluded from it.

    ``inverse`` is the label seen from the target; a symmetric type is its own inverse and has no direction.
    ``polarity`` is +1 where the source speaks for the target, −1 where it speaks against it, 0 elsewhere.
    ``transitive``: a→b and b→c together imply a→c. ``source_kinds`` and ``target_kinds`` name the kinds it fits best
    (empty: any); that is advice, never a ground for refusal. ``aliases`` are true synonyms, in folded spelling.
    """

    name: str
    family: str
    inverse: str
    meaning: str
    symmetric: bool = False
    polarity: int = 0
    transitive: bool = False
    source_kinds: tuple[str, ...] = ()
    target_kinds: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def telling(self) -> bool:
        """Whether it says what the one is to the other; ``relates_to`` and its like only say that they are together."""
        return self.polarity != 0 or not (self.symmetric or self.family == "likeness")

    @property
    def changing(self) -> bool:
        """Whether the source changes or ends what the target says, or comes after it: it is expected to differ."""
        return self.family in {"cause", "order"}


RELATION_FAMILIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "argument": "one statement speaks for or against another",
        "growth": "one thing is developed out of another that stays valid",
        "dependence": "one thing does not work, or not fully, without another",
        "structure": "one thing is a part or a realisation of another",
        "cause": "one thing brings another about, changes it or ends it",
        "order": "one thing comes after another or takes its place",
        "likeness": "two things belong together or could stand for each other",
        "origin": "one thing was made out of another",
        "synthesis": "somebody saw a connection that no document states",
    }
)

_TROUBLE: Final = ("problem", "error", "issue")
_REMEDY: Final = ("solution", "fix", "decision", "procedure", "configuration", "workflow", "pattern", "code_pattern")
_BUILT: Final = ("component", "configuration", "workflow", "procedure", "code_pattern")

_ROWS: Final = (
    RelationType(
        name="supports",
        family="argument",
        inverse="supported_by",
        polarity=1,
        meaning="the source is evidence or argument for the target",
    ),
    RelationType(
        name="refutes",
        family="argument",
        inverse="refuted_by",
        polarity=-1,
        meaning="the source is evidence or argument against the target",
        aliases=("disproves",),
    ),
    RelationType(
        name="contradicts",
        family="argument",
        inverse="contradicts",
        symmetric=True,
        polarity=-1,
        meaning="the two cannot both be true",
        aliases=("conflicts_with",),
    ),
    RelationType(
        name="implies",
        family="argument",
        inverse="implied_by",
        polarity=1,
        transitive=True,
        meaning="if the source is true, so is the target",
        aliases=("entails",),
    ),
    RelationType(
        name="extends",
        family="growth",
        inverse="extended_by",
        polarity=1,
        transitive=True,
        meaning="the source carries the target's idea further",
    ),
    RelationType(
        name="builds_on",
        family="growth",
        inverse="foundation_of",
        polarity=1,
        transitive=True,
        meaning="the source starts from what the target achieved",
    ),
    RelationType(
        name="depends_on",
        family="dependence",
        inverse="dependency_of",
        transitive=True,
        meaning="the source does not work without the target",
        source_kinds=_BUILT,
        target_kinds=_BUILT,
    ),
    RelationType(
        name="requires",
        family="dependence",
        inverse="required_by",
        transitive=True,
        meaning="the target has to be there or done before the source",
    ),
    RelationType(
        name="uses",
        family="dependence",
        inverse="used_by",
        meaning="the source makes use of the target, and could use something else",
    ),
    RelationType(
        name="part_of",
        family="structure",
        inverse="has_part",
        transitive=True,
        meaning="the source is a part of the target",
        aliases=("is_part_of",),
    ),
    RelationType(
        name="implements",
        family="structure",
        inverse="implemented_by",
        meaning="the source realises what the target describes",
        source_kinds=_BUILT,
        target_kinds=("decision", "pattern", "convention", "concept"),
    ),
    RelationType(
        name="causes",
        family="cause",
        inverse="caused_by",
        transitive=True,
        meaning="the source brings the target about",
    ),
    RelationType(
        name="solves",
        family="cause",
        inverse="solved_by",
        meaning="the source ends or prevents the trouble that the target describes",
        source_kinds=_REMEDY,
        target_kinds=_TROUBLE,
    ),
    RelationType(
        name="affects",
        family="cause",
        inverse="affected_by",
        meaning="the source changes what holds for the target",
        source_kinds=("decision", "convention", "configuration", *_TROUBLE),
    ),
    RelationType(
        name="supersedes",
        family="order",
        inverse="superseded_by",
        transitive=True,
        meaning="the source takes the place of the target, which no longer stands",
        aliases=("obsoletes", "replaces"),
    ),
    RelationType(
        name="follows",
        family="order",
        inverse="precedes",
        transitive=True,
        meaning="the source comes after the target in time or in a sequence",
    ),
    RelationType(
        name="relates_to",
        family="likeness",
        inverse="relates_to",
        symmetric=True,
        meaning="the two have to do with each other",
        aliases=("is_related_to", "related", "related_to"),
    ),
    RelationType(
        name="alternative_to",
        family="likeness",
        inverse="alternative_to",
        symmetric=True,
        meaning="either could be chosen instead of the other",
        aliases=("is_alternative_to",),
    ),
    RelationType(
        name="derived_from",
        family="origin",
        inverse="origin_of",
        transitive=True,
        meaning="the source came out of the target",
        aliases=("derives_from", "is_derived_from"),
    ),
    RelationType(
        name="synthesized_from",
        family="synthesis",
        inverse="synthesized_into",
        meaning="the source is a new concept that joins the target with others",
    ),
    RelationType(
        name="bridges",
        family="synthesis",
        inverse="bridges",
        symmetric=True,
        meaning="the two belong together across two ontologies",
    ),
    RelationType(
        name="learned_connection",
        family="synthesis",
        inverse="learned_connection",
        symmetric=True,
        meaning="a person or an agent discovered that the two are connected",
    ),
)

RELATION_TYPES: Final[Mapping[str, RelationType]] = MappingProxyType({row.name: row for row in _ROWS})
