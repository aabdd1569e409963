"""The graph's own vocabulary from the command line: what is said, what a script sees, and how it is used afterwards."""

from __future__ import annotations

import pytest

from faces.prompt import answer, weft, wide

RECIPE = ("vocabulary", "add-kind", "recipe", "--meaning", "how a dish is made")
REBUTS = ("vocabulary", "add-type", "rebuts", "--meaning", "takes the ground from under the target")


@pytest.fixture(autouse=True)
def _salt(on_notes: None) -> None:  # noqa: ARG001 - it acts
    """A graph that holds one claim."""
    weft("capture", "Salt hardens beans.", "--title", "Salt", "--kind", "claim")


def test_a_kind_is_registered_with_what_goes_without_saying() -> None:
    """A plural, a family and a weight are there; the same words again change nothing, others define it anew."""
    made = answer(*RECIPE)
    assert (made["key"], made["plural"], made["family"], made["weight"]) == ("kind.recipe", "recipes", "record", 0.15)
    assert (made["own"], made["uses"]) == (True, 0)
    assert answer(*RECIPE) == made
    more = answer(*RECIPE, "--keyword", "oven", "--keyword", "pan", "--exemplar", "Bake it.", "--family", "practice")
    assert (more["keywords"], more["exemplars"], more["family"]) == (["oven", "pan"], ["Bake it."], "practice")
    assert weft(*RECIPE).stdout == "recipe is a kind of this graph now.\n"


def test_a_type_is_registered_with_what_goes_without_saying() -> None:
    """Directed with an inverse, or symmetric and its own."""
    made = answer(*REBUTS, "--polarity", "-1", "--family", "argument", "--alias", "Rejects", "--source-kind", "Claim")
    assert (made["key"], made["inverse"], made["symmetric"]) == ("relation_type.rebuts", "rebuts_of", False)
    assert (made["polarity"], made["aliases"], made["source_kinds"]) == (-1, ["rejects"], ["claim"])
    same = answer("vocabulary", "add-type", "Goes With", "--meaning", "they suit each other", "--symmetric")
    assert (same["name"], same["inverse"], same["family"]) == ("goes_with", "goes_with", "likeness")
    order = answer("vocabulary", "add-type", "heads", "--meaning", "leads it", "--inverse", "headed_by", "--transitive")
    assert (order["inverse"], order["transitive"]) == ("headed_by", True)
    assert weft(*REBUTS).stdout == "rebuts is a relation type of this graph now.\n"


def test_what_is_registered_is_used_by_the_other_commands() -> None:
    """Captured, filtered by, related; each refused before it was registered."""
    capture = ("capture", "Toss the pasta in the sauce.", "--title", "Pasta", "--kind", "recipe")
    relate = ("relate", "Pasta", "rebuts", "Salt", "--because", "the beans in it were soft")
    assert weft(*capture).exit_code == weft("search", "pasta", "--kind", "recipe").exit_code == 1
    weft(*RECIPE)
    assert weft(*capture).exit_code == 0
    assert "rebuts" in answer(*relate, code=1)["message"]
    weft(*REBUTS)
    assert weft(*relate).exit_code == 0
    assert [hit["title"] for hit in answer("search", "pasta", "--kind", "recipe")["hits"]] == ["Pasta"]
    own = answer("vocabulary", "list", "--own")
    assert [(row["name"], row["uses"]) for row in (*own["kinds"], *own["types"])] == [("recipe", 1), ("rebuts", 1)]
    assert "rebuts" in weft("fetch", "Pasta").stdout


