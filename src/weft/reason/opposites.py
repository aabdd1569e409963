"""What speaks against what, as data: poles of scales, orders of growth, dates, verbs with two sides. English."""

from __future__ import annotations

from typing import Final

__all__ = ["ASYMMETRIC", "DATES", "FALLING", "LEVEL", "ORDERS", "RISING", "SCALES", "TURNED"]

# Two poles a row: a text that says one of a thing denies the other of it. `verb` and `manner` count wherever they are;
# `state` (adjectives and the like) only where it is said of something («is fast», «has a low salinity»), since a small
# dog and a big dog may both run. What can rise can fall as well, but of `manner` and `exclusive` (states that leave no
# third) only one can be.
SCALES: Final[tuple[tuple[str, str, str], ...]] = (
    (
        "verb",
        """
        increase increment rise rose grow grew growth raise gain climb expand boost elevate elevation heighten enhance
        """,
        """
        decrease decrement reduce reduction lower decline drop fall fell shrink shrank shrunk contract diminish lessen
        cut curb loss
        """,
    ),
    ("verb", "improve improvement enhance better benefit", "worsen deteriorate degrade degradation impair harm hurt"),
    (
        "verb",
        "cause induce trigger promote provoke stimulate activate",
        "prevent prevention inhibit avert suppress block stop",
    ),
    ("verb", "protect cure heal treat", "infect endanger"),
    ("verb", "extend lengthen prolong", "shorten"),
    ("verb", "accelerate hasten quicken", "decelerate slow delay retard"),
    ("verb", "support confirm prove corroborate verify", "refute disprove oppose debunk contradict invalidate"),
    ("verb", "allow permit let authorise authorize enable", "forbid prohibit ban disallow disable prevent block"),
    ("verb", "accept approve adopt admit", "reject refuse decline deny abandon"),
    ("verb", "include contain comprise", "exclude omit lack"),
    ("verb", "add insert append attach", "remove delete drop detach subtract"),
    ("verb", "start begin began commence open launch", "end stop finish cease close terminate"),
    ("verb", "win won", "lose lost"),
    ("verb", "succeed success pass", "fail failure"),
    ("verb", "strengthen reinforce", "weaken undermine"),
    ("verb", "love like enjoy", "hate dislike detest loathe"),
    ("verb", "encourage", "discourage deter"),
    ("verb", "attract", "repel"),
    ("verb", "buy bought purchase acquire", "sell sold"),
    ("verb", "appear emerge", "disappear vanish"),
    ("verb", "arrive enter", "depart leave left exit"),
    ("verb", "remember", "forget forgot"),
    ("verb", "push", "pull"),
    ("verb", "import", "export"),
    ("verb", "upload", "download"),
    ("verb", "encrypt", "decrypt"),
    ("verb", "upgrade", "downgrade"),
    ("verb", "ascend", "descend"),
    ("verb", "survive", "die died perish"),
    ("verb", "agree", "disagree"),
    ("verb", "keep kept retain preserve", "abandon discard withdraw withdrew withdrawn scrap"),
    ("verb", "grant", "refuse deny denied"),
    ("verb", "back favour favor", "oppose"),
    ("verb", "trust", "distrust doubt"),
    ("verb", "praise commend", "fault criticise criticize"),
    ("verb", "help", "hinder harm"),
    ("verb", "find found", "lose lost miss"),
    ("verb", "spare", "hit attack destroy ruin wreck"),
    ("verb", "preserve spare", "demolish destroy"),
    ("verb", "maintain", "neglect"),
    ("verb", "widen broaden", "narrow"),
    ("verb", "brighten", "dim darken"),
    ("verb", "save", "waste"),
    ("verb", "freeze froze", "melt thaw"),
    ("verb", "activate", "deactivate inactivate"),
    ("verb", "overestimate", "underestimate"),
    ("manner", "sequentially serially", "parallel concurrently simultaneously"),
    ("manner", "synchronously", "asynchronously"),
    ("manner", "manually", "automatically"),
    ("verb", "always", "never"),
    ("verb", "often frequently usually commonly", "rarely seldom infrequently"),
    ("verb", "most majority", "minority few fewest least"),
    ("verb", "more", "less fewer"),
    ("verb", "many", "few"),
    ("verb", "presence", "absence lack"),
    ("verb", "before", "after"),
    ("verb", "above over", "below under beneath"),
    ("verb", "inside within", "outside"),
    ("verb", "upward upwards", "downward downwards"),
    ("verb", "forward forwards", "backward backwards"),
    ("verb", "upstream", "downstream"),
    ("verb", "upstairs", "downstairs"),
    ("verb", "indoors", "outdoors"),
    ("verb", "northward northwards", "southward southwards"),
    ("verb", "eastward eastwards", "westward westwards"),
    ("verb", "together jointly", "apart separately"),
    ("verb", "including", "excluding except"),
    ("exclusive", "true correct right accurate", "false wrong incorrect inaccurate"),
    ("exclusive", "alive living", "dead"),
    ("exclusive", "open", "closed shut"),
    ("exclusive", "present", "absent missing"),
    ("exclusive", "mandatory compulsory required obligatory necessary", "optional voluntary"),
    ("exclusive", "synchronous", "asynchronous"),
    ("exclusive", "sequential serial", "parallel concurrent simultaneous"),
    ("exclusive", "static statically", "dynamic dynamically"),
    ("exclusive", "public", "private secret"),
    ("exclusive", "internal", "external"),
    ("exclusive", "online", "offline"),
    ("exclusive", "manual", "automatic automated"),
    ("exclusive", "permanent", "temporary"),
    ("exclusive", "deterministic", "random stochastic"),
    ("exclusive", "centralised centralized", "distributed decentralised decentralized"),
    ("exclusive", "enabled", "disabled"),
    ("exclusive", "allowed permitted legal lawful", "forbidden prohibited banned illegal"),
    ("exclusive", "natural", "artificial synthetic"),
    ("exclusive", "guilty", "innocent"),
    ("exclusive", "possible", "impossible"),
    ("exclusive", "safe harmless secure", "dangerous harmful hazardous"),
    ("exclusive", "asymptomatic", "symptomatic"),
    ("exclusive", "finite", "infinite"),
    ("exclusive", "lossless", "lossy"),
    ("exclusive", "abstract", "concrete"),
    ("exclusive", "singular", "plural"),
    ("exclusive", "domestic", "foreign"),
    ("exclusive", "inbound incoming", "outbound outgoing"),
    ("exclusive", "alive", "extinct"),
    ("exclusive", "edible", "poisonous toxic"),
    ("exclusive", "awake", "asleep"),
    ("exclusive", "healthy", "sick ill diseased"),
    ("exclusive", "alike identical", "different"),
    ("exclusive", "partial", "total"),
    ("exclusive", "busy", "idle"),
    ("exclusive", "harmless", "deadly fatal lethal"),
    ("exclusive", "unchanged stable", "higher lower"),
    ("exclusive", "encrypted", "plaintext"),
    ("state", "high higher tall", "low lower"),
    ("state", "large big huge larger bigger greater", "small tiny little smaller lesser"),
    ("state", "fast quick rapid faster quicker", "slow slower"),
    ("state", "hot warm hotter warmer", "cold cool colder cooler"),
    ("state", "strong stronger", "weak weaker"),
    ("state", "hard difficult harder", "easy easier simple simpler trivial"),
    ("state", "simple simpler", "complex complicated"),
    ("state", "expensive costly dear", "cheap cheaper inexpensive"),
    ("state", "old older ancient", "new young newer younger"),
    ("state", "long longer", "short shorter brief"),
    ("state", "heavy heavier", "light lighter"),
    ("state", "rich wealthy richer", "poor poorer"),
    ("state", "wet", "dry"),
    ("state", "dense", "sparse"),
    ("state", "thick", "thin"),
    ("state", "wide broad wider", "narrow narrower"),
    ("state", "deep deeper", "shallow shallower"),
    ("state", "full", "empty"),
    ("state", "loud noisy", "quiet silent"),
    ("state", "good great excellent better", "bad poor terrible worse"),
    ("state", "best", "worst"),
    ("state", "common frequent widespread", "rare uncommon scarce"),
    ("state", "early earlier", "late later"),
    ("state", "near close nearer closer", "far distant farther"),
    ("state", "clean", "dirty"),
    ("state", "flat", "steep"),
    ("state", "positive", "negative"),
    ("state", "maximum maximal", "minimum minimal"),
    ("state", "first", "last"),
    ("state", "upper", "lower"),
    ("state", "highest", "lowest"),
    ("state", "largest biggest", "smallest"),
    ("state", "longest", "shortest"),
    ("state", "oldest eldest", "youngest newest"),
    ("state", "earliest first", "latest last"),
    ("state", "fastest quickest", "slowest"),
    ("state", "cheapest", "dearest costliest"),
    ("state", "cheaper", "dearer costlier pricier"),
    ("state", "sooner earlier", "later"),
    ("state", "thicker", "thinner"),
    ("state", "brighter lighter", "darker"),
    ("state", "louder noisier", "quieter"),
    ("state", "mild milder gentle", "harsh harsher severe"),
    ("state", "fertile", "barren"),
    ("state", "happy glad", "sad unhappy"),
    ("state", "beneficial helpful useful", "harmful useless detrimental"),
    ("state", "effective", "useless ineffective"),
)

