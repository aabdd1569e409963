"""The tools as type checkers and editors read them: the table, written down, with nothing to run in it.

Written by scripts/write_stubs.py; do not edit.
"""

# ruff: noqa: PYI021 - editors show what a stub documents

from weft.tools.typed.core_reading import CoreReading
from weft.tools.typed.core_writing import CoreWriting
from weft.tools.typed.curation_reading import CurationReading
from weft.tools.typed.curation_writing import CurationWriting
from weft.tools.typed.memory_reading import MemoryReading
from weft.tools.typed.memory_writing import MemoryWriting
from weft.tools.typed.operators import Operators
from weft.tools.typed.project_reading import ProjectReading
from weft.tools.typed.project_writing import ProjectWriting
from weft.tools.typed.research_reading import ResearchReading
from weft.tools.typed.research_writing import ResearchWriting
from weft.tools.typed.synthesis_reading import SynthesisReading
from weft.tools.typed.synthesis_writing import SynthesisWriting

class Tools(
    CoreReading,
    CoreWriting,
    CurationReading,
    CurationWriting,
    MemoryReading,
    MemoryWriting,
    Operators,
    ProjectReading,
    ProjectWriting,
    ResearchReading,
    ResearchWriting,
    SynthesisReading,
    SynthesisWriting,
):
    """All tools as methods."""
