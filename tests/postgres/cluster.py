"""Real PostgreSQL for tests: throw-away clusters, their standbys, and ways to hurt them.

A cluster, in PostgreSQL's own words, is one server and its data folder::

    with Cluster() as primary:
        url = primary.url(primary.create_database())
        standby = primary.standby()
        primary.kill()
        standby.promote()

Where PostgreSQL is not installed a test fails; it is never skipped. Every database belongs to ``weft_app``, a login
that is no superuser. Whatever becomes of a test, or of the whole run, no process, folder or memory stays behind.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, Self

import psutil
import psycopg

from postgres.installed import free_port, in_memory, new_folder, programs, run, spawn, version_at_hand

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

__all__ = ["APP", "Cluster", "until"]

APP = "weft_app"
"""The login that databases belong to: it may create roles and is no superuser, as the product's should be."""

WAIT_S = 60
"""The longest wait for anything here; each takes a second or two on an idle machine."""

SETTINGS = """
listen_addresses = '127.0.0.1'
max_connections = 200
shared_buffers = 64MB
dynamic_shared_memory_type = mmap
timezone = 'Asia/Kathmandu'
jit = off
wal_keep_size = 256MB
wal_retrieve_retry_interval = 200ms
"""
"""Memory is shared in the data folder, to go with it after a kill; the zone shows times that are read without one."""

UNSAFE = """
fsync = off
full_page_writes = off
"""
"""Faster, and no less safe from a killed process: what was written lies with the operating system."""

CLONING = """
file_copy_method = clone
"""
"""The system copies the files of a database, a third of the work; no version before 18 knows such a setting."""

CLONES = 18
"""The first version that knows it."""

GUARD = """
cat
kill -QUIT "$0" && kill -CONT "$0"
for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$0" || break; sleep 0.2; done
rm -rf "$1"
"""
"""Waits for the end of its input, which is the end of the run, however that came; then ends server $0, folder $1."""


CAUGHT_UP = """
SELECT 1 FROM pg_stat_replication
WHERE application_name = %s AND sync_state = %s AND state = 'streaming' AND flush_lsn >= %s
"""


def until(condition: Callable[[], object], *, what: str, timeout_s: float = WAIT_S) -> None:
    """Return once ``condition`` holds, which is asked a hundred times a second.

    Raises:
        TimeoutError: it did not hold within ``timeout_s`` seconds; ``what`` says what was waited for.
    """
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {timeout_s} seconds")
        time.sleep(0.01)


