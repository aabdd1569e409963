"""Days and months as one word each, however they are written: *14 March 2026* and *2026-03-14* are ``20260314``."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from weft.text.scripts import PACKED
from weft.text.tokens import bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["BEGINS", "ENDS", "date", "dates", "is_calendar", "month", "places", "worded"]

# As Unicode's Common Locale Data Repository has them, without accents and in lower case: by themselves and in a date.
_MONTHS_IN_FULL: Final = (
    "january february march april may june july august september october november december",  # English
    "januar februar marz april mai juni juli august september oktober november dezember",  # German
)
_MONTHS_WITH_CAPITALS: Final = (
    *_MONTHS_IN_FULL,
    "jan feb mar apr may jun jul aug sep oct nov dec",  # English
    "jan feb marz apr mai juni juli aug sept okt nov dez",  # German
    "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik",  # Turkish
    "januari februari maret april mei juni juli agustus september oktober november desember",  # Indonesian
)
_MONTHS: Final = (
    *_MONTHS_WITH_CAPITALS,
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",  # French
    "janv fevr mars avr mai juin juil aout sept oct nov dec",  # French
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",  # Spanish
    "ene feb mar abr may jun jul ago sept oct nov dic",  # Spanish
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",  # Portuguese
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",  # Italian
    "januari februari maart april mei juni juli augustus september oktober november december",  # Dutch
    "januari februari mars april maj juni juli augusti september oktober november december",  # Swedish
    "januar februar marts april maj juni juli august september oktober november december",  # Danish
    "januar februar mars april mai juni juli august september oktober november desember",  # Norwegian
    (
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta syyskuuta lokakuuta"
        " marraskuuta joulukuuta"
    ),  # Finnish
    "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesakuu heinakuu elokuu syyskuu lokakuu marraskuu joulukuu",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia",  # Polish
    "styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad grudzien",  # Polish
    "ledna unora brezna dubna kvetna cervna cervence srpna zari rijna listopadu prosince",  # Czech
    "leden unor brezen duben kveten cerven cervenec srpen zari rijen listopad prosinec",  # Czech
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",  # Romanian
    "januar februar marcius aprilis majus junius julius augusztus szeptember oktober november december",  # Hungarian
    "gener febrer marc abril maig juny juliol agost setembre octubre novembre desembre",  # Catalan
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",  # Russian
    "январь февраль март апрель маи июнь июль август сентябрь октябрь ноябрь декабрь",  # Russian
)
_WEEKDAYS_IN_FULL: Final = (
    "monday tuesday wednesday thursday friday saturday sunday",  # English
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag",  # German
)
_WEEKDAYS_SHORT: Final = "mon tue tues wed thu thur thurs fri sat sun"
_ALWAYS: Final = frozenset(" ".join((*_MONTHS_IN_FULL, *_WEEKDAYS_IN_FULL)).split())
_DATED: Final = _ALWAYS.union(" ".join((*_MONTHS_WITH_CAPITALS, _WEEKDAYS_SHORT)).split())
_FORM: Final = re.compile(r"(?<=day|tag|och)s$|'s$")  # Tuesdays, June's
_BY_NAME: Final = {name: at for names in _MONTHS for at, name in enumerate(names.split(), 1)}

BEGINS: Final = re.compile(rf"(?:(?<![\w:/.-])|(?<=[{PACKED}]))")
"""Where a number begins that is no part of a longer one, or of an address."""
ENDS: Final = re.compile(rf"(?:(?![\w:/-]|\.\d)|(?=[{PACKED}]))")
"""Where such a number ends."""

_YEAR: Final = r"(?P<year>[12]\d{3})"
_NAMED: Final = r"(?P<month>[^\W\d_]{3,12})\.?"
_NUMBERED: Final = r"(?P<month>\d{1,2})"
_DAY: Final = r"(?P<day>\d{1,2})"
_ALONE: Final = r"(?<!\d)(?<!\d[-/.])"
_THEN_YEAR: Final = rf"[\s,-]{{1,3}}(?:(?:of|del?)\s{{1,3}})?{_YEAR}(?!\w)"
_DATES: Final = tuple(
    map(
        re.compile,
        (
            rf"{_ALONE}{_YEAR}(?P<by>[-/.]){_NUMBERED}(?P=by){_DAY}(?!\d|\.\d)",
            rf"{_ALONE}{_DAY}(?P<by>[-/.]){_NUMBERED}(?P=by){_YEAR}(?!\d|\.\d)",
            rf"(?<![\w.]){_DAY}(?:st|nd|rd|th|er|[.º])?[\s-]{{1,3}}(?:(?:of|de)\s{{1,3}}|d['’])?{_NAMED}{_THEN_YEAR}",
            rf"(?<!\w){_NAMED}\s{{1,3}}(?:\d{{1,2}}\s?[-–]\s?)?{_DAY}(?:st|nd|rd|th)?,?\s{{1,3}}{_YEAR}(?!\w)",
            rf"(?<![\w.]){_YEAR}\.?[\s-]{{1,3}}{_NAMED}[\s-]{{1,3}}{_DAY}(?!\w)",
            rf"(?<!\d){_YEAR}\s?[年년]\s?{_NUMBERED}\s?[月월](?:\s?{_DAY}\s?[日号일])?",
            rf"(?<!\w){_NAMED}{_THEN_YEAR}",
            rf"(?<![\w.-]){_YEAR}-(?P<month>0[1-9]|1[0-2])(?![\w-])",
        ),
    )
)
_MAYBE: Final = re.compile(r"[12]\d{3}")
_BEFORE: Final = 48  # characters before a year, and after it, in which all of a date stands
_AFTER: Final = 32
_MONTHS_A_YEAR: Final = 12
_YEAR_DIGITS: Final = 4
_MONTH_DIGITS: Final = 6  # with those of the year


def dates(text: str) -> dict[str, str]:
    """Return the days and months with their year that ``text`` names: by their digits, each as it first stands there.

    A day is eight digits (``20260314``); it names its month too (``202603``, as *2026-03*). Read are days and months in
    digits, year first or last, and with the name of the month in the languages that :func:`month` knows. What could be
    read in two ways (*03/04/2026*) names nothing, nor does what no calendar has; of digits with points the day comes
    first.
    """
    found: dict[str, str] = {}
    for match in _matches(text):
        digits = _digits(match)
        found.setdefault(digits, match[0])
        found.setdefault(digits[:_MONTH_DIGITS], f"{digits[:_YEAR_DIGITS]}-{digits[_YEAR_DIGITS:_MONTH_DIGITS]}")
    found.pop("", None)
    return found


def date(text: str) -> str:
    """Return the digits of the day or the month that ``text`` is, without anything else; empty: it is none."""
    return next((digits for match in _matches(text) if match[0] == text and (digits := _digits(match))), "")


def places(text: str) -> list[tuple[int, int]]:
    """Return where in ``text`` dates begin and end, from left to right, without those in a longer date or name."""
    found: list[tuple[int, int]] = []
    for start, end in sorted((match.span() for match in _matches(text) if _digits(match)), key=_longest_first):
        if (not found or end > found[-1][1]) and BEGINS.match(text, start) and ENDS.match(text, end):
            found.append((start, end))
    return found


def worded(text: str) -> list[str]:
    """Return the parts of ``text`` that white space parts, with each date in one of its own."""
    parts, at = list[str](), 0
    for start, end in places(text):
        parts += [*text[at:start].split(), text[start:end]]
        at = end
    return [*parts, *text[at:].split()]


@lru_cache(maxsize=1_024)
def month(name: str) -> int:
    """Return which month (1..12) is called so; 0: none.

    Known are names in English, seventeen languages more that are written in Latin letters (those whose words are
    stemmed), and Russian, in any case, with accents or without.
    """
    return _BY_NAME.get(bare(name.casefold()), 0)


def is_calendar(words: Sequence[str], *, dated: bool = False) -> bool:
    """Return whether ``words`` are names of days and months, or numbers, and nothing besides.

    Known are those of English and German, and the months of Turkish and Indonesian: languages that give them capitals,
    as names have. With a number, among them or beside them (``dated``), they may be shortened; without one those of
    English and German count that are written in full, since people are called *Jan* and *Mart*.
    """
    said = [_FORM.sub("", bare(word.casefold())) for word in words]
    named = [word for word in said if not word.isdecimal()]
    return _DATED.issuperset(named) if dated or len(named) < len(said) else _ALWAYS.issuperset(named)


def _longest_first(place: tuple[int, int]) -> tuple[int, int]:
    return place[0], -place[1]


def _matches(text: str) -> Iterator[re.Match[str]]:
    """Yield what looks like a date, where a year stands near: that spares most of a long text."""
    for start, end in _near_years(text):
        for pattern in _DATES:
            yield from pattern.finditer(text, start, end)


def _near_years(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places, from left to right, outside which there is no date."""
    start, end = 0, -_BEFORE - 1
    for year in _MAYBE.finditer(text):
        if year.start() - _BEFORE > end:
            if end > 0:
                yield start, end
            start = max(year.start() - _BEFORE, 0)
        end = year.end() + _AFTER
    if end > 0:
        yield start, end


def _digits(match: re.Match[str]) -> str:
    """Return the digits of a day or a month; empty: no calendar has it, or it may be one of two."""
    year, at, day = _numbers(match)
    if not day:
        return f"{year}{at:02}" if at in range(1, _MONTHS_A_YEAR + 1) else ""
    try:
        return f"{dt.date(year, at, day):%Y%m%d}"
    except ValueError:
        return ""


def _numbers(match: re.Match[str]) -> tuple[int, int, int]:
    """Return year, month (0: none, or it may be one of two) and day (0: none is named)."""
    parts = match.groupdict()
    said, year, day = parts["month"], int(parts["year"]), int(parts.get("day") or 0)
    at = int(said) if said.isdecimal() else month(said)
    if parts.get("by", ".") != "." and match.start("day") < match.start("month") and at != day:
        return (year, day, at) if at > _MONTHS_A_YEAR else (year, at if day > _MONTHS_A_YEAR else 0, day)
    return year, at, day