# Of these one thing has one: linear is not quadratic. Each row is one order in all its spellings.
ORDERS: Final[tuple[tuple[str, ...], ...]] = (
    ("constant", "o(1)"),
    ("logarithmic", "logarithmically", "o(logn)"),
    ("linear", "linearly", "o(n)"),
    ("linearithmic", "loglinear", "o(nlogn)"),
    ("quadratic", "quadratically", "o(n2)"),
    ("cubic", "cubically", "o(n3)"),
    ("exponential", "exponentially", "o(2n)"),
    ("factorial", "factorially", "o(n!)"),
)

# Of these one event has one, if all else is said alike.
DATES: Final[tuple[tuple[str, ...], ...]] = (
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    (
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ),
)

# Verbs that cannot hold both ways round: if a outperforms b, b does not outperform a.
ASYMMETRIC: Final[tuple[str, ...]] = (
    "beat",
    "contain",
    "exceed",
    "inherit",
    "outnumber",
    "outperform",
    "outrank",
    "outweigh",
    "precede",
    "replace",
    "succeed",
    "supersede",
    "surpass",
)

# Which way a statement points at large: more or for (rising), less or against (falling), neither (level). Coarser than
# the scales above, where only two ends of one scale meet: good for leaning to a side, not for calling a conflict.
RISING: Final = """
    increase rise rose grow growth raise gain climb expand boost elevate elevation heighten enhance enhancement high
    higher more greater upregulate upregulation promote activate activation induce induction stimulate facilitate
    improve improvement longer larger accelerate strengthen positive positively overexpression many most amplify
    potentiate augment excess abundant necessary required essential important contribute cause drive produce trigger
    lead support benefit effective accumulate stabilize warm hot hotter faster fast strong stronger better rich enrich
"""
FALLING: Final = """
    decrease reduce reduction decline drop fall fell shrink diminish lessen low lower less fewer downregulate
    downregulation inhibit inhibition suppress suppression block impair impairment worsen worse shorter smaller loss
    negative negatively prevent prevention deficiency deficient knockdown deplete depletion attenuate limit deactivate
    inactivate inactivation abolish abrogate antagonize lack absence few fewest least minority dispensable unnecessary
    ineffective protect protective resist cool cold slow slower weak weaker destabilize decelerate disrupt silence
    knockout rare poor
"""
LEVEL: Final = """
    similar unaffected unchanged independent irrespective regardless unrelated equal comparable same neutral stable
    constant
"""

# Words as they stand in a sentence, each with the one that turns the sentence round.
TURNED: Final = """
    increases:decreases increase:decrease increased:decreased higher:lower high:low more:less promotes:inhibits
    promote:inhibit activates:inactivates activation:inhibition improves:worsens improved:worsened enhances:suppresses
    greater:smaller positive:negative reduces:raises reduce:raise reduced:elevated prevents:causes prevent:cause
    effective:ineffective gain:loss longer:shorter upregulated:downregulated large:small induces:prevents better:worse
    rise:fall rising:falling warming:cooling safe:dangerous true:false
"""
