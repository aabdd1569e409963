"""Why a hit is there, in words that a person can read: what speaks for it, and which words of the query it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.text import STOP_WORDS, compounds, numbers, terms, worded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.reason.shared_names import Shared
    from weft.reason.spread import Approach

__all__ = [
    "adding",
    "in_company",
    "like_another",
    "named_parts",
    "reasons",
    "rejoined",
    "through_graph",
    "through_name",
    "through_word",
    "without_parts",
]

_WORDS_SHOWN: Final = 6


def reasons(
    *,
    similarity: float | None = None,
    words: Sequence[str] = (),
    exact: str = "",
    closest: str = "",
    holding: float = 0.0,
) -> tuple[str, ...]:
    """Return what speaks for a candidate, a sentence each.

    ``similarity`` is the calibrated one (None: it was not compared), ``words`` are those it holds (stop words are told
    only where all are), ``exact`` says what of it the query names (``title``, ``alias``, ``id``, ``reference``; empty:
    nothing), ``closest`` says in what it is one of those that stand out (empty: in nothing), and ``holding`` how much
    (0..1) of a text that is asked for a passage of it holds (0: not much).
    """
    why = []
    if exact:
        why.append(f"{exact} matches")
    if similarity is not None:
        why.append(f"meaning: similarity {similarity:.2f}")
    if words:
        telling = [word for word in words if word not in STOP_WORDS] or words
        shown = ", ".join(telling[:_WORDS_SHOWN])
        why.append(f"words: {shown}" + (", …" if len(telling) > _WORDS_SHOWN else ""))
    if holding:
        why.append(f"passage: holds {holding:.0%} of the text")
    if closest:
        why.append(f"{closest}: among the closest")
    return tuple(why)


def rejoined(held: Sequence[str], asked: Sequence[str], text: str) -> tuple[str, ...]:
    """Return the words that a text holds, in their order, with overlapping pairs made the run again that was asked for.

    Scripts without spaces are cut into pairs: of «长颈鹿» a text holds 长颈 and 颈鹿, which no reader takes for words.
    ``asked`` are the words of the query in its order. Pairs that follow on one another there are told as one run where
    the run stands in ``text``; elsewhere they stay pairs, as they stand apart.
    """
    known = frozenset(held)
    runs: list[tuple[str, list[str]]] = []
    for word in asked:
        run, pairs = runs[-1] if runs else ("", [])
        if word not in known:
            runs.append(("", []))
        elif pairs and _follows(pairs[-1], word) and run + word[1:] in text:
            pairs.append(word)
            runs[-1] = (run + word[1:], pairs)
        else:
            runs.append((word, [word]))
    whole = {pair: run for run, pairs in sorted(runs, key=lambda each: len(each[1])) for pair in pairs}
    return tuple(dict.fromkeys(whole.get(word, word) for word in held))


def named_parts(query: str) -> dict[str, frozenset[str]]:
    """Return the parts that each name of ``query`` is looked for by beside itself, unless they stand in it alone too.

    ``FedEx`` is looked for as fedex, fed and ex, ``dhl.py`` as dhl.py, dhl and py, ``UTF-8`` as utf8, utf and 8, and
    *2026-03-14* as that, 2026, 03 and 14.
    """
    asked = [found for chunk in worded(query) if (found := (*numbers(chunk), *compounds(chunk), *terms(chunk)))]
    alone = {each[0] for each in asked}
    named = ((whole, rest) for whole, *rest in asked if rest and all(part in whole.lower() for part in rest))
    return {whole: frozenset(rest) - alone for whole, rest in named}


def without_parts(held: Sequence[str], named: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return the words that a text holds, without the parts (:func:`named_parts`) of names that it holds whole."""
    parts = {part for whole in held for part in named.get(whole, ())}
    return tuple(word for word in held if word not in parts)


def _follows(pair: str, other: str) -> bool:
    """Whether ``other`` is the pair of characters after ``pair`` in one run, so that they share one."""
    return terms(pair + other[1:]) == (pair, other)


def through_graph(approach: Approach, *, title: str) -> str:
    """Return the reason sentence of a node that the graph led to, from the seed of this ``title``."""
    steps = "1 step" if approach.steps == 1 else f"{approach.steps} steps"
    return f"graph: {steps} from «{title}»" + (f" through {approach.label}" if approach.label else "")


def through_name(found: Shared, *, title: str) -> str:
    """Return the reason sentence of a node that holds a name which stands in the node of this ``title`` too."""
    return f"name: «{found.name}» stands in «{title}» too"


def through_word(found: Shared, *, title: str) -> str:
    """Return the reason sentence of a node that holds a mere word of the node of this ``title``, written as a name."""
    return f"word: «{found.name}» stands in «{title}» too"


def adding(*, title: str) -> str:
    """Return the reason sentence of a node that answers what one of this ``title`` leaves open of the query."""
    return f"beside «{title}»: answers what that leaves open"


def in_company(*, title: str) -> str:
    """Return the reason sentence of a node that stands beside one of this ``title`` in a session."""
    return f"session: next to «{title}»"


def like_another(*, title: str) -> str:
    """Return the reason sentence of a node that is much like one of this ``title``, which the query leads to first."""
    return f"alike: close in meaning to «{title}»"
