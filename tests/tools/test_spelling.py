"""A toolset writes names its own way and knows its own list only."""

from __future__ import annotations

import pytest

from weft.errors import InvalidArgument
from weft.tools.arguments import Arguments, parse
from weft.tools.spelling import Spelling

EDGES = Spelling.of_types("solves", "builds_on", "relates_to", write=str.upper)
Edge = EDGES.field


class _Given(Arguments):
    """One argument that takes an edge."""

    edge: Edge = ""  # type: ignore[valid-type]


def test_a_name_is_read_as_it_is_stored_whatever_its_case() -> None:
    """True synonyms fold too."""
    assert [EDGES.read(name) for name in ("SOLVES", "builds-on", "Related_To", "")] == [
        "solves",
        "builds_on",
        "relates_to",
        "",
    ]


def test_names_are_written_the_way_of_the_toolset() -> None:
    """And so they stand in its schema."""
    assert EDGES.names == ("SOLVES", "BUILDS_ON", "RELATES_TO")
    assert _Given.model_json_schema()["properties"]["edge"]["enum"] == list(EDGES.names)


@pytest.mark.parametrize("name", ["supports", "extends", "x'); DROP TABLE node;--"])
def test_a_name_outside_the_list_is_refused_with_the_list(name: str) -> None:
    """A name of the vocabulary that this toolset does not use, a near relative of one it does, and no name at all."""
    with pytest.raises(InvalidArgument, match=r"edge: must be one of SOLVES, BUILDS_ON, RELATES_TO, not "):
        parse(_Given, {"edge": name})


def test_kinds_are_read_from_a_list_of_their_own() -> None:
    """Of kinds as of types."""
    kinds = Spelling.of_kinds("problem", "code_pattern")
    assert kinds.read("Code Pattern") == "code_pattern"
    with pytest.raises(ValueError, match="must be one of problem, code_pattern, not 'claim'"):
        kinds.read("claim")
