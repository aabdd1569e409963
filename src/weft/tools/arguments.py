"""Arguments as tools take them: closed, bounded, cleaned, and refused in one line that names the field.

A null is read as «not given»: callers that fill in every field are common. Text is cleaned here once for all faces
(:func:`weft.text.clean`); names of kinds and relation types are folded to their stored spelling, and words that an
argument chooses among to its own.
"""

from __future__ import annotations

import json
from difflib import get_close_matches
from functools import partial
from os import PathLike, fspath
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from weft import text
from weft.errors import InvalidArgument
from weft.tools.choices import chosen
from weft.tools.moments import FORMS, DayEnd, Moment
from weft.tools.spelling import names_schema, vocabulary_of
from weft.vocabulary import (
    CITATION_MAX,
    CONTENT_MAX,
    EVIDENCE_MAX,
    KINDS,
    LIST_MAX,
    NAME_MAX,
    OFFSET_MAX,
    QUERY_MAX,
    REASON_MAX,
    REFERENCE_MAX,
    RELATION_TYPES,
    SESSION_MAX,
    STANDARD,
    TAG_MAX,
    TASK_MAX,
    TITLE_MAX,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pydantic import ValidationInfo
    from pydantic_core import ErrorDetails

    from weft.vocabulary import Vocabulary

__all__ = [
    "PATH",
    "Arguments",
    "Citation",
    "Content",
    "DayEnd",
    "Evidence",
    "Fraction",
    "KindAgain",
    "KindName",
    "LabelName",
    "Limit",
    "Moment",
    "Name",
    "NodeName",
    "Offset",
    "Part",
    "Place",
    "Proceeding",
    "Query",
    "Reason",
    "Receipted",
    "Reference",
    "Tag",
    "Task",
    "Title",
    "TypeAgain",
    "TypeName",
    "filled",
    "parse",
]

KEY_MAX = 200  # characters of an idempotency key
SHOWN_MAX = 60  # characters of a refused value that are repeated
JSON_READ_MAX = 500  # characters of a refused list that is read: depth is bounded by it
ERRORS_MAX = 3  # faults named in one message
UNKNOWN_MAX = 5  # unknown arguments that are named


def _cleaned(value: str, info: ValidationInfo, *, limit: int) -> str:
    try:
        return text.clean(value, field=info.field_name or "text", limit=limit)
    except InvalidArgument as error:
        raise ValueError(error.message.removeprefix(f"{info.field_name} ").rstrip(".")) from None


def _kind(value: str, info: ValidationInfo) -> str:
    return _folded(lambda name: vocabulary_of(info).kind_named(name).name, value)


def _type(value: str, info: ValidationInfo) -> str:
    return _folded(lambda name: vocabulary_of(info).type_named(name).name, value)


def _label(value: str, info: ValidationInfo) -> str:
    return _folded(vocabulary_of(info).label_named, value)


def _folded(name_of: Callable[[str], str], value: str) -> str:
    try:
        return name_of(value) if value.strip() else ""
    except InvalidArgument as error:
        raise ValueError(error.message.partition(": ")[2].rstrip(".")) from None


def filled(value: str) -> str:
    """Return ``value``; a text that must say something may not be blank once it is clean."""
    if not value.strip():
        raise ValueError("must say something")
    return value


def _spelled(value: object) -> object:
    return fspath(value) if isinstance(value, PathLike) else value


def _text(limit: int) -> tuple[Any, Any]:
    return Field(max_length=limit), AfterValidator(partial(_cleaned, limit=limit))


Title: TypeAlias = Annotated[str, *_text(TITLE_MAX)]
Content: TypeAlias = Annotated[str, *_text(CONTENT_MAX)]
Tag: TypeAlias = Annotated[str, *_text(TAG_MAX)]
Name: TypeAlias = Annotated[str, *_text(NAME_MAX)]
Reference: TypeAlias = Annotated[str, *_text(REFERENCE_MAX)]
NodeName: TypeAlias = Annotated[Reference, AfterValidator(filled)]
"""What names a node: an id, a handle, a title, an alias or the beginning of an id."""

Limit: TypeAlias = Annotated[int, Field(ge=1, le=LIST_MAX)]
Offset: TypeAlias = Annotated[int, Field(ge=0, le=OFFSET_MAX)]

PATH = BeforeValidator(_spelled)
"""What marks a text that callers in Python may give as a path."""
Place: TypeAlias = Annotated[Reference, PATH]
"""A file or a URL."""
Citation: TypeAlias = Annotated[str, *_text(CITATION_MAX)]
Reason: TypeAlias = Annotated[str, *_text(REASON_MAX)]
Evidence: TypeAlias = Annotated[str, *_text(EVIDENCE_MAX)]
Query: TypeAlias = Annotated[str, *_text(QUERY_MAX)]
Task: TypeAlias = Annotated[str, *_text(TASK_MAX)]
Fraction: TypeAlias = Annotated[float, Field(ge=0.0, le=1.0)]
KindName: TypeAlias = Annotated[
    str, Field(max_length=NAME_MAX), AfterValidator(_kind), WithJsonSchema(names_schema(KINDS))
]
KindAgain: TypeAlias = Annotated[str, Field(max_length=NAME_MAX), AfterValidator(_kind)]
"""A kind, too; its names are published once a toolset, with :data:`KindName`."""
TypeName: TypeAlias = Annotated[
    str,
    Field(max_length=NAME_MAX),
    AfterValidator(_type),
    WithJsonSchema(names_schema(RELATION_TYPES)),
]
TypeAgain: TypeAlias = Annotated[str, Field(max_length=NAME_MAX), AfterValidator(_type)]
"""A relation type, too; its names are published once a toolset, with :data:`TypeName`."""
LabelName: TypeAlias = Annotated[str, Field(max_length=NAME_MAX), AfterValidator(_label)]
"""A relation type, or its label seen from the other end: ``supported_by``."""


class Part(BaseModel):
    """Something of several fields that a tool takes; null stands for a field that is not given."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _as_meant(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        return chosen(cls, {name: value for name, value in given.items() if value is not None})


class Arguments(Part):
    """What every tool takes besides its own: ``session``, the name of one piece of work."""

    session: Annotated[str, *_text(SESSION_MAX)] = Field("", description="Name of one piece of work.")


class Receipted(Arguments):
    """What every writing tool takes besides: ``idempotency_key``, under which a repeated call is answered, not done."""

    idempotency_key: Annotated[str, *_text(KEY_MAX)] = Field("", description="Makes a retry safe.")


class Proceeding(Receipted):
    """What a tool takes whose prerequisite may be suggested first: ``proceed`` goes on without it."""

    proceed: bool = Field(False, strict=True, description="true: go on all the same.")


A = TypeVar("A", bound=Arguments)


def parse(model: type[A], given: Mapping[str, Any], vocabulary: Vocabulary = STANDARD) -> A:
    """Return ``given`` as ``model``; names of kinds and relation types are read as ``vocabulary`` knows them.

    Raises:
        InvalidArgument: an argument is missing, unknown, of a wrong type or out of bounds. The message is one line,
            names the field, and says which values are allowed.
    """
    _refuse_overlong(model, given)
    try:
        return model.model_validate(dict(given), context={"vocabulary": vocabulary})
    except ValidationError as error:
        faults = [*_told_together(_telling(error.errors(include_url=False)))]
        said = "; ".join(_sentence(model, like) for like in faults[:ERRORS_MAX])
        more = f"; and {len(faults) - ERRORS_MAX} more" if len(faults) > ERRORS_MAX else ""
        raise InvalidArgument(said + more) from None


def _refuse_overlong(model: type[BaseModel], given: Mapping[str, Any]) -> None:
    """Refuse a list that is too long before its items are looked at: an unknown name costs a millisecond each."""
    lists = ((name, value) for name, value in given.items() if isinstance(value, list) and name in model.model_fields)
    for name, value in lists:
        bounds = (getattr(each, "max_length", None) for each in model.model_fields[name].metadata)
        most = next((each for each in bounds if each is not None), None)
        if most is not None and len(value) > most:
            raise InvalidArgument(f"{name}: takes at most {most} items")


_SENTENCES: Mapping[str, str] = {
    "missing": "is required",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than_equal": "must be at most {le:g}",
    "string_too_short": "must hold at least {min_length} characters",
    "string_too_long": "holds more than {max_length} characters",
    "too_short": "needs at least {min_length} items",
    "too_long": "takes at most {max_length} items",
    "string_unicode": "holds half of a surrogate pair, which is no text",
    "finite_number": "must be a finite number",
    "literal_error": "must be one of {expected}",
    "enum": "must be one of {expected}",
    "value_error": "{error}",
}
_TYPES: Mapping[str, str] = {
    "string": "must be text",
    "int": "must be a whole number",
    "float": "must be a number",
    "bool": "must be true or false",
    "tuple": "must be a list",
    "list": "must be a list",
    "model": "must be an object",
    "dict": "must be an object",
    "date": f"must be {FORMS}",
    "datetime": f"must be {FORMS}",
}
_ECHOED = frozenset({"literal_error", "enum"})
_LISTED = frozenset({"tuple_type", "list_type"})
_SHARED = frozenset({"session", "idempotency_key"})
_TOGETHER = frozenset({"missing", "extra_forbidden"})


def _telling(faults: list[ErrorDetails]) -> list[ErrorDetails]:
    """Leave out that a list is too short where it is so for a fault in one of its items, which is told."""
    within = {fault["loc"][:length] for fault in faults for length in range(len(fault["loc"]))}
    return [fault for fault in faults if fault["type"] != "too_short" or fault["loc"] not in within]


def _told_together(faults: list[ErrorDetails]) -> Iterable[list[ErrorDetails]]:
    """Group what is missing in one place, and what is unknown there: one sentence then tells all of it.

    Whoever gives another tool's names for half of the arguments then sees at once which to give instead.
    """
    groups: dict[object, list[ErrorDetails]] = {}
    for at, fault in enumerate(faults):
        together = (fault["type"], fault["loc"][:-1]) if fault["type"] in _TOGETHER else at
        groups.setdefault(together, []).append(fault)
    return groups.values()


def _sentence(model: type[Arguments], faults: list[ErrorDetails]) -> str:
    """Return what is told of one fault, or of several that are told together."""
    fault = faults[0]
    if fault["type"] == "extra_forbidden":
        return _unknown(model, [each["loc"] for each in faults])
    where = ", ".join(".".join(str(part) for part in each["loc"]) for each in faults)
    if len(faults) > 1:
        return f"{where}: are required"
    template = _SENTENCES.get(fault["type"]) or _TYPES.get(fault["type"].partition("_")[0]) or fault["msg"]
    said = template.format(**fault.get("ctx", {}))
    if fault["type"] in _ECHOED:
        said += f", not {_shown(fault['input'])}"
    if fault["type"] in _LISTED and isinstance(fault["input"], str):
        meant = _meant_list(fault["input"])
        said += f", such as {_shown(meant)}" if meant else ""
    return f"{where}: {said}" if where else said


def _meant_list(given: str) -> list[Any]:
    """Return the list that a text stands for: a list as JSON, else the names between its commas; maybe empty."""
    if not given.lstrip().startswith("["):
        return [part.strip() for part in given.split(",") if part.strip()][:SHOWN_MAX]
    try:
        found = json.loads(given[:JSON_READ_MAX])
    except ValueError:
        return []
    return found if isinstance(found, list) else []


def _unknown(model: type[BaseModel], locs: Sequence[Sequence[int | str]]) -> str:
    path = locs[0][:-1]
    allowed = sorted(_fields(model, path), key=_SHARED.__contains__)
    where = "".join(f"{part}." for part in path)
    names = [str(loc[-1])[:SHOWN_MAX] for loc in locs[:UNKNOWN_MAX]]
    near = {name: nearest[0] for name in names if (nearest := get_close_matches(name, allowed, n=1))}
    meant = f" (did you mean {', '.join(near.values())}?)" if near else ""
    more = f" and {len(locs) - UNKNOWN_MAX} more" if len(locs) > UNKNOWN_MAX else ""
    none = "there is no such argument" if len(locs) == 1 else "there are no such arguments"
    return f"{', '.join(where + name for name in names)}{more}: {none}{meant}; allowed: {', '.join(allowed)}"


def _fields(model: type[BaseModel], path: Sequence[int | str]) -> Mapping[str, Any]:
    """Return the fields of the object at ``path``: those of the model itself, or of the items of one of its lists."""
    for part in path:
        if isinstance(part, str):
            inner = [each for each in _parts(model.model_fields[part].annotation) if issubclass(each, BaseModel)]
            model = inner[0] if inner else model
    return model.model_fields


def _parts(annotation: Any) -> list[type]:  # noqa: ANN401 - an annotation may be anything
    inner = [part for each in getattr(annotation, "__args__", ()) for part in _parts(each)]
    return [annotation, *inner] if isinstance(annotation, type) and not inner else inner


def _shown(value: object) -> str:
    shown = ascii(value)
    return shown if len(shown) <= SHOWN_MAX else shown[:SHOWN_MAX] + "…"
