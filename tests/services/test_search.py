"""Search: what is found, in what order, why, and what a filter keeps out."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from services.readers import asked, recall_of, titles, usage_of
from weft.embed.minilm import MiniLM
from weft.errors import InvalidArgument, NotFound
from weft.model import CaptureRequest, Embedded, Filter, Page, Scope, Status, SynthesizeRequest, UpdateRequest
from weft.text import terms

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from services.desk import Desk
    from weft.model import Hits
    from weft.services.recall.recall import Recall

TOPICS = (
    "The harvest of barley begins in late summer.",
    "Glaciers carve deep valleys into soft rock.",
    "A violin has four strings tuned in fifths.",
    "The committee meets on the first Monday of the month.",
    "Copper conducts electricity better than iron.",
    "Penguins keep their eggs warm on their feet.",
)

MISSED = (
    "We share a car with people next door.",
    "Books and tools go to neighbours for a while.",
    "The boiler was serviced by Herr Lang.",
    "Our router password is on the fridge.",
    "Friends may use our garden.",
    "We gave old clothes away.",
    "Our neighbours have our ladder.",
    "People owe us money.",
    "Give back what belongs to somebody else.",
    "The spare key is with Mrs. Novak.",
)


HERON = (
    "At the edge of the marsh a tall grey wader waits without moving until a small fish comes by. It has long legs, a"
    " long neck and a bill like a dagger, and it nests in the crowns of old trees. In winter it stays while no ice"
    " lies. "
)
FERRY = (
    "Crossing to the island takes a quarter of an hour. The ferry costs three francs, half of that for children, and"
    " nothing with a bicycle. It leaves at each full hour from the jetty beside the mill. Tickets are sold on board. "
)
VILLAGE = (
    "The mill was built of larch, has been idle since the flood, and may be seen by whoever asks us for a key. ",
    "The school has two rooms and one teacher. Children come on foot from five farms, and in deep snow by sledge. ",
    "Bread is baked on Fridays behind the church, and each house marks its loaves with a letter or with a sign. ",
    "The road over the pass is closed from November to May, since avalanches come down below the chapel each year. ",
)


@pytest.fixture
def recall(desk: Desk, tmp_path: Path) -> Recall:
    """The reading verbs over the desk."""
    return recall_of(desk, tmp_path)


def _search(desk: Desk, recall: Recall, query: str, **fields: object) -> Hits:
    return recall.search(asked(query, **fields), desk.call())


def test_a_node_that_is_named_comes_first(desk: Desk, recall: Recall) -> None:
    """The exact title beats texts that speak more of the matter, whatever its case."""
    desk.add("Caching is caching. A cache caches what caching caches.", title="About caching")
    named = desk.add("How long answers are kept.", title="Cache").node
    hits = _search(desk, recall, "cache").hits
    assert hits[0].node.id == named.id
    assert "title matches" in hits[0].why


def test_a_number_finds_its_document_however_it_is_written(desk: Desk, recall: Recall) -> None:
    """Before what speaks of that number; the twin: another number names nothing."""
    desk.add("# ADR-9: Keys in Postgres\n\nThis takes the place of ADR-7, for ADR-7 lost keys.")
    named = desk.add("# ADR-7: Keys on every write\n\nEach write has a key.").node
    for written in ("ADR-7", "adr 7", "ADR 007", " ADR0007 "):
        hits = _search(desk, recall, written).hits
        assert hits[0].node.id == named.id, written
        assert "alias matches" in hits[0].why
    assert not any("matches" in why for hit in _search(desk, recall, "ADR-70").hits for why in hit.why)


def test_a_file_or_an_address_finds_what_refers_to_it(desk: Desk, recall: Recall) -> None:
    """Though no text holds it; whatever bears on a file beside it comes no higher for that."""
    desk.add("The src folder holds one py file a screen.", title="Screens", kind="claim")
    file = desk.add("Users stay in for thirty minutes.", references=("src/auth/login.py",), kind="decision").node
    desk.add("Cookies are signed.", references=("src/auth/cookie.py",), kind="decision")
    page = desk.add("Attention is all that is needed.", references=("https://example.org/1706",), kind="claim").node
    for query, node in (
        ("src/auth/login.py", file),
        ("./src/auth/login.py:12", file),
        ("https://example.org/1706", page),
    ):
        (first, *others) = _search(desk, recall, query).hits
        assert first.node.id == node.id
        assert "reference matches" in first.why
        assert not any("reference matches" in each.why for each in others)


def test_meaning_finds_what_shares_no_word(desk: Desk, recall: Recall) -> None:
    """A paraphrase is found, and its similarity is shown, calibrated, with four digits."""
    for topic in TOPICS:
        desk.add(topic)
    wanted = desk.add("The physician prescribed medication for the illness.").node
    hit = _search(desk, recall, "doctor gives medicine to a sick patient").hits[0]
    assert hit.node.id == wanted.id
    assert hit.similarity is not None
    assert hit.similarity == round(hit.similarity, 4) >= 0.5
    assert any(why.startswith("meaning") for why in hit.why)


class _Whole(MiniLM):
    """The model as an endpoint's is: it gives no vectors of words."""

    def embed_words(self, texts: Sequence[str]) -> tuple[Embedded, ...]:
        """Return the texts as wholes."""
        return tuple(Embedded(vector=each.vector) for each in super().embed_words(texts))


def test_a_text_with_the_answer_among_other_things_is_found_by_its_words(desk: Desk, tmp_path: Path) -> None:
    """The twin: compared as a whole, it comes after one that only shares the question's subject."""
    for topic in TOPICS:
        desk.add(topic)
    other = desk.add("A horse stands in the picture.").node.id
    answer = desk.add(
        "Friday: fence mended, seed ordered, the vet says the mare has colic, and rain is expected."
    ).node.id
    orders = []
    for embedder in (_Whole(), desk.embedder):
        hits = _search(desk, recall_of(replace(desk, embedder=embedder), tmp_path), "Is the horse ill?").hits
        orders.append([hit.node.id for hit in hits][:2])
    assert orders == [[other, answer], [answer, other]]
    assert "word by word: among the closest" in hits[0].why


def test_words_find_what_a_model_does_not_know(desk: Desk, recall: Recall) -> None:
    """An identifier is found by itself and by its parts."""
    for topic in TOPICS:
        desk.add(topic)
    desk.add("The client sends xqz_rotor_id with every request.", title="Wire format")
    for query in ("xqz_rotor_id", "rotor"):
        hit = _search(desk, recall, query).hits[0]
        assert hit.node.title == "Wire format"
        assert any("rotor" in why for why in hit.why)


DOCTORS = (
    "The doctor is in on Monday.",
    "Ask the doctor about the medicine.",
    "A doctor and two nurses work at the surgery.",
    "The family doctor makes visits at home.",
)


