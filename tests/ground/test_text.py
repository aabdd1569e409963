"""Laws of the one tokenizer, of passages, names and cleaning."""

from __future__ import annotations

import datetime as dt
import os
import subprocess
import sys
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft import text as reading
from weft.errors import InvalidArgument
from weft.text.casing import beginnings, caseless

if TYPE_CHECKING:
    from collections.abc import Callable

EVERYDAY = [
    "C++",
    "C#",
    "node.js",
    "don't",
    '"quoted',
    "a AND",
    "日本語",
    "naïve",
    "2024-01-02",
    "what is X?",
    "foo:bar",
    "(paren",
    "^caret",
    "-minus",
    "NEAR(a b)",
    "col:val",
    "100%",
    "user@example.com",
    "https://a.b/c?d=e",
    "file_name.py",
    "$HOME",
    "emoji 🎉",
    "'single'",
    "semi;colon",
    "back\\slash",
    "tab\tand\nnewline",
    "ÀÉ",
    "ﬁ ligature",
    "a",
    "İstanbul",
]

HOSTILE = {
    "one word": "a" * 1_000_000,
    "newlines": "\n" * 1_000_000,
    "short words": "a " * 200_000,
    "dots": "ab." * 100_000,
    "apostrophes": "a'" * 100_000,
    "headings": "# a\n" * 50_000,
    "han": "日" * 100_000,
    "underscores": "_" * 300_000,
    "camel": "aA" * 200_000,
    "numbers": "1," * 100_000,
    "marks": "e\u0301\u0302" * 50_000,
    "marks in no order": "e" + "\u0301\u0316" * 50_000,
    "vowels that are two marks": "\u0f40" + "\u0f73" * 50_000,
    "marks of narrow kana": "\uff76" + "\uff9e\u0301" * 50_000,
    "joiners": "\u200d" * 300_000,
}

PROSE = (
    "The cost of self-attention is quadratic in sequence length, because every token attends to every other token. "
    "Linear variants trade exactness for speed; their authors report small losses on long documents. "
)

texts = st.text(max_size=400) | st.text(
    alphabet=st.sampled_from(list("aAbs. _-'#+,\n\t1é日本ไทยß\u0301\u200d🎉\"()*")), max_size=400
)


@pytest.mark.parametrize("query", EVERYDAY)
def test_everyday_queries_yield_terms_without_white_space(query: str) -> None:
    """Every query that people type has something to look for."""
    found = reading.terms(query)
    assert found
    assert all(term and not any(character.isspace() for character in term) for term in found)


def test_a_lone_asterisk_is_nothing_to_look_for() -> None:
    """Punctuation alone gives no term, and no error."""
    assert reading.terms("*") == ()
    assert reading.terms("") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++ and C#", ("c++", "and", "c#")),
        ("node.js", ("node.js", "node", "js")),
        ("refresh_tokens", ("refresh_token", "refresh", "token")),
        ("nodeId", ("nodeid", "node", "id")),
        ("HTTPServer", ("httpserver", "http", "server")),
        ("APIs GPUs IDs", ("api", "gpu", "id")),
        ("__init__", ("init",)),
        ("Bob's don't they're", ("bob", "dont", "they")),
        ("l'homme", ("l", "homme")),
        ("1,000 3.11", ("1000", "3.11")),
        ("naïve Straße Łódź", ("naive", "strasse", "lodz")),
        ("日本語", ("日本", "本語")),
        ("水", ("水",)),
        ("C#入門", ("c#", "入門")),
        ("हिन्दी", ("हिन्दी",)),
        ("queries classes boxes caches analyses", ("query", "class", "box", "cache", "analysis")),
        ("status analysis always this", ("status", "analysis", "always", "this")),
    ],
)
def test_terms_of_examples(text: str, expected: tuple[str, ...]) -> None:
    """The tokenizer's promises, one by one."""
    assert reading.terms(text) == expected


def test_the_forms_of_a_word_have_one_root() -> None:
    """English endings; what a root joins, the terms keep apart."""
    assert len(set(reading.roots("heat heats heated heating"))) == 1
    assert reading.roots("Connections connected") == ("connect", "connect")
    assert reading.roots("children child") == ("child", "child")
    assert len(set(reading.terms("heat heated heating"))) == 3
    assert reading.root("heating") == reading.root("heat") != reading.root("heath")


@pytest.mark.parametrize(
    "spellings",
    [
        "colour color colours coloured coloring",
        "favourite favorite",
        "neighbourhood neighborhoods",
        "optimise optimize optimisation optimized",
        "behaviour behavior behavioural",
        "analyse analyzed analysing",
        "centre centers centred",
        "metre meter metres",
        "kilometre kilometers",
        "licence license licensed",
        "catalogue catalogs",
        "haemoglobin hemoglobin",
        "tumour tumors",
        "oestrogen estrogens",
        "foetal fetal",
        "anaesthetic anesthetics",
        "grey gray",
        "modelling modeling modelled",
    ],
)
def test_british_and_american_spellings_have_one_root(spellings: str) -> None:
    """Whichever is asked for finds the other; the terms stay as they are written."""
    assert len(set(reading.roots(spellings))) == 1
    assert len(set(reading.terms(spellings))) > 1


