import {
  authorise,
  refuseBypass,
  type CheckVersion,
  type IdentifiedEntry,
  type FormContext,
} from 'content-service/content-api';
import {
  AppError,
  hasCode,
  isLocalized,
  isRecord,
  mayAsk,
  type ContentType,
  type Data,
  type EntryRequest,
} from 'content-service/plugin';
import { EVERY_LOCALE, localeOfEntry } from '../locale.js';
import type { Status } from '../status.js';
import { invalidDataKey } from '../strict/invalid-key.js';
import { checkData } from './check-data.js';
import { explained } from './explain-issues.js';
import { resolveDocuments } from './resolve-documents.js';

/** A write of an entry as Strapi 5's clients ask for it. */
export interface DocumentWrite {
  readonly type: ContentType;
  /** The `data` of the request. */
  readonly data: unknown;
  readonly status: Status;
  /** The parameter of the request. */
  readonly locale: unknown;
  /** Who writes, and what the answer shows. */
  readonly request: EntryRequest;
  /** Code of the project writes: it names what it likes, and is not asked itself. */
  readonly byCode?: true;
  /** The client's condition on the entry. */
  readonly check?: CheckVersion | undefined;
}

/**
 * Creates an entry with a document of its own, and returns it.
 * @throws AppError as the core's creation, invalidInput
 */
export async function createDocument(context: FormContext, write: DocumentWrite): Promise<unknown> {
  const { documents } = context;
  const { type } = write;
  const code = localeOfEntry(write.locale, type);
  // Strapi 5 takes it from code; here it follows from the type and the number of the entry.
  if (isRecord(write.data) && write.data['documentId'] !== undefined) throw invalidDataKey('documentId');
  const data = await preparedData(context, write, { isNew: true, code });
  const created = creationOf(write, data, code);
  return explained(context, write, { data, id: undefined, code }, () =>
    documents.create(type, created.data, created.request),
  );
}

/** Data of another form is left to the validation, which refuses it by name. */
const withValues = (data: Data, values: Data): Data => (isRecord(data) ? { ...data, ...values } : data);

/** The target of a write: a document, or that of a single type. */
export type DocumentTarget = { readonly documentId: string } | { readonly single: true };

/** How often a write is tried while others create and delete the entry. */
const MOST_ATTEMPTS = 3;

/**
 * Updates the entry of a document in a locale, and publishes it unless a draft is saved. A locale that the document
 * lacks is created.
 * @throws AppError notFound if there is no such document, and as the core's update and creation
 */
export async function updateDocument(
  context: FormContext,
  write: DocumentWrite,
  target: DocumentTarget,
): Promise<unknown> {
  const code = localeOfEntry(write.locale, write.type);
  for (let attempt = 1; ; attempt += 1) {
    const entries = await entriesOf(context, write, target, 'update');
    const entry = entries.find(isIn(code));
    try {
      if (entry !== undefined) return await updateIn(context, write, entry, code);
      if ('single' in target && entries.length === 0) return await createSingle(context, write, code);
      return await addLocale(context, write, target, code);
    } catch (error) {
      // Another request may have created the locale, or deleted it.
      const codes =
        entry === undefined ? (['validation', 'application', 'notFound'] as const) : (['notFound'] as const);
      if (!hasCode(error, ...codes) || attempt === MOST_ATTEMPTS || !(await isChanged(context, write, target, entries)))
        throw error;
    }
  }
}

type Identified = Omit<IdentifiedEntry, 'documentId'>;

/** @param code undefined: of a type without locales, each entry is in it */
const isIn =
  (code: string | undefined) =>
  ({ locale }: Identified): boolean =>
    code === undefined || locale === code;

async function isChanged(
  context: FormContext,
  write: Pick<DocumentWrite, 'type' | 'request'>,
  target: DocumentTarget,
  before: readonly Identified[],
): Promise<boolean> {
  const ids = (entries: readonly Identified[]): string => entries.map(({ id }) => id).join();
  return ids(await entriesOf(context, write, target, 'update')) !== ids(before);
}

/**
 * The entries of a document, in all locales, that exist for an action of the caller: all others are as if they were not
 * there, whatever the data has. That a single type has its entry is no secret.
 */
const entriesOf = (
  { documents }: Pick<FormContext, 'documents'>,
  { type, request: { caller } }: Pick<DocumentWrite, 'type' | 'request'>,
  target: DocumentTarget,
  action: 'update' | 'delete' | 'findOne',
): Promise<readonly Identified[]> =>
  'documentId' in target
    ? documents.identify(type, [target.documentId], { caller, action })
    : documents.identify(type, undefined, action === 'findOne' ? { caller, action } : undefined);

async function updateIn(
  context: FormContext,
  write: DocumentWrite,
  { id, isDraft }: Pick<IdentifiedEntry, 'id' | 'isDraft'>,
  code: string | undefined,
): Promise<unknown> {
  const { type, request, check } = write;
  const data = await preparedData(context, write, { isNew: false, code });
  const { status, values } = useOfStatus(write, isDraft ? 'draft' : 'live');
  const written = withValues(data, values ?? {});
  return explained(context, write, { data, id, code }, async () => {
    const { entry } = await context.documents.update({ type, id }, written, { ...request, status }, { check });
    return entry;
  });
}

/**
 * The status of a write for the documents service, or the time of publication that means the same: a type without
 * working copies says by it that an entry is a draft.
 * @param state of the entry before
 * @throws AppError badRequest
 */