def test_the_only_note_that_holds_a_word_comes_first(desk: Desk, recall: Recall) -> None:
    """Though others mean more of the like, and though it is about something else; what means the like comes next."""
    for topic in (*TOPICS, *DOCTORS):
        desk.add(topic)
    trip = desk.add(f"{TOPICS[0]} We shared a table with a retired physician. {TOPICS[1]}", title="Trip").node
    for query in ("physician", "where is the physician?"):
        first, *rest = _search(desk, recall, query).hits
        assert first.node.id == trip.id
        assert rest[0].node.content in DOCTORS


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_a_note_is_found_by_whatever_form_of_its_verb_is_asked_for(desk: Desk, recall: Recall, mode: str) -> None:
    """What was done is asked for in the present, and what is done in the past; the words of it are told as asked."""
    for topic in (*TOPICS, *DOCTORS):
        desk.add(topic)
    ladder = desk.add("Lent the long ladder to Hanna on 8 June 2024.").node.id
    vase = desk.add("The blue vase is broken, Tom drove over it.").node.id
    for query, wanted in (("lend", ladder), ("break", vase), ("driving", vase)):
        first = _search(desk, recall, query, mode=mode).hits[0]
        assert first.node.id == wanted
        assert mode == "keyword" or f"words: {query}" in first.why


def test_of_two_words_the_note_that_holds_both_comes_first_wherever_they_stand(desk: Desk, recall: Recall) -> None:
    """In passages of its own each, before notes that hold one of them and are about nothing else."""
    filler = " ".join(TOPICS * 12)
    both = desk.add(f"{filler}\n\nThe sextant lies below.\n\n{filler}\n\nA barometer hangs above.\n\n{filler}").node
    for at in range(3):
        desk.add(f"A sextant measures angles, {at} of them.")
        desk.add(f"A barometer measures pressure, {at} times a day.")
    for query in ("sextant barometer", "a barometer and barometers, sextants"):
        assert _search(desk, recall, query).hits[0].node.id == both.id


LOG = (
    "On 2026-03-{:02d} the pumps were inspected and found in order.",
    "Of 2026-{:02d}-14: the minutes of the meeting, 03 pages.",
)


@pytest.mark.parametrize(
    "query", ["2026-03-14", "what was decided on 2026-03-14?", "minutes of the meeting 2026-03-14"]
)
def test_the_note_of_a_day_comes_first(desk: Desk, recall: Recall, query: str) -> None:
    """Before notes of other days that hold the same numbers, and before those that mean what else is asked."""
    for at in (*range(1, 3), *range(4, 13)):
        for line in LOG:
            desk.add(line.format(at))
    day = desk.add("The roof leaks again since 2026-03-14, so the slates are ordered.").node
    first = _search(desk, recall, query).hits[0]
    assert first.node.id == day.id
    assert "words: 2026-03-14" in first.why


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_a_day_is_found_in_figures_and_in_words(desk: Desk, recall: Recall, mode: str) -> None:
    """Either way round, and its month finds both; other days and months of the same words do not come before."""
    for at in (*range(1, 3), *range(4, 13)):
        desk.add(f"On 2026-03-{at:02} and on 14 May {2000 + at} the pumps were inspected: March, pages 2026.")
    spelt = desk.add("The roof leaks again since March 3rd, 2026, so the slates are ordered.").node.id
    figures = desk.add("2026-03-03: the painters came.").node.id
    for query in ("2026-03-03", "3 March 2026", "3. März 2026"):
        hits = _search(desk, recall, query, mode=mode).hits
        assert {hit.node.id for hit in hits[:2]} == {spelt, figures}
        assert all(f"words: {query}" in hit.why for hit in hits[:2]) or mode == "keyword"


def test_what_meaning_found_counts_by_the_words_that_it_holds_too(desk: Desk, recall: Recall) -> None:
    """Thirty others hold the word more often, so that words alone do not bring it in."""
    for number in range(30):
        desk.add(f"Boiler {number}: boiler type {number}, boiler form {number}, filed.", title=f"Boiler {number}")
    wanted = desk.add("In winter it stays cold in the morning until the old boiler has got going.").node
    hits = _search(desk, recall, "Why is nothing warm before noon, is it the boiler?", page=Page(limit=30)).hits
    (hit,) = [each for each in hits if each.node.id == wanted.id]
    assert "words: boiler" in hit.why


@pytest.mark.parametrize("first", [0, 1])
def test_of_texts_that_say_the_same_further_down_the_one_that_opens_on_the_matter_comes_first(
    desk: Desk, recall: Recall, first: int
) -> None:
    """Whichever was written first: a long text has a near passage for most questions."""
    openings = ["How a baker works with dough, yeast and flour. " * 6, "How a crew rows with oars and rudders. " * 6]
    further = "\n\n".join(
        (*(f"## {topic}\n\n{topic * 12}" for topic in TOPICS), "Bread goes into the oven at dawn. " * 30)
    )
    written = {
        opening: desk.add(f"{opening}\n\n{further}", title="Notes").node.id
        for opening in (openings[first], openings[1 - first])
    }
    hits = _search(desk, recall, "When does the oven get the loaves?").hits
    assert [hit.node.id for hit in hits][:2] == [written[each] for each in openings]


def test_every_hit_says_why_and_shows_the_place(desk: Desk, recall: Recall) -> None:
    """No hit without grounds; the snippet holds the words that were asked for, though they stand late in the text."""
    filler = " ".join(TOPICS * 12)
    desk.add(f"{filler} The password rotates every ninety days. {filler}", title="Handbook")
    hit = _search(desk, recall, "how often does the password rotate").hits[0]
    assert hit.why
    assert "password" in hit.snippet
    assert len(hit.snippet) <= 240


def test_the_graph_brings_in_the_second_hop(desk: Desk, recall: Recall) -> None:
    """What a relation ties to a good hit is found, though neither its words nor its meaning answer the query."""
    for topic in TOPICS:
        desk.add(topic)
    first = desk.add("Invoices are printed by the Marlow service.", title="Invoice printing").node
    second = desk.add("It runs on two machines in the cellar.", title="Hosts").node
    assert second.id not in {hit.node.id for hit in _search(desk, recall, "who prints invoices").hits}
    desk.join(first.id, second.id, "depends_on")
    hits = _search(desk, recall, "who prints invoices")
    found = {hit.node.id: hit for hit in hits.hits}
    assert titles(hits)[0] == "Invoice printing"
    assert any("Invoice printing" in why and "depends_on" in why for why in found[second.id].why)


