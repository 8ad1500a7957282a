import { isRecord } from '../../config/record.js';
import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import { isStoredInTarget, otherSideName } from '../../mongo/stored/relation.js';
import type { Caller } from '../caller.js';

/**
 * Written data as far as the rules of the caller allow its attributes, and the attributes of other entries that these change. Data of another
 * form is left to the validation.
 * @throws AppError validation, naming the attributes, unless `access.json` says that they are dropped
 */
export function writableData(
  data: unknown,
  { uid, attributes }: ContentType,
  action: 'create' | 'update',
  caller: Caller,
): unknown {
  if (caller.withheld === undefined || !isRecord(data)) return data;
  const withheld = caller.withheld(`${uid}.${action}`);
  const isWithheld = (name: string): boolean => {
    const attribute = attributes.get(name);
    return attribute !== undefined && (withheld?.has(attribute) === true || isOtherSideWithheld(attribute, caller));
  };
  const names = Object.keys(data).filter(isWithheld);
  if (names.length === 0) return data;
  if (caller.dropsWithheld !== true) {
    const issues = names.map((name) => ({ path: [name], message: `${name} must not be written` }));
    throw new AppError('validation', issues);
  }
  return Object.fromEntries(Object.entries(data).filter(([name]) => !isWithheld(name)));
}

/** Whether the attribute of other entries that stores this relation may not be updated. */
export function isOtherSideWithheld(attribute: Attribute, caller: Pick<Caller, 'withheld'>): boolean {
  if (!isStoredInTarget(attribute)) return false;
  const { target } = attribute;
  const other = target.attributes.get(otherSideName(attribute));
  return other !== undefined && caller.withheld?.(`${target.uid}.update`)?.has(other) === true;
}
