"""Loss of the primary under load: PostgreSQL with a standby, two servers, four writers, and a kill -9 a round.

::

    python bench/failover.py                    # 20 rounds with a synchronous standby: nothing may be lost or doubled
    python bench/failover.py --asynchronous     # the twin: some must be lost, so that the rounds are known to see loss

Takes ``--rounds``, ``--writers``, ``--version`` (18 or 16; or that of ``POSTGRES_PROGRAMS``, the folder of another
server's programs, which is then taken unless told) and ``--seed``. Printed: acknowledged captures, how many of
them are missing or there twice at the end, calls that were repeated, and how long writing stood still. The exit code is
1 when that is not as it must be.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("src", "tests")]

from postgres.failover import Toll, fail_over  # noqa: E402 - found through the paths above


def told(toll: Toll, took_s: float) -> None:
    """Print what the rounds came to."""
    rounds, count = len(toll.resumed_s), len(toll.acknowledged)
    print(f"{rounds} rounds in {took_s:.0f} s: {count} captures acknowledged, {toll.repeated} calls repeated")
    print(f"{len(toll.missing)} missing, {len(toll.doubled)} doubled, {len(toll.wrong)} otherwise wrong")
    waits = toll.resumed_s or [0.0]
    print(f"from kill to next acknowledgement: median {statistics.median(waits):.1f} s, longest {max(waits):.1f} s")
    print(*(toll.missing + toll.doubled)[:20], *toll.wrong[:20], sep="\n")


def main() -> int:
    """Run the rounds and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--version", type=int, help="of PostgreSQL")
    parser.add_argument("--asynchronous", action="store_true", help="let no commit wait for the standby")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        toll = fail_over(
            Path(folder),
            rounds=given.rounds,
            seed=given.seed,
            synchronous=not given.asynchronous,
            writers=given.writers,
            version=given.version,
        )
    told(toll, time.perf_counter() - started)
    lost_as_meant = bool(toll.missing) == given.asynchronous
    return 0 if lost_as_meant and not toll.doubled and not toll.wrong else 1


if __name__ == "__main__":
    sys.exit(main())
