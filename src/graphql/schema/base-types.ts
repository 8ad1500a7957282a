import { inputType } from './definition.js';
import type { ScalarName } from './scalars/scalar-names.js';

const scalars = ['Boolean', 'Date', 'DateTime', 'Float', 'ID', 'Int', 'JSON', 'Long', 'String', 'Time'] as const;

/** The scalars that have filter inputs. */
type FilteredScalar = ScalarName | 'ID';

/** The operators in the order of Strapi v4, by operand. */
const operators: Readonly<Record<string, (scalar: string, filter: string) => string>> = {
  and: list,
  or: list,
  not: (_, filter) => filter,
  eq: single,
  eqi: single,
  ne: single,
  nei: single,
  startsWith: single,
  endsWith: single,
  contains: single,
  notContains: single,
  containsi: single,
  notContainsi: single,
  gt: single,
  gte: single,
  lt: single,
  lte: single,
  null: () => 'Boolean',
  notNull: () => 'Boolean',
  in: list,
  notIn: list,
  between: list,
};

function single(scalar: string): string {
  return scalar;
}

function list(scalar: string): string {
  return `[${scalar}]`;
}

export const scalarFilterName = (scalar: FilteredScalar): string => `${scalar}FilterInput`;

function scalarFilter(scalar: FilteredScalar): string {
  const name = scalarFilterName(scalar);
  const fields = Object.entries(operators).map(
    ([operator, writeOperator]) => `${operator}: ${writeOperator(scalar, name)}`,
  );
  return inputType({ name, fields });
}

/** The parts of every schema, independent of content types. */
export const baseTypes = `
scalar Date
scalar DateTime
scalar JSON
scalar Long
scalar Time

type Error {
  code: String!
  message: String
}

type Pagination {
  total: Int!
  page: Int!
  pageSize: Int!
  pageCount: Int!
}

type ResponseCollectionMeta {
  pagination: Pagination!
}

input PaginationArg {
  page: Int
  pageSize: Int
  start: Int
  limit: Int
}

enum PublicationState {
  LIVE
  PREVIEW
}

${scalars.map(scalarFilter).join('\n\n')}
`;
