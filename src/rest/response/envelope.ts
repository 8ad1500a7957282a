import { pageMeta } from '../../plugins/contract/http/page-meta.js';
import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';
import { entryOf, type ResponseSerializer } from '../../documents/read-operation.js';
import type { StoredSchedule } from '../../mongo/events/schedules.js';
import type { Page } from '../../mongo/read/list/page.js';
import type { Pagination } from '../../query/ast.js';
import { serializeJson, serializeList } from './serialize.js';

/** Entries as in Strapi v4's REST API: `{ id, attributes }`, relations in `{ data }`. */
export const restPresenter: EntryPresenter = {
  locales: true,
  entry: (id, attributes, availableLocales) => ({
    id,
    attributes,
    ...(availableLocales && { meta: { availableLocales } }),
  }),
  one: (entry) => ({ data: entry }),
  many: (entries) => ({ data: entries }),
  morph: plainEntry,
};

/** Serializes lists. @param limit the maximum bytes of one */
export const listSerializer = (limit: number): ResponseSerializer => ({
  name: 'rest',
  presenter: restPresenter,
  present: (page, { pagination }) => serializeList(page.entries, restPresenter, pageMeta(page, pagination), limit),
});

/** Serializes single entries. @param limit the maximum bytes of one */
export const entrySerializer = (limit: number): ResponseSerializer => ({
  name: 'rest entry',
  presenter: restPresenter,
  present: (page, query) => serializeJson(envelope(presentEntry(page, query)), limit),
});

const { present: presentEntry } = entryOf(restPresenter);

/** Serializes all entries of a list without its pagination. @param limit the maximum bytes */
export const entriesSerializer = (limit: number): ResponseSerializer => ({
  presenter: restPresenter,
  present: ({ entries }) => serializeJson(envelope(entries.map((entry) => entry(restPresenter))), limit),
});

/** Serializes the number of entries. */
export const countSerializer: ResponseSerializer = {
  presenter: plainEntry,
  present: ({ total }) => JSON.stringify({ data: { count: total } }),
};

interface Envelope {
  readonly data: unknown;
  readonly meta: object;
}

export const envelope = (entry: unknown): Envelope => ({ data: entry, meta: {} });

/** A list with `meta.pagination` in the form that the request uses. */
export const listEnvelope = (page: Page, pagination: Pagination): Envelope => ({
  data: page.entries,
  meta: pageMeta(page, pagination),
});

/** A schedule as clients see it. */
export const shownSchedule = ({ publishAt, unpublishAt, error }: StoredSchedule = {}) => ({
  publishAt: publishAt ?? null,
  unpublishAt: unpublishAt ?? null,
  ...(error !== undefined && { error }),
});
