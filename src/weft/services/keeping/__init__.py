"""Looking after a graph: is it sound, copies of it, and what must be erased from it."""

from __future__ import annotations

from weft.services.keeping.configuring import calibration_of, creators_of, floor_of
from weft.services.keeping.ports import KeepingPorts
from weft.services.keeping.verbs import Keeping

__all__ = ["Keeping", "KeepingPorts", "calibration_of", "creators_of", "floor_of"]
