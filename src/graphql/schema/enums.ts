import { slugOf } from '../../documents/slug.js';
import lodash from 'lodash';
import type { Component, ContentType, ScalarAttribute } from '../../content-types/model/types.js';
import { StartError } from '../../errors/start-error.js';
import { enumName } from '../../plugins/contract/graphql/names.js';

/**
 * The enums of the enumerations, by name. Those that are called the same in their definitions and have the same values
 * are one.
 */
export function collectEnums(
  types: readonly (ContentType | Component)[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const enums = new Map<string, { readonly usedBy: string; readonly values: ReadonlyMap<string, string> }>();
  for (const type of types) {
    for (const attribute of type.attributes.values()) {
      if (attribute.kind !== 'scalar' || attribute.type !== 'enumeration') continue;
      const [name, values, where] = [enumName(type, attribute), enumValues(attribute), `${type.uid} ${attribute.name}`];
      const existing = enums.get(name);
      if (existing !== undefined && !lodash.isEqual(existing.values, values)) {
        throw new StartError(`enumName "${name}" is used by ${existing.usedBy} and by ${where} with different values`);
      }
      enums.set(name, { usedBy: where, values });
    }
  }
  return new Map([...enums].map(([name, { values }]) => [name, values]));
}

/**
 * The values of an enumeration, by their names in GraphQL: as Strapi v4 writes them, `how-to` is `how_to`. A value of
 * which no letter is left, or that begins with a digit, gets an underscore in front.
 */
export function enumValues({ enum: values = [] }: ScalarAttribute): ReadonlyMap<string, string> {
  return new Map(values.map((value) => [nameOf(value), value]));
}

function nameOf(value: string): string {
  const name = slugOf(value, { decamelize: false, lowercase: false, separator: '_' });
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

/** Whether an attribute names its enum; such names can clash. */
export const namesEnum = ({ attributes }: ContentType | Component): boolean =>
  [...attributes.values()].some((attribute) => (attribute as Partial<ScalarAttribute>).enumName !== undefined);
