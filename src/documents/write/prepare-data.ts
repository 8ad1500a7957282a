import lodash from 'lodash';
import { isRecord, type Data } from '../../config/record.js';
import { isLocalized, sharedAttributes } from '../../content-types/model/localized.js';
import type { ContentType } from '../../content-types/model/types.js';
import type { Targets } from '../../mongo/read/missing-targets.js';
import type { Caller } from '../caller.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import type { WriteIdentity } from '../hooks.js';
import { findHiddenTargets } from '../input/hidden-targets.js';
import { dropUnreadableTargets, dropWithheld } from '../input/permitted-data.js';
import { identityOf } from './sign-write.js';

/** Data to write: what the caller may write of the client's, after the hooks. */
export interface PreparedData {
  readonly data: Data;
  /** The attributes in the client's data, without those that hooks add. */
  readonly clientAttributes: ReadonlySet<string>;
  /** Of the write whose hooks have seen the data. */
  readonly identity: WriteIdentity;
  /** The entries in the data that do not exist for the caller; undefined: none. */
  readonly hidden?: Targets | undefined;
}

/** The data of a new entry. */
export interface PreparedCreation extends PreparedData {
  /** The attributes in the client's data, and those that rules set. */
  readonly givenAttributes: ReadonlySet<string>;
}

interface CreationOptions {
  readonly publish: boolean;
  /** The request asks for a draft, which needs no right to write the time of publication. */
  readonly isDraft: boolean;
  readonly isSingle: boolean;
  readonly localizationOf: number | undefined;
  readonly now: Date;
}

/** Prepares the data of a new entry. @throws AppError validation, invalidValue, and what hooks throw */
export async function prepareCreation(
  context: DocumentsContext,
  type: ContentType,
  clientData: unknown,
  request: EntryRequest,
  { publish, isDraft, isSingle, localizationOf, now }: CreationOptions,
): Promise<PreparedCreation> {
  const { caller, limitedBy = caller, dryRun: isDryRun = false } = request;
  // The entry of a single type is created by an update.
  const action = isSingle ? 'update' : 'create';
  const writableData = dropWithheld(clientData, type, action, limitedBy);
  const publishedAt = !isDraft && mayPublish(type, action, limitedBy) ? now : null;
  const publishedData = publish || isDraft ? withPublishedAt(writableData, type, publishedAt) : writableData;
  // A localization has the shared values of its group.
  const ofGroup = localizationOf === undefined ? [] : sharedAttributes(type).map(({ name }) => name);
  const imposedData = lodash.omit(limitedBy.set?.(`${type.uid}.create`), ofGroup);
  const readableData = dropUnreadableTargets(publishedData, type, caller);
  const permittedData = lodash.omit(readableData, Object.keys(imposedData));
  const hidden = await findHiddenTargets(context, type, permittedData, limitedBy);
  const givenData = { ...permittedData, ...imposedData };
  const linkedData = localizationOf === undefined ? givenData : { ...givenData, localizations: [localizationOf] };
  const identity = identityOf(request);
  const writing = { ...identity, action: 'create', type, id: undefined, isDryRun, localizationOf } as const;
  const preparedData = await context.hooks.prepare(linkedData, writing);
  return {
    data: preparedData,
    clientAttributes: new Set(Object.keys(permittedData)),
    givenAttributes: new Set(Object.keys(givenData)),
    identity,
    hidden,
  };
}

interface ChangeOptions {
  /** The data is saved in a working copy. */
  readonly isSaved: boolean;
  /** What a copy changes that is published: hooks see it, and write what they change of it. */
  readonly published: Data;
  /** The write that it is a part of. Default: one of its own. */
  readonly identity: WriteIdentity;
}

/**
 * Prepares the data of an update of the entry with an id.
 * @throws AppError validation, invalidValue, and what hooks throw
 */
export async function prepareChange(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  clientData: unknown,
  request: EntryRequest,
  { isSaved = false, published = {}, identity = identityOf(request) }: Partial<ChangeOptions> = {},
): Promise<PreparedData> {
  const { caller, limitedBy = caller, dryRun: isDryRun = false } = request;
  // As in Strapi v4, which leaves nothing of a list when it removes the locale.
  const changedData = Array.isArray(clientData) && isLocalized(type) ? {} : clientData;
  const writableData = dropWithheld(changedData, type, 'update', limitedBy);
  const permittedData = dropUnreadableTargets(writableData, type, caller);
  const hidden = await findHiddenTargets(context, type, permittedData, limitedBy);
  const { prepare, prepareCopy } = context.hooks;
  const writing = { ...identity, action: 'update', type, id, isDryRun } as const;
  const isSeen = Object.keys(published).length > 0;
  const seenData = isSeen ? { ...published, ...permittedData } : permittedData;
  const preparedData = await (isSaved ? prepareCopy : prepare)(seenData, writing);
  const isSame = (value: unknown, name: string): boolean => !(name in permittedData) && value === published[name];
  return {
    data: isSeen ? lodash.omitBy(preparedData, isSame) : preparedData,
    clientAttributes: new Set(Object.keys(permittedData)),
    identity,
    hidden,
  };
}

/** Whether the rules of the caller let it write the time of publication. */
export function mayPublish({ uid, attributes }: ContentType, action: 'create' | 'update', caller: Caller): boolean {
  const publishedAt = attributes.get('publishedAt');
  return publishedAt === undefined || caller.withheld?.(`${uid}.${action}`)?.has(publishedAt) !== true;
}

/** @param otherwise the time of publication of data without one; null: a draft */
function withPublishedAt(data: unknown, { draftAndPublish }: ContentType, otherwise: Date | null): unknown {
  if (!draftAndPublish || !isRecord(data)) return data;
  const { publishedAt } = data;
  return { ...data, publishedAt: publishedAt === undefined ? (otherwise?.toISOString() ?? null) : publishedAt };
}