@pytest.mark.parametrize(
    "pair",
    [
        *("improvise improve", "paradise parade", "imprecise imprecate", "four for", "hour horror", "our or"),
        *("journal jornada", "resource resort", "poetic petite", "coexist cexist", "michael michel", "electric elect"),
        *("basis base", "analysis analogue", "premise premium", "timbre timber", "israel isral", "goes ges"),
    ],
)
def test_words_that_only_look_like_spellings_of_one_another_keep_their_roots(pair: str) -> None:
    """Every rule has words that end as its own do and are others."""
    one, other = reading.roots(pair)
    assert one != other


@pytest.mark.parametrize(
    "forms",
    [
        *("lend lends lending lent", "give gives giving gave given", "sell sold", "pay pays paid", "buy buying bought"),
        *("break breaks broke broken breaking", "lose losing lost", "choose chose chosen", "write written wrote"),
        *("tooth teeth", "shelf shelves", "wolf wolves", "stimulus stimuli", "housewife housewives", "ox oxen"),
        *("child children", "bus buses", "mouse mice", "knife knives", "Grandchild grandchildren", "LENT Lend"),
    ],
)
def test_irregular_forms_of_a_word_have_one_root(forms: str) -> None:
    """Present, past and participle, and the plural beside the singular; whichever is asked for finds the others."""
    assert len(set(reading.roots(forms))) == 1


@pytest.mark.parametrize(
    "pair",
    [
        *("left leave", "saw see", "found find", "fell fall", "felt feel", "bore bear", "wound wind", "ground grind"),
        *("rose rise", "led lead", "bit bite", "shot shoot", "stuck stick", "sat sit"),
        *("range ring", "provenance prove", "fell falling"),
        *("leaves leaf", "lives life", "dice die", "media medium", "bases basis", "specimen speciman", "lentil lend"),
    ],
)
def test_forms_that_are_as_common_in_another_sense_keep_their_roots(pair: str) -> None:
    """A rose is no rise, and who asks for the ground floor asks for no grinding."""
    one, other = reading.roots(pair)
    assert one != other


@pytest.mark.parametrize(
    "forms",
    [
        "договор договоры договора договорам",
        "συμβόλαιο συμβόλαια συμβολαίου",
        "बैठक बैठकों",
        "عقد العقد",
        "պայմանագրի պայմանագրեր",
        "கூட்டம் கூட்டங்கள்",
    ],
)
def test_the_forms_of_a_word_have_one_root_in_other_scripts_too(forms: str) -> None:
    """A script is taken for the language that is written in it most; the terms stay as they are."""
    assert len(set(reading.roots(forms))) == 1
    assert len(set(reading.terms(forms))) == len(forms.split())


def test_names_that_a_hyphen_parts_from_their_number_are_found_in_one_word_too() -> None:
    """After all words, so that no phrase is parted; dates and names of several hyphens are something else."""
    assert reading.indexed("UTF-8 text", "of IL\u20116") == ("utf", "8", "text", "of", "il", "6", "utf8", "il6")
    assert reading.compounds("PD-L1 SHA-512t x-axis 2024-01-02 a-1-b covid-19's issue-12345 GPT-4.") == (
        *("pdl1", "sha512t", "covid19"),
        "gpt4",
    )
    assert reading.roots("utf8") == ("utf8",)


def test_numbers_that_name_something_are_told_from_other_words() -> None:
    """Ports, dates, times and labels, each once; counts, decimals, names with a number and addresses are none."""
    said = "On 2026-03-14 at 14:05, (CVE-2021-44228); 2026/03, 2026-03-14. Port 8080, since 3 May, 2021. "
    others = "1-2 of 12, 3.141, UTF-8, and/or, x-axis, v1234, https://a.b/2026/04, 10.0.0.1"
    dates = ("2026-03-14", "3 May, 2021")
    assert reading.numbers(said + others) == (*dates, "14:05", "CVE-2021-44228", "2026/03", "8080")
    assert reading.numbers("2026-03-14T14:05, 端口8080号") == ("2026-03-14T14:05", "8080")


@pytest.mark.parametrize(
    "said",
    [
        *("2026-03-14", "2026/3/14", "2026.03.14", "2026-03-14T14:05:00Z", "report_2026-03-14.md", "14.03.2026"),
        *("14/03/2026", "03/14/2026", "14-Mar-2026", "14 March 2026", "14th of March, 2026", "March 14, 2026"),
        *(
            "mar. 14th 2026",
            "March 12–14, 2026",
            "2026 March 14",
            "14. März 2026",
            "14 mars 2026",
            "14 de marzo de 2026",
        ),
        *("14 marca 2026", "14. března 2026", "2026. március 14.", "14 Mart 2026", "14. maaliskuuta 2026"),
        *("14 марта 2026 г.", "会議は2026年3月14日に", "2026년 3월 14일", "den 14 MARS 2026 kl. 9"),
    ],
)
def test_a_day_is_one_word_however_it_is_written(said: str) -> None:
    """And names its month too."""
    assert list(reading.dates(f"Since {said} all is well.")) == ["20260314", "202603"]


