import { isRecord } from '../config/record.js';
import { nearestName } from '../errors/nearest-name.js';
import { attributesBehind, mapComponents } from '../content-types/model/walk.js';
import type { Attributes, ContentType, QueryParameter } from '../content-types/model/types.js';
import { entriesOf, type QueryInput } from './parse/input.js';
import { paginationParameters } from './parse/parse-pagination.js';
import { parameters } from './parse/parse-query.js';
import { operators } from './operators.js';

/** Of all requests, and of those for one entry. */
const options = ['dryRun', 'explain', 'preview'];
/** Of a populated attribute, in addition to those of lists. */
const nestedOptions = ['start', 'limit', 'count', 'on'];
const groups = ['$and', '$or', '$not'];
const conditions = [...Object.keys(operators), ...groups, '$on'];

/** Where else a list has what other systems, and former versions of Strapi, have at the top. */
const moved: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['page', 'pageSize', 'start', 'limit', 'withCount'].flatMap((name) => [
      [name, `pagination[${name}]`],
      [`_${name}`, `pagination[${name}]`],
    ]),
  ),
  where: 'filters',
  _where: 'filters',
};

/** The number of hints for one request. */
const MAX_HINTS = 5;
/** Characters of a name that is compared, and shown. */
const MAX_LENGTH = 64;

/**
 * The names of a query that the service does not know, each with the name that is meant: `populate=autor; did you mean author?`. As Strapi v4
 * it ignores most of them without a word. For people who develop a client: it decides nothing.
 */
export function hintsOf(input: QueryInput, type: ContentType): readonly string[] {
  const { attributes, parameters: declared } = type;
  const { pagination } = input;
  const own = parameters.filter(({ isOn }) => isOn?.(type) !== false).map(nameOf);
  const added = declared.map(nameOf);
  const nested = [...parameters.filter(({ isNested }) => isNested).map(nameOf), ...nestedOptions];
  const found = [
    ...Object.keys(input).flatMap((name) =>
      Object.hasOwn(moved, name)
        ? [`${name}; did you mean ${moved[name]}?`]
        : hint(name, name, [...own, ...options, ...added]),
    ),
    ...(isRecord(pagination) ? Object.keys(pagination) : []).flatMap((name) =>
      unlessKnown(`pagination[${shown(name)}]`, name, paginationParameters),
    ),
    ...declared.flatMap((parameter) => hintsOfValues(input, parameter)),
    ...hintsInSelection(input, attributes, '', [...nested, ...added]),
  ];
  return found.slice(0, MAX_HINTS);
}

/**
 * The names of written data that no attribute has, so that their values are lost, also in components; each with the name that is meant.
 * @param files the fields of the files of a form: `files.cover`
 */
export function hintsOfData(
  data: unknown,
  { attributes }: ContentType,
  files: readonly string[] = [],
): readonly string[] {
  const ofFiles = files
    .map((field) => field.replace(/^files\./, ''))
    .filter((path) => !attributes.has(path.split('.', 1)[0] ?? ''));
  return [
    ...hintsInData(data, attributes, ''),
    ...ofFiles.map((path) => unknownKey(`files.${shown(path)}`, path, [...attributes.keys()])),
  ].slice(0, MAX_HINTS);
}

function hintsInData(data: unknown, attributes: Attributes, above: string): readonly string[] {
  if (!isRecord(data)) return [];
  return entriesOf(data).flatMap(([name, value]) => {
    const place = above === '' ? shown(name) : `${above}.${shown(name)}`;
    const attribute = attributes.get(name);
    if (attribute === undefined) {
      return keysBeside.has(name) ? [] : [unknownKey(place, name, [...attributes.keys()])];
    }
    if (attribute.kind !== 'component' && attribute.kind !== 'zone') return [];
    const hints: string[] = [];
    mapComponents(value, attribute, (part, component, index) => {
      hints.push(...hintsInData(part, component.attributes, index === undefined ? place : `${place}.${index}`));
    });
    return hints;
  });
}

/** What data has beside attributes, or repeats of what it was read from. */
const keysBeside: ReadonlySet<string> = new Set(['id', '__component', 'createdAt', 'updatedAt']);

function unknownKey(place: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(shown(name), known);
  return nearest === undefined ? place : `${place}; did you mean ${nearest}?`;
}

const nameOf = ({ name }: { readonly name: string }): string => name;

const shown = (name: string): string => name.slice(0, MAX_LENGTH);