def test_a_mention_counts_as_a_tie(desk: Desk, recall: Recall) -> None:
    """A title that stands in a good hit's text is enough."""
    for topic in TOPICS:
        desk.add(topic)
    desk.add("It runs on two machines in the cellar.", title="Marlow")
    desk.add("Invoices are printed by Marlow.", title="Invoice printing")
    assert set(titles(_search(desk, recall, "printing of invoices"))[:2]) == {"Invoice printing", "Marlow"}


def test_a_name_that_two_texts_share_brings_in_the_second_hop(desk: Desk, recall: Recall) -> None:
    """No title is mentioned, no word of the question is shared; the name joins them, and the hit says so."""
    for topic in TOPICS:
        desk.add(topic)
    second = desk.add("Its council sits in a hall that Brampton Vale built.", title="A hall").node
    assert second.id not in {hit.node.id for hit in _search(desk, recall, "who prints invoices").hits}
    desk.add("Invoices are printed by a press in Brampton Vale.", title="Invoice printing")
    hits = _search(desk, recall, "who prints invoices")
    found = {hit.node.id: hit for hit in hits.hits}
    assert titles(hits)[0] == "Invoice printing"
    assert "name: «Brampton Vale» stands in «Invoice printing» too" in found[second.id].why


def test_what_answers_the_rest_of_a_question_comes_before_what_is_like_the_whole(desk: Desk, recall: Recall) -> None:
    """A name ties it to the best; the twin: asked for something else the other text that has the name comes first."""
    for topic in TOPICS:
        desk.add(topic)
    desk.add("The mill at Ashby was built by Wilhelmina Stroud.", title="The mill at Ashby")
    for place in ("Marston", "Wickham", "Thorpe"):
        desk.add(f"The mill at {place} stands outside of the town.", title=f"The mill at {place}")
    desk.add("Wilhelmina Stroud came into this world in Lowestoft.", title="Lowestoft")
    desk.add("Wilhelmina Stroud kept eleven cats.", title="Cats")
    for question, answer in (
        ("In which town was the builder of the mill at Ashby born?", "Lowestoft"),
        ("How many animals had the builder of the mill at Ashby?", "Cats"),
    ):
        hits = _search(desk, recall, question)
        assert titles(hits)[:2] == ["The mill at Ashby", answer]
    assert "beside «The mill at Ashby»: answers what that leaves open" in hits.hits[1].why


def test_where_the_best_answers_the_whole_question_nothing_is_told_to_add_to_it(desk: Desk, recall: Recall) -> None:
    """Whatever shares a name with it; the twin: asked for more than it says, one does."""
    for topic in TOPICS:
        desk.add(topic)
    desk.add("The lease of the Berlin office ends in June. Wilhelmina Stroud signed it.", title="Berlin office")
    desk.add("Wilhelmina Stroud kept eleven cats.", title="Cats")
    for question, adding in (
        ("When does the lease of the Berlin office end?", []),
        ("How many cats has who signed the lease of the Berlin office?", ["Cats"]),
    ):
        hits = _search(desk, recall, question).hits
        assert [hit.node.title for hit in hits if any(why.startswith("beside") for why in hit.why)] == adding


def test_a_name_is_told_of_a_hit_that_has_it_and_not_of_one_with_a_word_of_the_same_root(
    desk: Desk, recall: Recall
) -> None:
    """«Busy», at the head of a sentence, is no mention of the plan called Business."""
    for topic in TOPICS:
        desk.add(topic)
    desk.add("Granite Works has the plan Business since May.", title="Granite Works")
    busy = desk.add("Busy week at Granite Works, all were there.", title="Digest").node
    plan = desk.add("Of all plans, Business costs most.", title="Plans").node
    found = {hit.node.id: hit.why for hit in _search(desk, recall, "what plan has Granite Works").hits}
    told = "name: «Business» stands in «Granite Works» too"
    assert told in found[plan.id]
    assert told not in found[busy.id]


def test_a_name_that_all_hits_hold_is_told_of_none(desk: Desk, recall: Recall) -> None:
    """It does not tell them apart; the twin: a name that two hold is told."""
    for number in range(12):
        desk.add(f"Delivery {number} of bricks went to Brampton Vale.", title=f"Delivery {number}")
    hits = _search(desk, recall, "deliveries of bricks").hits
    assert len(hits) > 5
    assert not [why for hit in hits for why in hit.why if "Brampton" in why]
    desk.add("Otto Lind counted the bricks.", title="Counting bricks")
    lind = desk.add("Otto Lind has a boat.", title="A boat").node
    found = {hit.node.id: hit.why for hit in _search(desk, recall, "who counted the bricks").hits}
    assert "name: «Otto Lind» stands in «Counting bricks» too" in found[lind.id]


def test_one_common_word_of_a_question_leads_no_further(desk: Desk, recall: Recall) -> None:
    """Names in a text that a question barely touches bring in nothing; the twin: in one that it is about they do."""
    for topic in TOPICS:
        desk.add(topic)
    minutes = desk.add("Two people of Brampton Vale agreed on the minutes.", title="Minutes").node
    desk.add("Some people came to the minutes of Tuesday.", title="Tuesday")
    hall = desk.add("Its council sits in a hall that Brampton Vale built.", title="A hall").node
    touched = _search(desk, recall, "people abroad get rejected wrongly").hits
    assert minutes.id in {hit.node.id for hit in touched}
    assert hall.id not in {hit.node.id for hit in touched}
    assert hall.id in {hit.node.id for hit in _search(desk, recall, "who agreed on the minutes").hits}


def test_nothing_is_lifted_above_the_best_that_is_shown(desk: Desk, recall: Recall) -> None:
    """However much nearer in meaning what is not shown lies: two that hold one name end at the better one's score."""
    for text in (*MISSED, "Tom has his check-up with Dr. Hofer in Brampton Vale, fasting."):
        desk.add(text)
    lent = desk.add("Lent the big tent in Brampton Vale.").node
    kept = desk.add("We keep our things in Brampton Vale.").node
    hits = _search(desk, recall, "things we lent to others").hits
    assert [hit.node.id for hit in hits[:2]] == [lent.id, kept.id]
    assert hits[0].score == hits[1].score


def test_a_month_that_two_texts_share_leads_to_neither(desk: Desk, recall: Recall) -> None:
    """What else happened in a month is no second hop of what the question is about."""
    for topic in TOPICS:
        desk.add(topic)
    other = desk.add("Its council sits in a hall that was built in June 2026.", title="A hall").node
    desk.add("Invoices are printed by a press that was set up on 15 June 2026.", title="Invoice printing")
    hits = _search(desk, recall, "who prints invoices")
    assert titles(hits)[0] == "Invoice printing"
    assert other.id not in {hit.node.id for hit in hits.hits}


