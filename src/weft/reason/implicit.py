"""Words that deny, lessen or bound what they are said of without a word of denial: implicit negation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.reason.lexicon import words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.reason.clause import Word

__all__ = ["BOUNDING", "LESSENING", "SPANNING", "bounds"]


# What is said with these holds of the lack of a thing, not of the thing: «reducing salt», «is forbidden», «less sleep».
LESSENING: Final = words(
    """
    abandon abandoned abandoning abandons absent abstain abstaining abstinence avoid avoidance avoided avoiding
    avoids ban banned banning bans block blocked blocking blocks cease ceased ceases ceasing cessation cut cuts
    cutting decrease decreased decreasing deficiency deficient deficit delete deleted deletes deleting deletion
    denied denies deny denying depleted depletion deprecate deprecated deprecates deprivation disable disabled
    disables disabling drop dropped dropping drops exclude excluded excludes excluding exclusion fewer forbade
    forbid forbidden forbidding forbids hidden hide hides hiding ignore ignored ignores ignoring impossible
    inhibit inhibited inhibiting inhibition inhibitor inhibitors inhibits knockdown knockout less lose loses
    losing lost low lower lowered lowering omit omits omitted omitting prevent prevented preventing prevention
    prevents prohibit prohibited prohibiting prohibits quit quits quitting reduce reduced reduces reducing
    reduction refuse refused refuses refusing reject rejected rejecting rejects removal remove removed removes
    removing restrict restricted restricting restriction restricts retire retired retires revoke revoked revokes
    skip skipped skipping skips stop stopped stopping stops suppress suppressed suppresses suppressing suppression
    withdrawal withdrawn deprivation deprived disrupt disrupted disruption disrupts loss losses scarcity shortage
    silence silenced silences silencing
    """
)

# What is said with these holds up to a point, or of all but something: where one side of a denial alone is so bounded,
# the two may agree («is not open» and «stays closed», «cannot be used on it» and «works on all save it»).
BOUNDING: Final = words(
    """
    alone apart away bare behind beyond cancelled cleared closed declined else empty end exactly except exception
    formerly free frozen gone innocent instead just last left meant missing mistake only over planned postpone
    postponed pretended proposed rather rid save saved second spared stayed supposed threw till too tried turned
    unknown unless until vanish vanished vanishes voluntary want wanted wrong
    """
)

# A day, a year or a count after these is where something begins or ends, not when it was or how many there are.
SPANNING: Final = frozenset({"since", "until", "till", "before", "after", "from"})


def bounds(said: Iterable[Word]) -> frozenset[str]:
    """Return the roots of those of the words ``said`` that bound or lessen."""
    return frozenset(word.root for word in said if word.form in BOUNDING or word.form in LESSENING)
