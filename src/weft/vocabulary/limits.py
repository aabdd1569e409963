"""The bounds of every text, list and walk, and the marks on the similarity scale. Numbers only."""

from __future__ import annotations

from typing import Final

__all__ = [
    "ALIASES_MAX",
    "ALIAS_MAX",
    "ALTERNATIVES_MAX",
    "AUTO_CREATE_FLOOR",
    "AUTO_RELATIONS_MAX",
    "BRIDGES_MAX",
    "BULK_MAX",
    "CANDIDATES_MAX",
    "CITATION_MAX",
    "CONFIDENCE",
    "CONFIDENT",
    "CONTENT_MAX",
    "DEPTH_MAX",
    "EVIDENCE_MAX",
    "FRONTIER_MAX",
    "HOPS_MAX",
    "IMPORTANCE",
    "LIST_MAX",
    "MAPPED_MAX",
    "MENTIONS_MAX",
    "NAME_MAX",
    "NEAR_DUPLICATE",
    "OBVIOUS",
    "OFFSET_MAX",
    "PAIRS_MAX",
    "PAIR_CANDIDATES_MAX",
    "QUERY_MAX",
    "REASONABLE",
    "REASON_MAX",
    "REFERENCES_MAX",
    "REFERENCE_MAX",
    "RELATIONS_MAX",
    "SEARCH_TERMS_MAX",
    "SESSION_MAX",
    "SUGGEST_FLOOR",
    "TAGS_MAX",
    "TAG_MAX",
    "TASK_MAX",
    "TELLING",
    "TITLE_MAX",
    "UNRELATED",
]

# Texts, in characters.
TITLE_MAX: Final = 200
CONTENT_MAX: Final = 100_000
TAG_MAX: Final = 100
ALIAS_MAX: Final = 200
NAME_MAX: Final = 200  # an ontology, an actor, a creator, a document
SESSION_MAX: Final = 200
REFERENCE_MAX: Final = 1_000  # a file path or a URL
CITATION_MAX: Final = 2_000
REASON_MAX: Final = 4_000  # the reasoning of a relation, a vote or a removal
EVIDENCE_MAX: Final = 20_000  # the evidence of a synthesis, or a quote
QUERY_MAX: Final = 2_000
TASK_MAX: Final = 8_000

# Lists that hang on a node, in items.
TAGS_MAX: Final = 50
ALIASES_MAX: Final = 50
SEARCH_TERMS_MAX: Final = 50
REFERENCES_MAX: Final = 50
RELATIONS_MAX: Final = 50  # asked for in one capture
MENTIONS_MAX: Final = 20  # derived from one text

# Lists that are asked for or given at once, in items.
LIST_MAX: Final = 100
MAPPED_MAX: Final = 500  # nodes of a map: of more nobody tells one from the next in a picture
OFFSET_MAX: Final = 100_000
BULK_MAX: Final = 50
BRIDGES_MAX: Final = 20  # originals that one synthesis joins
ALTERNATIVES_MAX: Final = 5

# What one capture may set off.
CANDIDATES_MAX: Final = 50  # nodes that the seven rules are tried on
AUTO_RELATIONS_MAX: Final = 20  # relations the rules may make
PAIR_CANDIDATES_MAX: Final = 5  # nodes that the type-pair table is tried on
PAIRS_MAX: Final = 3  # relations the type-pair table may make

# Walks over the graph.
HOPS_MAX: Final = 10
DEPTH_MAX: Final = 5
FRONTIER_MAX: Final = 2_000  # nodes a side and level

# Marks on the calibrated similarity scale (0..1).
NEAR_DUPLICATE: Final = 0.95
OBVIOUS: Final = 0.85
REASONABLE: Final = 0.70
UNRELATED: Final = 0.50

# What nobody weighed is given (0..1).
CONFIDENCE: Final = 0.8  # how sure a node is, how strong a relation
IMPORTANCE: Final = 0.5  # how much a node matters

# Marks on the confidence scale (0..1).
CONFIDENT: Final = 0.6  # from here on a classification counts as sure
TELLING: Final = 0.05  # under this a classification's share says nothing
AUTO_CREATE_FLOOR: Final = 0.7  # under this no rule makes a relation by itself
SUGGEST_FLOOR: Final = 0.5  # under this nobody is asked: 500 chat turns drew 744 guesses, most of them noise
