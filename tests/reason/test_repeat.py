"""What counts as saying the same again: order and small words may differ, or all of it, one word alone may not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.reason.repeat import adds, differs_in_places, repeats, rewords

SERVER = "The build server restarts every night at two o'clock."


@pytest.mark.parametrize(
    "other",
    [
        SERVER,
        "The build server restarts each night at two o'clock.",
        "Every night at two o'clock, the build server restarts.",
        "  the BUILD server restarts every night at two o'clock",
    ],
)
def test_the_same_words_in_another_order_or_dress_repeat_a_text(other: str) -> None:
    """Each of them may be merged."""
    assert repeats(SERVER, other)


@pytest.mark.parametrize(
    "other",
    [
        "The mail server restarts every night at two o'clock.",
        "The build server never restarts every night at two o'clock.",
        "The build server restarts most nights at two o'clock.",
        "The build server may restart every night at two o'clock.",
        "Does the build server restart every night at two o'clock?",
        "The build server restarts every night.",
    ],
)
def test_one_word_for_another_a_denial_or_a_doubt_is_no_repetition(other: str) -> None:
    """The near misses, all of them very like the text."""
    assert not repeats(SERVER, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A proxy is faster than a cache.", "A cache is faster than a proxy."),
        ("Redis replaces Memcached in the cluster.", "Memcached replaces Redis in the cluster."),
        ("Tests run before deploys.", "Deploys run before tests."),
        ("Apnoea is more common in men than in women.", "Apnoea is more common in women than in men."),
        ("Recall is higher with stems than without stems.", "Recall is higher without stems than with stems."),
        ("We moved the data from Oslo to Bergen.", "We moved the data from Bergen to Oslo."),
        ("Heat raises pressure in pipes. We measured it.", "Pressure raises heat in pipes. We measured it."),
        ("The fund bought the mill in May.", "The fund was bought by the mill in May."),
        ("Reads go to Oslo by day and to Bergen by night.", "Reads go to Bergen by day and to Oslo by night."),
        ("The index held 40 GB in May and 60 GB in June.", "The index held 60 GB in May and 40 GB in June."),
        ("I lent my brother the drill.", "My brother lent me the drill."),
        ("We owe Markus 50 euros.", "Markus owes us 50 euros."),
    ],
)
def test_two_that_change_sides_are_no_repetition(one: str, other: str) -> None:
    """Nor a rewording, though every word is there; each of the texts repeats itself."""
    assert not repeats(one, other)
    assert not rewords(one, other)
    assert repeats(one, one)
    assert repeats(other, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The proxy in Oslo is faster than the cache.", "In Oslo, the proxy is faster than the cache."),
        ("It reads JSON, CSV and YAML files.", "It reads YAML, CSV and JSON files."),
        ("Redis and Kafka run on Linux.", "Kafka and Redis run on Linux."),
        ("The council approved the plan.", "The plan was approved by the council."),
    ],
)
def test_one_part_may_stand_elsewhere_and_a_list_in_another_order(one: str, other: str) -> None:
    """The twin of the one before; so may the sides of a passive."""
    assert repeats(one, other)


@pytest.mark.parametrize(
    ("said", "denied"),
    [
        ("Das Treffen beginnt am Montag um neun Uhr", "Das Treffen beginnt nicht am Montag um neun Uhr"),
        ("La réunion commence lundi à neuf heures", "La réunion ne commence pas lundi à neuf heures"),
        ("Совещание начинается в понедельник в девять утра", "Совещание не начинается в понедельник в девять утра"),
        ("बैठक सोमवार सुबह नौ बजे शुरू होती है", "बैठक सोमवार सुबह नौ बजे शुरू नहीं होती है"),
        ("会议 星期一 早上 九点 开始", "会议 星期一 早上 九点 不开始"),
        ("회의는 월요일 아침에 시작한다", "회의는 월요일 아침에 시작하지 않는다"),
    ],
)
def test_what_is_denied_in_another_language_is_not_the_same(said: str, denied: str) -> None:
    """The judge reads English; that one of two texts denies is seen in others too, also within a long one."""
    around = " ".join(f"слово{chr(0x430 + at)}" for at in range(31))
    for before in ("", f"{around} "):
        here, there = f"{before}{said}", f"{before}{denied}"
        assert not repeats(here, there)
        assert not rewords(here, there)
        assert not adds(here, there)
    assert repeats(said, said)


def test_a_short_text_may_go_on_for_a_sentence() -> None:
    """It says all that was said before; a whole page around it would be another text."""
    assert repeats(SERVER, f"{SERVER} Twice on Sundays.")
    assert not repeats(SERVER, f"{SERVER.replace('build', 'mail')} Twice on Sundays.")
    assert not repeats(SERVER, f"{SERVER} The gateway drops every session, and the editors save their drafts by hand.")


def test_another_number_is_no_repetition() -> None:
    """What is counted is part of what is said."""
    assert repeats("The pump moves 40 litres a minute.", "A minute, the pump moves 40 litres.")
    assert not repeats("The pump moves 40 litres a minute.", "The pump moves 45 litres a minute.")


LONG = " ".join(
    f"The {colour} boat carries {cargo} from the harbour of {port} across the sound."
    for colour, cargo, port in (
        ("green", "timber", "Lund"),
        ("white", "herring", "Visby"),
        ("black", "coal", "Gdansk"),
        ("yellow", "barley", "Riga"),
        ("grey", "salt", "Turku"),
        ("brown", "hides", "Tallinn"),
        ("blue", "glass", "Stralsund"),
        ("red", "copper", "Kalmar"),
        ("violet", "candles", "Pärnu"),
        ("orange", "mustard", "Liepaja"),
    )
)


def test_a_long_text_may_differ_in_a_word_or_go_on() -> None:
    """A revised copy of a page is still that page."""
    assert repeats(LONG, LONG.replace("timber", "lumber"))
    assert repeats(LONG, f"{LONG} In winter all of them lie in the shipyard and are tarred.")


def test_a_long_text_that_denies_or_replaces_much_is_another() -> None:
    """The twin of the one before."""
    assert not repeats(LONG, LONG.replace("timber", "no timber").replace("herring", "pork").replace("coal", "iron"))


def test_too_little_to_compare_is_no_repetition() -> None:
    """Two texts without a word of subject matter may mean anything."""
    assert not repeats("It is so.", "It is so.")
    assert not repeats("", "")


NEWS = "The city council approved a plan on Tuesday to rebuild the old harbour bridge before winter."


@pytest.mark.parametrize(
    "other",
    [
        "On Tuesday a plan to rebuild the old bridge in the harbour was approved by council members before winter.",
        "The council on Tuesday approved the plan and will rebuild the harbour bridge before winter sets in.",
    ],
)
def test_the_same_put_anew_in_several_places_is_a_rewording(other: str) -> None:
    """Not a repetition, though: it is one only where the likeness is very high as well."""
    assert rewords(NEWS, other)
    assert not repeats(NEWS, other)


@pytest.mark.parametrize(
    "other",
    [
        "The city council approved a plan on Tuesday to rebuild the old railway bridge before winter.",
        "The city council rejected a plan on Tuesday to rebuild the old harbour bridge before spring.",
        "On Tuesday a plan to rebuild the old bridge in the harbour was not approved by council members before winter.",
        "On Tuesday a plan to rebuild the old bridge in the harbour may be approved by council members before winter.",
        "On Tuesday a plan to rebuild 3 old bridges in the harbour was approved by council members before winter.",
        "Was a plan to rebuild the old bridge in the harbour on Tuesday approved by council members before winter?",
        "The trams were late on Tuesday, and nobody at the old harbour knew of a plan.",
        NEWS,
    ],
    ids=["one word", "two words", "denied", "in doubt", "numbers", "asked", "other matter", "nothing differs"],
)
def test_one_word_for_another_a_number_a_denial_or_a_doubt_is_no_rewording(other: str) -> None:
    """What was put anew has to leave these as they are."""
    assert not rewords(NEWS, other)


def test_a_name_may_be_left_out_and_not_be_another() -> None:
    """Who says it may be told or not."""
    told = "On Monday the old mill in the valley burnt down, mayor Ada Holm told the press this morning."
    other = "The old mill in the valley had burnt down on Monday, mayor Per Lund told reporters this morning."
    assert rewords(told, other.replace("Per Lund ", ""))
    assert rewords(told, other.replace("Per Lund", "Ada Holm"))
    assert not rewords(told, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The intern broke the build, and the lead fixed it.", "The lead broke the build; the intern was to fix it."),
        ("Heat opens the valve, and cold closes the valve.", "The valve closes when hot and opens when cold."),
        ("Elevated heat raises yield but lowers its protein content.", "Elevated heat lowers yield and content."),
        ("Every file in the kit is free, even the fonts.", "Except the fonts, every file in the kit is free."),
        ("The shed was open all night for the guests.", "For the guests the shed stayed closed all night."),
    ],
)
def test_what_is_turned_or_bounded_is_no_rewording(one: str, other: str) -> None:
    """Two that changed places, and all but one."""
    assert not rewords(one, other)
    assert not rewords(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A woman is cutting a large onion.", "A woman is slicing a big onion."),
        ("The pilot quit over the new contract.", "The pilot resigned over the new contract."),
        ("A child is sitting outdoors.", "A kid is sitting outside."),
    ],
)
def test_a_synonym_for_a_word_is_a_rewording(one: str, other: str) -> None:
    """The one place that differs is the same matter all the same; it is no repetition that may be merged unseen."""
    assert rewords(one, other)
    assert not repeats(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A woman is cutting a large onion.", "A woman is slicing a big potato."),
        ("A woman is cutting a large onion.", "A woman is cutting a small onion."),
        ("A woman is cutting a large onion.", "A woman is not slicing a large onion."),
        ("A woman is cutting 2 large onions.", "A woman is slicing 3 large onions."),
        ("The children may sit outdoors.", "The kids sit outside."),
    ],
    ids=["another word", "opposite", "denied", "number", "in doubt"],
)
def test_a_synonym_does_not_hide_what_else_differs(one: str, other: str) -> None:
    """The twin of the one before."""
    assert not rewords(one, other)


@pytest.mark.parametrize(
    "other",
    [
        "A brown dog is carefully crossing the street.",
        "A dog is crossing the street.",
        "Carefully, a dog is crossing the street.",
    ],
)
def test_one_word_more_in_the_middle_is_an_addition(other: str) -> None:
    """Whichever of the two says it."""
    assert adds("A dog is carefully crossing the street.", other)
    assert adds(other, "A dog is carefully crossing the street.")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A brown dog is crossing the street.", "A black dog is crossing the street."),
        ("A dog is crossing the street.", "A big brown dog is crossing the street."),
        ("A dog is crossing the street.", "A dog is crossing the street slowly."),
        ("A dog is crossing the street.", "A dog is not crossing the street."),
        ("A dog is crossing the street.", "Every dog is crossing the street."),
        ("Two dogs are crossing the street.", "2 of 3 brown dogs are crossing the street."),
        ("The proxy stops blocking its requests.", "The proxy stops on its requests."),
        ("A dog crosses the street.", "Does a brown dog cross the street?"),
    ],
    ids=["put for another", "two", "at the end", "denied", "turned", "numbers", "for a small word", "asked"],
)
def test_a_word_put_for_another_or_one_that_turns_the_sense_is_no_addition(one: str, other: str) -> None:
    """What was added may not be all there is to it."""
    assert not adds(one, other)


def test_pages_are_never_reworded() -> None:
    """Two reports on one matter are very alike, and differ in what they say of it."""
    assert not rewords(LONG, LONG.replace("timber", "oak").replace("herring", "pork").replace("from the", "out of the"))
    assert not adds(LONG, LONG.replace("green boat", "green rowing boat"))


def test_several_places_in_which_nothing_tells_two_texts_apart_are_a_reader_s_business() -> None:
    """The twins differ in one place, in a number, in a denial, in who stands where, or are long."""
    told = "We chose Postgres in 2019 because the team knows it well."
    assert differs_in_places(told, "In 2019 the team knew Postgres well, which is why we picked it.")
    for other in (
        told,
        told.replace("chose", "picked"),
        "In 2020 the team knew Postgres well, which is why we picked it.",
        "In 2019 the team did not know Postgres well, which is why we picked it.",
    ):
        assert not differs_in_places(told, other)
    assert not differs_in_places("Flatbread bakes faster than rye here.", "Here rye bakes faster than flatbread.")
    assert not differs_in_places(LONG, LONG.replace("timber", "oak").replace("herring", "pork"))


@given(st.text(max_size=200), st.text(max_size=200))
def test_it_does_not_matter_which_text_comes_first(one: str, other: str) -> None:
    """Merging has no direction here."""
    assert repeats(one, other) == repeats(other, one)
    assert rewords(one, other) == rewords(other, one)
    assert adds(one, other) == adds(other, one)
    assert differs_in_places(one, other) == differs_in_places(other, one)


@given(st.permutations(NEWS.split()), st.permutations(NEWS.split()))
def test_the_order_of_words_does_not_give_rewording_a_direction(one: list[str], other: list[str]) -> None:
    """Nor with words that both hold."""
    assert rewords(" ".join(one), " ".join(other)) == rewords(" ".join(other), " ".join(one))
    assert adds(" ".join(one), " ".join(other)) == adds(" ".join(other), " ".join(one))
    texts = " ".join(one), " ".join(other)
    assert differs_in_places(*texts) == differs_in_places(*reversed(texts))
