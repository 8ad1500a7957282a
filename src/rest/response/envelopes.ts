import { serializeJson, serializeList } from '../../calls/serialize.js';
import {
  changesMeta,
  overlapMeta,
  pageMeta,
  presentEntry,
  presentList,
  type Present,
  type ReadResult,
} from '../../documents/read-operation.js';
import type { ResponseSerializer } from '../../documents/response/respond.js';
import type { StoredSchedule } from '../../mongo/events/schedules.js';

/** Serializes lists. @param limit the maximum bytes of one */
export const listSerializer = (limit: number): ResponseSerializer => ({
  name: 'list',
  present: ({ page, query, presenter }) =>
    serializeList(
      page.entries.map((entry) => () => entry(presenter)),
      metaOfList({ page, query }),
      limit,
    ),
});

/** Serializes single entries. @param limit the maximum bytes of one */
export const entrySerializer = (limit: number): ResponseSerializer => ({
  name: 'entry',
  present: (result) => serializeJson(entryEnvelope(result), limit),
});

/** Serializes all entries of a list without its pagination. @param limit the maximum bytes */
export const entriesSerializer = (limit: number): ResponseSerializer => ({
  present: (result) => serializeJson(envelope(presentList(result).entries), limit),
});

export const countSerializer: ResponseSerializer = {
  present: ({ page: { total } }) => JSON.stringify({ data: { count: total } }),
};

interface Envelope {
  readonly data: unknown;
  readonly meta: object;
}

/** A response to a request for one entry, or for entries without pages. */
export const envelope = (entry: unknown): Envelope => ({ data: entry, meta: {} });

/** The response to a read of one entry. @throws AppError notFound */
export const entryEnvelope: Present<Envelope> = (result) => ({ data: presentEntry(result), meta: changesMeta(result) });

/** A list with `meta.pagination` in the form that the request uses. */
export const listEnvelope: Present<Envelope> = (result) => ({
  data: presentList(result).entries,
  meta: metaOfList(result),
});

const metaOfList = ({ page, query }: Pick<ReadResult, 'page' | 'query'>): object => ({
  ...pageMeta(page, query.pagination),
  ...changesMeta({ page, query }),
  ...overlapMeta(query),
});

/** A schedule as clients see it, with null in place of a missing time. */
export const shownSchedule = ({ publishAt, unpublishAt, error, refusal }: StoredSchedule = {}) => ({
  publishAt: publishAt ?? null,
  unpublishAt: unpublishAt ?? null,
  ...(error !== undefined && { error }),
  ...(refusal !== undefined && { refusal }),
});
