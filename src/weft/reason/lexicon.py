"""How the judge reads words: phrases that count as one, words of denial and doubt, and words without subject matter.

English, as data. What is said in several words is read as one that the other tables know; *insteadof*, *notall* and
*notshown* are words of ours for what no single word says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ALL",
    "ARTICLES",
    "BEFORE_NAMES",
    "BETWEEN",
    "CHOOSING",
    "COUNTING",
    "DENIALS",
    "FUNCTION_WORDS",
    "HEDGES",
    "IRREGULAR",
    "LIGHT_PREDICATES",
    "LIGHT_WORDS",
    "NEGATIVE_IN",
    "NOUNS_IN_ER",
    "NOUN_DENIALS",
    "NO_UNIT",
    "OMITTABLE",
    "PARTIAL_DENIALS",
    "PHRASES",
    "PREDICATES",
    "PRONOUNS",
    "SOME",
    "SUBORDINATING",
    "TURNING",
    "words",
]


def words(text: str) -> frozenset[str]:
    """Return the words of a table that is written as text."""
    return frozenset(text.split())


ARTICLES: Final = frozenset({"a", "an", "the"})

# What is said in several words, as one word that the tables know.
PHRASES: Final[Mapping[str, str]] = {
    "step by step": "sequentially",
    "one by one": "sequentially",
    "one after another": "sequentially",
    "one after the other": "sequentially",
    "one at a time": "sequentially",
    "one step at a time": "sequentially",
    "one item at a time": "sequentially",
    "one token at a time": "sequentially",
    "one element at a time": "sequentially",
    "able to": "can",
    "capable of": "can",
    "token by token": "sequentially",
    "in parallel": "parallel",
    "at the same time": "simultaneously",
    "all at once": "simultaneously",
    "leads to": "causes",
    "lead to": "cause",
    "leading to": "causing",
    "led to": "caused",
    "results in": "causes",
    "result in": "cause",
    "speeds up": "accelerates",
    "speed up": "accelerate",
    "slows down": "slows",
    "slow down": "slow",
    "goes up": "rises",
    "go up": "rise",
    "went up": "rose",
    "goes down": "falls",
    "go down": "fall",
    "went down": "fell",
    "turned on": "enabled",
    "turned off": "disabled",
    "switched on": "enabled",
    "switched off": "disabled",
    "no longer": "not",
    "not any more": "not",
    "not anymore": "not",
    "by no means": "not",
    "in no way": "not",
    "no one": "nobody",
    "fails to": "not",
    "failed to": "not",
    "fail to": "not",
    "failing to": "not",
    "unable to": "not",
    "incapable of": "not",
    "lack of": "without",
    "lacks": "without",
    "lacked": "without",
    "lacking": "without",
    "absence of": "without",
    "different from": "not",
    "different than": "not",
    "distinct from": "not",
    "devoid of": "without",
    "free of": "without",
    "instead of": "insteadof",
    "rather than": "insteadof",
    "as opposed to": "insteadof",
    "other than": "insteadof",
    "not only": "",
    "not just": "",
    "not merely": "",
    "not simply": "",
    "not least": "",
    "no doubt": "",
    "no matter": "",
    "no wonder": "",
    "nothing but": "only",
    "none other than": "",
    "none but": "only",
    "no one but": "only",
    "nobody but": "only",
    "all or nothing": "",
    "whether or not": "whether",
    "or not": "",
    "if not": "",
    "not until": "",
    "not yet": "not",
    "not necessarily": "notall",
    "not always": "notall",
    "not all": "notall",
    "not every": "notall",
    "not everyone": "notall",
    "not everything": "notall",
    "not entirely": "notall",
    "not fully": "notall",
    "not completely": "notall",
    "not exactly": "notall",
    "not both": "notall",
    "not have to": "notall",
    "not need to": "notall",
    "not enough": "notall",
    "not sufficiently": "notall",
    "no evidence": "notshown",
    "little evidence": "notshown",
    "insufficient evidence": "notshown",
    "not shown that": "notshown",
    "not shown to be": "notshown",
    "not been shown to": "notshown",
    "not been shown that": "notshown",
    "not clear": "notshown",
    "not known": "notshown",
    "unclear": "notshown",
    "false that": "not",
    "untrue that": "not",
    "not true that": "not",
    "not the case that": "not",
    "impossible to": "not",
}

# Words that deny what follows them: in part or only that it is known, or a thing within the statement.
DENIALS: Final = words(
    """
    not no never neither nor none nobody nothing nowhere cannot hardly barely scarcely without insteadof notall
    notshown unlike cant dont doesnt didnt isnt arent wasnt werent wont wouldnt couldnt shouldnt hasnt havent hadnt
    non
    """
)
PARTIAL_DENIALS: Final = frozenset({"notall", "notshown", "hardly", "barely", "scarcely"})
NOUN_DENIALS: Final = frozenset({"without", "insteadof", "unlike", "non"})

# Words that can turn the sense of a text round or aside without adding subject matter to it.
TURNING: Final = words(
    """
    and up down off out outside inside away over under before after back or all every each both some any most many few
    fewer more less least only nearly against false true lack
    """
)

# What these begin gives the reason, the time or the condition of something else.
SUBORDINATING: Final = words(
    """
    since because although though while whereas unless until if when whenever where once as so but however yet
    """
)

# After these, «over» says what was not taken.
CHOOSING: Final = words(
    """
    choose choosing chosen chose prefer preferred prefers pick picked favour favor
    """
)

HEDGES: Final = words(
    """
    may might could perhaps possibly probably maybe likely unlikely potentially would should if unless whether
    sometimes occasionally suggest suggests suggested appears appeared seems seemed seem assume assumed believe
    believed believes claim claims claimed allege alleged deny denied denies doubt doubts question questioned myth
    hoax rumour rumor falsely wrongly supposedly reportedly hypothesis hypothesise hypothesize wonder unclear
    """
)

# Words that carry no subject matter of their own, beyond the stop words.
LIGHT_WORDS: Final = words(
    """
    actually also already approximately exactly generally indeed largely mainly mostly particularly really simply
    typically usually especially currently today still even much very quite rather somewhat well too there thing
    whole entire entirely fully completely together certain various several some any every all each both either need
    needs someone somebody anyone anybody everyone everybody person people use used using make made way kind sort
    type order fact case according said say says report reported show shown shows found find one ones
    """
)

# Those of them that are nevertheless what a statement says where nothing follows («are not shown»).
LIGHT_PREDICATES: Final = words(
    """
    show shows shown use used using report reports reported find found make made need needs say says said
    """
)

# Words that end like a comparative and are none.
NOUNS_IN_ER: Final = words(
    """
    answer browser buffer butter center centre chapter character cluster compiler computer consumer container corner
    counter cover customer danger daughter december developer dinner driver engineer error factor father filter finger
    folder footer header hunger identifier killer layer leader letter lever liver loader manner master
    matter member meter mother murder november number october offer officer order owner pager paper parameter parser
    partner pepper player pointer power printer processor producer provider reader register render river router
    scheduler server shower silver sister summer teacher theater timer transfer transformer tower trigger user water
    weather winter wonder worker writer
    """
)

FUNCTION_WORDS: Final = words(
    """
    a an the this that these those it its itself they them their theirs he him his she her hers we us our you your i
    me my mine who whom whose which what where when why how is are was were be been being am do does did done doing
    has have had having will would shall should can could may might must ought to of in on at by for from with into
    onto upon about as than then so such and or but if because while although though however since until unless
    whether via per through during between among against toward towards across along around off out up down again
    there here not no nor neither never none nobody nothing without insteadof notall notshown only just let
    """
)

# Adjectives that «in-», «im-», «ir-», «il-» and «dis-» turn round; with «un-» and «non-» any word counts.
NEGATIVE_IN: Final = words(
    """
    inaccurate inactive inadequate inappropriate incapable incomplete inconsistent incorrect independent indirect
    ineffective inefficient insufficient invalid invisible insecure incompatible ineligible infrequent insignificant
    insensitive involuntary inadvisable inadmissible inaccessible inequivalent infeasible inflexible inexact
    intolerant invariant immutable immature imperfect impossible impractical imprecise improbable improper impure
    irregular irrelevant irreversible irresponsible irrational illegal illogical illegible illegitimate disallow
    disapprove disconnect discontinue dislike disobey disprove dissimilar dishonest disadvantage distrust
    dissatisfied disagree disable disappear
    """
)

# Forms that the root rules do not reach, each with the form they are read as.
IRREGULAR: Final[Mapping[str, str]] = {
    form: base
    for base, forms in {
        "begin": "began begun",
        "break": "broke broken",
        "bring": "brought",
        "build": "built",
        "choose": "chose chosen",
        "cut": "cutting",
        "draw": "drew drawn",
        "drink": "drank drunk",
        "drive": "drove driven",
        "eat": "ate eaten",
        "fall": "fell fallen",
        "feed": "fed",
        "fly": "flew flown flies",
        "give": "gave given",
        "go": "went gone goes going",
        "grow": "grew grown",
        "hold": "held",
        "keep": "kept",
        "know": "knew known",
        "lead": "led",
        "lie": "lay lain lying",
        "lose": "lost losing",
        "pay": "paid",
        "ride": "rode ridden",
        "rise": "rose risen",
        "run": "ran running",
        "see": "saw seen",
        "sell": "sold",
        "send": "sent",
        "shoot": "shot",
        "sing": "sang sung",
        "sit": "sat sitting",
        "speak": "spoke spoken",
        "spend": "spent",
        "stand": "stood",
        "swim": "swam swum swimming",
        "take": "took taken",
        "teach": "taught",
        "tell": "told",
        "think": "thought",
        "throw": "threw thrown",
        "win": "won winning",
        "write": "wrote written",
    }.items()
    for form in forms.split()
}

# Words that a sentence may begin with to stand for something said before, or for the speaker.
PRONOUNS: Final = words(
    """
    it they he she this these that those we i you
    """
)

# Between these and an adjective nothing else may stand if the adjective is said of the subject …
PREDICATES: Final = words(
    """
    is are was were be been being has have had having remain remains stay stays become becomes became get gets seem
    seems look looks considered called
    """
)
# … but these.
BETWEEN: Final = words(
    """
    a an the very quite too so more most much rather always generally usually typically not never no only relatively
    extremely fairly highly also still now mostly
    """
)

# How many of them a statement speaks of.
SOME: Final = words(
    """
    some many several few certain sometimes often most mostly usually partly
    """
)
ALL: Final = words(
    """
    all every each always both everyone everything everybody any
    """
)

# Words that a text may lack although it says the same.
OMITTABLE: Final = words(
    """
    a an the this that these those is are was were be been being am has have had do does did will would shall of to
    it its he him his she her they their them we our us you your i my me who which s , ; : ( )
    """
)

# A number after these is part of a name («Phase 2»); a number after anything but these, in second place, may be one.
BEFORE_NAMES: Final = words(
    """
    phase version release step chapter section figure table part level type class tier stage round season episode
    volume page line model option rule case python java http layer node room floor grade article sprint
    """
)
COUNTING: Final = words(
    """
    the a an all these those our their his her its my your with in at of for from after before within between every
    only just there first last next other over about has have had is are was were he she it we they you i
    """
)

# Words that a number may stand before without counting them.
NO_UNIT: Final = words(
    """
    a an the of in on at to and or for per from by with as is are was were be has had have than but that which
    killed dead injured hurt wounded
    """
)
