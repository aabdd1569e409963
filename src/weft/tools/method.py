"""A row as a method: its signature, its documentation, and the arguments by name that a Python call comes to.

Nothing here is written twice: types and defaults are those of the row's arguments, and the sentences are the row's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import reduce
from inspect import Parameter, Signature, isclass
from operator import or_
from os import PathLike
from textwrap import fill
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Protocol, Union, get_args, get_origin

from pydantic import BaseModel

from weft.errors import InvalidArgument
from weft.tools.arguments import PATH
from weft.tools.row import Tool

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from weft.model import Progress
    from weft.tools.verbs import Verb

__all__ = ["PROGRESS", "Method", "Speaker", "documentation_of", "signature_of"]

PROGRESS: Final = "progress"
"""The parameter that every method has beside its row's arguments."""

WIDTH: Final = 100  # characters of a line of documentation, before it is indented
UNBOUNDED: Final = 2**53  # a bound this high only keeps a number one that JSON can hold
_TOLD: Final = "Told (done, total, message) on long work; it may raise to give the work up."
_PROGRESS: Final = Parameter(
    PROGRESS, Parameter.KEYWORD_ONLY, default=None, annotation=Callable[[int, int, str], None] | None
)


class Speaker(Protocol):
    """What a method is a method of: it can call a tool, or an operators' verb, by name."""

    def call(
        self, name: str, arguments: Mapping[str, Any] | None = None, *, progress: Progress | None = None
    ) -> dict[str, Any]:
        """Return the answer."""


class Method:
    """A row in a class: it becomes a plain function there, with signature and documentation, when first asked for.

    Until then nothing of the row's toolset is loaded.
    """

    def __init__(self, row: Tool | Verb) -> None:
        self.name = row.name
        self._row = row

    def __get__(self, held: Speaker | None, owner: type[Speaker]) -> Callable[..., dict[str, Any]]:
        function = _function(self._row, f"{owner.__qualname__}.{self.name}", owner.__module__)
        setattr(owner, self.name, function)
        bound: Callable[..., dict[str, Any]] = function.__get__(held, owner)
        return bound


def signature_of(row: Tool | Verb) -> Signature:
    """Return what a method takes: what is required, in the table's order; then by name only what is not.

    The last is ``progress``, which is no argument of the row.
    """
    fields, schema = row.arguments.model_fields, row.input_schema
    required = set(schema.get("required", ()))
    names = sorted(schema["properties"], key=lambda name: name not in required)  # stable: the table's order otherwise
    own = [_parameter(name, fields[name]) for name in names]
    first = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    return Signature([first, *own, _PROGRESS], return_annotation=dict[str, Any])


def documentation_of(row: Tool | Verb) -> str:
    """Return what ``help`` shows of a method, as docstrings here are written."""
    told = {name: _told(field) for name, field in row.input_schema["properties"].items()} | {PROGRESS: _TOLD}
    names = [name for name in signature_of(row).parameters if name != "self"]
    taken = "\n".join(_wrapped(f"{name}: {told[name]}", "    ", "        ") for name in names)
    needs = f"Of the toolset {row.toolset}; needs" if isinstance(row, Tool) else "Needs"
    return (
        f"{row.title}.\n\n{_wrapped(row.description)}\n\n{needs} the tier {row.needs}.\n\n"
        f"Args:\n{taken}\n\nReturns:\n{_wrapped(_answered(row), '    ', '    ')}\n"
    )


