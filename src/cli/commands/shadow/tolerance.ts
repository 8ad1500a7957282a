import type { Tolerance } from '../compare/find-differences.js';

/** Milliseconds by which the times of one write on both sides may differ if it has not waited. */
const MIRRORED_WITHIN_MS = 60_000;

const TIMES = /(?:^|\.)(?:createdAt|updatedAt|publishedAt)$/;
const FILES = /(?:^|\.)(?:hash|url|previewUrl)$/;
/** What Strapi and this service add to the names of files, at random. */
const RANDOM = /_[0-9a-f]{10}(?=\.|$)/;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Values that each side makes for itself when a write is mirrored: times, names of stored files, and tokens.
 * @param waitedMs the longest time that a write has waited for those before it
 */
export const tolerateMirrored =
  (waitedMs: number): Tolerance =>
  (at, reference, ours) => {
    if (typeof reference !== 'string' || typeof ours !== 'string') return false;
    if (TIMES.test(at)) return Math.abs(Date.parse(reference) - Date.parse(ours)) <= MIRRORED_WITHIN_MS + waitedMs;
    if (FILES.test(at)) return RANDOM.test(ours) && reference.replace(RANDOM, '') === ours.replace(RANDOM, '');
    return /(?:^|\.)jwt$/.test(at) && TOKEN.test(reference) && TOKEN.test(ours);
  };
