import type { IResolvers } from '@graphql-tools/utils';
import type { Component, ContentType } from '../../../content-types/types.js';
import { enumName, GENERIC_MORPH, typeName, zoneInputName, zoneName } from '../names.js';
import { enumValues } from './enum-values.js';
import { dateScalar } from './scalars/date.js';
import { dateTimeScalar } from './scalars/date-time.js';
import { jsonScalar } from './scalars/json.js';
import { longScalar } from './scalars/long.js';
import { timeScalar } from './scalars/time.js';
import { zoneInputScalar } from './scalars/zone-input.js';

/** Scalars, enums and unions: what values of generated types are, whoever reads them. */
export function valueResolvers(types: readonly (ContentType | Component)[]): IResolvers {
  const names = new Map(types.map((type) => [type.uid, typeName(type)]));
  /** Components of a zone say in `__component` what they are, what a morph leads to in `__type`. */
  const named = (key: '__component' | '__type') => ({
    __resolveType: (value: Readonly<Record<string, unknown>>) => names.get(String(value[key])),
  });
  const resolvers: IResolvers = {
    Date: dateScalar,
    DateTime: dateTimeScalar,
    JSON: jsonScalar,
    Long: longScalar,
    Time: timeScalar,
    [GENERIC_MORPH]: named('__type'),
  };
  for (const type of types) {
    for (const attribute of type.attributes.values()) {
      if (attribute.kind === 'scalar' && attribute.type === 'enumeration') {
        resolvers[enumName(type, attribute)] = Object.fromEntries(enumValues(attribute));
      }
      if (attribute.kind === 'zone') {
        const input = zoneInputName(type, attribute);
        resolvers[zoneName(type, attribute)] = named('__component');
        resolvers[input] = zoneInputScalar(input, attribute);
      }
    }
  }
  return resolvers;
}