@pytest.mark.parametrize(
    "said",
    [
        "03/04/2026",
        "2026-02-30",
        "31 April 2026",
        "14 Mark 2026",
        "1.2026.3.14",
        "2026.03.14.5",
        "14 March",
        "42 20267",
    ],
)
def test_what_may_be_two_days_or_none_names_no_day(said: str) -> None:
    """No guess, and nothing that no calendar has."""
    assert not [digits for digits in reading.dates(said) if len(digits) > len("202603")]


def test_a_month_with_its_year_is_one_word_too() -> None:
    """As it stands; what is a range of years or a part of another name is none."""
    assert reading.dates("In March 2026, mayo de 2025, 2024-07.") == {
        "202603": "March 2026",
        "202505": "mayo de 2025",
        "202407": "2024-07",
    }
    assert reading.dates("1998-2003, 2026-13, a-2026-03-x, marching 2026, room 2026") == {}


@given(st.dates(min_value=dt.date(1000, 1, 1), max_value=dt.date(2999, 12, 31)), st.text(max_size=60))
def test_any_day_is_read_in_figures_and_in_words(day: dt.date, beside: str) -> None:
    """Beside any text, which may have dates of its own."""
    for said in (f"{day:%Y-%m-%d}", f"{day:%d %B %Y}", f"{day:%b %d, %Y}"):
        assert f"{day:%Y%m%d}" in reading.dates(f"{said} ; {beside}")
        assert reading.worded(f"of {said} ;") == ["of", said, ";"]


def test_what_is_found_by_its_characters_has_them_once_and_last() -> None:
    """Han and Hangul, of which one is often a word; where they stand they part no phrase."""
    assert reading.indexed("我家的猫", "可爱 cats") == (
        *("我家", "家的", "的猫", "可爱", "cat"),
        *("我", "家", "的", "猫", "可", "爱"),
    )
    assert reading.indexed("cats ไทย 猫") == ("cat", "ไท", "ทย", "猫")
    assert reading.indexed() == ()


@pytest.mark.parametrize(
    "text", ["日本語 検索", "שלום עולם", "x86_64", "node.js", "C++", "3.14", "2024", "🙂", "is", "héros"]
)
def test_what_is_no_word_of_a_known_language_is_its_own_root(text: str) -> None:
    """Other scripts, names of several parts, numbers and signs."""
    parts = {term for term in reading.terms(text) if not term.isascii() or not term.isalpha() or len(term) < 3}
    assert parts <= set(reading.roots(text))


@given(st.text(max_size=200))
def test_roots_are_as_many_as_terms_and_as_plain(text: str) -> None:
    """Whatever the text: one for one, none empty, none with what separates words, and a second cut changes none."""
    roots = reading.roots(text)
    assert len(roots) == len(reading.terms(text))
    assert all(root and not set(root) & set(' \t\n"') for root in roots)


SAID = {
    "de": ("Die Verbindungen werden nach zehn Minuten geschlossen.", "Verbindung Verbindungen", "verbind"),
    "fr": ("Les connexions sont fermées après dix minutes.", "fermée fermées fermer", "ferm"),
    "es": ("Las conexiones se cierran después de diez minutos.", "conexión conexiones", "conexion"),
    "pt": ("As ligações são fechadas depois de dez minutos.", "servidor servidores", "servidor"),
    "it": ("Le connessioni vengono chiuse dopo dieci minuti.", "connessione connessioni", "connession"),
    "nl": ("De verbindingen worden na tien minuten gesloten.", "verbinding verbindingen", "verbind"),
    "sv": ("Anslutningarna stängs efter tio minuter och loggas.", "anslutning anslutningar", "anslutning"),
    "da": (
        "Forbindelserne lukkes efter ti minutter, og det logges af serveren.",
        "forbindelse forbindelser",
        "forbind",
    ),
    "no": ("Forbindelsene lukkes etter ti minutter, og det logges av tjeneren.", "forbindelse forbindelser", "forbind"),
    "fi": ("Yhteydet suljetaan kymmenen minuutin jälkeen, jos niitä ei käytetä.", "talo talot talossa", "talo"),
    "pl": ("Połączenia są zamykane po dziesięciu minutach.", "serwer serwery serwera", "serwer"),
    "cs": ("Spojení jsou po deseti minutách ukončena.", "uživatel uživatele uživatelé", "uzivatel"),
    "ro": ("Conexiunile sunt închise după zece minute.", "conexiune conexiuni", "conexiun"),
    "hu": ("A kapcsolatok tíz perc után lezárulnak, hogy ne terheljék a szervert.", "szerver szerverek", "szerver"),
    "tr": ("Bağlantılar on dakika sonra kapatılır ve bir kayıt yazılır.", "kitap kitaplar kitapta", "kitap"),
    "id": ("Koneksi ditutup setelah sepuluh menit dan tidak digunakan lagi.", "buku bukunya", "buku"),
    "ca": ("Les connexions es tanquen després de deu minuts amb aquest servidor.", "connexió connexions", "connex"),
}


