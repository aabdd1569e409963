"""What a row of the tool table says: who may call it, what it is for, what it answers and what may come next."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from weft.tools.schema import input_schema, output_schema, with_own

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weft.graph import Graph
    from weft.model import Call, Tier
    from weft.tools.arguments import Arguments
    from weft.vocabulary import Own

__all__ = [
    "MANNERS",
    "SEARCHED",
    "TIERS",
    "Binding",
    "Effect",
    "Manner",
    "NextAction",
    "Prerequisite",
    "Tool",
    "reaches",
]

TIERS = ("reader", "contributor", "librarian", "curator")
"""The tiers by name, each holding the ones before it; the same as :class:`weft.model.Tier`, without loading it."""


def reaches(tier: str, needs: str) -> bool:
    """Return whether a caller of ``tier`` may do what needs the tier ``needs``, both by name."""
    return TIERS.index(needs) <= TIERS.index(tier)


class Effect(Enum):
    """What a tool does to the graph: does it read only, may it destroy, is repeating it harmless."""

    READS = (True, False, True)
    ADDS = (False, False, False)
    MERGES = (False, False, True)
    CHANGES = (False, True, True)

    @property
    def writes(self) -> bool:
        """Whether the tool can change the graph."""
        return not self.value[0]

    @property
    def annotations(self) -> dict[str, bool]:
        """The four hints of an MCP tool. The graph is a closed world: no tool reaches out of it."""
        reads, destroys, repeats = self.value
        return {"readOnlyHint": reads, "destructiveHint": destroys, "idempotentHint": repeats, "openWorldHint": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class NextAction:
    """One call that may be worth making after this one, as data.

    In ``arguments`` a text that starts with ``$`` is a path: ``$hits.0.id`` into the answer, ``$given.claim`` into the
    arguments of the call. An action is offered only where all its paths lead to something, those of ``when`` too, and
    those of ``unless`` to nothing (nothing: absent, false, zero or empty). Besides the answer's own fields there is
    ``narrowed`` where the call was given filters, else ``wide``. What the tool must be given besides, and
    only the caller can say, is left out here and named to the caller in ``also_needs``.
    """

    tool: str
    description: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    when: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


SEARCHED: Final = "searched"
"""The event of a :class:`Prerequisite` that any tool with ``searched`` satisfies, and the name it is remembered by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prerequisite:
    """A step that is advisable before a call, as data.

    ``tool`` is the step, ``key`` names the situation in the answer that suggests it (the row's ``error_hints`` word
    it), and ``about`` are the arguments that say what the call is about. ``event`` is what the caller's history must
    hold on that subject; empty: the row's binding looks in the graph (:attr:`Binding.prepared`).
    """

    tool: str
    key: str
    about: tuple[str, ...]
    event: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """What a toolset adds: ``actions`` is a second name of the next actions, ``error`` are fields of its errors."""

    actions: str = ""
    error: Mapping[str, str] = field(default_factory=dict)


MANNERS: Final[Mapping[str, Manner]] = MappingProxyType(
    {"research": Manner(actions="available_actions", error=MappingProxyType({"status": "error"}))}
)
"""The toolsets that add something, by name."""

_PLAIN: Final = Manner()


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """How a row runs: its arguments model, the call on a service, and the answer's JSON-ready form.

    ``reach`` names the tier that certain arguments need beyond the row's own. ``prepared`` tells whether the graph
    itself shows that the row's prerequisite was met. ``hinted`` adds to the result what is a hint and no answer; where
    hints are off it is not asked, so that nothing is noted as told.
    """

    arguments: type[Arguments]
    run: Callable[[Graph, Any, Call], Any]
    reshape: Callable[[Any, Any], dict[str, Any]]
    reach: Callable[[Any], str] | None = None
    prepared: Callable[[Graph, Any, Call], bool] | None = None
    hinted: Callable[[Graph, Any, Any, Call], Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One row of the table.

    ``needs`` is the tier by name. ``output`` maps each top-level field of the answer to its JSON type; a name that ends
    in ``?`` may be missing. ``searched`` is the argument that says what the caller looked for, if the tool looks for
    anything. ``bindings`` loads how the rows of this toolset run.

    The hint record is ``needs``, ``prerequisites``, ``next_actions``, ``error_hints`` (what to consider, by the key of
    the error) and ``audit`` (every call of it is recorded, those that are refused too).
    """

    name: str
    toolset: str
    needs: str
    title: str
    description: str
    effect: Effect
    output: Mapping[str, str]
    bindings: Callable[[], Mapping[str, Binding]]
    next_actions: tuple[NextAction, ...] = ()
    prerequisites: tuple[Prerequisite, ...] = ()
    error_hints: Mapping[str, str] = field(default_factory=dict)
    audit: bool = False
    searched: str = ""

    @property
    def manner(self) -> Manner:
        """What the row's toolset adds to its answers."""
        return MANNERS.get(self.toolset, _PLAIN)

    @property
    def tier(self) -> Tier:
        """The tier that a caller needs."""
        from weft.model import Tier

        return Tier[self.needs.upper()]

    @property
    def binding(self) -> Binding:
        """How the row runs; loads its toolset."""
        return self.bindings()[self.name]

    @property
    def arguments(self) -> type[Arguments]:
        """The model that the arguments are read with."""
        return self.binding.arguments

    @property
    def input_schema(self) -> dict[str, Any]:
        """The schema of the arguments, every one described and bounded; shared, not to be changed."""
        return input_schema(self.arguments)

    @property
    def output_schema(self) -> dict[str, Any]:
        """The schema of the answer's top-level fields."""
        own = self.manner.actions
        return output_schema({**self.output, own: "array"} if own else self.output)

    def listing(self, *, lean: bool = True, output: bool = True, own: Own | None = None) -> dict[str, Any]:
        """Return the row as ``tools/list`` shows it; see :mod:`weft.tools.schema` for what lean leaves out.

        ``own`` are a graph's own kinds and relation types, which are named with the standard ones.
        """
        entry: dict[str, Any] = {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": with_own(input_schema(self.arguments, lean=lean), own),
            "annotations": self.effect.annotations,
        }
        return entry | ({"outputSchema": self.output_schema} if output else {})