/** @param place where the name is, as the query string writes it */
function hint(place: string, name: string, known: readonly string[]): readonly string[] {
  const nearest = known.includes(name) ? undefined : nearestName(shown(name), known);
  return nearest === undefined ? [] : [`${place.slice(0, 3 * MAX_LENGTH)}; did you mean ${nearest}?`];
}

/** A hint also where no name is near: nothing else can be at this place. */
const unlessKnown = (place: string, name: string, known: readonly string[]): readonly string[] =>
  name === '' || known.includes(name) ? [] : [unknownKey(place.slice(0, 3 * MAX_LENGTH), name, known)];

/** Values of a parameter that select nothing, such as a locale that the project does not have. */
function hintsOfValues(input: QueryInput, { name, known, selects }: QueryParameter): readonly string[] {
  if (known === undefined) return [];
  const values = [...known(), ...(selects === undefined ? [] : [selects.all])];
  return [input[name]]
    .flat()
    .flatMap((value) => (typeof value === 'string' ? unlessKnown(`${name}=${shown(value)}`, value, values) : []));
}

/**
 * @param above the place of the parameters: empty, or e.g. `populate[author]`
 * @param nested the parameters of populated attributes
 */
function hintsInSelection(
  request: QueryInput,
  attributes: Attributes,
  above: string,
  nested: readonly string[],
): readonly string[] {
  const at = (name: string): string => (above === '' ? name : `${above}[${name}]`);
  const scalars = ['id', ...[...attributes.values()].flatMap(({ kind, name }) => (kind === 'scalar' ? [name] : []))];
  return [
    ...hintsInFilters(request['filters'], attributes, at('filters')),
    ...namesIn(request['fields']).flatMap((name) =>
      unlessKnown(`${at('fields')}=${shown(name)}`, name, ['*', ...scalars]),
    ),
    ...namesIn(request['sort'])
      .map((key) => key.split(':', 1)[0] ?? '')
      .filter((name) => !name.includes('.'))
      .flatMap((name) => hint(`${at('sort')}=${shown(name)}`, name, scalars)),
    ...hintsInPopulate(request['populate'], attributes, at('populate'), nested),
  ];
}

/** The names in `a,b` or a list of such. */
const namesIn = (input: unknown): readonly string[] =>
  [input]
    .flat()
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map((name) => name.trim());

/** @param attributes undefined in the conditions on a value */
function hintsInFilters(input: unknown, attributes: Attributes | undefined, place: string): readonly string[] {
  if (Array.isArray(input)) return input.flatMap((part) => hintsInFilters(part, attributes, place));
  if (!isRecord(input)) return [];
  return entriesOf(input).flatMap(([key, value]) => {
    const inside = `${place}[${shown(key)}]`;
    if (groups.includes(key)) return hintsInFilters(value, attributes, inside);
    const attribute = attributes?.get(key);
    if (attribute === undefined) {
      const names = attributes === undefined ? [] : ['id', ...attributes.keys()];
      return hint(inside, key, [...names, ...conditions]);
    }
    const within = attributesBehind(attribute);
    return within === undefined && attribute.kind !== 'scalar' ? [] : hintsInFilters(value, within, inside);
  });
}

function hintsInPopulate(
  input: unknown,
  attributes: Attributes,
  place: string,
  nested: readonly string[],
): readonly string[] {
  if (!isRecord(input))
    return namesIn(input).flatMap((path) => hintsInPath(path, attributes, `${place}=${shown(path)}`));
  return entriesOf(input).flatMap(([name, request]) => {
    const inside = `${place}[${shown(name)}]`;
    const within = attributesBehind(attributes.get(name));
    return [
      ...unlessKnown(inside, name, populated(attributes)),
      ...(isRecord(request)
        ? Object.keys(request).flatMap((key) => unlessKnown(`${inside}[${shown(key)}]`, key, nested))
        : []),
      ...(isRecord(request) && within !== undefined ? hintsInSelection(request, within, inside, nested) : []),
    ];
  });
}

/** `author.avatar`: a name, and others behind it. */
function hintsInPath(path: string, attributes: Attributes, place: string): readonly string[] {
  const [name = '', ...rest] = path.split('.');
  const within = attributesBehind(attributes.get(name));
  if (within === undefined || rest.length === 0) return unlessKnown(place, name, populated(attributes));
  return hintsInPath(rest.join('.'), within, place);
}

const populated = (attributes: Attributes): readonly string[] => ['*', 'deep', 'true', ...attributes.keys()];
