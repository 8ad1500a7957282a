import type { Model } from 'content-service/content-api';
import { below, invalidKey, type Place } from './invalid-key.js';
import { isNamed, namesIn, readable } from './names.js';

/** Any model can name it, as the id. */
const DOCUMENT_ID = 'documentId';

/** `fields` as a list of names. @throws AppError invalidInput for one that is no readable value */
export function readFields(input: unknown, model: Model, place: Place): readonly string[] {
  const names = namesIn(input, place.param).filter((name) => name !== '');
  for (const name of names) {
    if (name === '*' || name === 'id' || name === DOCUMENT_ID) continue;
    if (readable(model, name, place.audience)?.kind === 'scalar') continue;
    throw invalidKey(name, isNamed(model, name, place.audience) ? { ...place, path: below(place.path, name) } : place);
  }
  // Components have none (recorded: beside Strapi 5.54.0).
  return model.kind === 'component' ? names.filter((name) => name !== DOCUMENT_ID) : names;
}
