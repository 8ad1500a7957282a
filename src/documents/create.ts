import type { ContentType } from '../content-types/types.js';
import type { Asked, Data, DocumentsContext } from './context.js';
import { encodeData } from './encode-data.js';
import { permittedData } from './permitted-data.js';
import { askFor, findById } from './read.js';
import { liveMark } from './live-mark.js';
import { validForCreate } from './valid-data.js';
import { writeEntry } from './write-entry.js';

export interface CreateOptions {
  /** Default true: it is published now unless the data says otherwise. False: it is a draft unless the data says so. */
  readonly publish?: boolean;
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
  { publish = true }: CreateOptions = {},
): Promise<unknown> {
  const query = askFor(context, type, 'create', asked);
  const now = new Date();
  const complete = publish ? withPublishedAt(data, type, now) : data;
  const permitted = permittedData(complete, type, asked.caller);
  const writing = { action: 'create', type, id: undefined, caller: asked.caller } as const;
  const prepared = await context.hooks.prepare(permitted, writing);
  const valid = await validForCreate(context, type, prepared);
  const encoded = await encodeData(context, type, valid, true);
  const also = new Map([...liveMark(encoded.values, type), ['createdAt', now], ['updatedAt', now]] as const);
  return writeEntry(context, type, undefined, encoded, also, async (id, changes) => {
    return context.store.present(query, id, changes, asked.shape) ?? findById(context, query, id, asked.shape);
  });
}

function withPublishedAt(data: unknown, { draftAndPublish }: ContentType, now: Date): unknown {
  if (!draftAndPublish || typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  const { publishedAt } = data as Data;
  return { ...data, publishedAt: publishedAt === undefined ? now.toISOString() : publishedAt };
}
