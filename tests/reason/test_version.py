"""Versions of one text: told by their titles, each after the one before."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.model import Status
from weft.reason.version import LATER_VERSION, differing_version, succession, versions
from weft.testing.making import a_node, changed

NUMBERS = st.lists(st.integers(0, 40), min_size=1, max_size=3).map(tuple)


@pytest.mark.parametrize(
    ("later", "earlier"),
    [
        ("API guidelines v2", "API guidelines v1"),
        ("API guidelines, version 10", "API guidelines version 9"),
        ("API guidelines (rev. 3)", "API Guidelines v2"),
        ("API guidelines v1.1", "API guidelines"),
        ("Metadata for packages 1.2", "Metadata for packages 1.1"),
        ("Metadata for packages 1.10", "Metadata for packages 1.9"),
        ("Gateway interface v1.0.1", "Gateway interface v1.0"),
        ("設計 v2", "設計"),
    ],
)
def test_a_later_version_takes_the_place_of_the_one_before(later: str, earlier: str) -> None:
    """Whichever of the two was captured first."""
    new, old = a_node(later), a_node(earlier)
    for one, other in ((new, old), (old, new)):
        assert versions(one, [other]) == (other,)
        (found,) = succession(one, [other])
        assert (found.source_id, found.target_id, found.type) == (new.id, old.id, "supersedes")
        assert (found.rule, found.action) == (LATER_VERSION, "suggest")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Testnet 5", "Testnet 4"),
        ("ISO 9001", "ISO 9004"),
        ("Python 3.12", "Python 3.11"),
        ("Release notes 1.2", "Release notes 1.1"),
        ("What’s new in the API v2", "What’s new in the API v1"),
        ("Upgrade to v2", "Upgrade to v1"),
        ("Report of the harbour 30.11", "Report of the harbour 29.11"),
        ("Lists 3.2", "Lists 3.1"),
        ("Call with the harbour 19.5", "Call with the harbour 12.5"),
        ("The harbour and its berths 19.05", "The harbour and its berths 12.05"),
        ("Notes about the law's section 2.2", "Notes about the law's section 2.1"),
        ("How it learns with a rate 0.5", "How it learns with a rate 0.1"),
        ("API guidelines v2", "API guidelines version 2.0"),
        ("API guidelines v2", "Gateway guidelines v1"),
        ("v2", "v1"),
        ("API guidelines", "API guidelines"),
        ("Elections of 1996", "Elections of 1992"),
    ],
)
def test_what_comes_out_anew_or_bears_a_number_is_no_version(one: str, other: str) -> None:
    """A member of a series stays as it was when the next comes out."""
    assert versions(a_node(one), [a_node(other)]) == ()


def test_another_ontology_has_versions_of_its_own() -> None:
    """Two teams may each have their «API guidelines»."""
    one, other = a_node("API guidelines v2", ontology="harbour"), a_node("API guidelines v1", ontology="market")
    assert versions(one, [other]) == ()
    assert versions(one, [changed(other, ontology="harbour")])


def test_a_superseded_version_is_another_one_and_nothing_is_asked_of_it() -> None:
    """It is a version all the same: nobody is asked whether the two are one."""
    one, other = a_node("API guidelines v2"), a_node("API guidelines v1", status=Status.SUPERSEDED)
    assert versions(one, [other]) == (other,)
    assert succession(one, [other]) == ()


@given(st.lists(NUMBERS, min_size=2, max_size=6, unique_by=lambda each: (*each, 0, 0)[:3]))
def test_each_version_follows_one_and_is_followed_by_one(numbers: list[tuple[int, ...]]) -> None:
    """Asked of each in turn, with all others there, the findings are the line from the first to the last."""
    nodes = [a_node("API guidelines v" + ".".join(map(str, each))) for each in numbers]
    told = {
        (each.source_id, each.target_id)
        for node in nodes
        for each in succession(node, versions(node, [other for other in nodes if other is not node]))
    }
    line = [node.id for _, node in sorted(zip([(*each, 0, 0)[:3] for each in numbers], nodes, strict=True))]
    assert told == set(zip(line[1:], line, strict=False))


@pytest.mark.parametrize(
    ("one", "other", "ground"),
    [
        ("We use Python 3.11.", "Python 3.12 is what we use.", "one says Python 3.11, the other Python 3.12"),
        ("Events follow schema v1", "Events follow Schema v2", "one says schema v1, the other Schema v2"),
        ("It speaks version 2 of it.", "It speaks version 3 of it.", "one says version 2, the other version 3"),
        ("Pinned to numpy 1.26 here", "numpy 2.1 since May", "one says numpy 1.26, the other numpy 2.1"),
        ("We use Python 3.0.", "We use python v3.", ""),
        ("We moved from Python 3.11 to Python 3.12.", "We use Python 3.11.", ""),
        ("We use Python 3.11.", "We use Node 20.1.", ""),
        ("It takes 1.5 s.", "It takes 2.5 s.", ""),
        ("It rose by 1.5%", "It rose by 2.5%", ""),
        ("Team 4 owns it.", "Team 5 owns it.", ""),
        ("On 3.4 we met.", "On 3.5 we met.", ""),
    ],
)
def test_one_thing_in_two_versions_is_told(one: str, other: str, ground: str) -> None:
    """Of a text that names several versions nothing, nor of what is measured."""
    assert differing_version(one, other) == ground


@given(st.text(max_size=200))
def test_no_text_differs_from_itself_by_a_version(text: str) -> None:
    """Whatever it holds."""
    assert differing_version(text, text) == ""
