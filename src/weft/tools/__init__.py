"""The tool table and the one gate: every verb as one row, and one way to call it, whatever the face.

Importing this room costs little: rows are data, and what a row needs to run (its arguments, the model, the graph) is
loaded when a tool is first listed or called. ``table`` holds the rows, ``gate`` runs them, ``offer`` chooses them.
"""

from __future__ import annotations
