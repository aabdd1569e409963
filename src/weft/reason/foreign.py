"""What can be told of texts in other languages than the judge's, which is English: what denies in them. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from weft.reason.lexicon import words
from weft.text import scripts
from weft.text.punctuation import STOPS

__all__ = ["denials", "denied", "is_anaphoric", "legible"]


DENIALS: Final = words(
    """
    nicht kein keine keinen keiner keinem keines nichts niemals niemand ne pas jamais aucun aucune rien nunca jamás
    ningún ninguna ninguno nada não nenhum nenhuma nessuno nessuna niente mai niet geen nooit inte ingen inga inget
    aldrig ikke intet aldri ei eivät emme etkä ikinä nem soha semmi nie nigdy żaden żadna není nejsou nemá nikdy
    žádný žádná nije nisu nema niciodată nici değil yok hiçbir tidak bukan jangan không chưa chẳng не ни нет нельзя
    никогда никто ничего немає ніколи нема няма δεν μην όχι ποτέ κανένας לא אין لا ليس ليست لم لن غير نیست ندارد
    नहीं न मत না নয় இல்லை చేయవద్దు
    """
)
"""Words that deny in the languages that most is written in, and mean nothing in English."""

PACKED: Final = words("不 没 沒 未 无 無 非 别 勿 ない なかった ません 않 없 못 아니 ไม่ មិន ບໍ່")
"""The same in scripts without spaces, where they are part of a run."""

_ANAPHORS: Final = words(
    """
    er sie es dies diese dieser dieses il elle ils elles ce cela ça cette cet ces él ella ello ellos ellas esto esta
    este eso esa ese ele ela isso isto lui lei esso essa questo questa hij zij dit dat det denna detta bu bunlar
    он она оно они это этот эта эти тот та те его её их він вона воно вони це цей ця ці його її їх
    αυτό αυτός αυτή αυτά αυτοί αυτές הוא היא הם הן זה זו זאת אלה هو هي هم هذا هذه ذلك تلك هؤلاء این آن او آنها
    یہ وہ اس ان यह वह ये वे इस उस इन उन इसका उसका इसकी उसकी इसके उसके इसमें उसमें এটি এটা এই সে তারা তিনি
    이것은 그것은 이는 그는 그녀는 이것 그것 이 그 저 그들은
    """
)
"""Words that speak of what was said before, where they begin a sentence, in the languages of :data:`DENIALS`."""

_ANAPHORS_PACKED: Final = tuple(
    words("它 他 她 这 這 那 该 該 其 此 これ それ あれ この その あの ここ そこ 彼 มัน เขา เธอ นี่ นี้")
)
_WRITTEN: Final = re.compile(rf"[^\s\d.,;:!?'’\"()«»“”،؛、，；：「」『』（）《》{STOPS}-]+")  # letters and their marks
_PACKED_LETTER: Final = re.compile(f"[{scripts.PACKED}]")
_PACKED: Final = re.compile("|".join(sorted(PACKED, key=lambda each: (-len(each), each))))
_LEGIBLE_MIN: Final = 0.5
_SAID_MIN: Final = 4  # characters that are said besides
_WORDS_MIN: Final = 4  # … and words of one sentence among several: the subject may have been named before
_CHARACTERS_A_WORD: Final = 2  # in scripts without spaces


def denials(text: str) -> int:
    """Return how many words or characters deny something in ``text`` that is not English; of English, about 0."""
    return len(_parted(text)[1])


def denied(one: str, other: str, *, alone: bool = True) -> str:
    """Return the word by which one of two texts denies what the other states in the same words; empty: neither does.

    Several denials are one: of «ne … pas» and «никогда не» two words say it once. Where both deny, nothing is told; nor
    of sentences of less than four words that are not all that is said (``alone`` False): many languages leave out a
    subject that the sentences before have named.
    """
    (here, mine), (there, yours) = _parted(one), _parted(other)
    if bool(mine) == bool(yours) or here != there or len(here) < _SAID_MIN:
        return ""
    return (mine or yours)[0] if alone or _length(here) >= _WORDS_MIN else ""


def is_anaphoric(sentence: str) -> bool:
    """Return whether ``sentence``, in another language than English, begins with what was spoken of before it."""
    found = _WRITTEN.search(sentence)
    first = found[0] if found else ""
    if len(first) > 1 and first.isupper():  # «IL-6», «CE»
        return False
    return first.casefold() in _ANAPHORS or first.startswith(_ANAPHORS_PACKED)


def legible(one: str, other: str) -> bool:
    """Return whether signs that were learned on English may say something of these two texts beside each other.

    At least half of the letters of each are ASCII, and neither denies in another language more often than the other.
    """
    return _in_ascii(one) and _in_ascii(other) and denials(one) == denials(other)


@lru_cache(maxsize=256)  # a text is asked about by the judge and for repetition, beside several others
def _parted(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the words of ``text`` without those that deny, and those."""
    words = _WRITTEN.findall(text.casefold())
    denying = [word for word in words if word in DENIALS]
    rest = " ".join(word for word in words if word not in DENIALS)
    if not rest.isascii():
        denying += _PACKED.findall(rest)
        rest = _PACKED.sub("", rest)
    return rest, tuple(denying)


def _length(words: str) -> float:
    """Return how many words are said; those of scripts without spaces are told by their characters."""
    packed = len(_PACKED_LETTER.findall(words))
    return packed / _CHARACTERS_A_WORD + len(_PACKED_LETTER.sub(" ", words).split())


def _in_ascii(text: str) -> bool:
    letters = [each.isascii() for each in text if each.isalpha()]
    return sum(letters) >= _LEGIBLE_MIN * len(letters)
