import slugify from '@sindresorhus/slugify';
import type { Component, ContentType, ScalarAttribute } from '../../content-types/model/types.js';
import { StartError } from '../../errors/start-error.js';
import { enumName } from '../../plugins/contract/graphql/names.js';

/** The enums of the enumerations, by name. Those that are called the same in their definitions and have the same values are one. */
export function collectEnums(
  types: readonly (ContentType | Component)[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const enums = new Map<string, { readonly of: string; readonly values: ReadonlyMap<string, string> }>();
  for (const of of types) {
    for (const attribute of of.attributes.values()) {
      if (attribute.kind !== 'scalar' || attribute.type !== 'enumeration') continue;
      const [name, values, where] = [enumName(of, attribute), enumValues(attribute), `${of.uid} ${attribute.name}`];
      const known = enums.get(name);
      if (known !== undefined && !isSame(known.values, values)) {
        throw new StartError(`enumName "${name}" is that of ${known.of} and of ${where}, whose values differ`);
      }
      enums.set(name, { of: where, values });
    }
  }
  return new Map([...enums].map(([name, { values }]) => [name, values]));
}

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([name, value]) => other.get(name) === value);

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

/** Does an attribute say what its enum is called? Then the names may clash. */
export const namesEnum = ({ attributes }: ContentType | Component): boolean =>
  [...attributes.values()].some((attribute) => (attribute as Partial<ScalarAttribute>).enumName !== undefined);
