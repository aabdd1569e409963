"""Exporting: a copy of the graph as it stands at one moment, streamed, in a form that others read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from weft.errors import InvalidArgument
from weft.model import Exported, SourceType, Subject
from weft.services.drafting import file_path, refuse_outside
from weft.services.naming import resolve
from weft.services.transfer import lossless, placing
from weft.vocabulary import DEPTH_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from weft.model import Call, ExportRequest, Node
    from weft.ports import Moment
    from weft.services.transfer.ports import TransferPorts
    from weft.vocabulary import Own, Vocabulary

__all__ = ["FORMATS", "give_out", "stream"]

FORMATS: Final = ("jsonl", "okf", "graphml", "cytoscape", "cypher", "csv", "mermaid")
"""The forms that can be exported."""

_FOLDERS: Final = frozenset({"okf", "csv"})
_PER_NODE: Final = 1_000
_DRAWN_MAX: Final = 200
_SOURCES_MAX: Final = 50
_REPORT_EACH: Final = 1_000

T = TypeVar("T")


@dataclass(slots=True, kw_only=True)
class _Meter:
    """Counts what goes by, and tells the caller of it."""

    call: Call
    total: int
    counts: Counter[str] = field(default_factory=Counter)

    def through(self, values: Iterable[T], name: str) -> Iterator[T]:
        """Yield ``values``, counting each under ``name``."""
        for value in values:
            self.counts[name] += 1
            done = sum(self.counts.values())
            if done % _REPORT_EACH == 0:
                self.call.report(min(done, self.total), self.total, name)
            yield value


def give_out(ports: TransferPorts, request: ExportRequest, call: Call) -> Exported:
    """Write a copy to ``request.path``; see :meth:`weft.services.transfer.Transfer.export`."""
    _check(request)
    file_path(request.path, field="path")
    counts = ports.store.counts()
    meter = _Meter(call=call, total=counts.nodes + counts.relations)
    if request.format in _FOLDERS:
        with ports.archive.moment() as moment, placing.new_folder(request.path, call.at) as folder:
            _FILLERS[request.format](moment, folder, meter, ports.store.vocabulary)
        size_bytes = folder.size_bytes
    else:
        with placing.new_file(request.path, call.at, replace=request.replace) as out:
            size_bytes = placing.write(out, _lines(ports, request, meter))
    return Exported(
        format=request.format,
        path=str(request.path),
        nodes=meter.counts["nodes"],
        relations=meter.counts["relations"],
        changes=meter.counts["changes"],
        size_bytes=size_bytes,
    )


def stream(ports: TransferPorts, request: ExportRequest, call: Call) -> Iterator[str]:
    """Yield the text of a copy; for the forms that are one file.

    Raises:
        InvalidArgument: the form is not known, or a folder.
    """
    _check(request)
    if request.format in _FOLDERS:
        raise InvalidArgument(f"path: {request.format} is a folder; give it a path.")
    counts = ports.store.counts()
    return _lines(ports, request, _Meter(call=call, total=counts.nodes + counts.relations))


def _check(request: ExportRequest) -> None:
    if request.format not in FORMATS:
        raise InvalidArgument(
            f"format: {request.format[:60]!r} cannot be exported. Allowed: {', '.join(FORMATS)}.",
            hint="Name the format with --format.",
        )
    if (request.format == "mermaid") != bool(request.around):
        raise InvalidArgument("around: mermaid draws the neighbourhood of a node, and only mermaid does. Name it.")
    refuse_outside(request.depth, 1, DEPTH_MAX, field="depth")


def _lines(ports: TransferPorts, request: ExportRequest, meter: _Meter) -> Iterator[str]:
    from weft.formats import cypher, cytoscape, graphml

    with ports.archive.moment() as moment:
        if request.format == "jsonl":
            yield from _counted(lossless.lines(moment, ports.usage, _own(ports)), meter)
        elif request.format == "mermaid":
            yield from _drawn(ports, moment, request, meter)
        else:
            codec = {"cypher": cypher, "cytoscape": cytoscape, "graphml": graphml}[request.format]
            nodes = meter.through(lossless.nodes(moment), "nodes")
            yield from codec.render(nodes, meter.through(lossless.relations(moment), "relations"))


def _own(ports: TransferPorts) -> Own:
    """Return the graph's own vocabulary as it stands: another process may have registered something."""
    ports.store.vocabulary.refresh()
    return ports.store.vocabulary.own


