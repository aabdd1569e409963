"""A command's options, said as the fields of one dataclass: more of them than a function may have parameters."""

from __future__ import annotations

from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Any, get_type_hints

import typer

__all__ = ["signature_of"]


def signature_of(asked: type[Any]) -> Signature:
    """Return what typer is to read a command by: its context, and the fields of ``asked`` as arguments and options.

    ``asked`` is a dataclass. Each field is annotated as typer wants it; one without a default must be given.
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
