"""A graph file of every schema there ever was is brought up to what a new one is, and holds what it held.

Its rows are those that a graph of today writes, laid into a file that has the first migrations only: what later ones
derive, they have to derive from what is there.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest

from store.soundness import faults
from weft.model import Filter, SaveEvidence, SaveNode, SaveSource, SaveSuggestion, Tier
from weft.store import open_sqlite
from weft.store.migrate import migrations, newest_schema
from weft.store.schema import schema_amiss
from weft.store.sqlite import APPLICATION_ID, Connection, connect
from weft.testing.making import (
    DIMENSION,
    a_batch,
    a_node,
    a_source,
    a_suggestion,
    an_evidence,
    changed,
    joined,
    retired,
    saved,
)
from weft.text.indexing import CUT, indexed
from weft.text.languages import language

if TYPE_CHECKING:
    from pathlib import Path

    from weft.store import Opened

TRUTH: Final = ("meta", "node", "relation", "source", "evidence", "suggestion", "vote", "series", "receipt", "change")
PASSAGE: Final = """
    INSERT INTO passage_entry (node, ordinal, start, end, vector, from_seq, name_words, body_words, terms)
    VALUES (:node, :ordinal, :start, :end, :vector, :from_seq, 'heated', 'wings', '["heated", "wings"]')
"""
GONE: Final = ("Old habit",)
CUTS: Final = {12: ("terms 1, stems 4, compounds 1, dates 1, characters 1, languages 1", "a97ee1be780014dc")}
TEXTS: Final = (
    "Weft keeps UTF-8 names such as file_name.py, fooBar, C++ and node.js; it's what GPT-4 and PD-L1 were called.",
    "The colours of the harbours were organised by analysing travellers' judgements, happily running to their houses.",
    "İstanbul'da Işık kaynakları ılıman ağaçlardan gelir; öğrenciler kitapları İzmir'de okuyorlardı.",
    "Die Häuser an der Straße wurden größer, und die Verbindungen der Datenbanken waren nicht mehr schnell genug.",
    "Les élèves mangeaient des œufs à l'école, où l'on n'a jamais trouvé de meilleures réponses à ces questions.",
    "Los niños corrían rápidamente hacia las montañas más altas, y las canciones no terminaban nunca.",
    "Дома стояли у реки, и ёлки росли быстрее, чем думали люди, которые их посадили.",
    "Οι άνθρωποι διαβάζουν τα βιβλία στις βιβλιοθήκες της πόλης.",
    "知識グラフは文書を結びつける。我家的猫很可爱。한국어 문서의 검색과 색인을 만든다.",
    "ग्रंथों की खोज में शब्दों के रूप मिलते हैं। البيانات والكتب في المدرسة الكبيرة",
    "On 14 March 2026 (2025-07-01, mayo de 2024) the roof was mended.",
    "We lent the drill that broke, sold the pram and kept the shelves; the wolves have lost their teeth.",
    "Talossa oli paljon kirjoja, ja koirien hännät heiluivat, mutta kissat eivät tulleet.",
)
CLOSED: Final = "UPDATE passage SET to_seq = :to_seq WHERE row = :row"
DIES: Final = """
import os, signal, sys
from pathlib import Path
from weft.model import Tier
from weft.store import open_sqlite
from weft.store.sqlite import Connection

left, execute = int(sys.argv[2]), Connection.execute

def dying(self, sql, values={}):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(self, sql, values)

Connection.execute = dying
open_sqlite(Path(sys.argv[1]), tier=Tier.CURATOR, model="letters", dimension=8, create=False).close()
"""


def opened(path: Path) -> Opened:
    """Open the graph at ``path`` as a curator."""
    return open_sqlite(path, tier=Tier.CURATOR, model="letters", dimension=DIMENSION, create=True)


def fill(path: Path) -> None:
    """Write a bit of everything that a graph of the first schema could hold."""
    graph = opened(path)
    first, second = (
        a_node("Heated wings", references=("a.py",), confidence=0.6),
        a_node("Cooled wings", ontology="other"),
    )
    gone, source = a_node("Old habit", confidence=0.3), a_source()
    graph.store.commit(a_batch(*map(saved, (first, second, gone)), SaveSource(source=source)))
    evidence = SaveEvidence(evidence=an_evidence(first.id, source))
    asked = SaveSuggestion(suggestion=a_suggestion("a question", first, second))
    graph.store.commit(a_batch(joined(first, second), joined(second, first, "extends"), evidence, asked))
    left = SaveNode(node=retired(gone), expect=1, passages=())
    graph.store.commit(a_batch(saved(changed(first, title="Warm wings", content="They were flown")), left))
    graph.close()


def rows(connection: Connection, table: str) -> list[dict[str, Any]]:
    """Return all rows of ``table``, by the names of its columns."""
    names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    return [dict(zip(names, row, strict=True)) for row in connection.execute(f"SELECT {', '.join(names)} FROM {table}")]


def lay(path: Path, number: int, whole_graph: Path) -> None:
    """Make the file ``path`` the graph ``whole_graph`` as a release of schema ``number`` would have left it."""
    source, older = (Connection(connect(each, synchronous="OFF", vfs="", create=True)) for each in (whole_graph, path))
    older.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    older.execute("PRAGMA journal_mode = WAL")
    for script in (script for each, script in migrations("sqlite").items() if each <= number):
        older.execute(script)
    older.execute(f"PRAGMA user_version = {number}")
    with older.transaction():
        for table in TRUTH:
            for values in (each for each in rows(source, table) if each.get("key") != "words"):
                fields = ", ".join(f":{name}" for name in values)
                older.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({fields})", values)
        for values in rows(source, "passage"):
            older.execute(PASSAGE, values)
            older.execute(CLOSED, values)
        older.execute("UPDATE meta SET value = 'older' WHERE key = 'words'")
    source.close()
    older.close()


@pytest.fixture
def older(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """The file of a graph of the schema that the test asks for."""
    fill(tmp_path / "whole.db")
    lay(tmp_path / "graph.db", request.param, tmp_path / "whole.db")
    return tmp_path / "graph.db"


EVERY: Final = pytest.mark.parametrize("older", range(1, newest_schema()), indirect=True)
BEFORE_RETIRED_NAMES: Final = pytest.mark.parametrize("older", range(1, 8), indirect=True)


def held(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return all that is true in the graph at ``path``."""
    connection = Connection(connect(path, synchronous="OFF", vfs=""))
    found = {table: rows(connection, table) for table in TRUTH if table != "meta"}
    connection.close()
    return found


