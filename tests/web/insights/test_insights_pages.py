"""Insights: one's own numbers beside others, with their margins, and public only on request."""

import re
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.insights.decision_figures import FEWEST, Figure, insights_of, set_public
from games.insights.insight_sums import store_sums
from games.models import Game, GameMoney, GameReview, InsightSum, PublicInsights, RatedDecision, Rating
from games.privacy.retention import forget_user
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame
from tests.support.htmx import HTMX

pytestmark = pytest.mark.django_db

ENOUGH = FEWEST[RatedDecision]


@pytest.fixture
def review(start: NewGame, alice: User, bob: User) -> GameReview:
    game = start(alice, bob)
    Game.all_games.filter(pk=game.pk).update(status="finished", finished=timezone.now())
    return GameReview.objects.create(game=game, done=timezone.now(), counted=timezone.now())


def decide(
    review: GameReview, number: int = ENOUGH, lost: float = 0.02, theme: str = "buy", **owner: Any
) -> None:
    """Let a member or a level make this many decisions that lose about as much."""
    rng, first = Random(1), RatedDecision.objects.count()
    RatedDecision.objects.bulk_create(
        RatedDecision(
            review=review, number=first + place, system="acquire", theme=theme, third=1, tier=2,
            lost=lost * rng.uniform(0.8, 1.2), **owner,
        )
        for place in range(number)
    )  # fmt: skip
    store_sums(owner, "acquire")


def rate(user: User, mu: float) -> None:
    Rating.objects.create(
        user=user, system="acquire", mu=mu, sigma=3, games=9, wins=3, standing=mu, ranked=True
    )


def page(client: Client, address: str = "/insights/") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


# -- Figures -------------------------------------------------------------------------------------------


def figure(*values: float) -> Figure:
    return Figure(len(values), sum(values), sum(value * value for value in values))


def test_margin_is_that_of_the_average() -> None:
    found = figure(1.0, 2.0, 3.0, 4.0)
    assert found.mean == 2.5
    assert found.margin == pytest.approx(1.96 * (5 / 3 / 4) ** 0.5)


def test_nothing_has_no_margin() -> None:
    assert (Figure().mean, Figure().margin, figure(1.0).margin) == (0.0, 0.0, 0.0)


def test_only_clear_differences_are_told() -> None:
    low, high = figure(*[1.0, 1.1] * 20), figure(*[1.3, 1.4] * 20)
    assert (low.differs_from(high), high.differs_from(low)) == (-1, 1)
    assert figure(1.0, 2.0).differs_from(figure(1.5, 2.5)) == 0


def test_similar_members_are_those_within_100_points(review: GameReview, alice: User, bob: User) -> None:
    carol = User.objects.create_user("carol")
    rate(alice, 25)
    rate(bob, 28)
    rate(carol, 29)
    decide(review, user=bob)
    decide(review, user=carol)
    found = insights_of(alice, "acquire")
    assert found.peers == 1
    assert found.similar.overall.count == ENOUGH


@pytest.mark.parametrize("change", [{"is_active": False}, {"suspended_until": "2999-01-01T00:00Z"}], ids=str)
def test_closed_and_suspended_accounts_are_no_similar_members(
    review: GameReview, alice: User, bob: User, change: dict[str, object]
) -> None:
    rate(alice, 25)
    rate(bob, 25)
    decide(review, user=bob)
    User.objects.filter(pk=bob.pk).update(**change)
    assert insights_of(alice, "acquire").peers == 0


# -- The page ------------------------------------------------------------------------------------------


def test_each_number_has_its_margin_and_its_count(review: GameReview, alice: User, bob: User) -> None:
    rate(alice, 25)
    rate(bob, 26)
    decide(review, ENOUGH, 0.05, user=alice)
    decide(review, 3 * ENOUGH, 0.01, user=bob)
    decide(review, 2 * ENOUGH, 0.02, level="hard")
    html = page(client_of(alice))
    for heading in ("You", "Similar rating", "Hard"):
        assert f'class="n">{heading}</th>' in html
    row = html[html.index("By kind of decision") :]
    row = row[row.index("Buy shares") : row.index("</tr>", row.index("Buy shares"))]
    cells = re.findall(r'class="n"> ([\d.]+) <br> ±&nbsp;([\d.]+) <br> <span class="dim"> (\d+) </span>', row)
    assert [cell[2] for cell in cells] == ["20", "60", "40"]
    assert [round(float(cell[0])) for cell in cells] == [5, 1, 2]
    assert "clearly weaker" in row


