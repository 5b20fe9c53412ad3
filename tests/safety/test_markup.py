"""Text by people is shown as text everywhere: from every column, in every field."""

import re
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qsl, urlencode

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction
from django.http import HttpRequest, HttpResponse

from accounts.models import AuditEntry
from tests.safety import site_addresses
from tests.safety.markup_probes import MARK, PAYLOADS, faults
from tests.safety.populated_site import World, undone
from tests.safety.site_addresses import Address
from tests.support.played_site import ROOT
from tests.support.replaced_views import replaced

pytestmark = [pytest.mark.django_db, pytest.mark.long]

FORM = "application/x-www-form-urlencoded"

# Written and read by the site itself.
NOT_WRITTEN = {
    *("games.game.seed_hash", "games.game.public_id", "games.game.invite_code", "games.invitation.code"),
    *("games.logentry.text", "games.seat.bot_level", "games.newgamedefaults.new_game"),
    *(
        "games.game.preset",
        "games.game.system",
        "games.game.decision_kind",
        "games.openpage.socket",
        "games.game.fill_level",
    ),
    *(
        "accounts.user.password",
        "accounts.user.skeleton",
        "accounts.user.time_zone",
        "accounts.user.read_coach_marks",
        "accounts.releasedname.skeleton",
        "accounts.accountmail.message_id",
    ),
    *(
        "games.endpoint.public",
        "games.endpoint.auth",
        "games.notification.message_id",
        "games.heartbeat.name",
    ),
    *("games.standingorder.topic", "games.game.clock_zone"),
    *("games.ratingledger.system", "games.gameoutcome.system", "games.rating.system", "games.rating.month"),
    *("games.ratingchange.system", "games.ratingchange.month"),
    *(
        "games.puzzlesource.system",
        "games.puzzle.theme",
        "games.puzzle.kind",
        "games.puzzle.best",
        "games.puzzleanswer.move",
    ),
    *("games.lessonprogress.lesson", "games.moveassessment.best", "accounts.apitoken.hash"),
    *(f"games.rateddecision.{name}" for name in ("level", "system", "theme")),
    *(f"games.insightsum.{name}" for name in ("level", "system", "name")),
    *(f"games.gamemoney.{name}" for name in ("level", "system", "source")),
    *(f"games.mistake.{name}" for name in ("kind", "best", "move")),
    *(
        f"games.{model}.{name}"
        for model in ("record", "openingtally")
        for name in ("system", "preset", "kind", "key")
    ),
}


def columns() -> Iterator[tuple[Any, models.Field]]:
    """All columns that may hold people's text, with their models."""
    for label in ("accounts", "games"):
        for model in apps.get_app_config(label).get_models():
            for column in model._meta.get_fields():
                free = isinstance(column, models.CharField | models.TextField) and not column.choices
                if free and f"{label}.{model._meta.model_name}.{column.name}" not in NOT_WRITTEN:
                    yield model, column


def fill(start: int) -> None:
    """Write payloads into all these columns, each row beginning with another payload."""
    for model, column in columns():
        if model is AuditEntry:
            # A row that cannot change is copied with the payloads.
            AuditEntry.objects.create(**{column.name: many(start, column.max_length or 1000)})
            continue
        for row, key in enumerate(model._default_manager.order_by("pk").values_list("pk", flat=True)):
            end = f"{row:x}" if column.unique else ""
            text = many(start + row, (column.max_length or 2000) - len(end)) + end
            if column.name == "username":
                text = text.replace("/", "\\")  # the addresses of players' pages hold their names
            with suppress(IntegrityError), transaction.atomic():
                model._default_manager.filter(pk=key).update(**{column.name: text})


def many(start: int, room: int) -> str:
    """Return as many payloads as fit, from this one on, cutting the last."""
    told = deque([*PAYLOADS, *PAYLOADS])
    told.rotate(-start)
    text = told.popleft()
    while len(f"{text} {told[0]}") <= room and len(told) > len(PAYLOADS):
        text = f"{text} {told.popleft()}"
    return text.replace("\0", "")[:room]  # PostgreSQL keeps no NUL


def seen(world: World, told: list[Address]) -> Iterator[tuple[Address, Any]]:
    """Pages of these addresses, each for two of its readers."""
    for address in told:
        admin = address.path.startswith("/admin/")
        for role in ("superuser",) if admin else ("player", "host"):
            with undone():
                answer = world.client(role).generic(address.method, address.path, address.form, FORM)
                assert answer.status_code < 500, address
                if "html" in answer.headers.get("Content-Type", ""):
                    yield address, answer


def pages(world: World) -> list[Address]:
    told = [one.in_(world) for one in site_addresses.every() if one.method == "GET"]
    return [one for one in told if "/the-" not in one.path and "/accounts/" not in one.path]


def found_in(world: World, told: list[Address]) -> set[str]:
    """Return where a text was taken for markup, in words."""
    return {
        f"{address.method} {address.path}: {fault}"
        for address, answer in seen(world, told)
        for fault in faults(answer.content.decode())
    }


def test_sixty_payloads_are_markup_if_unescaped() -> None:
    assert len(set(PAYLOADS)) >= 60
    # Browsers do not take these for tags either.
    harmless = {f"<\0{MARK}>", f"<\t{MARK}>", f"<%={MARK}%>"}
    raw = [text for text in PAYLOADS if text[0] == "<" and text not in harmless]
    assert [text for text in raw if not faults(f"{text}</style>")] == []


