"""Sessions in the database; the session engine of the settings."""

from typing import Any

from django.contrib.sessions.backends import db
from django.db import transaction

from accounts.models.write_if_free import write_if_free


class SessionStore(db.SessionStore):
    """Django's sessions in the database, which can be renewed without waiting for another writer."""

    _renewed: dict[str, Any] | None = None

    def renew(self, **values: Any) -> None:
        """Set the values and extend the session.

        If nothing else in the session changes, it is not saved while another process writes to SQLite. Then
        the next request renews it.
        """
        only_renewed = not self.modified
        self.update(values)
        if only_renewed:
            self._renewed = dict(self.items())

    def save(self, must_create: bool = False) -> None:
        if must_create or self._renewed is None or self._renewed != dict(self.items()):
            super().save(must_create)
        else:
            write_if_free(self._save_in_a_transaction)

    def _save_in_a_transaction(self) -> None:
        # Meet the lock here: inside its own transaction, Django would think that the session was deleted.
        with transaction.atomic():
            super().save()