@pytest.mark.parametrize("code", SAID)
def test_the_language_of_a_sentence_is_told_and_its_words_have_one_stem(code: str) -> None:
    """Marked with the language, without accents."""
    sentence, forms, stem = SAID[code]
    assert reading.language(sentence) == code
    assert set(reading.stems(forms, code)) == {f"{code}~{stem}"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(("The connections are closed after ten minutes.", "en"), ("the café in the Rue de la Paix", "en")),
        *(("Peter schießt den Vogel ab is a film of the year 1959, and it was shown in the cinema.", "en"), ("", "")),
        *(("connection pool timeout", ""), ("is in a", ""), ("def f(x): return x + 1", ""), ("東京 42 Москва", "")),
        *(("Hauses am Fluss", ""), ("Häuser am Fluss", "de"), ("STRASSE UND FLUSS", "de")),
    ],
)
def test_english_and_what_tells_nothing_are_no_other_language(text: str, code: str) -> None:
    """A name in a text says nothing of the text; where as many words speak for English it is English."""
    assert reading.language(text) == code


def test_no_language_is_told_by_a_word_of_english() -> None:
    """Such words stand apart, as common ones."""
    told = {word for each in reading.LANGUAGES.values() for word in each.words.split()}
    assert not told & reading.STOP_WORDS


def test_a_language_is_told_alike_in_every_process() -> None:
    """Else a graph that one process wrote would have wrong words for another."""
    texts = [sentence for sentence, _, _ in SAID.values()]
    said = "".join(f" {one[:18]} {other[-18:]}" for one, other in zip(texts, texts[5:], strict=False))
    script = f"from weft.text import language; print([language({said!r}[at : at + 60]) for at in range(0, 400, 7)])"
    run = [
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    ]
    assert len(set(run)) == 1
    assert len(run[0]) > 100


def test_words_without_a_meaning_of_their_own_are_those_of_english_and_of_the_text_s_language() -> None:
    """As terms are: *dans* is «dan» there."""
    assert {"the", "wird", "uber"} <= reading.empty_words("Die Sicherung wird über Nacht geschrieben")
    assert "dan" in reading.empty_words("Le cache est vidé dans la nuit")
    assert (
        reading.empty_words("The pod is started with the node") == reading.STOP_WORDS == reading.empty_words("pod door")
    )


def test_a_text_in_another_language_is_found_by_its_stems_behind_all_else() -> None:
    """Behind its mark, function words left out, whatever case; what English has is as it was."""
    text = "Die Verbindungen der UTF-8 Datenbank"
    assert reading.indexed(text, code="de") == (
        *("die", "verbindungen", "der", "utf", "8", "datenbank", "utf8"),
        *("de~", "de~verbind", "de~utf", "de~datenbank"),
    )
    assert reading.indexed(text, code="en") == reading.indexed(text) == reading.indexed(text, code="")
    assert reading.indexed("und 42", code="de") == ("und", "42")
    assert reading.stems("İstanbul'da kitaplar", "tr") == ("tr~istanbul", "tr~kitap")
    assert reading.stems("utf8 refresh_token Straße STRASSEN Stra\u00dfe e\u0301te\u0301", "de") == (
        *("de~strass",) * 3,
        "de~ete",
    )
    assert reading.stemmed("die Verbindungen über UTF-8", "de") == {"verbindungen": "de~verbind", "utf": "de~utf"}


def test_every_letter_there_is_makes_stems_that_full_text_keeps_as_they_are() -> None:
    """In lower case, without spaces, no longer than a term: signs of several words and small capitals are letters."""
    odd = "".join(f"a{chr(code)}bc " for code in range(0x80, 0x30000) if not 0xD800 <= code < 0xE000)
    for stem in {*reading.stems(odd, "de"), *reading.stems(odd.upper(), "tr"), *reading.stems("\ufdfa" * 99, "fr")}:
        assert stem == stem.casefold()
        assert not any(map(str.isspace, stem))
        assert len(stem) <= len("de~") + 64
    bold = "".join(chr(0x1D400 + ord(letter) - ord("A")) for letter in "VERBINDUNG")
    assert reading.stems(bold, "de") == ("de~verbind",)
    assert reading.stems("Ver\u00adbindungen Daten\u200bbanken", "de") == ("de~verbind", "de~datenbank")
    assert len(set(reading.stems("BAĞLANTI bağlantı Bağlantı", "tr"))) == 1


