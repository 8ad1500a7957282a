import { isRecord } from '../../config/record.js';
import { typeName } from '../../content-types/model/type-name.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Caller } from '../../documents/caller.js';
import type { EntryRequest } from '../../documents/context.js';
import { canReadRelation } from '../../documents/rights.js';
import type { Selection } from '../../query/ast.js';
import { plainEntry } from '../../query/entry-presenter.js';
import { AppError } from '../../errors/app-error.js';
import { parseSelection } from '../../query/parse/parse-query.js';
import type { PluginContext, Reply, Route } from '../contract/plugin.js';

type Context = Pick<PluginContext, 'documents' | 'entries' | 'limits'>;

/**
 * Creates a localization of an entry: `data` is its values and its `locale`; shared values that it omits are
 * copied from the entry. It is a draft unless the data has a publication time.
 * @param id of the entry; of a single type undefined
 * @throws AppError notFound, application for a locale that cannot be, and all that `create` throws
 */
export async function createLocalization(
  { documents, entries }: Context,
  type: ContentType,
  id: number | undefined,
  data: unknown,
  request: EntryRequest,
): Promise<unknown> {
  const source = id ?? (await entries.findFirst(type.uid, { locale: 'all', sort: 'id' }))?.id;
  if (source === undefined) throw new AppError('notFound', 'Entity not found');
  await documents.requireVisible(type, source, request.caller);
  const options = { publish: false, localizationOf: source };
  return documents.create(type, isRecord(data) ? data : {}, request, options).catch(explain);
}

/** An entry with its other localizations, where the caller may read them. */
export function selectLocalizations({ limits }: Pick<Context, 'limits'>, type: ContentType, caller: Caller): Selection {
  const attribute = type.attributes.get('localizations');
  const seesOthers = attribute !== undefined && canReadRelation(attribute, caller);
  return parseSelection(seesOthers ? { populate: { localizations: true } } : {}, type, 'client', limits);
}

/** Concurrent requests: the unique index refuses a second entry in the same locale. */
function explain(error: unknown): never {
  const [issue] = (error instanceof AppError && error.details?.errors) || [];
  throw issue?.path[0] === 'localizations' ? new AppError('application', 'locale is already used') : error;
}

/** The route that localizes entries of a content type. It answers without an envelope, as in Strapi v4. */
export function localizationRoute(context: () => Context, type: ContentType): Route {
  const isSingle = type.kind === 'singleType';
  return {
    method: 'POST',
    path: isSingle ? `/${type.singularName}/localizations` : `/${type.pluralName}/:id/localizations`,
    action: `${type.uid}.createLocalization`,
    description: {
      summary: 'Create a localization of an entry',
      body: { $ref: `#/components/schemas/${typeName(type)}Input` },
      response: { type: 'object' },
    },
    takesFiles: true,
    handle: async ({ caller, signal, bytesRead, params, query, body, form, attachFiles, message }): Promise<Reply> => {
      if (message.headers['idempotency-key'] !== undefined)
        throw new AppError('badRequest', 'Idempotency-Key is not supported here: each locale is created only once');
      if ((query['dryRun'] ?? 'false') !== 'false')
        throw new AppError('badRequest', 'dryRun is not supported here: it needs POST, PUT or DELETE of an entry');
      const id = isSingle ? undefined : Number(params['id']);
      const create = (data: unknown): Promise<unknown> =>
        createLocalization(context(), type, id, data, {
          caller,
          signal,
          bytesRead,
          presenter: plainEntry,
          selection: selectLocalizations(context(), type, caller),
          event: 'response',
        });
      if (form === undefined || attachFiles === undefined) return { body: await create(body) };
      const entry = { type, id: undefined, isNew: true };
      return { body: await attachFiles(form, entry, (sent) => create(isRecord(sent) && sent['data'])) };
    },
  };
}
