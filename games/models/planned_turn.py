"""Planned turns."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.engine.owner_must_decide import OwnerMustDecide
from games.engine.planned_turns.plan_errors import PlanView
from games.models.game import Game


class PlannedTurn(models.Model):
    """A player's plan for the next turn, or for the rest of this one; a secret of its owner.

    It is kept until the turn is over. `stop_reason` is the reason why it was not followed; from then on it
    only shows its owner what was planned.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="plans")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="plans")
    plan_json = models.JSONField(help_text="The plan in the format of games.engine.planned_turns.")
    stop_reason = models.JSONField(null=True, help_text="A reason and the facts used in its text.")
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_plan_a_game_and_user")]

    def __str__(self) -> str:
        # Without the plan: this may appear in the server's log.
        return f"plan of {self.user_id} in {self.game_id}"

    def shown(self) -> PlanView:
        """The plan as shown to its owner."""
        return PlanView(
            self.plan_json, None if self.stop_reason is None else OwnerMustDecide(**self.stop_reason)
        )

    def stop(self, reason: OwnerMustDecide) -> None:
        """Stop following the plan; its owner decides the rest of the turn."""
        self.stop_reason = {"reason": reason.reason, "facts": reason.facts}
        self.save(update_fields=["stop_reason"])