def as_new(path: Path) -> bool:
    """Return whether the graph at ``path`` has the schema of a new one, and is sound."""
    connection = Connection(connect(path, synchronous="OFF", vfs=""))
    amiss, number = schema_amiss(connection), connection.schema()
    connection.close()
    return number == newest_schema() and amiss == ([], []) and faults(path) == []


@EVERY
def test_a_graph_of_every_schema_is_brought_up_and_answers(older: Path) -> None:
    """What is true stays as it was; what is derived is that of a new graph, and words of the past are found."""
    before = held(older)
    graph = opened(older)
    assert graph.health.look().found == ()
    for query, title in (("warming", "Warm wings"), ("cooling", "Cooled wings")):
        (hit,) = graph.words.search(query, filter=Filter(), limit=5)
        assert graph.store.nodes([hit.node])[hit.node].title == title
    then = graph.words.search("heating", filter=Filter(as_of=1), limit=5)
    assert graph.words.search("heating", filter=Filter(), limit=5) == ()
    assert len(then) == 1
    graph.close()
    assert held(older) == before
    assert as_new(older)


@EVERY
def test_a_graph_that_was_brought_up_is_written_to_as_a_new_one(older: Path) -> None:
    """Every trigger is there, and what they count goes on from what was counted."""
    graph = opened(older)
    first, second = a_node("Hangar", tags=("place",)), a_node("Runway", confidence=0.6)
    graph.store.commit(a_batch(saved(first), saved(second), joined(first, second), SaveSource(source=a_source("b.md"))))
    graph.close()
    assert as_new(older)


@BEFORE_RETIRED_NAMES
def test_what_came_in_already_retired_is_found_by_nothing_once_it_is_brought_up(older: Path) -> None:
    """Older releases kept its names, tags and references, as of what stands."""
    connection = Connection(connect(older, synchronous="OFF", vfs=""))
    assert GONE in connection.execute("SELECT DISTINCT title FROM node JOIN name ON name.node = node.row")
    connection.close()
    opened(older).close()
    assert faults(older) == []


def test_a_node_that_comes_in_already_retired_is_found_by_nothing(tmp_path: Path) -> None:
    """As out of a vault in which it was forgotten."""
    graph = opened(tmp_path / "graph.db")
    node = replace(retired(a_node("Old habit", tags=("habit",), references=("a.py",))), version=1)
    graph.store.commit(a_batch(SaveNode(node=node, expect=0)))
    graph.close()
    assert faults(tmp_path / "graph.db") == []


@pytest.mark.parametrize("older", [1], indirect=True)
def test_a_graph_of_the_first_schema_counts_what_it_held_already(older: Path) -> None:
    """Its bands of confidence are filled as it is opened; its files are unknown until somebody looks."""
    graph = opened(older)
    assert sum(graph.store.counts().nodes_by_confidence.values()) == graph.store.counts().nodes == 2
    assert graph.store.counts().nodes_by_confidence["medium"] == 1
    ((_, id_),) = graph.prints.referring(0, limit=9)
    assert graph.store.nodes([id_])[id_].title == "Warm wings"
    assert graph.prints.of_nodes([id_]) == ()
    graph.close()


def test_another_cut_of_words_has_a_name_and_a_schema_of_its_own() -> None:
    """Without a name words of two cuts are mixed; without a schema each release cuts the other's back, and stops it."""
    words = [indexed(text, code=language(text)) for text in TEXTS]
    digest = hashlib.sha256(json.dumps(words).encode()).hexdigest()[:16]
    assert (CUT, digest) == CUTS[newest_schema()]


@pytest.mark.parametrize("older", [1], indirect=True)
def test_eight_that_open_it_at_once_bring_it_up_once(older: Path) -> None:
    """Connections of their own stand for processes; nobody meets an error, and all see the same."""

    def count(_: int) -> int:
        graph = opened(older)
        try:
            return graph.store.counts().nodes
        finally:
            graph.close()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(count, range(8))) == [2] * 8
    assert as_new(older)


@pytest.mark.parametrize("older", [1], indirect=True)
@pytest.mark.parametrize("at", [12, 30, 55])
def test_who_dies_while_bringing_it_up_leaves_a_graph_that_the_next_one_brings_up(older: Path, at: int) -> None:
    """Each schema comes with its number or not at all, and so does the new cut of the words."""
    before = held(older)
    command = [sys.executable, "-c", DIES, str(older), str(at)]
    died = subprocess.run(command, check=False, capture_output=True, text=True)
    assert died.returncode == -9, died.stderr
    opened(older).close()
    assert held(older) == before
    assert as_new(older)
