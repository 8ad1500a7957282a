import {
  canReadRelation,
  componentsIn,
  generatedNames,
  holdsComponents,
  isRecord,
  type Attribute,
  type Attributes,
  type Caller,
  type ContentType,
  type Data,
} from 'content-service/plugin';
import { below, invalidDataKey } from '../strict/invalid-key.js';

/**
 * What data may have although it has no effect: the request says in its parameters what an entry becomes (recorded:
 * 20-writes).
 */
const withoutEffect: ReadonlySet<string> = new Set(['publishedAt', 'locale']);

/** What components have beside their attributes. */
const ofComponents: ReadonlySet<string> = new Set(['id', 'documentId', '__component']);

/**
 * Refuses the first name in the data of a write that it cannot have, in the order of Strapi 5: ids, what the service
 * sets, unknown names, and relations to types that the caller may not list.
 * @throws AppError invalidInput
 */
export function checkData(data: Data, type: ContentType, caller: Caller): void {
  for (const name of ['id', 'documentId']) if (Object.hasOwn(data, name)) throw invalidDataKey(name);
  const visit = (check: Check): void => visitNames(data, type.attributes, null, check);
  visit((name, attribute, path) => {
    const isSet = path === null && generatedNames.has(name) && !withoutEffect.has(name);
    if (isSet || attribute?.writable === false) throw invalidDataKey(name, below(path, name));
  });
  visit((name, attribute, path) => {
    if (attribute !== undefined || (path === null ? withoutEffect : ofComponents).has(name)) return;
    throw invalidDataKey(name, path);
  });
  visit((name, attribute, path, value) => {
    const unknown = attribute && unknownInRelation(value, attribute);
    if (unknown !== undefined) throw invalidDataKey(unknown, below(path, name));
    if (attribute === undefined || mayName(attribute, value, caller)) return;
    throw invalidDataKey(name, below(path, name));
  });
}

/** @param path of the attributes around the name; null at the first level */
type Check = (name: string, attribute: Attribute | undefined, path: string | null, value: unknown) => void;

function visitNames(data: Data, attributes: Attributes, path: string | null, check: Check): void {
  for (const [name, value] of Object.entries(data)) {
    const attribute = attributes.get(name);
    check(name, attribute, path, value);
    if (!holdsComponents(attribute)) continue;
    for (const { data: inner, component } of componentsIn(value, attribute))
      if (component !== undefined) visitNames(inner, component.attributes, below(path, name), check);
  }
}

/** What changes a relation. */
const ofChanges: ReadonlySet<string> = new Set(['set', 'connect', 'disconnect', 'options']);

/** What names an entry, beside its values, which have no effect. */
const ofItems: ReadonlySet<string> = new Set(['id', 'documentId', 'locale', '__type']);

/** An entry in a change has a place, too. Source: `throwUnrecognizedFields` of Strapi 5.54. */
const ofChangedItems: ReadonlySet<string> = new Set([...ofItems, 'status', 'position']);

/** The first name in a written relation that means nothing. */
function unknownInRelation(value: unknown, attribute: Attribute, allowed = ofItems): string | undefined {
  if (attribute.kind !== 'relation' && attribute.kind !== 'morphed') return undefined;
  const { attributes } = attribute.target;
  for (const item of [value].flat().filter(isRecord)) {
    const isChange = Object.keys(item).some((name) => ofChanges.has(name));
    const isKnown = (name: string): boolean =>
      (isChange ? ofChanges.has(name) : attributes.has(name)) || allowed.has(name);
    const unknown = Object.keys(item).find((name) => !isKnown(name));
    if (unknown !== undefined) return unknown;
    const inner = isChange
      ? unknownInRelation([item['set'], item['connect'], item['disconnect']].flat(), attribute, ofChangedItems)
      : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Whether the caller may name the entries of a written relation. */
function mayName(attribute: Attribute, value: unknown, caller: Caller): boolean {
  if (attribute.kind !== 'morph') return canReadRelation(attribute, caller);
  const lists = isRecord(value) && !Object.hasOwn(value, '__type') ? [value['set'], value['connect']] : [value];
  return lists.flat().every((link) => {
    const uid = isRecord(link) ? link['__type'] : undefined;
    return typeof uid !== 'string' || caller.may(`${uid}.find`);
  });
}
