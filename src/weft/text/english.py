"""English words as Weft folds them: which carry no meaning of their own, and what the singular of a word is.

Folding is light on purpose: only plurals, since a stronger stemmer joins words that mean different things
(*organise* and *organ*), and both sides of every comparison are folded alike. Words of other languages pass through
the same rules, harmlessly for the same reason.
"""

from __future__ import annotations

__all__ = ["STOP_WORDS", "stem"]

_FUNCTION_WORDS = """
    a about above after again all also am an and any are arent as at be because been before being below between both
    but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each either else etc every few
    for from further get gets got had has hasnt have havent having he her here hers him his how however i if in into is
    isnt it its itself just let like may me might more most much must my no nor not now of off on once one only onto or
    other our ours out over own per quite rather s same shall she should shouldnt since so some such t than that the
    their theirs them then there these they this those though through thus to too toward towards under until up upon us
    very via was wasnt we were werent what whats when where whether which while who whom whose why will with within
    without wont would wouldnt yet you your yours
"""
STOP_WORDS: frozenset[str] = frozenset(_FUNCTION_WORDS.split())

# Singulars that end like plurals, and words whose plural the rules below would get wrong.
_LIKE_PLURALS = """
    alias always atlas bias canvas chaos chassis christmas corps debris ethos gas iris jenkins kubernetes lens less
    linux macos means nas news paris perhaps postgres redis ros series species sometimes tennis texas topos yes
"""
_UNCHANGED = frozenset(_LIKE_PLURALS.split())
_IRREGULAR = {
    "aches": "ache",
    "aliases": "alias",
    "analyses": "analysis",
    "apis": "api",
    "appendices": "appendix",
    "atlases": "atlas",
    "axes": "axis",
    "biases": "bias",
    "bonuses": "bonus",
    "buses": "bus",
    "caches": "cache",
    "calories": "calorie",
    "calves": "calf",
    "campuses": "campus",
    "canvases": "canvas",
    "children": "child",
    "consensuses": "consensus",
    "cookies": "cookie",
    "corpora": "corpus",
    "corpuses": "corpus",
    "cpus": "cpu",
    "crises": "crisis",
    "criteria": "criterion",
    "diagnoses": "diagnosis",
    "focuses": "focus",
    "gases": "gas",
    "genres": "genre",
    "gpus": "gpu",
    "halves": "half",
    "headaches": "headache",
    "hypotheses": "hypothesis",
    "ids": "id",
    "indices": "index",
    "knives": "knife",
    "lenses": "lens",
    "matrices": "matrix",
    "men": "man",
    "menus": "menu",
    "mice": "mouse",
    "movies": "movie",
    "niches": "niche",
    "parentheses": "parenthesis",
    "phenomena": "phenomenon",
    "prs": "pr",
    "quizzes": "quiz",
    "statuses": "status",
    "syntheses": "synthesis",
    "theses": "thesis",
    "tpus": "tpu",
    "vertices": "vertex",
    "viruses": "virus",
    "women": "woman",
    "zombies": "zombie",
}
_SHORTEST_PLURAL = 4
_SHORTEST_IN_OES = 6


def stem(word: str) -> str:
    """Return the singular of a case-folded ``word``, or ``word`` itself where it is none, short, or a function word.

    The rules are Harman's (1991, «How effective is suffixing?») with the endings *-ches -shes -sses -xes -zzes -oes*
    and the common irregular plurals added.
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < _SHORTEST_PLURAL or not word.endswith("s") or word in _UNCHANGED or word in STOP_WORDS:
        return word
    if word.endswith(("ss", "us", "sis", "xis")):
        return word
    singular = _without_ending(word)
    return _IRREGULAR.get(singular, singular)


def _without_ending(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST_PLURAL:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return word[:-2]
    if word.endswith("oes") and len(word) >= _SHORTEST_IN_OES:
        return word[:-2]
    return word[:-1]
