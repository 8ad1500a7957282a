import { inputType } from './definition.js';

export const scalars = ['Boolean', 'Date', 'DateTime', 'Float', 'ID', 'Int', 'JSON', 'Long', 'String', 'Time'] as const;

/** The scalars that have filter inputs. */
export type FilteredScalar = (typeof scalars)[number];

/** The operand of an operator: a list, one value, the filter input itself, or a Boolean. */
type Operand = 'list' | 'single' | 'filter' | 'Boolean';

/** The operators in the order of Strapi v4. */
export const operators = {
  and: 'list',
  or: 'list',
  not: 'filter',
  eq: 'single',
  eqi: 'single',
  ne: 'single',
  nei: 'single',
  startsWith: 'single',
  endsWith: 'single',
  contains: 'single',
  notContains: 'single',
  containsi: 'single',
  notContainsi: 'single',
  gt: 'single',
  gte: 'single',
  lt: 'single',
  lte: 'single',
  null: 'Boolean',
  notNull: 'Boolean',
  in: 'list',
  notIn: 'list',
  between: 'list',
} as const satisfies Readonly<Record<string, Operand>>;

const writeOperand: Readonly<Record<Operand, (scalar: string, filter: string) => string>> = {
  list: (scalar) => `[${scalar}]`,
  single: (scalar) => scalar,
  filter: (_, filter) => filter,
  Boolean: () => 'Boolean',
};

export const scalarFilterName = (scalar: FilteredScalar): string => `${scalar}FilterInput`;

function scalarFilter(scalar: FilteredScalar): string {
  const name = scalarFilterName(scalar);
  const fields = Object.entries(operators).map(
    ([operator, operand]) => `${operator}: ${writeOperand[operand](scalar, name)}`,
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
