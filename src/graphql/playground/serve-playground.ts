import path from 'node:path';
import express, { type RequestHandler } from 'express';
import { packageFolder } from '../../config/package-folder.js';
import type { Sample } from './samples.js';

/** Created by the build, in a clone and in a package. */
const folder = path.join(packageFolder, 'dist', 'playground');

/** Only scripts of the page itself can run in it, and it can send requests only to this server. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Shows browsers GraphiQL at the endpoint, with its files below it; passes on everything else. */
export function servePlayground(endpoint: string, tabs: readonly Sample[]): RequestHandler {
  const router = express.Router();
  const page = renderPage(`${endpoint}/playground`, tabs);
  router.get('/', (request, response, next) => {
    if (request.accepts('json', 'html') !== 'html') next();
    else
      response.set({ 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' }).type('html').send(page);
  });
  router.use('/playground', express.static(folder, { index: false, redirect: false }));
  return router;
}

/**
 * The Playground as HTML. Its settings are data: the page contains no inline script.
 * @param files the path of GraphiQL's files, e.g. `/graphql/playground`
 */
function renderPage(files: string, tabs: readonly Sample[]): string {
  const settings = JSON.stringify({ title: 'GraphQL Playground', files, tabs }).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>GraphQL Playground</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${files}/graphiql.css" />
    <style>
      html, body, #root { height: 100%; margin: 0; }
      .graphiql-container { height: 100vh; }
      /* On a phone the response is below the query. */
      @media (max-width: 42rem) {
        #graphiql-session { flex-direction: column; }
        .graphiql-horizontal-drag-bar, .graphiql-logo { display: none; }
      }
    </style>
  </head>
  <body>
    <noscript>The Playground needs JavaScript.</noscript>
    <div id="root"></div>
    <script id="settings" type="application/json">${settings}</script>
    <script src="${files}/graphiql.js"></script>
    <script src="${files}/start.js"></script>
  </body>
</html>
`;
}
