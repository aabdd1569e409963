"""Thousands of random calls of the synthesis tools take nothing away that a document said."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from doors import Door, door
from learning import FITTING, STRANGE, copied, document_hashes
from weft.errors import PermissionDenied
from weft.model import Batch, RemoveRelation
from weft.tools.synthesis import ROWS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from weft.model import Relation

DOCUMENTED = ("Sensible Transparency", "Data-Driven Reasoning", "Signal Transparency Score", "Metrics Pillar")
EVIDENCE = (FITTING, STRANGE, "Both are measured.", "Neither is measured.", "Everybody can check both every week.")
# Superseding marks the status of what it replaces, here as everywhere: that is no deletion, but another hash.
TYPES = ("BRIDGES", "LEARNED_CONNECTION", "SUPPORTS", "REFUTES", "CONTRADICTS", "DEPENDS_ON", "PART_OF", "NONSENSE")


@pytest.fixture
def ann(tmp_path: Path) -> Iterator[Door]:
    """A graph with two documents."""
    with door(copied(tmp_path), hints="off") as opened:
        yield opened


class Player:
    """Somebody who calls the synthesis tools at random, with what earlier answers named and with nonsense."""

    def __init__(self, ann: Door, seed: int) -> None:
        self._ann = ann
        self._dice = Random(seed)
        self._items = ["learned_1999-01-01_001"]
        self._concepts = list(DOCUMENTED)
        self._relations = [each.id for each in ann.graph.store.relations([_id(ann, DOCUMENTED[0])])]
        self._text = "[]"
        self.done: dict[str, int] = dict.fromkeys((row.name for row in ROWS), 0)

    def play(self) -> None:
        """Make one call."""
        moves: list[tuple[str, Callable[[], dict[str, Any]], int]] = [
            ("create_learned_relationship", self._connection, 30),
            ("delete_learned_knowledge", self._deletion, 25),
            ("create_synthesis_concept", self._concept, 10),
            ("update_learned_knowledge", self._update, 15),
            ("rate_learned_knowledge", self._vote, 8),
            ("list_learned_knowledge", self._page, 5),
            ("create_learned_relationships", self._connections, 3),
            ("import_learned_knowledge", self._import, 1),
            ("export_learned_knowledge", lambda: {"format": self._dice.choice(("json", "json", "cypher"))}, 2),
            ("find_bridge_candidates", self._ontologies, 1),
        ]
        if self._dice.random() < 0.01:
            self._look()
        name, arguments, _ = self._dice.choices(moves, weights=[each[2] for each in moves])[0]
        answer = self._ann.answer(name, arguments())
        if "error" not in answer:
            self.done[name] += 1
            if name == "delete_learned_knowledge":
                self._items = [each for each in self._items if each != answer["learned_id"]] or ["gone"]
            else:
                self._learn(answer)

    def _look(self) -> None:
        """Forget the names of what is gone."""
        rows = self._ann.answer("list_learned_knowledge", {"limit": 20})["learned_knowledge"]
        self._items = [row["learned_id"] for row in rows] or ["gone"]
        self._concepts = [*DOCUMENTED, *(row["concept_id"] for row in rows if "concept_id" in row)]

    def _learn(self, answer: dict[str, Any]) -> None:
        for row in (answer, *answer.get("results", ())):
            self._items += [row["learned_id"]] if "learned_id" in row else []
            self._concepts += [row["concept_id"]] if "concept_id" in row else []
        self._items, self._concepts = self._items[-40:], [*DOCUMENTED, *self._concepts[-12:]]
        if answer.get("format") == "json":
            self._text = answer["text"]

    def _any_item(self) -> str:
        junk = ("", "nothing", "' OR 1=1 --", self._dice.choice(self._relations), self._dice.choice(DOCUMENTED))
        return self._dice.choice((*self._items[-20:], *self._concepts, *junk))

    def _end(self) -> str:
        return self._dice.choice((*self._concepts, self._dice.choice(self._items)))

    def _connection(self) -> dict[str, Any]:
        return {
            "from_concept_id": self._end(),
            "to_concept_id": self._end(),
            "relationship_type": self._dice.choice(TYPES),
            "evidence": self._dice.choice((*EVIDENCE, "")),
        }

    def _connections(self) -> dict[str, Any]:
        return {"relationships": [self._connection() for _ in range(self._dice.randint(1, 4))]}

    def _concept(self) -> dict[str, Any]:
        return {
            "label": f"Idea {self._dice.randint(1, 30)}",
            "search_terms": ["idea"],
            "ontology": self._dice.choice(("Ideas", "Governed Agility")),
            "bridges_concepts": [self._end() for _ in range(self._dice.randint(2, 3))],
            "evidence": self._dice.choice(EVIDENCE),
        }

    def _update(self) -> dict[str, Any]:
        change = {"evidence": self._dice.choice(EVIDENCE)}
        if self._dice.random() < 0.4:
            change = {"relationship_type": self._dice.choice(TYPES)}
        return {"learned_id": self._any_item(), "updates": change}

    def _deletion(self) -> dict[str, Any]:
        return {"learned_id": self._any_item(), "cascade": self._dice.random() < 0.5}

    def _vote(self) -> dict[str, Any]:
        return {"learned_id": self._any_item(), "vote": self._dice.choice(("up", "down"))}

    def _page(self) -> dict[str, Any]:
        return {"limit": 5, "history": self._dice.random() < 0.3, "cognitive_leap": self._dice.choice(("HIGH", None))}

    def _import(self) -> dict[str, Any]:
        return {"format": "json", "text": self._text, "dry_run": self._dice.random() < 0.2}

    def _ontologies(self) -> dict[str, Any]:
        return {"ontology1": "Governed Agility", "ontology2": "Role Based Intelligence", "min_similarity": 0.2}


@pytest.mark.parametrize("calls", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_calls_delete_nothing_that_a_document_said(ann: Door, calls: int) -> None:
    """Every stored hash of a document's nodes, relations, sources and evidence is as it was, and nothing half-written.

    The calls do delete: learned items come and go, one with every twentieth call at least.
    """
    before = document_hashes(ann.graph)
    player = Player(ann, seed=20_251_006)
    for _ in range(calls):
        player.play()
    assert document_hashes(ann.graph) == before
    assert len(before) > 15
    assert player.done["delete_learned_knowledge"] > calls / 20
    assert all(player.done.values()), player.done
    assert not _orphans(ann)


def test_a_deletion_that_spares_nothing_would_be_noticed(ann: Door) -> None:
    """The twin: the same removal, not held back by the engine, changes the hashes."""
    before = document_hashes(ann.graph)
    relation = next(each for each in ann.graph.store.relations([_id(ann, DOCUMENTED[0])]) if each.origin == "document")
    with pytest.raises(PermissionDenied, match="document"):
        ann.graph.store.commit(_removal(ann, relation, spares=True))
    assert document_hashes(ann.graph) == before
    ann.graph.store.commit(_removal(ann, relation, spares=False))
    assert document_hashes(ann.graph) != before


def _removal(ann: Door, relation: Relation, *, spares: bool) -> Batch:
    return Batch(
        id=f"rogue-{spares}",
        call=ann.graph.call("delete_learned_knowledge"),
        operations=(RemoveRelation(id=relation.id, expect=relation.version),),
        spares_documents=spares,
    )


def _orphans(ann: Door) -> list[tuple[Any, ...]]:
    """Return learned relations without evidence and learned evidence without its relation or concept."""
    sql = """
    SELECT relation.id FROM relation WHERE relation.learned_id <> '' AND relation.type <> 'synthesized_from'
        AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.subject = relation.id)
    UNION ALL SELECT evidence.id FROM evidence WHERE evidence.learned_id <> ''
        AND NOT EXISTS (SELECT 1 FROM relation WHERE relation.id = evidence.subject)
        AND NOT EXISTS (SELECT 1 FROM node WHERE node.id = evidence.subject AND node.retired_at IS NULL)
    """
    with ann.graph._opened.database.snapshot() as reader:  # noqa: SLF001 - the engine itself is asked
        return reader.execute(sql)


def _id(ann: Door, title: str) -> str:
    (node,) = ann.graph.store.resolve(title, limit=2)
    return node.id
