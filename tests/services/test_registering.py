"""A graph registers kinds and relation types of its own, and they count like any other; nothing bends what is known."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weft
from engine import graph_at, opened_at
from weft.errors import Conflict, InvalidArgument, PermissionDenied
from weft.model import (
    CaptureRequest,
    Decision,
    Filter,
    RelateRequest,
    SaveNode,
    SaveRelation,
    SaveSuggestion,
    SearchRequest,
    Tier,
    TraceRequest,
    UpdateRequest,
)
from weft.services.registering import KINDS_MAX, TYPES_MAX, checked, register
from weft.settings import Settings
from weft.testing.making import a_batch, a_call, a_node, a_relation, a_suggestion
from weft.vocabulary import KINDS, RELATION_TYPES, STANDARD, Kind, Own, RelationType, Vocabulary, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.graph import Graph
    from weft.model import Flaw, Node
    from weft.ports import Embedder
    from weft.vocabulary import Row

RECIPE = Kind(
    name="recipe",
    plural="recipes",
    family="practice",
    meaning="how a dish is made",
    exemplars=("Boil the pasta for nine minutes, then toss it in the sauce.",),
    keywords=("simmer", "oven", "tablespoon"),
    weight=0.2,
)
REBUTS = RelationType(
    name="rebuts",
    family="argument",
    inverse="rebutted_by",
    meaning="the source takes the ground from under the target",
    polarity=-1,
    aliases=("rejects",),
)
GOES_WITH = RelationType(
    name="goes_with", family="likeness", inverse="goes_with", meaning="the two suit each other", symmetric=True
)

PAIRS = replace(GOES_WITH, name="pairs", inverse="pairs", aliases=("suits",))


@pytest.fixture
def place(tmp_path: Path) -> str:
    """Return how a graph on disk is named."""
    return graph_at(tmp_path / "kitchen.db")


@pytest.fixture
def graph(place: str) -> Iterator[Graph]:
    """An open graph, by a curator."""
    with weft.open(settings=Settings(graph=place, actor="ann")) as opened:
        yield opened


def add(graph: Graph, content: str, kind: str = "") -> str:
    """Capture ``content`` and return the id of its node."""
    return graph.capture.capture(CaptureRequest(content=content, kind=kind), graph.call("capture")).node.id


def join(graph: Graph, source: str, target: str, type: str) -> None:  # noqa: A002 - the field's word
    """Relate two nodes."""
    wish = RelateRequest(source=source, target=target, type=type, reasoning="seen in the kitchen")
    graph.relate.relate(wish, graph.call("relate"))


def registered(graph: Graph, *rows: Row) -> None:
    """Register ``rows``."""
    for row in rows:
        if isinstance(row, Kind):
            graph.keeping.vocabulary.add_kind(row, graph.call())
        else:
            graph.keeping.vocabulary.add_type(row, graph.call())


def knowing(*rows: Row) -> Vocabulary:
    """Return the vocabulary of a graph that registered ``rows``."""
    kinds = tuple(row for row in rows if isinstance(row, Kind))
    types = tuple(row for row in rows if isinstance(row, RelationType))
    return Vocabulary(lambda: Own(kinds=kinds, types=types))


def test_a_kind_of_its_own_is_captured_found_and_counted(graph: Graph) -> None:
    """Before it is registered its name is refused, and nothing is written."""
    with pytest.raises(InvalidArgument, match="recipe"):
        add(graph, "Toss the pasta in the sauce.", kind="recipe")
    assert graph.store.counts().nodes == 0
    made = graph.keeping.vocabulary.add_kind(RECIPE, graph.call())
    assert (made.row, made.own, made.uses) == (RECIPE, True, 0)
    pasta = add(graph, "Toss the pasta in the sauce.", kind=" Recipe ")
    add(graph, "The sauce is the subject of a quarrel.", kind="claim")
    request = SearchRequest(query="sauce", filter=Filter(kinds=("recipe",)))
    assert [hit.node.id for hit in graph.recall.search(request, graph.call("search")).hits] == [pasta]
    assert [each.uses for each in graph.keeping.vocabulary.list()] == [1]


def test_a_text_is_classified_as_a_kind_of_its_own_by_keywords(graph: Graph) -> None:
    """Its keywords weigh as those of the project kinds do; the twin is a graph without the kind."""
    text = "Put it in the oven with a tablespoon of oil, and let it simmer on."
    assert graph.store.nodes((add(graph, text),)).popitem()[1].kind != "recipe"
    words = (*RECIPE.keywords, "oil", "put")
    graph.keeping.vocabulary.add_kind(replace(RECIPE, keywords=words), graph.call())
    again = add(graph, f"{text} Oil comes first, whoever put it there.")
    assert graph.store.nodes((again,))[again].kind == "recipe"


def test_a_type_of_its_own_is_related_traced_and_folded(graph: Graph) -> None:
    """Aliases fold to its name, and its label of the other end is refused with a way out."""
    registered(graph, REBUTS)
    one, other = add(graph, "Salt hardens beans.", kind="claim"), add(graph, "Salt keeps beans soft.", kind="claim")
    join(graph, one, other, "Rejects")
    with pytest.raises(InvalidArgument, match="rebuts seen from the other end"):
        join(graph, other, one, "rebutted by")
    assert graph.store.counts().relations_by_type["rebuts"] == 1
    asked = TraceRequest(start=one, end=other, types=("rejects",))
    trail = graph.trace.trace(asked, graph.call("trace")).trail
    assert trail is not None
    assert trail.length == 1
    elsewhere = graph.trace.trace(replace(asked, types=("supports",)), graph.call("trace")).trail
    assert elsewhere is None


@pytest.mark.parametrize(("polarity", "side"), [(-1, "conflicts"), (1, "supports")])
def test_a_type_that_speaks_for_or_against_counts_in_a_challenge(graph: Graph, polarity: int, side: str) -> None:
    """The sign of the row says on which side the other claim stands."""
    registered(graph, replace(REBUTS, polarity=polarity))
    held = add(graph, "Salted water makes beans stay hard.", kind="claim")
    other = add(graph, "The trial of March used two pots.", kind="claim")
    join(graph, other, held, "rebuts")
    answer = graph.trace.challenge("Salted water makes beans stay hard.", graph.call("challenge"))
    sides = {name: [each.node.id for each in getattr(answer, name)] for name in ("supports", "conflicts")}
    assert other in sides.pop(side)
    assert other not in next(iter(sides.values()))


def test_a_symmetric_type_of_its_own_is_one_relation_in_either_direction(graph: Graph) -> None:
    """Said the other way round it is the same relation."""
    registered(graph, GOES_WITH)
    one, other = add(graph, "Rosemary is a shrub."), add(graph, "Lamb is roasted whole.")
    join(graph, one, other, "goes with")
    join(graph, other, one, "goes with")
    assert graph.store.counts().relations_by_type["goes_with"] == 1


def test_what_one_process_registers_another_knows_when_it_meets_it(graph: Graph, place: str) -> None:
    """The second graph was open, and had read its vocabulary, before the name was registered."""
    with weft.open(settings=Settings(graph=place, actor="bob")) as second:
        with pytest.raises(InvalidArgument):
            add(second, "Beans on toast.", kind="recipe")
        registered(graph, RECIPE, REBUTS)
        one, other = add(second, "Beans on toast.", kind="recipe"), add(second, "Toast is no meal.", kind="claim")
        join(second, other, one, "rejects")
        assert [each.row for each in second.keeping.vocabulary.list()] == [RECIPE, REBUTS]


def test_what_is_registered_is_there_when_the_graph_is_opened_again(place: str) -> None:
    """It lies in the graph's configuration, beside the other keys."""
    for _ in range(2):
        with weft.open(settings=Settings(graph=place, actor="ann")) as graph:
            registered(graph, RECIPE, GOES_WITH)
    with weft.open(settings=Settings(graph=place, actor="ann")) as graph:
        assert [each.row for each in graph.keeping.vocabulary.list()] == [RECIPE, GOES_WITH]
        assert {each.key for each in graph.keeping.config.list()} == {"creators", "link_floor"}
        assert graph.keeping.doctor(graph.call("doctor")).findings == ()


