"""How a toolset spells names that are stored once, in lower case, and which of them it knows.

``memory`` says SOLVES and ``research`` supports; each refuses what its own list does not hold. The whole vocabulary is
open to ``core`` and ``synthesis`` alone, and with it what a graph registered itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field, ValidationInfo, WithJsonSchema

from weft.errors import InvalidArgument
from weft.vocabulary import NAME_MAX, STANDARD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from weft.vocabulary import Vocabulary

__all__ = ["Spelling", "names_schema", "vocabulary_of"]


def vocabulary_of(info: ValidationInfo) -> Vocabulary:
    """Return the vocabulary that arguments are read with: the graph's, or the standard one where none is at hand."""
    return info.context["vocabulary"] if info.context else STANDARD


def names_schema(names: Iterable[str]) -> dict[str, Any]:
    """Return the schema of an argument that takes one of ``names``."""
    return {"type": "string", "enum": list(names)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """The names that a toolset knows, as they are stored, and how it writes them (``write``: str.upper, or str)."""

    known: Callable[[Vocabulary], Iterable[str]]
    stored: Callable[[Vocabulary, str], str]
    write: Callable[[str], str] = str

    @classmethod
    def of_kinds(cls, *known: str) -> Spelling:
        """Return the spelling of these kinds, in lower case."""
        return cls(known=lambda _: known, stored=_kind)

    @classmethod
    def of_types(cls, *known: str, write: Callable[[str], str] = str) -> Spelling:
        """Return the spelling of these relation types."""
        return cls(known=lambda _: known, stored=_type, write=write)

    @classmethod
    def of_every_type(cls, *, write: Callable[[str], str] = str) -> Spelling:
        """Return the spelling of all relation types, those of a graph's own with them."""
        return cls(known=lambda vocabulary: vocabulary.types, stored=_type, write=write)

    @property
    def names(self) -> tuple[str, ...]:
        """The known names as the toolset writes them, a graph's own left out."""
        return tuple(self.write(name) for name in self.known(STANDARD))

    def validated(self, name: str, info: ValidationInfo) -> str:
        """Return the stored name that ``name`` means to the graph whose arguments are read; see :meth:`read`."""
        return self.read(name, vocabulary_of(info))

    def read(self, name: str, vocabulary: Vocabulary = STANDARD) -> str:
        """Return the stored name that ``name`` means; empty stays empty.

        Raises:
            ValueError: the toolset does not know it; the message lists what it knows. (A validator's error: the field
                is named by whoever reads the arguments.)
        """
        if not name.strip():
            return ""
        try:
            found = self.stored(vocabulary, name)
        except InvalidArgument:
            found = ""
        known = tuple(self.known(vocabulary))
        if found not in known:
            raise ValueError(f"must be one of {', '.join(map(self.write, known))}, not {name[:60]!a}")
        return found

    @property
    def field(self) -> Any:  # noqa: ANN401 - an annotation for a field of arguments
        """The annotation of an argument that takes one of the names, and is read as it is stored."""
        return Annotated[
            str, Field(max_length=NAME_MAX), AfterValidator(self.validated), WithJsonSchema(names_schema(self.names))
        ]


def _kind(vocabulary: Vocabulary, name: str) -> str:
    return vocabulary.kind_named(name).name


def _type(vocabulary: Vocabulary, name: str) -> str:
    return vocabulary.type_named(name).name
