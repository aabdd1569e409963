r"""The lossless form of a graph: one JSON object a line, each with one key that says what it holds.

``{"weft": 1}`` comes first, then the graph's own vocabulary (``kind``, ``relation_type``), the log (``change``), what
stands (``source``, ``node``, ``relation``, ``evidence``, ``suggestion``, ``vote``), the last numbers of ``series``, the
``use`` of nodes, and at last ``end`` with how many lines there were of each, so that a file that was cut off is known.
A kind or relation type that was taken away is named (``former``) before the first line that is written in it.
Lines end in ``\n``, also the last one; the text is UTF-8. The same graph always gives the same bytes.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from weft.errors import InvalidArgument
from weft.model import Action, Change, Evidence, Node, Relation, Retirement, Source, Subject, Suggestion, Vote
from weft.model.codec import Value, json_text, time_from, time_text, to_data, value_from
from weft.vocabulary import Kind, RelationType, folded, row_from
from weft.vocabulary import key_of as key_of_row

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping
    from datetime import datetime

    from weft.vocabulary import Vocabulary

__all__ = [
    "FORMAT",
    "End",
    "Former",
    "Header",
    "Line",
    "Series",
    "Use",
    "key_of",
    "parse",
    "refuse_unknown",
    "render",
    "unknown",
]

FORMAT: Final = 1
"""The newest form that is read and the one that is written."""

_SHOWN_MAX: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line: which form the file has."""

    format: int = FORMAT


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """The last number that was taken of a series (``learned_2026-11-21``)."""

    name: str
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """How often and when last a node was used."""

    node: str
    count: int
    last: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Former:
    """A kind (of nodes) or a type (of relations) that was taken away, and that the graph still holds something of.

    What was forgotten or changed stays in the log as it was written. What the name meant nobody knows any more.
    """

    subject: Subject
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """The last line: how many lines of each kind stand before it."""

    counts: Mapping[str, int]


Line: TypeAlias = Header | Kind | RelationType | Former | Change | Value | Series | Use | End

_SUBJECTS: Final[Mapping[type, Subject]] = MappingProxyType(
    {
        Node: Subject.NODE,
        Relation: Subject.RELATION,
        Source: Subject.SOURCE,
        Evidence: Subject.EVIDENCE,
        Suggestion: Subject.SUGGESTION,
        Vote: Subject.VOTE,
    }
)
_SHELVES: Final[Mapping[Subject, str]] = MappingProxyType({Subject.NODE: "kind", Subject.RELATION: "relation_type"})
_TYPES: Final[Mapping[str, type]] = MappingProxyType(
    {"str": str, "int": int, "dict[str, Any]": dict, "tuple[str, ...]": tuple}
)
_WANTED: Final[Mapping[type, tuple[tuple[str, type], ...]]] = MappingProxyType(
    {
        kind: tuple((each.name, _TYPES[str(each.type)]) for each in fields(kind) if str(each.type) in _TYPES)
        for kind in (*_SUBJECTS, Retirement)
    }
)
_CHANGE_TEXTS: Final = ("actor", "client", "tool", "session", "batch", "subject_id")


def key_of(line: Line) -> str:
    """Return the key under which a line of this kind stands."""
    match line:
        case Header():
            return "weft"
        case Kind() | RelationType():
            return key_of_row(line).partition(".")[0]
        case Former() | Change() | Series() | Use() | End():
            return type(line).__name__.lower()
        case _:
            return _SUBJECTS[type(line)].value


def render(line: Line) -> str:
    """Return the line as text, its line end with it."""
    return json_text({key_of(line): _data(line)}) + "\n"


