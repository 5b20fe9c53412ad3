"""`show_deal` repeats a deal from its seed."""

import re
import shlex

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.engine.rules.acquire import rule_system as acquire
from tests.support.games import NewGame, play_to_the_end


def dealt(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("show_deal", *arguments)
    return capsys.readouterr().out


def test_command_prints_seed_hash_seats_and_position(capsys: pytest.CaptureFixture[str]) -> None:
    seed = bytes(range(32))
    said = dealt(capsys, seed.hex(), "--players", "3", "--rules", "classic payout=four")
    rules = acquire.rules_from_text("classic payout=four")
    commitment, seats, position = said.split("\n", 2)
    assert commitment == f"commitment: {acquire.seed_hash(seed)}"
    assert seats.removeprefix("players in seats: ").split() == [
        str(player) for player in acquire.seating(rules, 3, seed)
    ]
    assert position == acquire.position_to_text(acquire.deal(rules, 3, seed))


@pytest.mark.parametrize(
    "arguments",
    [["abc"], ["00" * 31], ["00" * 32, "--players", "7"], ["00" * 32, "--rules", "poker"],
     ["00" * 32, "--rules", "classic payout=five"], ["00" * 32, "--rules", ""]],
)  # fmt: skip
def test_impossible_deal_is_refused_with_sentence(arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="Nothing can be dealt from this"):
        call_command("show_deal", *arguments)


@pytest.mark.django_db
def test_deal_page_names_working_command(
    start: NewGame, alice: User, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    game = play_to_the_end(start(alice, "random", preset="classic", payout="four"))
    page = client.get(reverse("deal-check", args=[game.public_id]))
    command = shlex.split(page.context["verify_command"])
    assert command[:3] == ["python", "manage.py", "show_deal"]
    said = dealt(capsys, *command[3:])
    assert game.seed_hash in said
    bag = re.search(r"^bag: (.*)$", said, re.MULTILINE)
    assert bag and bag[1].split() == page.context["bag"]
