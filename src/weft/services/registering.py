"""What a graph may register as its own vocabulary: a row is checked against what is known, and written once.

A graph's own rows widen the vocabulary and never bend it: no name that is spoken for already is given another sense.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from weft.errors import InvalidArgument
from weft.model import Tier
from weft.services.drafting import line, refuse_outside
from weft.vocabulary import (
    KIND_FAMILIES,
    RELATION_FAMILIES,
    STANDARD,
    Kind,
    RelationType,
    entry_of,
    folded,
    key_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from weft.model import Call
    from weft.ports import Config
    from weft.vocabulary import Row, Vocabulary

__all__ = ["KINDS_MAX", "TYPES_MAX", "checked", "register"]

KINDS_MAX: Final = 50
"""Kinds that one graph registers: each costs its exemplars' vectors, and a classifier has to tell it from the rest."""

TYPES_MAX: Final = 100
"""Relation types that one graph registers."""

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{1,39}")
_NAME_RULE: Final = "2 to 40 of the characters a-z, 0-9 and _, a letter first"
_SHOWN_MAX: Final = 60
_MEANING_MAX: Final = 200
_EXEMPLARS_MAX, _EXEMPLAR_MAX = 5, 300
_KEYWORDS_MAX, _KEYWORD_MAX = 20, 60
_ALIASES_MAX: Final = 20
_WEIGHT_MAX: Final = 0.3  # that of a decision, the heaviest of the standard ones
_POLARITIES: Final = (-1, 0, 1)
# A plural names a folder of the vault, and these are none on Windows.
_DEVICES: Final = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))})

R = TypeVar("R", Kind, RelationType)


def register(row: Row, vocabulary: Vocabulary, *, config: Config, call: Call) -> bool:
    """Enter ``row`` in the configuration of the graph whose vocabulary this is, and return whether that was needed.

    What stands there already in the very same form needs no tier. Another definition under the name of one of the
    graph's own takes its place.

    Raises:
        InvalidArgument: the row cannot be registered; see :func:`checked`.
        PermissionDenied: there is something to write, and the tier is below curator.
    """
    vocabulary.refresh()
    wanted = checked(row, vocabulary)
    if wanted in vocabulary.own.rows:
        return False
    call.require(Tier.CURATOR, f"registering {key_of(wanted)}")
    config.save(key_of(wanted), entry_of(wanted), tier=call.tier)
    vocabulary.refresh()
    return True


def checked(row: Row, vocabulary: Vocabulary) -> Row:
    """Return ``row`` as it may be registered beside what ``vocabulary`` knows: names folded, texts clean, on one line.

    A row of the graph's own with the same name is what it would replace, and is left out of the comparison.

    Raises:
        InvalidArgument: a name is malformed or spoken for, a value is out of bounds, the properties of a relation type
            would make conclusions that do not hold, or the graph has as many rows as it may. The message names the
            field, what is allowed, and whose a name is.
    """
    return _kind(row, vocabulary) if isinstance(row, Kind) else _type(row, vocabulary)


def _kind(row: Kind, vocabulary: Vocabulary) -> Kind:
    name, plural = _name(row.name, "name"), _name(row.plural, "plural")
    _refuse_standard(name, STANDARD.kinds, "kind")
    others = _others(vocabulary.kinds, name)
    _refuse_full(vocabulary.own.kinds, name, most=KINDS_MAX, what="kinds")
    spoken = {each.plural: f"the plural of the kind {each.name}" for each in others}
    spoken |= {each.name: f"the kind {each.name}" for each in others}
    _refuse_spoken("name", (name,), spoken | {each: f"the relation type {each}" for each in vocabulary.types})
    _refuse_spoken("plural", (plural,), spoken)
    if plural in _DEVICES:
        raise InvalidArgument(f"plural: {plural} names no folder on Windows; take another.")
    refuse_outside(row.weight, 0, _WEIGHT_MAX, field="weight")
    return replace(
        row,
        name=name,
        plural=plural,
        family=_one_of(row.family, KIND_FAMILIES, "family"),
        meaning=_meaning(row.meaning),
        exemplars=_texts(row.exemplars, field="exemplars", limit=_EXEMPLAR_MAX, most=_EXEMPLARS_MAX),
        keywords=_texts(row.keywords, field="keywords", limit=_KEYWORD_MAX, most=_KEYWORDS_MAX),
        weight=float(row.weight),
    )


