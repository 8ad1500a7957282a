import { isRecord } from '../../config/record.js';
import { typeName } from '../../content-types/model/type-name.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { EntryRequest } from '../../documents/context.js';
import type { RequestContext } from '../../documents/request-context.js';
import { canReadRelation } from '../../documents/rights.js';
import { writtenRecord } from '../../documents/response/written-response.js';
import { plainEntry } from '../../query/entry-presenter.js';
import { AppError } from '../../errors/app-error.js';
import { requireId } from '../../query/parse/input.js';
import { hasStatus, parseStatus } from '../../query/parse/parse-status.js';
import { parseSelection } from '../../query/parse/parse-selection.js';
import { reference } from '../contract/content-type-routes.js';
import type { BuiltInContext } from '../contract/built-in.js';
import type { Reply, Route } from '../contract/plugin.js';
import { refusedTerms } from '../contract/write-terms.js';

type Context = Pick<BuiltInContext, 'documents' | 'entries' | 'limits'>;

/**
 * Creates a localization of an entry: `data` is its values and its `locale`; shared values that it omits are
 * copied from the entry. It is a draft unless the data has a publication time, or the status says that it is published.
 * @param id of the entry; of a single type undefined
 * @throws AppError notFound, application for a locale that cannot be, and all that `create` throws
 */
export async function createLocalization(
  { documents, entries, limits }: Context,
  type: ContentType,
  id: number | undefined,
  data: unknown,
  { caller, signal, bytesRead, status }: RequestContext & Pick<EntryRequest, 'status'>,
): Promise<unknown> {
  const source = id ?? (await entries.findFirst(type.uid, { locale: 'all', sort: 'id' }))?.id;
  if (source === undefined) throw new AppError('notFound', 'Entity not found');
  await documents.requireVisible(type, source, caller);
  // The response shows the other localizations, where the caller may read them.
  const attribute = type.attributes.get('localizations');
  const seesOthers = attribute !== undefined && canReadRelation(attribute, caller);
  const selection = parseSelection(seesOthers ? { populate: { localizations: true } } : {}, type, 'client', limits);
  const request = { caller, signal, bytesRead, status, presenter: plainEntry, selection, event: 'response' } as const;
  const options = { publish: false, localizationOf: source };
  return documents.create(type, isRecord(data) ? data : {}, request, options).catch(explain);
}

/** Concurrent requests: the unique index refuses a second entry in the same locale. */
function explain(error: unknown): never {
  const [issue] = error instanceof AppError ? error.issues : [];
  throw issue?.path[0] === 'localizations' ? new AppError('localeTaken') : error;
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
      ...(hasStatus(type) && { query: ['status'] }),
      body: reference(`${typeName(type)}Input`),
      response: { type: 'object' },
    },
    refuses: {
      ...refusedTerms.creation,
      'Idempotency-Key': 'each locale is created only once',
      dryRun: 'it needs POST, PUT or DELETE of an entry',
    },
    takesFiles: true,
    takesData: true,
    handle: async (request): Promise<Reply> => {
      const { params, query, body, form, attachFiles, caller, address } = request;
      const id = isSingle ? undefined : requireId(params['id'], 'Entity not found');
      const by = { ...request, status: parseStatus(query['status'], type) };
      const create = (data: unknown): Promise<unknown> => createLocalization(context(), type, id, data, by);
      if (form === undefined || attachFiles === undefined) return writtenRecord(await create(body));
      const entry = { type, id: undefined, isNew: true, caller, address };
      return writtenRecord(await attachFiles(form, entry, (sent) => create(isRecord(sent) && sent['data'])));
    },
  };
}