class Cluster:
    """A PostgreSQL server with a data folder of its own, which starts where its context is entered.

    ``fsync``: whether it syncs; ``version``: which major one, where not the one that tests run on. All that works on a
    primary works on a standby, as far as it writes nothing. Leaving the context, ``remove`` and the end of the run end
    it, with the standbys that it was given.
    """

    _numbers = count()

    def __init__(self, *, version: int | None = None, fsync: bool = False) -> None:
        self.version = version or version_at_hand()
        programs(self.version)
        self.fsync = fsync
        self.name = f"node{next(self._numbers)}"
        self.port = free_port()
        self.folder = new_folder(*([] if fsync else in_memory()))
        self._data = self.folder / "data"
        self._server: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self._standbys: list[Cluster] = []
        self._databases = count()
        atexit.register(self.remove)

    def __enter__(self) -> Self:
        initial = ("--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        run(self.version, "initdb", "--pgdata", str(self._data), *initial, cwd=self.folder)
        with (self._data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write(SETTINGS + ("" if self.fsync else UNSAFE) + (CLONING if self.version >= CLONES else ""))
        self.start()
        self.rows(f"CREATE ROLE {APP} LOGIN CREATEROLE")
        self.rows("CREATE EXTENSION vector", database="template1")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.remove()

    def url(self, database: str = "postgres", *, user: str = APP, standby: Cluster | None = None) -> str:
        """Return the URL of a database; with ``standby``, of whichever of the two takes writes on connecting."""
        hosts = ",".join(f"127.0.0.1:{each.port}" for each in (self, standby) if each)
        return f"postgresql://{user}@{hosts}/{database}" + ("?target_session_attrs=read-write" if standby else "")

    def rows(self, sql: str, *values: object, database: str = "postgres", user: str = "postgres") -> list[Any]:
        """Run one statement through the server's own socket, outside a transaction, and return its rows."""
        with self._connection(database, user) as connection:
            cursor = connection.execute(sql.encode(), values or None)
            return cursor.fetchall() if cursor.description else []

    def create_database(self, *, template: str = "template1") -> str:
        """Return the name of a fresh database of ``weft_app``, with pgvector unless ``template`` is ``template0``.

        A template of one's own, an earlier database, must have no connections while it is copied.
        """
        name = f"weft_{next(self._databases)}"
        # copying files is twice as fast where nothing syncs; a standby would have to copy them at the same moment
        way = "WAL_LOG" if self.fsync or self._standbys else "FILE_COPY"
        self.rows(f"CREATE DATABASE {name} OWNER {APP} TEMPLATE {template} STRATEGY {way}")
        return name

    def drop_database(self, name: str) -> None:
        """Drop a database, whoever is connected to it."""
        self.rows(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def log(self) -> str:
        """Return what the server has logged."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    def standby(self, *, synchronous: bool = True) -> Cluster:
        """Return a new standby of this primary, caught up; synchronous: commits here wait until it has flushed them."""
        standby = Cluster(version=self.version, fsync=self.fsync)
        self._standbys.append(standby)
        standby.follow(self, synchronous=synchronous)
        return standby

    def follow(self, primary: Cluster, *, synchronous: bool = True) -> None:
        """Become a standby of ``primary`` at the address of before, and catch up; what was here is thrown away.

        Synchronous: from before the copy is taken, no commit of the primary is acknowledged without this standby.
        """
        self.stop()
        shutil.rmtree(self._data, ignore_errors=True)
        primary.wait_for(self.name if synchronous else "")
        place = f"host={primary.folder} port={primary.port} user=postgres application_name={self.name}"
        copy = ("--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "--no-sync")
        run(self.version, "pg_basebackup", "--pgdata", str(self._data), "--dbname", place, *copy, cwd=self.folder)
        self.start()
        wish = "sync" if synchronous else "async"
        (written,) = primary.rows("SELECT pg_current_wal_lsn()")
        until(lambda: primary.rows(CAUGHT_UP, self.name, wish, *written), what=f"{self.name} as a standby ({wish})")

    def wait_for(self, standby: str) -> None:
        """Let every commit from now on wait for the standby of that name; empty: for none."""
        self.rows(f"ALTER SYSTEM SET synchronous_standby_names = '{standby}'")
        self.rows("SELECT pg_reload_conf()")

    def promote(self) -> None:
        """Make this standby a primary, whose commits wait for none until one follows it."""
        self.wait_for("")
        assert self.rows("SELECT pg_promote(true, %s)", WAIT_S) == [(True,)], self.log()

    def kill(self) -> None:
        """End the server and all its processes with SIGKILL: at once, in the middle of whatever they do."""
        processes = self._stopped()
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        self._reap()
        until(lambda: not any(map(_lives, processes)), what="the end of killed processes")
        self._forget_memory()

    def freeze(self) -> None:
        """Stop all processes of the server where they are: connections stay open, and nothing answers."""
        self._stopped()

    def thaw(self) -> None:
        """Let frozen and stalled processes go on."""
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                process.resume()

    def stall(self) -> None:
        """Stop what sends the log to standbys, as a network that hangs would: from now on nothing reaches them."""
        for (sender,) in self.rows("SELECT pid FROM pg_stat_replication"):
            os.kill(sender, signal.SIGSTOP)

    def start(self) -> None:
        """Start the server and return when it takes connections.

        Raises:
            RuntimeError: it ended instead; the message is what it logged.
        """
        server = [str(programs(self.version) / "postgres"), "-D", str(self._data), "-k", str(self.folder)]
        with (self.folder / "log").open("ab") as log:
            place = ["-p", str(self.port)]
            self._server = spawn(server + place, cwd=self.folder, entry=subprocess.DEVNULL, log=log.fileno())
        guard = ["/bin/sh", "-c", GUARD, str(self._server.pid), str(self.folder)]
        self._guard = spawn(guard, cwd=self.folder, entry=subprocess.PIPE, log=subprocess.DEVNULL)
        until(self._answers, what=f"the start of PostgreSQL {self.version}")

    def stop(self) -> None:
        """End the server in good order; nothing happens where none runs."""
        if self._server is None:
            return
        self.thaw()
        self._server.send_signal(signal.SIGINT)
        try:
            self._server.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            self.kill()
        self._reap()

    def remove(self) -> None:
        """End the server without ado, with its standbys, and delete its folder."""
        atexit.unregister(self.remove)
        for standby in self._standbys:
            standby.remove()
        if self._server is not None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _connection(self, database: str, user: str) -> psycopg.Connection[Any]:
        place = f"host={self.folder} port={self.port} connect_timeout={WAIT_S}"
        return psycopg.connect(place, dbname=database, user=user, autocommit=True)

    def _answers(self) -> bool:
        assert self._server is not None
        if self._server.poll() is not None:
            self._reap()
            raise RuntimeError(f"PostgreSQL {self.version} did not start: {self.log()[-2000:]}")
        try:
            self._connection("postgres", "postgres").close()
        except psycopg.OperationalError:
            return False
        return True

    def _processes(self) -> list[psutil.Process]:
        """Return the server's processes, the one that starts all others first."""
        if self._server is None:
            return []
        first = psutil.Process(self._server.pid)
        return [first, *first.children(recursive=True)]

    def _stopped(self) -> list[psutil.Process]:
        """Stop the server's processes and return them; the first one is stopped before the others are looked for."""
        for process in self._processes()[:1]:
            process.suspend()
        processes = self._processes()
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.suspend()
        return processes

    def _reap(self) -> None:
        """Take note that the server has ended, and end its guard before its number is given to another process."""
        assert self._server is not None
        assert self._guard is not None
        assert self._guard.stdin is not None
        self._guard.kill()
        self._guard.wait(WAIT_S)
        self._guard.stdin.close()
        self._server.wait(WAIT_S)
        self._server = self._guard = None

    def _forget_memory(self) -> None:
        """Remove the shared memory that a killed server leaves; its number is the last in the file with its pid."""
        with suppress(FileNotFoundError, IndexError):
            number = (self._data / "postmaster.pid").read_text(encoding="utf-8").splitlines()[6].split()[-1]
            ctypes.CDLL(None).shmctl(int(number), 0, None)


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
