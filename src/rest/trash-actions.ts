import { serializeJson } from '../calls/serialize.js';
import { idOf } from '../documents/read.js';
import { plainEntry } from '../query/entry-presenter.js';
import { requireId } from '../query/parse/input.js';
import { parseQuery } from '../query/parse/parse-query.js';
import type { ContentReply, ContentWrite } from '../plugins/contract/content-api.js';
import type { RestContext } from './action.js';
import { queryOf } from '../calls/query-string.js';
import { listEnvelope } from './response/envelopes.js';
import { restPresenter } from './response/rest-presenter.js';

/** Lists the deleted entries of types with a trash. */
export const createTrashReplies = ({ documents: { trash }, limits, responseLimit }: RestContext) =>
  ({
    findDeleted: async ({ type, request, caller, signal, bytesRead }) => {
      const query = parseQuery(queryOf(request), type, 'client', limits);
      const { ids, ...list } = await trash.read(
        { action: 'find', query, caller, signal, bytesRead, presenter: restPresenter },
        (result) => ({ ids: result.page.entries.map(idOf), ...listEnvelope(result) }),
      );
      const deleted = Object.fromEntries(await trash.deletions(type, ids));
      return { body: serializeJson({ ...list, meta: { ...list.meta, deleted } }, responseLimit) };
    },
  }) satisfies Readonly<Record<string, ContentReply>>;

/** Restores deleted entries, and removes them for good. */
export const createTrashWrites = ({ documents: { trash } }: RestContext) =>
  ({
    restoreDeleted: async ({ type, id: text, caller, signal, bytesRead }) => {
      const id = requireId(text);
      const selection = { fields: [], populate: [] };
      const restoring = { caller, signal, bytesRead, presenter: plainEntry, selection, event: 'entry' } as const;
      return async () => {
        const body = { data: { id }, meta: await trash.restore(type, id, restoring) };
        return { body, shortened: { data: { id }, meta: {} } };
      };
    },
    removeDeleted: async ({ type, id: text, caller }) => {
      const id = requireId(text);
      return async () => {
        await trash.remove(type, id, caller);
        const body = { data: { id } };
        return { body, shortened: body };
      };
    },
  }) satisfies Readonly<Record<string, ContentWrite>>;
