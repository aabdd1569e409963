"""A graph's own kinds and relation types stand beside the standard ones, and never in their place."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.errors import InvalidArgument
from weft.vocabulary import (
    KINDS,
    RELATION_TYPES,
    STANDARD,
    Kind,
    Own,
    RelationType,
    Vocabulary,
    entry_of,
    key_of,
    own_from,
    row_from,
)

RECIPE = Kind(name="recipe", plural="recipes", family="practice", meaning="how a dish is cooked", exemplars=("Stir.",))
REBUTS = RelationType(
    name="rebuts",
    family="argument",
    inverse="rebutted_by",
    polarity=-1,
    meaning="the source answers the target's objection",
    aliases=("answers_back",),
)
NAMES = st.from_regex(r"[a-z][a-z_]{2,12}", fullmatch=True)
TEXTS = st.text(max_size=20)
KIND_ROWS = st.builds(
    Kind,
    name=NAMES,
    plural=NAMES,
    family=TEXTS,
    meaning=TEXTS,
    exemplars=st.lists(TEXTS, max_size=3).map(tuple),
    keywords=st.lists(TEXTS, max_size=3).map(tuple),
    weight=st.floats(0, 0.3),
)
TYPE_ROWS = st.builds(
    RelationType,
    name=NAMES,
    family=TEXTS,
    inverse=NAMES,
    meaning=TEXTS,
    symmetric=st.booleans(),
    polarity=st.integers(-1, 1),
    transitive=st.booleans(),
    source_kinds=st.lists(NAMES, max_size=2).map(tuple),
    aliases=st.lists(NAMES, max_size=2).map(tuple),
)


@given(st.lists(KIND_ROWS | TYPE_ROWS, max_size=5))
def test_what_is_registered_is_read_back_as_it_was(rows: list[Kind | RelationType]) -> None:
    """Entries of the configuration hold every field."""
    values = {key_of(row): entry_of(row) for row in rows}
    wanted = {key_of(row): row for row in rows}
    assert {key_of(row): row for row in own_from(values).rows} == wanted


@given(st.dictionaries(st.sampled_from(["kind.x", "relation_type.y", "creators", "kind", ""]), st.text(max_size=60)))
def test_an_entry_that_is_none_of_ours_is_passed_over(values: dict[str, str]) -> None:
    """Whatever stands in a configuration, the graph can be read."""
    assert own_from(values).rows == ()


@pytest.mark.parametrize(
    "said",
    [
        {"name": "recipe"},
        {**json.loads(entry_of(RECIPE)), "weight": "0.2"},
        {**json.loads(entry_of(RECIPE)), "weight": True},
        {**json.loads(entry_of(RECIPE)), "exemplars": "Stir."},
        {**json.loads(entry_of(RECIPE)), "exemplars": [1]},
        {**json.loads(entry_of(RECIPE)), "name": None},
    ],
)
def test_a_row_with_a_field_missing_or_of_another_type_is_refused(said: dict[str, object]) -> None:
    """What is read as a kind is one."""
    with pytest.raises(ValueError, match=r"kind|is no"):
        row_from("kind", said)


def test_what_a_newer_release_adds_to_a_row_is_left_out() -> None:
    """A row with one field more is read without it."""
    assert row_from("kind", {**json.loads(entry_of(RECIPE)), "colour": "red"}) == RECIPE


def test_own_names_are_read_like_standard_ones() -> None:
    """Any spelling, aliases, and the label of the other end."""
    vocabulary = Vocabulary(lambda: Own(kinds=(RECIPE,), types=(REBUTS,)))
    assert vocabulary.kind_named("Recipe") == RECIPE
    assert vocabulary.type_named("Answers back") == vocabulary.type_named("REBUTS") == REBUTS
    assert vocabulary.forward_of("rebutted by") == REBUTS
    with pytest.raises(InvalidArgument, match="seen from the other end"):
        vocabulary.type_named("rebutted_by")
    with pytest.raises(InvalidArgument, match=r"nearest is recipe\b.*recipe"):
        vocabulary.kind_named("recpie")
    with pytest.raises(InvalidArgument, match="is not known"):
        STANDARD.kind_named("recipe")


def test_a_standard_name_cannot_be_taken_over() -> None:
    """Rows that claim one, written by whomever, leave it what it is."""
    kind, type_ = replace(RECIPE, name="decision"), replace(REBUTS, name="supports", aliases=("refutes", "entails"))
    vocabulary = Vocabulary(lambda: Own(kinds=(kind,), types=(type_, replace(REBUTS, aliases=("causes", "entails")))))
    assert vocabulary.kind("decision") is KINDS["decision"]
    assert vocabulary.type_named("supports") is RELATION_TYPES["supports"]
    assert vocabulary.type_named("refutes") is RELATION_TYPES["refutes"]
    assert vocabulary.type_named("causes") is RELATION_TYPES["causes"]
    assert vocabulary.type_named("entails") is RELATION_TYPES["implies"]


def test_a_name_that_is_registered_meanwhile_is_known_when_it_is_met() -> None:
    """What another process registered is read at the first name that is not known, and not before."""
    held, asked = Own(), []

    def own() -> Own:
        asked.append(held)
        return held

    vocabulary = Vocabulary(own)
    assert vocabulary.kind_named("decision").name == "decision"
    assert len(asked) == 1
    held = Own(kinds=(RECIPE,), types=(REBUTS,))
    assert vocabulary.type("rebuts") == REBUTS
    assert vocabulary.knows_kind("recipe")
    assert len(asked) == 2


def test_a_stored_name_that_nobody_registered_reads_as_plain() -> None:
    """It has no direction of argument, and its folder is a name of ours, whatever it is called."""
    kind, type_ = STANDARD.kind("../../etc"), STANDARD.type("made'; up")
    assert (kind.name, kind.plural, kind.family) == ("../../etc", "records", "record")
    assert (type_.name, type_.polarity, type_.symmetric, type_.transitive) == ("made'; up", 0, False, False)
    assert not STANDARD.knows_kind("../../etc")
    assert not STANDARD.knows_type("made'; up")


def test_rows_of_a_file_join_those_that_stand() -> None:
    """A name that is held keeps what it is."""
    own = Own(kinds=(RECIPE,)).with_rows((replace(RECIPE, meaning="another"), REBUTS))
    assert own.rows == (RECIPE, REBUTS)
