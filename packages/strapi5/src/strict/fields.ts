import type { Model } from 'content-service/content-api';
import { below, invalidKey, type Place } from './invalid-key.js';
import { isNamed, namesIn, readable } from './names.js';

/** `fields` as a list of names. @throws AppError invalidInput for one that is no readable value */
export function readFields(input: unknown, model: Model, place: Place): readonly string[] {
  const names = namesIn(input, place.param).filter((name) => name !== '');
  for (const name of names) {
    if (name === '*' || name === 'id' || readable(model, name, place.audience)?.kind === 'scalar') continue;
    throw invalidKey(name, isNamed(model, name, place.audience) ? { ...place, path: below(place.path, name) } : place);
  }
  return names;
}
