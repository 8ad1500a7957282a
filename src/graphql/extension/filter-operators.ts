import type * as Nexus from 'nexus';
import { nexus } from './extension.js';
import {
  filterOperators as operands,
  scalarFilterName,
  scalars,
  type FilteredScalar,
  type Operand,
} from '../schema/base-types.js';

/** Whether a type of the schema is a scalar. */
export const isGraphqlScalar = (type: string): type is FilteredScalar => scalars.some((scalar) => scalar === type);

/** The type of an operator's field in the filters of a scalar or of a content type. */
function typeOf(operand: Operand, type: string): string | Nexus.core.NexusListDef<string> {
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
}

const operatorOf = (fieldName: string, operand: Operand) => ({
  /** In filters of clients. */
  fieldName,
  /** In filters of `entityService`. */
  strapiOperator: `$${fieldName}`,
  /** Adds its field to the filter input of a scalar, or to that of a content type. */
  add: (filters: Pick<Nexus.blocks.InputDefinitionBlock<string>, 'field'>, type: string): void =>
    filters.field(fieldName, { type: typeOf(operand, type) }),
});

/** The operators of filters: Strapi v4's `service('builders').filters.operators`. */
export const filterOperators: Readonly<Record<string, ReturnType<typeof operatorOf>>> = Object.fromEntries(
  [...operands].map(([name, operand]) => [name, operatorOf(name, operand)]),
);
