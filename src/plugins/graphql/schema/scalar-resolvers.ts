import type { IResolvers } from '@graphql-tools/utils';
import type { Component, ContentType } from '../../../content-types/types.js';
import { enumName, zoneInputName } from '../../graphql-names.js';
import { enumValues } from './enum-values.js';
import { dateScalar } from './scalars/date.js';
import { dateTimeScalar } from './scalars/date-time.js';
import { jsonScalar } from './scalars/json.js';
import { longScalar } from './scalars/long.js';
import { timeScalar } from './scalars/time.js';
import { zoneInputScalar } from './scalars/zone-input.js';

/** Of scalars and enums: what their values are, whoever reads them. */
export function scalarResolvers(types: readonly (ContentType | Component)[]): IResolvers {
  const resolvers: IResolvers = {
    Date: dateScalar,
    DateTime: dateTimeScalar,
    JSON: jsonScalar,
    Long: longScalar,
    Time: timeScalar,
  };
  for (const type of types) {
    for (const attribute of type.attributes.values()) {
      if (attribute.kind === 'scalar' && attribute.type === 'enumeration') {
        resolvers[enumName(type, attribute)] = Object.fromEntries(enumValues(attribute));
      }
      if (attribute.kind === 'zone') {
        const input = zoneInputName(type, attribute);
        resolvers[input] = zoneInputScalar(input, attribute);
      }
    }
  }
  return resolvers;
}
