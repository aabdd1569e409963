"""What a text is found by: its words by their roots, and beside them what these do not tell."""

from __future__ import annotations

import re
from typing import Final

from weft.text.compounds import compounds
from weft.text.dates import dates
from weft.text.languages import LANGUAGES
from weft.text.roots import roots
from weft.text.scripts import IDEOGRAMS
from weft.text.stems import stems

__all__ = ["CUT", "indexed"]

CUT: Final = "terms 1, stems 4, compounds 1, dates 1, characters 1, languages 1"
"""Which tokenizer and which stemmers cut the words. Whoever changes what :func:`indexed` gives changes this too: words
that are kept under another cut are cut anew. A migration goes with it, which keeps out older releases: they would cut
the words back, and whichever had the graph open before would write no more."""

_PAIR: Final = 2
_IDEOGRAM: Final = re.compile(f"[{IDEOGRAMS}]")


def indexed(*texts: str, code: str = "") -> tuple[str, ...]:
    """Return what ``texts`` are found by: :func:`roots`, then :func:`compounds`, :func:`dates`, characters and stems.

    The characters are the Han and Hangul ones, each once. Runs of them are cut into pairs, in which a question of one
    character, a word by itself in Chinese, finds nothing. Stems (:func:`stems`) are those of a language
    (:func:`language`), where ``code`` names one that has any, behind its mark. Where all these stand they say nothing
    about what stands side by side: a phrase is what it was.
    """
    found = [word for text in texts for word in roots(text)]
    pairs = [word for word in found if len(word) == _PAIR and not word.isascii()]
    return (
        *found,
        *(name for text in texts for name in compounds(text)),
        *(date for text in texts for date in dates(text)),
        *dict.fromkeys(each for pair in pairs for each in _IDEOGRAM.findall(pair)),
        *_marked(texts, code),
    )


def _marked(texts: tuple[str, ...], code: str) -> list[str]:
    marked = [stem for text in texts for stem in stems(text, code)] if code in LANGUAGES else []
    return [f"{code}~", *marked] if marked else []
