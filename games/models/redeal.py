"""Seeds of redeals."""

from django.db import models

from games.models.game import Game


class Redeal(models.Model):
    """The seed from which a ruling has dealt the hidden tiles of a game anew: log entry `number`.

    The entry tells the seed hash. The seed is as secret as that of the game until the game is over.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="redeals", db_index=False)
    number = models.PositiveIntegerField()
    seed = models.BinaryField(max_length=32)

    class Meta:
        # Begins with the game, so its index serves that column, too.
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_redeal_an_entry")]

    def __str__(self) -> str:
        # Without the seed: this may appear in the server's log.
        return f"redeal {self.number} of game {self.game_id}"
