"""Whether a text supports a claim, conflicts with it, is about something else, or leaves that open. Rules only.

A judgement is made between single clauses of both that speak of the same matter: the content words of one all stand in
the other. What then still differs decides: a denial, opposite poles, orders of growth, numbers, swapped roles. Where
the words do not line up, or the difference may be none, the answer is «unsure»: likeness is not agreement, and the
verdict is better left to whoever asks. Agreement is never called conflict.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from weft.model import Verdict
from weft.reason.alignment import in_order
from weft.reason.clash import clashes, denied_alone, told_in_both, unfolded
from weft.reason.clause import read
from weft.reason.contrast import contrasted, elsewhere, is_headed
from weft.reason.foreign import denials, denied
from weft.reason.implicit import LESSENING, SPANNING, bounds
from weft.reason.lexicon import DENIALS, OMITTABLE, PRONOUNS, SUBORDINATING, TURNING
from weft.reason.repeat import turned_round
from weft.reason.statement import clauses, stands_alone, statements
from weft.text import terms
from weft.text.markup import without_struck
from weft.vocabulary import OBVIOUS, UNRELATED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.reason.clash import Clash
    from weft.reason.clause import Clause

__all__ = ["Rules", "judge", "read_claim", "restates", "strays"]

CLAIM_SENTENCES_MAX: Final = 6
LOOKED_AT_MAX: Final = 2  # sentences of the text that a sentence of the claim is compared with
SHARED_MIN: Final = 2  # content words to share before a difference means anything, a sentence against a sentence
SHARED_MIN_LONG: Final = 3  # … where either text has several sentences, and so more chances to look alike
COUNTED_SHARED_MIN: Final = 3  # … where what differs is a count of things, or a thing denied within the statement
CONTEXT_MIN: Final = 0.75  # share of a clause's words that the other's whole sentence must hold
IN_ORDER_MIN: Final = 0.5  # share of the shared words that stand in the same order, for a conflict
ALIKE_MIN: Final = 0.3  # share of the words of both that both hold, for a clash to be worth telling
COVERED_MIN: Final = 0.8  # share of a claim that must be read for support


class _Terms(NamedTuple):
    """What holds for all sentences of one judgement."""

    similarity: float
    shared_min: int


_DENIED: Final = 0.9
"""The confidence of a conflict of which nothing is known but that one text denies the other's words."""

_UNSURE: Final = Verdict(verdict="unsure", confidence=0.0, grounds=())


def judge(claim: str, text: str, *, similarity: float) -> Verdict:
    """Return how ``text`` stands to ``claim``; ``similarity`` is their calibrated similarity (0..1).

    A conflict is found in the words alone, so ``similarity`` does not bear on it. Support needs every sentence of the
    claim to be said nearly in its words, and a similarity that counts as obvious (0.85). Below 0.50, with nothing to
    hold against each other, the two are unrelated. Costs are bounded: 6 sentences of the claim, 60 of the text.
    """
    mine, others = statements(claim)[:CLAIM_SENTENCES_MAX], statements(text)
    terms = _Terms(similarity, SHARED_MIN if len(mine) == len(others) == 1 else SHARED_MIN_LONG)
    if len(others) > 1:
        others = tuple(filter(stands_alone, others))
    found = [
        _best(sentence, others, terms) if len(mine) == 1 or stands_alone(sentence) else _UNSURE for sentence in mine
    ]
    conflicts = [each for each in found if each.verdict == "conflicts"]
    if conflicts:
        return max(conflicts, key=lambda each: each.confidence)
    if found and all(each.verdict == "supports" for each in found) and _covers(mine, claim):
        return min(found, key=lambda each: each.confidence)
    if similarity < UNRELATED and not any(each.grounds for each in found):
        return Verdict(verdict="unrelated", confidence=1 - similarity, grounds=("they have little in common",))
    return next((each for each in found if each.verdict == "unsure" and each.grounds), _UNSURE)


