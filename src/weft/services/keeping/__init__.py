"""Looking after a graph: is it sound, copies of it, and what must be erased from it."""

from __future__ import annotations

from weft.services.keeping.configuring import calibration_of, creators_of, floor_of
from weft.services.keeping.rooms import KeepingRooms
from weft.services.keeping.verbs import Keeping

__all__ = ["Keeping", "KeepingRooms", "calibration_of", "creators_of", "floor_of"]
