"""The vocabulary is consistent data, and its look-ups refuse what they do not know with a way out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft import vocabulary
from weft.errors import InvalidArgument
from weft.vocabulary import (
    KIND_FAMILIES,
    KINDS,
    PROJECT_KINDS,
    RELATION_FAMILIES,
    RELATION_TYPES,
    STANDARD,
    RelationType,
)

PROJECT_TYPES = "affects uses supersedes relates_to implements depends_on derived_from"
RESEARCH_TYPES = "supports refutes extends implies contradicts"
MEMORY_TYPES = "SOLVES CAUSES BUILDS_ON ALTERNATIVE_TO REQUIRES FOLLOWS RELATED_TO"
SYNTHESIS_TYPES = "BRIDGES LEARNED_CONNECTION SYNTHESIZED_FROM IMPLIES CONTRADICTS SUPPORTS PART_OF RELATES_TO"
MEMORY_KINDS = (
    "problem error solution fix decision insight procedure configuration workflow code_pattern general claim document"
)


def faults(rows: tuple[RelationType, ...]) -> list[str]:
    """Say what is inconsistent in a table of relation types."""
    found = []
    names = [row.name for row in rows]
    aliases = [alias for row in rows for alias in row.aliases]
    inverses = [row.inverse for row in rows if not row.symmetric]
    spoken = [*names, *aliases, *inverses]
    found += [f"{name} is used twice" for name in sorted({each for each in spoken if spoken.count(each) > 1})]
    for row in rows:
        if row.symmetric != (row.inverse == row.name):
            found.append(f"{row.name} is its own inverse if and only if it is symmetric")
        if row.family not in RELATION_FAMILIES:
            found.append(f"{row.name} has an unknown family")
        if row.polarity not in {-1, 0, 1}:
            found.append(f"{row.name} has no such polarity")
        if row.symmetric and row.transitive and row.polarity:
            found.append(f"{row.name} would make everything contradict everything")
        if unknown := {*row.source_kinds, *row.target_kinds} - set(KINDS):
            found.append(f"{row.name} fits unknown kinds {unknown}")
        if not row.meaning:
            found.append(f"{row.name} has no meaning")
    return found


def test_the_relation_types_are_consistent() -> None:
    """Names, aliases and inverse labels never collide, and symmetry agrees with the inverse."""
    assert faults(tuple(RELATION_TYPES.values())) == []


@pytest.mark.parametrize(
    "row",
    [
        RelationType(name="links", family="likeness", inverse="links", meaning="m"),
        RelationType(name="links", family="likeness", inverse="linked_by", meaning="m", symmetric=True),
        RelationType(name="links", family="unheard_of", inverse="linked_by", meaning="m"),
        RelationType(name="links", family="likeness", inverse="linked_by", meaning="m", polarity=2),
        RelationType(name="links", family="likeness", inverse="linked_by", meaning="m", aliases=("related_to",)),
        RelationType(name="links", family="likeness", inverse="superseded_by", meaning="m"),
        RelationType(name="links", family="likeness", inverse="linked_by", meaning="m", source_kinds=("ghost",)),
        RelationType(name="links", family="likeness", inverse="linked_by", meaning=""),
    ],
)
def test_the_check_of_relation_types_notices_a_fault(row: RelationType) -> None:
    """The twin of the check above: each broken row is found."""
    assert faults((*RELATION_TYPES.values(), row))


@pytest.mark.parametrize("spelt", f"{PROJECT_TYPES} {RESEARCH_TYPES} {MEMORY_TYPES} {SYNTHESIS_TYPES}".split())
def test_every_relation_type_of_every_toolset_is_known(spelt: str) -> None:
    """Lower or upper case, each toolset's spelling finds its type."""
    assert STANDARD.type_named(spelt).name == spelt.lower().replace("related_to", "relates_to")


@pytest.mark.parametrize("spelt", [*MEMORY_KINDS.split(), *PROJECT_KINDS])
def test_every_kind_of_every_toolset_is_known(spelt: str) -> None:
    """Each toolset's kinds are there, whatever the case."""
    assert STANDARD.kind_named(spelt.upper()).name == spelt


