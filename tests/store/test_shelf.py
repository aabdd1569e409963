"""What lies side by side: shared marks, names in texts, mentions, files, sources; each through an index and bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from index.world import World, unit
from weft.model import Mention, SaveEvidence, SaveMentions, SaveSource
from weft.testing.making import a_batch, a_source, an_evidence, joined

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from weft.model import Node, Operation

ONE = unit(np.ones((1, 8), np.float32))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """An empty graph."""
    world = World(tmp_path / "graph.db")
    yield world
    world.close()


def write(world: World, title: str, **fields: object) -> Node:
    """Write a node."""
    return world.add(title, ONE, **fields)


def commit(world: World, *operations: Operation) -> None:
    """Write anything."""
    world.opened.store.commit(a_batch(*operations))


# ---- sharing


def test_who_shares_most_comes_first_and_then_the_newest(world: World) -> None:
    """Tags, references and the session each count one; retired nodes and the node itself do not."""
    one = write(world, "one", tags=("a",))
    three = write(world, "three", tags=("a", "b"), references=("src/x.py",))
    two = write(world, "two", tags=("b",), session="noon")
    write(world, "none", tags=("c",), references=("src/y.py",), session="night")
    gone = write(world, "gone", tags=("a", "b"))
    world.retire(gone.id)
    asked = write(world, "asked", tags=("a", "b"), references=("src/x.py",), session="noon")
    assert world.opened.shelf.sharing(asked, limit=9) == (three.id, two.id, one.id)
    assert world.opened.shelf.sharing(asked, limit=1) == (three.id,)


def test_a_node_without_marks_shares_nothing(world: World) -> None:
    """No session is not a session that is shared."""
    write(world, "one")
    assert world.opened.shelf.sharing(write(world, "two"), limit=9) == ()


def test_a_very_common_tag_neither_hides_a_rare_one_nor_costs_its_size(world: World) -> None:
    """Of 600 nodes with the common tag, only the newest are looked at; the oldest is found by its rare tag, first."""
    oldest = write(world, "oldest", tags=("common", "rare"))
    world.crowd(np.repeat(ONE, 600, axis=0), tags=("common",))
    found = world.opened.shelf.sharing(write(world, "asked", tags=("common", "rare")), limit=1000)
    assert found[0] == oldest.id
    assert len(found) <= 400


# ---- names


def test_titles_and_aliases_are_found_in_texts_longest_first(world: World) -> None:
    """As whole words, whatever their case and the punctuation around; each node once."""
    york = write(world, "York")
    new_york = write(world, "New York", aliases=("NYC", "Big Apple"))
    retry = write(world, "exponential back-off")
    write(world, "Apple pie")
    text = "In new   york (NYC), the «Big Apple», yorkers use Exponential Back-Off."
    found = world.opened.shelf.named_in(text, limit=9)
    assert found == (
        Mention(node="", target=retry.id, name="exponential back-off"),
        Mention(node="", target=new_york.id, name="big apple"),
        Mention(node="", target=york.id, name="york"),
    )
    assert world.opened.shelf.named_in(text, limit=1) == found[:1]


def test_what_says_nothing_is_no_name(world: World) -> None:
    """Two letters, or a stop word alone, link nothing; handles are ids, not names."""
    for title in ("ab", "the", "and", "x"):
        write(world, title)
    write(world, "something else", handles=("slug",))
    assert world.opened.shelf.named_in("ab the and x slug", limit=9) == ()
    kept = write(world, "the thing")
    assert [each.target for each in world.opened.shelf.named_in("it is the thing", limit=9)] == [kept.id]


def test_names_follow_their_nodes(world: World) -> None:
    """A new title is found, the old one and those of retired nodes are not."""
    node = write(world, "old name")
    gone = write(world, "gone name")
    world.change(node.id, ONE, title="new name")
    world.retire(gone.id)
    found = world.opened.shelf.named_in("old name, new name, gone name", limit=9)
    assert [(each.target, each.name) for each in found] == [(node.id, "new name")]


def test_of_many_nodes_of_one_name_a_few_are_given(world: World) -> None:
    """A name that hundreds share says little."""
    oldest = write(world, "meeting notes")
    for _ in range(30):
        write(world, "meeting notes")
    found = world.opened.shelf.named_in("see the meeting notes", limit=20)
    assert len(found) == 4
    assert found[0].target == oldest.id


@pytest.mark.parametrize(
    "text", ["", "   ", "\x00\ud800", "x" * 100_000, "word " * 20_000, "日本語のテキスト", "[](){}"]
)
def test_any_text_can_be_looked_through(world: World, text: str) -> None:
    """However long or odd."""
    node = write(world, "word word")
    found = world.opened.shelf.named_in(text, limit=9)
    assert [each.target for each in found] == ([node.id] if "word word" in text else [])


# ---- mentions


def test_mentions_are_seen_from_both_ends(world: World) -> None:
    """Each once, also where both ends are asked for; those of retired nodes are not."""
    one, two, three, gone = (write(world, title) for title in ("one", "two", "three", "gone"))
    said = tuple(Mention(node=one.id, target=node.id, name=node.title) for node in (two, gone))
    commit(world, SaveMentions(node=one.id, outgoing=said))
    commit(world, SaveMentions(node=three.id, outgoing=(Mention(node=three.id, target=one.id, name="one"),)))
    world.retire(gone.id)
    mentions = world.opened.shelf.mentions
    both = {Mention(node=one.id, target=two.id, name="two"), Mention(node=three.id, target=one.id, name="one")}
    assert set(mentions([one.id], per_node=9)) == both
    assert set(mentions([one.id, two.id, three.id], per_node=9)) == both
    assert len(mentions([one.id, two.id, three.id], per_node=9)) == 2
    assert mentions([two.id], per_node=9) == (Mention(node=one.id, target=two.id, name="two"),)
    assert mentions([], per_node=9) == ()


def test_a_hub_gives_no_more_mentions_than_asked_for(world: World) -> None:
    """In either direction."""
    hub = write(world, "hub")
    for at in range(12):
        node = write(world, f"n{at}")
        commit(world, SaveMentions(node=node.id, outgoing=(Mention(node=node.id, target=hub.id, name="hub"),)))
    assert len(world.opened.shelf.mentions([hub.id], per_node=5)) == 5


# ---- files


def test_a_file_s_own_nodes_come_before_its_neighbours(world: World) -> None:
    """Same folder, but neither a folder above, below, nor one that begins alike."""
    beside = write(world, "beside", references=("src/auth/token.py",))
    own = write(world, "own", references=("src/auth/login.py", "README.md"))
    for path in ("src/main.py", "src/auth/deep/x.py", "src/authors/x.py", "src/auth.py", "login.py"):
        write(world, path, references=(path,))
    gone = write(world, "gone", references=("src/auth/login.py",))
    world.retire(gone.id)
    shelf = world.opened.shelf
    assert shelf.by_reference(["src/auth/login.py"], limit=9) == (own.id, beside.id)
    assert shelf.by_reference(["src/auth/login.py"], limit=1) == (own.id,)
    assert shelf.by_reference(["README.md"], limit=9) == (own.id,)
    assert shelf.by_reference(["nowhere.py", "100%_x/[a].py", ""], limit=9) == ()


def test_addresses_lie_in_folders_too(world: World) -> None:
    """But not all of the web in one."""
    one = write(world, "one", references=("https://a.org/docs/x",))
    write(world, "other", references=("https://b.org",))
    shelf = world.opened.shelf
    assert shelf.by_reference(["https://a.org/docs/y"], limit=9) == (one.id,)
    assert shelf.by_reference(["https://c.org"], limit=9) == ()


# ---- sources


def test_who_rests_on_the_same_source_is_found(world: World) -> None:
    """Nodes only, standing ones, never the node itself."""
    one, two, alone, gone = (write(world, title) for title in ("one", "two", "alone", "gone"))
    source, other = a_source(), a_source("other.md", text="Other words.")
    relation = joined(one, two)
    subjects = (one.id, two.id, gone.id, relation.relation.id)
    commit(world, SaveSource(source=source), SaveSource(source=other), relation)
    commit(world, *(SaveEvidence(evidence=an_evidence(each, source)) for each in subjects))
    commit(world, SaveEvidence(evidence=an_evidence(alone.id, other)))
    world.retire(gone.id)
    shelf = world.opened.shelf
    assert shelf.by_evidence([one.id, two.id, alone.id], per_node=9) == {one.id: (two.id,), two.id: (one.id,)}


def test_a_long_document_gives_no_more_than_asked_for(world: World) -> None:
    """Each node's list has its own bound."""
    source = a_source()
    commit(world, SaveSource(source=source))
    nodes = [write(world, f"n{at}") for at in range(12)]
    commit(world, *(SaveEvidence(evidence=an_evidence(node.id, source)) for node in nodes))
    found = world.opened.shelf.by_evidence([nodes[0].id, nodes[1].id], per_node=5)
    assert [len(found[node.id]) for node in nodes[:2]] == [5, 5]


# ---- relations


def test_relations_are_given_as_triples_up_to_a_bound(world: World) -> None:
    """For whoever wants the shape of the graph."""
    one, two, three = (write(world, title) for title in ("one", "two", "three"))
    commit(world, joined(one, two), joined(two, three, "extends"), joined(one, three))
    wanted = {(one.id, two.id, "supports"), (two.id, three.id, "extends"), (one.id, three.id, "supports")}
    assert set(world.opened.shelf.relation_pairs(9)) == wanted
    assert len(world.opened.shelf.relation_pairs(2)) == 2
