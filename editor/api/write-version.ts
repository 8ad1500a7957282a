import { changedAttributes } from '../model/body.js';
import type { Content, ContentType } from '../model/schema.js';
import { valuesOf, type Values } from '../model/values.js';
import { RequestError, type Answer, type Api } from './api.js';
import { readEntry, type EntryRead } from './entries.js';

interface Place {
  readonly content: Content;
  readonly type: ContentType;
  readonly id: number | undefined;
  readonly query: object;
}

/** Sends a write of this version of an entry. */
export type Send = (etag: string | undefined) => Promise<Answer>;

/** Whether the entry was changed since the version that a write named. */
export const isConflict = (error: unknown): boolean => error instanceof RequestError && error.status === 412;

/**
 * Sends a write that names a version of an entry. A version covers the files and related entries in it too: if only these have
 * changed, the write is sent again with the version of now.
 */
export async function writeVersion(
  api: Api,
  { content, type, id, query }: Place,
  stored: EntryRead & { readonly base: Values },
  send: Send,
): Promise<Answer> {
  try {
    return await send(stored.etag);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const { entry, etag } = await readEntry(api, type, id, query);
    const isSame =
      entry !== undefined &&
      entry.attributes['publishedAt'] === stored.entry?.attributes['publishedAt'] &&
      changedAttributes(type, stored.base, valuesOf(content, type, entry.attributes)).length === 0;
    if (!isSame || etag === stored.etag) throw error;
    return writeVersion(api, { content, type, id, query }, { ...stored, etag }, send);
  }
}
