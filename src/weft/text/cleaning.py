"""What is let in: text without what no reader sees."""

from __future__ import annotations

import re

from weft.errors import InvalidArgument

__all__ = ["as_text", "clean"]

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DROPPED = re.compile(
    "[\x01-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_JOINERS = "\u200c\u200d"
_VISIBLE = "\u00a1-\u200b\u200e-\ufe0d\ufe10-\U0010ffff"
_STRAY_VARIANT = re.compile(f"(?<![0-9#*{_VISIBLE}])[\ufe0e\ufe0f]")
_STRAY_JOINER = re.compile(f"(?<![{_VISIBLE}\ufe0f])[{_JOINERS}]|[{_JOINERS}](?![{_VISIBLE}])")


def as_text(value: str, *, field: str) -> str:
    """Return ``value``, which a program may have handed in as something else.

    Raises:
        InvalidArgument: it is no text; ``field`` is named.
    """
    if not isinstance(value, str):
        raise InvalidArgument(f"{field} must be text, not {value!a:.60}.")
    return value


def clean(text: str, *, field: str, limit: int) -> str:
    r"""Return ``text`` without what no reader sees: control, bidi, tag and zero-width characters.

    Newlines (every kind becomes ``\n``) and tabs stay, and so do the joiners and variant marks that a script or an
    emoji needs, one at a time and only between visible characters. The text is not normalised otherwise. Cleaning twice
    changes nothing more.

    What is left out says nothing and comes along whenever a text is copied from a page, so that refusing it would cost
    a call and win nothing. A NUL is never meant: where one stands, the text is broken, and more of it may be.

    Raises:
        InvalidArgument: ``text`` is none, holds a NUL or half of a surrogate pair, or is longer than ``limit``
            characters; ``field`` is named.
    """
    if not as_text(text, field=field).isascii() or _CONTROL.search(text):
        text = _visible(text, field)
    if len(text) > limit:
        message = f"{field} is too long: {len(text):,} characters, and at most {limit:,} are allowed."
        raise InvalidArgument(message)
    return text


def _visible(text: str, field: str) -> str:
    if (place := text.find("\0")) >= 0:
        message = f"{field} holds a NUL at character {place}, which is no text."
        raise InvalidArgument(message)
    half = _SURROGATE.search(text)
    if half:
        message = f"{field} is not valid Unicode: half of a surrogate pair at character {half.start()}."
        raise InvalidArgument(message)
    text = _DROPPED.sub("", _LINE_END.sub("\n", text))
    return _STRAY_JOINER.sub("", _STRAY_VARIANT.sub("", text))
