import { isRecord } from '../config/record.js';
import { nearestName } from '../errors/nearest-name.js';
import { attributesBehind, componentOf, holdsComponents } from '../content-types/model/walk.js';
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
 * The names of a query that the service does not know, each with the name that is meant: `populate=autor; did you mean
 * author?`. As Strapi v4 it ignores most of them without a word. For people who develop a client: it decides nothing.
 */
export function hintsOf(input: QueryInput, type: ContentType): readonly string[] {
  const { attributes, parameters: declared } = type;
  const { pagination } = input;
  const own = parameters.filter(({ isOn }) => isOn?.(type) !== false).map(nameOf);
  const added = declared.map(nameOf);
  const nested = [...parameters.filter(({ isNested }) => isNested).map(nameOf), ...nestedOptions];
  const known = [...own, ...options, ...added];
  const find = function* (): Hints {
    for (const name of Object.keys(input)) {
      if (Object.hasOwn(moved, name)) yield `${name}; did you mean ${moved[name]}?`;
      else yield* hint(name, name, known);
    }
    if (isRecord(pagination))
      for (const name of Object.keys(pagination))
        yield* unlessKnown(`pagination[${shown(name)}]`, name, paginationParameters);
    for (const parameter of declared) yield* hintsOfValues(input, parameter);
    yield* hintsInSelection(input, attributes, '', [...nested, ...added]);
  };
  return firstOf(find());
}

/** Hints are found one by one: after the last that is shown, no name is compared any more. */
type Hints = Generator<string, void, undefined>;

function firstOf(hints: Hints): readonly string[] {
  const found: string[] = [];
  for (const hint of hints) {
    found.push(hint);
    if (found.length === MAX_HINTS) break;
  }
  return found;
}

/**
 * The names of written data that no attribute has, so that their values are lost, also in components; each with the
 * name that is meant.
 * @param files the fields of the files of a form: `files.cover`
 */
export function hintsOfData(
  data: unknown,
  { attributes }: ContentType,
  files: readonly string[] = [],
): readonly string[] {
  const find = function* (): Hints {
    yield* hintsInData(data, attributes, '');
    for (const path of files.map((field) => field.replace(/^files\./, '')))
      if (!attributes.has(path.split('.', 1)[0] ?? ''))
        yield unknownKey(`files.${shown(path)}`, path, [...attributes.keys()]);
  };
  return firstOf(find());
}

function* hintsInData(data: unknown, attributes: Attributes, above: string): Hints {
  if (!isRecord(data)) return;
  for (const [name, value] of entriesOf(data)) {
    const place = above === '' ? shown(name) : `${above}.${shown(name)}`;
    const attribute = attributes.get(name);
    if (attribute === undefined) {
      if (!keysBeside.has(name)) yield unknownKey(place, name, [...attributes.keys()]);
    } else if (holdsComponents(attribute)) {
      for (const [index, part] of (Array.isArray(value) ? (value as readonly unknown[]) : [value]).entries()) {
        const component = isRecord(part) ? componentOf(attribute, part) : undefined;
        if (component !== undefined)
          yield* hintsInData(part, component.attributes, Array.isArray(value) ? `${place}.${index}` : place);
      }
    }
  }
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
function* hint(place: string, name: string, known: readonly string[]): Hints {
  const nearest = known.includes(name) ? undefined : nearestName(shown(name), known);
  if (nearest !== undefined) yield `${place.slice(0, 3 * MAX_LENGTH)}; did you mean ${nearest}?`;
}

/** A hint also where no name is near: nothing else can be at this place. */
function* unlessKnown(place: string, name: string, known: readonly string[]): Hints {
  if (name !== '' && !known.includes(name)) yield unknownKey(place.slice(0, 3 * MAX_LENGTH), name, known);
}

/** Values of a parameter that select nothing, such as a locale that the project does not have. */
function* hintsOfValues(input: QueryInput, { name, known, selects }: QueryParameter): Hints {
  if (known === undefined) return;
  const values = [...known(), ...(selects === undefined ? [] : [selects.all])];
  for (const value of [input[name]].flat())
    if (typeof value === 'string') yield* unlessKnown(`${name}=${shown(value)}`, value, values);
}

/**
 * @param above the place of the parameters: empty, or e.g. `populate[author]`
 * @param nested the parameters of populated attributes
 */
function* hintsInSelection(
  request: QueryInput,
  attributes: Attributes,
  above: string,
  nested: readonly string[],
): Hints {
  const at = (name: string): string => (above === '' ? name : `${above}[${name}]`);
  const scalars = ['id', ...[...attributes.values()].flatMap(({ kind, name }) => (kind === 'scalar' ? [name] : []))];
  yield* hintsInFilters(request['filters'], attributes, at('filters'));
  for (const name of namesIn(request['fields']))
    yield* unlessKnown(`${at('fields')}=${shown(name)}`, name, ['*', ...scalars]);
  for (const name of namesIn(request['sort']).map((key) => key.split(':', 1)[0] ?? ''))
    if (!name.includes('.')) yield* hint(`${at('sort')}=${shown(name)}`, name, scalars);
  yield* hintsInPopulate(request['populate'], attributes, at('populate'), nested);
}

/** The names in `a,b` or a list of such. */
const namesIn = (input: unknown): readonly string[] =>
  [input]
    .flat()
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map((name) => name.trim());

/** @param attributes undefined in the conditions on a value */
function* hintsInFilters(input: unknown, attributes: Attributes | undefined, place: string): Hints {
  if (Array.isArray(input)) for (const part of input) yield* hintsInFilters(part, attributes, place);
  if (!isRecord(input)) return;
  for (const [key, value] of entriesOf(input)) {
    const inside = `${place}[${shown(key)}]`;
    const attribute = attributes?.get(key);
    if (groups.includes(key)) yield* hintsInFilters(value, attributes, inside);
    else if (attribute === undefined) {
      const names = attributes === undefined ? [] : ['id', ...attributes.keys()];
      yield* hint(inside, key, [...names, ...conditions]);
    } else {
      const within = attributesBehind(attribute);
      if (within !== undefined || attribute.kind === 'scalar') yield* hintsInFilters(value, within, inside);
    }
  }
}

function* hintsInPopulate(input: unknown, attributes: Attributes, place: string, nested: readonly string[]): Hints {
  if (!isRecord(input)) {
    for (const path of namesIn(input)) yield* hintsInPath(path, attributes, `${place}=${shown(path)}`);
    return;
  }
  for (const [name, request] of entriesOf(input)) {
    const inside = `${place}[${shown(name)}]`;
    const within = attributesBehind(attributes.get(name));
    yield* unlessKnown(inside, name, populated(attributes));
    if (!isRecord(request)) continue;
    for (const key of Object.keys(request)) yield* unlessKnown(`${inside}[${shown(key)}]`, key, nested);
    if (within !== undefined) yield* hintsInSelection(request, within, inside, nested);
  }
}

/** `author.avatar`: a name, and others behind it. */
function* hintsInPath(path: string, attributes: Attributes, place: string): Hints {
  const [name = '', ...rest] = path.split('.');
  const within = attributesBehind(attributes.get(name));
  if (within === undefined || rest.length === 0) yield* unlessKnown(place, name, populated(attributes));
  else yield* hintsInPath(rest.join('.'), within, place);
}

const populated = (attributes: Attributes): readonly string[] => ['*', 'deep', 'true', ...attributes.keys()];
