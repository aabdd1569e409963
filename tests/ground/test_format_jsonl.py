"""The lossless form, line by line: every value comes back as itself, and a foreign line is refused in a sentence."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.errors import InvalidArgument
from weft.formats.jsonl import End, Header, Line, Series, Use, key_of, parse, render
from weft.model import Action, Change, Retirement, Subject, Vote
from weft.model.codec import to_data
from weft.testing.making import AT, a_node, a_relation, a_source, a_suggestion, an_evidence

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = ("weft", "change", "node", "relation", "source", "evidence", "suggestion", "vote", "series", "use", "end", "x")


def lines() -> list[Line]:
    """Return one of each kind of line."""
    one, two = a_node('One\n\u2028\x85 "\\ 🥐'), a_node("Two", retired=Retirement(at=AT, by="bob", why="wrong"))
    source = a_source()
    change = Change(
        seq=1, at=AT, actor="a", client="c", tool="t", session="", batch="b", subject=Subject.NODE, subject_id=one.id,
        action=Action.CREATE, after=to_data(one),
    )  # fmt: skip
    vote = Vote(learned_id="l", actor="a", value=-1, reason="", at=AT)
    evidence, suggestion = an_evidence(one.id, source, similarity=0.1), a_suggestion("d", one)
    values = (one, two, a_relation(one, two, scores=(("a", 0.5),)), source, evidence, suggestion, vote)
    use = Use(node=one.id, count=3, last=datetime(2026, 1, 1, tzinfo=UTC))
    return [Header(), change, *values, Series(name="s", value=4), use, End(counts={"node": 2})]


@pytest.mark.parametrize("line", lines(), ids=key_of)
def test_a_line_comes_back_as_itself(line: Line) -> None:
    """On one line of text, whatever it holds."""
    text = render(line)
    assert text.endswith("\n")
    assert text.count("\n") == 1
    assert parse(text) == line


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), JSON, min_size=1, max_size=2).map(json.dumps) | st.text())
def test_any_other_line_is_refused_in_a_sentence(text: str) -> None:
    """Whatever the JSON is; what is read at all is written as it was."""
    try:
        found = parse(text)
    except InvalidArgument:
        return
    assert json.loads(render(found)) == json.loads(text)


@settings(max_examples=200, deadline=None)
@given(name=st.sampled_from(sorted(to_data(a_node("x")))), value=JSON)
def test_a_field_of_another_form_is_refused(name: str, value: object) -> None:
    """A value is taken only as it would be written."""
    data = to_data(a_node("x")) | {name: value}
    try:
        found = parse(json.dumps({"node": data}))
    except InvalidArgument:
        return
    assert json.loads(render(found))["node"] == data
