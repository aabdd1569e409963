"""Operators' verbs that are served over HTTP beside the tools, one row each: what they take, do and answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import AfterValidator, Field

from weft.errors import NotFound
from weft.tools.arguments import Arguments, Moment, Name, Reference, filled
from weft.tools.operations import OPERATIONS
from weft.tools.schema import answer_schema, input_schema
from weft.tools.table import TOOLS, nearest
from weft.vocabulary import LIST_MAX, MAPPED_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weft.graph import Graph
    from weft.model import Call, Logged, LogRequest, MapRequest

__all__ = ["VERBS", "LogArguments", "TextArguments", "UndoArguments", "Verb", "VocabularyArguments", "log"]

POSITION_MAX: Final = 2**63 - 1

_WRITERS: Final = frozenset({*(tool.name for tool in TOOLS), *OPERATIONS, "copy", "library", "reembed", "watch"})
"""What the log may name as called; besides, what a program says for itself, and tools of older releases."""


class LogArguments(Arguments):
    """What ``log`` takes."""

    node: Reference = Field("", description="Only batches that changed this node, or a relation at it.")
    actor: Name = Field("", description="Only by this actor.")
    client: Name = Field("", description="Only through this client.")
    tool: Name = Field("", description="Only by this tool.")
    session: Name = Field("", description="Only of this session.")
    since: Moment | None = Field(None, description="Not older than this: a time (ISO 8601), or an age such as 2d.")
    until: Moment | None = Field(None, description="Not newer than this: a time (ISO 8601), or an age such as 12h.")
    before: int | None = Field(
        None, ge=1, le=POSITION_MAX, description="Below this position of the log: the next_before of the page before."
    )
    limit: int = Field(20, ge=1, le=LIST_MAX, description="How many batches.")

    def request(self) -> LogRequest:
        """Return what the verb is asked."""
        from weft.model import LogRequest

        return LogRequest(**self.model_dump())


def log(graph: Graph, asked: LogArguments, by: Call) -> Logged:
    """Return the page of the log that ``asked`` names.

    A tool that is not known may be one of an older release, so the log is looked at first. Where one page goes on from
    another, that nothing more was found says nothing of the name.

    Raises:
        InvalidArgument: a value is out of bounds.
        NotFound: ``node`` names no node; no tool or command is called ``tool``, and nothing was found that one did.
        Ambiguous: ``node`` names several nodes.
    """
    found = graph.recall.log(asked.request(), by)
    if found.entries or asked.before is not None or not asked.tool or asked.tool in _WRITERS:
        return found
    older = f" down to position {found.next_before} of the log" if found.next_before else ""
    raise NotFound(
        f"tool: no tool or command is called {asked.tool!a}, and nothing was found{older} that one did"
        f"{nearest(asked.tool, sorted(_WRITERS))}",
        hint=f"Look on with before {found.next_before} if an older release had it." if older else "",
        key="tool",
    )


class TextArguments(Arguments):
    """What ``text`` takes."""

    node: Annotated[Reference, AfterValidator(filled)] = Field(description="Id or title.")
    offset: int = Field(0, ge=0, le=POSITION_MAX, description="Characters to skip: the next_offset of the part before.")


class MapArguments(Arguments):
    """What ``map`` takes."""

    ontology: Name = Field("", description="Only nodes of this ontology.")
    kind: Name = Field("", description="Only nodes of this kind.")
    limit: int = Field(300, ge=1, le=MAPPED_MAX, description="How many nodes.")

    def request(self) -> MapRequest:
        """Return what the verb is asked."""
        from weft.model import MapRequest

        return MapRequest(ontology=self.ontology, kind=self.kind, limit=self.limit)


class CountsArguments(Arguments):
    """What ``counts`` takes: nothing."""


class VocabularyArguments(Arguments):
    """What ``vocabulary`` takes: nothing."""


class UndoArguments(Arguments):
    """What ``undo`` takes."""

    batch: Annotated[Reference, AfterValidator(filled)] = Field(
        description=(
            "The id of the batch, or an unambiguous beginning of 8 characters or more; BATCH:links only its automatic "
            "relations."
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One verb. ``writes`` tells whether it changes the graph: it is called by POST then, with a JSON body."""

    name: str
    title: str
    description: str
    writes: bool
    arguments: type[Arguments]
    run: Callable[[Graph, Any, Call], object]
    output: Mapping[str, str]

    @property
    def needs(self) -> str:
        """The tier that a caller needs, by name."""
        return OPERATIONS[self.name].needs

    @property
    def input_schema(self) -> dict[str, Any]:
        """The schema of the arguments; shared, not to be changed."""
        return input_schema(self.arguments)

    @property
    def output_schema(self) -> dict[str, Any]:
        """The schema of the answer's top-level fields."""
        return answer_schema(self.output)


