"""The words the graph is written in: kinds of nodes, types of relations, and the bounds of both. Data, not code.

Names are stored in lower case with underscores. A :class:`Vocabulary`, that of a graph or the standard one, reads any
spelling of them; every other name is refused there, so that no free text ever travels on as a kind or a type.
"""

from __future__ import annotations

from weft.vocabulary.kinds import *  # noqa: F403
from weft.vocabulary.limits import *  # noqa: F403
from weft.vocabulary.lookup import *  # noqa: F403
from weft.vocabulary.own import *  # noqa: F403
from weft.vocabulary.relation_types import *  # noqa: F403