def _type(row: RelationType, vocabulary: Vocabulary) -> RelationType:
    name, inverse, aliases = _name(row.name, "name"), _name(row.inverse, "inverse"), _aliases(row.aliases)
    _refuse_standard(name, STANDARD.types, "relation type")
    others = _others(vocabulary.types, name)
    _refuse_full(vocabulary.own.types, name, most=TYPES_MAX, what="relation types")
    spoken = {alias: f"an alias of the relation type {each.name}" for each in others for alias in each.aliases}
    spoken |= {each.inverse: f"the inverse of the relation type {each.name}" for each in others}
    spoken |= {each.name: f"the relation type {each.name}" for each in others}
    _refuse_spoken("name", (name,), spoken | {each: f"the kind {each}" for each in vocabulary.kinds})
    _refuse_spoken("inverse", (inverse,), spoken)
    _refuse_spoken("aliases", aliases, spoken)
    if {name, inverse} & set(aliases):
        raise InvalidArgument("aliases: the name and the inverse are no aliases of themselves.")
    made = replace(
        row,
        name=name,
        inverse=inverse,
        aliases=aliases,
        family=_one_of(row.family, RELATION_FAMILIES, "family"),
        meaning=_meaning(row.meaning),
        source_kinds=_kinds(row.source_kinds, vocabulary, "source_kinds"),
        target_kinds=_kinds(row.target_kinds, vocabulary, "target_kinds"),
    )
    _refuse_unsound(made, next((each for each in vocabulary.own.types if each.name == name), made))
    return made


def _refuse_unsound(row: RelationType, before: RelationType) -> None:
    """Refuse properties that contradict each other, or what relations that stand were written by."""
    if row.polarity not in _POLARITIES:
        raise InvalidArgument(f"polarity must be -1, 0 or 1, got {row.polarity}.")
    if row.symmetric != (row.inverse == row.name):
        raise InvalidArgument("inverse: a symmetric type is its own inverse, and no other type is.")
    if row.transitive and row.polarity < 0:
        raise InvalidArgument(
            "transitive: a type that speaks against cannot be transitive; what speaks against an opponent does not"
            " speak against whom he opposes."
        )
    if row.transitive and row.symmetric and row.polarity:
        raise InvalidArgument(
            "transitive: a symmetric type with a polarity would have everything speak for everything."
        )
    if row.symmetric != before.symmetric:
        raise InvalidArgument(
            f"symmetric: {row.name} is registered as {'directed' if row.symmetric else 'symmetric'}, and relations are"
            " stored so.",
            hint="Register it under another name, or remove it first.",
        )


def _name(said: str, field: str) -> str:
    name = folded(said)
    if not _NAME.fullmatch(name):
        raise InvalidArgument(f"{field}: {said[:_SHOWN_MAX]!a} is no name; a name is {_NAME_RULE}.")
    return name


def _aliases(said: tuple[str, ...]) -> tuple[str, ...]:
    _refuse_many(said, field="aliases", most=_ALIASES_MAX)
    return tuple(dict.fromkeys(_name(alias, "aliases") for alias in said))


def _kinds(said: tuple[str, ...], vocabulary: Vocabulary, field: str) -> tuple[str, ...]:
    _refuse_many(said, field=field, most=len(vocabulary.kinds))
    return tuple(dict.fromkeys(_one_of(folded(kind), vocabulary.kinds, field) for kind in said))


def _one_of(said: str, known: Iterable[str], field: str) -> str:
    if said not in (allowed := tuple(known)):
        raise InvalidArgument(f"{field}: {said[:_SHOWN_MAX]!a} is not known. Allowed: {', '.join(allowed)}.")
    return said


def _meaning(said: str) -> str:
    meaning = line(said, field="meaning", limit=_MEANING_MAX)
    if not meaning:
        raise InvalidArgument(f"meaning is empty; say in 1 to {_MEANING_MAX} characters what it means.")
    return meaning


def _texts(said: tuple[str, ...], *, field: str, limit: int, most: int) -> tuple[str, ...]:
    _refuse_many(said, field=field, most=most)
    return tuple(dict.fromkeys(filter(None, (line(each, field=field, limit=limit) for each in said))))


def _refuse_many(said: tuple[str, ...], *, field: str, most: int) -> None:
    if len(said) > most:
        raise InvalidArgument(f"{field}: {len(said)} given, at most {most} are allowed.")


def _others(rows: Mapping[str, R], name: str) -> tuple[R, ...]:
    return tuple(each for each in rows.values() if each.name != name)


def _refuse_standard(name: str, standard: Mapping[str, Row], what: str) -> None:
    if name in standard:
        raise InvalidArgument(f"name: {name} is a standard {what}, and means the same in every graph.")


def _refuse_full(own: tuple[Row, ...], name: str, *, most: int, what: str) -> None:
    if len({each.name for each in own} - {name}) >= most:
        raise InvalidArgument(
            f"name: the graph has {most} {what} of its own, which is as many as it may have.",
            hint="Remove one that is not used.",
        )


def _refuse_spoken(field: str, names: Iterable[str], spoken: Mapping[str, str]) -> None:
    for name in names:
        if name in spoken:
            raise InvalidArgument(f"{field}: {name} is taken, it is {spoken[name]}.")
