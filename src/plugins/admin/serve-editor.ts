import fs from 'node:fs/promises';
import path from 'node:path';
import express, { type RequestHandler } from 'express';
import escape from 'lodash/escape.js';
import { packageFolder } from '../../config/package-folder.js';

/** The path of the editor, which its build knows too. */
export const PATH = '/admin';

/** Created by the build, in a clone and in a package. */
const folder = path.join(packageFolder, 'dist', 'admin');

/** Only scripts and styles of the editor itself run; images may be in the bucket of an upload provider. */
const policy = [
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
].join('; ');

/**
 * Serves the editor's files, and its page for each of its addresses; passes on everything else.
 * @param prefix the path of the API
 */
export function serveEditor(prefix: string): RequestHandler {
  const router = express.Router();
  // The names of these files contain a hash of their content.
  router.use('/assets', express.static(path.join(folder, 'assets'), { index: false, immutable: true, maxAge: '1y' }));
  router.get('/{*path}', (request, response, next) => {
    // A missing script must not be answered with a page.
    if (request.path.startsWith('/assets/') || !request.accepts('html')) return next();
    response.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'same-origin',
      'Cache-Control': 'no-cache',
    });
    void readPage(prefix).then((page) => response.type('html').send(page), next);
  });
  return router;
}

async function readPage(prefix: string): Promise<string> {
  const page = await fs.readFile(path.join(folder, 'index.html'), 'utf8');
  return page.replace('data-api="/api"', () => `data-api="${escape(prefix)}"`);
}
