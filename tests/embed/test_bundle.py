"""The files of the bundled model are the ones that were sealed, and a damaged one is noticed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from weft.embed import bundle
from weft.embed.minilm import NAME
from weft.errors import Unavailable

FOLDER = Path(str(bundle.folder()))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A small sealed folder."""
    (tmp_path / "words.txt").write_text("some words", "utf-8")
    (tmp_path / "more.txt").write_text("more words", "utf-8")
    bundle.seal(tmp_path)
    return tmp_path


def test_every_shipped_file_is_listed_with_its_hash() -> None:
    """The manifest covers the folder, and nothing differs."""
    listed = json.loads((FOLDER / bundle.MANIFEST).read_text("utf-8"))
    assert set(listed) == {path.name for path in FOLDER.iterdir()} - {bundle.MANIFEST}
    assert bundle.damaged() == ()


def test_a_changed_and_a_missing_file_are_named(place: Path) -> None:
    """The twin, with sizes kept."""
    assert bundle.damaged(place) == ()
    (place / "words.txt").write_text("SOME words", "utf-8")
    (place / "more.txt").unlink()
    assert bundle.damaged(place) == ("more.txt", "words.txt")


def test_a_file_cut_short_is_not_lent(place: Path) -> None:
    """Half a model is said to be one before anything tries to load it."""
    assert bundle.read("words.txt", place=place) == "some words"
    (place / "words.txt").write_text("some", "utf-8")
    with pytest.raises(Unavailable, match=r"words\.txt"):
        bundle.read("words.txt", place=place)


def test_a_missing_and_an_unlisted_file_are_not_lent(place: Path) -> None:
    """What the manifest does not know is not read."""
    (place / "more.txt").unlink()
    (place / "stray.txt").write_text("stray", "utf-8")
    for name in ("more.txt", "stray.txt"):
        with pytest.raises(Unavailable, match=name):
            bundle.read(name, place=place)


def test_a_manifest_that_is_gone_or_broken_is_unavailable(place: Path) -> None:
    """With a hint that helps."""
    (place / bundle.MANIFEST).write_text("{", "utf-8")
    with pytest.raises(Unavailable, match="damaged") as caught:
        bundle.damaged(place)
    assert "Install" in caught.value.hint
    (place / bundle.MANIFEST).unlink()
    with pytest.raises(Unavailable, match="cannot be read"):
        bundle.damaged(place)


def test_the_calibration_was_fitted_on_the_model_that_is_shipped() -> None:
    """A rebuilt model needs a new fit."""
    said = json.loads(bundle.read("calibration.json"))
    listed = json.loads((FOLDER / bundle.MANIFEST).read_text("utf-8"))
    assert (said["model"], said["model_sha256"]) == (NAME, listed["model.onnx"]["sha256"])
    assert all(fact["sha256"] for fact in said["fitted_on"].values())


def test_model_licence_and_notice_are_there_and_the_model_is_small() -> None:
    """Apache-2.0 asks for both texts; the package stays light."""
    assert "Apache License" in bundle.read("LICENSE")
    assert "all-MiniLM-L6-v2" in bundle.read("NOTICE")
    assert (FOLDER / "model.onnx").stat().st_size <= 25_000_000
