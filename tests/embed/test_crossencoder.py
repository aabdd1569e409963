"""The network that reads a claim and a text at once: what it tells apart, and what it makes of anything else."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from weft.embed import bundle, open_entailment
from weft.embed.crossencoder import CLAIM_TOKENS_MAX, ENTAILMENT, TOKENS_MAX, CrossEncoder
from weft.errors import InvalidArgument, Unavailable

CLAIM = "The backups are made every night."
SAYS = "Each night a backup is taken, and nobody has to start it."
DENIES = "There are no nightly backups, whatever the plan says."
OPEN = "The backups are kept in a vault in Zurich."
FOLDER = Path(str(bundle.folder()))


@pytest.fixture(scope="module")
def encoder() -> CrossEncoder:
    """One that is loaded once."""
    return CrossEncoder()


def test_what_says_a_claim_what_rules_it_out_and_what_leaves_it_open_are_told_apart(encoder: CrossEncoder) -> None:
    """In words that are mostly others, each on its own side."""
    conflicts, supports, neither = encoder.read(CLAIM, [DENIES, SAYS, OPEN]).argmax(axis=1).tolist()
    assert (conflicts, supports, neither) == (0, 1, 2)


def test_the_claim_alone_decides_nothing(encoder: CrossEncoder) -> None:
    """The same claim beside the opposite text stands on the other side: no wording gives a claim away."""
    for claim, text, other in (
        ("Coffee does not keep Ana awake.", "Ana sleeps well after espresso.", "Coffee keeps Ana awake for hours."),
        ("The trial was stopped early.", "The trial ended before its time.", "The trial ran to its planned end."),
    ):
        said, ruled_out = encoder.read(claim, [text, other])
        assert said[1] > said[0]
        assert ruled_out[0] > ruled_out[1]


def test_chances_add_up_to_one_and_no_texts_have_none(encoder: CrossEncoder) -> None:
    """One row a text."""
    found = encoder.read(CLAIM, [SAYS, "", "注意力机制", "a" * 10_000, "🙂\x00\u200b"])
    assert found.shape == (5, 3)
    assert np.allclose(found.sum(axis=1), 1.0, atol=1e-5)
    assert encoder.read(CLAIM, []).shape == (0, 3)


def test_a_text_is_read_alike_alone_in_company_and_by_several_at_once(encoder: CrossEncoder) -> None:
    """To the byte."""
    texts = [SAYS, DENIES, OPEN] * 4
    together = encoder.read(CLAIM, texts)
    with ThreadPoolExecutor(4) as workers:
        alone = list(workers.map(lambda text: encoder.read(CLAIM, [text])[0], texts))
    assert np.array_equal(together, np.stack(alone))


def test_no_more_is_read_than_it_learned_on(encoder: CrossEncoder) -> None:
    """A long claim leaves room for the text."""
    feed = encoder.feed("night " * 500, "backup " * 500)
    assert feed["ids"].shape == feed["sides"].shape == (1, TOKENS_MAX)
    assert int((feed["sides"] == 0).sum()) == CLAIM_TOKENS_MAX + 2
    assert encoder.feed("a", "b")["ids"].shape == (1, 5)


def test_a_lone_surrogate_is_refused(encoder: CrossEncoder) -> None:
    """As where texts are embedded."""
    with pytest.raises(InvalidArgument, match="surrogate"):
        encoder.read("\ud800", [SAYS])
    with pytest.raises(InvalidArgument, match="surrogate"):
        encoder.read(CLAIM, ["\udfff"])


def test_a_network_that_is_not_there_is_unavailable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is loaded before the first pair, so that a graph opens all the same."""
    (tmp_path / bundle.MANIFEST).write_text(json.dumps({ENTAILMENT: {"bytes": 1, "sha256": ""}}), "utf-8")
    monkeypatch.setattr(bundle, "folder", lambda: tmp_path)
    encoder = open_entailment()
    with pytest.raises(Unavailable, match=ENTAILMENT):
        encoder.read(CLAIM, [SAYS])


def test_a_network_that_is_damaged_is_unavailable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of the right size, but not what was shipped."""
    whole = bytearray((FOLDER / ENTAILMENT).read_bytes())
    whole[:2_000] = bytes(2_000)
    for name in ("tokenizer.json", "model.onnx"):
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes())
    (tmp_path / ENTAILMENT).write_bytes(whole)
    bundle.seal(tmp_path)
    monkeypatch.setattr(bundle, "folder", lambda: tmp_path)
    with pytest.raises(Unavailable, match=ENTAILMENT):
        open_entailment().read(CLAIM, [SAYS])


def test_the_table_of_words_is_the_embedding_model_s(encoder: CrossEncoder) -> None:
    """The file is small, since it points into ``model.onnx``, and reads words by what lies there."""
    whole = (FOLDER / ENTAILMENT).read_bytes()
    assert b"model.onnx" in whole
    assert len(whole) < 8_000_000
    assert encoder.read(CLAIM, [CLAIM])[0].argmax() == 1
