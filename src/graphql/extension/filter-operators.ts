import type * as Nexus from 'nexus';
import { filterOperators, scalarFilterName, scalars, type FilteredScalar, type Operand } from '../schema/base-types.js';

/** An operator of filters: Strapi v4's `service('builders').filters.operators`. */
export interface FilterOperator {
  /** In filters of clients. */
  readonly fieldName: string;
  /** In filters of `entityService`. */
  readonly strapiOperator: string;
  /** Adds its field to the filter input of a scalar, or to that of a content type. */
  readonly add: (filters: Pick<Nexus.blocks.InputDefinitionBlock<string>, 'field'>, type: string) => void;
}

/** Whether a type of the schema is a scalar. */
export const isGraphqlScalar = (type: string): type is FilteredScalar => scalars.some((scalar) => scalar === type);

/** @param nexus loads the package, only when an operator adds its field */
export const createFilterOperators = (nexus: () => typeof Nexus): Readonly<Record<string, FilterOperator>> => {
  const typeOf = (operand: Operand, type: string): string | Nexus.core.NexusListDef<string> => {
    switch (operand) {
      case 'list':
        return nexus().list(type);
      case 'Boolean':
        return 'Boolean';
      case 'filter':
        return isGraphqlScalar(type) ? scalarFilterName(type) : type;
      case 'single':
        return type;
      default:
        return operand satisfies never;
    }
  };
  const operatorOf = (fieldName: string, operand: Operand): FilterOperator => ({
    fieldName,
    strapiOperator: `$${fieldName}`,
    add: (filters, type) => filters.field(fieldName, { type: typeOf(operand, type) }),
  });
  return Object.fromEntries([...filterOperators].map(([name, operand]) => [name, operatorOf(name, operand)]));
};
