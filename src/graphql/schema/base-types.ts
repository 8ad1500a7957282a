import { operators, type OperatorRule } from '../../query/operators.js';
import { inputType } from './definition.js';

export const scalars = ['Boolean', 'Date', 'DateTime', 'Float', 'ID', 'Int', 'JSON', 'Long', 'String', 'Time'] as const;

/** The scalars that have filter inputs. */
export type FilteredScalar = (typeof scalars)[number];

/** The operand of an operator: a list, one value, the filter input itself, or a Boolean. */
export type Operand = 'list' | 'single' | 'filter' | 'Boolean';

const operandOf: Readonly<Record<OperatorRule['operands'], Operand>> = {
  each: 'single',
  many: 'list',
  pair: 'list',
  flag: 'Boolean',
};

/** The operators in the order of Strapi v4. */
export const filterOperators: ReadonlyMap<string, Operand> = new Map([
  ['and', 'list'],
  ['or', 'list'],
  ['not', 'filter'],
  ...Object.entries(operators)
    .flatMap(([name, { graphql: place, operands }]) => (place === undefined ? [] : [{ name, place, operands }]))
    .toSorted((first, second) => first.place - second.place)
    .map(({ name, operands }) => [name.slice(1), operandOf[operands]] as const),
]);

const writeOperand: Readonly<Record<Operand, (scalar: string, filter: string) => string>> = {
  list: (scalar) => `[${scalar}]`,
  single: (scalar) => scalar,
  filter: (_, filter) => filter,
  Boolean: () => 'Boolean',
};

export const scalarFilterName = (scalar: FilteredScalar): string => `${scalar}FilterInput`;

function scalarFilter(scalar: FilteredScalar): string {
  const name = scalarFilterName(scalar);
  const fields = [...filterOperators].map(
    ([operator, operand]) => `${operator}: ${writeOperand[operand](scalar, name)}`,
  );
  return inputType(name, fields);
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

${scalars.map(scalarFilter).join('\n\n')}
`;
