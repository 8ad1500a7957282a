import slugify from '@sindresorhus/slugify';
import type { ScalarAttribute } from '../../../content-types/types.js';

/**
 * The values of an enumeration, by their names in GraphQL: as Strapi v4 writes them, `how-to` is `how_to`. A value of
 * which no letter is left, or that begins with a digit, gets an underscore in front.
 */
export function enumValues({ enum: values = [] }: ScalarAttribute): ReadonlyMap<string, string> {
  return new Map(values.map((value) => [nameOf(value), value]));
}

function nameOf(value: string): string {
  const name = slugify(value, { decamelize: false, lowercase: false, separator: '_' });
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}
