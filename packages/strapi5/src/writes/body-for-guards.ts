import { parseQueryString, queryStringOf, type ContentApi } from 'content-service/content-api';
import { isRecord, type ContentType, type PluginContext, type Request } from 'content-service/plugin';
import { writtenLocale } from '../locale.js';
import { statusOf, type Status } from '../status.js';
import { checkData } from './check-data.js';
import { resolveDocuments } from './resolve-documents.js';

/**
 * Bodies as guards of a project know them from Strapi v4: related entries by their numbers, the time of publication and the locale in the data. A guard may
 * change them, also to save a draft in place of what would be published.
 */
export function createGuardedBodies({ documents }: Pick<PluginContext, 'documents'>) {
  const guarded = new WeakSet<Request>();
  const bodyForGuards: NonNullable<ContentApi['bodyForGuards']> = async ({ type, request, caller }) => {
    const body: unknown = request.body;
    if (!isRecord(body) || !isRecord(body['data'])) return body;
    const { data } = body;
    checkData(data, type, caller);
    const { locale: named, status } = parseQueryString(queryStringOf(request));
    const locale = writtenLocale(named, type);
    const { publishedAt: _publishedAt, locale: _locale, ...written } = data;
    const resolved = await resolveDocuments(written, {
      documents,
      type,
      caller,
      locale,
      isNew: request.method === 'POST',
    });
    const publishedAt = statusOf(status) === 'published' ? new Date().toISOString() : null;
    const shown = {
      ...body,
      data: { ...resolved, ...(type.draftAndPublish && { publishedAt }), ...(locale !== undefined && { locale }) },
    };
    guarded.add(request);
    return shown;
  };
  return {
    bodyForGuards,
    /** The status of a write, after guards have seen its body. */
    statusAfterGuards: (request: Request, status: Status, type: ContentType): Status => {
      if (!type.draftAndPublish || !guarded.has(request)) return status;
      const body: unknown = request.body;
      const data = isRecord(body) ? body['data'] : undefined;
      return isRecord(data) && typeof data['publishedAt'] === 'string' ? status : 'draft';
    },
  };
}

export type GuardedBodies = ReturnType<typeof createGuardedBodies>;
