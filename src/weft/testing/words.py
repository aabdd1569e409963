"""What full text must do. Subclass :class:`WordsContract` in your tests, fill in ``open``, and run pytest."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from weft.model import Filter, Near, Origin, Scope, Status
from weft.testing.making import AT
from weft.testing.noting import NotingContract
from weft.text import terms

if TYPE_CHECKING:
    from weft.testing.noting import Searched

__all__ = ["EVERYDAY", "WordsContract"]

# What people type, each of them an error or a silent miss in some search that took it for syntax.
EVERYDAY = (
    *("C++", "C#", ".NET 8", "node.js", "don't", "it's Bob's", "2024-01-02", "3.14", "what is X?", "(unclosed"),
    *('say "hi"', "a AND b", "NOT this", "OR", "NEAR(a b, 5)", "title:secret", "-minus", "+plus", "star*", "^caret"),
    *("{curly}", "semi;colon", "50% off", "user@example.org", "https://a.org/b?c=d&e", "C:\\temp\\x", "日本語 検索"),
    *("naïve café", "🙂 ok"),
)
ALL = Filter()


class WordsContract(NotingContract):
    """The promises of :class:`weft.ports.Words`."""

    @pytest.mark.parametrize("query", EVERYDAY)
    def test_everyday_text_is_a_valid_question(self, kept: Searched, query: str) -> None:
        node = self.note(kept, "note", f"before {query} after")
        self.note(kept, "other", "nothing of the kind")
        assert kept.words.search(query, filter=ALL, limit=5)[0].node == node.id
        assert kept.words.holding(query, filter=ALL, limit=5) == (node.id,)
        assert kept.words.phrase(query, filter=ALL, limit=5) == (node.id,)

    @pytest.mark.parametrize("query", ["", " ", "\x00", "\ud800", '"', "'", "()", "*", "-", "unheard", "。、"])
    def test_what_holds_no_known_word_finds_nothing(self, kept: Searched, query: str) -> None:
        self.note(kept, "note", "some text")
        assert kept.words.search(query, filter=ALL, limit=5) == ()
        assert kept.words.holding(query, filter=ALL, limit=5) == ()
        assert kept.words.phrase(query, filter=ALL, limit=5) == ()

    def test_a_very_long_question_is_a_question(self, kept: Searched) -> None:
        known = [f"word{at}" for at in range(300)]
        node = self.note(kept, "long", " ".join(known))
        self.note(kept, "half", " ".join(known[:150]))
        assert kept.words.search(" ".join(known), filter=ALL, limit=1)[0].node == node.id
        assert kept.words.holding(" ".join(known), filter=ALL, limit=5) == (node.id,)
        assert kept.words.phrase(" ".join(known), filter=ALL, limit=5) == (node.id,)
        assert kept.words.holding(" ".join([*known, "unheard"]), filter=ALL, limit=5) == ()

    def test_a_rare_word_outweighs_common_ones(self, kept: Searched) -> None:
        for at in range(40):
            self.note(kept, f"n{at}", "the cache of the server holds the answer")
        rare = self.note(kept, "rare", "the tombstone")
        found = kept.words.search("the cache of the server and the tombstone", filter=ALL, limit=3)
        assert found[0].node == rare.id
        assert found[0].terms[0] == "tombstone"
        assert len(found) == 3

    def test_a_word_is_the_rarer_the_fewer_passages_hold_it(self, kept: Searched) -> None:
        for at in range(9):
            self.note(kept, f"n{at}", "the cache holds the answer" if at else "the cache holds a tombstone")
        rarity = kept.words.rarity(["cach", "answer", "tombston", "unheard"])
        assert 0.0 <= rarity["cach"] < rarity["answer"] < rarity["tombston"] < rarity["unheard"]

    def test_a_word_is_as_rare_in_the_passages_of_one_node_as_in_those_of_several(self, kept: Searched) -> None:
        self.note(kept, "long", "the cache holds the answer", "the cache is cold, and the cache is small", "the answer")
        for text in ("a gale in spring", "the gale", "a tide", "a tide and a gale", "the tide"):
            self.note(kept, "short", text)
        rarity = kept.words.rarity(["cach", "answer", "gale", "tide", "cold"])
        assert rarity["cach"] == rarity["answer"] < rarity["cold"]
        assert rarity["gale"] == rarity["tide"] < rarity["cach"]

    def test_nothing_is_rare_where_nothing_is_asked(self, kept: Searched) -> None:
        assert kept.words.rarity([]) == {}

    def test_words_are_counted_by_passages_and_those_that_none_holds_are_left_out(self, kept: Searched) -> None:
        for at in range(9):
            self.note(kept, f"n{at}", "the cache holds the answer" if at else "the cache holds a tombstone")
        assert kept.words.counts(["cach", "answer", "tombston", "unheard", ""]) == {
            "cach": 9,
            "answer": 8,
            "tombston": 1,
        }
        assert kept.words.counts([]) == {}

    def test_a_word_in_a_name_counts_more_than_one_in_the_text(self, kept: Searched) -> None:
        text = "a text of some length about {} and more"
        body = self.note(kept, "something", text.format("garbage"))
        named = [
            self.note(kept, "garbage", text.format("this")),
            self.note(kept, "two", text.format("this"), aliases=("garbage",)),
            self.note(kept, "three", text.format("this"), search_terms=("garbage",)),
            self.note(kept, "four", text.format("this"), tags=("garbage",)),
        ]
        found = [hit.node for hit in kept.words.search("garbage", filter=ALL, limit=5)]
        assert set(found[:4]) == {node.id for node in named}
        assert found[4] == body.id

    def test_a_node_counts_once_by_its_best_passage_and_says_where_it_is(self, kept: Searched) -> None:
        node = self.note(kept, "long", "nothing here", "refresh and token", "token alone")
        (hit,) = kept.words.search("refresh_token", filter=ALL, limit=5)
        assert hit.node == node.id
        assert node.content[hit.start : hit.end] == "refresh and token"
        assert set(hit.terms) == {"refresh", "token"} <= set(terms("refresh_token"))

    def test_of_passages_that_are_known_is_told_which_words_they_hold(self, kept: Searched) -> None:
        rare = self.note(kept, "rare", "the tombstone stands by the wall")
        plain = self.note(kept, "plain", "the wall is white")
        silent = self.note(kept, "silent", "nothing of the kind")
        self.note(kept, "other", "a wall and a tombstone")
        hits = kept.words.search("tombstone wall white kind", filter=ALL, limit=9)
        near = [Near(each.node, 0.5, each.start, each.end, each.passage) for each in reversed(hits)]
        asked = [each for each in near if each.node in {rare.id, plain.id, silent.id}]
        told = kept.words.held_in("Is there a tombstone at the walls?", asked)
        assert [(hit.node, hit.terms) for hit in told] == [(rare.id, ("tombstone", "wall")), (plain.id, ("wall",))]
        assert {hit.passage for hit in told} < {each.passage for each in asked}
        assert told[0].score > told[1].score > 0
        assert kept.words.held_in("tombstone", []) == ()

    def test_what_holds_a_few_words_is_found_whichever_passages_hold_them(self, kept: Searched) -> None:
        for at in range(80):
            self.note(kept, f"n{at}", "a tombstone", "and nothing else")
            self.note(kept, f"m{at}", "a gale", "and nothing else")
        texts = [f"a {word} and many other words about other matters" for word in ("tombstone", "gale")]
        node = self.note(kept, "long", *texts, "and a passage without either")
        found = {hit.node: hit for hit in kept.words.search("tombstone gale", filter=ALL, limit=5)}
        assert set(found[node.id].terms) == {"tombstone", "gale"}
        assert len(found) == 5

    def test_words_of_different_passages_are_held_together(self, kept: Searched) -> None:
        node = self.note(kept, "alpha", "first beta", "second gamma", tags=("delta",))
        other = self.note(kept, "alpha beta", "gamma but not the other")
        assert kept.words.holding("alpha BETA gamma deltas", filter=ALL, limit=5) == (node.id,)
        assert kept.words.holding("alpha epsilon", filter=ALL, limit=5) == ()
        assert set(kept.words.holding("alpha gamma", filter=ALL, limit=5)) == {node.id, other.id}

    def test_a_phrase_is_consecutive_words_within_one_passage(self, kept: Searched) -> None:
        node = self.note(kept, "note", "we use Refresh Tokens daily")
        self.note(kept, "reverse", "token refresh")
        self.note(kept, "gap", "refresh the token")
        self.note(kept, "split", "we refresh", "token here")
        assert kept.words.phrase("refresh token", filter=ALL, limit=5) == (node.id,)

    def test_a_word_is_found_by_its_other_forms(self, kept: Searched) -> None:
        node = self.note(kept, "heat", "The wings were heated while air flowed over them")
        self.note(kept, "heath", "Shrubs of the heath")
        for query in ("heating", "heats a wing", "flowing air"):
            (hit,) = kept.words.search(query, filter=ALL, limit=5)
            assert hit.node == node.id, query
            assert set(hit.terms) <= set(terms(query)), query
            assert kept.words.holding(query.removeprefix("heats a "), filter=ALL, limit=5) == (node.id,)

    @pytest.mark.parametrize(
        ("text", "query"),
        [
            ("Die Verbindungen werden nach zehn Minuten geschlossen", "Verbindung"),
            ("Die Häuser am Fluss sind teurer", "Hauses"),
            ("Les connexions sont fermées après dix minutes", "connexion fermée"),
            ("Las conexiones se cierran después de diez minutos", "conexión"),
            ("Anslutningarna stängs efter tio minuter och loggas", "anslutning"),
        ],
    )
    def test_a_word_of_another_language_is_found_by_its_other_forms(
        self, kept: Searched, text: str, query: str
    ) -> None:
        node = self.note(kept, "wanted", "Something in English, of the other passage", text)
        self.note(kept, "other", "The connections are closed after ten minutes")
        (hit,) = kept.words.search(query, filter=ALL, limit=5)
        assert (hit.node, node.content[hit.start : hit.end]) == (node.id, text)
        assert set(hit.terms) <= set(terms(query))
        assert kept.words.holding(query, filter=ALL, limit=5) == (node.id,)
        assert kept.words.holding(f"{query} unheard", filter=ALL, limit=5) == ()

    def test_every_word_must_be_held_in_another_language_too(self, kept: Searched) -> None:
        """Function words as well: *ohne* turns what a text says round, and *door* is an English word."""
        node = self.note(kept, "wanted", "Die Anmeldung ist ohne Passwort gesperrt")
        self.note(kept, "other", "Die Anmeldungen sind mit Passwort erlaubt")
        self.note(kept, "third", "De haven van Rotterdam is met de sluizen verbonden")
        assert kept.words.holding("Anmeldung ohne Passwort", filter=ALL, limit=5) == (node.id,)
        assert kept.words.holding("door Rotterdam", filter=ALL, limit=5) == ()
        assert len(kept.words.holding("Anmeldung Passwort", filter=ALL, limit=5)) == 2

    def test_a_word_as_it_stands_comes_before_other_forms_in_any_language(self, kept: Searched) -> None:
        for at in range(5):
            self.note(kept, f"n{at}", "Die Verbindungen werden vom Server geschlossen")
        exact = self.note(kept, "exact", "Die Verbindung wird vom Server geschlossen")
        assert kept.words.search("Verbindung Server", filter=ALL, limit=9)[0].node == exact.id
        assert len(kept.words.search("Verbindung", filter=ALL, limit=9)) == 6

    def test_english_is_found_as_if_nothing_else_were_there(self, kept: Searched) -> None:
        plans = [self.note(kept, f"n{at}", "The plane lands as planned and the cache is cleared") for at in range(3)]
        for at in range(20):
            self.note(kept, f"f{at}", "Le plan est dans le tiroir de la table")
        for query in ("where is the plane", "plane", "planes"):
            found = [hit.node for hit in kept.words.search(query, filter=ALL, limit=3)]
            assert set(found) == {node.id for node in plans}, query

    def test_a_word_of_several_languages_counts_alike_in_texts_of_each(self, kept: Searched) -> None:
        for at in range(20):
            self.note(kept, f"n{at}", "The cache has a timeout, and the server waits for it")
        self.note(kept, "deutsch", "Der Cache hat ein Timeout, und der Server wartet darauf")
        hits = kept.words.search("cache timeout", filter=ALL, limit=30)
        assert len(hits) == 21
        assert max(hit.score for hit in hits) < 1.5 * min(hit.score for hit in hits)

    def test_a_phrase_is_these_words_and_not_others_of_their_roots(self, kept: Searched) -> None:
        self.note(kept, "one", "the organic organ of a university")
        exact = self.note(kept, "two", "the organization of a universe")
        plural = self.note(kept, "three", "two Organizations of universes")
        assert set(kept.words.phrase("organization of", filter=ALL, limit=5)) == {exact.id, plural.id}
        assert kept.words.phrase("organ of a universe", filter=ALL, limit=5) == ()

    def test_a_phrase_is_looked_for_in_what_the_filter_lets_in(self, kept: Searched) -> None:
        node = self.note(kept, "one", "the refresh token", kind="decision")
        for at in range(30):
            self.note(kept, f"n{at}", "a refresh token")
        assert kept.words.phrase("refresh token", filter=Filter(kinds=("decision",)), limit=5) == (node.id,)
        assert kept.words.phrase("refresh token", filter=Filter(kinds=("issue",)), limit=5) == ()

    def test_a_phrase_is_found_behind_any_number_of_others_of_its_root(self, kept: Searched) -> None:
        wanted = self.note(kept, "wanted", "the heater")
        for at in range(80):
            self.note(kept, f"n{at}", "the heating")
        assert kept.words.phrase("heater", filter=ALL, limit=2) == (wanted.id,)

    def test_holders_are_those_whose_text_holds_the_name_in_order(self, kept: Searched) -> None:
        one = self.note(kept, "one", "Ashby lies in Marlow County")
        two = self.note(kept, "Marlow Counties", "hills and rivers")
        self.note(kept, "three", "the county of Marlow")
        self.note(kept, "four", "Marlow", "County")
        (held,) = kept.words.holders([["Marlow County", "Ashby", "unheard", ""]], per_list=5)
        assert {name: set(nodes) for name, nodes in held.items()} == {"Marlow County": {one.id, two.id}}
        assert kept.words.holders([], per_list=5) == ()
        assert kept.words.holders([[], ["..."]], per_list=5) == ({}, {})

    def test_the_rarest_names_of_each_list_are_looked_up_and_common_ones_are_not(self, kept: Searched) -> None:
        for at in range(60):
            self.note(kept, f"n{at}", "Harbour" + (" Lane" if at < 9 else "") + (" Mill" if at < 4 else ""))
        mill, lane = kept.words.holders([["Harbour", "Lane", "Mill"], ["Lane", "Harbour"]], per_list=1)
        assert (list(mill), len(mill["Mill"])) == (["Mill"], 4)
        assert (list(lane), len(lane["Lane"])) == (["Lane"], 9)
        assert kept.words.holders([["Harbour"]], per_list=1) == ({},)

    def test_who_was_retired_holds_nothing(self, kept: Searched) -> None:
        stays = self.note(kept, "one", "by Marlow")
        self.retire(kept, self.note(kept, "two", "from Marlow"))
        assert kept.words.holders([["Marlow"]], per_list=1) == ({"Marlow": (stays.id,)},)

    def test_small_words_find_nothing_beside_others_but_do_alone(self, kept: Searched) -> None:
        small = self.note(kept, "soliloquy", "to be or not to be")
        telling = self.note(kept, "pump", "a pump")
        (hit,) = kept.words.search("what is to be done with the pump", filter=ALL, limit=5)
        assert hit.node == telling.id
        assert hit.terms == ("pump",)
        (hit,) = kept.words.search("to be or not", filter=ALL, limit=5)
        assert hit.node == small.id
        assert kept.words.holding("to be", filter=ALL, limit=5) == (small.id,)
        assert kept.words.phrase("not to be", filter=ALL, limit=5) == (small.id,)

    def test_what_was_learned_is_found_by_its_names_alone(self, kept: Searched) -> None:
        node = self.note(
            kept, "caching", "wording of the evidence", search_terms=("stale answer",), origin=Origin.LEARNED
        )
        assert [hit.node for hit in kept.words.search("stale caches", filter=ALL, limit=5)] == [node.id]
        assert kept.words.search("wording", filter=ALL, limit=5) == ()

    def test_retired_and_overwritten_words_are_not_found(self, kept: Searched) -> None:
        node = self.note(kept, "one", "obsolete words")
        self.retire(kept, self.note(kept, "two", "obsolete words"))
        self.rewrite(kept, node, "current words")
        assert kept.words.search("obsolete", filter=ALL, limit=5) == ()
        assert kept.words.holding("obsolete words", filter=ALL, limit=5) == ()
        assert kept.words.phrase("obsolete words", filter=ALL, limit=5) == ()
        assert [hit.node for hit in kept.words.search("current", filter=ALL, limit=5)] == [node.id]

    def test_the_past_is_searched_as_it_stood(self, kept: Searched) -> None:
        node = self.note(kept, "one", "early words", kind="decision")
        then = kept.log.head()
        anew = self.rewrite(kept, node, "late words", kind="claim")
        self.retire(kept, anew)
        past = Filter(as_of=then)
        assert [hit.node for hit in kept.words.search("early", filter=past, limit=5)] == [node.id]
        assert kept.words.search("late", filter=past, limit=5) == ()
        assert kept.words.holding("early words", filter=past, limit=5) == (node.id,)
        assert kept.words.phrase("early words", filter=past, limit=5) == (node.id,)
        assert kept.words.phrase("words early", filter=past, limit=5) == ()
        decided = Filter(as_of=then, kinds=("decision",), within=(node.id,))
        assert [hit.node for hit in kept.words.search("early", filter=decided, limit=5)] == [node.id]
        assert kept.words.search("early", filter=Filter(as_of=then, within=("another",)), limit=5) == ()

    def test_filters_come_before_the_limit(self, kept: Searched) -> None:
        for at in range(30):
            self.note(kept, f"words words {at}", "words words words")
        node = self.note(
            kept,
            "last",
            "a longer text that holds words once",
            kind="decision",
            ontology="side",
            tags=("a", "b"),
            session="noon",
            confidence=0.99,
            status=Status.NEEDS_REVIEW,
            learned_id="learned_1",
            modified_at=AT + timedelta(hours=1),
        )
        for wanted in (
            Filter(kinds=("decision", "concept")),
            Filter(ontologies=("side",)),
            Filter(tags=("b", "a")),
            Filter(tags_alike=(("B", "b"), ("a", "A"))),
            Filter(session="noon"),
            Filter(confidence_min=0.95),
            Filter(since=AT + timedelta(hours=1)),
            Filter(since=AT + timedelta(minutes=1), kinds=("decision",)),
            Filter(status="needs_review"),
            Filter(learned_id="learned_1"),
            Filter(within=(node.id,), scope=Scope.DOCUMENTS),
        ):
            assert [hit.node for hit in kept.words.search("words", filter=wanted, limit=1)] == [node.id], wanted
            assert kept.words.holding("words", filter=wanted, limit=1) == (node.id,), wanted
        assert kept.words.search("words", filter=Filter(tags=("a", "c")), limit=1) == ()
        assert kept.words.search("words", filter=Filter(tags_alike=(("a", "b"), ("c", "C"))), limit=1) == ()
        assert kept.words.search("words", filter=Filter(scope=Scope.LEARNED), limit=1) == ()
        assert kept.words.search("words", filter=Filter(since=AT + timedelta(hours=2)), limit=1) == ()
