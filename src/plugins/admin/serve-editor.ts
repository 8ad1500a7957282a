import path from 'node:path';
import express, { type RequestHandler } from 'express';
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

/** Serves the editor's files, and its page for each of its addresses; passes on everything else. */
export function serveEditor(): RequestHandler {
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
    response.sendFile('index.html', { root: folder, cacheControl: false });
  });
  return router;
}
