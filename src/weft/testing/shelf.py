"""What a shelf must do. Subclass :class:`ShelfContract` in your tests, fill in ``open``, and run pytest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from weft.model import Filter, FoundRelations, Mention, Page, SaveEvidence, SaveMentions, SaveSource
from weft.testing.making import a_node, a_source, an_evidence, joined, saved
from weft.testing.noting import NotingContract

if TYPE_CHECKING:
    from weft.testing.noting import Searched

__all__ = ["ShelfContract"]


class ShelfContract(NotingContract):
    """The promises of :class:`weft.ports.Shelf`."""

    # ---- sharing

    def test_who_shares_most_comes_first_and_then_the_newest(self, kept: Searched) -> None:
        """Tags, references and the session each count one; retired nodes and the node itself do not."""
        one = self.note(kept, "one", tags=("a",))
        three = self.note(kept, "three", tags=("a", "b"), references=("src/x.py",))
        two = self.note(kept, "two", tags=("b",), session="noon")
        self.note(kept, "none", tags=("c",), references=("src/y.py",), session="night")
        gone = self.note(kept, "gone", tags=("a", "b"))
        self.retire(kept, gone)
        asked = self.note(kept, "asked", tags=("a", "b"), references=("src/x.py",), session="noon")
        assert kept.shelf.sharing(asked, limit=9) == (three.id, two.id, one.id)
        assert kept.shelf.sharing(asked, limit=1) == (three.id,)

    def test_a_node_without_marks_shares_nothing(self, kept: Searched) -> None:
        """No session is not a session that is shared."""
        self.note(kept, "one")
        assert kept.shelf.sharing(self.note(kept, "two"), limit=9) == ()

    def test_a_very_common_tag_neither_hides_a_rare_one_nor_costs_its_size(self, kept: Searched) -> None:
        """Of 600 nodes with it only the newest are looked at; the oldest is found by its rare tag, first."""
        oldest = self.note(kept, "oldest", tags=("common", "rare"))
        crowd = [a_node(f"n{at}", tags=("common",)) for at in range(600)]
        self.commit(kept, *(saved(node) for node in crowd))
        found = kept.shelf.sharing(self.note(kept, "asked", tags=("common", "rare")), limit=1000)
        assert found[0] == oldest.id
        assert len(found) <= 400

    # ---- names

    def test_titles_and_aliases_are_found_in_texts_longest_first(self, kept: Searched) -> None:
        """As whole words, whatever their case and the punctuation around; each node once."""
        york = self.note(kept, "York")
        new_york = self.note(kept, "New York", aliases=("NYC", "Big Apple"))
        retry = self.note(kept, "exponential back-off")
        self.note(kept, "Apple pie")
        text = "In new   york (NYC), the «Big Apple», yorkers use Exponential Back-Off."
        found = kept.shelf.named_in(text, limit=9)
        assert found == (
            Mention(node="", target=retry.id, name="exponential back-off"),
            Mention(node="", target=new_york.id, name="big apple"),
            Mention(node="", target=york.id, name="york"),
        )
        assert kept.shelf.named_in(text, limit=1) == found[:1]

    def test_what_says_nothing_is_no_name(self, kept: Searched) -> None:
        """Two letters, or a stop word alone, link nothing; handles are ids, not names."""
        for title in ("ab", "the", "and", "x"):
            self.note(kept, title)
        self.note(kept, "something else", handles=("slug",))
        assert kept.shelf.named_in("ab the and x slug", limit=9) == ()
        thing = self.note(kept, "the thing")
        assert [each.target for each in kept.shelf.named_in("it is the thing", limit=9)] == [thing.id]

    def test_names_are_found_in_scripts_without_spaces(self, kept: Searched) -> None:
        """There two characters are a word, and a name of several words is long; one character is none."""
        long = self.note(kept, "分布式缓存一致性协议")
        short = self.note(kept, "缓存")
        self.note(kept, "猫")
        found = kept.shelf.named_in("猫讨论了分布式缓存一致性协议，缓存太慢。", limit=9)
        assert [(each.target, each.name) for each in found] == [(long.id, "分布式缓存一致性协议"), (short.id, "缓存")]

    def test_names_follow_their_nodes(self, kept: Searched) -> None:
        """A new title is found, the old one and those of retired nodes are not."""
        node = self.note(kept, "old name")
        gone = self.note(kept, "gone name")
        self.rewrite(kept, node, "text", title="new name")
        self.retire(kept, gone)
        found = kept.shelf.named_in("old name, new name, gone name", limit=9)
        assert [(each.target, each.name) for each in found] == [(node.id, "new name")]

    def test_of_many_nodes_of_one_name_a_few_are_given(self, kept: Searched) -> None:
        """A name that hundreds share says little."""
        oldest = self.note(kept, "meeting notes")
        for _ in range(30):
            self.note(kept, "meeting notes")
        found = kept.shelf.named_in("see the meeting notes", limit=20)
        assert len(found) == 4
        assert found[0].target == oldest.id

    @pytest.mark.parametrize(
        "text", ["", "   ", "\x00\ud800", "x" * 100_000, "word " * 20_000, "日本語のテキスト", "[](){}"]
    )
    def test_any_text_can_be_looked_through(self, kept: Searched, text: str) -> None:
        """However long or odd."""
        node = self.note(kept, "word word")
        found = kept.shelf.named_in(text, limit=9)
        assert [each.target for each in found] == ([node.id] if "word word" in text else [])

    # ---- sessions

    def test_names_in_use_are_found_by_their_beginnings_whole_ones_first(self, kept: Searched) -> None:
        self.note(kept, "one", tags=("auth", "author", "Auth"), ontology="Sea")
        gone = self.note(kept, "two", tags=("autumn", "AUTH"), ontology="sea")
        self.note(kept, "three", tags=("auth", "winter"), ontology="seaside")
        assert kept.shelf.names_used("tags", ("auth", "Au"), limit=9) == ("auth", "Auth", "author")
        assert kept.shelf.names_used("tags", ("au", "auth"), limit=2) == ("auth",)
        assert set(kept.shelf.names_used("tags", ("",), limit=9)) == {
            "AUTH",
            "Auth",
            "auth",
            "author",
            "autumn",
            "winter",
        }
        assert kept.shelf.names_used("ontologies", ("sea",), limit=9) == ("sea", "seaside")
        self.retire(kept, gone)
        assert kept.shelf.names_used("ontologies", ("sea",), limit=9) == ("seaside",)
        assert kept.shelf.names_used("tags", ("autu", "AUTH", "x"), limit=9) == ()

    def test_who_stands_beside_whom_in_a_session(self, kept: Searched) -> None:
        """In the order in which they were written, whatever else was written between; retired ones stand nowhere."""
        turns = []
        for at in range(7):
            turns.append(self.note(kept, f"turn {at}", session="noon"))
            self.note(kept, f"other {at}", session="night" if at % 2 else "")
        self.retire(kept, turns[4])
        ids = [turn.id for turn in turns]
        beside = kept.shelf.beside([ids[0], ids[3]], reach=2)
        assert set(beside) == {ids[0], ids[3]}
        assert set(beside[ids[0]]) == {ids[1], ids[2]}
        assert set(beside[ids[3]]) == {ids[1], ids[2], ids[5], ids[6]}
        assert set(kept.shelf.beside([ids[3]], reach=1)[ids[3]]) == {ids[2], ids[5]}

    def test_who_is_alone_or_in_no_session_stands_beside_nobody(self, kept: Searched) -> None:
        """No session is not a session that is shared."""
        alone = self.note(kept, "alone", session="noon")
        none = [self.note(kept, f"n{at}") for at in range(3)]
        assert kept.shelf.beside([alone.id, *(node.id for node in none), "nobody"], reach=2) == {}
        assert kept.shelf.beside([], reach=2) == {}

    # ---- mentions

    def test_mentions_are_seen_from_both_ends(self, kept: Searched) -> None:
        """Each once, also where both ends are asked for; those of retired nodes are not."""
        one, two, three, gone = (self.note(kept, title) for title in ("one", "two", "three", "gone"))
        said = tuple(Mention(node=one.id, target=node.id, name=node.title) for node in (two, gone))
        self.commit(kept, SaveMentions(node=one.id, outgoing=said))
        self.commit(kept, SaveMentions(node=three.id, outgoing=(Mention(node=three.id, target=one.id, name="one"),)))
        self.retire(kept, gone)
        mentions = kept.shelf.mentions
        both = {Mention(node=one.id, target=two.id, name="two"), Mention(node=three.id, target=one.id, name="one")}
        assert set(mentions([one.id], per_node=9)) == both
        assert set(mentions([one.id, two.id, three.id], per_node=9)) == both
        assert len(mentions([one.id, two.id, three.id], per_node=9)) == 2
        assert mentions([two.id], per_node=9) == (Mention(node=one.id, target=two.id, name="two"),)
        assert mentions([], per_node=9) == ()

    def test_a_hub_gives_no_more_mentions_than_asked_for(self, kept: Searched) -> None:
        """In either direction."""
        hub = self.note(kept, "hub")
        for at in range(12):
            node = self.note(kept, f"n{at}")
            self.commit(kept, SaveMentions(node=node.id, outgoing=(Mention(node=node.id, target=hub.id, name="hub"),)))
        assert len(kept.shelf.mentions([hub.id], per_node=5)) == 5

    # ---- files

    def test_a_file_s_own_nodes_come_before_its_neighbours(self, kept: Searched) -> None:
        """Same folder, but neither a folder above, below, nor one that begins alike."""
        beside = self.note(kept, "beside", references=("src/auth/token.py",))
        own = self.note(kept, "own", references=("src/auth/login.py", "README.md"))
        for path in ("src/main.py", "src/auth/deep/x.py", "src/authors/x.py", "src/auth.py", "login.py"):
            self.note(kept, path, references=(path,))
        gone = self.note(kept, "gone", references=("src/auth/login.py",))
        self.retire(kept, gone)
        shelf = kept.shelf
        assert shelf.by_reference(["src/auth/login.py"], limit=9) == (own.id, beside.id)
        assert shelf.by_reference(["src/auth/login.py"], limit=1) == (own.id,)
        assert shelf.by_reference(["README.md"], limit=9) == (own.id,)
        assert shelf.by_reference(["nowhere.py", "100%_x/[a].py", ""], limit=9) == ()

    def test_a_folder_that_a_node_refers_to_covers_the_files_below_it(self, kept: Searched) -> None:
        """At any depth, the nearest folder first, before the files beside; not the folders below the file's own."""
        beside = self.note(kept, "beside", references=("src/auth/token.py",))
        top = self.note(kept, "top", references=("src",))
        near = self.note(kept, "near", references=("src/auth/",))
        self.note(kept, "below", references=("src/auth/deep/y.py",))
        shelf = kept.shelf
        assert shelf.by_reference(["src/auth/login.py"], limit=9) == (near.id, top.id, beside.id)
        assert shelf.by_reference(["src/auth/deeper/still/x.py"], limit=9) == (near.id, top.id)

    def test_addresses_lie_in_folders_too(self, kept: Searched) -> None:
        """But not all of the web in one."""
        one = self.note(kept, "one", references=("https://a.org/docs/x",))
        self.note(kept, "other", references=("https://b.org",))
        shelf = kept.shelf
        assert shelf.by_reference(["https://a.org/docs/y"], limit=9) == (one.id,)
        assert shelf.by_reference(["https://c.org"], limit=9) == ()

    def test_who_refers_to_a_file_of_a_name_is_found_in_whatever_folder(self, kept: Searched) -> None:
        """The whole name, and no letter of it stands for others; standing nodes only."""
        one = self.note(kept, "one", references=("src/auth/login.py", "src/login.py"))
        two = self.note(kept, "two", references=("a%_/login.py",))
        for path in ("src/my_login.py", "src/login.pyi", "login.py", "src/login.py/x", "src/Login.py"):
            self.note(kept, path, references=(path,))
        gone = self.note(kept, "gone", references=("src/login.py",))
        self.retire(kept, gone)
        shelf = kept.shelf
        assert set(shelf.by_file_name("login.py", limit=9)) == {one.id, two.id}
        assert len(shelf.by_file_name("login.py", limit=1)) == 1
        assert shelf.by_file_name("l%n.py", limit=9) == shelf.by_file_name("nowhere.py", limit=9) == ()

    # ---- sources

    def test_who_rests_on_the_same_source_is_found(self, kept: Searched) -> None:
        """Nodes only, standing ones, never the node itself."""
        one, two, alone, gone = (self.note(kept, title) for title in ("one", "two", "alone", "gone"))
        source, other = a_source(), a_source("other.md", text="Other words.")
        relation = joined(one, two)
        subjects = (one.id, two.id, gone.id, relation.relation.id)
        self.commit(kept, SaveSource(source=source), SaveSource(source=other), relation)
        self.commit(kept, *(SaveEvidence(evidence=an_evidence(each, source)) for each in subjects))
        self.commit(kept, SaveEvidence(evidence=an_evidence(alone.id, other)))
        self.retire(kept, gone)
        shelf = kept.shelf
        assert shelf.by_evidence([one.id, two.id, alone.id], per_node=9) == {one.id: (two.id,), two.id: (one.id,)}

    def test_a_long_document_gives_no_more_than_asked_for(self, kept: Searched) -> None:
        """Each node's list has its own bound."""
        source = a_source()
        self.commit(kept, SaveSource(source=source))
        nodes = [self.note(kept, f"n{at}") for at in range(12)]
        self.commit(kept, *(SaveEvidence(evidence=an_evidence(node.id, source)) for node in nodes))
        found = kept.shelf.by_evidence([nodes[0].id, nodes[1].id], per_node=5)
        assert [len(found[node.id]) for node in nodes[:2]] == [5, 5]

    # ---- relations

    def test_relations_are_given_as_triples_up_to_a_bound(self, kept: Searched) -> None:
        """For whoever wants the shape of the graph."""
        one, two, three = (self.note(kept, title) for title in ("one", "two", "three"))
        self.commit(kept, joined(one, two), joined(two, three, "extends"), joined(one, three))
        wanted = {(one.id, two.id, "supports"), (two.id, three.id, "extends"), (one.id, three.id, "supports")}
        assert set(kept.shelf.relation_pairs(9)) == wanted
        assert len(kept.shelf.relation_pairs(2)) == 2

    def test_the_best_related_nodes_come_first_whichever_way_their_relations_lead(self, kept: Searched) -> None:
        """Each relation counts at both ends; nodes alike come newest first, and those without any last."""
        one, two, three, four = (self.note(kept, title) for title in ("one", "two", "three", "four"))
        gone = self.note(kept, "gone")
        self.commit(kept, joined(one, two), joined(two, three), joined(two, three, "extends"))
        self.retire(kept, gone)
        best = kept.shelf.best_related
        ranked = ((two.id, 3), (three.id, 2), (one.id, 1), (four.id, 0))
        assert best(Filter(), limit=9, looked=9) == ranked
        assert best(Filter(), limit=2, looked=9) == ranked[:2]
        assert best(Filter(), limit=9, looked=2) == ((three.id, 2), (four.id, 0))
        assert best(Filter(within=(one.id, two.id)), limit=9, looked=9) == ((two.id, 3), (one.id, 1))
        assert best(Filter(ontologies=("elsewhere",)), limit=9, looked=9) == ()

    def test_relations_among_nodes_are_those_with_both_ends_there_the_surest_first(self, kept: Searched) -> None:
        """With the true total, whatever the limit."""
        one, two, three, four = (self.note(kept, title) for title in ("one", "two", "three", "four"))
        made = [joined(one, two), joined(three, two, "extends"), joined(two, one, "uses")]
        sure = [
            replace(each, relation=replace(each.relation, confidence=0.5 + at / 10)) for at, each in enumerate(made)
        ]
        self.commit(kept, *sure, joined(one, four), joined(four, three))
        among = kept.shelf.relations_among
        ids = [one.id, two.id, three.id, two.id]
        found = among(ids, limit=9)
        assert [each.id for each in found.relations] == [each.relation.id for each in reversed(sure)]
        assert found.total == 3
        cut = among(ids, limit=1)
        assert (cut.relations, cut.total) == (found.relations[:1], 3)
        assert among([], limit=9) == among([one.id], limit=9) == FoundRelations(relations=(), total=0)

    def test_relations_of_a_type_come_in_pages_newest_first(self, kept: Searched) -> None:
        """With the true total; of no type, all of them."""
        hub, *others = (self.note(kept, f"n{at}") for at in range(6))
        made = [joined(hub, other, "extends" if at % 2 else "supports") for at, other in enumerate(others)]
        self.commit(kept, *made)
        newest = sorted((each.relation.id for each in made), reverse=True)
        supports = [id_ for id_ in newest if next(e.relation for e in made if e.relation.id == id_).type == "supports"]
        paged = kept.shelf.relations_paged
        first, last = paged(Page(limit=2), type="supports"), paged(Page(limit=2, offset=2), type="supports")
        assert [each.id for each in (*first.relations, *last.relations)] == supports
        assert (first.total, last.total, paged(Page(), type="solves").total) == (3, 3, 0)
        assert [each.id for each in paged(Page()).relations] == newest
        assert paged(Page(limit=1)).total == 5

    def test_relations_of_a_node_come_in_pages_strongest_first(self, kept: Searched) -> None:
        """From both ends; pages neither repeat nor lose what is equally strong."""
        hub, *others = (self.note(kept, f"n{at}") for at in range(9))
        ends = [(hub, other) if at % 2 else (other, hub) for at, other in enumerate(others)]
        made = [joined(*pair, confidence=0.5 if at < 6 else 0.9) for at, pair in enumerate(ends)]
        self.commit(kept, *made, joined(others[0], others[1], "extends"), joined(hub, others[2], "extends"))
        paged = kept.shelf.relations_paged
        pages = [paged(Page(limit=3, offset=at), node=hub.id) for at in range(0, 12, 3)]
        seen = [each for page in pages for each in page.relations]
        assert {page.total for page in pages} == {9}
        assert len({each.id for each in seen}) == len(seen) == 9
        assert [each.confidence for each in seen] == sorted((each.confidence for each in seen), reverse=True)
        assert [each.type for each in paged(Page(), node=hub.id, type="extends").relations] == ["extends"]
        assert paged(Page(), node=hub.id, type="extends").total == 1
        assert paged(Page(), node="nobody").total == 0