class Rules:
    """The built-in judge as a port: :func:`judge` on each text. Another may take its place (``weft.ports.Judge``)."""

    name: Final = "rules"

    def judge(self, claim: str, texts: Sequence[str], similarities: Sequence[float]) -> tuple[Verdict, ...]:
        """Return one verdict a text, in their order."""
        pairs = zip(texts, similarities, strict=True)
        return tuple(judge(claim, text, similarity=similarity) for text, similarity in pairs)


def read_claim(claim: str) -> None:
    """Read ``claim`` before it is judged: what was read lately is remembered, so that :func:`judge` need not wait."""
    for sentence in statements(claim)[:CLAIM_SENTENCES_MAX]:
        read(sentence)
        clauses(sentence)


def restates(claim: str, text: str) -> bool:
    """Return whether both say the same words in the same order, but for articles and the like, and end or case."""
    one, other = read(claim), read(text)
    alike = (one.hedged, one.asks, one.quantities) == (other.hedged, other.asks, other.quantities)
    return alike and _said(one) == _said(other) and not contrasted(one.words, other.words)


def strays(claim: str, text: str) -> bool:
    """Return whether all that clashes between two texts stands in clauses about different matters.

    «Down for 47 minutes» and «raised to 10 seconds» are no two answers to one question, though both are of a checkout.
    Where nothing clashes, nothing strays. Of 2,077 pairs of neighbours (similarity 0.70 or more) of five public
    collections 321 clash and are left open; 296 of these stray, and none of those that were read differ. Among claims
    and long sentences on the very same claim half of the contradictions stray too: this is for what asks somebody to
    act, not for what is only shown to who asked.
    """
    others = statements(text)
    pairs = [
        pair
        for sentence in statements(claim)[:CLAIM_SENTENCES_MAX]
        for other in _closest(sentence, others)
        for pair in _paired(clauses(sentence), clauses(other))
        if pair.found
    ]
    return bool(pairs) and not any(map(_about_the_same, pairs))


def _said(clause: Clause) -> list[str]:
    return [word.root for word in clause.words if word.form not in OMITTABLE]


def _covers(read_of_it: Sequence[str], claim: str) -> bool:
    """Whether little of ``claim`` was left out as no statement: lists, code and tables cannot be supported."""
    return sum(map(len, read_of_it)) >= COVERED_MIN * len(" ".join(without_struck(claim).split()))


def _best(sentence: str, others: Sequence[str], terms: _Terms) -> Verdict:
    verdicts = [_between(sentence, other, terms) for other in _closest(sentence, others)]
    outcomes = {each.verdict: each for each in reversed(verdicts)}
    if "conflicts" in outcomes and ("supports" in outcomes or sentence in others):
        return Verdict(verdict="unsure", confidence=0.0, grounds=("the text says it and its opposite",))
    for outcome in ("conflicts", "supports"):
        if outcome in outcomes:
            return outcomes[outcome]
    return next((each for each in verdicts if each.grounds), _UNSURE)


def _closest(sentence: str, others: Sequence[str]) -> Sequence[str]:
    if len(others) <= 1:
        return others
    roots = _looked_for(sentence)
    # Looking for the roots as parts of words spares reading the sentences that will not be compared: of several, those
    # that share fewer decide nothing.
    shared = [(-sum(root in other for root in roots), place) for place, other in enumerate(map(str.casefold, others))]
    return [others[place] for count, place in sorted(shared)[:LOOKED_AT_MAX] if -count >= SHARED_MIN]


def _looked_for(sentence: str) -> frozenset[str]:
    """Return the roots of what ``sentence`` speaks of, and its terms in other scripts, of which some are pairs."""
    content = read(sentence).content
    return content if sentence.isascii() else content.union(term for term in terms(sentence) if not term.isascii())


# ---- two sentences


