"""What callers hand in, cleaned and bounded before anything is planned. Nothing here reads the graph."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Final

from weft import text
from weft.errors import InvalidArgument
from weft.model import Linking, Scope, Status
from weft.reason.heading import head
from weft.reason.numbering import numbered
from weft.reason.record import titled
from weft.services.passages import title_of
from weft.vocabulary import (
    ALIAS_MAX,
    ALIASES_MAX,
    CITATION_MAX,
    CONTENT_MAX,
    LIST_MAX,
    NAME_MAX,
    OFFSET_MAX,
    REASON_MAX,
    REFERENCE_MAX,
    REFERENCES_MAX,
    RELATIONS_MAX,
    SEARCH_TERMS_MAX,
    TAG_MAX,
    TAGS_MAX,
    TITLE_MAX,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import CaptureRequest, Page, RelationWish, UpdateRequest
    from weft.vocabulary import Vocabulary

__all__ = [
    "CHANNELS",
    "capture_request",
    "checked_page",
    "file_path",
    "file_paths",
    "fraction",
    "known_as",
    "line",
    "lines",
    "own_numbers",
    "refuse_outside",
    "refuse_unknown",
    "required",
    "scope_named",
    "several",
    "update_request",
]

CHANNELS: Final = ("manual", "hook_commit", "hook_file_change")
"""The ways a capture may come in; the classifier weighs them."""

_SHOWN_MAX: Final = 60  # characters of a refused word that are repeated


def capture_request(request: CaptureRequest, vocabulary: Vocabulary) -> CaptureRequest:
    """Return ``request`` with clean texts, a title, names that ``vocabulary`` knows and values within bounds.

    Raises:
        InvalidArgument: the content says nothing, or a value is malformed, unknown or out of bounds.
    """
    content = required(request.content, field="content", limit=CONTENT_MAX)
    refuse_unknown(request.channel, CHANNELS, field="channel")
    refuse_unknown(request.linking, Linking, field="linking")
    if len(request.relations) > RELATIONS_MAX:
        raise InvalidArgument(f"relations: {len(request.relations)} given, at most {RELATIONS_MAX} in one capture.")
    title = line(request.title, field="title", limit=TITLE_MAX) or title_of(content)
    return replace(
        request,
        content=content,
        title=title,
        kind=vocabulary.kind_named(request.kind).name if text.as_text(request.kind, field="kind").strip() else "",
        ontology=line(request.ontology, field="ontology", limit=NAME_MAX),
        tags=_tags(request.tags),
        search_terms=lines(request.search_terms, field="search_terms", limit=TAG_MAX, most=SEARCH_TERMS_MAX),
        aliases=known_as(
            lines(request.aliases, field="aliases", limit=ALIAS_MAX, most=ALIASES_MAX), own_numbers(title, content)
        ),
        references=lines(request.references, field="references", limit=REFERENCE_MAX, most=REFERENCES_MAX),
        citation=line(request.citation, field="citation", limit=CITATION_MAX),
        confidence=fraction(request.confidence, field="confidence"),
        importance=fraction(request.importance, field="importance"),
        relations=tuple(_wish(wish, vocabulary) for wish in request.relations),
        linking=Linking(request.linking),
        among=several(request.among, field="among"),
    )


def own_numbers(title: str, content: str) -> tuple[str, ...]:
    """Return the numbers that a node gives itself in its first line and in its title (``ADR-12``)."""
    return tuple(dict.fromkeys(filter(None, (head(content), titled(title)))))


def known_as(aliases: tuple[str, ...], numbers: Iterable[str]) -> tuple[str, ...]:
    """Return ``aliases`` with the ``numbers`` that a node gives itself: others name it by these."""
    known = set(map(numbered, aliases))
    added = [each.replace("-", " ") for each in numbers if each not in known]
    return (*aliases, *added[: max(ALIASES_MAX - len(aliases), 0)])


def update_request(request: UpdateRequest, vocabulary: Vocabulary) -> UpdateRequest:
    """Return ``request`` with clean texts, names that ``vocabulary`` knows and values within bounds; None stays None.

    Raises:
        InvalidArgument: a value is malformed, unknown or out of bounds, or a field that must say something is blank.
    """
    if request.status is not None:
        refuse_unknown(request.status, Status, field="status")
    return replace(
        request,
        title=_given(request.title, field="title", limit=TITLE_MAX),
        content=None if request.content is None else required(request.content, field="content", limit=CONTENT_MAX),
        kind=None if request.kind is None else vocabulary.kind_named(request.kind).name,
        ontology=_given(request.ontology, field="ontology", limit=NAME_MAX),
        tags=None if request.tags is None else _tags(request.tags),
        references=None
        if request.references is None
        else lines(request.references, field="references", limit=REFERENCE_MAX, most=REFERENCES_MAX),
        status=None if request.status is None else Status(request.status),
        confidence=fraction(request.confidence, field="confidence"),
        importance=fraction(request.importance, field="importance"),
    )


def required(value: str, *, field: str, limit: int) -> str:
    """Return the clean form of a text that must say something, its lines kept; see :func:`weft.text.clean`."""
    cleaned = text.clean(value, field=field, limit=limit)
    if not cleaned.strip():
        raise InvalidArgument(f"{field} is empty; give 1 to {limit:,} characters.")
    return cleaned


def line(value: str, *, field: str, limit: int) -> str:
    """Return ``value`` clean and on one line, white space runs made one; it may be empty."""
    return " ".join(text.clean(value, field=field, limit=limit).split())


def lines(values: Sequence[str], *, field: str, limit: int, most: int) -> tuple[str, ...]:
    """Return each of ``values`` clean and on one line, blanks and repetitions left out, order kept.

    Raises:
        InvalidArgument: one is longer than ``limit`` characters, or there are more than ``most``; see :func:`several`.
    """
    given = several(values, field=field)
    kept = tuple(dict.fromkeys(filter(None, (line(value, field=field, limit=limit) for value in given))))
    if len(kept) > most:
        raise InvalidArgument(f"{field}: {len(kept)} given, at most {most} are kept on a node.")
    return kept


def _tags(values: Sequence[str]) -> tuple[str, ...]:
    """Return tags as they are kept: each in one case, without the mark ``#`` that says in a text that a tag follows."""
    given = (each.lstrip("#").lstrip() for each in lines(values, field="tags", limit=TAG_MAX, most=TAGS_MAX))
    spelt: dict[str, str] = {}
    for each in filter(None, given):
        spelt.setdefault(each.casefold(), each)
    return tuple(spelt.values())


