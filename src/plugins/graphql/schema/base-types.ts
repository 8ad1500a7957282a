import type { ScalarName } from './scalar-names.js';

const scalars = ['Boolean', 'Date', 'DateTime', 'Float', 'ID', 'Int', 'JSON', 'Long', 'String', 'Time'] as const;

/** The scalars that have filter inputs. */
type FilteredScalar = ScalarName | 'ID';

/** Operators by what they take: the scalar, a list of it, whether a value is there. */
const single = 'contains containsi endsWith eq eqi gt gte lt lte ne nei notContains notContainsi startsWith'.split(' ');
const many = ['and', 'between', 'in', 'notIn', 'or'];
const presence = ['notNull', 'null'];

export const scalarFilterName = (scalar: FilteredScalar): string => `${scalar}FilterInput`;

function scalarFilter(scalar: FilteredScalar): string {
  const fields = [
    ...single.map((operator) => `${operator}: ${scalar}`),
    ...many.map((operator) => `${operator}: [${scalar}]`),
    ...presence.map((operator) => `${operator}: Boolean`),
    `not: ${scalarFilterName(scalar)}`,
  ];
  return `input ${scalarFilterName(scalar)} {\n  ${fields.join('\n  ')}\n}`;
}

/** What every schema has, whatever the content types. */
export const baseTypes = `
scalar Date
scalar DateTime
scalar JSON
scalar Long
"A time string with format HH:mm:ss.SSS"
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
