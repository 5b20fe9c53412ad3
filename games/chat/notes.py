"""What somebody writes down about a game, for themselves."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Game, Note
from games.models.note import NOTE_LENGTH
from games.players.admission import lock_user
from games.refusals import NoteChanged, TextTooLong


@transaction.atomic
def write_note(*, game: Game, user: User, text: str, version: int) -> Note:
    """Keep the text as the user's notes of the game, made from the notes of this `version`, 0 for none.

    The same text is the same success again. Raises AccountClosed, TooLong, and NoteChanged with the notes
    that are kept when another page has changed them meanwhile; then nothing is written.
    """
    lock_user(user)  # of two pages that save at once the second sees what the first has written
    if len(text) > NOTE_LENGTH:
        raise TextTooLong(NOTE_LENGTH)
    note = Note.objects.filter(game=game, user=user).first() or Note(game=game, user=user)
    if note.text == text:
        return note
    if note.version != version:
        raise NoteChanged(note)
    note.text, note.version, note.saved = text, note.version + 1, timezone.now()
    note.save()
    return note
