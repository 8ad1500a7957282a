import { AppError } from '../errors/app-error.js';
import type { QueryInput } from '../query/parse/input.js';
import type { ContentType } from '../content-types/model/types.js';
import { parametersOf } from '../query/plugin-parameters.js';

/** Whether a parameter is true; default: false. @throws AppError invalidParameter */
export function flagOf(query: QueryInput, name: string): boolean {
  const { [name]: value = 'false' } = query;
  if (value !== 'true' && value !== 'false') throw new AppError('invalidParameter', name);
  return value === 'true';
}

/** Refuses the parameters of plugins for reads where they would have no effect. @throws AppError badRequest */
export function refuseReadParameters(query: QueryInput, type: ContentType, reason: string): void {
  const found = parametersOf(type).find(({ name, part }) => part === 'state' && query[name] !== undefined);
  if (found !== undefined) throw new AppError('badRequest', `${found.name} is not supported here: ${reason}`);
}