class _Pair(NamedTuple):
    """Two clauses, unfolded against each other, and how they clash."""

    one: Clause
    other: Clause
    found: tuple[Clash, ...]

    def beside(self, whole: Clause, other: Clause) -> _Pair:
        """Return the pair without the clashes of numbers that the sentences it is from name both of, in other clauses.

        «Every six hours, kept for 35 days» and «kept for 35 days, made every six hours» are one.
        """
        kept = (each for each in self.found if not (each.unit and told_in_both(each.unit, whole, other)))
        return self._replace(found=tuple(kept))


def _between(sentence: str, other: str, terms: _Terms) -> Verdict:
    whole, whole_other = read(sentence), read(other)
    pairs = [each.beside(whole, whole_other) for each in _paired(clauses(sentence), clauses(other))]
    for pair in pairs:
        rest = (clash for each in pairs if each is not pair for clash in each.found)
        # Two sentences whose numbers differ elsewhere tell of two events, not twice of one.
        alone = all(clash.kind != "number" for clash in rest)
        if alone and not elsewhere(sentence, other) and _conflict(pair, whole, whole_other, terms):
            return _clashing("conflicts", pair, _closeness(pair))
    clashing = [pair for pair in pairs if pair.found]
    if clashing:
        first = next((pair for pair in clashing if _about_the_same(pair)), clashing[0])
        return _clashing("unsure", first, 0.0)
    if denials(sentence) != denials(other):
        return _denied(sentence, other, terms, asks=whole.asks or whole_other.asks)
    if len(clauses(sentence)) == 1 and not any(whole.content <= part.content for part in clauses(other)):
        return _UNSURE  # its words stand there, in statements of two things
    return _agreement(whole, whole_other, terms.similarity)


def _denied(sentence: str, other: str, terms: _Terms, *, asks: bool) -> Verdict:
    """Judge two sentences that deny in another language than English, or differ in that."""
    word = "" if asks else denied(sentence, other, alone=terms.shared_min == SHARED_MIN)
    if word:
        ground = f"one denies it ({word}), the other states it in the same words"
        return Verdict(verdict="conflicts", confidence=_DENIED, grounds=(ground,))
    return Verdict(verdict="unsure", confidence=0.0, grounds=("one may deny what the other states",))


def _about_the_same(pair: _Pair) -> bool:
    """Whether two clauses that clash share three words in ten, or three of which one is nearly made."""
    apart = frozenset[str]().union(*(clash.apart for clash in pair.found))
    here, there = pair.one.content - apart, pair.other.content - apart
    shared = len(here & there)
    held = shared >= SHARED_MIN_LONG and shared >= CONTEXT_MIN * min(len(here), len(there))
    return held or shared >= ALIKE_MIN * len(here | there)


def _paired(mine: Sequence[Clause], yours: Sequence[Clause]) -> list[_Pair]:
    """Return each clause of either side with its nearest on the other: it must not matter which side is whose.

    What both say needs no partner: a text that says as much and goes on clashes in nothing.
    """
    apart, beyond = ([each for each in ours if each not in theirs] for ours, theirs in ((mine, yours), (yours, mine)))
    if not apart or not beyond:
        return []
    nearest = [(part, _nearest(part, beyond)) for part in apart] + [(_nearest(part, apart), part) for part in beyond]
    found = [(unfolded(one, other), unfolded(other, one)) for one, other in dict.fromkeys(nearest) if one != other]
    return [_Pair(one, other, clashes(one, other)) for one, other in found]


def _nearest(part: Clause, others: Sequence[Clause]) -> Clause:
    return max(others, key=lambda other: (other == part, len(_spoken_of(other) & _spoken_of(part))))


def _spoken_of(clause: Clause) -> frozenset[str]:
    return clause.content.union(base for _, base in clause.turned) if clause.turned else clause.content


def _clashing(verdict: Literal["conflicts", "unsure"], pair: _Pair, confidence: float) -> Verdict:
    return Verdict(
        verdict=verdict,
        confidence=confidence,
        grounds=tuple(clash.ground for clash in pair.found),
        clashes=tuple(clash.kind for clash in pair.found),
    )


