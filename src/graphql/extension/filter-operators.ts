import type * as Nexus from 'nexus';
import { operators, scalarFilterName, scalars, type FilteredScalar } from '../schema/base-types.js';

type Filters = Pick<Nexus.blocks.InputDefinitionBlock<string>, 'field'>;
type Name = keyof typeof operators;

/** An operator of filters: Strapi v4's `service('builders').filters.operators`. */
export interface FilterOperator {
  /** In filters of clients. */
  readonly fieldName: Name;
  /** In filters of `entityService`. */
  readonly strapiOperator: string;
  /** Adds its field to the filter input of a scalar, or to that of a content type. */
  readonly add: (filters: Filters, type: string) => void;
}

/** Whether a type of the schema is a scalar. */
export const isGraphqlScalar = (type: string): type is FilteredScalar => scalars.some((scalar) => scalar === type);

/** @param nexus loads the package, only when an operator adds its field */
export const createFilterOperators = (nexus: () => typeof Nexus): Readonly<Record<Name, FilterOperator>> => {
  const typeOf = (fieldName: Name, type: string): string | Nexus.core.NexusListDef<string> => {
    switch (operators[fieldName]) {
      case 'list':
        return nexus().list(type);
      case 'Boolean':
        return 'Boolean';
      case 'filter':
        return isGraphqlScalar(type) ? scalarFilterName(type) : type;
      case 'single':
        return type;
      default:
        return operators[fieldName] satisfies never;
    }
  };
  const operatorOf = (fieldName: Name): FilterOperator => ({
    fieldName,
    strapiOperator: `$${fieldName}`,
    add: (filters, type) => filters.field(fieldName, { type: typeOf(fieldName, type) }),
  });
  const names = Object.keys(operators) as Name[];
  return Object.fromEntries(names.map((name) => [name, operatorOf(name)])) as Record<Name, FilterOperator>;
};
