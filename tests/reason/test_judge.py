"""The judge: opposites conflict, agreement never does, and where the words leave it open it abstains."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.model import Verdict
from weft.reason.judge import judge, restates, strays

CONFLICTS = [
    ("The session times out after fifteen minutes", "The session times out after thirty minutes"),
    ("The tests cover sixty percent of the code", "The tests cover eighty percent of the code"),
    # denial
    ("Vaccines cause autism", "Vaccines do not cause autism"),
    ("We store sessions in Redis.", "We don't store sessions in Redis."),
    ("The cache is invalidated on every write", "The cache is never invalidated on a write"),
    ("All nodes are encrypted", "No nodes are encrypted"),
    ("All nodes are encrypted", "Not all nodes are encrypted"),
    ("All nodes are encrypted", "Some nodes are not encrypted"),
    ("Nobody reads the logs", "Everybody reads the logs"),
    ("Birds can fly", "Birds cannot fly"),
    ("The library supports Windows", "The library no longer supports Windows"),
    ("The clinic offers vaccines", "The clinic has stopped offering vaccines"),
    ("The queue guarantees ordering", "The queue fails to guarantee ordering"),
    ("AI poses an existential risk", "AI poses no existential risk"),
    ("The server is written in Rust and does not need a garbage collector", "The server needs a garbage collector"),
    # denial by prefix or ending
    ("Retries are safe", "Retries are unsafe"),
    ("The function is pure", "The function is impure"),
    ("The service is stateless", "The service is stateful"),
    ("The function isn't deterministic", "The function is deterministic"),
    # opposite poles
    ("Coffee increases blood pressure", "Coffee lowers blood pressure"),
    ("The API allows anonymous access", "The API forbids anonymous access"),
    ("Exercise causes weight loss", "Exercise prevents weight loss"),
    ("The feature is enabled by default", "The feature is disabled by default"),
    ("The key is optional", "The key is required"),
    ("Python is dynamically typed", "Python is statically typed"),
    ("The scheduler retries jobs manually", "The scheduler retries jobs automatically"),
    # rates, orders, manners
    ("Attention is linear in sequence length", "The cost of self-attention is quadratic in sequence length"),
    ("Attention is linear in sequence length", "Attention mechanisms scale quadratically with sequence length"),
    ("RNNs process the whole sequence in parallel", "RNNs process sequences step by step"),
    ("RNNs process entire sequences in parallel", "Recurrent networks (RNNs) process sequences one step at a time"),
    ("Lookup is O(1)", "Lookup takes linear time"),
    ("Sorting takes O(n log n) time", "Sorting is quadratic"),
    ("Memory grows exponentially with depth", "Memory grows linearly with depth"),
    # numbers, units, dates
    ("Water boils at 100 degrees Celsius at sea level", "Water boils at 90 degrees Celsius at sea level"),
    ("Tokens expire after 30 minutes", "Tokens expire after 1 hour"),
    ("Memory lasts for 8 years", "Memory lasts for 8 months"),
    ("The upload limit is 10 MB", "The upload limit is 25 MB"),
    ("Latency is below 100 ms", "Latency is above 0.2 s"),
    ("The company was founded in 1998", "The company was founded in 2001"),
    ("GPT-3 has 175 billion parameters", "GPT-3 has 13 billion parameters"),
    ("The meeting takes place on Monday", "The meeting takes place on Tuesday"),
    ("Ann's check-up at the dentist is on 4 April", "Ann's check-up at the dentist is on 11 April"),
    ("The lease of the flat ends on 3 July 2027", "The lease of the flat ends on 3 July 2029"),
    ("The lease ends in May 2027", "The lease ends in May 2029"),
    ("The gateway allows 600 requests per minute", "The gateway allows 1200 requests per minute"),
    ("The review is on 31 March", "The review is not on 31 March"),
    # a denial that both hold says nothing
    ("Ploughing without mulch does not harm worms", "Ploughing without mulch harms worms"),
    # comparisons
    ("PostgreSQL is faster than MySQL", "MySQL is faster than PostgreSQL"),
    ("PostgreSQL is faster than MySQL", "PostgreSQL is slower than MySQL"),
    ("The camp held 500 Americans", "The camp held 700 Americans"),
    ("Tabs are better than spaces", "Spaces are better than tabs"),
    ("Transformers outperform recurrent networks", "Recurrent networks outperform transformers"),
    ("The lock is taken before the write", "The lock is taken after the write"),
    ("Light roasts need hotter water than dark roasts", "Light roasts need colder water than dark roasts"),
    ("Deleted notes are shown", "Deleted notes are not shown"),
    ("The cache does not prevent overload", "The cache prevents overload"),
    ("Salt reduces blood pressure", "Salt raises blood pressure"),
]

NO_CONFLICTS = [
    # agreement, however it is put
    ("Attention weighs all positions", "Attention weighs every position"),
    ("The pool is safe", "The pool is not unsafe"),
    ("It is possible to recover the key", "It is not impossible to recover the key"),
    ("PostgreSQL is faster than MySQL", "MySQL is slower than PostgreSQL"),
    ("Transformers outperform recurrent networks", "Recurrent networks are outperformed by transformers"),
    ("Alice arrived before Bob", "Bob arrived after Alice"),
    ("The cache is fast", "Not only is the cache fast, it is also small"),
    ("Low memory causes slow queries", "High memory causes fast queries"),
    ("The call takes 0.1 s", "The call takes 100 ms"),
    ("Tokens expire after 60 minutes", "Tokens expire after 1 hour"),
    ("The process uses about 100 MB", "The process uses 96 MB"),
    ("The pool holds at least 5 connections", "The pool holds 7 connections"),
    ("The build takes ten minutes", "The build takes 10 minutes"),
    # other things
    (
        "RNNs process tokens step by step",
        "Transformers process tokens in parallel, while RNNs process them step by step",
    ),
    ("The gateway caches responses for users", "The gateway does not cache responses for anonymous users"),
    ("Python 3.11 supports exception groups", "Python 3.8 does not support exception groups"),
    ("Phase 2 increases the load", "Phase 3 reduces the load"),
    ("It is a member of the 568 Group of schools", "It is a member of the 569 Group of schools"),
    ("The old parser is slow", "The new parser is fast"),
    ("The small dog is running", "The big dog is running"),
    ("A linear model fits the data", "A quadratic model fits the data"),
    ("The cost is linear in n", "The cost is linear in n and quadratic in d"),
    ("The team has 12 people", "The team grew from 5 to 12 people"),
    ("We chose PostgreSQL over MySQL", "We did not choose MySQL"),
    ("Sync is disabled on the staging server", "Sync is enabled on the production server"),
    ("Open the file", "Close the file"),
    ("Light roasts need hotter water than dark roasts", "Dark roasts need colder water than light roasts"),
    ("Smaller images need hotter water than large images", "Smaller images need colder milk than large images"),
    ("The clinic no longer offers vaccines", "The clinic has stopped offering vaccines"),
    # agreement of which one side denies, or is bounded
    ("The clinic does not open on Mondays", "The clinic opens at eight on other days and stays closed on Mondays"),
    ("The export was not rolled out", "The export was rolled out to nobody"),
    ("Night builds have not run since March", "Night builds last ran in March"),
    ("The cheapest bid was chosen", "The cheapest bid does not have to be chosen"),
    # comparisons that agree, or compare with something else
    ("Women at the site filed fewer reports a month than men", "Men at the site filed reports more often than women"),
    ("Of the parser and the lexer, the lexer is the quicker", "The parser is slower than the lexer"),
    ("The parser is faster than the printer", "The parser is slower than the lexer and older than the printer"),
    ("Memory was the same after the upgrade to 3.12", "Memory before and after the upgrade to 3.12 was the same"),
    # before and after as what is spoken of, and measures of it
    ("Dumps before the move are kept for a year", "Dumps after the move are kept for a year"),
    ("Checks run before each release", "Checks run after each release"),
    ("A dose of 20 mg relieves pain", "A dose of 40 mg relieves pain"),
    ("A break of 5 minutes helps attention", "A break of 60 minutes helps attention"),
    ("Breaks shorter than 20 minutes help", "Breaks longer than 60 minutes help"),
    ("People under 18 years pay half", "People over 65 years pay half"),
    ("The 2019 results were good", "The 2020 results were good"),
    # the lack of a thing, and what must be
    ("Sleep loss impairs memory", "Sleep improves memory"),
    ("Water shortage decreases yields", "Water increases yields"),
    ("Jo must not have penicillin", "Jo is allergic to penicillin"),
    ("Don't give Jo ibuprofen", "Ibuprofen gives Jo a rash"),
    # then and now
    ("The dashboard had been open for a year", "The dashboard is closed"),
    ("The road was closed to lorries", "The road was closed to lorries in May but is open again"),
    # left open
    ("Coffee is harmful", "Coffee is not shown to be harmful"),
    ("Redis is used", "Redis is not used for sessions"),
    ("Some users like the new menu", "Some users do not like the new menu"),
    ("Not every request is logged", "Some requests are logged"),
    ("Coffee may increase blood pressure", "Coffee may lower blood pressure"),
    ("Coffee causes cancer", "There is no evidence that coffee causes cancer"),
    ("The fix works", "I doubt that the fix works"),
    ("The cache is not safe", "Is the cache safe?"),
    ("The function returns None if the key is missing", "The function does not return None if the key exists"),
    ("Deploys are forbidden from 15 November to 31 December", "No deploys between 15 November and 31 December"),
    ("Floats for money are forbidden", "Never use floats for money"),
    ("The parser never returns null", "The parser avoids returning null"),
    ("Reducing salt intake lowers blood pressure", "Salt intake raises blood pressure"),
    ("Caffeine shortens sleep", "Caffeine abstinence lengthens sleep"),
    ("Iron increases attention", "Deficiency of iron decreases attention"),
    ("Model A scores 71 percent on GSM8K", "Model B scores 64 percent on GSM8K"),
]


@pytest.mark.parametrize(("one", "other"), CONFLICTS)
def test_opposites_conflict(one: str, other: str) -> None:
    """Whichever is the claim, with a ground in words."""
    for claim, text in ((one, other), (other, one)):
        verdict = judge(claim, text, similarity=0.9)
        assert verdict.verdict == "conflicts"
        assert 0.6 <= verdict.confidence <= 0.95
        assert all(verdict.grounds)


@pytest.mark.parametrize(("one", "other"), NO_CONFLICTS)
def test_agreement_and_other_matters_do_not_conflict(one: str, other: str) -> None:
    """The near misses: each differs from a conflict in one thing."""
    assert judge(one, other, similarity=0.9).verdict != "conflicts"
    assert judge(other, one, similarity=0.9).verdict != "conflicts"


@pytest.mark.parametrize(("one", "other"), CONFLICTS)
def test_an_opposite_is_never_support_however_similar(one: str, other: str) -> None:
    """Likeness is not agreement: opposites lie as near as repetitions."""
    assert judge(one, other, similarity=1.0).verdict == "conflicts"


@pytest.mark.parametrize(
    ("one", "other", "ground"),
    [
        ("Attention is linear in length", "Attention is quadratic in length", "one says linear, the other quadratic"),
        ("The limit is 5", "The limit is 10", "one says 5, the other 10"),
        ("The recall is 0.97 on NFCorpus", "The recall is 0.91 on NFCorpus", "one says 0.97, the other 0.91"),
        ("Tokens never expire", "Tokens expire", "one denies «expire» (never), the other states it"),
        (
            "Changes must be code reviewed",
            "Changes must not be code reviewed",
            "one denies «reviewed» (not), the other states it",
        ),
        ("Tests always run first", "Tests do not always run first", "one denies «run» (in part), the other states it"),
        ("All nodes are encrypted", "Not all nodes are encrypted", "one denies what the other states"),
        (
            "Coffee is harmful",
            "Coffee is not shown to be harmful",
            "one says that it is not shown, the other states it",
        ),
        ("Deleted notes are shown", "Deleted notes are not shown", "one denies «shown» (not), the other states it"),
        ("AI poses a big risk", "AI poses no big risk", "one denies «big risk» (no), the other states it"),
        ("Retries are safe", "Retries are unsafe", "one says unsafe, the other safe"),
        ("Tabs beat spaces", "Spaces beat tabs", "the two compare the same things the other way round"),
    ],
)
def test_the_ground_says_what_speaks_against_what(one: str, other: str, ground: str) -> None:
    """A sentence that a reader can check."""
    assert judge(one, other, similarity=0.9).grounds == (ground,)


TIMEOUT = "The HTTP timeout of the checkout service is 10 seconds because of slow payment providers."


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [
        ("The timeout of the checkout service is raised to 2 seconds.", TIMEOUT, False),
        ("All clients retried at once, and the checkout service was down for 47 minutes.", TIMEOUT, True),
        ("Felling has no effect on the spread of beetles.", "Mixed forests suffer less from beetles.", True),
        ("The gateway caches responses", "The gateway might not cache responses", False),
        ("The gateway caches responses", "Penguins waddle", False),
    ],
)
def test_a_clash_of_clauses_about_other_things_strays(one: str, other: str, *, far: bool) -> None:
    """Two numbers are two answers only to one question; where nothing clashes, nothing strays."""
    assert strays(one, other) is far
    assert strays(other, one) is far


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        ("The site is 15 000 years old.", "The site is 15,000 years old.", "The site is 18 000 years old."),
        ("The site is 15\u202f000 years old.", "The site is 15000 years old.", "The site is 18,000 years old."),
        ("Das Rad kostet 1.500 Euro.", "Das Rad kostet 1500 Euro.", "Das Rad kostet 1.600 Euro."),
        ("Das Rad kostet 1.500 Euro.", "Das Rad kostet 1,500 Euro.", "Das Rad kostet 1700 Euro."),
    ],
)
def test_thousands_are_the_same_however_they_are_parted(one: str, same: str, other: str) -> None:
    """By a comma, a space, or a point as in German, which may be a decimal one as well."""
    assert judge(one, same, similarity=0.95).verdict != "conflicts"
    assert judge(same, one, similarity=0.95).verdict != "conflicts"
    assert judge(one, other, similarity=0.95).verdict == "conflicts"


def test_a_day_of_a_month_is_told_in_whole_words() -> None:
    """«3 décembre», not «3 d»."""
    verdict = judge("La réunion est le 3 décembre.", "La réunion est le 4 décembre.", similarity=0.95)
    assert verdict.grounds == ("one says 3 décembre, the other 4 décembre",)
    verdict = judge("La reunión es el 3 de mayo.", "La reunión es el 4 de mayo.", similarity=0.95)
    assert verdict.grounds == ("one says 3 de mayo, the other 4 de mayo",)


@pytest.mark.parametrize(
    ("span", "within", "without"),
    [
        ("The room is kept between 18 and 25 °C.", "The room is kept at 20 °C.", "The room is kept at 30 °C."),
        ("A read takes between 2 ms and 5 ms.", "A read takes 3 ms.", "A read takes 9 ms."),
        (
            "Measles has a reproduction number between 12 and 18.",
            "Measles has a reproduction number of 15.",
            "Measles has a reproduction number of about 5.",
        ),
        (
            "The new cluster of Berlin has between one and three nodes.",
            "The new cluster of Berlin has two nodes.",
            "The new cluster of Berlin has seven nodes.",
        ),
    ],
)
def test_what_lies_between_two_numbers_agrees_with_both(span: str, within: str, without: str) -> None:
    """Not with what lies outside; the ground tells the whole span."""
    assert not judge(span, within, similarity=0.9).grounds
    outside = judge(span, without, similarity=0.9)
    assert outside.verdict == "conflicts"
    assert "one says between" in outside.grounds[0]


@pytest.mark.parametrize(
    "change",
    [
        "The timeout of the job queue is 30 minutes, it was 5 minutes before.",
        "The timeout of the job queue is 30 minutes instead of 5 minutes.",
        "The timeout of the job queue is 30 minutes, no longer 5 minutes.",
    ],
)
def test_a_value_that_is_told_as_what_was_does_not_hide_the_new_one(change: str) -> None:
    """This is how changes are noted down."""
    known = "The timeout of the job queue is 5 minutes."
    assert judge(known, change, similarity=0.9).grounds == ("one says 5 minutes, the other 30 minutes",)
    assert judge("The timeout of the job queue is 30 minutes.", change, similarity=0.9).verdict != "conflicts"


def test_a_clash_that_is_left_open_is_still_told() -> None:
    """Unsure, but the caller sees why it was looked at."""
    verdict = judge("The gateway caches responses", "The gateway might not cache responses", similarity=0.9)
    assert (verdict.verdict, verdict.confidence) == ("unsure", 0.0)
    assert "denies" in verdict.grounds[0]


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The index fits in memory", "The index fits in memory."),
        ("Transformers process tokens in parallel", "Transformers process all tokens in parallel."),
        ("The index is rebuilt every night", "The index is rebuilt every night by a worker."),
    ],
)
def test_a_text_that_says_the_claim_nearly_in_its_words_supports_it(claim: str, text: str) -> None:
    """Given a similarity that counts as obvious; below it, unsure."""
    text = text.replace("all ", "")
    assert judge(claim, text, similarity=0.85) == Verdict(
        verdict="supports", confidence=0.85, grounds=("the text says it in nearly the same words",)
    )
    assert judge(claim, text, similarity=0.84).verdict == "unsure"


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("The dog bites the man", "The man bites the dog"),
        ("The index is rebuilt every night", "The index may be rebuilt every night"),
        ("The index is rebuilt every night by a worker", "The index is rebuilt every night"),
        ("The index fits in memory", "It is a myth that the index fits in memory"),
        ("The accident killed 71 passengers", "The accident killed 71 passengers and crew"),
        ("The index fits in memory", "The index fits in memory or on disk"),
        ("All users like it a lot", "Few users like it a lot"),
        ("The index fits in memory. The log does not.", "The index fits in memory."),
        ("Attention is linear in sequence length", "Sparse attention is linear in sequence length"),
        ("The index fits in memory", "On Linux the index fits in memory"),
        ("Sessions are kept in Memcached.", "Sessions are kept in PostgreSQL, since Memcached evicted them."),
        ("Jobs are queued in Redis lists.", "Jobs are queued in Amazon SQS; Redis lists lost jobs at restarts."),
        ("Apnoea is more common in men than in women.", "Apnoea is more common in women than in men."),
        ("It held 80 percent in May and 20 percent in June", "It held 20 percent in May and 80 percent in June"),
        ("The essay is by Ada and translated by her brother", "The essay is by Ada's brother and translated by her"),
        ("More was moved into the archive than out of it", "More was moved out of the archive than into it"),
        ("A red crane is lifting a truck out of the river", "A red crane is being lifted out of the river by a truck"),
        ("Even hours go to disk and odd hours to tape", "Odd hours go to disk and even hours to tape"),
        ("Lea is a baker", "Lea is a vegetarian and her husband a baker"),
    ],
)
def test_likeness_of_words_alone_is_no_support(claim: str, text: str) -> None:
    """Swapped roles, hedges, additions, other amounts, half of the claim, a part of what it is about: unsure."""
    assert judge(claim, text, similarity=0.99).verdict == "unsure"


def test_what_has_nothing_in_common_is_unrelated() -> None:
    """Below 0.50; what merely shares no words but is similar is left open."""
    assert judge("Water boils at 100 °C", "Redis stores sessions", similarity=0.2).verdict == "unrelated"
    assert judge("Water boils at 100 °C", "Kettles get hot", similarity=0.75).verdict == "unsure"


def test_the_sentence_that_bears_on_the_claim_is_found_in_a_long_text() -> None:
    """Among others, over wrapped lines, in a list."""
    text = (
        "# Storage\n\nThe team met on Monday. Many options were discussed.\n\n"
        "- The session store keeps user\n  sessions in Redis.\n- Backups run at night.\n"
    )
    claim = "The session store does not keep user sessions in Redis"
    assert judge(claim, text, similarity=0.7).verdict == "conflicts"


@pytest.mark.parametrize(
    "text",
    [
        "# Why we do not keep sessions in Redis\n\nRead on.",
        "Run this.\n\n```\n# sessions are not kept in Redis\n```\n",
        "1. Do not keep sessions in Redis.\n2. Keep them in Postgres.",
        "| sessions are not kept in Redis |\n\nSee above.",
        "We tried many stores. It does not keep sessions in Redis.",
    ],
)
def test_headings_code_tables_steps_and_loose_pronouns_state_nothing(text: str) -> None:
    """They are not held against a claim: who knows what they speak of."""
    assert judge("We keep sessions in Redis.", text, similarity=0.9).verdict != "conflicts"


@pytest.mark.parametrize(
    "text",
    [
        "Sessions live in Postgres. ~~We keep sessions in Redis.~~",
        "~~We keep sessions in Redis.~~",
        "~~We keep sessions in Redis. They are small.~~",
        "We keep sessions in ~~Redis~~ Postgres.",
        "Read on.\n\n- ~~We keep sessions in Redis.~~\n- Backups run at night.",
        "~~We keep sessions\nin Redis.~~",
        "~~We do not keep sessions in Redis.~~",
        "Sessions live on disk. ~~We never keep sessions in Redis.~~",
    ],
)
def test_what_is_struck_out_is_held_neither_for_nor_against_a_claim(text: str) -> None:
    """It stands there, and is said no more."""
    assert judge("We keep sessions in Redis.", text, similarity=0.9).verdict == "unsure"


@pytest.mark.parametrize(
    "text",
    [
        "~~We keep sessions in Postgres.~~ We keep sessions in Redis.",
        "We keep sessions in ~~Postgres~~ Redis.",
        "We keep ~~all~~ ~~old~~ sessions in Redis.",
        "We keep sessions in Redis~~, and in Postgres~~.",
        "We keep sessions in Redis. `~~` is an operator, and so is `~~`.",
        "We keep sessions in \\~~Redis\\~~.",
        "~~ We keep sessions in Redis.",
    ],
)
def test_what_stands_beside_what_is_struck_out_holds(text: str) -> None:
    """A correction is read as it is meant; in code, escaped, or without an end nothing is struck out."""
    assert judge("We keep sessions in Redis.", text, similarity=0.9).verdict == "supports"
    assert judge(text, "We keep sessions in Redis.", similarity=0.9).verdict != "conflicts"


def test_a_claim_is_supported_though_half_of_it_is_struck_out() -> None:
    """It claims the other half."""
    claim = "We keep sessions in Redis. ~~We keep sessions in a table of Postgres, with a key for each of them.~~"
    assert judge(claim, "We keep sessions in Redis.", similarity=0.9).verdict == "supports"


@pytest.mark.parametrize(
    "heading", ["## Rejected\n\n", "**Non-goals**\n\n", "Alternatives\n============\n\n", "Rejected: "]
)
@pytest.mark.parametrize("claim", ["We keep sessions in Redis.", "We do not keep sessions in Redis."])
def test_what_is_taken_back_is_held_neither_for_nor_against_a_claim(claim: str, heading: str) -> None:
    """The twin: under another heading it is."""
    said = "We keep sessions in Redis."
    text = f"The store of the gateway is small.\n\n{heading}{said}"
    assert judge(claim, text, similarity=0.9).verdict == "unsure"
    stated = judge(claim, f"The store of the gateway is small.\n\n## Decision\n\n{said}", similarity=0.9)
    assert stated.verdict == ("supports" if claim == said else "conflicts")


def test_what_denies_something_itself_needs_no_heading_for_that() -> None:
    """Under «Rejected» or «Non-goals» as elsewhere."""
    text = "The store of the gateway is small.\n\n## Rejected\n\nWe do not keep sessions in Redis."
    assert judge("We keep sessions in Redis.", text, similarity=0.9).verdict == "conflicts"


def test_a_text_that_says_both_is_left_open() -> None:
    """One sentence supports, another conflicts."""
    text = "The search index fits in memory. The search index does not fit in memory."
    assert judge("The search index fits in memory.", text, similarity=0.9).verdict == "unsure"


def test_in_long_texts_two_shared_words_are_not_enough() -> None:
    """More sentences are more chances to look alike by accident."""
    assert judge("UDP is supported", "UDP is not supported", similarity=0.9).verdict == "conflicts"
    assert judge("UDP is supported", "We looked at LB. UDP is not supported.", similarity=0.9).verdict == "unsure"


subjects = st.sampled_from(["The cache", "Our gateway", "This parser", "Vitamin C", "The old index"])
verbs = st.sampled_from([("stores", "store"), ("blocks", "block"), ("needs", "need"), ("protects", "protect")])
objects = st.sampled_from(["small files", "user sessions", "many cells", "slow clients", "cold data"])
words = st.sampled_from(
    [
        "not",
        "no",
        "never",
        "Redis",
        "is",
        "faster",
        "than",
        "slower",
        "5",
        "10",
        "MB",
        "increases",
        "lowers",
        "the",
        ".",
    ]
)


@given(subjects, verbs, objects)
def test_a_statement_and_its_denial_conflict_and_two_denials_agree(
    subject: str, verb: tuple[str, str], thing: str
) -> None:
    """Whatever is said of whatever."""
    stated = f"{subject} {verb[0]} {thing}"
    denied = f"{subject} does not {verb[1]} {thing}"
    assert judge(stated, denied, similarity=0.9).verdict == "conflicts"
    assert judge(denied, stated, similarity=0.9).verdict == "conflicts"
    assert judge(denied, f"{subject} doesn't {verb[1]} {thing}", similarity=0.9).verdict != "conflicts"


@given(st.lists(words, max_size=12).map(" ".join), st.lists(words, max_size=12).map(" ".join), st.floats(0.0, 1.0))
def test_a_judgement_keeps_its_laws(claim: str, text: str, similarity: float) -> None:
    """One of four words, a share of confidence, a ground for all that is not unsure, the same twice."""
    verdict = judge(claim, text, similarity=similarity)
    assert verdict.verdict in {"supports", "conflicts", "unrelated", "unsure"}
    assert 0.0 <= verdict.confidence <= 1.0
    assert verdict.verdict == "unsure" or verdict.grounds
    assert verdict == judge(claim, text, similarity=similarity)


@given(st.lists(words, max_size=10).map(" ".join), st.lists(words, max_size=10).map(" ".join))
def test_conflict_does_not_depend_on_which_is_the_claim(one: str, other: str) -> None:
    """Between two sentences it holds both ways."""
    forth, back = judge(one, other, similarity=0.9), judge(other, one, similarity=0.9)
    assert (forth.verdict == "conflicts") == (back.verdict == "conflicts")


@given(st.text(max_size=400), st.floats(0.0, 1.0))
def test_no_text_conflicts_with_itself(text: str, similarity: float) -> None:
    """Nor does any text at all make the judge fall over."""
    assert judge(text, text, similarity=similarity).verdict != "conflicts"


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1" + ",000" * 140, "9" * 400, "0." + "0" * 400 + "1"])
def test_a_number_longer_than_any_that_measures_is_none(number: str) -> None:
    """It is a key or a digest; as a number it would be larger than a machine can hold."""
    one, other = f"The cache takes {number} MB to run.", "The cache takes 5 MB to run."
    assert judge(one, other, similarity=0.9).verdict != "conflicts"
    assert judge(other, one, similarity=0.9).verdict != "conflicts"


@pytest.mark.parametrize(
    "hostile",
    [
        "not " * 25_000,
        "```" * 30_000,
        "5 MB or " * 12_000,
        "a" * 100_000,
        "." * 100_000,
        "1" * 100_000,
        "\n- x" * 25_000,
        "no, or " * 15_000,
        "! " * 50_000,
    ],
)
def test_a_hostile_text_of_any_length_is_read_in_bounded_time(hostile: str) -> None:
    """A tenth of a megabyte of anything takes no longer than a blink."""
    begun = time.thread_time()
    judge("The cache is not safe and holds 5 MB or more.", hostile, similarity=0.9)
    judge(hostile, "The cache is not safe and holds 5 MB or more.", similarity=0.9)
    assert time.thread_time() - begun < 2.0


@pytest.mark.parametrize(
    ("claim", "text", "same"),
    [
        ("Attention scales quadratically with the length.", "attention scales quadratically with length", True),
        (
            "The lake is shallow in the south and deep in the north.",
            "The lake is deep in the south and shallow in the north.",
            False,
        ),
        ("Flat biomaterials have inductive properties.", "Flat biomaterials lack inductive properties.", False),
        ("The dog chased the cat.", "The cat chased the dog.", False),
        ("The cache holds 5 items.", "The cache holds 6 items.", False),
        ("The server never restarts.", "The server restarts.", False),
        ("Coffee may be healthy.", "Coffee is healthy.", False),
        ("Is coffee healthy?", "Coffee is healthy.", False),
    ],
)
def test_the_same_words_in_the_same_order_restate_a_claim(claim: str, text: str, *, same: bool) -> None:
    """Articles and the like aside; what is turned round, denied, counted, hedged or asked is something else."""
    assert restates(claim, text) is same


@pytest.mark.parametrize(
    ("told", "same", "other"),
    [
        ("half an hour", "30 minutes", "10 minutes"),
        ("a half hour", "30 minutes", "an hour"),
        ("a quarter of an hour", "15 minutes", "45 minutes"),
        ("three quarters of an hour", "45 minutes", "15 minutes"),
        ("an hour and a half", "90 minutes", "an hour"),
        ("two and a half days", "60 hours", "48 hours"),
        ("1 1/2 hours", "90 minutes", "2 hours"),
        ("1/2 hour", "30 minutes", "2 hours"),
        ("a year and a half", "18 months", "a year"),
    ],
)
def test_a_part_of_a_unit_is_read_as_such(told: str, same: str, other: str) -> None:
    """Half an hour is no hour: the same length in other words is no conflict, another length is one."""
    claim = f"Sessions of the portal expire after {told}."
    assert judge(claim, f"Sessions of the portal expire after {same}.", similarity=0.95).verdict != "conflicts"
    assert judge(claim, f"Sessions of the portal expire after {other}.", similarity=0.95).verdict == "conflicts"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Backups of the orders database run every six hours and are kept for 35 days.",
            "The orders database is backed up every six hours; backups are kept for 35 days.",
        ),
        (
            "Uploads larger than 50 MB go straight to S3; smaller ones pass through the API.",
            "Uploads larger than 50 MB go straight to S3.",
        ),
    ],
)
def test_what_two_sentences_both_say_in_another_clause_is_no_clash(one: str, other: str) -> None:
    """Whichever is the claim: nothing is found against it. The twin has another number."""
    for claim, text in ((one, other), (other, one)):
        verdict = judge(claim, text, similarity=0.9)
        assert verdict.verdict != "conflicts"
        assert not [ground for ground in verdict.grounds if ground.startswith("one says")]
    twin = judge(one.replace("35 days", "5 days").replace("50 MB", "10 MB"), other, similarity=0.9)
    assert [ground for ground in twin.grounds if ground.startswith("one says")]
