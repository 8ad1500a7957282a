import path from 'node:path';
import express, { type RequestHandler } from 'express';
import { packageFolder } from '../../config/package-folder.js';
import { renderPage } from './page.js';
import type { Sample } from './samples.js';

/** Made by the build, in a clone and in a package alike. */
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
  const page = renderPage({ files: `${endpoint}/playground`, tabs });
  router.get('/', (request, response, next) => {
    if (request.accepts('json', 'html') !== 'html') next();
    else
      response.set({ 'Content-Security-Policy': policy, 'X-Content-Type-Options': 'nosniff' }).type('html').send(page);
  });
  router.use('/playground', express.static(folder, { index: false, redirect: false }));
  return router;
}
