import lodash from 'lodash';
import { groupBy } from '../../config/group-by.js';
import { isRecord, type Data } from '../../config/record.js';
import type { Attribute, Attributes, ContentType } from '../../content-types/model/types.js';
import { mapComponents } from '../../content-types/model/walk.js';
import { AppError } from '../../errors/app-error.js';
import { print } from './validate/messages.js';
import type { Caller } from '../caller.js';
import { canReadRelation } from '../rights.js';
import { isStoredInTarget, otherSideName } from '../../mongo/stored/relation.js';

/**
 * Written data without attributes that no client writes, and without relations to types that the caller may not list,
 * in components too, as Strapi v4 drops them.
 * @param sent the values that the client has sent itself: what code of a project has put beside them is not judged
 * @throws AppError validation for data that is not an object
 */
export function dropUnreadableTargets(
  data: unknown,
  { attributes }: ContentType,
  caller: Caller,
  sent: SentValues = allSent,
): Data {
  if (!isRecord(data)) {
    const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${print(data)}\`).`;
    throw new AppError('validation', [{ path: [], message }]);
  }
  return caller.kind === 'system' ? data : permittedIn(data, attributes, caller, sent);
}

/** Which values of an entry are those of the client. */
export interface SentValues {
  has(name: string, value: unknown): boolean;
  /** Those of the components of an attribute. */
  below(name: string): SentValues;
}

export const allSent: SentValues = { has: () => true, below: () => allSent };

/** @param arrived what the client has sent; undefined: all is the client's */
export const sentValues = (arrived: unknown): SentValues =>
  isRecord(arrived)
    ? { has: (name, value) => isSame(arrived[name], value), below: (name) => sentWithin(arrived[name]) }
    : allSent;

/**
 * Code can move a component in its list: a value in it is the client's if the client has sent it by this name in any of
 * them.
 */
function sentWithin(part: unknown): SentValues {
  // Collected once, not for each component that is judged by it.
  const values = groupBy(namedValuesIn(part), ([name]) => name);
  const within: SentValues = {
    has: (name, value) => (values.get(name) ?? []).some(([, other]) => isSame(other, value)),
    below: () => within,
  };
  return within;
}

/** All members of all objects in it, also those in lists. */
function namedValuesIn(part: unknown): readonly (readonly [name: string, value: unknown])[] {
  const found: (readonly [string, unknown])[] = [];
  for (const pending = [part]; pending.length > 0;) {
    const outer = pending.pop();
    if (typeof outer !== 'object' || outer === null) continue;
    for (const member of Object.entries(outer)) {
      found.push(member);
      pending.push(member[1]);
    }
  }
  return found;
}

/** An id is the same as a number and as a text. */
const isSame = (left: unknown, right: unknown): boolean =>
  lodash.isEqualWith(left, right, (one: unknown, other: unknown) =>
    isKey(one) && isKey(other) ? String(one) === String(other) : undefined,
  );

const isKey = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

function permittedIn(data: Data, attributes: Attributes, caller: Caller, sent: SentValues): Data {
  const permitted = Object.entries(data).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const attribute = attributes.get(name);
    if (attribute?.writable === false) return [];
    if (attribute === undefined || attribute.kind === 'scalar') return [[name, value]];
    const permittedPart = permittedValue(value, attribute, caller, sent);
    return permittedPart === undefined ? [] : [[name, permittedPart]];
  });
  return Object.fromEntries(permitted);
}

/** Undefined if nothing of it may be written; an invalid value is left to the validation. */
function permittedValue(
  value: unknown,
  attribute: Exclude<Attribute, { kind: 'scalar' }>,
  caller: Caller,
  sent: SentValues,
): unknown {
  const { name } = attribute;
  switch (attribute.kind) {
    case 'relation':
    case 'morphed':
      return canReadRelation(attribute, caller) || !sent.has(name, value) ? value : undefined;
    case 'morph':
      return sent.has(name, value) ? permittedLinks(value, caller) : value;
    case 'component':
    case 'zone':
      return mapComponents(value, attribute, (data, component) =>
        permittedIn(data, component.attributes, caller, sent.below(name)),
      );
    default:
      return attribute satisfies never;
  }
}

/** The links of a morph relation to types that the caller may list; undefined if there are only others. */
function permittedLinks(value: unknown, caller: Caller): unknown {
  const isSet = isRecord(value) && Object.hasOwn(value, 'set');
  const links = [(isSet ? value['set'] : value) ?? []].flat();
  const permitted = links.filter((link) => mayLink(link, caller));
  if (permitted.length === links.length) return value;
  if (permitted.length === 0) return undefined;
  return isSet ? { ...value, set: permitted } : permitted;
}

function mayLink(link: unknown, caller: Caller): boolean {
  const type = isRecord(link) ? (link['__type'] ?? link['type']) : undefined;
  return typeof type !== 'string' || caller.may(`${type}.find`);
}

/**
 * Written data as far as the rules of the caller allow its attributes, and the attributes of other entries that these
 * change. Data of another form is left to the validation.
 * @throws AppError validation, naming the attributes, unless `access.json` says that they are dropped
 */
export function dropWithheld(
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
    const issues = names.map((name) => ({
      path: [name],
      message: `${name} must not be written`,
      rule: 'writable' as const,
    }));
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
