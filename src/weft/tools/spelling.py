"""How a toolset spells names that are stored once, in lower case, and which of them it knows.

``memory`` says SOLVES and ``research`` supports; each refuses what its own list does not hold. The whole vocabulary is
open to ``core`` alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field, WithJsonSchema

from weft.errors import InvalidArgument
from weft.vocabulary import NAME_MAX, kind_named, relation_type_named

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Spelling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """The names that a toolset knows, as they are stored, and how it writes them (``write``: str.upper, or str)."""

    known: tuple[str, ...]
    stored: Callable[[str], str]
    write: Callable[[str], str] = str

    @classmethod
    def of_kinds(cls, *known: str) -> Spelling:
        """Return the spelling of these kinds, in lower case."""
        return cls(known=known, stored=lambda name: kind_named(name).name)

    @classmethod
    def of_types(cls, *known: str, write: Callable[[str], str] = str) -> Spelling:
        """Return the spelling of these relation types."""
        return cls(known=known, stored=lambda name: relation_type_named(name).name, write=write)

    @property
    def names(self) -> tuple[str, ...]:
        """The known names as the toolset writes them."""
        return tuple(self.write(name) for name in self.known)

    def read(self, name: str) -> str:
        """Return the stored name that ``name`` means; empty stays empty.

        Raises:
            ValueError: the toolset does not know it; the message lists what it knows. (A validator's error: the field
                is named by whoever reads the arguments.)
        """
        if not name.strip():
            return ""
        try:
            found = self.stored(name)
        except InvalidArgument:
            found = ""
        if found not in self.known:
            raise ValueError(f"must be one of {', '.join(self.names)}, not {name[:60]!a}")
        return found

    @property
    def field(self) -> Any:  # noqa: ANN401 - an annotation for a field of arguments
        """The annotation of an argument that takes one of the names, and is read as it is stored."""
        return Annotated[
            str,
            Field(max_length=NAME_MAX),
            AfterValidator(self.read),
            WithJsonSchema({"type": "string", "enum": list(self.names)}),
        ]
