"""The operator's pages: privacy, terms and contact."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.operator import site_pages


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Render privacy, terms or contact, the operator's version or the built-in one."""
    return render(request, "accounts/page.html", {"page": site_pages.page(slug)})