def test_all_that_is_known_is_listed_with_the_graphs_own_first(graph: Graph) -> None:
    """Each with whose it is and how much stands of it."""
    registered(graph, RECIPE, REBUTS)
    add(graph, "Salt hardens beans.", kind="claim")
    rows = graph.keeping.vocabulary.all()
    assert [each.row.name for each in rows] == ["recipe", *KINDS, "rebuts", *RELATION_TYPES]
    assert [each.row.name for each in rows if each.own] == ["recipe", "rebuts"]
    assert {each.row.name: each.uses for each in rows if each.uses} == {"claim": 1}


def test_the_very_same_row_is_written_once_and_another_definition_takes_its_place(
    tmp_path: Path, embedder: Embedder
) -> None:
    """Whoever has nothing to write needs no tier; whoever has needs a curator's."""
    with closing(opened_at(tmp_path / "kitchen.db", embedder, tier=Tier.CURATOR)) as rooms:
        vocabulary, config = rooms.store.vocabulary, rooms.config
        spelt = replace(RECIPE, name=" RECIPE ", meaning="how a dish  is made")
        other = replace(RECIPE, meaning="how a drink is mixed")
        assert register(RECIPE, vocabulary, config=config, call=a_call())
        assert not register(spelt, vocabulary, config=config, call=a_call(Tier.READER))
        with pytest.raises(PermissionDenied, match=r"kind\.recipe"):
            register(other, vocabulary, config=config, call=a_call(Tier.LIBRARIAN))
        assert vocabulary.kinds["recipe"] == RECIPE
        assert register(other, vocabulary, config=config, call=a_call())
        assert vocabulary.kinds["recipe"] == other


