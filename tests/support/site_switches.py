"""Site switches turned in tests."""

from typing import Any

from accounts.models import SiteSwitch
from accounts.moderation.switch_actions import SWITCH_ACTIONS
from tests.support.staff_actions import perform_action


def turn(kind: str, state: str = "on", **values: Any) -> None:
    target = SiteSwitch.objects.get(kind=kind)
    perform_action(SWITCH_ACTIONS[f"turn-{state}"], target, None, "We try it.", **values)
