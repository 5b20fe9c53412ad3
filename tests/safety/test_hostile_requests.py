"""No bad request causes an error, and no refused one changes a row."""

from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse

from tests.safety import hostile_requests, site_addresses
from tests.safety.populated_site import World
from tests.safety.site_addresses import Address
from tests.support.proof import few_or_many
from tests.support.replaced_views import replaced

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

FEW = 400


def sums_of(
    world: World, requests: int, asked_for: list[Address] | None = None, most: int = 0
) -> hostile_requests.Sums:
    *_, sums = hostile_requests.send_all(world, range(requests), "ci", asked_for, most)
    return sums


def told(sums: hostile_requests.Sums) -> str:
    """Faults in words, each with the command that repeats its request."""
    return "\n".join(
        f"{one.what}\n  {one.request}\n  {hostile_requests.again(one, 'ci')}" for one in sums.faults
    )


@pytest.mark.parametrize("requests", few_or_many(1000, 5000))
def test_bad_requests_do_no_harm(world: World, requests: int) -> None:
    sums = sums_of(world, requests)
    assert told(sums) == ""
    assert sums.answers.total() == requests
    # They came far enough to be understood, and most were refused.
    assert sums.answers[200] > requests / 10
    assert sums.answers[404] + sums.answers[400] + sums.answers[403] + sums.answers[422] > requests / 5


def of_route(path: str, method: str = "POST") -> list[Address]:
    return [one for one in site_addresses.every() if one.path == path and one.method == method]


def test_unchecked_number_is_detected(world: World) -> None:
    def trusting(request: HttpRequest, **words: Any) -> HttpResponse:
        return HttpResponse(int(request.POST["to"]))

    with replaced("take-back", lambda view: trusting):
        sums = sums_of(world, FEW, of_route("/games/{running}/back/{running_next}/"), most=1)
    assert "Error" in told(sums)


def test_refusal_after_a_change_is_detected(world: World) -> None:
    from accounts.models import ReleasedName

    def late(request: HttpRequest, **words: Any) -> HttpResponse:
        ReleasedName.objects.create(skeleton="x")
        return HttpResponse(status=422)

    with replaced("mute", lambda view: late):
        sums = sums_of(world, FEW, of_route("/players/the-muted/mute/"), most=1)
    assert "422, but changed: accounts_releasedname" in told(sums)


def test_text_returned_as_markup_is_detected(world: World) -> None:
    def careless(request: HttpRequest, **words: Any) -> HttpResponse:
        return HttpResponse(f"<p>{request.POST.get('text', '')}</p>")

    with replaced("notes", lambda view: careless):
        sums = sums_of(world, FEW, of_route("/games/{running}/notes/"), most=1)
    assert "markup" in told(sums)


def test_request_is_reproducible_by_its_number(world: World) -> None:
    sent = [next(hostile_requests.send_all(world, [17], "ci")).answers for _ in range(2)]
    assert sent[0] == sent[1]
