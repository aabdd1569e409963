"""The words of a piece of inline markup, and where its links lead."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "LINKED",
    "blank_code",
    "blank_comments",
    "blank_struck",
    "destination",
    "plain",
    "without_links",
    "without_marks",
    "without_struck",
]

_SIGN = r"[^()\s\\]|\\[()]|\\(?![()])"
_NESTED = rf"\((?:{_SIGN}|\((?:{_SIGN}){{0,200}}\)){{0,200}}\)"
LINKED: Final = (
    r"\(\s{0,4}(?:<(?P<angled>[^<>\n]{0,500})>"
    rf"|(?P<bare>(?!<)(?:{_SIGN}|{_NESTED}){{0,500}}))"
    r"(?:\s{1,4}(?:\"[^\"]{0,200}\"|'[^']{0,200}'|\([^()]{0,200}\)))?\s{0,4}\)"
)
"""What stands behind the words of a link, as a regular expression: where it leads, and a title.

The groups ``angled`` and ``bare`` hold the destination (:func:`destination`): between ``<`` and ``>`` spaces may stand
in it, elsewhere brackets in pairs, up to two deep. As in CommonMark (https://spec.commonmark.org/0.31.2/#links), but
for the bounds.
"""

_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK: Final = re.compile(rf"\[[^\[\]]{{1,300}}\]{LINKED}|\[\[[^\[\]\n]{{1,500}}\]\]")
_STRUCK: Final = re.compile(
    r"`[^`\n]*`"  # code, in which nothing is struck out
    r"| ?(?<![~\\])~~(?![~\s])(?P<struck>(?:[^~\n]|~(?!~)|\n(?![ \t]*(?:\n|[-*+>|#]|\d+[.)]\s)))*)(?<!\s)~~(?!~)"
)
_FENCED: Final = (
    r"^[ \t>]*+(?P<fence>`{3,}+(?=[^`\n]*\n)|~{3,}+)[^\n]*\n"
    r"(?:(?:[^\n]*\n)*?[ \t>]*(?P=fence)[`~]*[ \t]*$|[\s\S]*\Z)"
)
_TAGGED: Final = r"<(?P<tag>pre|source|syntaxhighlight)\b[^<>\n]{0,200}>(?:[\s\S]*?</(?P=tag)>|[\s\S]*\Z)"
_LITERAL: Final = (
    r"^(?P<left>[ \t]*+)(?:(?!\.\.[ \t])[^\n]*::[ \t]*"
    r"|\.\.[ \t]+(?:code|code-block|sourcecode|parsed-literal)::[^\n]*(?:\n[ \t]+:[^\n]*)*)\n"
    r"(?P<literal>(?:[ \t]*\n)+(?:(?P=left)[ \t]+\S[^\n]*(?:\n|\Z)|[ \t]*\n)+)"
)
_HEAD: Final = r"(?P<head>\A\s*<pre>[\s\S]*?(?:</pre>|\Z))"
_CODE: Final = re.compile(rf"{_HEAD}|{_FENCED}|{_TAGGED}|{_LITERAL}", re.MULTILINE)
_COMMENT: Final = re.compile(r"<!--(?:[\s\S]*?-->|[\s\S]*\Z)")
_INK: Final = re.compile(r"[^\n]")
_LINKS = (
    (re.compile(rf"!?\[([^\[\]]{{0,300}})\](?:{LINKED}|\[[^\[\]]{{0,100}}\])"), r"\1"),
    (re.compile(r"\[\[(?:[^\[\]|]{0,300}\|)?([^\[\]|]{0,300})\]\]"), r"\1"),
)
_SPACE = (re.compile(r"\s+"), " ")
_BLOCKS = (
    (re.compile(r"\A\s*(?:(?:[-*+>|•]|#{1,6}|\d{1,9}[.)]|\[[ xX]\])\s+)+"), ""),
    (re.compile(r"(?m)^[ \t]*([-=~^\"'`#*+])\1{3,}[ \t]*$"), ""),
)
_INLINE = (
    *_LINKS,
    (re.compile(r"<(https?://[^<>\s]{1,500})>"), r"\1"),
    (re.compile(r"(?<![\w*\\])[*_]{1,3}(?=\S)|(?<=\S)(?<!\\)[*_]{1,3}(?![\w*])|`+|~~"), ""),
    (_ESCAPED, r"\1"),
    _SPACE,
)


def plain(markup: str) -> str:
    """Return the words of a piece of inline Markdown, without emphasis, code marks and the targets of links.

    White space is made one space each, and none is left at the ends.
    """
    return _replaced(markup, _INLINE)


def without_marks(sentence: str) -> str:
    """Return a sentence in one line, without the mark of its item, heading or quotation and the targets of its links.

    Emphasis and code stay as they are: ``*args`` and ``__init__`` are words too.
    """
    return _replaced(sentence, (*_BLOCKS, *_LINKS, _SPACE))


def _replaced(markup: str, patterns: Iterable[tuple[re.Pattern[str], str]]) -> str:
    for pattern, kept in patterns:
        markup = pattern.sub(kept, markup)
    return markup.strip()


def destination(link: re.Match[str]) -> str:
    """Return where a link leads that was matched by :data:`LINKED`, as it is written but for backslashes."""
    return _ESCAPED.sub(r"\1", (link["bare"] if link["angled"] is None else link["angled"]) or "")


def without_links(markup: str) -> str:
    """Return ``markup`` with links as one long word each, so that no sentence ends within one; all keeps its place."""
    return _LINK.sub(lambda link: "_" * len(link[0]), markup) if "](" in markup or "[[" in markup else markup


def blank_code(markup: str) -> str:
    """Return ``markup`` with blanks for blocks of code; all else keeps its place and line. Linear.

    Fenced blocks, as in CommonMark (https://spec.commonmark.org/0.31.2/#fenced-code-blocks) but at any indent, literal
    blocks and ``code-block`` of reStructuredText, ``<pre>`` and what MediaWiki highlights. One that nothing closes goes
    on to the end. What is merely indented may be an item of a list, and stays; so does the ``<pre>`` that a text opens
    with, which holds fields in Bitcoin's proposals.
    """
    return _CODE.sub(_blank, markup)


def _blank(code: re.Match[str]) -> str:
    if code["head"]:
        return code[0]
    shown = code.start("literal") - code.start() if code["literal"] else 0
    return code[0][:shown] + _INK.sub(" ", code[0][shown:])


def blank_comments(markup: str) -> str:
    """Return ``markup`` with blanks for comments of HTML; all else keeps its place and line. Linear."""
    return _COMMENT.sub(lambda comment: _INK.sub(" ", comment[0]), markup) if "<!--" in markup else markup


def without_struck(markup: str) -> str:
    """Return ``markup`` without what is struck out (``~~so~~``): it stands there, and is said no more.

    As in GitHub's Markdown (https://github.github.com/gfm/#strikethrough-extension-) with two tildes, within one block
    and outside code.
    """
    return _STRUCK.sub(lambda found: "" if found["struck"] else found[0], markup) if "~~" in markup else markup


def blank_struck(markup: str) -> str:
    """Return ``markup`` with blanks for what is struck out (:func:`without_struck`); all keeps its place and line."""
    if "~~" not in markup:
        return markup
    return _STRUCK.sub(lambda found: _INK.sub(" ", found[0]) if found["struck"] else found[0], markup)