@pytest.mark.parametrize("role", ["reader", "contributor", "librarian"])
def test_only_a_curator_registers_and_removes(graph: Graph, place: str, role: str) -> None:
    """The others list, and are refused by the verbs, the same row included."""
    registered(graph, RECIPE)
    with weft.open(settings=Settings(graph=place, role=role)) as lower:
        vocabulary = lower.keeping.vocabulary
        for refused in (
            lambda: vocabulary.add_kind(RECIPE, lower.call()),
            lambda: vocabulary.add_type(REBUTS, lower.call()),
            lambda: vocabulary.remove("recipe", lower.call()),
        ):
            with pytest.raises(PermissionDenied, match="curator"):
                refused()
        assert [each.row for each in vocabulary.list()] == [RECIPE]


def test_a_kind_is_removed_only_while_nothing_is_of_it(graph: Graph) -> None:
    """A node of it, or a type that names it, keeps it; afterwards its name is refused again."""
    registered(graph, RECIPE, replace(GOES_WITH, source_kinds=("recipe",)))
    pasta = add(graph, "Toss the pasta in the sauce.", kind="recipe")
    remove = graph.keeping.vocabulary.remove
    with pytest.raises(Conflict, match=r"nodes of this kind that stand: 1"):
        remove("recipe", graph.call())
    graph.capture.update(UpdateRequest(id=pasta, kind="procedure"), graph.call("update"))
    with pytest.raises(Conflict, match="goes_with names it"):
        remove("recipe", graph.call())
    registered(graph, GOES_WITH)
    assert remove("Recipe", graph.call()).row == RECIPE
    with pytest.raises(InvalidArgument):
        add(graph, "Beans on toast.", kind="recipe")
    with pytest.raises(InvalidArgument, match="goes_with"):
        remove("recipe", graph.call())


def test_a_type_is_removed_only_while_no_relation_is_of_it(graph: Graph) -> None:
    """As for kinds; a type may then come back in another shape."""
    registered(graph, GOES_WITH)
    one, other = add(graph, "Rosemary is a shrub."), add(graph, "Lamb is roasted whole.")
    join(graph, one, other, "goes_with")
    directed = replace(GOES_WITH, symmetric=False, inverse="goes_under")
    with pytest.raises(InvalidArgument, match="registered as symmetric"):
        registered(graph, directed)
    with pytest.raises(Conflict, match=r"relations of this type that stand: 1"):
        graph.keeping.vocabulary.remove("goes_with", graph.call())
    graph.relate.unrelate(one, other, "goes_with", graph.call("unrelate"))
    graph.keeping.vocabulary.remove("goes_with", graph.call())
    registered(graph, directed)
    assert graph.store.vocabulary.types["goes_with"] == directed


