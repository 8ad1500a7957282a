import type * as Nexus from 'nexus';
import { strictProxy } from '../../plugins/contract/strict-proxy.js';
import type { Arguments, ListLimits } from '../execute/listing.js';
import { strapiArguments } from '../execute/strapi-arguments.js';
import {
  filterOperators as operands,
  scalarFilterName,
  scalars,
  type FilteredScalar,
  type Operand,
} from '../schema/base-types.js';
import { nexus } from './extension.js';

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
const filterOperators: Readonly<Record<string, ReturnType<typeof operatorOf>>> = Object.fromEntries(
  [...operands].map(([name, operand]) => [name, operatorOf(name, operand)]),
);

/** Converts GraphQL filters to those of `entityService`: `and` becomes `$and`, `eq` becomes `$eq`. */
export type ConvertFilters = (filters: unknown, model: { readonly uid: string }) => unknown;

/** The part of Strapi v4's `service('builders')` that resolvers of projects and plugins use. */
export const createBuilders = (convert: ConvertFilters, limits: ListLimits) => ({
  filters: strictProxy('builders.filters', { operators: filterOperators }),
  utils: strictProxy("strapi.plugin('graphql').service('builders').utils", {
    /** Converts the arguments of a field to parameters of `entityService`. */
    transformArgs: (
      args: Arguments,
      {
        contentType,
        usePagination = false,
      }: { readonly contentType: { readonly uid: string }; readonly usePagination?: boolean },
    ): Arguments =>
      strapiArguments(args, {
        filters: (filters) => convert(filters, contentType),
        page: usePagination ? limits : undefined,
      }),
  }),
});
