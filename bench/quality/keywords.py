"""Keywords as queries: does a document that holds what is meant come first?

Asked of the documents of a collection: a word that no other one holds in any form (*one word*); *two words* that two to
four hold each, wherever they stand, and *two words and one* more that at least a fifth hold; *four words* that four to
a fifth of them hold each; a *request*, which has two or three neighbouring words of its title after one that says what
to do («add retry policy»), and no more need be in it; a *heading* of two to five words that no other one has; a
*number* of two digits or more that no other one holds, and this *among two* or *among four* of those common words; a
*day* (2026-03-14), the day among *minutes* and in a *question* («What was decided on 2026-03-14?»), and a *day,
otherwise* than the document writes it: «14 March 2026» where it has figures, figures where it has the month's name. Any
document that holds the day, however written, may answer. All words but that of a request are drawn from the document
that is asked for. The numbers by which documents name each other are masked. The anchors rank the whole documents.
"""

from __future__ import annotations

import random
import re
from calendar import month_name
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from excerpts import answered, averaged
from linking import folder_of, masked
from sets import half

from weft.text import content_roots, root, terms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from anchors import Anchors
    from sets import DataSet, Half

    Query = tuple[str, str, frozenset[str]]  # a document's row, what is asked, and the rows that answer it

WORD = re.compile(r"(?<![\w'’])[A-Za-z][A-Za-z0-9_]{3,}(?![\w'’])")
HEADING = re.compile(r"^#{2,4} +(.{,80})$|^(.{,80})\n[=\-~^]{4,}$", re.MULTILINE)
NUMBER = re.compile(r"(?<![\w.])\d[\d.,:-]*\d(?![\w])")
DAY = re.compile(r"(?<![\w-])(?:19|20)\d\d-(?:0[1-9]|1[0-2])-[0-3]\d(?![\w-])")
MONTHS = [*month_name][1:]
MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" for month in MONTHS) + "|Sept"
ORDINAL = r"([0-3]?\d)(?:st|nd|rd|th)?"
NAMED_DAY = re.compile(
    rf"(?<![\w-])(?:{ORDINAL}[ -]({MONTH})|({MONTH})\.? {ORDINAL}),?[ -]((?:19|20)\d\d)(?![\w-])", re.IGNORECASE
)
FEW = 4  # documents that hold one of two words
FOUR = 4
WORDS_MAX = 5  # of a heading
TO_DO = ("add", "allow", "change", "check", "create", "handle", "improve", "move", "new", "remove", "use")
COMMON = 0.2  # of the documents hold a common word


def measured(data: DataSet, which: Half, anchors: Anchors, keep: Path) -> dict[str, Any]:
    """Return for each form how many were asked and how often each system has an answer first, in percent."""
    figures = {}
    for form, queries in drawn(data, which).items():
        found = answered(data, [(row, query) for row, query, _ in queries], anchors, keep)
        first = {
            who: [float(bool(answers.intersection(ids[:1]))) for (*_, answers), ids in zip(queries, each, strict=True)]
            for who, each in found.items()
        }
        figures[form] = averaged(first, len(queries))
    return {"asked": figures} if figures else {}


def drawn(data: DataSet, which: Half) -> dict[str, list[Query]]:
    """Return what is asked of that half of the documents, by form."""
    chosen = [row["id"] for row in half(data.nodes, which)]
    asked: dict[str, list[Query]] = defaultdict(list)
    for holdings in _holdings(data):
        for row in filter(holdings.contents.__contains__, chosen):
            for form, query, answers in _queries(row, holdings):
                asked[form].append((row, query, answers))
    return asked


@dataclass(frozen=True)
class Holdings:
    """The documents of a collection with titles, how many have a heading or hold a root, and which hold a number."""

    contents: Mapping[str, str]
    titles: Mapping[str, str]
    headings: Counter[str]
    words: Counter[str]
    numbers: Mapping[str, frozenset[str]]
    days: Mapping[str, frozenset[str]]


def _holdings(data: DataSet) -> Iterator[Holdings]:
    collections: dict[str, dict[str, str]] = defaultdict(dict)
    titles = {row["id"]: row["title"] for row in data.nodes}
    for row, text in zip(data.nodes, masked(data), strict=True):
        collections[folder_of(row)][row["id"]] = f"{row['title']}. {text}"
    for contents in collections.values():
        numbers = _holders({row: NUMBER.findall(text) for row, text in contents.items()})
        days = _holders({row: [*DAY.findall(text), *_named_days(text)] for row, text in contents.items()})
        words = Counter(each for text in contents.values() for each in set(map(root, terms(text))))
        headings = Counter(each for text in contents.values() for each in {*_headings(text)})
        yield Holdings(contents, titles, headings, words, numbers, days)


