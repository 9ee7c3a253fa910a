# The bot alone. The token comes from outside: docker run --env-file .env -v gops:/var/lib/gops IMAGE
# (.env may name another place for the database: -e GOPS_DATABASE=/var/lib/gops/gops.sqlite3 keeps it in the volume).
FROM python:3.13-slim

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    GOPS_DATABASE=/var/lib/gops/gops.sqlite3 \
    GOPS_LOG=json

WORKDIR /opt/gops
COPY requirements.txt ./
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY cogs cogs
COPY data data
RUN pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation . \
    && useradd --system --uid 10001 --no-create-home gops \
    && install --directory --owner gops --mode 0700 /var/lib/gops

USER gops
WORKDIR /var/lib/gops
VOLUME /var/lib/gops
# SIGTERM ends it in order: it finishes what is under way.
CMD ["gops", "run"]
