# One image for every part of the site; compose.yaml has the command of each part.
#
#   docker build --tag acquire .
#
# To report to Sentry or OpenTelemetry: --build-arg REQUIREMENTS=monitoring

# deploy/pin-images pins it.
ARG PYTHON_IMAGE=python:3.12-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
ARG REQUIREMENTS=app
WORKDIR /build
COPY requirements/build.txt requirements/${REQUIREMENTS}.txt ./
# http-ece comes as source only: it is built with the pinned setuptools of build.txt.
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes --only-binary :all: -r build.txt \
    && /venv/bin/pip install --no-cache-dir --require-hashes --only-binary :all: \
       --no-binary http-ece --no-build-isolation -r ${REQUIREMENTS}.txt

FROM ${PYTHON_IMAGE}
# pg_dump, pg_restore and psql for manage.py backup and restore: as new as the server of compose.yaml. restic
# takes backups away. Debian removes old versions of packages, so they cannot be pinned; the digest of the image
# above says how old the rest is.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends openssh-client postgresql-client restic \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin acquire \
    && install --directory --owner acquire --mode 0700 /data
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/data DEBUG=0
WORKDIR /app
COPY manage.py pyproject.toml ./
COPY acquire_site acquire_site
COPY accounts accounts
COPY games games
COPY templates templates
COPY deploy/offsite-backup deploy/
# Placeholders for this step: collecting static files needs no database.
RUN SECRET_KEY=only-to-collect-static-files ALLOWED_HOSTS=localhost CSRF_TRUSTED_ORIGINS=https://localhost \
    DATABASE_URL=postgres://localhost/none REDIS_URL=redis://localhost \
    python manage.py collectstatic --noinput --verbosity 0
# By number, so that a host that wants no root can see that it is none.
USER 10001
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=2)"]
CMD ["python", "-m", "uvicorn", "acquire_site.asgi:application", "--host", "0.0.0.0", "--port", "8000", \
     "--lifespan", "on", "--no-proxy-headers", "--no-server-header", "--ws-max-size", "1024", \
     "--limit-concurrency", "2000", "--timeout-graceful-shutdown", "3", "--log-level", "warning"]
