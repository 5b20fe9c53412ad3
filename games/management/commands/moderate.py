"""Command `moderate_game`: moderators' actions on games, from the server's shell."""

from argparse import ArgumentParser
from typing import Any, Final

from django.core.management import BaseCommand, CommandError

from accounts.services.actions import Action, Field, WrongInput, carry_out
from accounts.services.refusals import Refusal
from games.models import Game
from games.services.moderating import GAME_ACTIONS

# All fields of the actions; fields of the same name share an option.
_FIELDS: Final[dict[str, Field]] = {
    field.name: field for action in GAME_ACTIONS.values() for field in action.fields
}


class Command(BaseCommand):
    help = (
        "Does to a game what moderators do in the admin, by the same rules, and writes it into the audit."
        " Without an action it lists what can be done to this game."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help="the id of a game, as in its address")
        parser.add_argument("action", nargs="?", metavar="ACTION", help="one of: " + ", ".join(GAME_ACTIONS))
        parser.add_argument("--reason", default="", help="why; players read it where they are told")
        for name, field in _FIELDS.items():
            asking = ", ".join(action.name for action in GAME_ACTIONS.values() if _has_field(action, name))
            parser.add_argument(f"--{name}", help=f"{field.label}: for {asking}. {field.help}".strip())

    def handle(self, *args: Any, game: str, action: str | None, reason: str, **options: Any) -> None:
        target = Game.moderated.filter(public_id=game).first()
        if target is None:
            raise CommandError(f"There is no game {game}. The id is the last part of its address.")
        if action is None:
            self._list(target)
            return
        if action not in GAME_ACTIONS:
            raise CommandError(f"There is no action {action}. Choose one of: {', '.join(GAME_ACTIONS)}.")
        chosen = GAME_ACTIONS[action]
        values = {name: options[name] for name in _FIELDS if options[name] is not None}
        try:
            carry_out(chosen, target=target, by=None, reason=reason, values=values)
        except WrongInput as error:
            raise CommandError("\n".join(f"--{one.field}: {one.sentence}" for one in error.all)) from error
        except Refusal as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{chosen.label}: done, and written into the audit.")

    def _list(self, target: Game) -> None:
        for action in GAME_ACTIONS.values():
            against = action.against(target) if action.against else None
            fields = "".join(
                f" --{field.name} …" if field.required else f" [--{field.name} …]" for field in action.fields
            )
            self.stdout.write(f"{action.name}{fields}: {f'not now. {against}' if against else action.label}")


def _has_field(action: Action, name: str) -> bool:
    return any(field.name == name for field in action.fields)
