import { createHmac } from 'node:crypto';
import type { ContentType } from '../../content-types/model/types.js';
import { listIn } from './entry-edit.js';

/** As many characters as the ids that Strapi 5 makes have. */
const LENGTH = 24;

/**
 * The `documentId` of an entry and its localizations, by the one that was first. Whoever derives it gets the same, so
 * that two processes can give stored entries theirs at once. Nobody outside can: the key is the database's own. It
 * begins with a letter: clients tell it from a numeric id by that.
 */
export function deriveDocumentId(key: string, { uid, copyOf }: ContentType, founder: number): string {
  const digest = createHmac('sha256', key)
    .update(`${copyOf?.uid ?? uid}:${founder}`)
    .digest('hex');
  const text = BigInt(`0x${digest}`).toString(36);
  return `c${text.padStart(LENGTH, '0').slice(1 - LENGTH)}`;
}

/** Whether it can be one, whoever made it. */
export const isDocumentId = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][a-z0-9]*$/.test(value);

/** The ids of an entry and its localizations, as it is stored. */
export const groupOf = (entry: Readonly<Record<string, unknown>> & { readonly _id: number }): readonly number[] => [
  entry._id,
  ...listIn(entry['localizations']).map(Number),
];
