"""From the tags and ontologies that somebody asks for to those that nodes have: case does not matter.

What no node has is told with what comes near, since finding nothing looks like an answer otherwise.
"""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.errors import Ambiguous, NotFound
from weft.services.naming import shown
from weft.text import fold
from weft.text.casing import beginnings, caseless

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Filter
    from weft.ports import Shelf

__all__ = ["Unknown", "ontology_named", "spelt"]

_CASED: Final = 4
"""Letters at the beginning of a name of which every case is looked up: sixteen beginnings in most scripts.
The usual cases of the whole name are looked up besides, so that a bound met among these beginnings hides none."""

_READ_MAX: Final = 300  # names that begin so
_BELOW_MAX: Final = 200  # tags below one
_COMPARED_MAX: Final = 2_000  # names in use that an unknown one is compared with
_NEAR_MAX: Final = 3
_LIKENED_MAX: Final = 40  # characters of a name that are likened: what that costs grows with their square
_NEAR_MIN: Final = 0.6  # likeness of two names, as difflib measures it
_PART_MIN: Final = 3  # characters that a name must have for another to be near for beginning with it
_LISTED_MAX: Final = 20  # names in use that are told where none comes near
_TOLD_MAX: Final = 5  # unknown names that are told with what comes near, each compared with all in use

_SINGULAR: Final = {"tags": "tag", "ontologies": "ontology"}


class Unknown(NamedTuple):
    """What a filter asks for that no node has. ``all_out``: so that nothing can pass it."""

    warning: str = ""
    all_out: bool = False


def spelt(filter: Filter, shelf: Shelf) -> tuple[Filter, Unknown]:  # noqa: A002 - the field's word
    """Return ``filter`` with its tags and ontologies as nodes spell them, and what no node has.

    Where nodes spell one in several ways, all of them count. In the past (``as_of``) names may have been in use that
    no node has now, so the given ones count too and none is unknown. A filter without tags and ontologies costs
    nothing.
    """
    if not filter.tags and not filter.ontologies:
        return filter, Unknown()
    past = filter.as_of is not None
    tags = {name: _tags(shelf, name, given=past) for name in filter.tags}
    ontologies = {name: _spellings(shelf, "ontologies", name, given=past) for name in filter.ontologies}
    found = replace(
        filter,
        tags=tuple(spellings[0] for spellings in tags.values() if len(spellings) == 1),
        tags_alike=(*filter.tags_alike, *(spellings for spellings in tags.values() if len(spellings) > 1)),
        ontologies=tuple(dict.fromkeys(one for spellings in ontologies.values() for one in spellings)),
    )
    lacking = [("tags", name) for name, spellings in tags.items() if not spellings]
    lacking += [("ontologies", name) for name, spellings in ontologies.items() if not spellings]
    out = not all(tags.values()) or (bool(ontologies) and not found.ontologies)
    told = [_told(shelf, what, name) for what, name in lacking[:_TOLD_MAX]]
    if more := len(lacking) - len(told):
        told.append(f"{more} more of these names no node has either.")
    return found, Unknown(warning=" ".join(told), all_out=out)


def ontology_named(shelf: Shelf, name: str, *, field: str) -> str:
    """Return the ontology that ``name`` means: the one of this name, else the one that differs in case alone.

    Raises:
        NotFound: no node has it; the message names what comes near.
        Ambiguous: several are spelt alike, none of them so.
    """
    if shelf.names_used("ontologies", (name,), limit=1) == (name,):
        return name
    spellings = _spellings(shelf, "ontologies", name)
    if len(spellings) == 1:
        return spellings[0]
    if spellings:
        meant = ", ".join(map(shown, sorted(spellings)))
        raise Ambiguous(f"{field} {shown(name)} may mean {meant}.", hint="Give one of them as it is spelt.")
    raise NotFound(f"{field}: {_told(shelf, 'ontologies', name)}")


def _tags(shelf: Shelf, name: str, *, given: bool) -> tuple[str, ...]:
    """Return the spellings of a tag, and the tags below it (``diary`` holds ``diary/2026``), ``_BELOW_MAX`` at most.

    One with a ``#`` before it that no node has means the tag without.
    """
    bare = name.lstrip("#").lstrip() or name
    found = _spellings(shelf, "tags", name, given=given and bare == name) or _spellings(
        shelf, "tags", bare, given=given
    )
    above = dict.fromkeys((*found, bare, bare.lower(), bare.capitalize()))
    below = shelf.names_used("tags", [f"{each}/" for each in above], limit=_BELOW_MAX)
    return tuple(dict.fromkeys((*found, *below)))


def _spellings(shelf: Shelf, what: str, name: str, *, given: bool = False) -> tuple[str, ...]:
    wanted = caseless(name)
    usual = (name, name.lower(), name.upper(), name.title(), name.capitalize())
    used = shelf.names_used(what, (*usual, *beginnings(name, length=_CASED)), limit=_READ_MAX)
    found = tuple(one for one in used if caseless(one) == wanted)
    return (name, *found) if given and name not in found else found


def _told(shelf: Shelf, what: str, name: str) -> str:
    used = shelf.names_used(what, ("",), limit=_COMPARED_MAX)
    near = _near(name, used)
    hint = f"; near: {', '.join(map(shown, near))}" if near else _listed(used)
    return f"No node has the {_SINGULAR[what]} {shown(name)}{hint}."


def _near(name: str, used: Sequence[str]) -> list[str]:
    """Return the names in use that come near ``name``: those of which one begins the other first, then the likest."""
    wanted, folded = fold(name), {fold(one): one for one in used}
    parts = [one for one in folded if min(len(one), len(wanted)) >= _PART_MIN and _begins(one, wanted)]
    heads = {one[:_LIKENED_MAX]: one for one in folded}
    likest = difflib.get_close_matches(wanted[:_LIKENED_MAX], heads, n=_NEAR_MAX, cutoff=_NEAR_MIN)
    near = dict.fromkeys((*sorted(parts, key=len), *(heads[head] for head in likest)))
    return [folded[one] for one in near][:_NEAR_MAX]


def _listed(used: Sequence[str]) -> str:
    more = " and others" if len(used) > _LISTED_MAX else ""
    return f"; there are: {', '.join(map(shown, used[:_LISTED_MAX]))}{more}" if used else "; there are none yet"


def _begins(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)
