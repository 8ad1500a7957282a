/** Two stages: the second has no package manager's cache, and runs as an unprivileged user. */
export const dockerfile = `FROM node:22-slim AS dependencies
WORKDIR /srv/content
COPY package.json package-lock.json *.tgz ./
RUN npm ci --omit=dev

FROM node:22-slim
WORKDIR /srv/content
# Without DRAFTS=restricted everyone who may read a content type also sees its drafts, as in Strapi v4.
ENV NODE_ENV=production DRAFTS=restricted
RUN mkdir .data && chown node:node .data
COPY --from=dependencies /srv/content/node_modules node_modules
COPY package.json ./
COPY content-types content-types
COPY config config
# COPY extensions extensions
USER node
EXPOSE 1337
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \\
  CMD ["node", "-e", "fetch('http://127.0.0.1:1337/_ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node_modules/.bin/content-service", "start"]
`;

export const dockerignore = `node_modules
.data
.env
.git
tests
types
`;

/** The health check of MongoDB also makes the replica set, once. */
export const compose = `services:
  content:
    build: .
    env_file: .env
    environment:
      MONGODB_URI: mongodb://mongo:27017/content?replicaSet=rs0
      PUBLIC_URL: http://localhost:1337
    ports: ['1337:1337']
    depends_on:
      mongo: { condition: service_healthy }
    restart: unless-stopped
    stop_grace_period: 20s
  mongo:
    image: mongo:8
    command: ['--replSet', 'rs0', '--bind_ip_all']
    volumes: ['mongo:/data/db']
    healthcheck:
      test:
        - CMD
        - mongosh
        - --quiet
        - --eval
        - >-
          try { rs.status().ok }
          catch { rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] }) };
          if (!db.hello().isWritablePrimary) quit(1)
      interval: 5s
      start_period: 30s
    restart: unless-stopped
volumes:
  mongo:
`;
