"""What a text names by number, and which number a document goes by."""

from __future__ import annotations

from time import process_time

import pytest

from weft.reason.numbering import NAMED_MAX, mentions, numbered, numbers, references, spellings
from weft.testing.making import a_node


@pytest.mark.parametrize(
    "written",
    [
        "NIP 7",
        "NIP-7",
        "NIP7",
        "NIP-0007",
        "NIPs 7",
        ":nip:`7`",
        ":nip:`the lamps <7>`",
        "[NIP 7](nip-7.md)",
        "[the lamps](../nips/nip-0007-lamps.md#wick)",
        "[[nip-0007.mediawiki|7]]",
        "[[nips/nip-7#wick|the lamps]]",
        "[[NIP_0007]]",
        "[https://nips.example/nip-0007.mediawiki#wick the lamps]",
        "[https://nips.example/nip-0007 the lamps]",
        "`the lamps <https://nips.example/nip-0007/>`__",
        "NIP\u00a07",
        "NIP\u20117",
        "NIP\n7",
        "NIP\n   7",
    ],
)
def test_a_number_is_read_however_it_is_written(written: str) -> None:
    """One document, one name."""
    assert list(references(f"As {written} says, ferries carry lamps.")) == ["NIP-7"]


@pytest.mark.parametrize(
    "text",
    [
        "In 2019 there were 7 of them.",
        "See nip 7.",
        "MINIP7x",
        "NIP 7.2 is out.",
        "In the NIP\n7. Lamps",
        "NIP\n\n7",
        "See [the lamps](lamps-of-nip-7-to-9 and more)",
        "See [the lamps](https://nips.example/nip-7.2/notes).",
        "See [[the lamps of nip-7]].",
        "See nip-0007.md.",
        "It runs `nip-7`.",
        "",
    ],
)
def test_what_only_looks_like_a_number_is_none(text: str) -> None:
    """The near misses: no series, lower case, in a word, a version, an item of a list, another paragraph, no link."""
    assert not references(text)


def test_a_list_of_numbers_names_each_of_them() -> None:
    """Behind a plural; else another number counts something."""
    assert list(references("It follows NIPs 7, 8 and 0012, like others.")) == ["NIP-7", "NIP-8", "NIP-12"]
    assert list(references("It follows NIP 7, 8 boats and 12 ferries.")) == ["NIP-7"]
    assert list(references("It follows NIPs 7 and 8.5 of them.")) == ["NIP-7"]


def test_a_document_goes_by_the_number_that_its_title_alias_or_handle_begins_with() -> None:
    """A number further on names another document."""
    assert numbers(a_node("NIP 8: Ropes", handles=("nip-0008",))) == ("NIP-8",)
    assert numbers(a_node("Why NIP 9 failed")) == ()
    assert numbers(a_node("Python 3.1 release schedule")) == ()


def test_each_spelling_of_a_number_is_read_as_that_number() -> None:
    """What is looked up is what would be found."""
    for spelling in spellings("NIP-7"):
        assert list(references(f"See {spelling} now.")) == ["NIP-7"]


def test_of_very_many_references_the_most_frequent_are_kept() -> None:
    """The look-up stays bounded."""
    text = " ".join(f"NIP-{number}" for number in range(1, 90)) + " NIP-88 NIP-88"
    found = references(text)
    assert len(found) == NAMED_MAX
    assert len(found["NIP-88"]) == 3


def test_a_link_names_a_document_once_and_what_else_its_words_name() -> None:
    """Its file and its words are one reference; it stands where the link stands."""
    text = "See [NIP 7 and NIP 8](nip-0007.md), [[nip-0009|the ropes]]."
    found = list(mentions(text))
    assert [name for name, _ in found] == ["NIP-7", "NIP-8", "NIP-9"]
    assert [text[start:end] for _, (start, end) in found] == [
        "[NIP 7 and NIP 8](nip-0007.md)",
        "[NIP 7 and NIP 8](nip-0007.md)",
        "[[nip-0009|the ropes]]",
    ]


@pytest.mark.parametrize("name", ["ADR 7", "adr-0007", "ADR7", "ADR #7"])
def test_a_name_that_is_a_number_is_that_number(name: str) -> None:
    """However it is written."""
    assert numbered(name) == "ADR-7"


@pytest.mark.parametrize("name", ["ADR 7: Queues", "Why ADR 7", "Queues", ""])
def test_a_name_that_says_more_is_no_number(name: str) -> None:
    """It may be a title."""
    assert numbered(name) == ""


@pytest.mark.parametrize(
    "piece", ["[", "[[", "[a](", "[a](" + "b/" * 150, "[http://" + "/" * 300, "`a<", "`a <" + "b/" * 150]
)
def test_half_a_link_over_and_over_is_read_no_slower_than_prose(piece: str) -> None:
    """All text is untrusted; nothing of a link is sought twice from one place."""

    def seconds(text: str) -> float:
        begun = process_time()
        for _ in range(20):
            list(mentions(text))
        return process_time() - begun

    prose = ("The ferry carries lamps to the berth. " * 600)[:20_000]
    assert seconds((piece * 20_000)[:20_000]) < 30 * seconds(prose)
