import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { contentType } from 'mime-types';
import { isStoredName, type FileStore, type StoredFile } from '../../../mongo/files/file-store.js';
import { AppError } from '../../../errors/app-error.js';
import { isFresh } from '../../contract/http/response-body.js';
import type { Running } from '../running.js';
import { partsOf, remoteAddress, storedName } from './file-storage.js';
import { placesOf } from './places.js';
import { possibleHashes } from './sweep.js';

const READ = 'plugin::upload.content-api.findOne';

/** Types that browsers show inline; others are downloaded, so that they do not run on this origin. */
const shown = /^(?:(?:image|video|audio|font)\/|text\/plain|application\/json)/;

/** An SVG or a page that is opened nevertheless runs no script, sends no form and has no origin. */
const policy = ["default-src 'none'", "img-src 'self' data:", "media-src 'self'", "style-src 'unsafe-inline'"];

/** What the headers of every response say of frames, which `strapi::security` of a project decides. */
function framesIn(response: Response): { readonly directives: readonly string[]; readonly isOpen: boolean } {
  const sent = String(response.getHeader('content-security-policy') ?? '');
  const [, sources] = /(?:^|;)\s*frame-ancestors ([^;]*)/.exec(sent) ?? [];
  const isOpen =
    sources === undefined ? !response.hasHeader('x-frame-options') : !["'self'", "'none'"].includes(sources.trim());
  return { directives: sources === undefined ? [] : [`frame-ancestors ${sources.trim()}`], isOpen };
}

/** Serves stored files, with ranges and conditional requests; passes on requests for missing files. */
export const serveFiles =
  (storeOf: () => FileStore, maxAge: number): RequestHandler =>
  async (request, response, next) => {
    const name = request.path.slice(1);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const file = isRead && isStoredName(name) ? await storeOf().get(name) : undefined;
    if (file === undefined) return next();
    describe(response, name, file, maxAge);
    if (isFresh(request)) return void response.status(304).end();
    const range = rangeOf(request, response, file);
    if (range === 'unsatisfiable') {
      response.setHeader('Content-Range', `bytes */${file.size}`);
      return void response.status(416).end();
    }
    if (range !== undefined) {
      response.status(206).setHeader('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
    }
    response.setHeader('Content-Length', range === undefined ? file.size : range.end - range.start + 1);
    if (request.method === 'HEAD') return void response.end();
    // A client that disconnects during the transfer is not an error.
    await pipeline(await file.read(range), response).catch(() => response.destroy());
  };

function describe(response: Response, name: string, { modified, version }: StoredFile, maxAge: number): void {
  const type = contentType(path.extname(name)) || 'application/octet-stream';
  const frames = framesIn(response);
  // A viewer shows it in no sandbox, and runs nothing of it on this origin.
  const isFramed = frames.isOpen && type === 'application/pdf';
  response.set({
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
    ...(!isFramed && { 'Content-Security-Policy': [...policy, ...frames.directives, 'sandbox'].join('; ') }),
    'Accept-Ranges': 'bytes',
    'Cache-Control': `public, max-age=${maxAge}`,
    ETag: `"${version}"`,
    'Last-Modified': modified.toUTCString(),
    ...(!shown.test(type) && !isFramed && { 'Content-Disposition': 'attachment' }),
  });
}

/** The requested range; undefined: the complete file, also for several ranges. */
function rangeOf(
  request: Request,
  response: Response,
  { size }: StoredFile,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const condition = request.get('If-Range');
  const current = [response.get('ETag'), response.get('Last-Modified')];
  if (condition !== undefined && !current.includes(condition)) return undefined;
  const ranges = request.range(size, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/**
 * Redirects to the signed URL of a provider's private file; passes on all other requests.
 * @throws AppError unauthorized, forbidden where settings restrict it
 */
export const servePrivate =
  (parts: () => Running): RequestHandler =>
  async (request, response, next) => {
    const { method, path } = request;
    const { context, remote, settings } = parts();
    const name = path.slice(1);
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead || remote?.isPrivate !== true || !isStoredName(name)) return next();
    if (settings.restrictPrivateFiles) {
      const caller = await context.auth.authenticate(request, response);
      if (!caller.may(READ)) throw new AppError('forbidden');
    }
    const filters = { hash: { $in: possibleHashes(name) }, provider: remote.name };
    for (const find of placesOf(context)) {
      const part = (await find(filters)).flatMap(partsOf).find((candidate) => storedName(candidate) === name);
      if (part === undefined) continue;
      response.setHeader('Cache-Control', 'no-store');
      return response.redirect(302, await remote.sign(remoteAddress(part)));
    }
    next();
  };
