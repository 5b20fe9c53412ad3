"""Personal data about games for the export of an account."""

import json

from accounts.models import User
from games.privacy.personal_data import my_data, systems_of
from games.web.presenters.presenter_registry import PRESENTERS


def everything_about(user: User) -> list[tuple[str, bytes]]:
    """Return names and contents of the files about a user, with the credits of the games played."""
    credits = {system: PRESENTERS[system].credit() for system in sorted(systems_of(user))}
    return [*my_data(user), ("credits.json", json.dumps(credits, indent=2, ensure_ascii=False).encode())]
