"""The quantities a clause names, as intervals: 0.1 s is 100 ms, «about 100» may be 96, but 568 is not 569."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.reason.lexicon import BEFORE_NAMES, COUNTING, FUNCTION_WORDS, NO_UNIT, PREDICATES
from weft.text import stem

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DAY", "UNITS", "Quantity", "agree", "naming", "quantities"]

DAY: Final = "day of a month"
"""The unit of «14 March»."""


class Quantity(NamedTuple):
    """A number that counts or measures: what (``unit``), between ``low`` and ``high`` in its base unit, as written.

    ``grouped`` says that its point may part thousands, as in German and Spanish: 1.500 is one and a half, or 1,500.
    ``condition``: it measures what is spoken of, and is not what is said of it («a dose of 200 mg improves …»).
    ``former``: it is told as what was («30 minutes, it was 5 minutes before»), where another may say what is.
    """

    unit: str
    low: float
    high: float
    form: str
    grouped: bool = False
    condition: bool = False
    former: bool = False


def agree(one: Quantity, other: Quantity) -> bool:
    """Whether two quantities of one unit may be the same: their intervals share more than an end.

    Where the point of one may part thousands and that of the other may not, either reading will do.
    """
    if one.grouped != other.grouped and _overlap(_ungrouped(one), _ungrouped(other)):
        return True
    return _overlap(_in_either_base(one), other)


def _in_either_base(said: Quantity) -> Quantity:
    """Return a quantity of bytes as widely as a GB may be meant: of 1,000 MB, or of 1,024; others as they are."""
    return said._replace(low=said.low / _BINARY, high=said.high * _BINARY) if said.unit == "bytes" else said


def _overlap(one: Quantity, other: Quantity) -> bool:
    return one.low < other.high and other.low < one.high


def _ungrouped(said: Quantity) -> Quantity:
    return said._replace(low=said.low * 1e3, high=said.high * 1e3) if said.grouped else said


_BINARY: Final = 1.024**3
_AT_LEAST: Final = (
    "at least|no less than|no fewer than|not less than|a minimum of|more than|greater than|over|above|>=?|≥"
)
_AT_MOST: Final = "at most|no more than|not more than|a maximum of|up to|less than|fewer than|under|below|<=?|≤"
_ABOUT: Final = "about|approximately|around|roughly|circa|nearly|almost|some|~|≈"
_ABOUT_SHARE: Final = 0.2  # how far off «about» may be, as a share of the number
_EXACT_SHARE: Final = 0.125  # a last digit is good for half a unit, but for no more than this share of the number
_ROUNDED_MIN: Final = 100.0  # from here on trailing zeros may be rounding …
_ROUNDED_SHARE: Final = 0.05  # … by this share of the number at most
_LENGTH_MAX: Final = 40  # characters of a number that measures: longer ones are keys or digests, which name

_MULTIPLIERS: Final[Mapping[str, float]] = {
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "bil": 1e9,
    "trillion": 1e12,
}
_MONEY_MULTIPLIERS: Final[Mapping[str, float]] = {"k": 1e3, "m": 1e6, "b": 1e9}

_NUMBER_WORDS: Final[Mapping[str, str]] = {
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "eleven": "11",
    "twelve": "12",
    "thirteen": "13",
    "fourteen": "14",
    "fifteen": "15",
    "sixteen": "16",
    "seventeen": "17",
    "eighteen": "18",
    "nineteen": "19",
    "twenty": "20",
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "seventy": "70",
    "eighty": "80",
    "ninety": "90",
}

# Units that measure, with what they measure and how many of its base unit they are.
_UNITS: Final[Mapping[str, tuple[str, float]]] = {
    **dict.fromkeys(("%", "percent", "percentage"), ("%", 1.0)),
    **dict.fromkeys(("ns", "nanosecond"), ("time", 1e-9)),
    **dict.fromkeys(("us", "µs", "microsecond"), ("time", 1e-6)),
    **dict.fromkeys(("ms", "millisecond"), ("time", 1e-3)),
    **dict.fromkeys(("s", "sec", "second"), ("time", 1.0)),
    **dict.fromkeys(("min", "minute"), ("time", 60.0)),
    **dict.fromkeys(("h", "hr", "hour"), ("time", 3600.0)),
    **dict.fromkeys(("day",), ("time", 86_400.0)),
    **dict.fromkeys(("week",), ("time", 604_800.0)),
    **dict.fromkeys(("month",), ("months", 1.0)),
    **dict.fromkeys(("year",), ("months", 12.0)),
    **dict.fromkeys(("decade",), ("months", 120.0)),
    **dict.fromkeys(("century",), ("months", 1200.0)),
    **dict.fromkeys(("b", "byte"), ("bytes", 1.0)),
    **dict.fromkeys(("kb", "kib", "kilobyte"), ("bytes", 1e3)),
    **dict.fromkeys(("mb", "mib", "megabyte"), ("bytes", 1e6)),
    **dict.fromkeys(("gb", "gib", "gigabyte"), ("bytes", 1e9)),
    **dict.fromkeys(("tb", "tib", "terabyte"), ("bytes", 1e12)),
    **dict.fromkeys(("mm", "millimeter", "millimetre"), ("metres", 1e-3)),
    **dict.fromkeys(("cm", "centimeter", "centimetre"), ("metres", 1e-2)),
    **dict.fromkeys(("m", "meter", "metre"), ("metres", 1.0)),
    **dict.fromkeys(("km", "kilometer", "kilometre"), ("metres", 1e3)),
    **dict.fromkeys(("mile",), ("metres", 1609.344)),
    **dict.fromkeys(("ft", "foot", "feet"), ("metres", 0.3048)),
    **dict.fromkeys(("inch",), ("metres", 0.0254)),
    **dict.fromkeys(("mg", "milligram"), ("grams", 1e-3)),
    **dict.fromkeys(("g", "gram"), ("grams", 1.0)),
    **dict.fromkeys(("kg", "kilogram", "kilo"), ("grams", 1e3)),
    **dict.fromkeys(("lb", "pound"), ("grams", 453.592)),
    **dict.fromkeys(("tonne",), ("grams", 1e6)),
    **dict.fromkeys(("hz", "hertz"), ("hertz", 1.0)),
    **dict.fromkeys(("khz",), ("hertz", 1e3)),
    **dict.fromkeys(("mhz",), ("hertz", 1e6)),
    **dict.fromkeys(("ghz",), ("hertz", 1e9)),
    **dict.fromkeys(("w", "watt"), ("watts", 1.0)),
    **dict.fromkeys(("kw", "kilowatt"), ("watts", 1e3)),
    **dict.fromkeys(("mw", "megawatt"), ("watts", 1e6)),
    **dict.fromkeys(("$", "usd", "dollar"), ("dollars", 1.0)),
    **dict.fromkeys(("€", "eur", "euro"), ("euros", 1.0)),
    **dict.fromkeys(("£", "gbp"), ("pounds", 1.0)),
    **dict.fromkeys(("°c", "celsius"), ("celsius", 1.0)),
    **dict.fromkeys(("°f", "fahrenheit"), ("fahrenheit", 1.0)),
    **dict.fromkeys(("k",), ("number", 1e3)),
}
UNITS: Final = frozenset(_UNITS)
"""The names of units in the singular, and their signs."""


_LETTERS: Final = "a-zµß-öø-ÿā-ž"
_GROUPS: Final = re.compile(r"(?<![\w.,'’-])\d{1,3}(?:[ \u00a0\u2009\u202f'’]\d{3})+(?![\w,'’]|\.\d)")
_MAY_GROUP: Final = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_NUMBER: Final = r"(?>\d{1,3}(?:,\d{3})+|\d+)(?:\.\d++)?"  # no digit is given back: what follows would be another
_ONE: Final = re.compile(
    r"\b(?:one|an?) (?=(?:second|minute|hour|day|week|month|year|decade|century|million|billion)\b)"
)
_HAS_NUMBER: Final = re.compile(rf"\d|\b(?:{'|'.join(_NUMBER_WORDS)}|half|quarters?)\b|{_ONE.pattern}")
_BROKEN: Final = (
    r"(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)|thousand|million|billion|percent"
    r"|miles?|met(?:er|re)s?|kilomet(?:er|re)s?|kilos?|kilograms?|pounds?|tonnes?|gigabytes?|terabytes?)\b"
)
_WHOLE: Final = rf"\d+|an?|one|{'|'.join(_NUMBER_WORDS)}"
_FRACTION: Final = re.compile(
    rf"\b(?P<whole>{_WHOLE}) (?P<unit>{_BROKEN}) and an? (?P<part>half|quarter)\b"  # an hour and a half
    rf"|\b(?P<count>{_WHOLE}) and an? (?P<rest>half|quarter) (?={_BROKEN})"  # one and a half hours
    rf"|\b(?:(?P<most>three quarters)|(?:an? |one )?(?P<less>quarter)) of an? (?={_BROKEN})"
    rf"|\b(?:half an?|an? half|half(?=.hour))[ -](?={_BROKEN})"
    rf"|(?<![\w.,/-])(?:(?P<before>\d+) )?(?P<top>[123])/(?P<bottom>[2348]) (?={_BROKEN})"
)
_NUMBER_WORD: Final = re.compile(r"\b(" + "|".join(_NUMBER_WORDS) + r")\b(?=\s+[a-z])")
# Times of day, numbered names, decimals of a section or version: they name, they do not measure.
_NAMES: Final = re.compile(
    r"\b\d{1,2}(?:[:.]\d\d)?\s?[ap]\.?m\b\.?|\b\d{1,2}:\d\d\b|\bno\.?\s?\d+|(?<!\d)\d+(?:\.\d+){2,}"
)
_QUANTITY: Final = re.compile(
    rf"(?:(?<!\w)(?:(?P<least>{_AT_LEAST})|(?P<most>{_AT_MOST})|(?P<about>{_ABOUT})|(?P<between>between))\s*)?"
    rf"(?P<money>[$€£]\s?)?(?<![\w.,-])(?P<number>{_NUMBER})(?![\d,]*\d)"
    rf"(?:\s?(?:-|to|or|(?(between)and|to))\s?-?(?P<other>{_NUMBER})(?![\d,]*\d))?"
    rf"(?:\s?(?P<times>{'|'.join(_MULTIPLIERS)})\b)?(?P<gap>[\s-]?)(?:de )?(?P<unit>%|°[cf]|[{_LETTERS}]+)?"
)
# «Between 2 ms and 5 ms» and «between one and three» as the others are written: the unit once, numbers in digits.
_BETWEEN: Final = re.compile(
    rf"\bbetween (?:(?P<one>one)(?= and\b)|(?P<low>{_NUMBER})\s?(?P<unit>%|°[cf]|[{_LETTERS}]+) and "
    rf"(?P<high>{_NUMBER})\s?(?P=unit)(?![{_LETTERS}]))"
)
_MONTH_NAMES: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_MONTHS: Final = "|".join(_MONTH_NAMES)
_MONTH_WORDS: Final = tuple(name.casefold().replace("may", "month_may") for name in _MONTH_NAMES)  # «may» is a doubt
_MAY: Final = re.compile(r"\bMay(?= (?:19|20)\d\d\b)")
_YEAR: Final = re.compile(r"(?:1[0-9]|20)\d\d")
_BEFORE_YEAR: Final = frozenset(_MONTH_WORDS) | frozenset(
    {"in", "since", "until", "by", "from", "during", "of", "before", "after", "around"}
)
_BEFORE_NAMED_YEAR: Final = frozenset(
    {"the", "this", "our", "their", "its", "his", "her", "spring", "summer", "autumn", "winter", "early", "late"}
)
_NEXT: Final = re.compile(r"\s*([a-z]+)")
_JOINING: Final = FUNCTION_WORDS - PREDICATES | frozenset(
    {"old", "long", "high", "wide", "deep", "tall", "thick", "large", "away", "ago", "apart", "later", "earlier"}
)
_BEFORE_NUMBER: Final = frozenset({"is", "are", "was", "were", "=", "to", "of", "at", "be", "than"})


_OF_A_NAME: Final = re.compile(r"(?<![\w.,$€£-])(?!(?:1\d|20)\d\d\b)\d[\d,]*(?= ([A-Z][a-z]{2,})(?<!s)\b)")


_DATE: Final = re.compile(
    rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTHS})\b"
    rf"|\b(?P<named>{_MONTHS}) (?P<on>\d{{1,2}})(?:st|nd|rd|th)?\b(?![:.,]\d)(?:,(?= \d{{4}}\b))?"
)
_DIGIT: Final = re.compile(r"\d")
_MARKED_DAY: Final = re.compile(r"\bday_(\d\d)_(\d\d)\b")


def _day(match: re.Match[str]) -> str:
    month = _MONTH_NAMES.index(match["month"] or match["named"]) + 1
    return f"day_{month:02}_{int(match['day'] or match['on']):02}"


_LABEL: Final = re.compile(r"(?<=[\w,] )A(?=[\s,.;:)?!]|$)")  # a letter that names, and no article


def naming(text: str) -> str:
    """Return ``text``, not yet case-folded, with what belongs to names marked: «the 568 Group», «model A»."""
    marked = _LABEL.sub("label_a", text)
    if _DIGIT.search(text):
        marked = _MAY.sub("month_may", _DATE.sub(_day, marked))
    return _OF_A_NAME.sub(lambda match: match[0] if match[1].lower() in _UNITS else f"at_{match[0]}", marked)


def quantities(plain: str) -> tuple[tuple[Quantity, ...], str]:
    """Return the quantities of a case-folded clause, and the clause without their numbers and measuring units.

    Numbers that name (a version, a time of day, ``covid-19``) stay in the clause as words.
    """
    if not _HAS_NUMBER.search(plain):
        return (), plain
    spelt = _GROUPS.sub(lambda match: re.sub(r"\D", ",", match.group()), plain)
    spelt = _ONE.sub("1 ", _FRACTION.sub(_decimal, spelt))
    spelt = _NUMBER_WORD.sub(lambda match: _NUMBER_WORDS[match.group()], spelt)
    spelt = _BETWEEN.sub(_once, spelt)
    spelt = _NAMES.sub(lambda match: "at_" + re.sub(r"\W", "_", match.group()), spelt)
    found: list[Quantity] = []

    def take(match: re.Match[str]) -> str:
        quantity = _quantity(match, spelt)
        if quantity is None:
            return match.group()
        found.append(quantity)
        return f" {match['unit']} " if quantity.unit.startswith("of ") else " "

    rest = _QUANTITY.sub(take, spelt)
    found += [_date(*map(int, each.groups())) for each in _MARKED_DAY.finditer(rest)]
    return tuple(found), _MARKED_DAY.sub(lambda match: _MONTH_WORDS[int(match[1]) - 1], rest)


def _date(month: int, day: int) -> Quantity:
    at = float(month * 31 + day)
    return Quantity(DAY, at - 0.5, at + 0.5, f"{day} {_MONTH_NAMES[month - 1]}")


def _once(match: re.Match[str]) -> str:
    return "between 1" if match["one"] else f"between {match['low']} and {match['high']} {match['unit']}"


def _decimal(match: re.Match[str]) -> str:
    """Return a number told in halves, quarters or as a fraction with its point: 1.5 hour for an hour and a half."""
    said = match.groupdict()
    whole = said["whole"] or said["count"] or said["before"] or "0"
    value = float(_NUMBER_WORDS.get(whole, whole) if whole not in {"a", "an", "one"} else 1)
    if said["top"]:
        value += int(said["top"]) / int(said["bottom"])
    elif said["most"]:
        value += 0.75
    else:
        quarter = "quarter" in (said["part"], said["rest"], said["less"])
        value += 0.25 if quarter else 0.5
    return f"{value:g} {said['unit'] or ''}"


def _quantity(match: re.Match[str], text: str) -> Quantity | None:
    if len(match["number"]) > _LENGTH_MAX or len(match["other"] or "") > _LENGTH_MAX:
        return None
    before = text[max(0, match.start() - 40) : match.start()].split()
    form = _written(match)
    if _may_be_year(match) and not _is_count(match, before):
        return _year(match) if _is_dated(before) else None
    unit, factor = _unit(match, before)
    if not unit:
        return None
    numbers = [_value(match, each) for each in (match["number"], match["other"]) if each]
    low, high = min(each[0] for each in numbers), max(each[1] for each in numbers)
    if match["least"]:
        high = float("inf")
    elif match["most"]:
        low = float("-inf")
    elif match["about"]:
        low, high = low * (1 - _ABOUT_SHARE), high * (1 + _ABOUT_SHARE)
    grouped = any(_MAY_GROUP.fullmatch(each) for each in (match["number"], match["other"] or ""))
    condition = _is_condition(unit, before, text[match.end() :])
    return Quantity(unit, low * factor, high * factor, form, grouped, condition, _is_former(before))


def _may_be_year(match: re.Match[str]) -> bool:
    measured = match["money"] or (match["unit"] or "") in _UNITS
    return not measured and _YEAR.fullmatch(match["number"]) is not None


def _is_dated(before: list[str]) -> bool:
    last = before[-1].strip("(,") if before else ""
    return last in _BEFORE_YEAR or _MARKED_DAY.fullmatch(last) is not None


def _is_former(before: list[str]) -> bool:
    last = before[-1] if before else ""
    return last in {"was", "were", "from"} or before[-2:] in (["instead", "of"], ["no", "longer"])


def _is_count(match: re.Match[str], before: list[str]) -> bool:
    """Whether what could be a year counts things: «allows 1200 requests», and not «the 2019 results»."""
    unit = match["unit"] or ""
    plural = unit.endswith("s") and unit not in NO_UNIT and match["gap"] == " "
    return plural and bool(before) and not _is_dated(before) and before[-1] not in _BEFORE_NAMED_YEAR


def _is_condition(unit: str, before: list[str], after: str) -> bool:
    """Whether a measure belongs to what is spoken of: it opens the clause, or a verb or noun follows it.

    Counts and shares are what is said also there: «40 people attended», «35 % agreed».
    """
    if unit.startswith("of ") or unit in {"%", "number"}:
        return False
    behind = _NEXT.match(after)
    return not before or (behind is not None and behind[1] not in _JOINING)


def _written(match: re.Match[str]) -> str:
    """Return a quantity as it is written, without a word behind it that is no unit: «0.91», of «is 0.91 with …»."""
    form, word = " ".join(match.group().split()), match["unit"] or ""
    return form.removesuffix(word).rstrip() if word in NO_UNIT else form


def _year(match: re.Match[str]) -> Quantity:
    years = [float(each.replace(",", "")) for each in (match["number"], match["other"]) if each]
    return Quantity("year", min(years) - 0.5, max(years) + 0.5, match["number"])


def _value(match: re.Match[str], number: str) -> tuple[float, float]:
    """Return the interval that ``number`` stands for: half a unit of its last digit to either side, or its rounding."""
    plain = number.replace(",", "")
    value = float(plain)
    half = min(0.5 * 10.0 ** -len(plain.partition(".")[2]), _EXACT_SHARE * value)
    if "." not in plain and value >= _ROUNDED_MIN:
        zeros = len(plain) - len(plain.rstrip("0"))
        half = min(half * 10.0**zeros, _ROUNDED_SHARE * value)
    times = _MULTIPLIERS.get(match["times"] or "", 1.0)
    if match["money"]:
        times *= _MONEY_MULTIPLIERS.get(match["unit"] or "", 1.0)
    return (value - half) * times, (value + half) * times


def _unit(match: re.Match[str], before: list[str]) -> tuple[str, float]:
    """Return what a number measures or counts, and its factor to the base unit; nothing where it only names."""
    unit = match["unit"] or ""
    if match["money"]:
        return _UNITS[match["money"].strip()]
    for form in (unit, stem(unit) if len(unit) > 2 else ""):  # noqa: PLR2004 - `ms` is no plural of `m`
        if form in _UNITS:
            return _UNITS[form]
    if unit and unit not in NO_UNIT:
        return ("", 1.0) if _names(match, before) else (f"of {stem(unit)}", 1.0)
    plain = (match["between"] and match["other"]) or (before and before[-1] in _BEFORE_NUMBER)
    return ("number", 1.0) if plain else ("", 1.0)


def _names(match: re.Match[str], before: list[str]) -> bool:
    """Whether a number before a plain word belongs to a name: Python 3.8 supports …, Phase 2 begins, covid19."""
    if match["gap"] != " " or ("." in match["number"] and not match["times"]):
        return True
    return bool(before) and (before[-1] in BEFORE_NAMES or (len(before) == 1 and before[0] not in COUNTING))