def test_every_kind_is_whole() -> None:
    """Each has a known family, a folder of its own, a weight that is a share, and three to five exemplars."""
    assert len({kind.plural for kind in KINDS.values()}) == len(KINDS)
    for name, kind in KINDS.items():
        assert kind.name == name
        assert kind.family in KIND_FAMILIES
        assert kind.meaning
        assert 0 <= kind.weight <= 0.3
        assert 3 <= len(set(kind.exemplars)) <= 5


def test_the_seven_project_kinds_share_forty_two_keywords() -> None:
    """Ten speak for a decision, six each for component and convention, five each for the rest; none for two kinds."""
    keywords = {name: KINDS[name].keywords for name in PROJECT_KINDS}
    assert {name: len(words) for name, words in keywords.items()} == {
        "decision": 10,
        "component": 6,
        "convention": 6,
        "concept": 5,
        "pattern": 5,
        "issue": 5,
        "session": 5,
    }
    assert len({word for words in keywords.values() for word in words}) == 42


def test_near_synonyms_share_a_family_and_not_a_name() -> None:
    """``builds_on`` is not ``extends``, ``requires`` is not ``depends_on``; ``refutes`` is not ``supersedes``."""
    for one, other in [("builds_on", "extends"), ("requires", "depends_on")]:
        assert STANDARD.type_named(one) != STANDARD.type_named(other)
        assert STANDARD.type_named(one).family == STANDARD.type_named(other).family
    assert RELATION_TYPES["refutes"].family != RELATION_TYPES["supersedes"].family


@pytest.mark.parametrize("spelt", ["Related To", "related-to", " RELATES_TO ", "relates  to", "related"])
def test_case_space_and_hyphen_do_not_matter(spelt: str) -> None:
    """A name is read however it is spelt."""
    assert STANDARD.type_named(spelt).name == "relates_to"


@pytest.mark.parametrize(
    ("spelt", "nearest"),
    [("suports", "supports"), ("contradict", "contradicts"), ("replace", "supersedes"), ("dependson", "depends_on")],
)
def test_an_unknown_type_is_refused_with_the_nearest_and_the_whole_list(spelt: str, nearest: str) -> None:
    """The message names what was probably meant, and everything that is allowed."""
    with pytest.raises(InvalidArgument) as refusal:
        STANDARD.type_named(spelt)
    assert f"nearest is {nearest}" in refusal.value.message
    assert all(name in refusal.value.message for name in RELATION_TYPES)


def test_an_unknown_kind_is_refused_with_the_nearest_and_the_whole_list() -> None:
    """As for relation types."""
    with pytest.raises(InvalidArgument) as refusal:
        STANDARD.kind_named("desision")
    assert "nearest is decision" in refusal.value.message
    assert all(name in refusal.value.message for name in KINDS)


@pytest.mark.parametrize("hostile", ["supports'--", "supports}", "supports]->(n)", 'uses"', "uses;", "uses\x00", ""])
def test_a_type_name_with_a_quote_or_a_bracket_is_refused(hostile: str) -> None:
    """No free text travels on as a type."""
    with pytest.raises(InvalidArgument):
        STANDARD.type_named(hostile)


def test_a_label_seen_from_the_target_is_refused_with_its_name() -> None:
    """Folding ``superseded_by`` into ``supersedes`` would swap the ends in silence."""
    with pytest.raises(InvalidArgument) as refusal:
        STANDARD.type_named("superseded by")
    assert "swap" in refusal.value.hint


@given(st.text(max_size=300))
def test_any_text_is_either_a_known_name_or_refused(text: str) -> None:
    """A look-up gives a row of the table or InvalidArgument, never anything else, and never echoes a long text."""
    for look_up, table in ((STANDARD.kind_named, KINDS), (STANDARD.type_named, RELATION_TYPES)):
        try:
            outcome = look_up(text).name in table
        except InvalidArgument as refusal:
            outcome = len(refusal.message) < 1200
        assert outcome


def test_the_marks_of_similarity_are_in_order() -> None:
    """Unrelated, reasonable, obvious, near-duplicate: each above the one before."""
    marks = (vocabulary.UNRELATED, vocabulary.REASONABLE, vocabulary.OBVIOUS, vocabulary.NEAR_DUPLICATE)
    assert marks == (0.5, 0.7, 0.85, 0.95)
    assert (vocabulary.CONFIDENT, vocabulary.AUTO_CREATE_FLOOR) == (0.6, 0.7)