@given(st.text(max_size=200), st.sampled_from(tuple(reading.LANGUAGES)))
def test_stems_stand_behind_the_words_and_no_term_is_one(text: str, code: str) -> None:
    """Whatever the text: nothing that is found without a language is lost by it, and a query asks for none unawares."""
    plain, found = reading.indexed(text), reading.indexed(text, code=code)
    assert found[: len(plain)] == plain
    assert all(each.startswith(f"{code}~") for each in found[len(plain) :])
    assert not any(set(each) & set(' \t\n"') for each in found)
    assert not any("~" in term for term in reading.terms(text))
    assert reading.language(text) in {"", "en", *reading.LANGUAGES}


def test_many_threads_agree_on_roots() -> None:
    """No stemmer is shared between them."""
    words = [f"{stem}{ending}" for stem in ("walk", "jump", "form", "sail") for ending in ("ing", "ed", "er", "s")]
    expected = [reading.root(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: [reading.root.__wrapped__(word) for word in words * 50], range(8)))
    assert all(each == expected * 50 for each in found)


def test_singular_and_plural_and_accent_meet() -> None:
    """Both forms of a word give the same term."""
    for one, other in [("query", "Queries"), ("cache", "CACHES"), ("café", "cafes"), ("matrix", "matrices")]:
        assert reading.terms(one) == reading.terms(other)


def test_different_words_do_not_meet() -> None:
    """Folding is light: words of different meaning stay apart."""
    for one, other in [("organ", "organise"), ("C", "C++"), ("new", "news"), ("univers", "university")]:
        assert reading.terms(one) != reading.terms(other)


@given(texts)
def test_a_term_finds_itself(text: str) -> None:
    """Each term, used as a query, yields itself; none is long, none holds white space."""
    for term in reading.terms(text):
        assert term in reading.terms(term)
        assert 0 < len(term) <= 64
        assert not any(character.isspace() for character in term)


@given(st.text(alphabet="abcXY_.'12 -", max_size=60))
def test_other_scripts_nearby_change_no_term(text: str) -> None:
    """A text gives the same terms whether or not something in another script follows."""
    assert reading.terms(text + " 水") == (*reading.terms(text), "水")


LATIN = st.text("abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=9)


@given(LATIN, st.data())
def test_whatever_one_slip_makes_of_a_word_is_an_edit_of_it_and_the_other_way_round(
    word: str, data: st.DataObject
) -> None:
    """Swapped, left out, put in or in place of another: each is found, once, and leads back."""
    at = data.draw(st.integers(0, len(word)))
    letter = data.draw(st.sampled_from("aqz"))
    head, tail = word[:at], word[at:]
    slips = {head + letter + tail, head + tail[1:], head + letter + tail[1:], head + tail[1:2] + tail[:1] + tail[2:]}
    near = reading.edits(word)
    assert slips - {word} <= set(near)
    assert len(near) == len(set(near))
    assert all(word in reading.edits(slip) for slip in slips - {word})


def test_two_slips_are_not_one() -> None:
    """The twin: what is further away is no edit."""
    assert not {"policy", "plicoy", "pol"} & set(reading.edits("polcyi"))
    assert len(reading.edits("abcde")) == 4 + 5 + 6 * 26 - 5 + 5 * 25


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("привте", "привет"),
        ("приет", "привет"),
        ("καλημρα", "καλημερα"),
        ("שלם", "שלום"),
        ("مكتة", "مكتبة"),
        ("գիք", "գիրք"),
    ],
)
def test_letters_that_are_put_in_are_of_the_words_own_script(word: str, meant: str) -> None:
    """And of no other."""
    near = reading.edits(word)
    assert meant in near
    assert not any(each.isascii() for each in near if len(each) > 1)


def test_in_a_script_of_no_alphabet_letters_are_swapped_and_left_out() -> None:
    """There is no end to what could be put in."""
    assert reading.edits("長頸鹿") == ("頸長鹿", "長鹿頸", "頸鹿", "長鹿", "長頸")


def test_over_long_tokens_are_clipped() -> None:
    """A token of any length becomes a term of 64 characters."""
    assert reading.terms("x" * 5000) == ("x" * 64,)


def test_terms_are_fast() -> None:
    """A text of 90 words takes well under 0.3 ms (best of many, so that a busy machine does not fail it)."""
    text = (PROSE * 4)[:620]
    best = float("inf")
    for _ in range(200):
        began = time.thread_time()
        reading.terms(text)
        best = min(best, time.thread_time() - began)
    assert best < 0.0003


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_take_linear_time(name: str) -> None:
    """Megabytes of one pattern are read in seconds, never in minutes."""
    text = HOSTILE[name]
    verbs: list[Callable[[str], object]] = [
        reading.terms,
        reading.split,
        reading.grams,
        reading.proper_names,
        reading.fold,
        reading.digest,
        lambda text: reading.clean(text, field="content", limit=10_000_000),
        lambda text: reading.snippet(text, ["a"], start=0, end=len(text)),
    ]
    began = time.thread_time()
    for verb in verbs:
        verb(text)
    assert time.thread_time() - began < 20


