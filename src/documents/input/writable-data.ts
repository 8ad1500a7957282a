import { isRecord } from '../../config/record.js';
import type { ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import type { Caller } from '../caller.js';

/**
 * Written data as far as the rules of the caller allow its attributes. Data of another form is left to the validation.
 * @throws AppError validation, naming the attributes, unless `access.json` says that they are dropped
 */
export function writableData(
  data: unknown,
  { uid, attributes }: ContentType,
  action: 'create' | 'update',
  caller: Caller,
): unknown {
  const withheld = caller.withheld?.(`${uid}.${action}`);
  if (withheld === undefined || !isRecord(data)) return data;
  const isWithheld = (name: string): boolean => {
    const attribute = attributes.get(name);
    return attribute !== undefined && withheld.has(attribute);
  };
  const names = Object.keys(data).filter(isWithheld);
  if (names.length === 0) return data;
  if (caller.dropsWithheld !== true) {
    const issues = names.map((name) => ({ path: [name], message: `${name} must not be written` }));
    throw new AppError('validation', issues);
  }
  return Object.fromEntries(Object.entries(data).filter(([name]) => !isWithheld(name)));
}
