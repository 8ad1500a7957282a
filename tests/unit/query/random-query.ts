import { attributesBehind } from '../../../src/content-types/model/walk.js';
import type { Attribute, ContentType } from '../../../src/content-types/model/types.js';
import { operators } from '../../../src/query/operators.js';

type Attributes = ReadonlyMap<string, Attribute>;

/** Names that mean something to JavaScript, to the database or to the parser of query strings. */
export const hostileNames = [
  '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length',
  '$where', '$expr', '$function', '$lookup', '$out', '$jsonSchema', '$regex', '$elemMatch', '$type', '$ids', '$$ROOT',
  '_id', '_live', '_rank', '__type', '__component', '__v', 'author.name', 'seo.metaTitle', 'title.$gt', '$title', 't0.title',
  'internalNote', 'notes', 'secret', 'pin', 'password', 'hidden', 'margin', 'createdBy', 'localizations',
  'a\0b', '\0', '[', ']', ']]', '[$eq', '%', '.', '..', '', ' ', '0', '-1', '100', '4294967296', '*', 'nope',
]; // prettier-ignore

const values = [
  'Ada', '', '1', '0', '-1', '2.5', '1e999', 'NaN', '9007199254740993', '99999999999999999999', 'true', 'false', 'f', 'null', '*',
  '2024-01-01', '2024-02-30', '2024-01-01T00:00:00.000Z', '09:30:00', '1700000000000', 'asc', 'desc', 'live', 'preview',
  '$where', '$$ROOT', '$title', '__proto__', 'constructor', 'a,b', 'title', 'title:desc', 'id', 'author.name', 'author.notes:asc',
  'seo.metaTitle', 'tags.name', 'secret', 'internalNote', 'a\0b', '\0', '[', ']', '(a+)+$', '\uD800', 'ß', 'x'.repeat(300),
]; // prettier-ignore

/**
 * Makes a query string out of a tape of numbers: each choice takes the next number, so that a shorter tape or a smaller
 * number is a simpler query. Mostly it follows the content type, so that many queries are good, or nearly so.
 */
export function randomQuery(tape: readonly number[], type: ContentType): string {
  let at = 0;
  /** Values that the parameter under way takes. */
  let fitting: readonly string[] = values;
  const next = (): number => tape[at++] ?? 0;
  const oneOf = <T>(list: readonly T[]): T => list[next() % list.length] ?? raise('nothing to choose from');
  const chance = (percent: number): boolean => next() % 100 >= 100 - percent;
  const nameOf = (attributes: Attributes, kinds: 'any' | 'deep' = 'any'): string => {
    const isWanted = ({ kind, private: hidden }: Attribute): boolean =>
      kinds === 'any' || (kind !== 'scalar' && !hidden);
    const names = [...attributes.values()].filter(isWanted).map(({ name }) => name);
    return names.length === 0 || chance(4) ? oneOf(hostileNames) : oneOf(names);
  };

  function filters(attributes: Attributes, depth: number): readonly string[] {
    fitting = values;
    if (chance(15)) return [oneOf(['$and', '$or']), String(next() % 3), ...filters(attributes, depth)];
    if (chance(10)) return ['$not', ...filters(attributes, depth)];
    const name = nameOf(attributes, chance(40) ? 'deep' : 'any');
    const inner = attributesBehind(attributes.get(name));
    if (inner !== undefined && depth < 4 && !chance(10)) return [name, ...filters(inner, depth + 1)];
    return [name, ...condition()];
  }
  function condition(): readonly string[] {
    if (chance(10)) return ['$not', ...condition()];
    if (chance(10)) return [];
    const operator = chance(8) ? oneOf(hostileNames) : oneOf(Object.keys(operators));
    return chance(30) ? [operator, String(next() % 3)] : [operator];
  }
  function sort(attributes: Attributes, depth: number): readonly string[] {
    fitting = ['asc', 'desc'];
    const name = nameOf(attributes, chance(30) ? 'deep' : 'any');
    const inner = attributesBehind(attributes.get(name));
    return inner !== undefined && depth < 3 ? [name, ...sort(inner, depth + 1)] : [name];
  }
  function populate(attributes: Attributes, depth: number): readonly string[] {
    fitting = ['true', 'false', '*'];
    const name = nameOf(attributes, 'deep');
    const attribute = attributes.get(name);
    if (depth > 4 || chance(20)) return [name];
    if (attribute?.kind === 'zone') return [name, 'on', ...component(attribute.components, depth)];
    if (attribute?.kind === 'morph') return [name, 'on', ...component(attribute.candidates, depth)];
    const inner = attributesBehind(attribute);
    return inner === undefined ? [name] : [name, ...part(inner, depth + 1)];
  }
  function component(candidates: ReadonlyMap<string, { attributes: Attributes }>, depth: number): readonly string[] {
    const uid = chance(10) ? oneOf(hostileNames) : oneOf([...candidates.keys()]);
    return [uid, ...part(candidates.get(uid)?.attributes ?? new Map(), depth + 1)];
  }
  /** Takes names of attributes as its value. */
  function named(name: string, attributes: Attributes): readonly string[] {
    fitting = [...attributes.keys(), '*', 'id'];
    return chance(50) ? [name] : [name, String(next() % 3)];
  }
  /** One parameter of a query, as the names in its brackets. */
  function part(attributes: Attributes, depth: number): readonly string[] {
    const parts = [
      () => ['filters', ...filters(attributes, depth)],
      () => ['populate', ...populate(attributes, depth)],
      () => ['filters', ...filters(attributes, depth)],
      () => ['populate', ...populate(attributes, depth)],
      () => ['sort', ...sort(attributes, depth)],
      () => named(oneOf(['fields', 'sort', 'populate']), attributes),
      () => slice(depth),
      () => [oneOf(['sort', 'fields', 'populate', 'filters', 'publicationState', 'on', 'locale', '_q'])],
      () => [oneOf(hostileNames), oneOf(hostileNames)],
    ];
    fitting = values;
    return oneOf(parts)();
  }
  function slice(depth: number): readonly string[] {
    fitting = ['1', '2', '0', '-1', '50'];
    return depth > 0
      ? [oneOf(['limit', 'start'])]
      : ['pagination', oneOf(['page', 'pageSize', 'start', 'limit', 'after'])];
  }
  function parameter(): string {
    const [first = '', ...rest] = part(type.attributes, 0).map((name) => (chance(2) ? name : encode(name)));
    const key = first + rest.map((name) => `[${name}]`).join('');
    return chance(3) ? key : `${key}=${encode(oneOf(chance(90) ? fitting : values))}`;
  }
  return Array.from({ length: 1 + (next() % 4) }, parameter).join('&');
}

function raise(message: string): never {
  throw new Error(message);
}

/** Percent-encodes the string, except half a surrogate pair, which cannot be encoded. */
const encode = (text: string): string => (/\p{Surrogate}/u.test(text) ? text : encodeURIComponent(text));