def several(values: object, *, field: str) -> tuple[str, ...]:
    """Return ``values``; whether each is a text is not looked at.

    Raises:
        InvalidArgument: they are one text, which would be taken letter by letter, or nothing that holds several.
    """
    if isinstance(values, str):
        raise InvalidArgument(f"{field} must be a tuple of texts, such as {(values,)!a:.60}, not {values!a:.60}.")
    if isinstance(values, bytes) or not isinstance(values, Iterable):
        raise InvalidArgument(f"{field} must be a tuple of texts, not {values!a:.60}.")
    return tuple(values)


def file_path(value: object, *, field: str) -> Path:
    """Return ``value``.

    Raises:
        InvalidArgument: it is no :class:`pathlib.Path`.
    """
    if not isinstance(value, Path):
        raise InvalidArgument(f"{field} must be a pathlib.Path, not {value!a:.60}.")
    return value


def file_paths(values: object, *, field: str) -> tuple[Path, ...]:
    """Return ``values``.

    Raises:
        InvalidArgument: they are a single one, or one of them is no :class:`pathlib.Path`.
    """
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidArgument(f"{field} must be a tuple of pathlib.Path, not {values!a:.60}.")
    return tuple(file_path(each, field=field) for each in values)


def scope_named(said: Scope | str) -> Scope:
    """Return the scope of this name: a program may write «learned» for ``Scope.LEARNED``.

    Raises:
        InvalidArgument: there is none.
    """
    refuse_unknown(said, Scope, field="scope")
    return Scope(said)


def fraction(value: float | None, *, field: str) -> float | None:
    """Return ``value``; None stays None.

    Raises:
        InvalidArgument: it is no number in 0..1.
    """
    if value is not None:
        refuse_outside(value, 0, 1, field=field)
    return value


def checked_page(page: Page) -> Page:
    """Return ``page``.

    Raises:
        InvalidArgument: its limit lies outside 1..100, or its offset is negative or too large.
    """
    refuse_outside(page.limit, 1, LIST_MAX, field="limit")
    refuse_outside(page.offset, 0, OFFSET_MAX, field="offset")
    return page


def refuse_outside(value: float, least: float, most: float, *, field: str) -> None:
    """Refuse a number that lies outside ``least`` to ``most``, both included, and what is no number.

    Raises:
        InvalidArgument: it does, or is none; the message names the field and its bounds.
    """
    if not (_is_number(value) and least <= value <= most):
        raise InvalidArgument(f"{field} must lie in {least}..{most}, got {value!a:.60}.")


def refuse_unknown(value: str, known: Iterable[str], *, field: str) -> None:
    """Refuse a word that is none of the ``known`` ones.

    Raises:
        InvalidArgument: it is none; the message lists them.
    """
    allowed = tuple(known)
    if value not in allowed:
        shown = ascii(text.as_text(value, field=field)[:_SHOWN_MAX])
        raise InvalidArgument(f"{field} {shown} is not known. Allowed: {', '.join(allowed)}.")


def _is_number(value: object) -> bool:
    return isinstance(value, Real)


def _given(value: str | None, *, field: str, limit: int) -> str | None:
    if value is None:
        return None
    return " ".join(required(value, field=field, limit=limit).split())


def _wish(wish: RelationWish, vocabulary: Vocabulary) -> RelationWish:
    return replace(
        wish,
        type=vocabulary.label_named(wish.type),
        reasoning=text.clean(wish.reasoning, field="relations.reasoning", limit=REASON_MAX),
    )