def test_few_decisions_give_no_number(review: GameReview, alice: User) -> None:
    decide(review, ENOUGH, user=alice)
    decide(review, ENOUGH - 1, theme="end", user=alice)
    decide(review, ENOUGH, theme="end", level="hard")
    html = page(client_of(alice))
    row = html[html.index("End the game or go on") :]
    assert re.search(r"too few <br> <span class=\"dim\"> 19 of 20 needed </span>", row[: row.index("</tr>")])


def test_money_is_shown_by_source(review: GameReview, alice: User) -> None:
    decide(review, user=alice)
    for dollars in (1000, 2000, 3000, 4000, 5000):
        GameMoney.objects.create(
            review=review, user=alice, system="acquire", source="bonuses", dollars=dollars
        )
    store_sums({"user": alice}, "acquire")
    html = page(client_of(alice))
    assert "Money by source" in html and "$3,000 <br> ±&nbsp;$1,400" in html


def test_numbers_without_stored_sums_come_from_the_decisions(review: GameReview, alice: User) -> None:
    decide(review, user=alice)
    stored = page(client_of(alice))
    InsightSum.objects.all().delete()
    tables = stored[stored.index("All decisions") :]
    assert tables[: tables.index("What next")] in page(client_of(alice))


def test_levels_are_summed_over_their_latest_decisions(
    review: GameReview, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.insights.insight_sums.ROWS_OF_LEVEL", 5)
    decide(review, 5, theme="end", level="hard")
    decide(review, 3, theme="buy", level="hard")
    found = dict(InsightSum.objects.filter(level="hard").values_list("name", "count"))
    assert found == {"end": 2, "buy": 3}


def test_page_without_decisions_says_when_they_come(alice: User) -> None:
    assert "You have no reviewed decisions yet." in page(client_of(alice))


def test_other_rule_system_has_its_own_page(review: GameReview, alice: User) -> None:
    decide(review, user=alice)
    assert "You have no reviewed decisions yet." in page(client_of(alice), "/insights/acquisition/")
    assert client_of(alice).get("/insights/chess/").status_code == 404


def test_page_takes_the_same_few_queries_for_any_number_of_decisions(
    review: GameReview, alice: User, bob: User
) -> None:
    rate(alice, 25)
    rate(bob, 26)
    client = client_of(alice)
    decide(review, user=alice)
    page(client)

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            page(client)
        return len(asked)

    few = queries()
    decide(review, 300, user=alice)
    decide(review, 300, user=bob)
    assert queries() == few <= 13


# -- Who may read them ---------------------------------------------------------------------------------


def test_insights_are_private_until_the_member_shares_them(review: GameReview, alice: User) -> None:
    decide(review, user=alice)
    public = f"/players/{alice.username}/insights/"
    assert client_of().get(public).status_code == 404
    client = client_of(alice)
    assert client.post("/insights/", {"public": "on"}).status_code == 302
    assert "alice’s insights" in page(client_of(), public)
    assert public in page(client_of(), f"/players/{alice.username}/")
    client.post("/insights/", {})
    assert client_of().get(public).status_code == 404
    assert public not in page(client_of(), f"/players/{alice.username}/")


def test_choice_to_share_saves_itself_and_can_be_undone(alice: User) -> None:
    client = client_of(alice)
    told = client.post("/insights/", {"public": "on"}, **HTMX).content.decode()
    assert "Everyone can see your insights." in told and "Undo" in told
    assert f"/players/{alice.username}/insights/" in told
    assert PublicInsights.objects.filter(user=alice).exists()
    undone = client.post("/insights/", {"undo": "on"}, **HTMX).content.decode()
    assert wording.CHANGE_UNDONE in undone and 'name="public"' in undone and "checked" not in undone
    assert not PublicInsights.objects.exists()


def test_visitors_log_in_first() -> None:
    answer = client_of().get("/insights/")
    assert answer.status_code == 302 and "/accounts/login/" in answer["Location"]


def test_guests_have_no_public_page(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_guest=True)
    alice.refresh_from_db()
    client = client_of(alice)
    assert "Everyone can see my insights" not in page(client)
    assert client.post("/insights/", {"public": "on"}).status_code == 404
    assert not PublicInsights.objects.exists()


def test_departing_member_takes_the_choice_along(alice: User) -> None:
    set_public(alice, True)
    forget_user(alice)
    assert not PublicInsights.objects.exists()