def test_a_suggestion_of_what_was_removed_can_only_be_dismissed(graph: Graph, place: str) -> None:
    """Removing says how many are left, also where another process removes; registered again, it can be accepted."""
    registered(graph, GOES_WITH)
    one, other = add(graph, "Rosemary is a shrub."), add(graph, "Lamb is roasted whole.")
    items = [_proposed(graph, one, other, "goes_with", number) for number in range(2)]
    _proposed(graph, one, other, "supports", 2)
    with weft.open(settings=Settings(graph=place, actor="bob")) as elsewhere:
        assert elsewhere.keeping.vocabulary.remove("goes_with", elsewhere.call()).proposals == 2
    accept, dismiss = (
        Decision(item=item, decision=said) for item, said in zip(items, ("accept", "dismiss"), strict=True)
    )
    refused, dismissed = graph.curate.review([accept, dismiss], graph.call("review")).decided
    assert (refused.result, dismissed.result) == ("CONFLICT", "dismissed")
    assert "relation type goes_with, which this graph does not know any more; dismiss it" in refused.message
    assert graph.store.counts().relations == 0
    registered(graph, GOES_WITH)
    (accepted,) = graph.curate.review([accept], graph.call("review")).decided
    assert accepted.result == "accepted"
    assert graph.store.counts().relations_by_type == {"goes_with": 1}
    graph.relate.unrelate(one, other, "goes_with", graph.call("unrelate"))
    assert graph.keeping.vocabulary.remove("goes_with", graph.call()).proposals == 0


def test_a_name_that_another_takes_away_is_refused_where_it_is_written(graph: Graph, place: str) -> None:
    """Also where it was still known when the write was thought out; registered again, the same write goes through."""
    registered(graph, RECIPE, REBUTS)
    one, other = add(graph, "Rosemary is a shrub."), add(graph, "Lamb is roasted whole.")
    with weft.open(settings=Settings(graph=place, actor="bob")) as elsewhere:
        elsewhere.keeping.vocabulary.remove("recipe", elsewhere.call())
        elsewhere.keeping.vocabulary.remove("rebuts", elsewhere.call())
    assert {"recipe", "rebuts"} <= {*graph.store.vocabulary.kinds, *graph.store.vocabulary.types}
    head = graph.log.head()
    writes = (
        SaveNode(node=a_node(kind="recipe"), expect=0),
        SaveNode(node=_as(graph, one, kind="recipe"), expect=1),
        SaveRelation(relation=a_relation(*graph.store.nodes((one, other)).values(), type="rebuts"), expect=0),
    )
    for write in writes:
        with pytest.raises(InvalidArgument, match="is not registered, or was removed just now"):
            graph.store.commit(a_batch(write))
    assert graph.log.head() == head
    registered(graph, RECIPE, REBUTS)
    for write in writes[1:]:
        graph.store.commit(a_batch(write))


def _as(graph: Graph, id_: str, *, kind: str) -> Node:
    node = graph.store.nodes((id_,))[id_]
    return replace(node, kind=kind, version=node.version + 1)


def test_a_name_that_another_uses_meanwhile_is_not_taken_away(tmp_path: Path, embedder: Embedder) -> None:
    """Counting and removing are one step, however much was counted before."""
    with closing(opened_at(tmp_path / "kitchen.db", embedder, tier=Tier.CURATOR)) as rooms:
        for row in (RECIPE, REBUTS):
            register(row, rooms.store.vocabulary, config=rooms.config, call=a_call())
        one, other = a_node(kind="recipe"), a_node()
        ends = (SaveNode(node=one, expect=0), SaveNode(node=other, expect=0))
        rooms.store.commit(a_batch(*ends, SaveRelation(relation=a_relation(one, other, type="rebuts"), expect=0)))
        assert [rooms.config.withdraw(key_of(row), tier=Tier.CURATOR) for row in (RECIPE, REBUTS)] == [1, 1]
        assert {key_of(RECIPE), key_of(REBUTS)} <= rooms.config.values().keys()


