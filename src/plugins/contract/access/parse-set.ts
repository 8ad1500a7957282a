import { isRecord, type Data } from '../../../config/record.js';
import { unknownName } from '../../../content-types/model/nearest-name.js';
import type { Attribute } from '../../../content-types/model/types.js';
import { AppError } from '../../../errors/app-error.js';
import { id } from '../../../query/ast.js';
import { MAX_VALUES, parseOperand, type Comparing, type Operand, type WhereContext } from './parse-where.js';
import type { ImposedValues, RequestValues } from './rule.js';
import { kindOf } from './variables.js';

/** Parses the `set` of a rule: values of plain attributes, and ids of relations. */
export function parseSet(
  input: unknown,
  attributes: ReadonlyMap<string, Attribute>,
  path: string,
  context: WhereContext,
): ImposedValues {
  const { report } = context;
  if (!isRecord(input) || Object.keys(input).length === 0) {
    report(path, 'must be an object with at least one attribute');
    return () => ({});
  }
  const parsed = Object.entries(input).flatMap(([name, value]): (readonly [string, Imposed])[] => {
    const attribute = attributes.get(name);
    const comparing = attribute?.writable === true ? comparingOf(attribute) : undefined;
    if (attribute === undefined)
      report(`${path}.${name}`, `names an ${unknownName(name, 'attribute', attributes.keys())}`);
    else if (comparing === undefined) report(`${path}.${name}`, 'cannot be set by a rule');
    if (comparing === undefined) return [];
    const many = attribute?.kind === 'relation' && attribute.many;
    return [[name, { operand: parseOperand(comparing, value, `${path}.${name}`, context, { many }), many }]];
  });
  return (values) => Object.fromEntries(parsed.map(([name, imposed]) => [name, valueOf(name, imposed, values)]));
}

interface Imposed {
  readonly operand: Operand;
  /** All values of a variable, not only one. */
  readonly many: boolean;
}

/** How a value of the attribute is checked; undefined for attributes that rules cannot set. */
function comparingOf(attribute: Attribute): Comparing | undefined {
  const isLink = attribute.kind === 'relation' && !attribute.media;
  if (isLink) return { field: id, kind: 'number', operator: '$eq' };
  const kind = attribute.kind === 'scalar' ? kindOf(attribute.type) : undefined;
  return attribute.kind === 'scalar' && kind !== undefined ? { field: attribute, kind, operator: '$eq' } : undefined;
}

function valueOf(name: string, { operand, many }: Imposed, request: RequestValues): Data[string] {
  if ('constant' in operand) return operand.constant;
  const values = operand.read(request).map((value) => (value instanceof Date ? value.toISOString() : value));
  if (values.length === 0 || values.length > MAX_VALUES) {
    throw new AppError('forbidden', `A rule sets "${name}" to a value that this user does not have`);
  }
  return many ? values : values[0];
}
