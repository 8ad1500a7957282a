import { AppError } from '../../errors/app-error.js';
import { pageMeta } from '../../plugins/contract/http/page-meta.js';
import { plainEntry, type EntryPresenter } from '../../query/entry-presenter.js';
import type { ResponseSerializer } from '../../documents/response/response-cache.js';
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
  serialize: (page, { pagination }) => serializeList(page.entries, restPresenter, pageMeta(page, pagination), limit),
});

/** Serializes single entries. @param limit the maximum bytes of one */
export const entrySerializer = (limit: number): ResponseSerializer => ({
  name: 'rest entry',
  presenter: restPresenter,
  serialize: ({ entries: [entry] }) => {
    if (entry === undefined) throw new AppError('notFound');
    return serializeJson(envelope(entry(restPresenter)), limit);
  },
});

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
