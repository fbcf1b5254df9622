# Packages and pages.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY patches patches
RUN npm ci --no-audit --no-fund
COPY . .
# Canonical links and shared pictures are written into the pages.
ARG ORIGIN
# The saved video is written in one weight of its fonts; the others would add 90 MB.
RUN npm run build && npm prune --omit=dev && find node_modules/@embedpdf -name '*.otf' ! -name '*-Medium.otf' -delete

# The server reads its TypeScript as it is; only the pages were built.
FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4321 DATA_DIR=/data DEMO=off MALLOC_MMAP_THRESHOLD_=1048576
# Strangers' videos are opened inside a sandbox; docs/media-sandbox.md says which options a container needs for it.
RUN apt-get update && apt-get install --yes --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build --chown=root:root /app/package.json /app/tsconfig.json ./
COPY --from=build --chown=root:root /app/node_modules ./node_modules
COPY --from=build --chown=root:root /app/dist ./dist
COPY --from=build --chown=root:root /app/migrations ./migrations
COPY --from=build --chown=root:root /app/modules ./modules
COPY --from=build --chown=root:root /app/projections ./projections
COPY --from=build --chown=root:root /app/src ./src
# For `npm run doctor`, `backup`, `restore` and `verify-audit`.
COPY --from=build --chown=root:root /app/scripts/doctor.ts /app/scripts/backup.ts /app/scripts/restore.ts /app/scripts/verify-audit.ts ./scripts/
COPY --from=build --chown=root:root /app/scripts/check-container-health.mjs ./scripts/
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4321
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "scripts/check-container-health.mjs"]
CMD ["node", "--max-semi-space-size=8", "--import", "tsx", "src/server/main.ts"]
