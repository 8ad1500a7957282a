import type { Data } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { CREATED_BY, UPDATED_BY } from '../../mongo/stored/writers.js';
import type { DocumentsContext, EntryRequest } from '../context.js';
import { parseData } from '../input/parse-data.js';
import { queryFor } from '../read.js';
import { assertMayCreate } from './copy-use.js';
import { encodeEntry, liveMark, publicationMarks } from './encode.js';
import { withGeneratedUids } from './generate-uids.js';
import { prepareCreation } from './prepare-data.js';
import { writeEntry } from './write-entry.js';

/** The mark of a single type's first entry, which a unique index allows only once. */
const SOLE = '_sole';

export interface CreateOptions {
  /**
   * Default true: the entry is published unless its data contains another `publishedAt`. False: it is a draft unless
   * its data contains one.
   */
  readonly publish?: boolean;
  /** For a single type: no second entry can be created, even concurrently. */
  readonly isSingle?: boolean;
  /** The entry of which the new one becomes a localization; linking it needs no permission. */
  readonly localizationOf?: number;
  /** The data is stored unchanged: nothing is required, limited or hashed. Its targets must exist nevertheless. */
  readonly raw?: boolean;
  /** The id that code chooses. Default: the next one of its type. */
  readonly id?: number | undefined;
}

/**
 * Creates an entry and returns the requested selection. Only data with `publishedAt: null` is checked as a draft.
 * @throws AppError validation, invalidValue, missingRelations
 */
export async function createEntry(
  context: DocumentsContext,
  type: ContentType,
  clientData: unknown,
  request: EntryRequest,
  { publish = true, isSingle = false, localizationOf, raw = false, id }: CreateOptions = {},
): Promise<unknown> {
  const query = queryFor(context, type, 'create', request);
  const { caller, limitedBy = caller } = request;
  const status = type.copies === undefined ? undefined : request.status;
  const now = new Date();
  assertMayCreate(type, isSingle ? 'update' : 'create', clientData, status, limitedBy);
  const publishes = publish || status === 'published';
  const options = { publish: publishes, isDraft: status === 'draft', isSingle, localizationOf, now };
  const { data, ...prepared } = await prepareCreation(context, type, clientData, request, options);
  const write = async (completeData: Data): Promise<unknown> => {
    const input = await parseData(context, type, undefined, { ...prepared, data: completeData }, raw);
    const encoded = await encodeEntry(context, type, input, { isNew: true, raw });
    const { user } = caller;
    const systemValues = new Map([
      ...liveMark(encoded.values, type),
      ...publicationMarks(encoded.values, type, { by: user }),
      ...(isSingle ? [[SOLE, 1] as const] : []),
      ['createdAt', encoded.values.get('createdAt') ?? now],
      ['updatedAt', encoded.values.get('updatedAt') ?? now],
      [CREATED_BY, user],
      [UPDATED_BY, user],
    ] as const);
    const { givenAttributes, clientAttributes, identity } = prepared;
    return writeEntry(context, type, undefined, {
      encoded,
      chosenId: id,
      systemValues,
      givenAttributes,
      clientAttributes,
      identity,
      query,
      request,
    });
  };
  return raw ? write(data) : withGeneratedUids(context, type, data, write);
}
