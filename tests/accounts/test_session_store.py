"""Sessions that are only renewed are not saved while another process writes; all others are."""

import pytest

from accounts.membership import session_store
from accounts.membership.session_store import SessionStore

pytestmark = pytest.mark.django_db


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> SessionStore:
    """A stored session, as a request loads it while another process writes."""
    stored = SessionStore()
    stored["language"] = "en"
    stored.save()
    monkeypatch.setattr(session_store, "write_if_free", lambda write: False)
    return SessionStore(stored.session_key)


def saved(session: SessionStore) -> dict[str, str]:
    session.save()
    return dict(SessionStore(session.session_key).items())


def test_renewed_session_is_left_as_it_was(session: SessionStore) -> None:
    session.renew(seen="today")
    assert saved(session) == {"language": "en"}


def test_session_changed_before_it_is_renewed_is_saved(session: SessionStore) -> None:
    session["language"] = "de"
    session.renew(seen="today")
    assert saved(session) == {"language": "de", "seen": "today"}


def test_session_changed_after_it_is_renewed_is_saved(session: SessionStore) -> None:
    session.renew(seen="today")
    session["language"] = "de"
    assert saved(session) == {"language": "de", "seen": "today"}
