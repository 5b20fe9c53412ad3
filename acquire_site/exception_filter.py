"""Filter for error reports."""

from types import FrameType
from typing import Any

from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter


class SafeErrorReports(SafeExceptionReporterFilter):
    """Removes the values of variables and form fields from error reports.

    Any variable may hold a game's state, and any form a plan or a note: secrets of people who may be playing
    against the operator. With DEBUG, which is for development, reports show them.
    """

    def get_post_parameters(self, request: HttpRequest | None) -> Any:
        """The names of the fields, without their values."""
        if not self.is_active(request):
            return super().get_post_parameters(request)
        return dict.fromkeys(request.POST if request else (), self.cleansed_substitute)

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: FrameType) -> Any:
        """Return no variables for any frame."""
        return super().get_traceback_frame_variables(request, tb_frame) if not self.is_active(request) else []
