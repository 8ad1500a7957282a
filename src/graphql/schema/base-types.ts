import { inputType } from './definition.js';
import type { ScalarName } from './scalars/scalar-names.js';

const scalars = ['Boolean', 'Date', 'DateTime', 'Float', 'ID', 'Int', 'JSON', 'Long', 'String', 'Time'] as const;

/** The scalars that have filter inputs. */
type FilteredScalar = ScalarName | 'ID';

/** The operators, in the order of Strapi v4, by what they take. */
const operators: Readonly<Record<string, (scalar: string, filter: string) => string>> = {
  and: list,
  or: list,
  not: (_, filter) => filter,
  eq: one,
  eqi: one,
  ne: one,
  nei: one,
  startsWith: one,
  endsWith: one,
  contains: one,
  notContains: one,
  containsi: one,
  notContainsi: one,
  gt: one,
  gte: one,
  lt: one,
  lte: one,
  null: () => 'Boolean',
  notNull: () => 'Boolean',
  in: list,
  notIn: list,
  between: list,
};

function one(scalar: string): string {
  return scalar;
}

function list(scalar: string): string {
  return `[${scalar}]`;
}

export const scalarFilterName = (scalar: FilteredScalar): string => `${scalar}FilterInput`;

function scalarFilter(scalar: FilteredScalar): string {
  const name = scalarFilterName(scalar);
  const fields = Object.entries(operators).map(([operator, takes]) => `${operator}: ${takes(scalar, name)}`);
  return inputType({ name, fields });
}

/** What every schema has, whatever the content types. */
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
