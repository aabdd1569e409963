"""The words of a piece of inline markup."""

from __future__ import annotations

import re

__all__ = ["plain"]

_INLINE = (
    (re.compile(r"!?\[([^\[\]]{0,300})\](?:\([^()\s]{0,500}(?:\s+\"[^\"]{0,200}\")?\)|\[[^\[\]]{0,100}\])"), r"\1"),
    (re.compile(r"\[\[(?:[^\[\]|]{0,300}\|)?([^\[\]|]{0,300})\]\]"), r"\1"),
    (re.compile(r"<(https?://[^<>\s]{1,500})>"), r"\1"),
    (re.compile(r"(?<![\w*\\])[*_]{1,3}(?=\S)|(?<=\S)(?<!\\)[*_]{1,3}(?![\w*])|`+|~~"), ""),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
    (re.compile(r"\s+"), " "),
)


def plain(markup: str) -> str:
    """Return the words of a piece of inline Markdown, without emphasis, code marks and the targets of links.

    White space is made one space each, and none is left at the ends.
    """
    for pattern, kept in _INLINE:
        markup = pattern.sub(kept, markup)
    return markup.strip()