def test_a_name_that_is_a_mere_word_elsewhere_is_told_as_a_word_and_only_where_nothing_else_speaks(
    desk: Desk, recall: Recall
) -> None:
    """The first hit is found by its capital, however far its meaning lies; the other has a reason already."""
    for number in range(40):
        desk.add(f"Bill number {number} is written by hand, and sent by post to those who pay.")
    far = desk.add("# Full\n\nIts council sits in a full hall.", title="A hall").node
    near = desk.add("# Full\n\nWhoever prints must know the full press.", title="Press").node
    desk.add("Invoices are printed by a press in Full.", title="Invoice printing")
    found = {hit.node.id: hit.why for hit in _search(desk, recall, "who prints invoices").hits}
    assert [why for why in found[far.id] if "Full" in why] == ["word: «Full» stands in «Invoice printing» too"]
    assert not any("Full" in why for why in found[near.id])


def test_a_word_that_opens_a_title_or_a_heading_leads_nowhere(desk: Desk, recall: Recall) -> None:
    """A note with «Root cause» for its title is not about whatever has a square root; a title that is a name is one."""
    for topic in TOPICS:
        desk.add(topic)
    desk.add("Name resolution failed, since a table was full.\n\n# Storage\n\nNone was lost.", title="Root cause of it")
    root = desk.add("The loss goes with the square root of time.", title="Ageing").node
    kept = desk.add("It was kept in storage for a year.", title="Cells").node
    found = {hit.node.id for hit in _search(desk, recall, "why did name resolution fail").hits}
    assert not found & {root.id, kept.id}
    desk.add("Name resolution failed in the evening.", title="Vossler")
    hall = desk.add("The hall was paid for by Vossler.", title="A hall").node
    assert hall.id in {hit.node.id for hit in _search(desk, recall, "why did name resolution fail").hits}


LOCKS = """A writer that waits holds its place in a queue, so that the first to come is the first to write. Each place
has a number, and the number of whoever writes now stands where all can read it. Nobody polls: the one who ends a write
wakes the next. Where a process dies in the queue its place is taken out by the one behind it, which sees that nobody
holds the file any more."""
ALIKE = LOCKS.replace("writer", "process").replace("queue", "line").replace("Nobody polls", "No one asks again")


def test_what_is_much_like_the_best_hit_comes_higher_and_says_so(desk: Desk, recall: Recall) -> None:
    """A question holds the words of one text on a matter, not those of the others; short texts speak for nobody."""
    for topic in TOPICS:
        desk.add(topic)
    desk.add("Lunch is first come, first served: the queue of writers and readers starts at the door.", title="Lunch")
    like = desk.add(ALIKE, title="Places").node
    best = desk.add(LOCKS, title="Turns of writers").node
    question = "how do writers keep their place in the queue, and who wakes them up"
    hits = _search(desk, recall, question).hits
    found = {hit.node.id: hit for hit in hits}
    assert [hit.node.id for hit in hits][:2] == [best.id, like.id]
    assert "alike: close in meaning to «Turns of writers»" in found[like.id].why
    for each in (best, like):
        desk.capture.update(UpdateRequest(id=each.id, content=each.content[:200]), desk.call())
    hits = _search(desk, recall, question).hits
    assert {best.id, like.id} <= {hit.node.id for hit in hits}
    assert not any(why.startswith("alike") for hit in hits for why in hit.why)


def test_where_words_decide_likeness_has_no_say(desk: Desk, recall: Recall) -> None:
    """Whoever asks for two words that one text holds means that text; what is like it follows for itself."""
    desk.add(LOCKS.replace("Nobody polls", "No zebra polls"), title="The queue")
    desk.add(ALIKE, title="The line")
    for topic in TOPICS:
        desk.add(topic)
    hits = _search(desk, recall, "zebra queue").hits
    assert hits[0].node.title == "The queue"
    assert not any(why.startswith("alike") for hit in hits for why in hit.why)


def test_a_name_brings_in_nothing_that_the_filter_keeps_out(desk: Desk, recall: Recall) -> None:
    """Whoever asks one body of knowledge gets no other by way of a name."""
    desk.add("Its council sits in a hall that Brampton Vale built.", title="A hall", ontology="other")
    desk.add("Invoices are printed by a press in Brampton Vale.", title="Invoice printing", ontology="main")
    inside = _search(desk, recall, "who prints invoices", filter=Filter(ontologies=("main",)))
    assert titles(inside) == ["Invoice printing"]
    assert "A hall" in titles(_search(desk, recall, "who prints invoices"))


def test_a_word_is_found_by_its_other_forms(desk: Desk, recall: Recall) -> None:
    """The reason names the word as it was asked, and the snippet shows the form that stands in the text."""
    for topic in TOPICS:
        desk.add(topic)
    filler = " ".join(TOPICS * 3)
    node = desk.add(f"{filler} The zorbs were heated twice. {filler}", title="Trial").node
    hit = _search(desk, recall, "zorb heating").hits[0]
    assert hit.node.id == node.id
    assert any(why in {"words: zorb, heating", "words: heating, zorb"} for why in hit.why)
    assert "heated" in hit.snippet


@pytest.mark.parametrize(
    ("said", "asked_for", "shown"),
    [
        ("Die Häuser am Fluss wurden im Winter geräumt.", "wann wurde das Haus geräumt", "Häuser"),
        ("Les connexions sont fermées après dix minutes.", "la connexion est fermée", "fermées"),
        ("Las conexiones se cierran después de diez minutos.", "por la conexión", "conexiones"),
    ],
)
def test_a_word_of_another_language_is_found_by_its_other_forms(
    desk: Desk, recall: Recall, said: str, asked_for: str, shown: str
) -> None:
    """Words are told as they were asked, the snippet shows the form that stands there, and none is misspelt."""
    filler, last = " ".join(TOPICS * 2), asked_for.rpartition(" ")[2]
    for topic in TOPICS:
        desk.add(topic)
    node = desk.add(f"{filler * 3}\n\n{said * 9}\n\n{filler * 3}", title="Trial").node
    found = _search(desk, recall, asked_for)
    assert found.hits[0].node.id == node.id
    (words,) = (why for why in found.hits[0].why if why.startswith("words: "))
    assert last in words
    assert not {"das", "la", "est", "por"} & set(words.removeprefix("words: ").split(", "))
    assert shown in found.hits[0].snippet
    assert found.warning == ""


def test_a_snippet_shows_the_words_behind_signs_that_are_several_letters(desk: Desk, recall: Recall) -> None:
    """«…» is three dots without its looks: places are those in the text all the same."""
    filler = " ".join(TOPICS * 2)
    desk.add(f"He said… nothing. {filler} Then the zebrafish foxtrot gene was found. {filler}", title="Trial")
    assert "zebrafish foxtrot" in _search(desk, recall, "zebrafish foxtrot").hits[0].snippet