def test_everything_known_is_listed_and_what_is_the_graphs_own_is_marked() -> None:
    """A reader may look; without anything of its own the short list says so."""
    assert weft("vocabulary", "list", "--own").stdout == "The graph has registered nothing of its own.\n"
    weft(*REBUTS, "--polarity", "-1")
    shown = weft("--role", "reader", "vocabulary", "list").stdout
    assert "rebuts  the graph's own\n    takes the ground from under the target (likeness, speaks against)" in shown
    assert "read backwards: rebuts_of" in shown
    assert "supports  the graph's own" not in shown
    listed = answer("vocabulary", "list")
    assert [row["name"] for row in listed["types"]][:2] == ["rebuts", "supports"]
    assert next(row["uses"] for row in listed["kinds"] if row["name"] == "claim") == 1


def test_what_is_used_stays_and_what_is_not_is_removed() -> None:
    """Conflict and its hint where a node is of it; afterwards the name is unknown."""
    weft(*RECIPE)
    weft("capture", "Toss the pasta in the sauce.", "--title", "Pasta", "--kind", "recipe")
    refused = answer("vocabulary", "remove", "recipe", code=1)
    assert (refused["error"], "that stand: 1" in refused["message"]) == ("CONFLICT", True)
    weft("update", "Pasta", "--kind", "procedure")
    assert answer("vocabulary", "remove", "recipe")["name"] == "recipe"
    assert "it has none" in answer("vocabulary", "remove", "recipe", code=1)["message"]
    assert "standard" in answer("vocabulary", "remove", "claim", code=1)["message"]


@pytest.mark.parametrize("words", [RECIPE, REBUTS, ("vocabulary", "remove", "recipe")])
def test_a_librarian_changes_no_vocabulary(words: tuple[str, ...]) -> None:
    """The tier that would is named."""
    refused = weft("--role", "librarian", *words)
    assert refused.exit_code == 1
    assert "needs the tier curator" in refused.stderr


@pytest.mark.parametrize("name", ["'; drop table x", "../x", 'a"b', "rezépt", "a" * 300, "\u202eevil", "[red]x"])
@pytest.mark.parametrize("command", ["add-kind", "add-type"])
def test_a_hostile_name_is_refused_with_what_a_name_may_be(command: str, name: str) -> None:
    """Nothing is registered, and the answer shows no more of it than it must."""
    refused = weft("vocabulary", command, "--meaning", "m", "--", name)
    assert refused.exit_code == 1
    assert "a letter first" in refused.stderr
    assert len(refused.stderr) < 300
    assert answer("vocabulary", "list", "--own") == {"kinds": [], "types": []}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*RECIPE, "--plural", "fixes"), "the plural of the kind fix"),
        ((*RECIPE, "--family", "food"), "design, thought"),
        ((*RECIPE, "--weight", "2"), "0..0.3"),
        ((*REBUTS, "--inverse", "superseded_by"), "the inverse of the relation type supersedes"),
        ((*REBUTS, "--symmetric", "--inverse", "rebutted_by"), "its own inverse"),
        ((*REBUTS, "--polarity", "-1", "--transitive"), "cannot be transitive"),
        ((*REBUTS, "--target-kind", "ghost"), "target_kinds"),
    ],
)
def test_what_cannot_be_registered_is_told_by_field(words: tuple[str, ...], said: str) -> None:
    """With what would do."""
    refused = answer(*words, code=1)
    assert refused["error"] == "INVALID_ARGUMENT"
    assert said in refused["message"]


@pytest.mark.parametrize("columns", [80, 200])
@pytest.mark.parametrize("words", [("vocabulary", "list"), ("vocabulary", "list", "--own"), RECIPE, REBUTS])
def test_the_vocabulary_fits_the_terminal(columns: int, words: tuple[str, ...]) -> None:
    """No line is wider than the screen."""
    long = "what can be told of a thing in two hundred characters and no more " * 3
    weft("vocabulary", "add-kind", "x" * 40, "--meaning", long.strip(), "--plural", "y" * 40)
    weft("vocabulary", "add-type", "z" * 37, "--meaning", long.strip())
    lines = wide(*words, columns=columns)
    assert lines
    assert max(map(len, lines)) <= columns
