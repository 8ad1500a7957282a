import lodash from 'lodash';
import type { RawDefinitions } from './models.js';

/** Definitions with the private attributes that `responses.privateAttributes` of `config/api` names for all types. */
export function addPrivateAttributes<D extends RawDefinitions>(definitions: D, names: readonly string[]): D {
  if (names.length === 0) return definitions;
  return {
    ...definitions,
    contentTypes: definitions.contentTypes.map(({ definition, ...type }) => ({
      ...type,
      definition: {
        ...definition,
        options: {
          ...definition.options,
          privateAttributes: [...new Set([...(definition.options?.privateAttributes ?? []), ...names])],
        },
      },
    })),
    components: definitions.components.map(({ definition, ...component }) => ({
      ...component,
      definition: {
        ...definition,
        attributes: lodash.mapValues(definition.attributes, (attribute, name) =>
          names.includes(name) ? { ...attribute, private: true } : attribute,
        ),
      },
    })),
  };
}
