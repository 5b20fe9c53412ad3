"""What people leave behind on a site of any age: run by older code, in its `manage.py shell`.

So it asks the older code only for what there has always been, and looks before it uses anything newer.
Prints as JSON what must be there after every migration to come: how many rows each table has, and of each
game its log, its state's version and whether it is over.
"""

import dataclasses
import json
from random import Random

from django.apps import apps
from django.conf import settings

from accounts.models import User
from games import services
from games.models import Game, Move
from games.services import Terms

settings.BOT_PACE = 0
rng = Random(7)

alice, bob, carol = (User.objects.create_user(name) for name in ("alice", "bob", "carol"))
guest = User.objects.create_user("Guest-old", is_guest=True)
known = {field.name for field in dataclasses.fields(Terms)}


def play_on(game, moves):
    """Play so many moves by chance through the door of that time, or to the end."""
    for _ in range(moves):
        game = Game.with_secrets.get(pk=game.pk)
        if game.decider is None:
            break
        state = game.rule_system.from_json(game.state)
        seat = game.seats.get(number=game.decider)
        services.play_move(
            game_id=game.pk,
            number=game.version + 1,
            seat=game.decider,
            move=str(rng.choice(game.rule_system.legal_moves(state))),
            by=None if seat.computer else seat.user,
        )
    return Game.with_secrets.get(pk=game.pk)


def start(players, preset, **terms):
    terms = {name: value for name, value in terms.items() if name in known}
    host = next(player for player in players if isinstance(player, User))
    return services.start_game(system="acquire", preset=preset, host=host, players=players, **terms)


# Over, at the beginning, in the middle, and with a clock that runs; people, a guest and computers.
play_on(start([alice, bob], "course"), 10_000)
start([carol, "random", "random"], "classic")
midway = play_on(start([alice, bob, carol], "avalon-hill", skips=False), 60)
play_on(start([bob, carol, "random"], "quick-reference", pace=86400), 45)
play_on(start([guest, "random"], "classic"), 30)

# A table that waits, with somebody who sits there, somebody who is asked and somebody who was sent away.
waiting = services.create_game(
    host=alice,
    terms=Terms(system="acquire", preset="avalon-hill", name="Sundays", least=2, most=4, pace=3600),
)
services.join(game_id=waiting.pk, user=bob)
services.kick(game_id=waiting.pk, user=bob, by=alice, reason="No.")
services.invite(game_id=waiting.pk, user=carol, by=alice)

# What there was not always.
if hasattr(services, "give_order"):
    for user in (alice, bob, carol):
        services.give_order(game_id=midway.pk, by=user, terms={"trade": 0}, once=True)
if hasattr(services, "say"):
    services.say(game_id=midway.pk, user=alice, text="Good luck, @bob")
if hasattr(services, "propose"):
    services.propose(game_id=midway.pk, by=alice, kind="none")
if hasattr(services, "write_note"):
    services.write_note(game=midway, user=bob, text="Watch Tower.", version=0)


def story(game):
    entries = Move.objects.filter(game=game).order_by("number")
    return {
        "log": [[entry.number, entry.seat, entry.text] for entry in entries],
        "rules": None if game.state is None else game.state["version"],
        "status": game.status,
        "seats": list(game.seats.order_by("number").values_list("user__username", "computer")),
    }


tables = [model for name in ("accounts", "games") for model in apps.get_app_config(name).get_models()]
print(
    json.dumps(
        {
            "rows": {model._meta.label: model._base_manager.count() for model in tables},
            "games": {game.public_id: story(game) for game in Game._base_manager.all()},
        }
    )
)
