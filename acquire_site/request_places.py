"""Places for requests that run at once, with a queue in which some come first."""

import asyncio
import heapq
import itertools


class RequestPlaces:
    """A limited number of places. A free one goes to the lowest rank that waits, first come, first served.

    All methods belong to one event loop.
    """

    def __init__(self, number: int) -> None:
        self.free = number
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = itertools.count()

    async def take(self, rank: int) -> None:
        """Wait for a place and take it; `give_back` frees it."""
        if self.free:
            self.free -= 1
            return
        place = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (rank, next(self._order), place))
        try:
            await place
        except asyncio.CancelledError:
            # The place may have come at the moment at which its request gave up.
            if place.done() and not place.cancelled():
                self.give_back()
            raise

    @property
    def waiting(self) -> int:
        """The number of requests in the queue."""
        return sum(not place.done() for _, _, place in self._waiting)

    def give_back(self) -> None:
        while self._waiting:
            _, _, place = heapq.heappop(self._waiting)
            if not place.done():
                place.set_result(None)
                return
        self.free += 1
