"""Both engines answer alike: this project's documents in a file and in a database, and the same questions of both."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import weft
from doors import Door
from weft.services.trace.siding import BEARING
from weft.settings import Settings
from weft.tools.gate import caller_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postgres.cluster import Cluster

DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
TEXTS: Final = {str(file.relative_to(DOCS)): file.read_text(encoding="utf-8") for file in sorted(DOCS.rglob("*.md"))}
NEAR: Final = 1e-3
"""What two scores may differ by; of two hits that are nearer to each other, either may come first."""

QUESTIONS: Final = (
    "how are links made by themselves",
    "what happens when a connection to the database is lost",
    "calibrated similarity of another model",
    "back up and restore a graph",
    "erase a leaked secret",
    "why not a vector extension for SQLite",
    "roles of the database and row level security",
    "tokens",
    "vault of Markdown files",
    "who may merge two concepts",
    "standby promoted without loss",
    "undo a batch",
    "embedding model that is bundled",
    "what a relation type means",
    "import notes from Obsidian",
    "HNSW",
    TEXTS["decisions/0013-words-are-cut-once.md"][:600],
)
FILTERS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"mode": "keyword"},
    {"mode": "semantic"},
    {"tags": ["decisions"]},
    {"kinds": ["decision"], "detail": "detailed"},
    {"limit": 5, "offset": 5},
    {"related_to": "glossary.md"},
    {"min_confidence": 0.5, "limit": 3},
)
TRAILS: Final = (
    ("explanation/search.md", "glossary.md"),
    ("decisions/0009-automatic-links.md", "explanation/embedding.md"),
    ("tokens of a team", "erase a secret"),
    ("reference/tools.md", "decisions/0005-vectors-live-beside-the-database.md"),
    ("tutorial/first-graph.md", "decisions/0019-writers-take-turns.md"),
)
TASKS: Final = (
    {"task": "replace the bundled embedding model"},
    {"task": "serve a team over HTTP with tokens", "recent_files": ["src/weft/faces/http.py"]},
    {"task": "", "current_file": "src/weft/store/sqlite.py"},
    {"task": "make the vault faster", "current_file": "src/weft/vault/keeper.py"},
)
CLAIMS: Final = (
    "A search waits for the index.",
    "Every write is synchronised to the disk before it is acknowledged.",
    "The judge decides every claim.",
    "Vectors are stored in the database as 16-bit floats.",
    "Requirements are locked without naming any host.",
    "Writers of one graph write at the same time.",
)
ID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)")


@dataclass(frozen=True, kw_only=True)
class Both:
    """The same documents in both engines."""

    file: Door
    database: Door

    def ask(self, name: str, **arguments: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return both answers, nodes named by their titles and without times."""
        return _named(self.file, name, arguments), _named(self.database, name, arguments)


