# The bot alone. The token comes from outside: docker run --env-file .env -v gops:/var/lib/gops IMAGE
# (deploy/compose.yaml adds backups, and Prometheus and Grafana where they are asked for).
# To hold the base to the byte, put its digest behind the tag: --build-arg BASE=python:3.13-slim-bookworm@sha256:...
ARG BASE=python:3.13-slim-bookworm

FROM ${BASE} AS build
WORKDIR /src
RUN python -m venv /opt/gops
COPY requirements.txt requirements-postgres.txt requirements-http.txt ./
RUN /opt/gops/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.txt -r requirements-postgres.txt -r requirements-http.txt
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY cogs cogs
COPY data data
RUN /opt/gops/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation .

FROM ${BASE}
ENV PATH=/opt/gops/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    XDG_CACHE_HOME=/var/lib/gops/cache \
    GOPS_LOG=json \
    GOPS_METRICS=9464
COPY --from=build /opt/gops /opt/gops
RUN groupadd --system --gid 10001 gops \
    && useradd --system --uid 10001 --gid gops --no-create-home gops \
    && install --directory --owner gops --group gops --mode 0700 /var/lib/gops

# By number, so that Kubernetes can check that it is not root.
USER 10001:10001
WORKDIR /var/lib/gops
VOLUME /var/lib/gops
HEALTHCHECK --interval=30s --timeout=5s --start-period=180s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9464/healthz', timeout=4)"]
# SIGTERM ends it in order: it finishes what is under way.
CMD ["gops", "run"]
