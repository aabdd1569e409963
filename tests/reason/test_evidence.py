"""Evidence: which sentences of a text bear on a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from weft.embed.minilm import MiniLM
from weft.reason.evidence import EXCERPT_MAX, SENTENCES_MAX, Sentence, Stretch, evidence, excerpt, quoted
from weft.text import split

if TYPE_CHECKING:
    from collections.abc import Iterable

EMBEDDER = MiniLM()

WRAPPED = """# Sessions

Sessions were kept in memory at first. The gateway keeps its sessions in
Redis, so that a restart does not sign
anybody out. Backups are taken at night.

- Tokens are kept
  for an hour
- Sessions are small
"""


def texts(found: Iterable[Sentence]) -> list[str]:
    """Return what sentences say, in their order."""
    return [each.text for each in found]


def standing(content: str, *said: str) -> tuple[Sentence, ...]:
    """Return sentences of ``content`` that stand there in one line."""
    return tuple(Sentence(start := content.index(each), start + len(each), each) for each in said)


def test_a_sentence_over_several_lines_is_read_whole() -> None:
    """Most documents are wrapped: half a sentence says half of it, or the opposite."""
    found = texts(evidence("A restart of the gateway signs everybody out", WRAPPED))
    assert found[0] == "The gateway keeps its sessions in Redis, so that a restart does not sign anybody out."
    assert "Tokens are kept for an hour" in texts(evidence("Tokens are kept for an hour", WRAPPED))


def test_a_sentence_is_read_without_the_mark_of_its_item_and_the_targets_of_its_links() -> None:
    """A person and a network read words. What is code keeps its signs, and the place in the text is that of the whole.

    A word in brackets alone is none of a link.
    """
    text = (
        "## Keys\n\n- [x] `__init__` takes a [foreign key][keys] or [two](https://keys.example/two) [so far].\n\nOther."
    )
    (found, *_) = evidence("It takes a foreign key", text)
    assert found.text == "`__init__` takes a foreign key or two [so far]."
    assert text[found.start : found.end].startswith("- [x] `__init__`")
    ruled = "Rejected\n========\n\nWe rejected a foreign key.\n"
    assert texts(evidence("A foreign key", ruled)) == ["Rejected: We rejected a foreign key."]
    assert texts(evidence("A key that was rejected", "Rejected keys\n=============\n\nOther.\n"))[0] == "Rejected keys"


def test_what_few_sentences_hold_weighs_more() -> None:
    """The twin holds as many words of the claim, and such as stand everywhere."""
    text = "The server starts at six. The server stops at ten. The server writes logs. The server reads a certificate."
    assert evidence("The server starts with a certificate", text)[0].text == "The server reads a certificate."
    assert evidence("The server starts", text)[0].text == "The server starts at six."


def test_words_count_by_their_roots() -> None:
    """The claim has other forms of them."""
    text = "We wrote the report. Deploying was forbidden on Fridays. We read it again."
    assert evidence("Deployments on a Friday are forbidden", text)[0].text == "Deploying was forbidden on Fridays."


def test_the_closest_sentences_come_first_and_of_equals_the_later() -> None:
    """Texts conclude at their end."""
    text = "Tomatoes need water. It was a long day.\nWhy. Tomatoes need the sun. We also grew beans. Tomatoes were red."
    found = texts(evidence("Tomatoes need shade", text))
    assert found == ["Tomatoes need the sun.", "Tomatoes need water.", "Tomatoes were red."]
    assert texts(evidence("Tomatoes", "Short.")) == ["Short."]
    assert evidence("Tomatoes", " \n ") == ()


def test_what_is_struck_out_is_no_evidence() -> None:
    """However near it comes to the claim."""
    text = "Tomatoes need the sun. ~~Tomatoes need shade. They wilt.~~ We grew beans too."
    assert texts(evidence("Tomatoes need shade", text)) == ["Tomatoes need the sun.", "We grew beans too."]
    assert evidence("Tomatoes need shade", "~~Tomatoes need shade.~~") == ()


def test_a_sentence_counts_by_how_near_its_passage_is_too() -> None:
    """The same words stand in both; without the nearness the later one comes first."""
    first, second = "The limit is ten requests. ", "The limit is ten characters. "
    text = first + second
    near = (Stretch(0, len(first), 0.9), Stretch(len(first), len(text), 0.5))
    assert evidence("There is a limit of ten", text, near)[0].text == first.strip()
    assert evidence("There is a limit of ten", text)[0].text == second.strip()


def test_what_settles_the_other_half_of_a_claim_comes_before_what_repeats_the_first() -> None:
    """The twin, of which each sentence is as good, is not taken."""
    text = (
        "Sessions of the gateway are kept in Redis. The gateway has sessions in Redis only. Redis holds the gateway's "
        "sessions. Nothing else is said here. They end after an hour."
    )
    found = texts(evidence("Sessions of the gateway are kept in Redis and end after an hour", text))
    assert found[0] == "Sessions of the gateway are kept in Redis."
    assert found[1] == "They end after an hour."


def test_a_sentence_in_other_words_is_found_where_it_is_known_what_they_mean() -> None:
    """Where it is not known of all that is read, the words themselves count, and there the later comes first."""
    text = "The nightly run purges stale rows. The nightly run writes a report. It takes a minute."
    claim = "The nightly run deletes outdated records"
    asked, told = EMBEDDER.embed_words([claim, text])
    known = Stretch(0, len(text), 0.5, dict(zip(told.words, told.word_vectors, strict=True)))
    assert texts(evidence(claim, text, [known], asked))[0] == "The nightly run purges stale rows."
    for stretch, said in ((known._replace(words=None), asked), (known, None)):
        assert texts(evidence(claim, text, [stretch], said))[0] == "The nightly run writes a report."


def test_of_a_long_text_the_nearest_passages_are_read_wherever_they_stand() -> None:
    """What is far behind is as good as what comes first; what lies in none of them is not read."""
    text = " ".join(f"Chapter {place} says nothing of note about the matter at hand." for place in range(400))
    text += " The limit is ten requests a second."
    spans = split(text)
    near = [Stretch(*span, 0.9 if span == spans[-1] else 0.1) for span in spans]
    assert (
        evidence("The limit is twenty requests a second", text, near)[0].text == "The limit is ten requests a second."
    )
    assert evidence("The limit is twenty requests a second", text, near[:1])[0].text.startswith("Chapter")


def test_a_sentence_that_runs_over_two_passages_is_read_whole() -> None:
    """Where they follow on one another."""
    text = "Nothing here. The limit is ten requests a second. Nothing there."
    near = (Stretch(0, 30, 0.6), Stretch(30, len(text), 0.5))
    assert evidence("The limit is ten requests", text, near)[0].text == "The limit is ten requests a second."


def test_sentences_are_read_together_in_the_order_in_which_they_stand_behind_the_title() -> None:
    """They come best first. What they say themselves is not said twice, and a title that was cut has no sign of it."""
    best_first = (Sentence(16, 30, "Then B follows."), Sentence(0, 15, "A stands first."))
    assert quoted(best_first, "") == "A stands first. Then B follows."
    assert quoted(best_first, "Letters…") == "Letters. A stands first. Then B follows."
    assert quoted(best_first, "~~Z stands first.~~") == "A stands first. Then B follows."
    assert quoted(best_first, "a stands first.") == "A stands first. Then B follows."


def test_of_a_long_text_its_best_sentences_are_shown_with_marks_for_what_is_left_out() -> None:
    """A short one is shown as it is."""
    filling = "Nothing of note is said here. " * 20
    text = f"Deploys\nare weekly. {filling}They end on Fridays. Rollbacks take a minute. {filling}"
    late, last = standing(text, "They end on Fridays.", "Rollbacks take a minute.")
    first = Sentence(0, text.index(" Nothing"), "Deploys are weekly.")
    assert excerpt((late, first), text) == "Deploys are weekly. … They end on Fridays. …"
    assert excerpt((late, last), text) == "… They end on Fridays. Rollbacks take a minute. …"
    assert excerpt((first,), "Deploys\nare weekly.") == "Deploys\nare weekly."


def test_what_is_struck_out_of_a_sentence_is_not_shown_and_the_rest_of_it_is() -> None:
    """The sentence is found all the same."""
    text = f"{'Nothing of note is said here. ' * 20}The limit is ~~ten~~ twenty requests a second. And so on."
    found = evidence("The limit is twenty requests", text)
    assert found[0].text == "The limit is twenty requests a second."
    assert found[0].text in excerpt(found, text)
    assert quoted((*standing(text, "And so on."), found[0]), "") == "The limit is twenty requests a second. And so on."


def test_a_sentence_that_is_longer_than_what_is_shown_is_cut_and_no_other_comes_beside_it() -> None:
    """The best one is shown, not the one that fits."""
    long = "It says " + "so much " * 100 + "of it."
    text = f"{long} Short it is not at all."
    shown = excerpt(standing(text, long, "Short it is not at all."), text)
    assert shown.startswith("It says so much")
    assert "Short" not in shown


@given(st.text(min_size=1).filter(str.strip), st.text(min_size=1))
def test_what_is_shown_is_never_longer_than_it_may_be(claim: str, text: str) -> None:
    """Whatever was found."""
    whole = f"{text} {claim}" * 20
    found = evidence(claim, whole)
    if found:
        assert len(excerpt(found, whole)) <= EXCERPT_MAX


@given(st.text(), st.text())
def test_whatever_the_text_at_most_three_sentences_of_it_are_read(claim: str, text: str) -> None:
    """None of them is blank, and of a text that says anything there is one."""
    found = evidence(claim, text)
    assert len(found) <= SENTENCES_MAX
    assert all(each.text.strip() for each in found)
    assert bool(found) == bool(text.strip()) or "~~" in text
