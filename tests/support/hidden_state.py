"""Games whose hidden parts are dealt differently."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from django.test import Client
from django.urls import reverse

from games.engine.rules.acquire import rule_system as acquire
from games.models import Game

# Django masks its token anew for every answer.
TOKEN = re.compile(rb'(csrfmiddlewaretoken" value="|X-CSRFToken": ")[0-9A-Za-z]{64}')

RANDOM_HEADERS = ("Date", "Expires", "Set-Cookie", "X-Padding")


class Viewer:
    """Somebody who looks at a game, and their seat if they have one."""

    def __init__(self, name: str, client: Client, seat: int | None) -> None:
        self.name, self.client, self.seat = name, client, seat

    def is_sent(self, address: str, **form: str) -> tuple[int, dict[str, list[str]], bytes]:
        """Status, headers and body of the answer."""
        answer = self.client.post(address, form) if form else self.client.get(address)
        if form and answer.status_code == 302:
            # The message for the next page is not about what that page shows.
            self.client.get(answer["Location"])
        # Clock, padding and the order of the policy's words differ between any two answers.
        headers = {
            name: sorted(value.split("; ")) for name, value in answer.items() if name not in RANDOM_HEADERS
        }
        return answer.status_code, headers, TOKEN.sub(rb"\1", answer.content)


def permuted(state: dict, seat: int | None, rng: Random) -> dict:
    """Return the stored state with everything dealt anew that the seat cannot see: other hands, bag, seed."""
    hands, bag = state["hands"], state["bag"].split()
    hidden = [tile for owner, hand in enumerate(hands) if owner != seat for tile in hand.split()] + bag
    rng.shuffle(hidden)
    dealt = []
    for owner, hand in enumerate(hands):
        size = len(hand.split())
        dealt.append(hand if owner == seat else " ".join(hidden.pop() for _ in range(size)))
    new = {**state, "hands": dealt, "bag": " ".join(hidden), "seed": rng.randbytes(32).hex()}
    if new["decision"][1] != seat and new["decision"][0] in ("place", "stuck"):
        # The decision depends on the hand.
        new = acquire.state_to_json(acquire.state_from_json(new))
    return new


@contextmanager
def stored(game: Game, state: dict) -> Iterator[None]:
    """Store another state for the game for a while."""
    before = Game.with_secrets.get(pk=game.pk).state
    Game.objects.filter(pk=game.pk).update(state=state)
    yield
    Game.objects.filter(pk=game.pk).update(state=before)


def addresses(game: Game) -> list[str]:
    return [reverse(name, args=[game.public_id]) for name in ("game", "log", "deal-check")] + [
        reverse("home"),
        reverse("admin:games_game_change", args=[game.pk]),
        reverse("admin:games_game_changelist"),
    ]


def redistributed(state: dict, seat: int | None) -> dict:
    """Return the state with more cash for the others, and with their shares passed on among them."""
    others = [owner for owner in range(len(state["cash"])) if owner != seat]
    giver = dict(zip(others, others[1:] + others[:1], strict=True))
    return {
        **state,
        "cash": [cash + 100_000 * (owner in others) for owner, cash in enumerate(state["cash"])],
        "holdings": {
            name: [held[giver.get(owner, owner)] for owner in range(len(held))]
            for name, held in state["holdings"].items()
        },
    }
