"""A lineage in a large graph: ten thousand units, fifty thousand relations."""

from __future__ import annotations

import random
from functools import partial
from time import thread_time
from typing import TYPE_CHECKING, Any

import pytest

from engine import filled_at
from journeys.study import study
from weft.identity import new_id
from weft.model import Batch, Node, Relation, SaveNode, SaveRelation

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from weft.graph import Graph

UNITS, RELATIONS, ALONE = 10_000, 50_000, 2


def _filled(graph: Graph) -> list[str]:
    """Fill ``graph`` with units and relations at random, the last units alone; return the units' ids."""
    call = graph.call("fill")
    ids = [new_id(call.at) for _ in range(UNITS)]
    chance = random.Random(31)
    joined = [chance.sample(range(UNITS - ALONE), 2) for _ in range(RELATIONS)]
    made = {"created_at": call.at, "created_by": "ann"}
    writes = [
        *(
            SaveNode(
                node=Node(
                    id=key,
                    kind="claim",
                    title=f"Unit {place}",
                    content=f"Unit {place}.",
                    ontology="notes",
                    modified_at=call.at,
                    modified_by="ann",
                    **made,
                ),
                expect=0,
            )
            for place, key in enumerate(ids)
        ),
        *(
            SaveRelation(
                relation=Relation(
                    id=new_id(call.at), source=ids[a], target=ids[b], type="implies", reasoning="So.", **made
                ),
                expect=0,
            )
            for a, b in dict.fromkeys(map(tuple, joined))
        ),
    ]
    graph.store.commit(Batch(id=new_id(call.at), call=call, operations=tuple(writes), receipt=None))
    return ids


@pytest.mark.files_too
def test_a_lineage_over_ten_thousand_units_stays_under_a_second(tmp_path: Path) -> None:
    """Found or not found; acceptance bound of the origin's own review, far above what is measured."""
    ids = filled_at(tmp_path / "notes.db", _filled)
    with study(tmp_path) as notes:
        chance = random.Random(4)
        pairs = [chance.sample(ids[:-ALONE], 2) for _ in range(3)]
        for start, end, connected in (*((*pair, True) for pair in pairs), (ids[0], ids[-1], False), (*ids[-2:], False)):
            found, spent = _timed(partial(notes.lineage, start, end))
            assert spent < 1.0
            assert found["connected"] is connected
            assert found["path_length"] <= 6


def _timed(ask: Callable[[], dict[str, Any]]) -> tuple[dict[str, Any], float]:
    """Return an answer, and the least that it takes of three times: others leave much to be collected."""
    spent = []
    for _ in range(3):
        began = thread_time()
        found = ask()
        spent.append(thread_time() - began)
    return found, min(spent)
