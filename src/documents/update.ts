import type { ContentType } from '../content-types/types.js';
import type { Asked, Data, DocumentsContext } from './context.js';
import { encodeData } from './encode-data.js';
import { liveMark } from './live-mark.js';
import { permittedData } from './permitted-data.js';
import { askFor, findById, isDraft } from './read.js';
import { writeEntry } from './write-entry.js';

/**
 * Changes what is given of an entry, and gives the entry as it is asked for.
 * @throws AppError notFound, validation, invalidValue, missingRelations
 */
export async function updateEntry(
  context: DocumentsContext,
  type: ContentType,
  id: number,
  data: unknown,
  asked: Asked,
): Promise<unknown> {
  const query = askFor(context, type, 'update', asked);
  const permitted = permittedData(data, type, asked.caller);
  const writing = { action: 'update', type, id, caller: asked.caller } as const;
  const valid = await validateUpdate(context, type, id, await context.hooks.prepare(permitted, writing));
  const encoded = await encodeData(context, type, valid, false);
  const also = new Map([...liveMark(encoded.values, type), ['updatedAt', new Date()]] as const);
  await writeEntry(context, type, id, encoded, also);
  return findById(context, query, id, asked.shape);
}

/** What is good for a published entry is good for a draft, so the entry is looked at only when it is not. */
async function validateUpdate(context: DocumentsContext, type: ContentType, id: number, data: Data): Promise<Data> {
  const { validator } = context;
  try {
    return validator.validate(type, 'update', data);
  } catch (error) {
    if (!(await isDraft(context, type, id))) throw error;
    return validator.validate(type, 'draft', data);
  }
}