def _closeness(pair: _Pair) -> float:
    """Return the confidence of a conflict, 0.6 to 0.95, by the share of content that both hold."""
    either = pair.one.content | pair.other.content
    return round(0.6 + 0.35 * len(pair.one.content & pair.other.content) / max(1, len(either)), 2)


def _conflict(pair: _Pair, whole: Clause, whole_other: Clause, terms: _Terms) -> bool:
    one, other, found = pair
    if not _decides(found) or whole.hedged or whole_other.hedged or whole.asks or whole_other.asks:
        return False
    if one.pronoun != other.pronoun:
        return False
    apart = frozenset[str]().union(*(clash.apart for clash in found))
    if _lessened(one, apart) != _lessened(other, apart):
        return False  # «no deploys» and «deploys are forbidden», «salt raises» and «less salt lowers» are one
    if any(_may_agree(clash, pair, whole, whole_other) for clash in found):
        return False
    here, there = one.content - apart, other.content - apart
    in_context = len(here & whole_other.content) >= CONTEXT_MIN * len(here) or len(
        there & whole.content
    ) >= CONTEXT_MIN * len(there)
    return in_context and _is_same_matter(pair, here, there, terms.shared_min)


def _may_agree(clash: Clash, pair: _Pair, whole: Clause, whole_other: Clause) -> bool:
    """Whether two sentences may agree although their clauses clash so.

    A pole that both hold («seldom the queen, often her husband»); a number that is a bound on one side («unchanged
    since April» and «in June»); a denial where both deny («is not granted», «no overtime»), something is compared («no
    faster than») or leads elsewhere («is not sent to», «is sent from»), one alone says what is to be done («must not
    have milk», «is allergic to milk»), or one alone is bounded («is not open on Mondays», «stays closed on Mondays»).
    """
    if clash.kind == "pole":
        return not clash.apart.isdisjoint(whole.content & whole_other.content)
    if clash.kind == "number":
        return _spans(whole) != _spans(whole_other)
    if clash.kind == "denial":
        compared = any(word.form == "than" for clause in (whole, whole_other) for word in clause.words)
        compared = compared or contrasted(whole.words, whole_other.words)
        both = bool(denied_alone(pair.one, pair.other) and denied_alone(pair.other, pair.one))
        told = _is_told_to(whole) != _is_told_to(whole_other)
        return compared or both or told or bounds(whole.words) != bounds(whole_other.words)
    return False


def _is_told_to(clause: Clause) -> bool:
    """Whether a sentence says what must be, or tells somebody what to do: «Never mix the two»."""
    forms = [word.form for word in clause.words]
    return "must" in forms or (forms[:1] in (["never"], ["do"], ["not"]) and not clause.asks)


def _spans(clause: Clause) -> frozenset[str]:
    return frozenset(word.form for word in clause.words if word.form in SPANNING)


def _lessened(clause: Clause, apart: frozenset[str]) -> Counter[str]:
    return Counter(word.root for word in clause.words if word.form in LESSENING and word.root not in apart)


def _decides(found: Sequence[Clash]) -> bool:
    """Whether clashes make a conflict: all sure, and an odd number of turns or a single number and nothing else."""
    numbers = sum(clash.kind == "number" for clash in found)
    alone = numbers == 0 or len(found) == 1
    return len(found) % 2 == 1 and alone and all(clash.sure for clash in found)


