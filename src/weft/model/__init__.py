"""The values of Weft: frozen, slotted, keyword-only. Nothing here does I/O."""

from __future__ import annotations

from weft.model.answer import *
from weft.model.change import *
from weft.model.knowledge import *
from weft.model.outcome import *
from weft.model.query import *
from weft.model.request import *
