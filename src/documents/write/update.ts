import type { Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { hasCode } from '../../errors/app-error.js';
import { UPDATED_BY } from '../../mongo/stored/writers.js';
import { both, type Filter } from '../../query/ast.js';
import type { StoredValue } from '../../query/mutation.js';
import type { Caller } from '../caller.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import type { CreateOptions } from './create.js';
import { encodeEntry, liveMark } from './encode.js';
import { appendFiles, type Appended } from '../input/append-files.js';
import { dropWithheld } from '../input/permitted-data.js';
import { queryFor, assertVisible, isDraft } from '../read.js';
import { parseData } from '../input/parse-data.js';
import { whileUnchanged, type CheckVersion } from './conditional/while-unchanged.js';
import { prepareChange, type PreparedData } from './prepare-data.js';
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

/**
 * Updates an entry and returns the requested selection.
 * @throws AppError notFound, validation, invalidValue, missingRelations, preconditionFailed
 */
export async function updateEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  clientData: unknown,
  request: EntryRequest,
  { raw = false, append = [], isPrepared = false, check, step }: UpdateOptions = {},
): Promise<unknown> {
  const visible = queryFor(context, type, 'update', request);
  const { caller, limitedBy = caller } = request;
  const only = both(context.limitOf(type, 'update', limitedBy), step?.only);
  const filter = limitedBy === caller ? visible.filter : both(visible.filter, only);
  await assertVisible(context, { type, filter }, id);
  const files = permittedFiles(append, type, limitedBy);
  // The response shows the entry after the write, e.g. unpublished.
  const query = { ...visible, filter: undefined };
  await check?.();
  try {
    const prepared = isPrepared
      ? asPrepared(clientData as Data)
      : await prepareChange(context, type, id, clientData, request);
    return await whileUnchanged(context, { type, id }, check, async () => {
      const input = await parseData(context, type, id, prepared, raw);
      const completeInput = files.reduce((entry, added) => appendFiles(entry, type.attributes, added), input);
      const encoded = await encodeEntry(context, type, completeInput, { isNew: false, raw });
      const systemValues = new Map([
        ...liveMark(encoded.values, type),
        ...(step?.values ?? []),
        ['updatedAt', new Date()],
        [UPDATED_BY, caller.user],
      ] as const);
      const { clientAttributes } = prepared;
      return writeEntry(context, type, id, { encoded, systemValues, clientAttributes, only, query, request });
    });
  } catch (error) {
    // A missing entry is reported before errors in the data.
    if (hasCode(error, 'validation', 'invalidValue')) await isDraft(context, type, id);
    throw error;
  }
}

const asPrepared = (data: Data): PreparedData => ({ data, clientAttributes: new Set(Object.keys(data)) });

/** The files for attributes that the caller may write. @throws AppError validation as `dropWithheld` */
function permittedFiles(append: readonly Appended[], type: ContentType, caller: Caller): readonly Appended[] {
  const clientData = Object.fromEntries(append.map(({ path: [name] }) => [name, true]));
  const writableData = dropWithheld(clientData, type, 'update', caller) as Data;
  return append.filter(({ path: [name] }) => Object.hasOwn(writableData, name as string));
}
