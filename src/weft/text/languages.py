"""In which language of Latin letters a text is written, told by its function words and letters; nothing is downloaded.

By it is decided which further stems a text is found by (:mod:`weft.text.stems`), and which of its words mean nothing by
themselves. A text that is taken for the wrong language is found by its words all the same, and languages near to one
another stem much alike.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from weft.text.english import STOP_WORDS, stem
from weft.text.tokens import bare

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["ENGLISH", "HEAD", "LANGUAGES", "Language", "empty_words", "function_words", "language"]

ENGLISH: Final = "en"

HEAD: Final = 1_000
"""How many characters of a text its language is told by, where the text may be long."""

# Whole numbers, whose sum is the same in any order: what a text is indexed by must be the same in every process.
_WORD_WEIGHT: Final = 2520  # what a letter shares with up to ten languages
_SHARED_WEIGHT: Final = _WORD_WEIGHT // 4  # of a function word of English that is another language's too
_TIE_WEIGHT: Final = _WORD_WEIGHT // 10  # of a language's common word

_WORD: Final = re.compile(r"[^\W\d_]+")


class Language(NamedTuple):
    """What a language is told by, without accents: function words, and letters.

    ``common`` are those that English has for words too, whatever they mean there (*door*, *pod*). ``stemmer`` is
    Snowball's name of the language.
    """

    stemmer: str
    words: str
    common: str
    letters: str


LANGUAGES: Final[dict[str, Language]] = {
    "de": Language(
        "german",
        "der das und ist nicht ein eine einen einem einer eines ich wir sie ihr es mit auf fur von vom zu zum zur dem"
        " den des wird werden wurde wurden sind auch sich als bei beim nach aus wenn oder aber dass nur noch uber"
        " durch kann konnen muss mussen soll sollen sollte haben hatte hatten keine kein keinen wie warum weil wer"
        " unter ohne zwischen gegen bis diese dieser dieses diesen diesem ihre ihren sehr mehr schon wieder vor seit"
        " uns unser unsere alle alles etwas jede jeder jedes damit dann doch hier sein seine welche welcher",
        "die was war hat an in so man am also im da ob ins",
        "äöüß",
    ),
    "fr": Language(
        "french",
        "le la les de des du un une et est sont dans pour avec sur que qui quoi pas ne se ce cette ces cet il elle"
        " ils elles nous vous je tu au aux mais ou en sa ses leur leurs etre avoir ete etait fait sans sous entre"
        " donc aussi comme tout tous toute toutes peut peuvent doit doivent si deja tres quand meme chez votre notre"
        " nos lors ont ceci cela ainsi apres avant pendant depuis lorsque afin",
        "on a son plus par or dont vos",
        "éèêàçùôîûœë",
    ),
    "es": Language(
        "spanish",
        "el la los las un una unos unas de del al que en es por para con como pero mas su sus lo le les se ha han fue"
        " fueron esta este esto estos estas estan ser muy sobre entre cuando donde porque tambien ya nos desde hasta"
        " cada todo todos toda todas puede pueden debe deben si sido tiene tienen otro otra mismo nuestro cual antes"
        " despues ni ese esa eso",
        "no me a son sin era he hay solo",
        "ñ¿¡áíóéú",
    ),
    "pt": Language(
        "portuguese",
        "os um uma uns umas da dos das na nos nas ao aos de que em para por com como mas nao se sua seu suas seus foi"
        " foram sao esta este isso isto estas estes ser ha muito sobre entre quando onde porque tambem ja ate pela"
        " pelo pelas pelos pode podem deve devem voce ele ela eles elas nosso nossa sem mais cada todo todos toda"
        " todas antes depois apenas qual esse essa",
        "o a as do no me era so tem",
        "ãõçáéíóúâê",
    ),
    "it": Language(
        "italian",
        "il lo la gli le un uno una di del della dei delle degli dello che chi non con su si sono nel nella nei nelle"
        " al alla alle agli dal dalla dai sul sulla anche piu questo questa questi queste quello quella essere stato"
        " stata ha hanno deve devono puo possono tra fra perche quando cosi suo sua loro ci se viene vengono dopo"
        " prima ogni tutti tutto tutte nostro nostra cui ed",
        "i a come ma per ai in me no dove solo",
        "èàùòì",
    ),
    "nl": Language(
        "dutch",
        "het de een van en niet dat op te zijn met voor ook aan er maar om als bij naar uit wordt worden werd werden"
        " heeft hebben kan kunnen moet moeten deze dit geen nog zal zullen zou ik je jij wij ze zij hun haar waar"
        " wanneer omdat tussen onder meer veel zich hoe waarom alleen reeds onze ons alle alles elke iets na dan toch",
        "of is in was die over me we hem wat al had door tot wel",
        "ëï",
    ),
    "sv": Language(
        "swedish",
        "och att det som en ett den inte av med pa till om har hade kan ska skall vi jag hon sig sitt sina eller fran"
        " vid nar hur varfor efter mellan utan alla allt bara mycket mer blir blev skulle detta denna dessa vara"
        " finns aven ej nagon nagot inga ingen maste sedan innan mot deras vilka vilken",
        "for i men han var ar de under man sa sin",
        "åäö",
    ),
    "da": Language(
        "danish",
        "og det som en et den ikke af med er pa til om har havde kan skal vi jeg hun sig sit sine eller fra ved nar"
        " hvor hvordan hvorfor efter mellem uden alle kun meget bliver blev skulle dette denne disse vaere findes"
        " ogsa hvis nogle nogen ingen mere kunne ville vaeret deres siden inden mod",
        "at for i men han var de under bare man sin alt",
        "æøå",
    ),
    "no": Language(
        "norwegian",
        "og det som en et den ikke av med er pa til om har hadde kan skal vi jeg hun seg sitt sine eller fra ved nar"
        " hvor hvordan hvorfor etter mellom uten alle kun mye blir ble skulle dette denne disse vaere finnes ogsa"
        " hvis noen ingen mer kunne ville vaert deres siden mot",
        "at for i men han var de under bare man sin alt",
        "æøå",
    ),
    "fi": Language(
        "finnish",
        "ja ei etta oli olivat mutta kun tai myos ole ovat olla joka jotka jos niin kuin mika mita tama taman tassa"
        " nama sen sita siita siina hanen minun mukaan kanssa ennen jalkeen voi voidaan voivat pitaa eika viela"
        " kaikki ilman taytyy ollut koska miten missa miksi nyt sitten joten eivat",
        "on se he me vain",
        "äö",
    ),
    "pl": Language(
        "polish",
        "nie jest sie na ze jak po od za dla przez tylko juz czy gdy gdzie moze musi byc byl byla bylo byly sa te"
        " tego tej tych ten ktory ktora ktore ktorych bez przed przy oraz lub jego jej ich jako bardzo tak kazdy"
        " jesli aby zostal zostala zostalo miedzy podczas jeszcze wiec tym nas",
        "to do a i co ale pod",
        "łżęąśćńź",
    ),
    "cs": Language(
        "czech",
        "je neni se na ze jako po od za pri pred bez jsou byl byla bylo byly byt ktery ktera ktere nebo pouze jiz kde"
        " kdy tak jeho jejich musi muze lze aby pokud tento tato toto tyto vsech vsechny take jen az jsme jste proc"
        " protoze mezi podle nelze bude budou",
        "to do a i si by ten ale pro pod",
        "řěůšžýčáéíú",
    ),
    "ro": Language(
        "romanian",
        "si este sunt nu pentru din cu pe la un mai sau daca fi fost au prin dar ca sa nici foarte dupa intre fara"
        " cand unde acest aceasta aceste acestea lui cel cea poate trebuie doar toate toti despre cum fiecare asupra"
        " acum decat de se",
        "are in o a am care ale pot",
        "ăâîșțşţ",
    ),
    "hu": Language(
        "hungarian",
        "az egy es nem hogy van volt de ha meg csak vagy ez azt ezt mar kell lehet nincs vannak lesz utan alatt"
        " minden olyan amely aki nagyon pedig szerint kozott nelkul ahol amikor mert ki le fel ami ezek azok voltak"
        " illetve",
        "a is be mint",
        "őűáéíóöüú",
    ),
    "tr": Language(
        "turkish",
        "ve bir bu icin ile degil olarak daha cok ne ki gibi kadar sonra ama veya ya mi hic olan oldu olur icinde"
        " uzerinde nasil neden sadece ise eger tum ancak yok biz ben sen en da de bunu olmayan lutfen",
        "var o once her",
        "ğışçöü",
    ),
    "id": Language(
        "indonesian",
        "yang dan di dengan untuk dari ini itu tidak adalah pada ke oleh atau akan sudah telah bisa dapat harus juga"
        " karena jika dalam saya kami kita mereka seperti lebih hanya belum setelah sebelum antara tanpa bagi maka"
        " sebagai bukan anda silakan",
        "ada agar",
        "",
    ),
    "ca": Language(
        "catalan",
        "el la els les un una de del dels en que es amb com pero seva seu seus ser ha aquest aquesta aquests aixo"
        " tambe quan perque sense entre cada tots han al als ja nomes altres esta estan molt",
        "no son on i a per mes hi fins tot pot",
        "àèòçéíóúï·",
    ),
}
"""By their codes (ISO 639-1). Of two that are told equally, the first counts."""


class _Signs(NamedTuple):
    """The languages that each word and each letter tells of, and English's words: its own, and those of others too."""

    words: dict[str, tuple[str, ...]]
    common: dict[str, tuple[str, ...]]
    letters: dict[str, tuple[str, ...]]
    english: frozenset[str]
    shared: frozenset[str]


