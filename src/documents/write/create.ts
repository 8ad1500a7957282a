import type { ContentType } from '../../content-types/model/types.js';
import type { Asked, Data, DocumentsContext } from '../context.js';
import { encodeData } from './encode/encode-data.js';
import { checkListLengths } from '../input/check-list-lengths.js';
import { permittedData } from '../input/permitted-data.js';
import { askFor, findById } from '../read.js';
import { liveMark } from './live-mark.js';
import { castAsIs, validForCreate } from '../input/valid-data.js';
import { writeEntry } from './write-entry.js';

/** What the first entry of a single type has, and by a unique index no other. */
const SOLE = '_sole';

export interface CreateOptions {
  /** Default true: it is published now unless the data says otherwise. False: it is a draft unless the data says so. */
  readonly publish?: boolean;
  /** Of a single type: no other entry is created like this, at the same moment either. */
  readonly sole?: boolean;
  /** The data is stored as it is: nothing is required, limited or hashed. What it leads to must be there all the same. */
  readonly raw?: boolean;
}

/**
 * Creates an entry and gives it as it is asked for. Only data that says `publishedAt: null` is checked as a draft.
 * @throws AppError validation, invalidValue, missingRelations
 */
export async function createEntry(
  context: DocumentsContext,
  type: ContentType,
  data: unknown,
  asked: Asked,
  { publish = true, sole = false, raw = false }: CreateOptions = {},
): Promise<unknown> {
  const query = askFor(context, type, 'create', asked);
  const now = new Date();
  const complete = publish ? withPublishedAt(data, type, now) : data;
  const permitted = permittedData(complete, type, asked.caller);
  if (asked.unlimited !== true) checkListLengths(permitted, type, context.relationLimit);
  const writing = { action: 'create', type, id: undefined, caller: asked.caller } as const;
  const prepared = await context.hooks.prepare(permitted, writing);
  const valid = await (raw ? castAsIs : validForCreate)(context, type, prepared);
  const encoded = await encodeData(context, type, valid, { isNew: true, raw });
  const marks = [...liveMark(encoded.values, type), ...(sole ? [[SOLE, 1] as const] : [])];
  const also = new Map([...marks, ['createdAt', now], ['updatedAt', now]] as const);
  const named = new Set(Object.keys(permitted));
  return writeEntry(context, type, undefined, { encoded, also, named }, async (id, changes) => {
    return context.store.present(query, id, changes, asked.shape) ?? findById(context, query, id, asked.shape);
  });
}

function withPublishedAt(data: unknown, { draftAndPublish }: ContentType, now: Date): unknown {
  if (!draftAndPublish || typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  const { publishedAt } = data as Data;
  return { ...data, publishedAt: publishedAt === undefined ? now.toISOString() : publishedAt };
}