def _is_same_matter(pair: _Pair, here: frozenset[str], there: frozenset[str], shared_min: int) -> bool:
    """Whether what is left without the differing words is the same on both sides, or one side's all on the other."""
    shared = here & there
    if any(clash.counted for clash in pair.found):
        return len(shared) >= COUNTED_SHARED_MIN and len(here ^ there) <= 1
    if any(clash.kind == "number" for clash in pair.found):
        alike = here == there and len(shared) >= shared_min - 1
        return alike or (len(shared) >= COUNTED_SHARED_MIN and len(here ^ there) <= 1)
    if not shared or (len(shared) < shared_min and (shared_min > SHARED_MIN or len(here | there) > SHARED_MIN)):
        return False
    narrow = {clash.narrow for clash in pair.found} - {None}
    missing = [here - there] if 0 in narrow else [there - here] if 1 in narrow else [here - there, there - here]
    is_role = any(clash.kind == "role" for clash in pair.found)
    said, others = ([word.root for word in each.words if word.root in shared] for each in (pair.one, pair.other))
    if all(missing) or is_headed(pair.one, here - there, shared) or is_headed(pair.other, there - here, shared):
        return False
    return is_role or in_order(said, others) >= IN_ORDER_MIN


# ---- agreement


def _agreement(claim: Clause, text: Clause, similarity: float) -> Verdict:
    """Return support where the text says the claim nearly in its own words, in its order, and about as much again."""
    if similarity < OBVIOUS or claim.asks or text.asks or (text.hedged and not claim.hedged):
        return _UNSURE
    if not SHARED_MIN <= len(claim.content) <= len(text.content) <= 2 * len(claim.content) + 1:
        return _UNSURE
    others = len(text.words) - len(claim.words) < len(text.content - claim.content)  # «he was about», «he lied about»
    if others or _counted(claim) - _counted(text) or _turning(claim) != _turning(text):
        return _UNSURE
    if not _in_step(claim, text) or turned_round(claim, text) or contrasted(claim.words, text.words):
        return _UNSURE
    if bounds(claim.words) != bounds(text.words) or _narrowed(claim, text) or _is_parted(claim, text):
        return _UNSURE
    return Verdict(verdict="supports", confidence=similarity, grounds=("the text says it in nearly the same words",))


def _in_step(claim: Clause, text: Clause) -> bool:
    """Whether a text holds a claim's words, what turns them, its numbers and its pronouns in the claim's order.

    «83 % in 1970 and 51 % last year» and «51 % in 1970 and 83 % last year» hold the same.
    """
    return all(_follows(*pair) for pair in zip(_steps(claim), _steps(text), strict=True))


def _steps(clause: Clause) -> tuple[Sequence[object], ...]:
    said = [word.root if word.content else word.form for word in clause.words if word.content or word.form in TURNING]
    numbers = [(each.unit, each.low, each.high) for each in clause.quantities]
    return said, numbers, [word.form for word in clause.words if word.form in PRONOUNS]


def _follows(claim: Sequence[object], text: Sequence[object]) -> bool:
    rest = iter(text)
    return all(each in rest for each in claim)


def _narrowed(claim: Clause, text: Clause) -> bool:
    """Whether a text speaks of less than a claim: what holds of sparse attention, or on Linux, may not hold of all."""
    first = next((word for word in text.words if word.content), None)
    return first is not None and first.root not in claim.content


def _is_parted(claim: Clause, text: Clause) -> bool:
    """Whether a text says some of a claim's words only in giving a reason or a condition, and the claim does not.

    «Kept in Postgres, since Redis evicted them» holds the words of «kept in Redis».
    """
    places = {word.root: word.place for word in reversed(text.words)}
    held = [places[root] for root in claim.content if root in places]
    between = {word.form for word in text.words[min(held) : max(held)]} if held else frozenset()
    return not between.isdisjoint(SUBORDINATING) and SUBORDINATING.isdisjoint(word.form for word in claim.words)


def _counted(clause: Clause) -> Counter[object]:
    words = (word.root for word in clause.words if word.form not in OMITTABLE)
    return Counter[object](words) + Counter[object]((each.unit, each.low, each.high) for each in clause.quantities)


def _turning(clause: Clause) -> list[str]:
    """Return what could turn the sense of a text although the claim's words all stand in it."""
    return sorted(word.form for word in clause.words if word.form in TURNING or word.form in DENIALS)
