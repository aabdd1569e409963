"""A stream of captures as agents make them, for processes that write until somebody stops them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from weft.model import (
    Mention,
    RemoveRelation,
    SaveEvidence,
    SaveMentions,
    SaveNode,
    SaveSource,
    SaveSuggestion,
    Tier,
)
from weft.store import open_sqlite
from weft.testing.making import (
    DIMENSION,
    a_batch,
    a_node,
    a_receipt,
    a_source,
    a_suggestion,
    an_evidence,
    changed,
    joined,
    retired,
    saved,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection as Pipe
    from multiprocessing.synchronize import Barrier
    from pathlib import Path

    from weft.model import Batch, Node, Operation, SaveRelation
    from weft.store import Opened, OpenedFile

WORDS = [
    "water",
    "ice",
    "steam",
    "heat",
    "cold",
    "boil",
    "melt",
    "freeze",
    "rise",
    "fall",
    "sea",
    "river",
    "cloud",
    "rain",
    "salt",
    "ocean",
    "wind",
    "sun",
]


def opened(path: Path, *, synchronous: str = "FULL", vfs: str = "") -> OpenedFile:
    """Open the graph that the captures go to."""
    return open_sqlite(
        path, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True, synchronous=synchronous, vfs=vfs
    )


def captures(seed: int, *, size: int = 30) -> Iterator[tuple[Batch, str]]:
    """Yield batches without end, each with the key of its receipt.

    Each saves a node of ``size`` words with a passage, joins it to the ones before, and now and then updates, retires,
    unrelates or suggests something.
    """
    dice = random.Random(seed)
    nodes: list[Node] = []
    relations: list[SaveRelation] = []
    number = 0
    while True:
        number += 1
        key = f"{seed}-{number}"
        text = " ".join(dice.choices(WORDS, k=size))
        node = a_node(f"{dice.choice(WORDS)} {key}", content=text, tags=tuple(set(dice.choices(WORDS, k=2))))
        made = [joined(node, other, confidence=dice.random()) for other in nodes[-3:]]
        operations: list[Operation] = [saved(node), *made, *_sometimes(dice, node, nodes, relations, key)]
        relations += made
        nodes.append(node)
        yield a_batch(*operations, receipt=a_receipt(key, subjects=(node.id,))), key


def _sometimes(
    dice: random.Random, node: Node, nodes: list[Node], relations: list[SaveRelation], key: str
) -> Iterator[Operation]:
    """Yield one thing more, of another sort each time."""
    match dice.randrange(7):
        case 0 if nodes:
            nodes[-1] = changed(nodes[-1], title=f"{nodes[-1].title} again", tags=("changed",))
            yield SaveNode(node=nodes[-1], expect=nodes[-1].version - 1)
        case 1 if nodes:
            nodes[-1] = changed(nodes[-1], content=f"{key} {nodes[-1].content}")
            yield saved(nodes[-1])
        case 2 if len(nodes) > 3:
            yield from _retire(nodes, relations)
        case 3:
            source = a_source(key)
            yield SaveSource(source=source)
            yield SaveEvidence(evidence=an_evidence(node.id, source))
        case 4 if nodes:
            yield SaveSuggestion(suggestion=a_suggestion(key, node, nodes[-1]))
        case 5 if nodes:
            yield SaveMentions(node=node.id, outgoing=(Mention(node=node.id, target=nodes[-1].id, name=key),))
        case _:
            return


def _retire(nodes: list[Node], relations: list[SaveRelation]) -> Iterator[Operation]:
    """Retire the oldest node that nothing new will be joined to, and what joins it."""
    gone = nodes.pop(0)
    for save in [save for save in relations if gone.id in (save.relation.source, save.relation.target)]:
        relations.remove(save)
        yield RemoveRelation(id=save.relation.id, expect=1)
    yield SaveNode(node=retired(gone), expect=gone.version)


def write_until_killed(path: Path, seed: int, acknowledge: Pipe, synchronous: str = "FULL") -> None:
    """Commit captures for ever, saying the key of each when it is durable; full text is merged in between."""
    graph = opened(path, synchronous=synchronous)
    graph.tend(quiet_s=0.0)
    for batch, key in captures(seed):
        graph.store.commit(batch)
        acknowledge.send_bytes(key.encode())


def boast_until_killed(path: Path, seed: int, acknowledge: Pipe, synchronous: str = "FULL") -> None:
    """Do as :func:`write_until_killed` does, but speak before the deed: what no store may do."""
    graph = opened(path, synchronous=synchronous)
    for batch, key in captures(seed):
        acknowledge.send_bytes(key.encode())
        graph.store.commit(batch)


def write_in_a_ring(
    path: Path, seed: int, count: int, start: Barrier, neighbours: tuple[Pipe, Pipe], results: Pipe
) -> None:
    """Commit ``count`` captures beside others; what the neighbour says it wrote must be there at once."""
    graph = opened(path)
    heard, told = neighbours
    keys: list[bytes] = []
    seen = 0
    start.wait(60)
    for (batch, key), _ in zip(captures(seed), range(count), strict=False):
        graph.store.commit(batch)
        told.send_bytes(key.encode())
        while b"" not in keys and heard.poll():
            seen += _is_there(graph, keys, heard)
    told.send_bytes(b"")
    while b"" not in keys:
        seen += _is_there(graph, keys, heard)
    results.send(seen)
    graph.close()


def _is_there(graph: Opened, keys: list[bytes], heard: Pipe) -> bool:
    """Listen once, and return whether what was heard of is in the graph by now."""
    keys.append(heard.recv_bytes())
    return graph.store.receipt(actor="ada", tool="capture", key=keys[-1].decode()) is not None
