"""Where a sentence ends, in whatever script: its full stops, the marks that ask, and what closes behind them."""

from __future__ import annotations

from typing import Final

__all__ = ["ASKING", "BEHIND_STOP", "CLOSERS", "CLOSING", "STOPS"]

STOPS: Final = "。！？｡।॥؟۔։።፧။។៕།༎"
"""Full stops of Chinese, Japanese, Hindi (।), Urdu (۔), Armenian (։), Amharic (።), Burmese (။), Khmer (។) and Tibetan
(།), with what asks or calls there, and in Arabic. They mean nothing else, so no space needs to follow; none has a
meaning of its own in a character class of a regular expression.
"""

ASKING: Final = frozenset("?？؟፧՞")
"""Marks of a question."""

CLOSING: Final = ")\u2019\u201d\u00bb」』）】》〉］｣"
"""What closes a quotation or a bracket after one of :data:`STOPS`, for the inside of a character class too."""

BEHIND_STOP: Final = f"(?<=[{STOPS}])(?![{STOPS}{CLOSING}])|(?<=[{STOPS}][{CLOSING}])"
"""The place behind one of :data:`STOPS` and what closes there, as a regular expression."""

CLOSERS: Final = f"\"']}}*_{CLOSING}"
"""What may stand between the end of a sentence and the space behind it."""