def parse(text: str) -> Line:
    """Return what one line holds.

    Raises:
        InvalidArgument: it is no JSON, no line of this form, or holds a value that Weft does not write.
    """
    try:
        entry = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument(f"not JSON: {error}") from error
    if not isinstance(entry, dict) or len(entry) != 1:
        raise InvalidArgument("not an object with one key")
    ((key, data),) = entry.items()
    read = _READERS.get(key)
    if read is None:
        raise InvalidArgument(f"{key[:_SHOWN_MAX]!r} is none of {', '.join(_READERS)}")
    try:
        return read(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidArgument(f"{key}: a field is missing or malformed ({error!r:.120})") from error


def refuse_unknown(line: Line, vocabulary: Vocabulary, former: Container[Former] = ()) -> None:
    """Refuse a line with a kind or relation type that ``vocabulary`` does not know; the past counts as the present.

    ``former`` are names that were known once, and may be met.

    Raises:
        InvalidArgument: it holds one.
    """
    for each in unknown(line, vocabulary):
        if each not in former:
            what = "kind" if each.subject is Subject.NODE else "relation type"
            raise InvalidArgument(f"{what} {each.name[:_SHOWN_MAX]!r} is not known")


def unknown(line: Line, vocabulary: Vocabulary) -> Iterator[Former]:
    """Yield the kinds and relation types that a line is written in and ``vocabulary`` does not know."""
    for subject, name in _names(line):
        knows = vocabulary.knows_kind if subject is Subject.NODE else vocabulary.knows_type
        if not knows(name):
            yield Former(subject=subject, name=name)


def _names(line: Line) -> Iterator[tuple[Subject, str]]:
    match line:
        case Node():
            yield Subject.NODE, line.kind
        case Relation():
            yield Subject.RELATION, line.type
        case Change(subject=Subject.NODE | Subject.RELATION as subject):
            field = "kind" if subject is Subject.NODE else "type"
            yield from ((subject, side[field]) for side in (line.before, line.after) if side)


def _data(line: Line) -> object:
    match line:
        case Header(format=form):
            return form
        case Change():
            return _change_data(line)
        case Kind() | RelationType() | Series():
            return asdict(line)
        case Former() | Use() | End():
            return _aside_data(line)
        case _:
            return to_data(line)


def _aside_data(line: Former | Use | End) -> object:
    match line:
        case Former(subject=subject, name=name):
            return {_SHELVES[subject]: name}
        case Use(node=node, count=count, last=last):
            return {"node": node, "count": count, "last": time_text(last)}
        case End(counts=counts):
            return dict(counts)


def _change_data(change: Change) -> dict[str, Any]:
    return {
        "seq": change.seq,
        "at": time_text(change.at),
        "actor": change.actor,
        "client": change.client,
        "tool": change.tool,
        "session": change.session,
        "batch": change.batch,
        "subject": change.subject.value,
        "subject_id": change.subject_id,
        "action": change.action.value,
        "before": change.before,
        "after": change.after,
    }


def _header(data: Any) -> Header:  # noqa: ANN401 - any JSON
    if type(data) is not int:
        raise TypeError(data)
    if data > FORMAT:
        raise InvalidArgument(
            f"the file has form {data}; this release reads up to {FORMAT}", hint="Import it with a newer release."
        )
    return Header(format=data)


def _change(data: dict[str, Any]) -> Change:
    for name in _CHANGE_TEXTS:
        _text(data[name])
    for side in ("before", "after"):
        if data[side] is not None:
            _value(Subject(data["subject"]), data[side])
    return Change(
        seq=_count(data["seq"]),
        at=_time(data["at"]),
        subject=Subject(data["subject"]),
        action=Action(data["action"]),
        before=data["before"],
        after=data["after"],
        **{name: data[name] for name in _CHANGE_TEXTS},
    )


def _value(subject: Subject, data: dict[str, Any]) -> Value:
    """Return the value, if it is as Weft writes it: times in UTC, numbers as numbers."""
    value = value_from(subject, data)
    for name, part in to_data(value).items():
        if name in data and (part != data[name] or type(data[name]) is bool):
            raise ValueError(name)
    _check_types(value)
    return value


def _check_types(value: Value | Retirement) -> None:
    """Refuse a value in which something else stands where a text, a whole number or a list of texts belongs."""
    for name, wanted in _WANTED[type(value)]:
        part = getattr(value, name)
        if wanted is tuple:
            for each in part:
                _text(each)
        elif type(part) is not wanted:
            raise TypeError(name)
    if isinstance(value, Node) and value.retired is not None:
        _check_types(value.retired)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


def _former(data: dict[str, Any]) -> Former:
    ((shelf, said),) = data.items()
    name = _text(said)
    if folded(name) != name or not (name.isascii() and name.isidentifier()):
        raise ValueError(name[:_SHOWN_MAX])
    return Former(subject={shelf: subject for subject, shelf in _SHELVES.items()}[shelf], name=name)


def _series(data: dict[str, Any]) -> Series:
    return Series(name=_text(data["name"]), value=_count(data["value"]))


def _use(data: dict[str, Any]) -> Use:
    return Use(node=_text(data["node"]), count=_count(data["count"]), last=_time(data["last"]))


def _end(data: dict[str, Any]) -> End:
    return End(counts={_text(name): _count(count) for name, count in data.items()})


def _text(data: object) -> str:
    if not isinstance(data, str):
        raise TypeError(data)
    return data


def _count(data: object) -> int:
    if type(data) is not int or data < 0:
        raise TypeError(data)
    return data


def _time(data: str) -> datetime:
    at = time_from(data)
    if time_text(at) != data:
        raise ValueError(data)
    return at


def _values(subject: Subject) -> Callable[[Any], Line]:
    return lambda data: _value(subject, data)


_READERS: Final[Mapping[str, Callable[[Any], Line]]] = MappingProxyType(
    {
        "weft": _header,
        "kind": partial(row_from, "kind"),
        "relation_type": partial(row_from, "relation_type"),
        "former": _former,
        "change": _change,
        **{subject.value: _values(subject) for subject in Subject},
        "series": _series,
        "use": _use,
        "end": _end,
    }
)
