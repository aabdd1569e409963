"""What a document names another for: which sentences are read, and in which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from weft.embed import open_intent
from weft.errors import Unavailable
from weft.reason.intent import READ_MAX, SENTENCES_MAX, Naming, Reading, namings

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

NETWORK = open_intent()


class Counting:
    """Reads nothing, and counts what it is given."""

    def __init__(self) -> None:
        self.given: list[Naming] = []

    def read(self, heading: str, sentences: Sequence[str], /) -> npt.NDArray[np.float32]:
        """Return the same chances of every sentence."""
        self.given += [Naming(heading, sentence) for sentence in sentences]
        return np.tile(np.array([0.5, 0.25, 0.25], np.float32), (len(sentences), 1))


def test_names_are_taken_out_of_a_sentence() -> None:
    """What is learned of one series holds for another."""
    text = "Dull. This NIP (NIP-41) needs NIP-40 and NIP 12, see https://ferries.example/nips?n=40 for NIPs. Dull."
    assert namings(text, ["NIP-40"], own=["NIP-41"]) == (
        Naming(
            "",
            "This document ( this document ) needs that document and another document , see link for documents.",
        ),
    )


@pytest.mark.parametrize(
    "heading",
    [
        "## Lamps of NIPs",
        "Lamps of NIPs\n=============",
        "== Lamps of NIPs ==",
        "**Lamps of NIPs**",
        "__Lamps of NIPs__:",
    ],
)
def test_a_sentence_is_told_with_the_heading_it_stands_under(heading: str) -> None:
    """Markdown's, reStructuredText's, a wiki's, or a line in bold."""
    (found,) = namings(f"# Abstract\n\nDull.\n\n{heading}\n\nIt is lit as in NIP-40.\n", ["NIP-40"])
    assert found == Naming("Lamps of documents", "It is lit as in that document .")
    assert namings("It is lit as in NIP-40.", ["NIP-40"]) == (Naming("", "It is lit as in that document ."),)


def test_the_first_sentences_that_name_it_are_read() -> None:
    """Four of them; none where it is not named."""
    text = "".join(f"Lamp {place} is lit as in NIP-40.\n\n" for place in range(9))
    assert [each.sentence[:6] for each in namings(text, ["NIP-40"])] == [f"Lamp {at}" for at in range(SENTENCES_MAX)]
    assert namings(text, ["NIP-4"]) == ()


def test_a_link_that_names_two_documents_names_the_one_that_is_asked_about() -> None:
    """By its file, or by its words."""
    text = "It is lit as in [NIP-12](nip-40.md)."
    assert [each.sentence for each in namings(text, ["NIP-40"])] == ["It is lit as in that document ."]
    assert [each.sentence for each in namings(text, ["NIP-12"])] == ["It is lit as in that document ."]


def test_what_a_text_says_is_the_mean_of_its_sentences() -> None:
    """And nothing of a document that it does not name."""
    counting = Counting()
    said = Reading(counting.read).of("It needs NIP-40.\n\nIt needs NIP-40 too.", ["NIP-40"])
    assert said == {"needed": 0.5}
    assert len(counting.given) == 2
    assert Reading(counting.read).of("It needs NIP-40.", ["NIP-41"]) == {"needed": 0.0}


def test_no_more_is_read_for_one_node_than_is_bearable() -> None:
    """Of the documents beyond nothing is said, which is another thing than that they are not needed."""
    counting = Counting()
    reading = Reading(counting.read)
    text = "".join(f"It needs NIP-{place}.\n\n" for place in range(20) for _ in range(SENTENCES_MAX))
    told = [reading.of(text, [f"NIP-{place}"]) for place in range(20)]
    assert len(counting.given) == READ_MAX
    assert [bool(each) for each in told] == [place < READ_MAX // SENTENCES_MAX for place in range(20)]


def test_without_a_network_nothing_is_said() -> None:
    """The other signs are weighed all the same."""

    def missing(heading: str, sentences: Sequence[str], /) -> npt.NDArray[np.float32]:
        raise Unavailable(f"No network reads {len(sentences)} sentences under «{heading}».")

    assert Reading(missing).of("It needs NIP-40.", ["NIP-40"]) == {}


def test_sentences_in_another_language_are_not_read() -> None:
    """The network learned English."""
    counting = Counting()
    german = "Dieses Dokument setzt voraus, dass die Lampen nach NIP-40 leuchten und nicht nach einem anderen."
    assert Reading(counting.read).of(german, ["NIP-40"]) == {}
    assert counting.given == []


@pytest.mark.parametrize(
    ("needing", "other"),
    [
        ("This proposal defines a lamp on top of the berth signals of NIP-40.", "NIP-40 was withdrawn years ago."),
        ("This document is part two of NIP-40.", "This does not require NIP-40."),
        ("The lamp extends the message of NIP-40 by a colour.", "Unlike NIP-40, the lamp has a message with a colour."),
        ("It adds two fields to the record that NIP-40 specifies.", "Thanks go to the author of NIP-40."),
    ],
)
def test_what_is_needed_is_told_from_what_is_merely_named(needing: str, other: str) -> None:
    """Without any of the verbs of needing."""
    needed, named = (Reading(NETWORK.read).of(text, ["NIP-40"])["needed"] for text in (needing, other))
    assert needed > 2 * named


@pytest.mark.parametrize(
    "text",
    ["This is a second attempt at what NIP-40 set out to do, and takes its place.", "This obsoletes NIP-40."],
)
def test_what_is_replaced_is_not_needed(text: str) -> None:
    """The network knows it for a side of its own."""
    (naming,) = namings(text, ["NIP-40"])
    needed, replaced, neither = NETWORK.read(naming.heading, [naming.sentence])[0].tolist()
    assert replaced > max(needed, neither)
    assert needed + replaced + neither == pytest.approx(1.0, abs=1e-5)
