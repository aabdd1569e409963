"""Hostile notes: no crash, nothing outside the vault, bounded time and memory, and every refusal told."""

from __future__ import annotations

import resource
import time
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from vault.hostile import hostile
from vault.shelf import desk
from weft.errors import InvalidArgument
from weft.formats import vault_note, vault_record, vault_source
from weft.vault.passing import Pass
from weft.vocabulary import STANDARD

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from vault.shelf import Desk

QUICK = 400
ONE_S = 2.0
GROWTH_MAX_KB = 200_000


def throw(graph: Desk, seeds: range) -> list[str]:
    """Put these notes into the vault, sync, and return what is wrong with what became of them."""
    wrong: list[str] = []
    for seed in seeds:
        file = graph.root / "nodes" / f"{seed % 7}" / f"{seed}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        body = hostile(seed)
        file.write_bytes(body)
        started = time.perf_counter()
        vault_note.parse(body.decode("utf-8", "replace"))
        if time.perf_counter() - started > ONE_S:
            wrong.append(f"{seed}: reading it took {time.perf_counter() - started:.1f} s")
    told = graph.sync()
    refused = {each.path for each in told.unread}
    known = {node.id for node in graph.standing()}
    for seed in seeds:
        path = f"nodes/{seed % 7}/{seed}.md"
        body = (graph.root / path).read_bytes()
        if path in refused:
            continue
        note = vault_note.parse(body.decode("utf-8-sig", "replace"))
        if note.id not in known:
            wrong.append(f"{seed}: neither refused nor a node")
    if told.unread_total > len(told.unread):
        wrong.append("more refusals than are listed")
    again = graph.sync()
    if again.nodes_made or again.nodes_changed or again.nodes_retired:
        wrong.append("a second pass read something else")
    return wrong


def test_hostile_notes_are_nodes_or_told_and_stay_inside(tmp_path: Path) -> None:
    """Each becomes a node or is refused by name; the folder beside the vault stays as it is."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("mine")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with desk(tmp_path / "graph") as graph:
        assert throw(graph, range(QUICK)) == []
        assert len(graph.standing()) > QUICK // 20
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < GROWTH_MAX_KB
    assert [path.name for path in tmp_path.rglob("*") if path.is_file() and path.is_relative_to(outside)] == ["x.md"]
    assert {path.name for path in tmp_path.iterdir()} == {"graph", "outside"}


def test_a_note_that_is_passed_over_in_silence_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: with refusals that are not reported, the check says so."""
    monkeypatch.setattr(Pass, "refuse", lambda run, path, *_, **__: run.blocked.add(path))
    with desk(tmp_path) as graph:
        assert any("neither refused nor a node" in each for each in throw(graph, range(20)))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400) | st.text(max_size=400).map(lambda text: text.encode("utf-8", "replace")))
def test_no_text_makes_a_codec_fail(body: bytes) -> None:
    """Notes and records are read whatever they hold; a source is read or refused."""
    text = body.decode("utf-8", "replace")
    vault_note.parse(f"---\n{text}\n---\n{text}")
    vault_record.parse(text, STANDARD)
    vault_record.parse_rows(text)
    try:
        vault_source.parse(f"---\n{text}\n---\n{text}")
    except InvalidArgument:
        return
