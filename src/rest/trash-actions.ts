import { serializeJson } from '../calls/serialize.js';
import { idOf } from '../documents/read.js';
import { plainEntry } from '../query/entry-presenter.js';
import { requireId } from '../query/parse/input.js';
import { parseQuery } from '../query/parse/parse-query.js';
import type { RestContext } from './action.js';
import { refuseDryRun } from '../plugins/contract/refuse-dry-run.js';
import { queryOf } from './query-string.js';
import { listEnvelope } from './response/envelopes.js';
import { restPresenter } from './response/rest-presenter.js';
import type { RestAction } from './rest-request.js';

/** The deleted entries of types with a trash. */
export function createTrashActions({ documents: { trash }, limits, responseLimit }: RestContext) {
  return {
    findDeleted: async ({ type, request, caller, signal, bytesRead }) => {
      const query = parseQuery(queryOf(request), type, 'client', limits);
      const { ids, ...list } = await trash.read(
        { action: 'find', query, caller, signal, bytesRead, presenter: restPresenter },
        (result) => ({ ids: result.page.entries.map(idOf), ...listEnvelope(result) }),
      );
      const deleted = Object.fromEntries(await trash.deletions(type, ids));
      return { body: serializeJson({ ...list, meta: { ...list.meta, deleted } }, responseLimit) };
    },
    restoreDeleted: async ({ type, id: text, request, caller, signal, bytesRead, once }) => {
      refuseDryRun(queryOf(request), 'an entry in the trash is only restored');
      const id = requireId(text);
      const selection = { fields: [], populate: [] };
      const restoring = { caller, signal, bytesRead, presenter: plainEntry, selection, event: 'entry' } as const;
      return once(async () => {
        const body = { data: { id }, meta: await trash.restore(type, id, restoring) };
        return { body, shortened: { data: { id }, meta: {} } };
      });
    },
    removeDeleted: async ({ type, id: text, request, caller, once }) => {
      refuseDryRun(queryOf(request), 'an entry in the trash is only removed');
      const id = requireId(text);
      return once(async () => {
        await trash.remove(type, id, caller);
        const body = { data: { id } };
        return { body, shortened: body };
      });
    },
  } satisfies Readonly<Record<string, RestAction>>;
}
