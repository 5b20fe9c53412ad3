"""The member whom most tests of accounts are about."""

import pytest

from tests.support.members import create_member


@pytest.fixture
def marta(db):
    """A member with a confirmed address."""
    return create_member("marta", "marta@example.org")
