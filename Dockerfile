FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package needs its install script: bcrypt and esbuild come with their binaries.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY build.js tsconfig.json ./
COPY locales locales
COPY lua lua
COPY prisma prisma
COPY src src
# A clone under a strict umask has files that only its owner may read. The service is another user.
RUN chmod -R go=rX locales lua package.json prisma && npm run build
# What builds is optional: esbuild, and Swagger UI. Half of what is left serves other databases, debuggers, and the
# embedded PostgreSQL, which production refuses.
RUN npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && find node_modules/@prisma/client/runtime -name '*.map' -delete -o -name 'query_compiler_*' ! -name '*.postgresql.*' -delete \
  && rm -r node_modules/@electric-sql

FROM node:24-slim
WORKDIR /app
# The heap ends below docker-compose.yml's mem_limit, so that a leak is told by Node, not by the kernel.
ENV NODE_ENV=production NODE_OPTIONS=--max-old-space-size=256
# A container's own 127.0.0.1 is reached by nobody, with `docker run --publish` either.
ENV HOST=0.0.0.0
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/package.json ./
COPY --from=build /app/locales locales
COPY --from=build /app/lua lua
COPY --from=build /app/prisma prisma
COPY --from=build /app/dist dist
# A new volume gets its owner from here.
RUN install -d -o node -g node -m 700 /var/log/gatehouse \
  && ln -s /app/dist/cli.js /usr/local/bin/gatehouse
USER node
EXPOSE 3000 9464
# By bash, which takes 3 ms of CPU time. A Node would take 75, and so double what an idle replica costs.
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s --retries=3 CMD ["bash", "-c", "\
  exec 3<> /dev/tcp/127.0.0.1/9464 && printf 'GET /readyz?database=optional HTTP/1.0\\r\\n\\r\\n' >&3 \
  && [[ $(cat <&3) == 'HTTP/1.1 200 '* ]]"]
# Run it with `--init` (docker-compose.yml does): a signal in Node's own first 50 ms would be lost if Node were PID 1.
CMD ["node", "dist/server.js"]
