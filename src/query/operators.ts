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
}

/**
 * Everything about Strapi v4's comparison operators that is not MongoDB's: to add one, add a row and its conditions in
 * `mongo/compile/filter`.
 */
const rows = {
  $eq: {
    operands: 'each',
    withNull: '$null',
    graphql: 1,
  },
  $eqi: { operands: 'each', text: true, withNull: '$null', graphql: 2 },
  $ne: {
    operands: 'each',
    opposite: '$eq',
    withNull: '$notNull',
    withText: '$notNull',
    graphql: 3,
  },
  $nei: { operands: 'each', text: true, opposite: '$eqi', withNull: '$notNull', graphql: 4 },
  $lt: { operands: 'each', withText: '$notNull', graphql: 13 },
  $lte: { operands: 'each', withText: '$notNull', graphql: 14 },
  $gt: { operands: 'each', graphql: 11 },
  $gte: { operands: 'each', graphql: 12 },
  $in: { operands: 'many', graphql: 17 },
  $notIn: { operands: 'many', opposite: '$in', graphql: 18 },
  $contains: { operands: 'each', text: true, graphql: 7 },
  $notContains: { operands: 'each', text: true, opposite: '$contains', graphql: 8 },
  $containsi: { operands: 'each', text: true, graphql: 9 },
  $notContainsi: {
    operands: 'each',
    text: true,
    opposite: '$containsi',
    graphql: 10,
  },
  $startsWith: { operands: 'each', text: true, graphql: 5 },
  $startsWithi: { operands: 'each', text: true },
  $endsWith: { operands: 'each', text: true, graphql: 6 },
  $endsWithi: { operands: 'each', text: true },
  $null: { operands: 'flag', opposite: '$notNull', graphql: 15 },
  $notNull: { operands: 'flag', opposite: '$null', graphql: 16 },
  $between: { operands: 'pair', graphql: 19 },
} as const satisfies Readonly<Record<string, OperatorRow<string>>>;

export type Operator = keyof typeof rows;
export type OperatorRule = OperatorRow<Operator>;

export const operators: Readonly<Record<Operator, OperatorRule>> = rows;

/** Whether a key of a filter is the name of an operator. */
export const isOperator = (key: string): key is Operator => Object.hasOwn(operators, key);
