import type { Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import { UPDATED_BY } from '../../mongo/stored/writers.js';
import { both, type Filter } from '../../query/ast.js';
import type { StoredValue } from '../../query/mutation.js';
import type { Caller } from '../caller.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { requireStates, stateLimits } from '../entry-states.js';
import type { CreateOptions } from './create.js';
import { encodeEntry, liveMark, publicationMarks } from './encode.js';
import { appendFiles, type Appended } from '../input/append-files.js';
import { dropWithheld } from '../input/permitted-data.js';
import { queryFor, assertVisible, isDraft } from '../read.js';
import { parseData } from '../input/parse-data.js';
import { joined } from './conditional/conditions.js';
import { whileUnchanged, type CheckVersion } from './conditional/while-unchanged.js';
import type { EntryWrite } from './plan-writes.js';
import { prepareChange, type PreparedData } from './prepare-data.js';
import { identityOf } from './sign-write.js';
import {
  assertIsOfCopy,
  changesOfCopy,
  chooseTransition,
  isUnpublished,
  type SeenChanges,
  type ChosenTransition,
} from './copy-use.js';
import { writeEntry } from './write-entry.js';

export interface UpdateOptions extends Pick<CreateOptions, 'raw'> {
  /** Files that are added to media fields in addition to the data. */
  readonly append?: readonly Appended[];
  /** The data comes from `prepareChange`. */
  readonly isPrepared?: boolean;
  /** The client's condition on the entry. */
  readonly check?: CheckVersion | undefined;
  /** A condition on the entry, and values of the service's own that are stored with the change. */
  readonly step?: { readonly only: Filter; readonly values: ReadonlyMap<string, StoredValue | undefined> };
}

/** How often a write is tried while others publish and unpublish its entry. */
const MOST_ATTEMPTS = 5;

/**
 * Updates an entry and returns the requested selection.
 * @throws AppError notFound, validation, invalidValue, missingRelations, preconditionFailed, conflict
 */
export async function updateEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  clientData: unknown,
  request: EntryRequest,
  options: UpdateOptions = {},
): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    // To its caller, an entry that is hidden takes as long as one that does not exist.
    const allowed = await allowedUpdate(context, type, id, clientData, request, options);
    try {
      return await updateOnce(context, type, id, clientData, request, { ...options, ...allowed });
    } catch (error) {
      // It may be published by now, or published no longer.
      if ((type.copies === undefined && request.status === undefined) || !hasCode(error, 'notFound')) throw error;
      await isDraft(context, type, id);
      if (attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** The part of a write that says which entry and working copy it may change, and what it answers with. */
type AllowedUpdate = Required<Pick<EntryWrite, 'conditions' | 'query'>>;

/** @throws AppError notFound if the caller may not change the entry, or there is none */
async function allowedUpdate(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  clientData: unknown,
  request: EntryRequest,
  { step }: Pick<UpdateOptions, 'step'>,
): Promise<AllowedUpdate> {
  const visible = queryFor(context, type, 'update', request);
  const { caller, limitedBy = caller, status } = request;
  const conditions = joined(stateLimits(context, type, 'update', limitedBy), { only: step?.only });
  const filter = limitedBy === caller ? visible.filter : both(visible.filter, conditions.only);
  await assertVisible(context, { type, filter }, id);
  // It also concerns what is prepared of the entry.
  const usesCopy = status !== undefined || isUnpublished(clientData);
  if (usesCopy && conditions.onlyCopy !== undefined) await requireStates(context, type, id, 'update', limitedBy);
  // The response shows the entry after the write, e.g. unpublished.
  return { query: { ...visible, filter: undefined }, conditions };
}

async function updateOnce(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  clientData: unknown,
  request: EntryRequest,
  { raw = false, append = [], isPrepared = false, check, step, query, conditions }: UpdateOptions & AllowedUpdate,
): Promise<unknown> {
  const { caller, limitedBy = caller } = request;
  const transition = await chooseTransition(context, type, id, clientData, request);
  const seen: SeenChanges = transition.copy === 'merge' ? await changesOfCopy(context, type, id) : { data: {} };
  const files = permittedFiles(append, type, limitedBy);
  await check?.();
  try {
    const prepared = isPrepared
      ? asPrepared(clientData as Data, request)
      : await prepareChange(context, type, id, clientData, request, {
          isSaved: transition.copy === 'save',
          published: seen.data,
        });
    return await whileUnchanged(context, { type, id }, check, async () => {
      const input = await parseData(context, type, id, publishedData(prepared, transition), raw, transition.checkedAs);
      const completeInput = files.reduce((entry, added) => appendFiles(entry, type.attributes, added), input);
      const encoded = await encodeEntry(context, type, completeInput, { isNew: false, raw });
      if (transition.copy === 'save') assertIsOfCopy(encoded);
      const systemValues = new Map([
        ...liveMark(encoded.values, type),
        ...publicationMarks(encoded.values, type, {
          by: caller.user,
          copy: transition.copy,
          isOfCopy: transition.publishes === 'copy',
        }),
        ...(step?.values ?? []),
        ['updatedAt', new Date()],
        [UPDATED_BY, caller.user],
      ] as const);
      const { clientAttributes, identity } = prepared;
      return writeEntry(context, type, id, {
        encoded,
        systemValues,
        clientAttributes,
        identity,
        conditions: joined(conditions, transition, seen),
        query,
        request,
        copy: transition.copy,
        publishes: transition.publishes !== undefined,
      });
    });
  } catch (error) {
    // A missing entry is reported before errors in the data.
    if (hasCode(error, 'validation', 'invalidValue')) await isDraft(context, type, id);
    throw error;
  }
}

/** A draft that is published gets the time, unless the data has another. */
const publishedData = (prepared: PreparedData, { publishes }: ChosenTransition): PreparedData =>
  publishes === 'draft' ? { ...prepared, data: { publishedAt: new Date().toISOString(), ...prepared.data } } : prepared;

const asPrepared = (data: Data, request: EntryRequest): PreparedData => ({
  data,
  clientAttributes: new Set(Object.keys(data)),
  identity: identityOf(request),
});

/** The files for attributes that the caller may write. @throws AppError validation as `dropWithheld` */
function permittedFiles(append: readonly Appended[], type: ContentType, caller: Caller): readonly Appended[] {
  const clientData = Object.fromEntries(append.map(({ path: [name] }) => [name, true]));
  const writableData = dropWithheld(clientData, type, 'update', caller) as Data;
  return append.filter(({ path: [name] }) => Object.hasOwn(writableData, name as string));
}
