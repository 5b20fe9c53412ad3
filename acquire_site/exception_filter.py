"""What a report about an error tells whoever runs the site."""

from types import FrameType
from typing import Any

from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter


class SafeErrorReports(SafeExceptionReporterFilter):
    """Reports say where something broke and what was asked, and hold no value of a variable or a form.

    Any variable may hold a game's state, and any form a plan or a note: the tiles of people who play against
    whoever reads the report. Only DEBUG, which is for a workbench without other people, shows them.
    """

    def get_post_parameters(self, request: HttpRequest | None) -> Any:
        """The names of the fields."""
        if not self.is_active(request):
            return super().get_post_parameters(request)
        return dict.fromkeys(request.POST if request else (), self.cleansed_substitute)

    def get_traceback_frame_variables(self, request: HttpRequest | None, tb_frame: FrameType) -> Any:
        """Names and values of the variables of one frame: none."""
        return super().get_traceback_frame_variables(request, tb_frame) if not self.is_active(request) else []
