import type { ContentType } from '../content-types/types.js';
import { AppError } from '../errors/app-error.js';
import type { Data, DocumentsContext } from './context.js';
import { countComponents } from './count-components.js';
import { encode, type Encoded } from './encode.js';
import { hashPasswords } from './passwords.js';

/**
 * Encodes valid data as it is stored: passwords hashed, components numbered, targets looked up.
 * @param defaults whether absent values get their defaults
 * @throws AppError invalidValue, validation, missingRelations
 */
export async function encodeData(
  { registry, store }: DocumentsContext,
  type: ContentType,
  data: Data,
  defaults: boolean,
): Promise<Encoded> {
  const hashed = await hashPasswords(data, type.attributes);
  let next = await store.counters.reserveComponents(countComponents(hashed, type.attributes));
  const encoded = encode(hashed, type, {
    defaults,
    nextComponentId: () => next++,
    contentTypes: registry.contentTypes,
  });
  const missing = await store.missing(encoded.targets);
  for (const [target, ids] of missing) throw new AppError('missingRelations', target.uid, ids.length);
  return encoded;
}
