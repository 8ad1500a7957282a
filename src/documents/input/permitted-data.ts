import { isRecord } from '../../content-types/model/settings-schema.js';
import type { Attribute, ContentType } from '../../content-types/model/types.js';
import { AppError } from '../../errors/app-error.js';
import { print } from './validate/messages.js';
import type { Caller } from '../caller.js';
import type { Data } from '../context.js';
import { canReadRelation } from '../rights.js';

/**
 * Written data without relations to types that the caller may not list, in components too, as Strapi v4 drops them.
 * @throws AppError validation for data that is a list
 */
export function permittedData(data: unknown, { attributes }: ContentType, caller: Caller): Data {
  if (!isRecord(data)) {
    const message = `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${print(data)}\`).`;
    throw new AppError('validation', [{ path: [], message }]);
  }
  return caller.kind === 'system' ? data : permittedIn(data, attributes, caller);
}

function permittedIn(data: Data, attributes: ReadonlyMap<string, Attribute>, caller: Caller): Data {
  const kept = Object.entries(data).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    const attribute = attributes.get(name);
    if (attribute === undefined) return [[name, value]];
    const permitted = permittedValue(value, attribute, caller);
    return permitted === undefined ? [] : [[name, permitted]];
  });
  return Object.fromEntries(kept);
}

/** Undefined where nothing of it may be written; what has no form that we know is left for the validation. */
function permittedValue(value: unknown, attribute: Attribute, caller: Caller): unknown {
  switch (attribute.kind) {
    case 'scalar':
      return value;
    case 'relation':
    case 'morphed':
      return canReadRelation(attribute, caller) ? value : undefined;
    case 'morph':
      return permittedLinks(value, caller);
    case 'component':
      return each(value, (one) => permittedIn(one, attribute.component.attributes, caller));
    case 'zone':
      return each(value, (one) => {
        const component = attribute.components.get(String(one['__component']));
        return component === undefined ? one : permittedIn(one, component.attributes, caller);
      });
    default:
      return attribute satisfies never;
  }
}

/** The links of a morph relation to types that the caller may list; undefined when there were others alone. */
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

function each(value: unknown, change: (one: Data) => Data): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => (isRecord(one) ? change(one) : one));
  return isRecord(value) ? change(value) : value;
}
