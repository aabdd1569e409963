"""The steps that an answer offers, as the commands that take them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from weft.errors import InvalidArgument
from weft.faces.learned import COMMANDS
from weft.faces.lines import quoted, short
from weft.identity import is_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["SPELLINGS", "Spelling", "refuse_open", "spelled"]

_OPEN: Final = "…"  # what only the caller can say
_TEXT_MAX: Final = 200  # characters of a text that is repeated


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a tool's arguments are typed: those in ``places`` one after the other, the others by their ``options``."""

    places: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)


SPELLINGS: Final[Mapping[str, Spelling]] = {
    "bridge": Spelling(("ontology1", "ontology2")),
    "capture": Spelling(("content",), {"kind": "--kind"}),
    "challenge": Spelling(("claim",)),
    "create_learned_relationship": Spelling(
        ("from_concept_id", "to_concept_id"), {"relationship_type": "--type", "evidence": "--because"}
    ),
    "create_synthesis_concept": Spelling(
        ("label",), {"bridges_concepts": "--bridge", "evidence": "--because", "ontology": "--ontology"}
    ),
    "delete_learned_knowledge": Spelling(("learned_id",)),
    "export_learned_knowledge": Spelling((), {"format": "--format", "ontology": "--ontology"}),
    "fetch": Spelling(("id",), {"offset": "--offset"}),
    "find_bridge_candidates": Spelling(("ontology1", "ontology2"), {"min_similarity": "--min-similarity"}),
    "forget": Spelling(("id",), {"confirm": "--yes"}),
    "list_learned_knowledge": Spelling(("learned_id",), {"ontology": "--ontology", "cognitive_leap": "--leap"}),
    "rate_learned_knowledge": Spelling(("learned_id", "vote")),
    "relate": Spelling(("source", "type", "target"), {"reasoning": "--because"}),
    "review": Spelling(),
    "search": Spelling(("query",)),
    "status": Spelling(),
    "synthesize": Spelling(("label",), {"bridges": "--bridge", "evidence": "--because"}),
    "trace": Spelling(("start", "end")),
    "update": Spelling(("id",), {"kind": "--kind", "status": "--status"}),
    "update_learned_knowledge": Spelling(("learned_id",), {"updates": "--because"}),
}
"""Of the tools that have a command of their own and that answers offer. All others are run by ``weft call``."""


def spelled(action: Mapping[str, Any]) -> str:
    """Return the command that takes the step ``action``, with … for what is left to say.

    ``action`` has its ``tool``, and as far as they are known its ``arguments`` and what it ``also_needs``.
    """
    tool, spelling = action["tool"], SPELLINGS.get(action["tool"])
    known = action.get("arguments", {}) | dict.fromkeys(action.get("also_needs", ()), _OPEN)
    if spelling is None:
        given = [f"--json-args {quoted(json.dumps(known, ensure_ascii=False))}"] if known else []
        return " ".join((f"weft call {tool}", *given))
    placed = [_typed(known[name]) for name in spelling.places if name in known]
    flagged = [part for name, flag in spelling.options.items() if name in known for part in _flagged(flag, known[name])]
    ahead = ["--"] if any(each.lstrip("'").startswith("-") for each in placed) else []
    return " ".join((f"weft {COMMANDS.get(tool, tool)}", *flagged, *ahead, *placed))


def refuse_open(arguments: Mapping[str, Any]) -> None:
    """Refuse a step that was copied as it is printed, with … where something is left to say.

    Raises:
        InvalidArgument: one of ``arguments``, or a member of a list, is that sign alone.
    """
    for name, value in arguments.items():
        if _OPEN in (value if isinstance(value, list) else [value]):
            raise InvalidArgument(f"{name} is «{_OPEN}», which stands for what is left to say: put your words there.")


def _flagged(flag: str, value: object) -> Iterator[str]:
    if value is True:
        yield flag
    else:
        yield from (f"{flag} {_typed(each)}" for each in (value if isinstance(value, list) else [value]))


def _typed(value: object) -> str:
    text = str(value)
    if text == _OPEN or len(text) > _TEXT_MAX:
        return _OPEN
    return quoted(short(text) if is_id(text) else text)
