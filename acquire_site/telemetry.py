"""Optional error reports to Sentry and traces to OpenTelemetry.

Both need requirements/monitoring.txt. Reports show where an error happened, but never the contents of a
request, a variable or a row, which may hold hands.
"""

import contextlib
import importlib
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from acquire_site.log_format import without_secrets

_tracer: Any = None


def start() -> None:
    """Start the services that are configured in the environment."""
    if settings.SENTRY_DSN:
        _start_sentry(_needed("sentry_sdk", "SENTRY_DSN"))
    if settings.OTEL_ENDPOINT:
        _start_tracing()


def _needed(module: str, variable: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImproperlyConfigured(
            f"{variable} is set, but {error.name} is not installed: "
            "pip install -r requirements/monitoring.txt"
        ) from error


def _start_sentry(sentry: Any) -> None:
    sentry.init(
        dsn=settings.SENTRY_DSN,
        send_default_pii=False,
        include_local_variables=False,
        include_source_context=True,
        max_request_body_size="never",
        max_breadcrumbs=0,
        traces_sample_rate=0.0,
        before_send=scrubbed,
    )


def scrubbed(event: dict[str, Any], hint: Any = None) -> dict[str, Any]:
    """Return the event without addresses, bodies, cookies, variables and rows."""
    request = event.pop("request", None) or {}
    if "method" in request:
        event["request"] = {"method": request["method"]}
    for name in ("user", "breadcrumbs", "extra", "server_name"):
        event.pop(name, None)
    for entry in (event.get("exception") or {}).get("values") or []:
        entry["value"] = without_secrets(str(entry.get("value", "")))
        for frame in (entry.get("stacktrace") or {}).get("frames") or []:
            frame.pop("vars", None)
    if "logentry" in event:
        # Keep the message without its arguments.
        event["logentry"] = {"message": without_secrets(str(event["logentry"].get("message", "")))}
    return event


def _start_tracing() -> None:
    global _tracer
    variable = "OTEL_EXPORTER_OTLP_ENDPOINT"
    trace = _needed("opentelemetry.trace", variable)
    sdk = _needed("opentelemetry.sdk.trace", variable)
    export = _needed("opentelemetry.sdk.trace.export", variable)
    otlp = _needed("opentelemetry.exporter.otlp.proto.http.trace_exporter", variable)
    provider = sdk.TracerProvider()
    provider.add_span_processor(export.BatchSpanProcessor(otlp.OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    _tracer = trace.get_tracer("acquire")


@contextlib.contextmanager
def traced() -> Iterator[Callable[[str, str, int], None]]:
    """Trace one request if configured; yield a function that takes method, pattern and status.

    Does not use OpenTelemetry's instrumentation, which records the address, which may be a secret, and error
    messages, which may quote a row.
    """
    if _tracer is None:
        yield lambda *_: None
        return
    with _tracer.start_as_current_span(
        "request", record_exception=False, set_status_on_exception=False
    ) as span:

        def tell(method: str, route: str, status: int) -> None:
            span.update_name(f"{method} {route}")
            span.set_attribute("http.request.method", method)
            span.set_attribute("http.route", route)
            span.set_attribute("http.response.status_code", status)

        yield tell