def test_clean_drops_what_no_reader_sees() -> None:
    """Controls, bidi marks, tags and zero-width characters go; newlines and tabs stay."""
    dirty = "a\x01b\u202ec\u200bd\U000e0041e\ufefff\tg\r\nh\ri\u2028j\x85k\x1bl"
    assert reading.clean(dirty, field="content", limit=100) == "abcdef\tg\nh\ni\nj\nkl"


def test_clean_keeps_what_scripts_and_emoji_need() -> None:
    """Persian joiners, accents as given and emoji sequences survive."""
    for text in ["می\u200cخواهم", "e\u0301 é", "👩\u200d💻 ❤\ufe0f 1\ufe0f\u20e3", "ﬁ İ"]:
        assert reading.clean(text, field="title", limit=100) == text


def test_clean_drops_joiners_that_could_carry_a_hidden_message() -> None:
    """Runs of joiners, or joiners between Latin letters, are no text."""
    assert reading.clean("ab\u200dc\u200c\u200d\u200cd é\u200d\u200cé", field="title", limit=100) == "abcd éé"


def test_clean_refuses_half_a_surrogate_pair_and_names_the_field() -> None:
    """What cannot be stored is refused, with its place."""
    with pytest.raises(InvalidArgument, match=r"reasoning .* character 2"):
        reading.clean("ab\ud800", field="reasoning", limit=100)


@pytest.mark.parametrize("text", ["ab\0", "ab\0\u200b", "ab\0é"])
def test_clean_refuses_a_nul_and_names_the_field(text: str) -> None:
    """It is never meant; the same text without it is let in."""
    with pytest.raises(InvalidArgument, match="reasoning holds a NUL at character 2"):
        reading.clean(text, field="reasoning", limit=100)
    assert reading.clean(text.replace("\0", ""), field="reasoning", limit=100).startswith("ab")


def test_clean_refuses_what_is_too_long_and_names_the_limit() -> None:
    """The message holds the field, the length and the limit."""
    with pytest.raises(InvalidArgument, match=r"title is too long: 201 characters, and at most 200"):
        reading.clean("x" * 201, field="title", limit=200)
    assert reading.clean("x" * 200 + "\u200b", field="title", limit=200) == "x" * 200


@given(texts.map(lambda text: text.replace("\0", "")))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    """Clean text is clean."""
    once = reading.clean(text, field="content", limit=10_000)
    assert reading.clean(once, field="content", limit=10_000) == once


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("  Self-Attention\n ", "self-attention"),
        ('"Attention is  all you need".', "attention is all you need"),
        ("C++", "c++"),
        ("C#", "c#"),
        (".NET", ".net"),
        ("`refresh_token`", "refresh_token"),
        ("ＦＵＬＬ width", "full width"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("...", "..."),
        ("Who?", "who"),
    ],
)
def test_fold_examples(name: str, folded: str) -> None:
    """Names that people take for one are one."""
    assert reading.fold(name) == folded


@given(texts)
def test_folding_twice_changes_nothing_more(name: str) -> None:
    """A folded name is a folded name, and it has no white space at its ends."""
    once = reading.fold(name)
    assert reading.fold(once) == once
    assert once == once.strip()


@given(st.text(alphabet="aBc .-'_+#\n(\"éß日語", max_size=80))
def test_a_gram_is_the_folded_slice(text: str) -> None:
    """What is looked up among names is what stands at the offsets."""
    for run, start, end in reading.grams(text):
        assert run == reading.fold(text[start:end])


def test_names_are_found_in_a_text() -> None:
    """A title of up to six words is among the grams, whatever its case, breaks or punctuation."""
    text = 'They built on "Attention is all\nyou need" in C++, C# and .NET; node.js came later. 日本語です'
    found = {run for run, _, _ in reading.grams(text)}
    for name in ["Attention Is All You Need", "C++", "C#", ".NET", "Node.js", "日本語"]:
        assert reading.fold(name) in found
    assert "later" in found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("分布式缓存一致性协议", "我们讨论了分布式缓存一致性协议的问题"),
        ("会议记录：二零二四年三月", "见《会议记录：二零二四年三月》。"),
        ("コンテナオーケストレーション", "コンテナオーケストレーションについて"),
        ("ฐานข้อมูลเชิงสัมพันธ์", "เราใช้ฐานข้อมูลเชิงสัมพันธ์ทุกวัน"),
    ],
)
def test_a_name_of_several_words_is_found_in_scripts_without_spaces(name: str, text: str) -> None:
    """There a character is not a word: six of them are two or three."""
    assert reading.fold(name) in {run for run, _, _ in reading.grams(text)}


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Use JWT, for_access!", "use-jwt-for-access"),
        ("कैश परत", "कैश-परत"),
        ("การติดตั้ง", "การติดตั้ง"),
        ("ශ්\u200dරී ලංකා", "ශ්රී-ලංකා"),
        ("会议记录：三月", "会议记录-三月"),
        ("e\u0301te\u0301", "été"),
        ("…!", ""),
    ],
)
def test_a_name_of_a_file_keeps_the_marks_of_its_letters(name: str, slug: str) -> None:
    """Vowels and tones that stand above or below a letter are no gaps between words."""
    assert reading.slug(name, most=80) == slug