def test_a_function_word_of_a_language_that_no_text_is_in_may_be_misspelt(desk: Desk, recall: Recall) -> None:
    """*comme* is a slip in a graph in English; beside a text in French it is a word."""
    desk.add("The comma stands where the parser stops.")
    assert "read as «comma»" in _search(desk, recall, "comme parser").warning
    desk.add("Les connexions sont fermées après dix minutes.")
    assert _search(desk, recall, "comme parser").warning == ""


def test_a_form_that_no_text_holds_is_not_read_as_misspelt(desk: Desk, recall: Recall) -> None:
    """Its stem is held; what is misspelt in the same language is read as what it was meant for."""
    node = desk.add("Die Verbindungen werden nach zehn Minuten geschlossen.").node
    form, slip = (_search(desk, recall, query, mode="keyword") for query in ("Verbindungs", "Verbindugnen"))
    assert [hit.node.id for hit in form.hits] == [hit.node.id for hit in slip.hits] == [node.id]
    assert form.warning == ""
    assert "read as" in slip.warning


def test_a_good_hit_brings_its_neighbours_in_the_session_and_they_say_so(desk: Desk, recall: Recall) -> None:
    """A turn that answers shares neither words nor meaning with the question; without a session it is not found."""

    def say(text: str, session: str) -> str:
        request = CaptureRequest(content=text)
        return desk.capture.capture(request, desk.call(session=session)).node.id

    for topic in TOPICS:
        desk.add(topic)
    found = {}
    for session in ("", "noon"):
        say(f"Tom: Where did you leave the blue bicycle {session}?", session)
        found[session] = say(f"Ann: Yes. Up there, past the gate {session}.", session)
        for turn in range(4):
            say(f"Tom: {TOPICS[turn]} {session}", session)
    hits = {hit.node.id: hit for hit in _search(desk, recall, "where is the blue bicycle").hits}
    assert any(why.startswith("session: next to «Tom: Where did you leave") for why in hits[found["noon"]].why)
    assert not any("session" in why for hit in hits.values() if not hit.node.session for why in hit.why)
    assert found[""] not in hits


def test_neighbours_pass_the_filter_like_any_other(desk: Desk, recall: Recall) -> None:
    """What a session brings in is held to the question's filter."""
    for content, kind in (("The blue bicycle stands outside.", "claim"), ("Up there, past the gate.", "decision")):
        desk.capture.capture(CaptureRequest(content=content, kind=kind), desk.call(session="noon"))
    kinds = [hit.node.kind for hit in _search(desk, recall, "blue bicycle", filter=Filter(kinds=("claim",))).hits]
    assert kinds == ["claim"]


def test_what_bears_on_nothing_is_no_hit(desk: Desk, recall: Recall) -> None:
    """Candidates under similarity 0.50 that nothing else speaks for are counted, not shown."""
    for topic in TOPICS:
        desk.add(topic)
    hits = _search(desk, recall, "kubernetes autoscaling thresholds")
    assert hits.hits == ()
    assert hits.total == 0
    assert hits.near_misses.count == len(TOPICS)
    assert hits.near_misses.threshold == 0.5
    assert hits.near_misses.best is not None
    assert hits.near_misses.best < 0.5


@pytest.mark.parametrize(("asked_for", "written"), [("utf8", "UTF-8"), ("SHA-256", "sha256"), ("gpt4", "GPT-4")])
def test_a_name_is_found_with_its_hyphen_and_without(desk: Desk, recall: Recall, asked_for: str, written: str) -> None:
    """It is told in one word, and not its parts beside it."""
    wanted = desk.add(f"The file was read as {written} by everybody.").node
    desk.add("The file was read as something else by nobody.")
    hit = _search(desk, recall, asked_for).hits[0]
    assert hit.node.id == wanted.id
    assert f"words: {asked_for.replace('-', '').lower()}" in hit.why


def test_superseded_nodes_sink_and_name_their_successor(desk: Desk, recall: Recall) -> None:
    """The old text ranks under the new one, although it answers better, and says what replaced it."""
    old = desk.add("Sessions are kept in Redis for one day.", title="Session store").node
    new = desk.add("Sessions moved to PostgreSQL.", title="Session store, second try").node
    assert titles(_search(desk, recall, "sessions are kept in Redis for one day"))[0] == "Session store"
    desk.join(new.id, old.id, "supersedes")
    hits = _search(desk, recall, "sessions are kept in Redis for one day").hits
    assert [hit.node.id for hit in hits] == [new.id, old.id]
    assert hits[1].superseded_by == (new.id, new.title)
    assert hits[0].superseded_by is None
    assert any("superseded" in why for why in hits[1].why)


def test_a_superseded_node_does_not_sink_below_what_it_alone_brings_in(desk: Desk, recall: Recall) -> None:
    """What took its place comes first, then itself, and then what stands beside it in its session."""
    call = desk.call(session="monday")
    old, beside, new = (
        desk.capture.capture(CaptureRequest(content=text), call).node
        for text in (
            "CockroachDB keeps the ledger, since it survives a lost region.",
            "The office moves to Lisbon in May.",
            "Back to PostgreSQL for the books: latency was too high.",
        )
    )
    assert _search(desk, recall, "CockroachDB").hits[0].node.id == old.id
    desk.capture.update(UpdateRequest(id=old.id, superseded_by=new.id), desk.call())
    found = [hit.node.id for hit in _search(desk, recall, "CockroachDB").hits]
    assert found == [new.id, old.id, beside.id]


def test_a_superseded_node_does_not_hide_behind_the_page(desk: Desk, recall: Recall) -> None:
    """Sinking one moves up another that would not have stood on the page."""
    nodes = [desk.add(f"Release note {number}: the importer reads tables.").node for number in range(6)]
    before = _search(desk, recall, "release note importer reads tables", page=Page(limit=3))
    top = before.hits[0].node
    other = next(node for node in nodes if node.id != top.id)
    desk.join(other.id, top.id, "supersedes")
    after = _search(desk, recall, "release note importer reads tables", page=Page(limit=3))
    assert top.id not in {hit.node.id for hit in after.hits}
    assert len(after.hits) == 3


@pytest.mark.parametrize(
    ("keep", "fields"),
    [
        (Filter(kinds=("decision",)), {"kind": "decision"}),
        (Filter(ontologies=("billing",)), {"ontology": "billing"}),
        (Filter(tags=("red", "blue")), {"tags": ("blue", "green", "red")}),
        (Filter(confidence_min=0.9), {"confidence": 0.95}),
    ],
    ids=("kinds", "ontologies", "tags", "confidence"),
)
def test_a_filter_comes_before_every_limit(desk: Desk, recall: Recall, keep: Filter, fields: dict[str, object]) -> None:
    """One node among many better ones is found when only it passes the filter, in every mode."""
    for number in range(70):
        desk.add(f"The importer reads tables, note {number}.", confidence=0.5, kind="insight")
    fields = {"kind": "insight", "confidence": 0.5} | fields
    wanted = desk.add("Tables, among other things, the importer reads as well.", **fields).node
    for mode in ("hybrid", "semantic", "keyword"):
        hits = _search(desk, recall, "importer reads tables", filter=keep, mode=mode)
        assert [hit.node.id for hit in hits.hits] == [wanted.id], mode


