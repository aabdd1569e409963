"""The graph as an object of a graph library, in memory: for analysis in notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.model.codec import to_data
from weft.optional import optional
from weft.services.transfer import lossless

if TYPE_CHECKING:
    import rustworkx

    from weft.ports import Archive

__all__ = ["networkx_graph", "rustworkx_graph"]


def networkx_graph(archive: Archive) -> Any:  # noqa: ANN401 - a networkx.MultiDiGraph, which is not installed everywhere
    """Return a ``networkx.MultiDiGraph``: nodes by id, relations by (source, target, type), fields as attributes.

    Raises:
        Unavailable: networkx is not installed.
    """
    networkx = optional("networkx", extra="networkx", why="to_networkx()")
    graph = networkx.MultiDiGraph()
    with archive.moment() as moment:
        graph.add_nodes_from((node.id, to_data(node)) for node in lossless.nodes(moment))
        graph.add_edges_from(
            (each.source, each.target, each.type, to_data(each)) for each in lossless.relations(moment)
        )
    return graph


def rustworkx_graph(archive: Archive) -> rustworkx.PyDiGraph[Any, Any]:
    """Return a ``rustworkx.PyDiGraph`` with a :class:`weft.model.Node` on each node and a relation on each edge."""
    import rustworkx

    graph: rustworkx.PyDiGraph[Any, Any] = rustworkx.PyDiGraph(multigraph=True)
    places: dict[str, int] = {}
    with archive.moment() as moment:
        for node in lossless.nodes(moment):
            places[node.id] = graph.add_node(node)
        graph.add_edges_from([(places[each.source], places[each.target], each) for each in lossless.relations(moment)])
    return graph
