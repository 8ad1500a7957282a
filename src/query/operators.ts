import type { FilteredKind } from '../content-types/model/attribute-types.js';

/** The names of operators in the editor, in the order in which it offers them. */
export const operatorLabels = [
  'related',
  'relatedToOne',
  'contains',
  'containsNot',
  'startsWith',
  'equal',
  'notEqual',
  'greater',
  'atLeast',
  'less',
  'atMost',
  'before',
  'notBefore',
  'empty',
  'notEmpty',
] as const;

interface OperatorRow<Name extends string> {
  /** How many values it takes. `flag`: true or false; `each`: one, and a list means any of its values. */
  readonly operands: 'each' | 'many' | 'flag' | 'pair';
  /** Its operands are compared as text. */
  readonly text?: true;
  /** The operator that it negates: of the values that are not null, each matches one of the two. */
  readonly opposite?: Name;
  /** The operator that stands for a comparison with null; absent: it matches nothing, or compares its text. */
  readonly withNull?: Name;
  /**
   * The operator that stands for a comparison of a number with a string, which sorts after all numbers; absent: it
   * matches nothing.
   */
  readonly withText?: Name;
  /** Its place among the fields of GraphQL's filter inputs; absent: GraphQL has no such operator. */
  readonly graphql?: number;
  /**
   * The kinds of attributes that the editor offers it for, by its label; related entries are chosen, or found by their
   * titles.
   */
  readonly editor?: Readonly<Partial<Record<(typeof operatorLabels)[number], readonly (FilteredKind | 'relation')[]>>>;
}

const dates = ['date', 'dateTime'] as const;
const all = ['text', 'number', 'choice', ...dates, 'relation'] as const;

/**
 * Everything about Strapi v4's comparison operators that is not MongoDB's: to add one, add a row and its conditions in
 * `mongo/compile/filter`.
 */
const rows = {
  $eq: {
    operands: 'each',
    withNull: '$null',
    graphql: 1,
    editor: { related: ['relation'], equal: ['number', 'choice', 'date'] },
  },
  $eqi: { operands: 'each', text: true, withNull: '$null', graphql: 2, editor: { equal: ['text'] } },
  $ne: {
    operands: 'each',
    opposite: '$eq',
    withNull: '$notNull',
    withText: '$notNull',
    graphql: 3,
    editor: { notEqual: ['number', 'choice'] },
  },
  $nei: { operands: 'each', text: true, opposite: '$eqi', withNull: '$notNull', graphql: 4 },
  $lt: { operands: 'each', withText: '$notNull', graphql: 13, editor: { less: ['number'], before: dates } },
  $lte: { operands: 'each', withText: '$notNull', graphql: 14, editor: { atMost: ['number'] } },
  $gt: { operands: 'each', graphql: 11, editor: { greater: ['number'] } },
  $gte: { operands: 'each', graphql: 12, editor: { atLeast: ['number'], notBefore: dates } },
  $in: { operands: 'many', graphql: 17, editor: { relatedToOne: ['relation'] } },
  $notIn: { operands: 'many', opposite: '$in', graphql: 18 },
  $contains: { operands: 'each', text: true, graphql: 7 },
  $notContains: { operands: 'each', text: true, opposite: '$contains', graphql: 8 },
  $containsi: { operands: 'each', text: true, graphql: 9, editor: { contains: ['text', 'relation'] } },
  $notContainsi: {
    operands: 'each',
    text: true,
    opposite: '$containsi',
    graphql: 10,
    editor: { containsNot: ['text'] },
  },
  $startsWith: { operands: 'each', text: true, graphql: 5 },
  $startsWithi: { operands: 'each', text: true, editor: { startsWith: ['text'] } },
  $endsWith: { operands: 'each', text: true, graphql: 6 },
  $endsWithi: { operands: 'each', text: true },
  $null: { operands: 'flag', opposite: '$notNull', graphql: 15, editor: { empty: all } },
  $notNull: { operands: 'flag', opposite: '$null', graphql: 16, editor: { notEmpty: all } },
  $between: { operands: 'pair', graphql: 19 },
} as const satisfies Readonly<Record<string, OperatorRow<string>>>;

export type Operator = keyof typeof rows;
export type OperatorRule = OperatorRow<Operator>;

export const operators: Readonly<Record<Operator, OperatorRule>> = rows;

/** Whether a key of a filter is the name of an operator. */
export const isOperator = (key: string): key is Operator => Object.hasOwn(operators, key);
