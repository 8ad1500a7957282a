import { queryOf, type ContentApi, type ContentRequest, type FormContext } from 'content-service/content-api';
import { AppError, isLocalized, isRecord } from 'content-service/plugin';
import { localeOfEntry } from '../locale.js';
import { statusOf, type Status } from '../status.js';
import { checkData } from './check-data.js';
import { resolveDocuments } from './resolve-documents.js';

/**
 * Bodies as guards of a project know them from Strapi v4: related entries by their numbers, the time of publication and
 * the locale in the data. A guard may change them, also to save a draft in place of what would be published.
 */
export const createBodyForGuards =
  ({ documents }: Pick<FormContext, 'documents'>): NonNullable<ContentApi['bodyForGuards']> =>
  async ({ type, request, caller }) => {
    const body: unknown = request.body;
    if (!isRecord(body) || !isRecord(body['data'])) return body;
    const { data } = body;
    documents.openCount().add(type, data);
    checkData(data, type, caller);
    const { locale: named, status } = queryOf(request);
    const locale = localeOfEntry(named, type);
    const { publishedAt: _publishedAt, locale: _locale, ...written } = data;
    const isNew = request.method === 'POST';
    const resolved = await resolveDocuments(written, { documents, type, caller, locale, isNew });
    const publishedAt = statusOf(status) === 'published' ? new Date().toISOString() : null;
    return {
      ...body,
      data: { ...resolved, ...(type.draftAndPublish && { publishedAt }), ...(locale !== undefined && { locale }) },
    };
  };

/** What the address of a request says about its write. */
export interface Addressed {
  readonly status: Status;
  readonly locale: unknown;
}

/**
 * What a request writes, after guards have seen its body: they can keep it from being published, and give a new entry
 * another locale.
 * @throws AppError badRequest if one has given another locale to the entry that it was asked about
 */
export function afterGuards({ type, request, isGuarded }: ContentRequest, { status, locale }: Addressed): Addressed {
  const body: unknown = request.body;
  const data = isRecord(body) ? body['data'] : undefined;
  if (isGuarded !== true || !isRecord(data)) return { status, locale };
  const isKept = type.draftAndPublish && typeof data['publishedAt'] !== 'string';
  return { status: isKept ? 'draft' : status, locale: localeAfterGuards(data['locale'], locale) };

  function localeAfterGuards(given: unknown, asked: unknown): unknown {
    if (!isLocalized(type) || given === undefined || given === localeOfEntry(asked, type)) return asked;
    if (request.method === 'POST') return given;
    throw new AppError(
      'badRequest',
      `A guard of the project has changed the locale of an entry of ${type.uid} to ${JSON.stringify(given)}: only new entries can get another`,
    );
  }
}
