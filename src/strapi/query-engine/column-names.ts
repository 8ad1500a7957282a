import lodash from 'lodash';
import type { Attributes } from '../../content-types/model/types.js';
import { attributesBehindFor, type Audience } from '../../query/visibility.js';
import type { Named } from '../strapi.js';
import { isNested } from '../../query/parse/input.js';

/** The attribute with this column in the database of Strapi v4: `publishedAt` of `published_at`. */
export const attributeOfColumn = (column: string, attributes: Attributes): string | undefined =>
  [...attributes.values()].find(({ kind, name }) => kind === 'scalar' && lodash.snakeCase(name) === column)?.name;

/** The attributes by their columns in the database of Strapi v4. */
export const columnsOf = (attributes: Named): Named<string> =>
  Object.fromEntries(['id', ...Object.keys(attributes)].map((name) => [lodash.snakeCase(name), name]));

/**
 * A `where` with names of attributes in place of columns, which Strapi v4 hands on to its database. What is neither
 * stays, so that it is refused.
 */
export function nameAttributes(where: unknown, attributes: Attributes, audience: Audience): unknown {
  if (Array.isArray(where)) return where.map((part) => nameAttributes(part, attributes, audience));
  if (!isNested(where)) return where;
  const named: (readonly [string, unknown])[] = [];
  const more: unknown[] = [];
  for (const [key, value] of Object.entries(where)) {
    const attribute = attributes.get(key);
    const isKnown = attribute !== undefined || key === 'id' || key.startsWith('$');
    const name = isKnown ? key : (attributeOfColumn(key, attributes) ?? key);
    const behind = attributesBehindFor(attribute, audience);
    const isGroup = key === '$and' || key === '$or' || key === '$not';
    const inner = isGroup ? attributes : behind;
    const renamed = inner === undefined ? value : nameAttributes(value, inner, audience);
    // Both the attribute and its column.
    if (name !== key && Object.hasOwn(where, name)) more.push({ [name]: renamed });
    else named.push([name, renamed]);
  }
  return more.length === 0 ? Object.fromEntries(named) : { $and: [Object.fromEntries(named), ...more] };
}
