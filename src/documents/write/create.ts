import lodash from 'lodash';
import { isRecord, type Data } from '../../config/record.js';
import { sharedAttributes } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import { CREATED_BY, UPDATED_BY } from '../../mongo/stored/writers.js';
import type { Caller } from '../caller.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { encodeEntry, liveMark } from './encode.js';
import { findHiddenTargets } from '../input/hidden-targets.js';
import { parseAsIs, parseWritten } from '../input/parse-data.js';
import { dropUnreadableTargets, dropWithheld } from '../input/permitted-data.js';
import { queryFor } from '../read.js';
import { withGeneratedUids } from './generate-uids.js';
import { writeEntry } from './write-entry.js';

/** The mark of a single type's first entry, which a unique index allows only once. */
const SOLE = '_sole';

export interface CreateOptions {
  /** Default true: the entry is published unless its data contains another `publishedAt`. False: it is a draft unless its data contains one. */
  readonly publish?: boolean;
  /** For a single type: no second entry can be created, even concurrently. */
  readonly isSingle?: boolean;
  /** The entry of which the new one becomes a localization; linking it needs no permission. */
  readonly localizationOf?: number;
  /** The data is stored unchanged: nothing is required, limited or hashed. Its targets must exist nevertheless. */
  readonly raw?: boolean;
}

/**
 * Creates an entry and returns the requested selection. Only data with `publishedAt: null` is checked as a draft.
 * @throws AppError validation, invalidValue, missingRelations
 */
export async function createEntry(
  context: DocumentsContext,
  type: ContentType,
  written: unknown,
  request: EntryRequest,
  { publish = true, isSingle = false, localizationOf, raw = false }: CreateOptions = {},
): Promise<unknown> {
  const query = queryFor(context, type, 'create', request);
  const now = new Date();
  const limit = request.unlimited === true ? undefined : context.relationLimit;
  const { caller, limitedBy = caller, dryRun: isDryRun = false } = request;
  // The entry of a single type is created by an update.
  const action = isSingle ? 'update' : 'create';
  const writable = dropWithheld(written, type, action, limitedBy);
  const published = publish
    ? withPublishedAt(writable, type, mayPublish(type, action, limitedBy) ? now : null)
    : writable;
  // A localization has the shared values of its group.
  const ofGroup = localizationOf === undefined ? [] : sharedAttributes(type).map(({ name }) => name);
  const imposed = lodash.omit(limitedBy.set?.(`${type.uid}.create`), ofGroup);
  const ownData = lodash.omit(dropUnreadableTargets(published, type, caller, limit), Object.keys(imposed));
  const hidden = await findHiddenTargets(context, type, ownData, limitedBy);
  const permitted = { ...ownData, ...imposed };
  const data = localizationOf === undefined ? permitted : { ...permitted, localizations: [localizationOf] };
  const writing = { action: 'create', type, id: undefined, caller, isDryRun, localizationOf } as const;
  const prepared = await context.hooks.prepare(data, writing);
  const named = new Set(Object.keys(permitted));
  const fromClient = new Set(Object.keys(ownData));
  const write = async (complete: Data): Promise<unknown> => {
    const input = raw
      ? await parseAsIs(context, type, complete, true, hidden)
      : await parseWritten(context, type, undefined, complete, hidden);
    const encoded = await encodeEntry(context, type, input, { isNew: true, raw });
    const marks = [...liveMark(encoded.values, type), ...(isSingle ? [[SOLE, 1] as const] : [])];
    const by = request.caller.user;
    const systemValues = new Map([
      ...marks,
      ['createdAt', encoded.values.get('createdAt') ?? now],
      ['updatedAt', encoded.values.get('updatedAt') ?? now],
      [CREATED_BY, by],
      [UPDATED_BY, by],
    ] as const);
    return writeEntry(context, type, undefined, { encoded, systemValues, named, fromClient, query, request });
  };
  return raw ? write(prepared) : withGeneratedUids(context, type, prepared, write);
}

/** Whether the rules of the caller let it write the time of publication. */
function mayPublish({ uid, attributes }: ContentType, action: 'create' | 'update', caller: Caller): boolean {
  const publishedAt = attributes.get('publishedAt');
  return publishedAt === undefined || caller.withheld?.(`${uid}.${action}`)?.has(publishedAt) !== true;
}

/** @param otherwise the time of publication of data without one; null: a draft */
function withPublishedAt(data: unknown, { draftAndPublish }: ContentType, otherwise: Date | null): unknown {
  if (!draftAndPublish || !isRecord(data)) return data;
  const { publishedAt } = data;
  return { ...data, publishedAt: publishedAt === undefined ? (otherwise?.toISOString() ?? null) : publishedAt };
}