@given(texts, st.integers(0, 40))
def test_a_name_of_a_file_is_short_and_holds_nothing_odd(name: str, most: int) -> None:
    """Bytes are counted, and no character is cut in two."""
    slug = reading.slug(name, most=most)
    assert len(slug.encode()) <= most
    assert not set(slug) & set(" /\\.\n\0:_")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("She was born in Ashby, in Marlow County.", ("Ashby", "Marlow County")),
        ("The Duke of Wend met the University of the Arts.", ("Duke of Wend", "University of the Arts")),
        ("Water boils. Heat rises. NASA flew.", ("NASA",)),
        ("by Étienne Dupré's press, in AB or A", ("Étienne Dupré's",)),
        ("nothing is written large here, 日本語", ()),
        ("", ()),
        ("by Alpha Beta Gamma Delta Epsilon Zeta Eta alone", ()),
        (
            "as Tuesday Weld met Jan, 3 years old, in Mars 2020, by March Air",
            ("Tuesday Weld", "Jan", "Mars 2020", "March Air"),
        ),
    ],
)
def test_proper_names_are_runs_of_words_with_capitals(text: str, names: tuple[str, ...]) -> None:
    """A word that only opens a sentence is none, nor a run longer than six words."""
    assert reading.proper_names(text) == names


@pytest.mark.parametrize(
    "date",
    [
        *(
            "June 2026",
            "January",
            "15 June 2026",
            "June 15, 2026",
            "3rd of April",
            "May 3",
            "May and June 2027",
            "June's",
        ),
        *(
            "Tuesday",
            "Tuesdays",
            "Monday 2 June",
            "Friday, 4 December",
            "Thu, 12 Feb",
            "Feb. 12",
            "3rd of Sept",
            "Sept 2025",
        ),
        *(
            "Dienstag",
            "Mittwochs",
            "3. M\u00e4rz 2026",
            "Mart 2026",
            "Agustus 2026",
            "January and February",
            "MAY 2026",
        ),
    ],
)
@pytest.mark.parametrize("text", ["we went there on {} with her", "as «{}», was said", "in {}"])
def test_days_and_months_are_no_names(text: str, date: str) -> None:
    """Alone, with a year or with a number, in the languages that give them capitals."""
    assert reading.proper_names(text.format(date)) == ()


@pytest.mark.parametrize(
    ("text", "named", "not_named"),
    [
        ("パンダは竹を食べる", ["パンダ"], ["パン", "ンダ"]),
        ("アメリカンコーヒーと、リソースやコンテキスト", ["コーヒー"], ["アメリカ", "ソース", "テキスト"]),
        ("データベースエラーの一覧", ["データベース", "エラー", "データベースエラー"], ["タベース", "ベースエ"]),
        ("メール・アドレスとメール、ﾒｰﾙ", ["メール", "アドレス"], ["レス"]),
        ("데이터베이스는 회의사항을 기록한다", ["데이터베이스", "회의", "기록"], ["의사", "이스", "사항"]),
        ("제도로 정했다", ["제도"], ["도로"]),
        ("AI모델과 API서버", ["모델", "서버", "ai모델"], []),
        ("我家的猫很可爱", ["猫很可爱", "家的"], []),
    ],
)
def test_names_in_katakana_and_hangul_are_no_parts_of_other_words(
    text: str, named: list[str], not_named: list[str]
) -> None:
    """A compound of whole words names them; of Hangul, whose words are parted, what a word begins with counts."""
    found = {run for run, _, _ in reading.grams(text)}
    assert found.issuperset(named)
    assert found.isdisjoint(not_named)


@given(texts, st.integers(0, 9))
def test_any_text_begins_somehow(text: str, length: int) -> None:
    """With itself, folded, among others, and in bounded time."""
    begun = beginnings(text, length=length)
    assert 1 <= len(begun) <= 256
    assert caseless(text).startswith(begun)


@given(st.text(alphabet="aAsSßẞiIİάΆαςΣυΰϋևéÉмМ猫", min_size=1, max_size=8), st.integers(0, 5))
def test_a_name_begins_as_its_spellings_in_other_cases_say(name: str, length: int) -> None:
    """Whichever of them is asked for; their number is bounded."""
    for spelt in (name, name.lower(), name.upper(), name.title(), name.swapcase()):
        begun = beginnings(spelt, length=length)
        assert 1 <= len(begun) <= 256
        assert caseless(spelt) != caseless(name) or name.startswith(begun)