function useOfStatus(
  { type, status, request: { caller, limitedBy = caller } }: DocumentWrite,
  state: 'none' | 'draft' | 'live',
): { readonly status?: Status; readonly values?: Data } {
  if (!type.draftAndPublish) return {};
  if (status === 'draft') {
    if (type.copies !== undefined) return { status };
    if (state === 'live') throw new AppError('badRequest', `Published entries of ${type.uid} have no drafts`);
    return state === 'none' ? { values: { publishedAt: null } } : {};
  }
  if (state === 'none') return {};
  // Who may not see what others have prepared does not publish it.
  if (mayAsk(type, 'save', limitedBy)) return { status };
  return state === 'draft' ? { values: { publishedAt: new Date().toISOString() } } : {};
}

/** What the documents service creates. */
function creationOf(
  write: DocumentWrite,
  data: Data,
  code: string | undefined,
): { readonly data: Data; readonly request: EntryRequest } {
  const { status, values } = useOfStatus(write, 'none');
  return { data: withValues(data, { ...localeIn(code), ...values }), request: { ...write.request, status } };
}

/**
 * Creates the entry of a document in a locale that it lacks. Who may only update must not create entries.
 * @throws AppError notFound
 */
async function addLocale(
  context: FormContext,
  write: DocumentWrite,
  target: DocumentTarget,
  code: string | undefined,
): Promise<unknown> {
  const { documents } = context;
  const { type, check } = write;
  const { caller } = write.request;
  const members = code === undefined ? [] : await entriesOf(context, write, target, 'findOne');
  const [member] = members;
  if (member === undefined || members.some(isIn(code))) {
    // Strapi 5 refuses the data first, whether the entry is there or not.
    await preparedData(context, write, { isNew: false, code });
    throw new AppError('notFound');
  }
  if (check !== undefined) throw new AppError('preconditionFailed', 'The entry does not exist');
  const isSingle = type.kind === 'singleType';
  const creations = isSingle ? (['createLocalization'] as const) : (['create', 'createLocalization'] as const);
  if (write.byCode !== true) refuseBypass(context.http.answererOf, 'localeByUpdate', type, creations);
  authorise(caller, [`${type.uid}.createLocalization`, `${type.uid}.create`], undefined);
  const data = await preparedData(context, write, { isNew: true, code });
  const created = creationOf(write, data, code);
  return explained(context, write, { data, id: undefined, code }, () =>
    documents.create(type, created.data, created.request, { localizationOf: member.id }),
  );
}

/** Creates the entry of a single type that has none. */
async function createSingle(context: FormContext, write: DocumentWrite, code: string | undefined): Promise<unknown> {
  const { type, request, check } = write;
  const data = await preparedData(context, write, { isNew: true, code });
  const created = creationOf(write, data, code);
  const named = { ...created.request, parameters: { ...request.parameters, ...localeIn(code) } };
  return explained(context, write, { data, id: undefined, code }, async () => {
    const { entry } = await context.documents.update({ type, single: true }, created.data, named, { check });
    return entry;
  });
}

const localeIn = (code: string | undefined): { readonly locale?: string } =>
  code === undefined ? {} : { locale: code };

/**
 * The data of a write as the core takes it, without what has no effect. Data of another form is left to its validation.
 */
async function preparedData(
  { documents }: Pick<FormContext, 'documents'>,
  { type, data, byCode, request: { caller } }: DocumentWrite,
  { isNew, code }: { readonly isNew: boolean; readonly code: string | undefined },
): Promise<Data> {
  if (!isRecord(data)) return data as Data;
  if (byCode !== true) {
    documents.openCount().add(type, data);
    checkData(data, type, caller);
  }
  const { publishedAt: _publishedAt, locale: _locale, documentId: _documentId, id: _id, ...written } = data;
  return resolveDocuments(written, { documents, type, caller, locale: code, isNew, byCode });
}

/**
 * Deletes the entry of a document in a locale, or with `*` in all of them together, each with its working copy. What
 * does not exist for the caller stays unmentioned, as in Strapi 5. Returns the number of deleted entries.
 * @throws AppError badRequest for a draft alone, preconditionFailed, and what hooks throw
 */
export async function deleteDocument(
  context: FormContext,
  { type, locale, status, request, check }: Omit<DocumentWrite, 'data'>,
  target: DocumentTarget,
): Promise<number> {
  if (status === 'draft' && type.draftAndPublish) throw new AppError('badRequest', 'Cannot delete a draft document');
  const isEvery = locale === EVERY_LOCALE && isLocalized(type);
  const code = isEvery ? undefined : localeOfEntry(locale, type);
  const unshown = { ...request, selection: { fields: [], populate: [] }, status: undefined };
  const entries = (await entriesOf(context, { type, request }, target, 'delete')).filter(isIn(code));
  const deletions = entries.map(({ id }) => ({ kind: 'delete', type, id, request: unshown, check }) as const);
  if (deletions.length > 1 && request.dryRun !== true) {
    try {
      return (await context.documents.batch(deletions)).length;
    } catch (error) {
      // One does not exist for the caller, or exists no longer.
      if (!hasCode(error, 'notFound')) throw error;
    }
  }
  let deleted = 0;
  for (const { id } of deletions) deleted += await deleteOne(context, { type, id }, unshown, check);
  return deleted;
}

async function deleteOne(
  { documents }: FormContext,
  name: { readonly type: ContentType; readonly id: number },
  request: EntryRequest,
  check: CheckVersion | undefined,
): Promise<0 | 1> {
  try {
    await documents.delete(name, request, check);
    return 1;
  } catch (error) {
    if (hasCode(error, 'notFound')) return 0;
    throw error;
  }
}