def _named(ann: Door, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    answer = json.dumps(ann.answer(name, arguments), ensure_ascii=False)
    ids = sorted(set(ID.findall(answer)))
    titles = {id_: node.title for id_, node in ann.graph.store.nodes(ids).items()}
    named = ID.sub(lambda found: titles.get(found[0], "another"), answer)
    told: dict[str, Any] = json.loads(TIME.sub("then", named))
    return told


def _filled(url: str) -> Door:
    chosen = Settings(graph=url, actor="ann", hints="off")
    graph = weft.open(settings=chosen)
    ann = Door(graph=graph, caller=caller_of(chosen, client="test", graph="notes"))
    for title, text in TEXTS.items():
        ann.call("capture", content=text, title=title, ontology="notes", tags=[title.partition("/")[0]])
    return ann


@pytest.fixture(scope="module")
def both(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """Both graphs, filled by the same calls in the same order."""
    name = cluster.create_database()
    held = Both(file=_filled(str(tmp_path_factory.mktemp("same") / "notes.db")), database=_filled(cluster.url(name)))
    yield held
    held.file.graph.close()
    held.database.graph.close()
    cluster.drop_database(name)


def differences(one: object, other: object, where: str = "") -> list[str]:
    """Return where two answers differ: numbers by more than ``NEAR``, hits in another order than their scores allow."""
    if isinstance(one, dict) and isinstance(other, dict):
        found = [f"{where}: fields {sorted(one.keys() ^ other.keys())}"] if one.keys() != other.keys() else []
        return found + [
            each for key in one.keys() & other.keys() for each in differences(one[key], other[key], f"{where}.{key}")
        ]
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return [f"{where}: {len(one)} and {len(other)}"]
        other = _in_order(one, other)
        pairs = enumerate(zip(one, other, strict=True))
        return [each for at, (mine, its) in pairs for each in differences(mine, its, f"{where}[{at}]")]
    if isinstance(one, float) or isinstance(other, float):
        return [] if abs(float(str(one)) - float(str(other))) <= NEAR else [f"{where}: {one} and {other}"]
    return [] if one == other else [f"{where}: {one} and {other}"]


def _in_order(one: list[Any], other: list[Any]) -> list[Any]:
    """Return ``other`` with hits that may stand either way in the order of ``one``."""
    taken = list(other)
    for at, hit in enumerate(one):
        for further in range(at, len(taken)):
            if not _tied(taken[at], taken[further]):
                break
            if isinstance(hit, dict) and hit.get("title") == taken[further]["title"]:
                taken.insert(at, taken.pop(further))
                break
    return taken


def _tied(one: object, other: object) -> bool:
    """Return whether two hits are as good as each other."""
    if not isinstance(one, dict) or not isinstance(other, dict) or "title" not in one:
        return False
    scores = [name for name in ("score", "relevance", "similarity") if name in one and name in other]
    return bool(scores) and abs(one[scores[0]] - other[scores[0]]) <= NEAR


def test_the_same_was_made_of_the_same_documents(both: Both) -> None:
    """Counts of everything, and every relation and suggestion that made itself."""
    one, other = both.ask("status", detail="detailed")
    assert json.dumps(one["counts"]) == json.dumps(other["counts"])
    assert one["counts"]["nodes"] == len(TEXTS) > 40
    assert one["counts"]["relations"] > 3
    one, other = both.ask("review", limit=50)
    assert sorted(map(str, one["items"])) == sorted(map(str, other["items"]))


@pytest.mark.parametrize("filters", FILTERS, ids=str)
def test_searches_find_the_same_in_the_same_order(both: Both, filters: dict[str, Any]) -> None:
    """By meaning, by word, through the graph, filtered and page by page."""
    found = 0
    for query in QUESTIONS:
        one, other = both.ask("search", query=query, **filters)
        if "mode" not in filters:
            one, other = _as_many(one, other)
        assert differences(one, other) == [], query
        found += len(one["hits"])
    assert found > 0


def _as_many(one: dict[str, Any], other: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return both answers with the counts of the first, where they are one apart.

    Of two texts that are as near, either may be the last of the thirty nearest: one that something else speaks for is
    among the hits all the same, and one that nothing does is a near miss.
    """
    misses, others = one["near_misses"], other["near_misses"]
    if abs(one["total"] - other["total"]) > 1 or abs(misses["count"] - others["count"]) > 1:
        return one, other
    return one, {**other, "total": one["total"], "near_misses": {**others, "count": misses["count"]}}


@pytest.mark.parametrize("ends", TRAILS, ids=str)
def test_trails_lead_the_same_way(both: Both, ends: tuple[str, str]) -> None:
    """Between nodes and between what is near to words."""
    one, other = both.ask("trace", start=ends[0], end=ends[1])
    assert differences(one, other) == []


@pytest.mark.parametrize("task", TASKS, ids=str)
def test_a_task_is_given_the_same(both: Both, task: dict[str, Any]) -> None:
    """What bears on it, how much, and why."""
    one, other = both.ask("context", **task)
    assert differences(one, other) == []


def test_claims_are_judged_the_same(both: Both) -> None:
    """By the same nodes on the same side; which claims anybody bears on follows what the documents say today."""
    answers = [both.ask("challenge", claim=claim) for claim in CLAIMS]
    assert [differences(_bearing(one), _bearing(other)) for one, other in answers] == [[]] * len(CLAIMS)
    assert sum(any(one[side] for side in ("supports", "conflicts", "to_judge")) for one, _ in answers) > 1


def _bearing(answer: dict[str, Any]) -> dict[str, Any]:
    """Return a challenge's answer without what is left to judge for hardly more than its likeness.

    Such a text is alike by a sentence of its own, which is compared of the nearest few: where two texts are as near for
    the last place among these, the engines, of which one rounds to 16 bits, may take either.
    """
    likely = [each for each in answer["to_judge"] if sum(each["likelihood"].values()) >= 2 * BEARING]
    return {**answer, "to_judge": likely}


def test_another_answer_would_be_noticed(both: Both) -> None:
    """The twin: a hit less, a score off, an order that no tie excuses, another text.

    By meaning alone, since what the graph ties to the best hit has its score at most, and among these many have it.
    """
    asked = (both.ask("search", query=query, mode="semantic")[0] for query in QUESTIONS)
    whole = (each for each in asked if len(each["hits"]) > 1)
    one = next(each for each in whole if each["hits"][0]["score"] - each["hits"][1]["score"] > NEAR)
    first, second, *rest = one["hits"]
    for hits in (
        [first, *rest],
        [second, first, *rest],
        [{**first, "score": first["score"] + 2 * NEAR}, second, *rest],
        [{**first, "snippet": "x"}, second, *rest],
    ):
        assert differences(one, {**one, "hits": hits})
    assert differences(*_as_many(one, {**one, "total": one["total"] + 2}))
    twin = {**second, "score": first["score"]}
    assert differences({"hits": [first, twin]}, {"hits": [twin, first]}) == []
