"""What comes up in review by itself: learned knowledge that no longer fits, contradicts, or is of no use; and bridges.

:class:`weft.services.watching.sweep.Watching` looks for all of it, a bounded part of the graph at a time;
:class:`weft.services.watching.drift.Drifting` also looks on while a text is changed. What is found is suggested:
nothing here retires or rewrites anything.
"""

from __future__ import annotations
