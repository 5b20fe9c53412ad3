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
        "Pauses, resumes or rolls back a game, and more, as moderators do in the admin. The same rules apply."
        " The audit log shows it. Without an action, it lists what you can do with this game."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", metavar="GAME", help="ID of the game, as in its address")
        parser.add_argument("action", nargs="?", metavar="ACTION", help="one of: " + ", ".join(GAME_ACTIONS))
        parser.add_argument(
            "--reason", default="", help="reason. Players read it in notifications and in the log"
        )
        for name, field in self.fields().items():
            asking = ", ".join(action.name for action in GAME_ACTIONS.values() if name in own_fields(action))
            help_text = f"{field.label}: for {asking}. {field.help_text}".strip()
            parser.add_argument(option(name), help=help_text)

    def handle(self, *args: Any, game: str, action: str | None, reason: str, **options: Any) -> None:
        target = Game.moderated.filter(public_id=game).first()
        if target is None:
            raise CommandError(f"No game has the ID {game}. It is the last part of the game’s address.")
        if action is None:
            self._list(target)
            return
        if action not in GAME_ACTIONS:
            raise CommandError(
                f"There is no action called {action}. Choose one of these: {', '.join(GAME_ACTIONS)}."
            )
        chosen = GAME_ACTIONS[action]
        self.perform(chosen, target, reason, options)
        self.stdout.write(f"{chosen.label}: done, and entered in the audit log.")

    def _list(self, target: Game) -> None:
        for action in GAME_ACTIONS.values():
            self.stdout.write(usage(action, target, action.label))
