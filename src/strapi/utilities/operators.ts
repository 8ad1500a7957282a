import { operators, type OperatorRule } from '../../query/operators.js';

const namesWhere = (holds: (rule: OperatorRule) => boolean): string[] =>
  Object.entries(operators).flatMap(([name, rule]) => (holds(rule) ? [name] : []));

/** The operators by Strapi v4's types. */
const byType: Readonly<Record<string, readonly string[]>> = {
  where: ['$not', ...Object.keys(operators), '$jsonSupersetOf'],
  cast: ['$not', ...namesWhere(({ text, operands }) => !text && operands !== 'flag')],
  group: ['$and', '$or'],
  array: namesWhere(({ operands }) => operands === 'many' || operands === 'pair'),
};

const lower = (name: string): string => name.toLowerCase();

/** Whether it is an operator of this type: `where`, `cast`, `group` or `array`. */
export function isOperatorOfType(type: string, key: string, ignoreCase = false): boolean {
  const names = (Object.hasOwn(byType, type) ? byType[type] : undefined) ?? [];
  return ignoreCase ? names.some((name) => lower(name) === lower(key)) : names.includes(key);
}

export const isStrapiOperator = (key: string, ignoreCase = false): boolean =>
  Object.keys(byType).some((type) => isOperatorOfType(type, key, ignoreCase));