def _function(row: Tool | Verb, qualified: str, module: str) -> Callable[..., dict[str, Any]]:
    signature = signature_of(row)
    parameters = [each for each in signature.parameters.values() if each.name != "self"]
    places = [each.name for each in parameters if each.kind is Parameter.POSITIONAL_OR_KEYWORD]

    def method(self: Speaker, /, *placed: object, **named: Any) -> dict[str, Any]:  # noqa: ANN401 - as the row says
        progress = named.pop(PROGRESS, None)
        return self.call(row.name, _joined(row.name, places, placed, named), progress=progress)

    method.__name__, method.__qualname__, method.__module__ = row.name, qualified, module
    method.__doc__ = documentation_of(row)
    method.__signature__ = signature  # type: ignore[attr-defined] # functions take it, and inspect looks for it
    method.__annotations__ = {each.name: each.annotation for each in parameters}
    method.__annotations__["return"] = signature.return_annotation
    return method


def _joined(
    tool: str, places: Sequence[str], placed: Sequence[object], named: Mapping[str, object]
) -> dict[str, object]:
    """Return all arguments by name.

    Raises:
        InvalidArgument: more were given by position than may be, or one was given twice.
    """
    if len(placed) > len(places):
        takes = f"takes {', '.join(places)} by position" if places else "takes nothing by position"
        raise InvalidArgument(f"{tool}: {takes}, and the rest by name; {len(placed)} came by position")
    by_place = dict(zip(places, placed, strict=False))
    twice = sorted(by_place.keys() & named.keys())
    if twice:
        raise InvalidArgument(f"{twice[0]}: came twice, by position and by name")
    return {**by_place, **named}


def _parameter(name: str, field: FieldInfo) -> Parameter:
    kind = _type_of(Annotated[field.annotation, *field.metadata]) if field.metadata else _type_of(field.annotation)
    if field.is_required():
        return Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, annotation=kind)
    default = field.get_default(call_default_factory=True)
    shown = default.value if isinstance(default, Enum) else None if default == {} else default
    return Parameter(name, Parameter.KEYWORD_ONLY, default=shown, annotation=kind | None if shown is None else kind)


def _type_of(annotation: Any) -> Any:  # noqa: ANN401 - an annotation may be anything
    """Return what may be given where a row's arguments say ``annotation``: their bounds and checks left out."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return str | PathLike[str] if PATH in inner else _type_of(inner[0])
    if origin in (Union, UnionType):
        return reduce(or_, map(_type_of, inner))
    if origin is tuple:
        return _several(_type_of(inner[0]))
    if origin is dict:
        return Mapping[_type_of(inner[0]), _type_of(inner[1])]  # type: ignore[misc] # made at run time
    return _plain_type(annotation) if isclass(annotation) else annotation


def _several(kind: Any) -> Any:  # noqa: ANN401 - see _type_of
    """Return what takes several of ``kind``: no Sequence of text, since a text would pass for one of letters."""
    return list[kind] | tuple[kind, ...] if kind is str else Sequence[kind]


def _plain_type(kind: type) -> Any:  # noqa: ANN401 - see _type_of
    if issubclass(kind, Enum):
        return Literal[tuple(each.value for each in kind)]
    if issubclass(kind, BaseModel):
        return Mapping[str, Any]
    return datetime | str if issubclass(kind, datetime) else kind


def _told(field: Mapping[str, Any]) -> str:
    """Return the sentence on an argument, with the bounds of a number and the fields of an object."""
    said: str = field.get("description", "")
    least, most = field.get("minimum"), field.get("maximum", UNBOUNDED)
    inner = field.get("items", field).get("properties", {})
    if inner:
        return f"{said} Each: {', '.join(inner)}." if "items" in field else f"{said} With: {', '.join(inner)}."
    if least is None:
        return said
    return f"{said} At least {least:,}." if most >= UNBOUNDED else f"{said} From {least:,} to {most:,}."


def _answered(row: Tool | Verb) -> str:
    schema = row.output_schema
    always = schema["required"]
    at_times = [name for name in schema["properties"] if name not in always]
    more = f"; where there is such: {', '.join(at_times)}" if at_times else ""
    return f"The answer: {', '.join(always)}{more}."


def _wrapped(text: str, first: str = "", later: str = "") -> str:
    return fill(text, WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)
