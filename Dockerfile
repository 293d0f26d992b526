# Formstead with its embedded PostgreSQL; see docs/self-hosting.md for how to run it.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# Builds the files for browsers, then removes the packages needed only for building.
RUN node scripts/prepare.mjs && npm prune --omit=dev

FROM debian:bookworm-slim
# The Node.js that package.json asks for, and the command "formstead".
ENV PATH=/app/node_modules/.bin:$PATH
# PostgreSQL does not run as root.
RUN useradd --uid 1000 --create-home formstead && install --directory --owner formstead /data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/bin bin
COPY --from=build /app/migrations migrations
COPY --from=build /app/dist dist
COPY --from=build /app/fields fields
COPY --from=build /app/server server
USER formstead
ENV HOST=0.0.0.0 DATA_DIR=/data NODE_COMPILE_CACHE=/home/formstead/.cache MALLOC_ARENA_MAX=2
VOLUME /data
EXPOSE 3000
# A worker listens on no port, so it always counts as healthy.
HEALTHCHECK --start-period=60s --interval=30s --timeout=5s CMD ["node", "-e", "/http/.test(process.env.ROLES || 'http') && fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The options of "npm start", but without npm, so that SIGTERM reaches the service.
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=100", "server/cli/main.ts", "serve"]
