"""Text as Weft reads it: what is let in, how it is cut into terms, passages and names, and how it is compared.

:func:`terms` is the only tokenizer. The full-text rows are written with it (:func:`indexed`) and the queries are cut
with it, both by the :func:`roots` of the terms, so a word that went in is found again, whatever its accents, its ending
or its case. Every function here is linear in the length of the text, whatever the text is, and has no state but bounded
caches.
"""

from __future__ import annotations

from weft.text.cleaning import as_text, clean
from weft.text.compounds import compounds, numbers, without
from weft.text.dates import date, dates, month, worded
from weft.text.edits import edits
from weft.text.english import STOP_WORDS, stem
from weft.text.indexing import indexed
from weft.text.languages import ENGLISH, HEAD, LANGUAGES, empty_words, function_words, language
from weft.text.markup import plain
from weft.text.names import SLUG_MAX_BYTES, beginning, digest, fold, grams, slug
from weft.text.normal import normalized
from weft.text.passages import Span, snippet, split
from weft.text.proper import proper_names
from weft.text.roots import content_roots, root, roots
from weft.text.stems import MARKS, stemmed, stems
from weft.text.titles import titular
from weft.text.tokens import bare, terms

__all__ = [
    "ENGLISH",
    "HEAD",
    "LANGUAGES",
    "MARKS",
    "SLUG_MAX_BYTES",
    "STOP_WORDS",
    "Span",
    "as_text",
    "bare",
    "beginning",
    "clean",
    "compounds",
    "content_roots",
    "date",
    "dates",
    "digest",
    "edits",
    "empty_words",
    "fold",
    "function_words",
    "grams",
    "indexed",
    "language",
    "month",
    "normalized",
    "numbers",
    "plain",
    "proper_names",
    "root",
    "roots",
    "slug",
    "snippet",
    "split",
    "stem",
    "stemmed",
    "stems",
    "terms",
    "titular",
    "without",
    "worded",
]