def test_names_that_nobody_registered_are_told_and_such_relations_can_be_removed(
    graph: Graph, tmp_path: Path, embedder: Embedder
) -> None:
    """Whoever looks after the graph hears of them, and of what may be done; nothing is wrong with the graph."""
    registered(graph, RECIPE, REBUTS)
    pasta, toast = add(graph, "Toss the pasta.", kind="recipe"), add(graph, "Beans on toast.")
    for source, target in ((pasta, toast), (toast, pasta)):
        join(graph, source, target, "rebuts")
    assert not _unregistered(graph)
    with closing(opened_at(tmp_path / "kitchen.db", embedder, tier=Tier.CURATOR)) as rooms:
        for row in (RECIPE, REBUTS):
            rooms.config.save(key_of(row), "", tier=Tier.CURATOR)
    (flaw,) = _unregistered(graph)
    assert flaw.what == "of a kind or type that nobody registered: 1 node (recipe), 2 relations (rebuts)."
    assert graph.keeping.doctor(graph.call()).sound
    for _ in range(2):
        assert graph.relate.unrelate(pasta, toast, "Rebuts", graph.call("unrelate")).removed
    with pytest.raises(InvalidArgument, match="rebuts"):
        graph.relate.unrelate(pasta, toast, "rebuts", graph.call("unrelate"))
    (flaw,) = _unregistered(graph)
    assert "relations" not in flaw.what


def _unregistered(graph: Graph) -> list[Flaw]:
    return [each for each in graph.keeping.doctor(graph.call()).findings if each.key == "names_unregistered"]


def _proposed(graph: Graph, source: str, target: str, type: str, number: int) -> str:  # noqa: A002 - the field's word
    """Suggest a relation, and return the suggestion's id."""
    relate = {"source": source, "target": target, "type": type, "reasoning": "they are eaten together"}
    made = a_suggestion(f"{type} {number}", *graph.store.nodes((source, target)).values(), proposal={"relate": relate})
    graph.store.commit(a_batch(SaveSuggestion(suggestion=made)))
    return made.id


@pytest.mark.parametrize("name", ["claim", "supports", "nobody_said"])
def test_what_is_standard_or_unknown_cannot_be_removed(graph: Graph, name: str) -> None:
    """The message says which of the two it is."""
    with pytest.raises(InvalidArgument, match=r"standard|it has none"):
        graph.keeping.vocabulary.remove(name, graph.call())


HOSTILE = [
    "'; drop table meta",
    "../x",
    'a"b',
    "rezépt",
    "a" * 41,
    "a",
    "9lives",
    "_x",
    "",
    "a\x00b",
    "a.b",
    "a/b",
    "%",
]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(
    ("row", "field"),
    [(RECIPE, "name"), (RECIPE, "plural"), (REBUTS, "name"), (REBUTS, "inverse"), (REBUTS, "aliases")],
    ids=lambda each: each if isinstance(each, str) else each.name,
)
def test_a_name_is_plain_whatever_it_names(row: Row, field: str, name: str) -> None:
    """The field is named, and what a name may be."""
    bad = replace(row, **{field: (name,) if field == "aliases" else name})
    with pytest.raises(InvalidArgument, match=rf"^{field}: .* letter first"):
        checked(bad, STANDARD)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (replace(RECIPE, name="claim"), "name: claim is a standard kind"),
        (replace(RECIPE, name="decisions"), "name: decisions is taken, it is the plural of the kind decision"),
        (replace(RECIPE, name="supports"), "name: supports is taken, it is the relation type supports"),
        (replace(RECIPE, plural="fixes"), "plural: fixes is taken, it is the plural of the kind fix"),
        (replace(RECIPE, plural="dishes"), "plural: dishes is taken, it is the plural of the kind dish"),
        (replace(RECIPE, plural="con"), "Windows"),
        (replace(RECIPE, family="food"), "family: .* Allowed: design, thought"),
        (replace(RECIPE, meaning=" \n "), "meaning is empty"),
        (replace(RECIPE, meaning="m" * 201), "meaning is too long"),
        (replace(RECIPE, weight=0.31), "weight"),
        (replace(RECIPE, weight=float("nan")), "weight"),
        (replace(RECIPE, exemplars=("x",) * 6), "exemplars: 6 given, at most 5"),
        (replace(RECIPE, exemplars=("x" * 301,)), "exemplars is too long"),
        (replace(RECIPE, keywords=("x",) * 21), "keywords: 21 given"),
        (replace(RECIPE, keywords=("x" * 61,)), "keywords is too long"),
        (replace(RECIPE, meaning="\ud800"), "surrogate"),
        (replace(REBUTS, name="refutes"), "name: refutes is a standard relation type"),
        (replace(REBUTS, name="related"), "name: related is taken, it is an alias of the relation type relates_to"),
        (replace(REBUTS, name="claim"), "name: claim is taken, it is the kind claim"),
        (replace(REBUTS, inverse="superseded_by"), "inverse: .* the inverse of the relation type supersedes"),
        (replace(REBUTS, aliases=("replaces",)), "aliases: .* an alias of the relation type supersedes"),
        (replace(REBUTS, aliases=("suits",)), "aliases: .* an alias of the relation type pairs"),
        (replace(REBUTS, inverse="pairs"), "inverse: pairs is taken, it is the relation type pairs"),
        (replace(REBUTS, aliases=("rebuts",)), "no aliases of themselves"),
        (replace(REBUTS, aliases=tuple(f"alias_{n}" for n in range(21))), "aliases: 21 given"),
        (replace(REBUTS, family="practice"), "family: .* Allowed: argument"),
        (replace(REBUTS, polarity=2), "polarity must be"),
        (replace(REBUTS, inverse="rebuts"), "inverse: a symmetric type"),
        (replace(REBUTS, symmetric=True), "inverse: a symmetric type"),
        (replace(REBUTS, transitive=True), "transitive: .* against"),
        (replace(GOES_WITH, transitive=True, polarity=1), "transitive: a symmetric type with a polarity"),
        (replace(REBUTS, source_kinds=("ghost",)), "source_kinds: 'ghost' is not known. Allowed: decision"),
        (replace(REBUTS, target_kinds=("ghost",)), "target_kinds: 'ghost'"),
        (replace(REBUTS, meaning=""), "meaning is empty"),
    ],
)
def test_a_row_that_bends_what_is_known_is_refused_and_its_twin_is_not(row: Row, said: str) -> None:
    """The message names the field, and whose the name is; the row it was made from can be registered."""
    known = knowing(replace(RECIPE, name="dish", plural="dishes"), PAIRS)
    with pytest.raises(InvalidArgument, match=said):
        checked(row, known)
    twin = next(each for each in (RECIPE, REBUTS, GOES_WITH) if each.meaning == row.meaning or type(each) is type(row))
    assert checked(twin, known) == twin


