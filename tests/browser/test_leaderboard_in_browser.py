"""Leaderboards and records, and their navigation, on a phone and a desktop."""

from collections.abc import Callable

from tests.support.browser_person import Player
from tests.support.page_checks import PHONE
from tests.support.played_site import PlayedSite

PAGES = (
    "/leaderboard/",
    "/leaderboard/acquire/?players=4",
    "/leaderboard/acquire/?month=now",
    "/ratings/",
    "/records/",
    "/games/finished/",
    "/games/mine/",
)

# Give these members a rating.
RATE = """
from django.utils import timezone
from accounts.models import User
from games.models import OpeningTally, Rating
for user in User.objects.filter(username__in={names!r}):
    for players, month in ((0, ""), (4, ""), (0, timezone.now().strftime("%Y-%m"))):
        Rating.objects.get_or_create(
            system="acquire", players=players, month=month, user=user,
            defaults=dict(mu=31, sigma=4, games=123, wins=45, standing=31, ranked=True),
        )
kinds = dict(system="acquire", preset="classic", players=2)
for key in ("0", "1"):
    OpeningTally.objects.get_or_create(**kinds, kind="seat", key=key, defaults=dict(games=9, wins=270))
OpeningTally.objects.get_or_create(**kinds, kind="first", key="tower", defaults=dict(games=9, wins=270))
"""


def test_pages_of_ratings_are_accessible(player: Callable[..., Player], played_site: PlayedSite) -> None:
    member = player("longest-name")
    played_site.shell(RATE.format(names=["admin", member.name]))
    for address in (*PAGES, f"/players/{member.name}/", f"/players/{member.name}/ratings/acquire/"):
        member.look_at(address)
    member.page.goto("/leaderboard/")
    assert member.page.locator("tr.mine", has_text=member.name).is_visible()


def test_header_is_one_line_with_all_links(player: Callable[..., Player]) -> None:
    page = player("heads-and-tails").page
    for width in (360, 600, 901, 1440):
        page.set_viewport_size({"width": width, "height": 740})
        page.goto("/leaderboard/")
        assert page.locator(".top").bounding_box()["height"] < 60, width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    names = ["Lobby", "Learn", "Watch", "Rules", "Leaderboard", "History"]
    main = page.locator(".top").get_by_role("navigation", name="Main")
    assert main.get_by_role("link").all_inner_texts() == names
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto("/")
    assert main.get_by_role("link").count() == 0
    page.locator(".tight summary").focus()
    page.keyboard.press("Enter")
    assert main.get_by_role("link").all_inner_texts() == names
    page.keyboard.press("Tab")
    for _ in names[1:]:
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/games/mine/")


# For each row of choices: whether one is out of sight, whether all are high enough, and how many widths.
CHOICES = """() => [...document.querySelectorAll(".page-links")].map((row) => {
  const boxes = [...row.querySelectorAll("a")].map((link) => link.getBoundingClientRect());
  return [
    boxes.some(({ left, right }) => left < 0 || right > innerWidth),
    Math.min(...boxes.map(({ height }) => height)) >= 44,
    new Set(boxes.map(({ width }) => Math.round(width))).size,
  ];
})"""


def test_choices_stand_in_columns_of_one_width_on_a_phone(player: Callable[..., Player]) -> None:
    page = player("column-reader").page
    page.set_viewport_size(PHONE)
    for address in ("/leaderboard/", "/games/mine/", "/records/", "/settings/"):
        page.goto(address)
        rows = page.evaluate(CHOICES)
        assert rows and all(row == [False, True, 1] for row in rows), address
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