def test_grams_do_not_reach_over_a_blank_line() -> None:
    """Two paragraphs never make one name."""
    found = {run for run, _, _ in reading.grams("first part\n\nsecond part")}
    assert "first part" in found
    assert not any("part second" in run for run in found)


MARKS = "".join(filter(unicodedata.combining, map(chr, range(0x110000)))) + "\u0f73\u0f75\u0f81\uff9e\uff9f"


@given(st.text(alphabet=MARKS + "ae\u00e0\u30ab\uff76\uac00\u1100\u1161", min_size=30, max_size=150))
def test_letters_with_many_marks_have_the_normal_forms_of_unicode(text: str) -> None:
    """Whatever the marks and their order; beyond thirty on one letter they are put in order here."""
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert reading.normalized(form, text) == unicodedata.normalize(form, text)


def test_every_sign_that_becomes_a_mark_is_known_as_one() -> None:
    """Those that are of no class themselves too, each beside a mark of another class: it would have to be exchanged."""
    signs = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    becomes = [sign for sign in signs if unicodedata.combining(unicodedata.normalize("NFKD", sign)[0])]
    assert set(becomes) == set(MARKS)


def test_identical_texts_have_one_digest() -> None:
    """White space and composed accents do not make a text another; a word does."""
    assert reading.digest("café  au\nlait ") == reading.digest("cafe\u0301 au lait")
    assert reading.digest("café au lait") != reading.digest("cafe au lait")


@given(texts | st.sampled_from(sorted(HOSTILE)).map(lambda name: HOSTILE[name][:20_000]))
def test_passages_cover_the_text(text: str) -> None:
    """Spans follow on one another from the first character to the last, none too long, none too many."""
    spans = reading.split(text)
    assert spans[0].start == 0
    assert spans[-1].end == len(text)
    assert all(left.end == right.start for left, right in pairwise(spans))
    assert all(end > start for start, end in spans) or text == ""
    assert all(end - start <= 900 for start, end in spans)
    assert len(spans) <= 500


def test_the_empty_text_is_one_empty_span() -> None:
    """There is always a passage."""
    assert reading.split("") == (reading.Span(0, 0),)


def test_a_megabyte_is_at_most_500_passages() -> None:
    """Beyond what 500 passages can hold, passages grow."""
    for text in HOSTILE.values():
        spans = reading.split(text)
        assert len(spans) <= 500
        assert spans[-1].end == len(text)


def test_passages_end_where_the_text_pauses() -> None:
    """Headings start a passage; prose is cut after sentences, at about 90 to 130 words."""
    text = "# One\n\n" + PROSE * 3 + "\n\n## Two\n\n" + PROSE * 6
    spans = reading.split(text)
    assert any(text[start:end].startswith("## Two") for start, end in spans)
    assert all(text[start:end].rstrip().endswith(".") for start, end in spans)
    assert all(40 <= len(text[start:end].split()) <= 130 for start, end in spans)


@pytest.mark.parametrize(
    "sentence",
    [
        "बैठक सोमवार सुबह नौ बजे शुरू होती है और सभी लोग आते हैं। ",
        "کیا اجلاس پیر کی صبح نو بجے شروع ہوتا ہے اور سب آتے ہیں؟ ",
        "اجلاس پیر کی صبح نو بجے شروع ہوتا ہے اور سب آتے ہیں۔ ",
        "هل يبدأ الاجتماع صباح يوم الاثنين في الساعة التاسعة؟ ",
        "ժողովը սկսվում է երկուշաբթի առավոտյան ժամը իննին։ ",
        "ስብሰባው ሰኞ ጠዋት በሦስት ሰዓት ይጀምራል። ",
        "他说：「会议星期一早上九点开始，所有的人都来。」",
    ],
)
def test_passages_end_at_sentences_in_every_script(sentence: str) -> None:
    """By the marks that end one there, and what closes a quotation behind them."""
    text = sentence * 60
    spans = reading.split(text)
    assert len(spans) > 2
    assert all(text[start:end].endswith(sentence) for start, end in spans)


def test_a_snippet_shows_the_words() -> None:
    """The window is where most of the words are, on one line, within the limit, marked where it was cut."""
    text = PROSE * 5 + "Here the refresh tokens\nrotate every hour. " + PROSE * 5
    piece = reading.snippet(text, reading.terms("refresh token rotate"), start=0, end=len(text), limit=120)
    assert "refresh tokens rotate" in piece
    assert len(piece) <= 120
    assert piece.startswith("…")
    assert piece.endswith("…")


@given(texts, st.integers(min_value=20, max_value=100))
def test_snippets_stay_within_their_limit(text: str, limit: int) -> None:
    """Any text, any limit."""
    piece = reading.snippet(text, ["a", "日本"], start=0, end=len(text), limit=limit)
    assert len(piece) <= limit
    assert "\n" not in piece
