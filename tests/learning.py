"""Two documents of two ontologies for the tests of learned knowledge, and the hashes of all that documents said."""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import engine
from doors import door
from weft.model import IngestRequest

if TYPE_CHECKING:
    from weft.graph import Graph

__all__ = ["FITTING", "STRANGE", "copied", "document_hashes", "take_in"]

AGILITY = """# Governed agility

Sensible Transparency is a practice that shows decisions, their data and their results to everybody whom they concern.

Data-Driven Reasoning is a way to decide by measurements that everybody can check.

Sensible Transparency depends on Data-Driven Reasoning.
"""
ROLES = """# Role based intelligence

Signal Transparency Score is a figure that measures how visible the data behind a decision is to everybody.

Metrics Pillar is a practice that turns goals into figures that are measured every week.
"""
FITTING = "Sensible transparency and the signal transparency score both make the data behind decisions visible."
STRANGE = "Violins are made of spruce and maple."

_HASHES = """
SELECT 'node', id, hash FROM node WHERE origin = 'document'
UNION ALL SELECT 'relation', id, hash FROM relation WHERE origin = 'document'
UNION ALL SELECT 'source', id, hash FROM source WHERE type = 'DOCUMENT'
UNION ALL SELECT 'evidence', id, hash FROM evidence WHERE type = 'DOCUMENT'
"""


def take_in(graph: Graph) -> None:
    """Take in both documents."""
    for name, text, ontology in (
        ("agility.md", AGILITY, "Governed Agility"),
        ("roles.md", ROLES, "Role Based Intelligence"),
    ):
        graph.ingest.ingest(IngestRequest(text=text, document=name, ontology=ontology), graph.call("ingest"))


@cache
def _documented() -> Path:
    folder = Path(mkdtemp(prefix="weft-learning-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with door(folder) as opened:
        take_in(opened.graph)
    return folder


def copied(folder: Path) -> Path:
    """Put a closed graph that took in both documents into ``folder``, and return the folder."""
    return engine.copied(_documented(), folder)


def document_hashes(graph: Graph) -> frozenset[tuple[str, str, str]]:
    """Return kind, id and stored hash of every node, relation, source and piece of evidence that a document gave."""
    with graph._opened.database.snapshot() as reader:  # noqa: SLF001 - the engine itself is asked
        return frozenset((kind, id_, hash_) for kind, id_, hash_ in reader.execute(_HASHES))