VERBS: Final = (
    Verb(
        name="log",
        title="What changed lately",
        description="The newest batches of changes: by whom, what each did, and whether it can still be taken back.",
        writes=False,
        arguments=LogArguments,
        run=log,
        output={"batches": "array", "next_before?": "integer", "stopped_at?": "string", "left_out?": "string"},
    ),
    Verb(
        name="text",
        title="The text of a node",
        description="A node's own text, whole, part by part: other answers shorten what is long.",
        writes=False,
        arguments=TextArguments,
        run=lambda graph, asked, by: graph.recall.text(asked.node, by, offset=asked.offset),
        output={
            "id": "string",
            "title": "string",
            "version": "integer",
            "text": "string",
            "length": "integer",
            "next_offset?": "integer",
        },
    ),
    Verb(
        name="map",
        title="A map of the graph",
        description=(
            "The nodes with the most relations, of the whole graph or of a part, and the relations among these, whose "
            "source and target are places in nodes, counted from 0. How many there are in all is told beside them."
        ),
        writes=False,
        arguments=MapArguments,
        run=lambda graph, asked, by: graph.recall.map(asked.request(), by),
        output={
            "nodes": "array",
            "relations": "array",
            "nodes_total": "integer",
            "relations_total": "integer",
            "looked_at": "integer",
            "ontologies": "object",
            "kinds": "object",
        },
    ),
    Verb(
        name="counts",
        title="How much there is",
        description=(
            "How many nodes, relations and sources the graph holds, by kind, ontology and more. Unlike status it reads "
            "nothing of their shape, so a large graph answers as soon as a small one."
        ),
        writes=False,
        arguments=CountsArguments,
        run=lambda graph, _asked, by: graph.recall.counts(by),
        output={
            "nodes": "integer",
            "relations": "integer",
            "sources": "integer",
            "passages": "integer",
            "suggestions_open": "integer",
            "retired": "integer",
            "mentions": "integer",
            "nodes_by_kind": "object",
            "nodes_by_ontology": "object",
            "nodes_by_origin": "object",
            "nodes_by_status": "object",
            "nodes_by_confidence": "object",
            "relations_by_type": "object",
            "relations_by_origin": "object",
        },
    ),
    Verb(
        name="vocabulary",
        title="Kinds and relation types",
        description="The kinds and relation types of the graph, standard ones and its own, with how much is of each.",
        writes=False,
        arguments=VocabularyArguments,
        run=lambda graph, _asked, _by: graph.keeping.vocabulary.all(),
        output={"kinds": "array", "types": "array"},
    ),
    Verb(
        name="undo",
        title="Take back a batch",
        description="Put back what a batch of changes did, as far as nothing newer stands on it. Itself undoable.",
        writes=True,
        arguments=UndoArguments,
        run=lambda graph, asked, by: graph.curate.undo(asked.batch, by),
        output={"batch": "string", "reverted": "integer", "conflicts": "array", "undo_batch": "string"},
    ),
)
"""All of them; ``GET /api/NAME``, or ``POST`` for those that write."""