def test_only_what_was_written_or_changed_since_is_found(desk: Desk, recall: Recall) -> None:
    """In every mode, named or told by the graph too; a time without a zone is of UTC, and the past keeps its times."""
    first = desk.add("The importer reads tables, and the exporter writes them.", title="Importer").node
    second = desk.add("The importer reads lists of tables.").node
    desk.add("Importer tables are read twice.")
    before = desk.call().at
    desk.join(first.id, second.id, "depends_on")
    third = desk.add("Tables are read by the importer, row by row.").node
    desk.capture.update(UpdateRequest(id=first.id, tags=("table",)), desk.call())
    changed_at = desk.store.nodes((first.id,))[first.id].modified_at
    for since in (before, before.replace(tzinfo=None), before.astimezone(timezone(timedelta(hours=9)))):
        for mode in ("hybrid", "semantic", "keyword"):
            hits = _search(desk, recall, "importer tables", filter=Filter(since=since), mode=mode)
            assert {hit.node.id for hit in hits.hits} == {first.id, third.id}, mode
    assert {hit.node.id for hit in _search(desk, recall, "", filter=Filter(since=before)).hits} == {first.id, third.id}
    assert _search(desk, recall, "", filter=Filter(since=changed_at)).total == 1
    assert _search(desk, recall, "importer", filter=Filter(since=desk.call().at)).hits == ()
    then = third.created_at
    past = _search(desk, recall, "importer tables", filter=Filter(since=before), as_of=then)
    assert [hit.node.id for hit in past.hits] == [third.id]


def test_status_session_and_scope_filter_too(desk: Desk, recall: Recall) -> None:
    """Learned knowledge and the rest are told apart, and so are sessions and statuses."""
    one = desk.add("Alpha rays are stopped by paper.", ontology="physics").node
    two = desk.add("Paper stops what is weak.", ontology="proverbs").node
    made = desk.synthesize.synthesize(
        SynthesizeRequest(label="Paper shields", bridges=(one.id, two.id), evidence="Paper stops weak rays."),
        desk.call(),
    ).node
    desk.capture.update(UpdateRequest(id=one.id, status=Status.NEEDS_REVIEW), desk.call())
    found = {
        name: {hit.node.id for hit in _search(desk, recall, "paper", filter=keep).hits}
        for name, keep in {
            "learned": Filter(scope=Scope.LEARNED),
            "documents": Filter(scope=Scope.DOCUMENTS),
            "status": Filter(status="needs_review"),
            "session": Filter(session="none such"),
        }.items()
    }
    assert found == {"learned": {made.id}, "documents": {one.id, two.id}, "status": {one.id}, "session": set()}


def test_a_search_in_the_past_sees_what_stood_then(desk: Desk, recall: Recall) -> None:
    """Old words find the old text, new ones do not; what came later or left meanwhile is out or in accordingly."""
    kept = desk.add("The gateway speaks SOAP.", title="Gateway").node
    gone = desk.add("The gateway logs to a tape drive.", title="Tape").node
    then = desk.call().at
    desk.capture.update(UpdateRequest(id=kept.id, content="The gateway speaks gRPC.", title="Gate"), desk.call())
    desk.capture.forget(gone.id, desk.call(), reason="obsolete", confirm=True)
    desk.add("The gateway is written in Rust.", title="Rust")
    past = _search(desk, recall, "gateway", as_of=then)
    assert {hit.node.title for hit in past.hits} == {"Gateway", "Tape"}
    assert {hit.node.content for hit in _search(desk, recall, "SOAP", as_of=then).hits if hit.node.id == kept.id} == {
        "The gateway speaks SOAP."
    }
    assert {hit.node.title for hit in _search(desk, recall, "gateway").hits} == {"Gate", "Rust"}
    listed = _search(desk, recall, "", as_of=then)
    assert ([hit.node.title for hit in listed.hits], listed.total) == (["Tape", "Gateway"], 2)


def test_a_filter_in_the_past_goes_by_what_a_node_was_then(desk: Desk, recall: Recall) -> None:
    """A node that was of the kind then is found, and one that became so later is not."""
    was = desk.add("The gateway is a proxy.", kind="concept").node
    became = desk.add("The gateway is a wall.", kind="claim").node
    then = desk.call().at
    desk.capture.update(UpdateRequest(id=was.id, kind="claim"), desk.call())
    desk.capture.update(UpdateRequest(id=became.id, kind="concept"), desk.call())
    keep = Filter(kinds=("concept",))
    for mode in ("hybrid", "semantic", "keyword"):
        past = _search(desk, recall, "gateway is a", filter=keep, as_of=then, mode=mode)
        assert [hit.node.id for hit in past.hits] == [was.id], mode
    assert [hit.node.id for hit in _search(desk, recall, "gateway", filter=keep).hits] == [became.id]


def test_before_the_first_change_there_is_nothing(desk: Desk, recall: Recall) -> None:
    """A time before the graph was made finds nothing and raises nothing."""
    desk.add("The gateway speaks SOAP.")
    for query in ("gateway", ""):
        assert _search(desk, recall, query, as_of=datetime(1999, 1, 1, tzinfo=UTC)).hits == ()


def test_related_to_keeps_to_the_neighbourhood(desk: Desk, recall: Recall) -> None:
    """Two relations away is near, three is not, and the node itself is not its own neighbour."""
    chain = [desk.add(f"Station {name} of the line.").node for name in ("one", "two", "three", "four")]
    for before, after in itertools.pairwise(chain):
        desk.join(before.id, after.id, "follows")
    hits = _search(desk, recall, "station of the line", related_to=chain[0].id)
    assert {hit.node.id for hit in hits.hits} == {chain[1].id, chain[2].id}
    lonely = desk.add("Station nowhere, on no line.").node
    assert _search(desk, recall, "station", related_to=lonely.id).hits == ()
    with pytest.raises(NotFound, match="related_to"):
        _search(desk, recall, "station", related_to="no such node")


def test_the_empty_query_lists_the_newest(desk: Desk, recall: Recall) -> None:
    """Without a query the filter speaks alone, newest first, with the true total."""
    nodes = [desk.add(topic, tags=("fact",)).node for topic in TOPICS]
    desk.add("Untagged.")
    hits = _search(desk, recall, "  ", filter=Filter(tags=("fact",)), page=Page(limit=2, offset=1))
    assert [hit.node.id for hit in hits.hits] == [nodes[4].id, nodes[3].id]
    assert hits.total == len(TOPICS)


