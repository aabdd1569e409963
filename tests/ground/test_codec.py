"""Values as JSON-ready data and back."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from weft.model import (
    Evidence,
    Node,
    Origin,
    Relation,
    Retirement,
    Source,
    SourceType,
    Status,
    Subject,
    Suggestion,
    SuggestionKind,
    SuggestionState,
    Vote,
)
from weft.model.codec import digest_of, json_text, time_from, time_text, to_data, value_from
from weft.testing.making import AT, a_node

TEXT = some.text(some.characters(exclude_categories=["Cs"]), max_size=20)
SHARE = some.floats(0, 1)
TIME = some.datetimes(datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=some.just(UTC))  # noqa: DTZ001 - bounds
TEXTS = some.lists(TEXT, max_size=4).map(tuple)
DATA = some.dictionaries(TEXT, TEXT | SHARE | some.lists(TEXT, max_size=2) | some.none(), max_size=3)
COUNT = some.integers(1, 1 << 40)

BY_ANNOTATION: dict[str, some.SearchStrategy[Any]] = {
    "str": TEXT,
    "int": COUNT,
    "float": SHARE,
    "float | None": some.none() | SHARE,
    "datetime": TIME,
    "datetime | None": some.none() | TIME,
    "tuple[str, ...]": TEXTS,
    "tuple[tuple[str, float], ...]": some.lists(some.tuples(TEXT, SHARE), max_size=3).map(tuple),
    "dict[str, Any]": DATA,
    "Retirement | None": some.none() | some.builds(Retirement, at=TIME, by=TEXT, why=TEXT, merged_into=TEXT),
} | {kind.__name__: some.sampled_from(kind) for kind in (Origin, Status, SourceType, SuggestionKind, SuggestionState)}

SUBJECTS = {
    Subject.NODE: Node,
    Subject.RELATION: Relation,
    Subject.SOURCE: Source,
    Subject.EVIDENCE: Evidence,
    Subject.SUGGESTION: Suggestion,
    Subject.VOTE: Vote,
}


def any_of(kind: type[Any]) -> some.SearchStrategy[Any]:
    """Return values of a dataclass with every field drawn."""
    return some.builds(kind, **{field.name: BY_ANNOTATION[str(field.type)] for field in fields(kind)})


@pytest.mark.parametrize("subject", Subject)
@given(draw=some.data())
def test_what_goes_in_comes_back_through_json(subject: Subject, draw: some.DataObject) -> None:
    """For every kind of value and every field."""
    value = draw.draw(any_of(SUBJECTS[subject]))
    data = to_data(value)
    assert value_from(subject, data) == value
    assert value_from(subject, json.loads(json_text(data))) == value


@given(at=TIME, later=TIME)
def test_times_sort_as_text_as_they_do_as_times(at: datetime, later: datetime) -> None:
    """All of one length, in UTC."""
    assert (time_text(at) < time_text(later)) is (at < later)
    assert len(time_text(at)) == len(time_text(later)) == 32
    assert time_from(time_text(at)) == at


def test_another_time_zone_is_the_same_moment() -> None:
    """Stored in UTC, equal as a time, and of one digest."""
    node = a_node()
    abroad = replace(node, created_at=AT.astimezone(timezone(timedelta(hours=5))), modified_at=AT)
    assert json_text(to_data(abroad)) == json_text(to_data(node))
    assert digest_of(json_text(to_data(abroad))) == digest_of(json_text(to_data(node)))


def test_a_whole_number_and_its_float_are_one() -> None:
    """The engine gives 1.0 back for 1; the digest must not notice."""
    assert json_text(to_data(a_node(id="x", confidence=1))) == json_text(to_data(a_node(id="x", confidence=1.0)))


def test_the_log_of_another_schema_can_be_read() -> None:
    """Fields that are missing take their defaults; fields nobody knows are dropped."""
    node = a_node()
    data = to_data(node)
    for name in ("citation", "handles", "retired", "learned_id"):
        del data[name]
    assert value_from(Subject.NODE, data | {"colour": "blue"}) == node


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_json_cannot_say_is_refused(number: float) -> None:
    """Rather than written as a word that no other reader knows."""
    with pytest.raises(ValueError, match="JSON"):
        json_text(to_data(a_node(confidence=number)))
