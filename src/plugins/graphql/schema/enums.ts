import type { Component, ContentType } from '../../../content-types/types.js';
import { StartError } from '../../../errors/start-error.js';
import { enumName } from '../../graphql-names.js';
import { enumValues } from './enum-values.js';

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
