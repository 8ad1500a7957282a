import { isRecord } from '../../src/config/record.js';
import { componentNames, namesOf } from '../../src/plugins/contract/graphql/names.js';
import type { Listing, Nested, Values, Wish } from './random-request.js';

/** How a schema shows entries. */
interface Form {
  /** What a field of entries selects. */
  readonly entries: (fields: string) => string;
  /** The arguments of a list. */
  readonly argumentsOf: (listing: Listing) => readonly string[];
}

const v4: Form = {
  entries: (fields) => `{ data { id attributes { ${fields} } } }`,
  argumentsOf: ({ state, start, limit, ...listing }) => [
    ...conditionsOf(listing),
    ...(state ? [`publicationState: ${state.toUpperCase()}`] : []),
    `pagination: { start: ${start}, limit: ${limit} }`,
  ],
};

/** Filters of Strapi 5 have no numbers of entries. */
const strapi5: Form = {
  entries: (fields) => `{ documentId ${fields} }`,
  argumentsOf: ({ filters, sort, start, limit }) => [
    ...conditionsOf({ filters: withoutIds(filters), sort }),
    `pagination: { start: ${start}, limit: ${limit} }`,
  ],
};

/** The document of a wish. */
export const asGraphql = ({ type, listing, values }: Wish): string =>
  `{ ${namesOf(type).find}${inBrackets(v4.argumentsOf(listing))} ${v4.entries(fieldsOf(values, '', v4))} }`;

/** The document of a wish for the schema of Strapi 5. */
export const asStrapi5Graphql = ({ type, listing, values }: Wish, status: 'draft' | 'published'): string => {
  const list = [...strapi5.argumentsOf(listing), `status: ${status.toUpperCase()}`];
  return `{ ${namesOf(type).find}${inBrackets(list)} ${strapi5.entries(fieldsOf(values, '', strapi5))} }`;
};

const conditionsOf = ({ filters, sort }: Pick<Listing, 'filters' | 'sort'>): readonly string[] => [
  ...(filters ? [`filters: ${literal(filters)}`] : []),
  ...(sort.length > 0 ? [`sort: ${literal(sort)}`] : []),
];

export const inBrackets = (list: readonly string[]): string => `(${list.join(', ')})`;

export function withoutIds<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutIds) as T;
  if (!isRecord(value)) return value;
  const named = Object.entries(value).filter(([name]) => name !== 'id');
  return Object.fromEntries(named.map(([name, inner]) => [name, withoutIds(inner)])) as T;
}

export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
  return `{ ${fields.join(', ')} }`;
}

/** Something must be selected: the name of the type does. */
const fieldsOf = ({ scalars, nested }: Values, alias: string, form: Form): string =>
  [
    '__typename',
    ...scalars.map(({ name }) => `${alias}${name}: ${name}`),
    ...nested.map((one) => nestedOf(one, alias, form)),
  ].join(' ');

function nestedOf(nested: Nested, alias: string, form: Form): string {
  const { name } = nested.attribute;
  const head = `${alias}${name}: ${name}`;
  if ('on' in nested) {
    const { components } = nested.attribute;
    const fragments = [...components].map(([uid, component]) => {
      const values = nested.on.get(uid) ?? { scalars: [], nested: [] };
      return `... on ${componentNames(component).type} { ${fieldsOf(values, aliasOf(uid), form)} }`;
    });
    return `${head} { ${fragments.join(' ')} }`;
  }
  const { attribute, listing, values } = nested;
  const fields = fieldsOf(values, '', form);
  const data = attribute.kind === 'component' ? `{ ${fields} }` : form.entries(fields);
  return `${head}${listing ? inBrackets(form.argumentsOf(listing)) : ''} ${data}`;
}

/** Of a component's fields in a zone, where those of others may have the same name and another type. */
export const aliasOf = (uid: string): string => `${uid.replaceAll(/\W/g, '_')}_`;
