"""The values of Weft: frozen, slotted, keyword-only. Nothing here does I/O."""

from __future__ import annotations

from weft.model.analysis import *
from weft.model.answer import *
from weft.model.change import *
from weft.model.copying import *
from weft.model.curation import *
from weft.model.judging import *
from weft.model.keeping import *
from weft.model.knowledge import *
from weft.model.learned import *
from weft.model.logged import *
from weft.model.mapped import *
from weft.model.outcome import *
from weft.model.query import *
from weft.model.remembered import *
from weft.model.request import *
from weft.model.staleness import *
from weft.model.transfer import *
