import { pathOf, readEntry, withStatus, type EntryRead } from '../../api/entries.js';
import { writeVersion, writeWhole, type Place, type Publication, type Send } from '../../api/write-entry.js';
import type { Api } from '../../api/api.js';
import { changesOf, type Data } from '../../model/body.js';
import type { EntryState } from '../../model/lists/bulk.js';
import { withoutIds } from '../../model/copy.js';
import type { Content, ContentType } from '../../model/schema.js';
import { valuesOf, withKeysOf, type Values } from '../../model/values.js';
import { canBeWritten } from '../../model/version.js';

/** What takes back a change of what readers see, or of what is prepared. */
export type Undo =
  | { readonly kind: 'unpublish' }
  | { readonly kind: 'publish'; readonly publishedAt: unknown }
  /** Prepares these values again. */
  | { readonly kind: 'prepare'; readonly prepared: Values }
  /** Publishes again what was published before, and prepares what was published in its place. */
  | { readonly kind: 'withdraw'; readonly published: Values; readonly prepared: Values };

/** An entry as it is stored, with its values in the form. */
export interface StoredEntry extends EntryRead {
  readonly base: Values;
}

interface Published {
  readonly content: Content;
  readonly type: ContentType;
  readonly publication: Publication;
  /** Before the publication. */
  readonly state: EntryState;
  readonly publishedAt: unknown;
  /** What readers saw before, if other values were published in its place. */
  readonly published: Values | undefined;
  /** The values that were sent. */
  readonly sent: Values;
  /** Values were typed, and saved with the publication. */
  readonly isTyped: boolean;
}

/** What takes a publication back; undefined: nothing does without publishing or losing something else. */
export function undoOf({ content, type, publication, state, ...done }: Published): Undo | undefined {
  // Who may not see drafts would lose the entry.
  if (type.hidesDrafts === true) return undefined;
  if (publication === 'unpublish') {
    // What was typed or prepared is part of the draft now, and readers have never seen it.
    return done.isTyped || state !== 'published' ? undefined : { kind: 'publish', publishedAt: done.publishedAt };
  }
  if (state === 'draft') return { kind: 'unpublish' };
  if (done.published === undefined || !canBeWritten(content, type, done.published, done.sent)) return undefined;
  return { kind: 'withdraw', published: done.published, prepared: done.sent };
}

/** What takes a discarding back. @param prepared what was discarded */
export const undoOfDiscard = (content: Content, type: ContentType, prepared: Values, now: Values): Undo | undefined =>
  canBeWritten(content, type, prepared, now) ? { kind: 'prepare', prepared } : undefined;

/**
 * Takes a change back.
 * @param after what the change made of the entry
 * @returns whether that is all done: what was published before is published again, but somebody else has prepared
 * something by now
 * @throws RequestError 412 if somebody has changed the entry since
 */
export async function takeBack(api: Api, place: Place, after: StoredEntry, undo: Undo): Promise<boolean> {
  const { content, type, id, query } = place;
  const put =
    (data: Data, status?: 'draft' | 'published'): Send =>
    (ifMatch) =>
      api.send('PUT', pathOf(type, id), { query: withStatus(query, status), body: { data }, ifMatch });
  const prepare = async (stored: StoredEntry, prepared: Values): Promise<void> => {
    const data = changesOf(content, type, stored.base, withKeysOf(stored.base, withoutIds(prepared)));
    await writeVersion(api, place, stored, put(data, 'draft'));
  };
  switch (undo.kind) {
    case 'unpublish':
      await writeVersion(api, place, after, writeWhole(api, place, put({ publishedAt: null })));
      return true;
    case 'publish':
      // At the time of before. Nothing of it has changed since it was checked.
      await writeVersion(api, place, after, writeWhole(api, place, put({ publishedAt: undo.publishedAt })));
      return true;
    case 'prepare':
      await prepare(after, undo.prepared);
      return true;
    case 'withdraw': {
      const former = withKeysOf(after.base, withoutIds(undo.published));
      await writeVersion(api, place, after, put(changesOf(content, type, after.base, former), 'published'));
      const latest = await readEntry(api, type, id, query);
      const base = valuesOf(content, type, latest.entry?.attributes ?? {});
      return prepare({ ...latest, base }, undo.prepared).then(
        () => true,
        () => false,
      );
    }
    default:
      return undo satisfies never;
  }
}
