"""Tables of live games in browsers, and their clocks."""

from tests.support.open_tables import Game, prepare
from tests.support.played_site import PlayedSite

# The clock of the device is wrong by this many hours.
WRONG_CLOCK = """
const real = Date.now.bind(Date), wrong = HOURS * 3_600_000;
Date.now = () => real() + wrong;
"""
# Seconds that the shown clock is ahead of the server's.
AHEAD = """async () => {
  const clock = document.querySelector(".strip [data-clock-ends]");
  const sent = performance.now();
  const server = Number(await (await fetch("/server-time/")).text());
  const trip = performance.now() - sent;
  const [minutes, seconds] = clock.textContent.split(":").map(Number);
  return minutes * 60 + seconds - (Number(clock.dataset.clockEnds) - server - trip / 2) / 1000;
}"""


def live_game(site: PlayedSite, name: str, seconds: int) -> Game:
    """A live game whose player to move has this many seconds left."""
    return prepare(site, __name__, f"{name} {seconds}")


def main(text: str) -> None:
    """Create the game inside the site and print it for `prepare`."""
    from datetime import timedelta

    from django.utils import timezone

    from accounts.models import User
    from games import models
    from games.lobby.game_start import start_game
    from tests.support.open_tables import print_game

    name, seconds = text.split()
    people = [User.objects.create_user(f"{name}{number}", time_zone="UTC") for number in range(3)]
    game = start_game(
        system="acquire", preset="classic", host=people[0], players=people, pace=30, bank=180, cap=180
    )
    ends = timezone.now() + timedelta(seconds=int(seconds))
    models.Game.objects.filter(pk=game.pk).update(deadline=ends)
    seated = [seat.user for seat in game.seats.order_by("number")]
    first = game.seat_to_move or 0
    print_game(game, [seated[first], *(user for user in seated if user != seated[first])])