def test_mode_keyword_wants_every_word_and_scores_as_the_seed_does(desk: Desk, recall: Recall) -> None:
    """One word in title, content and tag, confidence 0.9, changed today: 0.5 + 0.1 + 0.3 + 0.18 + 0.1."""
    desk.add("We chose redis.", title="Redis", tags=("redis",), confidence=0.9)
    desk.add("Neither here nor there.", title="Postgres")
    hit = _search(desk, recall, "redis", mode="keyword").hits[0]
    assert hit.score == pytest.approx(1.18)
    assert hit.similarity is None
    assert _search(desk, recall, "redis postgres", mode="keyword").hits == ()


def test_mode_semantic_is_meaning_alone(desk: Desk, recall: Recall) -> None:
    """Hits come in order of similarity, all of them at 0.50 or more."""
    for topic in TOPICS:
        desk.add(topic)
    hits = _search(desk, recall, "ice shapes the landscape", mode="semantic")
    assert titles(hits)[0] == TOPICS[1]
    shown = [hit.similarity or 0.0 for hit in hits.hits]
    assert shown == sorted(shown, reverse=True)
    assert min(shown) >= 0.5


def test_pages_follow_on_one_another(desk: Desk, recall: Recall) -> None:
    """Together the pages are the long page: nothing twice, nothing left out, one total."""
    for number in range(12):
        desk.add(f"The importer reads tables of sort {number}.")
    whole = _search(desk, recall, "importer reads tables", page=Page(limit=12))
    parts = [_search(desk, recall, "importer reads tables", page=Page(limit=5, offset=at)) for at in (0, 5, 10)]
    assert [hit.node.id for part in parts for hit in part.hits] == [hit.node.id for hit in whole.hits]
    assert {part.total for part in parts} == {whole.total} == {12}


@pytest.mark.parametrize("mode", ["hybrid", "semantic"])
def test_a_hit_stands_on_one_place_whatever_the_pages(desk: Desk, recall: Recall, mode: str) -> None:
    """Further pages look at more candidates, which weighs all of them anew: still nothing twice, nothing left out."""
    parts = itertools.product(
        ("The cache", "Our queue", "A compiler", "The index", "The scheduler"),
        ("stores", "drops", "retries", "merges", "reads"),
        ("requests", "messages", "pages", "events", "packets"),
    )
    for number, words in enumerate(parts):
        desk.add(f"{' '.join(words)} {('at night', 'to save memory', 'for audits')[number % 3]}.")
    ids, total = [], 1
    while len(ids) < total:
        page = _search(desk, recall, "the scheduler reads events", mode=mode, page=Page(limit=10, offset=len(ids)))
        assert page.hits, "total promised more"
        ids += [hit.node.id for hit in page.hits]
        total = page.total
    assert len(ids) == len(set(ids)) > 30
    whole = _search(desk, recall, "the scheduler reads events", mode=mode, page=Page(limit=100))
    assert [hit.node.id for hit in whole.hits] == ids[:100]
    assert whole.total == total


def test_keyword_shows_where_the_words_stand_in_a_long_text(desk: Desk, recall: Recall) -> None:
    """Not its beginning, in which none of them is."""
    dull = "The committee went through the lines of the budget. " * 60
    desk.add(f"{dull}The zebra finch learns its song. {dull}", title="Minutes")
    (hit,) = _search(desk, recall, "zebra finch", mode="keyword").hits
    assert "zebra finch" in hit.snippet
    assert hit.snippet.startswith("…")
    assert hit.snippet.endswith("…")


def test_what_is_found_counts_as_used(desk: Desk, recall: Recall, tmp_path: Path) -> None:
    """Only the hits of the page are counted."""
    nodes = [desk.add(f"The importer reads tables of sort {number}.").node for number in range(3)]
    shown = _search(desk, recall, "importer", page=Page(limit=2)).hits
    assert set(usage_of(tmp_path).uses([node.id for node in nodes])) == {hit.node.id for hit in shown}


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ({"mode": "fuzzy"}, "hybrid, semantic, keyword"),
        ({"filter": Filter(kinds=("wish",))}, "kind"),
        ({"filter": Filter(status="asleep")}, "needs_review"),
        ({"filter": Filter(confidence_min=1.5)}, "min_confidence"),
        ({"filter": Filter(since="2026-03-01")}, "since must be a datetime"),  # type: ignore[arg-type] - what is meant
        ({"page": Page(limit=0)}, "limit"),
        ({"page": Page(limit=101)}, "limit"),
        ({"page": Page(offset=-1)}, "offset"),
    ],
)
def test_values_out_of_bounds_are_refused_by_name(
    desk: Desk, recall: Recall, field: dict[str, object], message: str
) -> None:
    """The message names the field or what would have been accepted."""
    with pytest.raises(InvalidArgument, match=message):
        _search(desk, recall, "anything", **field)


def test_any_text_is_a_valid_query(desk: Desk, recall: Recall) -> None:
    """Operators, quotes, emoji and half-words of any script are words to look for, never syntax."""
    desk.add("The gateway speaks SOAP.", title="Gateway")

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(
        st.one_of(st.text(max_size=60), st.sampled_from(['"', "a AND", "NEAR(", "*", "title:x", "^a", "-- '", "🧵"]))
    )
    def holds(query: str) -> None:
        if any("\ud800" <= letter <= "\udfff" or letter == "\0" for letter in query):
            return
        for mode in ("hybrid", "keyword"):
            hits = _search(desk, recall, query, mode=mode)
            assert len(hits.hits) <= max(hits.total, 0)
            assert all(hit.why for hit in hits.hits)
            assert terms(query) or hits.total <= 1

    holds()


def test_a_tag_is_found_with_the_mark_that_a_text_has_before_it(desk: Desk, recall: Recall) -> None:
    """In the past too; what no node has is told as it was given."""
    node = desk.add(TOPICS[0], tags=("auth",)).node
    for wish in (Filter(tags=("#auth",)), Filter(tags=("#AUTH",)), Filter(tags=("#auth",), as_of=desk.log.head())):
        assert [hit.node.id for hit in _search(desk, recall, "", filter=wish).hits] == [node.id]
    assert "«#nothing»" in _search(desk, recall, "", filter=Filter(tags=("#nothing",))).warning


