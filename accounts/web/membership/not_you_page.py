"""The page to which mails about changes lead, for readers who did not make the change."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def not_you(request: HttpRequest) -> HttpResponse:
    """Say how to get an account back from somebody else; everybody may read it."""
    return render(request, "account/not_you.html")
