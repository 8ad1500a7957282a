/**
 * Strapi v4's comparison operators. `operands`: how many values one takes (`flag`: true or false, `each`: a list means
 * any of its values); `negative`: it never matches null; `text`: operands are compared as text.
 */
export const operators = {
  $eq: { operands: 'each', negative: false, text: false },
  $eqi: { operands: 'each', negative: false, text: true },
  $ne: { operands: 'each', negative: true, text: false },
  $nei: { operands: 'each', negative: true, text: true },
  $lt: { operands: 'each', negative: false, text: false },
  $lte: { operands: 'each', negative: false, text: false },
  $gt: { operands: 'each', negative: false, text: false },
  $gte: { operands: 'each', negative: false, text: false },
  $in: { operands: 'many', negative: false, text: false },
  $notIn: { operands: 'many', negative: true, text: false },
  $contains: { operands: 'each', negative: false, text: true },
  $notContains: { operands: 'each', negative: true, text: true },
  $containsi: { operands: 'each', negative: false, text: true },
  $notContainsi: { operands: 'each', negative: true, text: true },
  $startsWith: { operands: 'each', negative: false, text: true },
  $startsWithi: { operands: 'each', negative: false, text: true },
  $endsWith: { operands: 'each', negative: false, text: true },
  $endsWithi: { operands: 'each', negative: false, text: true },
  $null: { operands: 'flag', negative: false, text: false },
  $notNull: { operands: 'flag', negative: true, text: false },
  $between: { operands: 'pair', negative: false, text: false },
} as const satisfies Record<string, OperatorRule>;

interface OperatorRule {
  readonly operands: 'each' | 'many' | 'flag' | 'pair';
  readonly negative: boolean;
  readonly text: boolean;
}

export type Operator = keyof typeof operators;

export const isOperator = (key: string): key is Operator => Object.hasOwn(operators, key);
