"""How options are read: the global ones from wherever they stand, those of a command as the fields of a dataclass."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, get_type_hints

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Commands", "hoist", "plain_words", "signature_of"]

_VALUED = {"--graph", "--actor", "--role", "--hints", "--scope"}
_PLAIN = {
    "--json": ("--json",),
    "--include-learned": ("--scope", "all"),
    "--learned-only": ("--scope", "learned"),
    "--documents-only": ("--scope", "documents"),
}
_OWN: dict[tuple[str, ...], set[str]] = {  # said of others than who calls
    ("token", "create"): {"--actor", "--role"},
    ("db", "grant"): {"--role"},
    ("log",): {"--actor"},
}
_METAVARS = (("Path", "PATH"), ("int", "INTEGER"), ("float", "NUMBER"))
_SCOPES = tuple(flag for flag, words in _PLAIN.items() if words[0] == "--scope")


class Commands(TyperGroup):
    """The group of commands; global options are taken from wherever they stand."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 - handed on
        super().__init__(**given)
        _name_values(self)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer keeps its context's base private
        """Parse ``args`` with the global options moved ahead of the command."""
        _check_scope(args)
        with _in_our_words():
            return super().parse_args(ctx, hoist(args))

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Run the command; a value that an option does not take is told in words of ours."""
        with _in_our_words():
            return super().invoke(ctx)


def _name_values(command: Any) -> None:  # noqa: ANN401 - typer keeps the base of its commands private
    """Have the help of ``command``, and of those below it, name values by words: PATH and TEXT, no Python types."""
    for parameter in command.params:
        described = vars(parameter).get("type_descriptor")  # older releases of typer have none, and say it so anyway
        if described and parameter.param_type_name == "argument":
            _name_argument(parameter)
        elif described and not described.is_choice and not parameter.is_flag:
            kind = str(described.annotation)
            parameter.metavar = next((word for name, word in _METAVARS if name in kind), "TEXT")
    for each in vars(command).get("commands", {}).values():
        _name_values(each)


def _name_argument(argument: Any) -> None:  # noqa: ANN401 - as above
    argument.metavar = argument.name.upper()
    shown = argument.metavar if argument.required else f"[{argument.metavar}]"
    argument.get_usage_pieces = lambda _: [shown if argument.nargs == 1 else f"{shown}..."]
    argument.display_type_rich = lambda ctx: None  # noqa: ARG005 - the name says it


def _check_scope(arguments: Sequence[str]) -> None:
    """Refuse two scopes at once.

    Raises:
        typer.BadParameter: more than one of the scope flags and ``--scope`` is given.
    """
    words = list(takewhile(lambda word: word != "--", arguments))
    given = sorted({word.split("=")[0] for word in words if word in _SCOPES or word.split("=")[0] == "--scope"})
    if len(given) > 1:
        raise typer.BadParameter(f"{' and '.join(given)} exclude each other")


_LIBRARY_WORDS = (
    (r"Input should be a valid integer.*", "must be a whole number"),
    (r"Input should be a valid number.*", "must be a number"),
    (r"Input should be greater than or equal to ", "must be at least "),
    (r"Input should be less than or equal to ", "must be at most "),
    (r"Input should be ", "must be "),
    (r"Value error, ", ""),
)


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except typer.BadParameter as error:
        error.message = plain_words(error.message)
        raise


def plain_words(message: str) -> str:
    """Return what the library that reads options says of a value, as everything else here says it."""
    for said, ours in _LIBRARY_WORDS:
        message = re.sub(said, ours, message)
    return message


def hoist(arguments: Sequence[str]) -> list[str]:
    """Return ``arguments`` with the global options moved to the front. What follows ``--`` stays where it is.

    The three scope flags of seed 000 are spellings of ``--scope``. After a command that has an option of the same name,
    it is that command's.
    """
    ahead: list[str] = []
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word in _PLAIN:
            ahead += _PLAIN[word]
        elif word.split("=")[0] in _VALUED - _own(rest):
            ahead += [word] if "=" in word else [word, *islice(words, 1)]
        else:
            rest.append(word)
    return ahead + rest


def _own(words: Sequence[str]) -> set[str]:
    """Return which of the global options the command that ``words`` begin with has for itself."""
    return _OWN.get(tuple(words[:1]), set()) | _OWN.get(tuple(words[:2]), set())


def signature_of(asked: type[Any]) -> Signature:
    """Return what typer is to read a command by: its context, and the fields of ``asked`` as arguments and options.

    So a command has more of them than a function may have parameters. ``asked`` is a dataclass; each field is annotated
    as typer wants it, and one without a default must be given.
    """
    hints = get_type_hints(asked, include_extras=True)
    options = [
        Parameter(
            each.name,
            Parameter.KEYWORD_ONLY,
            annotation=hints[each.name],
            default=Parameter.empty if each.default is MISSING else each.default,
        )
        for each in fields(asked)
    ]
    return Signature([Parameter("context", Parameter.KEYWORD_ONLY, annotation=typer.Context), *options])
