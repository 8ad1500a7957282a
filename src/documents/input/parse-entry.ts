import { isRecord, type Data } from '../../config/record.js';
import type { Attribute, Attributes, Component, ZoneAttribute } from '../../content-types/model/types.js';
import { attributeTypes } from '../../content-types/model/attribute-types.js';
import {
  componentOf,
  holdsComponents,
  mapComponents,
  type EmbeddingAttribute,
} from '../../content-types/model/walk.js';
import { hasCode } from '../../errors/app-error.js';
import { isNothing } from '../../query/parse/input.js';
import type { AttributeInput, ComponentInput, EntryInput } from './entry-input.js';
import { INVALID_RELATIONS, parseMorphLinks, parseRelation } from './relation-input.js';

/** The first problem of each kind. As in Strapi v4 it concerns the whole data, not a path. */
interface Problems {
  /** An invalid relation or zone. */
  relation?: string;
  /** An invalid morph relation, which is reported if all else is valid. */
  morph?: string;
}

/**
 * Parses cast data. If it is invalid, the entry contains its valid parts.
 * @param isNew the entry is created
 */
export function parseEntry(data: Data, attributes: Attributes, isNew: boolean) {
  const problems: Problems = {};
  return { entry: parseValues(data, attributes, { isNew, problems }), problems };
}

interface Parsing {
  /** Whether the entry or component around the values is new. */
  readonly isNew: boolean;
  readonly problems: Problems;
}

function parseValues(data: Data, attributes: Attributes, parsing: Parsing): EntryInput {
  const entry = new Map<string, AttributeInput>();
  for (const [name, attribute] of attributes) {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    const input = value === undefined ? undefined : parseValue(value, attribute, parsing);
    if (input !== undefined) entry.set(name, input);
  }
  return entry;
}

/** Undefined for a value that is invalid or changes nothing. */
function parseValue(value: unknown, attribute: Attribute, parsing: Parsing): AttributeInput | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return { kind: 'scalar', attribute, value };
    case 'relation':
    case 'morphed': {
      const change = attempt('relation', parsing, () => parseRelation(value));
      return change && { kind: 'relation', attribute, change, written: value };
    }
    case 'morph': {
      const links = attempt('morph', parsing, () => parseMorphLinks(value, attribute));
      return links && { kind: 'morph', attribute, links, written: value };
    }
    case 'component':
    case 'zone':
      return parseComponents(value, attribute, parsing);
    default:
      return attribute satisfies never;
  }
}

/**
 * Records the first invalid part. The others of its kind are not parsed any more: there can be many, and the entry is
 * refused.
 */
function attempt<T>(kind: keyof Problems, { problems }: Parsing, parse: () => T): T | undefined {
  if (problems[kind] !== undefined) return undefined;
  try {
    return parse();
  } catch (error) {
    if (!hasCode(error, 'validation')) throw error;
    problems[kind] = error.message;
    return undefined;
  }
}

function parseComponents(value: unknown, attribute: EmbeddingAttribute, parsing: Parsing): AttributeInput | undefined {
  if (value === null) return { kind: 'components', attribute, components: [] };
  const isList = Array.isArray(value);
  const components = (isList ? (value as readonly unknown[]) : [value]).flatMap((element, index) => {
    const checked = attribute.kind === 'zone' ? checkInZone(element, attribute, isList, parsing) : element;
    const component = isRecord(checked) ? componentOf(attribute, checked) : undefined;
    return isRecord(checked) && component !== undefined ? [parseComponent(checked, component, index, parsing)] : [];
  });
  return isList || components.length > 0 ? { kind: 'components', attribute, components } : undefined;
}

function parseComponent(data: Data, component: Component, index: number, parsing: Parsing): ComponentInput {
  const { id: written } = data;
  // Null is an id that no component has, as in Strapi v4, and so is an object.
  const id = written === undefined ? undefined : Number(typeof written === 'object' ? Number.NaN : written);
  const isNew = parsing.isNew || id === undefined;
  return { component, id, isNew, index, values: parseValues(data, component.attributes, { ...parsing, isNew }) };
}

/** An element of a zone, with Strapi v4's messages; undefined if it is refused. */
function checkInZone(element: unknown, attribute: ZoneAttribute, isList: boolean, { problems }: Parsing): unknown {
  if (isRecord(element) && componentOf(attribute, element) !== undefined) return element;
  const isNamed = isRecord(element) ? !isNothing(element['__component']) : isList;
  problems.relation ??= isNamed
    ? INVALID_RELATIONS
    : 'Cannot build relations store from dynamiczone, component identifier is undefined';
  return undefined;
}

/**
 * Data with Strapi's casts, and only with writable attributes; components keep their `id` and `__component`. A value
 * that cannot be cast is kept, so that the validator refuses it.
 * @param stamps attributes that are written although they are not writable
 */
export function castData(data: Data, attributes: Attributes, stamps: readonly string[] = []): Data {
  const cast: Record<string, unknown> = {};
  for (const [name, attribute] of attributes) {
    if (!Object.hasOwn(data, name) || data[name] === undefined) continue;
    if (!attribute.writable && !stamps.includes(name)) continue;
    cast[name] = castValue(data[name], attribute);
  }
  return cast;
}

function castValue(value: unknown, attribute: Attribute): unknown {
  if (attribute.kind === 'scalar') return value === null ? null : attributeTypes[attribute.type].cast(value);
  const isKept = !holdsComponents(attribute) || (attribute.kind === 'zone' && !Array.isArray(value));
  return isKept ? value : mapComponents(value, attribute, castComponent);
}

function castComponent(data: Data, { attributes }: { readonly attributes: Attributes }): Data {
  const names = ['id', '__component'].filter((name) => Object.hasOwn(data, name));
  return { ...Object.fromEntries(names.map((name) => [name, data[name]])), ...castData(data, attributes) };
}
