"""The plain face of the library: one object whose methods are the tools, each made from its row of the table.

>>> import weft
>>> with weft.connect("notes.db") as notes:
...     made = notes.capture("Water boils at 100 °C.", ontology="physics")
...     notes.search("when does water boil?")["hits"][0]["title"]
'Water boils at 100 °C.'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn, Self

from weft.errors import InvalidArgument
from weft.graph import open as open_graph
from weft.model import Tier
from weft.settings import named
from weft.text import as_text
from weft.tools import gate
from weft.tools.arguments import parse
from weft.tools.method import Method
from weft.tools.table import TOOLS
from weft.tools.verbs import VERBS

if TYPE_CHECKING:
    from os import PathLike
    from types import TracebackType

    from weft.graph import Graph
    from weft.model import Progress
    from weft.ports import Judge
    from weft.settings import Settings
    from weft.tools.caller import Caller
    from weft.tools.typed import Tools
    from weft.tools.verbs import Verb
else:
    Tools = object  # the stubs in weft.tools.typed are the table, written down for type checkers and editors

__all__ = ["Connection", "connect"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False, weakref_slot=True)
class Connection(Tools):
    """An open graph and who speaks to it: every tool is a method, and answers what MCP, HTTP and ``weft --json`` do.

    So are the operators' verbs of :mod:`weft.tools.verbs`. What is required may be given by position, in the table's
    order; everything else goes by name. Whatever is wrong with a call is a :class:`weft.WeftError` that names the
    argument. ``graph`` has the typed verbs, ``caller`` is who writes and with what reach, ``session`` the piece of work
    that calls belong to which name none. A connection serves any number of threads, is a context manager, and may be
    closed twice.
    """

    graph: Graph
    caller: Caller
    session: str = ""

    def __repr__(self) -> str:
        at = f"{self.graph.name!r} at {self.graph.where}"
        session = f", session {self.session!r}" if self.session else ""
        return f"<Connection to {at}, {self.caller.tier.label} {self.caller.actor!r}{session}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self!r} belongs to this process: connect again where it is needed")

    def call(
        self, name: str, arguments: Mapping[str, Any] | None = None, *, progress: Progress | None = None
    ) -> dict[str, Any]:
        """Call the tool or operators' verb ``name``, and return its answer: what methods do, for a name that is data.

        Raises:
            InvalidArgument: the name is no text, or the arguments are no mapping.
            WeftError: as :func:`weft.tools.gate.call`.
        """
        wanted: object = {} if arguments is None else arguments  # a model's call may hold anything
        if not isinstance(wanted, Mapping):
            raise InvalidArgument(f"arguments must be a mapping from names to values, not {wanted!a:.60}")
        given, verb = dict(wanted), _VERBS.get(as_text(name, field="name"))
        if verb is not None:
            return self._operate(verb, given, progress)
        return gate.call(self.graph, name, self._within_session(given), self.caller, progress=progress)

    def _operate(self, verb: Verb, given: dict[str, Any], progress: Progress | None) -> dict[str, Any]:
        """Do an operators' verb. To one that only reads, a session is what is looked for, and no default."""
        within = self._within_session(given) if verb.writes else given
        asked = parse(verb.arguments, within, self.graph.store.vocabulary)
        session = asked.session if verb.writes else self.session
        return gate.operate(
            self.graph,
            verb.name,
            self.caller,
            lambda by: verb.run(self.graph, asked, by),
            progress=progress,
            session=session,
        )

    def _within_session(self, given: dict[str, Any]) -> dict[str, Any]:
        return {**given, "session": self.session} if self.session and given.get("session") is None else given

    def close(self) -> None:
        """Close the graph."""
        self.graph.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_VERBS = {verb.name: verb for verb in VERBS}

for _method in (*map(Method, TOOLS), *map(Method, VERBS)):
    setattr(Connection, _method.name, _method)


def connect(
    graph: str | PathLike[str] | None = None,
    *,
    settings: Settings | None = None,
    tier: Tier | str = Tier.CURATOR,
    create: bool = True,
    root: str | PathLike[str] | None = None,
    judge: Judge | None = None,
    actor: str = "",
    session: str = "",
) -> Connection:
    """Open a graph as :func:`weft.open` does, and return a connection to it, whose methods are the tools.

    ``tier`` may be given by name: "reader". ``actor`` is who writes; empty: as the settings say. ``session`` names the
    piece of work that all calls belong to which name none. A tool that takes a path reads what lies under the settings'
    ``roots``, or under the working directory where they name none.

    Raises:
        CannotOpen: as :func:`weft.open`.
        InvalidArgument: likewise.
    """
    settings = named(settings, graph).at_home()
    settings = replace(settings, actor=actor) if actor else settings
    opened = open_graph(settings=settings, tier=tier, create=create, root=root, judge=judge)
    reached = replace(opened.settings, role=opened.tier.label)
    return Connection(
        graph=opened, caller=gate.caller_of(reached, client="library", graph=opened.name), session=session
    )
