"""Looking after concepts: made with care, joined by evidence, flagged, merged and parted, and pruned."""

from __future__ import annotations