@lru_cache(maxsize=1)
def _signs() -> _Signs:
    words = _by_sign({code: told.words.split() for code, told in LANGUAGES.items()})
    common = _by_sign({code: told.common.split() for code, told in LANGUAGES.items()})
    letters = _by_sign({code: told.letters for code, told in LANGUAGES.items()})
    english = STOP_WORDS - words.keys()
    return _Signs(words, common, letters, english - common.keys(), english & common.keys())


def _by_sign(signs: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for code, some in signs.items():
        for sign in dict.fromkeys(some):
            found[sign] = (*found.get(sign, ()), code)
    return found


@lru_cache(maxsize=len(LANGUAGES))
def function_words(code: str) -> frozenset[str]:
    """Return the words of a language that have no meaning of their own, as terms: without accents, in the singular."""
    told = LANGUAGES[code]
    words = (*told.words.split(), *told.common.split())
    return frozenset((*words, *map(stem, words)))


def empty_words(text: str) -> frozenset[str]:
    """Return the terms that have no meaning of their own in English and in the language of ``text``."""
    code = language(text)
    return _empty_words(code) if code in LANGUAGES else STOP_WORDS


@lru_cache(maxsize=len(LANGUAGES))
def _empty_words(code: str) -> frozenset[str]:
    return STOP_WORDS | function_words(code)


def language(text: str) -> str:
    """Return the code of the language of ``text``: one of :data:`LANGUAGES`, ``en``, or empty where nothing tells.

    Counted are the function words that are a language's and not English's too, and each letter that English does not
    have, as much as there are fewer languages that have it. Words that English has too decide between languages that
    other signs speak for, no more, and count a quarter for English, which is told where it has as many as any other and
    one that is no other's.
    """
    signs = _signs()
    said = Counter(_WORD.findall(bare(text).casefold()))
    told: Counter[str] = Counter()
    for word in signs.words.keys() & said.keys():
        for code in signs.words[word]:
            told[code] += _WORD_WEIGHT * said[word]
    for letter in () if text.isascii() else signs.letters.keys() & set(text.lower()):
        for code in signs.letters[letter]:
            told[code] += _WORD_WEIGHT // len(signs.letters[letter])
    own, shared = (sum(said[word] for word in words & said.keys()) for words in (signs.english, signs.shared))
    if _WORD_WEIGHT * own + _SHARED_WEIGHT * shared >= max(told.values(), default=0):
        return ENGLISH if own else ""
    for word in signs.common.keys() & said.keys():
        for code in told.keys() & set(signs.common[word]):
            told[code] += _TIE_WEIGHT * said[word]
    return max(LANGUAGES, key=lambda code: told[code])