def _holders(held: Mapping[str, Sequence[str]]) -> dict[str, frozenset[str]]:
    """Return for each thing the rows that hold it."""
    rows: dict[str, set[str]] = defaultdict(set)
    for row, things in held.items():
        for thing in things:
            rows[thing].add(row)
    return {thing: frozenset(those) for thing, those in rows.items()}


def _queries(row: str, held: Holdings) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield what is asked of a document: the form, the query, and what answers it."""
    chance, itself, text = random.Random(row), frozenset({row}), held.contents[row]
    cut = {word: terms(word) for word in sorted(set(WORD.findall(text)))}
    holders = {word: held.words[root(only)] for word, (only, *rest) in cut.items() if not rest}
    alone = [word for word, count in holders.items() if count == 1]
    shared = [word for word, count in holders.items() if 1 < count <= FEW]
    most = COMMON * len(held.contents)
    common = [word for word, count in holders.items() if count >= most and count > FEW and content_roots(word)]
    telling = [word for word, count in holders.items() if FEW <= count < most and content_roots(word)]
    if alone:
        yield "one word", chance.choice(alone), itself
    if len(shared) > 1:
        pair = chance.sample(shared, 2)
        yield "two words", " ".join(pair), itself
        if common:
            yield "two words and one", " ".join((*pair, chance.choice(common))), itself
    for form, query in _numbered(chance, text, held.numbers, common):
        yield form, query, itself
    yield from _dated(chance, text, held.days)
    for form, query in _requests(held.titles[row], random.Random(row)):
        yield form, query, itself
    own = [heading for heading in _headings(text) if held.headings[heading] == 1]
    if own:
        yield "heading", chance.choice(own), itself
    if len(telling) >= FOUR:
        yield "four words", " ".join(chance.sample(telling, FOUR)), itself
    yield from _otherwise(chance, text, held.days)


def _requests(title: str, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Yield what somebody asks who is about to work on what a document is titled for."""
    words = [word.lower() for word in WORD.findall(title) if content_roots(word)]
    told = [word for word in words if word not in TO_DO]
    for form, count in (("request, three words", 2), ("request, four words", 3)):
        if len(told) >= count:
            first = chance.randrange(len(told) - count + 1)
            yield form, " ".join((chance.choice(TO_DO), *told[first : first + count]))


def _headings(text: str) -> list[str]:
    """Return what a document's parts are called, in two to five words that mean something."""
    found = ("".join(parts).strip() for parts in HEADING.findall(text))
    return sorted({heading for heading in found if 1 < len(content_roots(heading)) <= WORDS_MAX})


def _numbered(
    chance: random.Random, text: str, numbers: Mapping[str, frozenset[str]], common: Sequence[str]
) -> Iterator[tuple[str, str]]:
    own = sorted(number for number in set(NUMBER.findall(text)) if len(numbers[number]) == 1)
    if not own:
        return
    number = chance.choice(own)
    yield "number", number
    if len(common) >= FEW:
        first, second, *others = chance.sample(common, FEW)
        yield "number among two", f"{first} {number} {second}"
        yield "number among four", " ".join((first, second, number, *others))


def _dated(
    chance: random.Random, text: str, holders: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, str, frozenset[str]]]:
    days = sorted(set(DAY.findall(text)))
    if days:
        day = chance.choice(days)
        yield "day", day, holders[day]
        yield "day, minutes", f"minutes {day}", holders[day]
        yield "day, question", f"What was decided on {day}?", holders[day]


def _otherwise(
    chance: random.Random, text: str, holders: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, str, frozenset[str]]]:
    named = set(_named_days(text))
    in_one_manner = sorted(named.symmetric_difference(DAY.findall(text)))
    if in_one_manner:
        day = chance.choice(in_one_manner)
        yield "day, otherwise", day if day in named else _in_words(day), holders[day]


def _named_days(text: str) -> list[str]:
    """Return in figures the days that ``text`` writes with the name of their month."""
    return [
        f"{year}-{_month(before or after):02}-{int(first or second):02}"
        for first, before, after, second, year in NAMED_DAY.findall(text)
    ]


def _month(name: str) -> int:
    return next(number for number, month in enumerate(MONTHS, 1) if month[:3].lower() == name[:3].lower())


def _in_words(day: str) -> str:
    """Return «14 March 2026» for «2026-03-14»."""
    year, month, number = map(int, day.split("-"))
    return f"{number} {MONTHS[month - 1]} {year}"
