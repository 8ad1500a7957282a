import type { ContentType } from '../content-types/types.js';
import type { Asked, DocumentsContext } from './context.js';
import { encodeData } from './encode-data.js';
import { liveMark } from './live-mark.js';
import { permittedData } from './permitted-data.js';
import { askFor, findById } from './read.js';
import { validForUpdate } from './valid-data.js';
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
  const valid = await validForUpdate(context, type, id, await context.hooks.prepare(permitted, writing));
  const encoded = await encodeData(context, type, valid, false);
  const also = new Map([...liveMark(encoded.values, type), ['updatedAt', new Date()]] as const);
  return writeEntry(context, type, id, encoded, also, () => findById(context, query, id, asked.shape));
}