def test_a_tag_stands_for_those_below_it(desk: Desk, recall: Recall) -> None:
    """As in the programs that nest them; one that only begins alike is another, and what is above is not below."""
    day, year, both = (
        desk.add(text, tags=tags).node.id
        for text, tags in zip(TOPICS, (("Diary/2026/03",), ("diary/2026",), ("diary", "work")), strict=False)
    )
    desk.add(TOPICS[3], tags=("diaries", "dia/ry"))
    wished = {
        ("diary",): {day, year, both},
        ("#DIARY",): {day, year, both},
        ("diary/2026",): {day, year},
        ("diary", "work"): {both},
    }
    for tags, found in wished.items():
        assert {hit.node.id for hit in _search(desk, recall, "", filter=Filter(tags=tags)).hits} == found, tags


def test_a_tag_or_an_ontology_is_found_in_whatever_case_it_is_given(desk: Desk, recall: Recall) -> None:
    """Where nodes spell one in several ways all of them count, and a node that has two of them has one."""
    one = desk.add(TOPICS[0], tags=("auth", "db"), ontology="Physics").node
    two = desk.add(TOPICS[1], tags=("Auth",), ontology="physics").node
    desk.add(TOPICS[2], tags=("auth", "Auth", "Straße"), ontology="Farming")
    desk.add(TOPICS[3], tags=("author",), ontology="Physics II")
    for query in ("", "barley glaciers violin committee"):
        assert _search(desk, recall, query, filter=Filter(tags=("AUTH",))).total == 3
        assert _search(desk, recall, query, filter=Filter(tags=("AUTH", "Db"))).hits[0].node.id == one.id
        assert _search(desk, recall, query, filter=Filter(tags=("AUTH", "Db"))).total == 1
        assert {hit.node.id for hit in _search(desk, recall, query, filter=Filter(ontologies=("PHYSICS",))).hits} == {
            one.id,
            two.id,
        }
    assert _search(desk, recall, "", filter=Filter(tags=("straße",))).total == 1
    assert _search(desk, recall, "", filter=Filter(tags=("auth",)), as_of=datetime.now(UTC)).total == 3


@pytest.mark.parametrize(
    ("used", "asked_for"),
    [
        ("Fußgänger", ("FUSSGÄNGER", "fussgänger", "FUẞGÄNGER")),
        ("FUSSGÄNGER", ("Fußgänger", "fußgänger")),
        ("Aßlar", ("ASSLAR", "asslar")),
        ("Ελλάδα", ("ΕΛΛΑΔΑ", "ελλαδα", "ΕΛΛΆΔΑ")),
        ("ΟΔΥΣΣΕΑΣ", ("οδυσσέας", "Οδυσσέας")),
        ("ΰλη", ("ΥΛΗ", "ύλη")),
        ("İstanbul", ("istanbul", "İSTANBUL", "ISTANBUL")),
        ("Երևան", ("ԵՐԵՒԱՆ", "երեւան")),
        ("Київ", ("КИЇВ", "київ")),
        ("A b'C", ("a B'c", "A B'C")),
    ],
)
def test_case_is_heeded_in_no_script(used: str, asked_for: tuple[str, ...], desk: Desk, recall: Recall) -> None:
    """Where one letter has two for a capital, and where capitals go without accents, too."""
    desk.add(TOPICS[0], tags=(used,), ontology=f"{used}/a")
    desk.add(TOPICS[1], tags=("Fusel", "Ελλειψη", "Isar", "Аслан"), ontology="other")
    for name in asked_for:
        assert _search(desk, recall, "", filter=Filter(tags=(name,))).total == 1
        assert _search(desk, recall, "", filter=Filter(ontologies=(f"{name}/A",))).total == 1


def test_names_that_differ_in_their_letters_are_two(desk: Desk, recall: Recall) -> None:
    """Accents of other scripts than the Greek one are parts of letters, and the dotless ı is no i; they come near."""
    desk.add(TOPICS[0], tags=("schön", "sınır", "мой"))
    for name, near in (("schon", "schön"), ("sinir", "sınır"), ("мои", "мой")):
        found = _search(desk, recall, "", filter=Filter(tags=(name,)))
        assert (found.total, f"near: «{near}»" in found.warning) == (0, True)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"tags": ("authentication",)}, "No node has the tag «authentication»; near: «auth»."),
        ({"tags": ("atuh", "db")}, "No node has the tag «atuh»; near: «auth»."),
        ({"tags": ("zebra",)}, "No node has the tag «zebra»; there are: «auth», «db»."),
        ({"ontologies": ("fysics",)}, "No node has the ontology «fysics»; near: «Physics»."),
    ],
)
def test_a_name_that_no_node_has_is_told_with_what_comes_near(
    desk: Desk, recall: Recall, wanted: dict[str, tuple[str, ...]], said: str
) -> None:
    """Nothing is found then, whatever the query; a name that is in use is told of nowhere."""
    desk.add(TOPICS[0], tags=("auth", "db"), ontology="Physics")
    for query in ("", "barley"):
        found = _search(desk, recall, query, filter=Filter(**wanted))
        assert (found.total, found.warning) == (0, said)
    assert _search(desk, recall, "barley", filter=Filter(tags=("auth",))).warning == ""


def test_one_of_several_ontologies_may_be_unknown(desk: Desk, recall: Recall) -> None:
    """The others are looked through, and the unknown one is told of."""
    desk.add(TOPICS[0], ontology="Physics")
    found = _search(desk, recall, "", filter=Filter(ontologies=("physics", "Alchemy")))
    assert (found.total, found.warning) == (1, "No node has the ontology «Alchemy»; there are: «Physics».")


def test_of_many_names_that_no_node_has_a_few_are_told_and_the_others_counted(desk: Desk, recall: Recall) -> None:
    """Each that is told is compared with all that are in use, and told with some of these."""
    desk.add("Sessions live in Redis.", tags=("auth",))
    found = _search(desk, recall, "sessions", filter=Filter(tags=tuple(f"zebra {number}" for number in range(50))))
    assert found.total == 0
    assert found.warning.count("No node has the tag «zebra ") == 5
    assert found.warning.endswith(" 45 more of these names no node has either.")


def test_a_question_is_answered_by_two_passages_that_stand_near_each_other(desk: Desk, recall: Recall) -> None:
    """The one has its matter in other words, the other its words: of two texts with both, where they are neighbours.

    Apart, any two passages of a long text would answer anything: there only the nearer one is read word by word.
    """
    paragraphs = [(each * (600 // len(each))).strip() for each in (HERON, *VILLAGE, FERRY)]
    apart = desk.add("\n\n".join(paragraphs), title="The upper village")
    beside = desk.add("\n\n".join((paragraphs[0], paragraphs[-1], *paragraphs[1:-1])), title="The lower village")
    for each in paragraphs[1:-1]:
        desk.add(each)
    found = _search(desk, recall, "the heron by the marsh and the price of the ferry").hits
    assert [hit.node.id for hit in found[:2]] == [beside.node.id, apart.node.id]