def test_a_row_is_stored_folded_clean_and_on_one_line() -> None:
    """Repetitions and blanks go; kinds that it fits are named as they are stored."""
    said = replace(
        RECIPE, name="Fish Dish", plural="Fish-Dishes", meaning="what\nswims\u200b", keywords=("fin", " ", "fin")
    )
    assert checked(said, STANDARD) == replace(
        RECIPE, name="fish_dish", plural="fish_dishes", meaning="what swims", keywords=("fin",)
    )
    fitting = checked(replace(REBUTS, source_kinds=("Code Pattern", "claim", "claim")), STANDARD)
    assert isinstance(fitting, RelationType)
    assert fitting.source_kinds == ("code_pattern", "claim")


def test_a_graph_registers_so_many_and_no_more() -> None:
    """One of those there may still be defined anew; in the place of one there is room again."""
    kinds = tuple(replace(RECIPE, name=f"kind_{n}", plural=f"kinds_{n}") for n in range(KINDS_MAX))
    types = tuple(replace(REBUTS, name=f"is_{n}", inverse=f"was_{n}", aliases=()) for n in range(TYPES_MAX))
    for row in (RECIPE, REBUTS):
        with pytest.raises(InvalidArgument, match="as many as it may have"):
            checked(row, knowing(*kinds, *types))
        assert checked(row, knowing(*kinds[1:], *types[1:])) == row
    for known in (kinds[0], types[0]):
        assert checked(known, knowing(*kinds, *types)) == known


NAMES = st.text(st.characters(codec="utf-8"), max_size=45) | st.from_regex(r"[a-z][a-z0-9_ -]{0,44}", fullmatch=True)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(name=NAMES, plural=NAMES, text=st.text(max_size=220))
def test_any_row_is_refused_or_stored_in_a_form_that_stays(name: str, plural: str, text: str) -> None:
    """What was checked is what a second check gives, and its key is one word."""
    try:
        row = checked(Kind(name=name, plural=plural, family="record", meaning=text, exemplars=(text,)), STANDARD)
    except InvalidArgument:
        return
    assert checked(row, STANDARD) == row
    assert key_of(row).isascii()
    assert "\n" not in row.meaning
