"""The one kind of file that the site takes: a game to import. All others are dropped as they come."""

from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest
from django.urls import reverse

from games.archive.import_errors import MOST_BYTES


class GamesToImport(FileUploadHandler):
    """Keeps the files of that form in memory.

    Of all together it keeps as much as a game may have, and one byte more, which tells that there was more.
    """

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self._takes = request is not None and request.path == reverse("import-game")
        self._room = MOST_BYTES + 1

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        if not self._takes:
            raise SkipFile
        super().new_file(*args, **kwargs)
        self._kept = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self._room -= self._kept.write(raw_data[: self._room])

    def file_complete(self, file_size: int) -> UploadedFile:
        self._kept.seek(0)
        return UploadedFile(self._kept, self.file_name, self.content_type, file_size)
