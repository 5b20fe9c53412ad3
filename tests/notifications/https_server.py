"""A web server over TLS for tests, which answers as told."""

import re
import socket
import ssl
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

NAME = "hooks.example"


class Server:
    """Answers one request at a time over TLS as told, and remembers the requests."""

    def __init__(self, certificate: Path) -> None:
        self.requests: list[bytes] = []
        self.answer: Callable[[socket.socket], None] = lambda sock: sock.sendall(b"HTTP/1.1 204 Done\r\n\r\n")
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                bare, _ = self._socket.accept()
            except OSError:
                return
            try:
                with self._context.wrap_socket(bare, server_side=True) as sock:
                    self.requests.append(whole_request(sock))
                    self.answer(sock)
            except OSError:
                pass

    def close(self) -> None:
        self._socket.close()


def whole_request(sock: socket.socket) -> bytes:
    """Read the head of a request and as much body as the head announces."""
    read = sock.recv(65536)
    length = int(re.search(rb"Content-Length: (\d+)", read)[1])
    while len(read) - read.index(b"\r\n\r\n") - 4 < length:
        read += sock.recv(65536)
    return read


def certificate_for(name: str, folder: Path) -> Path:
    """Write a self-signed certificate and its key into one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path
