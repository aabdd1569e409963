"""What speaks for a kind: cues of the wording, and the vector of the model that the table was learned with."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.embed.minilm import MiniLM
from weft.errors import Unavailable
from weft.reason import kind_odds as module
from weft.reason.cues import READ, cues, is_english
from weft.reason.kind_odds import kind_odds, reads
from weft.vocabulary import KINDS

if TYPE_CHECKING:
    from pathlib import Path


def test_cues_are_words_pairs_marks_and_the_look_of_the_whole() -> None:
    """Numbers are one cue, capitals none; the beginning and the ends of the first words count."""
    assert cues("Fixed it: 12 rows!") == {
        *("fixed", "it", ":", "0", "rows", "!", "#ed", "#s", "#length-0"),
        *("^ fixed", "fixed it", "it :", ": 0", "0 rows", "rows !"),
    }


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("call get_user(id)", "#code"),
        ("the parseTree", "#code"),
        ("says Ada Lovelace", "#name"),
        ("word " * 30, "#length-2"),
        ("word " * 100, "#length-6"),
        ("quickly done", "#ly"),
        ("don\u2019t", "don\u2019t"),
        ("Größe zählt", "größe zählt"),
    ],
)
def test_the_look_of_a_text_is_a_cue(text: str, cue: str) -> None:
    """Code, names, length, forms, apostrophes and letters of other languages."""
    assert cue in cues(text)
    assert cue not in cues("one two")


def test_only_the_opening_is_read() -> None:
    """A long text holds some word of every kind."""
    assert "late" not in cues("x " * READ + "late")
    assert kind_odds("x " * READ + "late") == kind_odds("x " * READ)


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("We picked Kafka since we need replay.", True),
        ("We met the whole team in Malmö before the vote.", True),
        ("SELECT 1;", True),
        ("Redis", True),
        ("", True),
        ("Wir haben uns f\u00fcr PostgreSQL entschieden, weil das Team es kennt.", False),
        ("\u6211\u4eec\u51b3\u5b9a\u4f7f\u7528PostgreSQL\u3002", False),
        ("\u041c\u044b \u0432\u044b\u0431\u0440\u0430\u043b\u0438 PostgreSQL.", False),
    ],
)
def test_what_is_in_another_language_is_told(text: str, english: object) -> None:
    """Names and code tell nothing; the wording of other languages was never learned."""
    assert is_english(text) is english


@given(st.text(max_size=900))
def test_any_text_has_odds_for_the_same_kinds(text: str) -> None:
    """Finite numbers for kinds of the vocabulary."""
    odds = kind_odds(text)
    assert odds.keys() == kind_odds("").keys() <= KINDS.keys()
    assert np.isfinite(list(odds.values())).all()


def test_a_vector_is_weighed_beside_the_words() -> None:
    """It is that of the bundled model, and tells what the words leave open."""
    text = "Kafka over RabbitMQ, since we need replay."
    vector = MiniLM().embed([text])[0]
    assert reads(MiniLM().name)
    assert not reads("another model")
    worded, both = kind_odds(text), kind_odds(text, vector)
    assert max(both, key=lambda kind: both[kind]) == "decision"
    assert worded != both != kind_odds(text, -vector)


TABLE = files("weft.reason").joinpath("data", "kinds.npz").read_bytes()
TURNED = bytes([*TABLE[:9_000], *(each ^ 0xFF for each in TABLE[9_000:9_100]), *TABLE[9_100:]])


@pytest.mark.parametrize(
    "content", [b"", b"no archive", TABLE[:9_000], TURNED], ids=["empty", "other", "cut", "turned"]
)
def test_a_damaged_table_is_told(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do; nothing is guessed without it."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "kinds.npz").write_bytes(content)
    monkeypatch.setattr(module, "files", lambda _: tmp_path)
    module._table.cache_clear()  # noqa: SLF001 - read once a process
    try:
        with pytest.raises(Unavailable, match=r"kinds\.npz") as caught:
            reads("any")
        assert caught.value.hint == "Reinstall weft: a file of the package is damaged."
    finally:
        module._table.cache_clear()  # noqa: SLF001 - read once a process
