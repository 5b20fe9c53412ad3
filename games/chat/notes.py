"""Notes of members about games."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Game, Note
from games.models.note import MAX_NOTE_LENGTH
from games.players.admission import lock_user
from games.refusals import NoteChanged, TextTooLong


@transaction.atomic
def write_note(*, game: Game, user: User, text: str, version: int) -> Note:
    """Save the text as the user's note of the game, based on this `version` of the note, 0 for none.

    Saving the same text again changes nothing. Raises AccountClosed, TextTooLong, and NoteChanged with the
    saved note if another page has changed it in between; nothing is saved then.
    """
    lock_user(user)  # if two pages save at once, the second must see the text of the first
    if len(text) > MAX_NOTE_LENGTH:
        raise TextTooLong(MAX_NOTE_LENGTH)
    note = Note.objects.filter(game=game, user=user).first() or Note(game=game, user=user)
    if note.text == text:
        return note
    if note.version != version:
        raise NoteChanged(note)
    note.text, note.version, note.saved = text, note.version + 1, timezone.now()
    note.save()
    return note