@pytest.mark.parametrize("start", range(0, 60, 15))
def test_stored_text_is_text_on_every_page(world: World, start: int) -> None:
    with undone():
        fill(start)
        assert found_in(world, pages(world)) == set()


def test_unescaped_stored_text_is_detected(world: World) -> None:
    from games.models import Game

    def careless(request: HttpRequest, public_id: str) -> HttpResponse:
        return HttpResponse(f"<h1>{Game.objects.get(public_id=public_id).name}</h1>")

    [address] = [one for one in pages(world) if one.path == f"/games/{world.words['running']}/"]
    with replaced("game", lambda view: careless), undone():
        fill(0)
        assert found_in(world, [address])


def test_every_payload_is_text_as_a_games_name_and_in_the_chat(world: World) -> None:
    from games.models import ChatMessage, Game

    public = [world.words[word] for word in ("open", "running", "finished", "parks", "invited")]
    told = ["/", f"/games/{public[1]}/", f"/games/{public[1]}/talk/", f"/games/{public[0]}/"]
    for start in range(0, len(PAYLOADS), len(public)):
        texts = [text.replace("\0", "") for text in PAYLOADS[start : start + len(public)]]
        with undone():
            for public_id, text in zip(public, texts, strict=False):
                Game.objects.filter(public_id=public_id).update(name=text[:40])
            game = Game.objects.get(public_id=public[1])
            for text in texts:
                ChatMessage.objects.create(game=game, channel="players", user=world.people["seat"], text=text)
            assert found_in(world, [Address("GET", path) for path in told]) == set()


def sent_back(world: World, told: list[Address]) -> set[str]:
    """Return where a sent text comes back as markup: in each field and each part of a query."""
    found = set()
    for number, address in enumerate(told):
        path, _mark, query = address.path.partition("?")
        for start in range(number % 7, len(PAYLOADS), 16):
            texts = iter(PAYLOADS[start:] + PAYLOADS * 3)
            form = urlencode([(name, next(texts)) for name, _text in parse_qsl(address.form, True)])
            asked = urlencode([(name, next(texts)) for name, _text in parse_qsl(query, True)])
            found |= found_in(world, [Address(address.method, f"{path}?{asked}", form)])
    return found


def test_sent_text_comes_back_as_text(world: World) -> None:
    told = [one.in_(world) for one in site_addresses.every()]
    assert sent_back(world, [one for one in told if one.form or "?" in one.path]) == set()


def test_unescaped_sent_text_is_detected(world: World) -> None:
    def careless(request: HttpRequest, **words: Any) -> HttpResponse:
        return HttpResponse(f"<h1>{request.GET['after']}</h1>")

    [address] = [one.in_(world) for one in site_addresses.every() if one.path.startswith("/games/finished/")]
    with replaced("finished-games", lambda view: careless):
        assert sent_back(world, [address])


def test_no_template_and_no_view_marks_a_text_as_safe() -> None:
    escapes = re.compile(
        r"mark_safe|SafeString|Markup\b|\|\s*safe\b|autoescape (off|false)|safeseq"
        r"|format_html\(\s*f[\"']"
    )
    files = [
        path
        for folder in ("accounts", "games", "acquire_site", "templates")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".html"} and path.is_file()
    ]
    assert len(files) > 100
    careful = {
        "games/web/presenters/table_people.py",  # passes on what is escaped already
        "acquire_site/jinja_environment.py",  # texts of the site, with their facts escaped
        "games/templatetags/jinja_tags.py",  # passes on what Jinja2 has escaped
        "games/web/analysis/past_position_pages.py",  # the same
        "games/web/presenters/board_shapes.py",  # numbers, and CSS classes of the site's own
        "games/web/presenters/acquire/board_view.py",  # names the type of such a drawing
        "games/web/presenters/acquire/board_outcomes.py",  # the same
        "games/web/presenters/acquire/presenter.py",  # the same
        "games/web/presenters/acquisition/presenter.py",  # the same
        "games/web/presenters/acquisition/board_view.py",  # the same
        "games/web/presenters/acquisition/review_text.py",  # the same
        "games/web/presenters/acquire/better_move.py",  # the same
        "games/web/presenters/acquire/how_it_works.py",  # the same
        "games/web/analysis/review_moment.py",  # the same
        "games/web/showcase/lettered_board.py",  # the same
        "games/web/showcase/todays_puzzle.py",  # the same
        "games/web/showcase/front_page.py",  # passes on pages that Django has escaped
        "games/web/showcase/watch_page.py",  # the same
        "games/web/showcase/live_cards.py",  # the same
        "templates/games/showcase/_frames.html",  # boards and sentences escaped when a replay is made
        "templates/games/showcase/_lettered_board.html",  # the same
        "templates/games/showcase/_replay.html",  # the same
        "games/web/presenters/table_markup.py",  # escapes each value itself, for speed
        "templates/allauth/elements/fields.html",  # help texts are the site's own
    }
    found = {str(path.relative_to(ROOT)) for path in files if escapes.search(path.read_text())}
    assert found == careful
