"""The graph's own configuration: what may be set, what it means, and what it comes to when a graph is opened."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.errors import InvalidArgument
from weft.model import Calibrated, Calibration, Configured, Tier
from weft.vocabulary import NAME_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weft.model import Call
    from weft.ports import Embedder
    from weft.services.keeping.ports import KeepingPorts

__all__ = ["Configuring", "calibration_of", "creators_of", "floor_of"]

CREATORS_MAX: Final = 100
NODES_MAX: Final = 20_000
_CALIBRATION: Final = "calibration"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Key:
    """What a key means, its value where none is set, and what makes a value of what was given."""

    meaning: str
    default: str
    read: Callable[[str], str]


def _creators(text: str) -> str:
    names = list(dict.fromkeys(filter(None, (" ".join(name.split()) for name in text.split(",")))))
    if len(names) > CREATORS_MAX or any(len(name) > NAME_MAX for name in names):
        raise InvalidArgument(
            f"creators takes up to {CREATORS_MAX} names of {NAME_MAX} characters, separated by commas."
        )
    return ",".join(names)


def _floor(text: str) -> str:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0.0 <= number <= 1.0:
        raise InvalidArgument(f"link_floor takes a number from 0 to 1, got {text[:40]!r}.")
    return str(number)


KEYS: Final[Mapping[str, _Key]] = {
    "creators": _Key(
        meaning="names, separated by commas, that may stand as the creator of learned knowledge",
        default="",
        read=_creators,
    ),
    "link_floor": _Key(
        meaning="the confidence (0 to 1) from which a rule makes a relation by itself; below it only asks",
        default="0.7",
        read=_floor,
    ),
}
"""What may be set; each is read when the graph is opened."""


class Configuring:
    """Reads and sets the configuration of one graph, and fits how likeness reads in it."""

    def __init__(self, ports: KeepingPorts) -> None:
        self._ports = ports

    def list(self) -> tuple[Configured, ...]:
        """Return every key with its value and what it means."""
        return tuple(self.get(key) for key in KEYS)

    def get(self, key: str) -> Configured:
        """Return one key.

        Raises:
            InvalidArgument: there is no such key; the message names those there are.
        """
        known = _known(key)
        held = self._ports.config.values().get(key, "")
        return Configured(key=key, value=held or known.default, meaning=known.meaning, set=bool(held))

    def set(self, key: str, value: str, call: Call) -> Configured:
        """Set one key; an empty value takes it back to what it is where none is set.

        Processes that have the graph open go by it when they open it again.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            InvalidArgument: there is no such key, or it does not take the value.
        """
        call.require(Tier.CURATOR, "config set")
        known = _known(key)
        self._ports.config.save(key, known.read(value.strip()) if value.strip() else "", tier=call.tier)
        return self.get(key)

    def calibrate(self, call: Call) -> Calibrated:
        """Fit the map from cosine to similarity for the graph's model from its own nodes, and keep it with the graph.

        The bundled model brings a map that was fitted on pairs which people judged; it is left alone.

        Raises:
            PermissionDenied: the caller's tier is below curator.
            InvalidArgument: the model has its own map, or there are fewer than 100 nodes, or they are too alike.
        """
        call.require(Tier.CURATOR, "calibrate")
        embedder = self._ports.embedder
        if not self._ports.remote:
            raise InvalidArgument(
                f"{embedder.name} is calibrated already: its map was fitted on pairs that people judged.",
                hint="Calibrating is for the model of an endpoint (WEFT_EMBED_URL).",
            )
        vectors = list(self._ports.health.sample(NODES_MAX).values())
        fitted = self._ports.fit(np.reshape(vectors, (len(vectors), embedder.dimension)))
        said = {"model": embedder.name, "points": [list(point) for point in fitted.points]}
        self._ports.config.save(_CALIBRATION, json.dumps(said), tier=call.tier)
        return Calibrated(model=embedder.name, nodes=len(vectors), points=fitted.points)


def creators_of(values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the creators that a graph's configuration registers."""
    return tuple(filter(None, values.get("creators", "").split(",")))


def floor_of(values: Mapping[str, str]) -> float | None:
    """Return the link floor that a graph's configuration sets, if any."""
    return float(values["link_floor"]) if values.get("link_floor") else None


def calibration_of(values: Mapping[str, str], embedder: Embedder) -> Calibration | None:
    """Return the map that was fitted in the graph for this embedder's model, if any."""
    if not values.get(_CALIBRATION):
        return None
    said = json.loads(values[_CALIBRATION])
    if said["model"] != embedder.name:
        return None
    return Calibration(points=tuple((float(cosine), float(level)) for cosine, level in said["points"]))


def _known(key: str) -> _Key:
    if key not in KEYS:
        raise InvalidArgument(f"key: there is none called {key[:40]!r}; there are {', '.join(KEYS)}.")
    return KEYS[key]
