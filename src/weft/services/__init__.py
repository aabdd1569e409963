"""The verbs: each service plans over the ports, thinks with the pure rooms, and writes one batch."""

from __future__ import annotations