def _counted(lines: Iterator[str], meter: _Meter) -> Iterator[str]:
    names = {'{"node"': "nodes", '{"rela': "relations", '{"chan': "changes"}
    for line in lines:
        name = names.get(line[:7], names.get(line[:6], ""))
        yield from meter.through((line,), name or "other")


def _drawn(ports: TransferPorts, moment: Moment, request: ExportRequest, meter: _Meter) -> Iterator[str]:
    from weft.formats import mermaid

    centre = resolve(ports.store, request.around, field="around")
    held: dict[str, None] = {centre.id: None}
    rim: Sequence[str] = (centre.id,)
    for _ in range(request.depth):
        found = moment.relations(rim, per_node=_DRAWN_MAX)
        ends = dict.fromkeys(end for each in found for end in (each.source, each.target))
        rim = tuple(end for end in ends if end not in held)[: _DRAWN_MAX - len(held)]
        held |= dict.fromkeys(rim)
        if not rim:
            break
    nodes = [node for node in moment.nodes(list(held)).values() if node.retired is None]
    order = {id_: at for at, id_ in enumerate(held)}
    nodes.sort(key=lambda node: order[node.id])
    relations = sorted(moment.relations(list(held), per_node=_DRAWN_MAX), key=lambda each: each.id)
    within = [each for each in relations if each.source in held and each.target in held]
    shown = list(meter.through(nodes, "nodes")), list(meter.through(within, "relations"))
    yield from mermaid.render(*shown, centre=centre.id)


def _tables(moment: Moment, folder: placing.Folder, meter: _Meter, _: Vocabulary) -> None:
    from weft.formats import tables

    folder.write("nodes.csv", tables.render_nodes(meter.through(lossless.nodes(moment), "nodes")))
    relations = meter.through(lossless.relations(moment), "relations")
    folder.write("relations.csv", tables.render_relations(relations))


def _bundle(moment: Moment, folder: placing.Folder, meter: _Meter, vocabulary: Vocabulary) -> None:
    """Write a concept a node and an index a folder, a page of nodes at a time."""
    from weft.formats import okf

    counts: Counter[str] = Counter()
    for page in _pages(moment):
        for node, text in _concepts(moment, page, meter, vocabulary):
            shelf = okf.folder(node, vocabulary)
            if not counts[shelf]:
                folder.write(f"{shelf}/index.md", (okf.listing(shelf),))
            counts[shelf] += 1
            folder.write(okf.path(node, vocabulary), (text,))
            folder.append(f"{shelf}/index.md", okf.listing_line(node))
    folder.write("index.md", (okf.root_listing(counts),))


def _pages(moment: Moment) -> Iterator[list[Node]]:
    page: list[Node] = []
    for node in lossless.nodes(moment):
        page.append(node)
        if len(page) >= lossless.PAGES[Subject.NODE]:
            yield page
            page = []
    yield page


def _concepts(
    moment: Moment, page: Sequence[Node], meter: _Meter, vocabulary: Vocabulary
) -> Iterator[tuple[Node, str]]:
    from weft.formats import okf

    ids = [node.id for node in page]
    own = set(ids)
    relations = [each for each in moment.relations(ids, per_node=_PER_NODE) if each.source in own]
    ends = moment.nodes(list({each.target for each in relations}))
    sources = _sources(moment, ids)
    for node in meter.through(page, "nodes"):
        mine = sorted((each for each in relations if each.source == node.id), key=lambda each: each.id)
        told = list(meter.through(mine, "relations"))
        text = okf.concept(node, told, ends=ends, sources=sources.get(node.id, []), vocabulary=vocabulary)
        yield node, text


def _sources(moment: Moment, ids: Sequence[str]) -> dict[str, list[tuple[str, str, str]]]:
    """Return, for each node, what it rests on: a label, the document's name, the quote."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for evidence, document, path in moment.grounds(ids):
        held = found.setdefault(evidence.subject, [])
        if evidence.type is SourceType.DOCUMENT and len(held) < _SOURCES_MAX:
            held.append((f"s{len(held) + 1}", path or document, evidence.quote))
    return found


_FILLERS: Final = {"okf": _bundle, "csv": _tables}
