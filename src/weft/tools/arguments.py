"""Arguments as tools take them: closed, bounded, cleaned, and refused in one line that names the field.

A null is read as «not given»: callers that fill in every field are common. Text is cleaned here once for all faces
(:func:`weft.text.clean`); names of kinds and relation types are folded to their stored spelling.
"""

from __future__ import annotations

from datetime import UTC, datetime
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
from weft.tools.spelling import names_schema, vocabulary_of
from weft.vocabulary import (
    CITATION_MAX,
    CONTENT_MAX,
    EVIDENCE_MAX,
    KINDS,
    NAME_MAX,
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
    from collections.abc import Callable, Mapping, Sequence

    from pydantic import ValidationInfo
    from pydantic_core import ErrorDetails

    from weft.vocabulary import Vocabulary

__all__ = [
    "PATH",
    "Arguments",
    "Citation",
    "Content",
    "Evidence",
    "Fraction",
    "KindAgain",
    "KindName",
    "Name",
    "Place",
    "Proceeding",
    "Query",
    "Reason",
    "Receipted",
    "Reference",
    "Tag",
    "Task",
    "Time",
    "Title",
    "TypeAgain",
    "TypeName",
    "filled",
    "parse",
]

KEY_MAX = 200  # characters of an idempotency key
SHOWN_MAX = 60  # characters of a refused value that are repeated
ERRORS_MAX = 3  # faults named in one message


def _cleaned(value: str, info: ValidationInfo, *, limit: int) -> str:
    try:
        return text.clean(value, field=info.field_name or "text", limit=limit)
    except InvalidArgument as error:
        raise ValueError(error.message.removeprefix(f"{info.field_name} ").rstrip(".")) from None


def _kind(value: str, info: ValidationInfo) -> str:
    return _folded(lambda name: vocabulary_of(info).kind_named(name).name, value)


def _type(value: str, info: ValidationInfo) -> str:
    return _folded(lambda name: vocabulary_of(info).type_named(name).name, value)


def _folded(name_of: Callable[[str], str], value: str) -> str:
    try:
        return name_of(value) if value.strip() else ""
    except InvalidArgument as error:
        raise ValueError(error.message.partition(": ")[2].rstrip(".")) from None


def _utc(value: datetime) -> datetime:
    try:
        return value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC)
    except OverflowError:
        raise ValueError("lies outside the calendar") from None


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
Time: TypeAlias = Annotated[datetime, AfterValidator(_utc)]


class Arguments(BaseModel):
    """What every tool takes besides its own: ``session``, the name of one piece of work."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)

    session: Annotated[str, *_text(SESSION_MAX)] = Field("", description="Name of one piece of work.")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: object) -> object:
        return {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else given


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
        faults = _telling(error.errors(include_url=False))
        said = "; ".join(_sentence(model, fault) for fault in faults[:ERRORS_MAX])
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
    "date": "must be a time such as 2026-11-20 or 2026-11-20T12:00:00Z",
    "datetime": "must be a time such as 2026-11-20 or 2026-11-20T12:00:00Z",
}
_ECHOED = frozenset({"literal_error", "enum"})
_SHARED = frozenset({"session", "idempotency_key"})


def _telling(faults: list[ErrorDetails]) -> list[ErrorDetails]:
    """Leave out that a list is too short where it is so for a fault in one of its items, which is told."""
    within = {fault["loc"][:length] for fault in faults for length in range(len(fault["loc"]))}
    return [fault for fault in faults if fault["type"] != "too_short" or fault["loc"] not in within]


def _sentence(model: type[Arguments], fault: ErrorDetails) -> str:
    where = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return _unknown(model, fault["loc"])
    template = _SENTENCES.get(fault["type"]) or _TYPES.get(fault["type"].partition("_")[0]) or fault["msg"]
    said = template.format(**fault.get("ctx", {}))
    if fault["type"] in _ECHOED:
        said += f", not {_shown(fault['input'])}"
    return f"{where}: {said}" if where else said


def _unknown(model: type[BaseModel], loc: Sequence[int | str]) -> str:
    *path, name = loc
    allowed = sorted(_fields(model, path), key=_SHARED.__contains__)
    shown = str(name)[:SHOWN_MAX]
    nearest = get_close_matches(shown, allowed, n=1)
    meant = f" (did you mean {nearest[0]}?)" if nearest else ""
    where = "".join(f"{part}." for part in path)
    return f"{where}{shown}: there is no such argument{meant}; allowed: {', '.join(allowed)}"


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
