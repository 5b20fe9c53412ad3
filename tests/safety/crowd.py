"""Threads that act at the same moment, each with a database connection of its own."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Barrier, Semaphore, Thread
from types import TracebackType
from typing import Any

from django.db import InterfaceError, OperationalError, connection

from tests.support.simultaneous_calls import open_patient_connection

Call = Callable[[], object]


class Crowd:
    """A fixed set of threads, which keep their connections so that a round opens none."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._tasks: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(size)]
        self._done = Semaphore(0)
        self._threads = [Thread(target=self._work, args=[tasks], daemon=True) for tasks in self._tasks]

    def __enter__(self) -> "Crowd":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for tasks in self._tasks:
            tasks.put(None)
        for thread in self._threads:
            thread.join()

    def at_once(self, *calls: Call) -> list[Any]:
        """Make all calls at the same moment, each in its own thread; return the results and exceptions."""
        assert len(calls) <= self.size, f"{len(calls)} calls for {self.size} threads"
        results: list[Any] = [None] * len(calls)
        barrier = Barrier(len(calls))
        for place, (tasks, call) in enumerate(zip(self._tasks, calls, strict=False)):
            tasks.put((place, call, barrier, results))
        for _ in calls:
            self._done.acquire()
        return results

    def _work(self, tasks: "SimpleQueue[Any]") -> None:
        while (task := tasks.get()) is not None:
            place, call, barrier, results = task
            try:
                if connection.connection is None:
                    open_patient_connection()
                barrier.wait()
                results[place] = call()
            except Exception as error:
                results[place] = error
                if isinstance(error, InterfaceError | OperationalError):
                    connection.close()
            finally:
                self._done.release()
        connection.close()
