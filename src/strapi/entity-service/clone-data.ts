import lodash from 'lodash';
import { isAbsent, isRecord } from '../../config/record.js';
import type { Attribute, Attributes } from '../../content-types/model/types.js';
import { holdsComponents, mapComponents } from '../../content-types/model/walk.js';
import type { Named } from '../strapi.js';

const generated = new Set(['id', 'createdAt', 'updatedAt', 'localizations']);

/** The populate parameter for cloning an entry: components completely, relations by their ids. */
export function clonePopulate(attributes: Attributes): Named {
  const nodes = [...attributes.values()].flatMap((attribute): [string, unknown][] => {
    switch (attribute.kind) {
      case 'scalar':
      case 'morphed':
        return [];
      case 'relation':
      case 'morph':
        return generated.has(attribute.name) ? [] : [[attribute.name, { select: ['id'] }]];
      case 'component':
        return [[attribute.name, { populate: clonePopulate(attribute.component.attributes) }]];
      case 'zone': {
        const on = [...attribute.components].map(([uid, { attributes: inner }]) => [
          uid,
          { populate: clonePopulate(inner) },
        ]);
        return [[attribute.name, { on: Object.fromEntries(on) as Named }]];
      }
      default:
        return attribute satisfies never;
    }
  });
  return Object.fromEntries(nodes);
}

/**
 * The data of a new entry that is a copy of another one with changes. As in Strapi v4, `connect` and `disconnect`
 * change the relations of the original, also in its components, which are named by their ids.
 * @param original read with `clonePopulate`
 */
export function changedClone(original: Named, changes: Named, attributes: Attributes): Named {
  const changed = Object.entries(changes).map(([name, value]): [string, unknown] => {
    const attribute = attributes.get(name);
    return [name, attribute === undefined ? value : changeValue(original[name], value, attribute)];
  });
  return { ...cloneData(original, attributes), ...Object.fromEntries(changed) };
}

function changeValue(original: unknown, value: unknown, attribute: Attribute): unknown {
  if (attribute.kind === 'relation') return changeRelation(idsIn(original), value, attribute.many);
  if (!holdsComponents(attribute)) return value;
  const parts = new Map(listOf(original).map((part) => [keyOf(part), part as Named]));
  return mapComponents(value, attribute, (data, { attributes }) => {
    const part = parts.get(keyOf(data));
    return part === undefined
      ? data
      : { ...keepType(data), ...changedClone(part, lodash.omit(data, 'id'), attributes) };
  });
}

/** The related ids after a change; any other value replaces them. */
function changeRelation(ids: readonly number[], value: unknown, many: boolean): unknown {
  if (!isRecord(value) || value['set'] !== undefined) return value;
  const { connect, disconnect } = value;
  if (connect === undefined && disconnect === undefined) return value;
  const connected = listOf(connect);
  if (!many && connected.length > 0) return { connect: connected };
  const gone = new Set([...idsIn(connected), ...idsIn(disconnect)]);
  return { connect: [...ids.filter((id) => !gone.has(id)), ...connected] };
}

const listOf = (value: unknown): readonly unknown[] => (isAbsent(value) ? [] : [value].flat());
const idOf = (value: unknown): number => Number(isRecord(value) ? value['id'] : value);
const idsIn = (value: unknown): readonly number[] => listOf(value).map(idOf);

/** Components of two types can have one id. */
const keyOf = (part: unknown): string => (isRecord(part) ? `${String(part['__component'])} ${String(part['id'])}` : '');
const keepType = ({ __component: type }: Named): Named => (type === undefined ? {} : { __component: type as unknown });

/** Converts an entry read with `clonePopulate` to the data of a new one: without its own ids, relations by id. */
export function cloneData(entry: Named, attributes: Attributes): Named {
  const kept = Object.entries(entry).flatMap(([name, value]): [string, unknown][] => {
    if (generated.has(name)) return [];
    const attribute = attributes.get(name);
    return [[name, attribute === undefined ? value : cloneValue(value, attribute)]];
  });
  return Object.fromEntries(kept);
}

function cloneValue(value: unknown, attribute: Attribute): unknown {
  const each = (clone: (entry: Named) => unknown): unknown => {
    if (Array.isArray(value)) return value.map((entry: Named) => clone(entry));
    return typeof value === 'object' && value !== null ? clone(value) : value;
  };
  if (attribute.kind === 'relation') return each(({ id }) => id as unknown);
  if (attribute.kind === 'morph') return each(({ id, __type }) => ({ id: id as unknown, __type: __type as unknown }));
  if (!holdsComponents(attribute)) return value;
  return mapComponents(value, attribute, (data, { attributes }) => cloneData(data, attributes));
}
