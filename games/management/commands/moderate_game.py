"""Command `moderate_game`: moderators' actions on games, from the server's shell."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import CommandError

from accounts.management.action_command import ActionCommand, option, own_fields, usage
from games.models import Game
from games.moderation.actions.game_actions import GAME_ACTIONS


class Command(ActionCommand):
    actions = GAME_ACTIONS
    help = (
        "Does to a game what moderators do in the admin, by the same rules, and writes it into the audit."
        " Without an action it lists what can be done to this game."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help="the id of a game, as in its address")
        parser.add_argument("action", nargs="?", metavar="ACTION", help="one of: " + ", ".join(GAME_ACTIONS))
        parser.add_argument("--reason", default="", help="why; players read it where they are told")
        for name, field in self.fields().items():
            asking = ", ".join(action.name for action in GAME_ACTIONS.values() if name in own_fields(action))
            help_text = f"{field.label}: for {asking}. {field.help_text}".strip()
            parser.add_argument(option(name), help=help_text)

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
        self.perform(chosen, target, reason, options)
        self.stdout.write(f"{chosen.label}: done, and written into the audit.")

    def _list(self, target: Game) -> None:
        for action in GAME_ACTIONS.values():
            self.stdout.write(usage(action, target, action.label))
