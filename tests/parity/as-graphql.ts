import { isRecord } from '../../src/config/record.js';
import { componentNames, namesOf } from '../../src/plugins/contract/graphql/names.js';
import type { Listing, Nested, Values, Wish } from './random-request.js';

/** The document of a wish. */
export const asGraphql = ({ type, listing, values }: Wish): string =>
  `{ ${namesOf(type).find}${argumentsOf(listing)} { data ${entity(values)} } }`;

function argumentsOf({ filters, sort, start, limit, state }: Listing): string {
  const list = [
    ...(filters ? [`filters: ${literal(filters)}`] : []),
    ...(sort.length > 0 ? [`sort: ${literal(sort)}`] : []),
    ...(state ? [`publicationState: ${state.toUpperCase()}`] : []),
    `pagination: { start: ${start}, limit: ${limit} }`,
  ];
  return `(${list.join(', ')})`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
  return `{ ${fields.join(', ')} }`;
}

const entity = (values: Values): string => `{ id attributes { ${fieldsOf(values, '')} } }`;

/** Something must be selected: the name of the type does. */
const fieldsOf = ({ scalars, nested }: Values, alias: string): string =>
  [
    '__typename',
    ...scalars.map(({ name }) => `${alias}${name}: ${name}`),
    ...nested.map((one) => nestedOf(one, alias)),
  ].join(' ');

function nestedOf(nested: Nested, alias: string): string {
  const { name } = nested.attribute;
  const head = `${alias}${name}: ${name}`;
  if ('on' in nested) {
    const { components } = nested.attribute;
    const fragments = [...components].map(([uid, component]) => {
      const values = nested.on.get(uid) ?? { scalars: [], nested: [] };
      return `... on ${componentNames(component).type} { ${fieldsOf(values, aliasOf(uid))} }`;
    });
    return `${head} { ${fragments.join(' ')} }`;
  }
  const { attribute, listing, values } = nested;
  const data = attribute.kind === 'component' ? `{ ${fieldsOf(values, '')} }` : `{ data ${entity(values)} }`;
  return `${head}${listing ? argumentsOf(listing) : ''} ${data}`;
}

/** Of a component's fields in a zone, where those of others may have the same name and another type. */
export const aliasOf = (uid: string): string => `${uid.replaceAll(/\W/g, '_')}_`;
