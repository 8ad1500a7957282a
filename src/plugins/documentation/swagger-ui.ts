import { createRequire } from 'node:module';
import path from 'node:path';
import { packageFolder } from '../../config/package-folder.js';
import type { RequestHandler } from '../contract/http/messages.js';
import type { Page } from '../contract/routes.js';
import { guide } from './guide.js';

export const page: Page = {
  path: '/documentation',
  title: 'API documentation',
  description: 'read about and try every route',
};

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>API documentation</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/documentation/swagger-ui.css" />
  </head>
  <body>
    <nav><a href="${guide.path}">${guide.title}</a></nav>
    <main id="api"></main>
    <script src="/documentation/swagger-ui-bundle.js"></script>
    <script src="/documentation/start.js"></script>
  </body>
</html>
`;

/** Uses the system's colour scheme with Swagger UI's class for it. The external validator is disabled. */
const script = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
SwaggerUIBundle({
  url: '/documentation/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
  requestInterceptor: (request) => {
    const url = new URL(request.url, location.href);
    if (url.search === '') return request;
    url.search = new URLSearchParams([...url.searchParams].flatMap(([name, value]) => inBrackets(name, value)));
    return { ...request, url: url.href };
  },
});

// Swagger UI writes an object within an object as JSON; the API takes brackets.
function inBrackets(name, value) {
  let parsed;
  try {
    parsed = name.endsWith(']') && /^\\s*[{[]/.test(value) ? JSON.parse(value) : undefined;
  } catch {}
  if (parsed === undefined) return [[name, value]];
  return Object.entries(parsed).flatMap(([key, part]) =>
    inBrackets(name + '[' + key + ']', typeof part === 'string' ? part : JSON.stringify(part)));
}
`;

/** No script but ours, nothing external; Swagger UI writes styles and draws its icons from data. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const texts: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['html', html],
  '/start.js': ['js', script],
};
const assets = new Set(['/swagger-ui.css', '/swagger-ui-bundle.js']);

/** Where Swagger UI's files are: in the installed package; in what npm publishes, copied beside our own code. */
function findAssets(): string {
  const { resolve } = createRequire(import.meta.url);
  try {
    return path.dirname(resolve('swagger-ui-dist/package.json'));
  } catch {
    return path.join(packageFolder, 'dist', 'swagger-ui');
  }
}

/** Serves Swagger UI from local files, which are located at the first request. */
export const serveSwaggerUi: RequestHandler = (request, response, next) => {
  const [type, text = ''] = texts[request.path] ?? [];
  response.set({ 'X-Content-Type-Options': 'nosniff', 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' });
  if (type !== undefined) return void response.type(type).send(text);
  if (!assets.has(request.path)) return next();
  response.sendFile(request.path, { root: findAssets() }, (error?: Error) => {
    if (error !== undefined && !response.headersSent) next();
  });
};
