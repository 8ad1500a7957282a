import { attributesBehind } from '../../../content-types/model/walk.js';
import { unknownName } from '../../../errors/nearest-name.js';
import { attributeTypes, type ValueKind } from '../../../content-types/model/attribute-types.js';
import type { Attribute, Attributes, ScalarType } from '../../../content-types/model/types.js';
import { isRecord } from '../../../config/record.js';
import type { RequestValues } from './access.js';

/** The kind of values of an attribute type; undefined: rules cannot compare them. */
export function kindOf(type: ScalarType): ValueKind | undefined {
  const { kind } = attributeTypes[type];
  return kind === 'json' || type === 'password' ? undefined : kind;
}

/** A variable of a rule, e.g. `$user.company.id`. */
export interface Variable {
  readonly kind: ValueKind;
  /** It can have several values. */
  readonly many: boolean;
  /** The path of the user to populate; undefined: none. */
  readonly path: string | undefined;
  /** Its values, none of them null. */
  readonly read: (values: RequestValues) => readonly unknown[];
}

const now: Variable = { kind: 'instant', many: false, path: undefined, read: ({ now: date }) => [date] };

/**
 * Parses a variable; returns a message if it is invalid.
 * @param user the attributes of users; undefined if the caller is not a user
 */
export function parseVariable(text: string, user: Attributes | undefined): Variable | string {
  if (text === '$now') return now;
  const [root, ...names] = text.split('.');
  if (root !== '$user') return `names an unknown variable "${text}"; variables are $now and $user.<attribute>`;
  if (user === undefined) return `names "${text}", but this caller is not a user`;
  return parsePath(text, names, user);
}

function parsePath(text: string, names: readonly string[], user: Attributes): Variable | string {
  let attributes: Attributes | undefined = user;
  let many = false;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const attribute: Attribute | undefined = attributes?.get(name);
    const kind = name === 'id' ? 'number' : attribute?.kind === 'scalar' ? kindOf(attribute.type) : undefined;
    if (isLast && kind !== undefined) {
      const path = names.slice(0, -1);
      return { kind, many, path: path.length > 0 ? path.join('.') : undefined, read: valuesAt(names) };
    }
    if (attributes !== undefined && attribute === undefined && name !== 'id') {
      return `names "${text}": ${unknownName(name, 'attribute', ['id', ...attributes.keys()])}`;
    }
    many ||= attribute !== undefined && isMany(attribute);
    attributes = attributesBehind(attribute);
    if (attributes === undefined) break;
  }
  return `names "${text}", which does not lead to a value that can be compared, e.g. $user.id`;
}

const isMany = (attribute: Attribute): boolean =>
  attribute.kind === 'component'
    ? attribute.repeatable
    : (attribute.kind === 'relation' || attribute.kind === 'morphed') && attribute.many;

const valuesAt =
  (names: readonly string[]) =>
  ({ user }: RequestValues): readonly unknown[] =>
    names
      .reduce<readonly unknown[]>(
        (level, name) =>
          level.flatMap((value) => (isRecord(value) && Object.hasOwn(value, name) ? [value[name]].flat() : [])),
        [user],
      )
      .filter((value) => value !== null && value !== undefined);
