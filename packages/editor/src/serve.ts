import fs from 'node:fs/promises';
import path from 'node:path';
import type { RequestHandler } from 'content-service/plugin';
import express from 'express';
import staticGzip from 'express-static-gzip';
import lodash from 'lodash';
import type { Identity } from './settings.js';

/** The path of the editor, which its build knows too. */
export const PATH = '/admin';

/** Created by the build, in a clone and in a package; beside `src` as beside the file in `dist` that has this. */
const folder = path.join(import.meta.dirname, '..', 'dist', 'browser');

/**
 * Only scripts and styles of the editor itself run; images may be in the bucket of an upload provider, frames show
 * previews.
 */
const policyOf = (frames: readonly string[]): string =>
  [...basis, `frame-src ${frames.length === 0 ? "'none'" : frames.join(' ')}`].join('; ');

const basis = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob: https:",
  "media-src 'self' blob: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** What the page says of itself to its script; `api` is the path of the API. */
type PageData = Identity & { readonly api: string };

/**
 * Serves the editor's files, and its page for each of its addresses; passes on everything else.
 * @param frames the origins of the pages that it shows
 */
export function serveEditor(data: PageData, frames: readonly string[]): RequestHandler {
  const router = express.Router();
  const policy = policyOf(frames);
  // The names of these files contain a hash of their content. The build has compressed them.
  const serveStatic = { immutable: true, maxAge: '1y' };
  const compressed = { enableBrotli: true, orderPreference: ['br', 'gzip'], index: false, serveStatic };
  router.use('/assets', staticGzip(path.join(folder, 'assets'), compressed));
  router.get('/{*path}', (request, response, next) => {
    // A missing script must not be answered with a page.
    if (request.path.startsWith('/assets/') || !request.accepts('html')) return next();
    response.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-cache',
    });
    void readPage(data).then((page) => response.type('html').send(page), next);
  });
  return router;
}

async function readPage(data: PageData): Promise<string> {
  const page = await fs.readFile(path.join(folder, 'index.html'), 'utf8');
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${lodash.escape(value)}"`);
  return page.replace('data-api="/api"', () => attributes.join(' '));
}
