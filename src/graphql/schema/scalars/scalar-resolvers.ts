import type { IResolvers } from '@graphql-tools/utils';
import type { Component, ContentType } from '../../../content-types/model/types.js';
import { zoneInputName } from '../../../plugins/contract/graphql/names.js';
import type { collectEnums } from '../enums.js';
import { dateScalar } from './date.js';
import { dateTimeScalar } from './date-time.js';
import { jsonScalar } from './json.js';
import { longScalar } from './long.js';
import { timeScalar } from './time.js';
import { zoneInputScalar } from './zone-input.js';

/** Resolvers of scalars and enums. */
export function scalarResolvers(
  types: readonly (ContentType | Component)[],
  enums: ReturnType<typeof collectEnums>,
): IResolvers {
  const resolvers: IResolvers = {
    Date: dateScalar,
    DateTime: dateTimeScalar,
    JSON: jsonScalar,
    Long: longScalar,
    Time: timeScalar,
  };
  for (const [name, values] of enums) resolvers[name] = Object.fromEntries(values);
  for (const type of types) {
    for (const attribute of type.attributes.values()) {
      if (attribute.kind === 'zone') {
        const input = zoneInputName(type, attribute);
        resolvers[input] = zoneInputScalar(input, attribute);
      }
    }
  }
  return resolvers;
}
