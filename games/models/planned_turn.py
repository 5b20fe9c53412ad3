"""A turn planned ahead."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.engine.planned_turns.plan_errors import OwnerMustDecide, PlanView
from games.models.game import Game


class PlannedTurn(models.Model):
    """What a player wants to do in the next turn, or in the rest of this one: the secret of its owner.

    It is kept until the turn is over. `stopped` says why it was not followed; from then on it only tells
    its owner what was planned.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="plans")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="plans")
    plan_json = models.JSONField(help_text="The plan as games.engine.planned_turns has it.")
    stop_reason = models.JSONField(null=True, help_text="A reason and the facts for its sentence.")
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_plan_a_game_and_user")]

    def __str__(self) -> str:
        # Not what is planned: this may stand in a log.
        return f"plan of {self.user_id} in {self.game_id}"

    def shown(self) -> PlanView:
        """The plan as its owner is shown it."""
        return PlanView(
            self.plan_json, None if self.stop_reason is None else OwnerMustDecide(**self.stop_reason)
        )

    def stop(self, reason: OwnerMustDecide) -> None:
        """Follow the plan no further; its owner decides the rest of the turn."""
        self.stop_reason = {"reason": reason.reason, "facts": reason.facts}
        self.save(update_fields=["stop_reason"])
