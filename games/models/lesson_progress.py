"""Progress of users in the lessons."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class LessonProgress(models.Model):
    """The number of steps of a lesson that a user has solved, counted from its first step."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="lesson_progress"
    )
    lesson = models.CharField(max_length=20)
    solved = models.PositiveSmallIntegerField(default=0)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "lesson"], name="one_progress_in_a_lesson"),
        ]

    def __str__(self) -> str:
        return f"progress of {self.user_id} in {self.lesson}"
