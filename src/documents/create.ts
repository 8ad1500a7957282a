import type { ContentType } from '../content-types/types.js';
import type { Asked, Data, DocumentsContext } from './context.js';
import { encodeData } from './encode-data.js';
import { permittedData } from './permitted-data.js';
import { askFor, findById } from './read.js';
import { liveMark } from './live-mark.js';
import { writeEntry } from './write-entry.js';

/**
 * Creates an entry and gives it as it is asked for. It is published now unless the data says otherwise.
 * @throws AppError validation, invalidValue, missingRelations
 */
export async function createEntry(
  context: DocumentsContext,
  type: ContentType,
  data: unknown,
  asked: Asked,
): Promise<unknown> {
  const query = askFor(context, type, 'create', asked);
  const now = new Date();
  const permitted = permittedData(withPublishedAt(data, type, now), type, asked.caller);
  const writing = { action: 'create', type, id: undefined, caller: asked.caller } as const;
  const prepared = await context.hooks.prepare(permitted, writing);
  const draft = type.draftAndPublish && prepared['publishedAt'] === null;
  const valid = context.validator.validate(type, draft ? 'draft' : 'create', prepared);
  const encoded = await encodeData(context, type, valid, true);
  const also = new Map([...liveMark(encoded.values, type), ['createdAt', now], ['updatedAt', now]] as const);
  const id = await writeEntry(context, type, undefined, encoded, also);
  return findById(context, query, id, asked.shape);
}

function withPublishedAt(data: unknown, { draftAndPublish }: ContentType, now: Date): unknown {
  if (!draftAndPublish || typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  const { publishedAt } = data as Data;
  return { ...data, publishedAt: publishedAt === undefined ? now.toISOString() : publishedAt };
}
