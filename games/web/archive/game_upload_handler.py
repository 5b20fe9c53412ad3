"""Upload handler of game files to import."""

from io import BytesIO
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest
from django.urls import reverse

from games.archive.import_errors import MAX_BYTES


class GamesToImport(FileUploadHandler):
    """Keep files for the import form in memory and skip all others.

    One byte more than the limit is kept, by which the import recognises that a file is too large.
    """

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self._takes = request is not None and request.path == reverse("import-game")
        self._room = MAX_BYTES + 1

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
