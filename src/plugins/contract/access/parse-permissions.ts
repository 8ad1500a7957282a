import { wrongName, unknownName } from '../../../errors/nearest-name.js';
import type { Report } from '../../../content-types/load/report.js';
import { mustBe } from '../../../content-types/load/read-options.js';
import { groupBy } from '../../../config/group-by.js';
import { isRecord, type Data } from '../../../config/record.js';
import { string } from '../../../content-types/model/settings-schema.js';
import type { Attribute, Attributes, ContentType } from '../../../content-types/model/types.js';
import {
  type Permissions,
  oneOf,
  type Condition,
  type ImposedValues,
  type Rule,
  type RequestValues,
} from './access.js';
import { unknownAction } from './actions.js';
import { parseFieldList, type Use } from './parse-field-list.js';
import {
  parseWhere,
  MAX_VALUES,
  parseOperand,
  type Comparing,
  type Operand,
  type WhereContext,
} from './parse-where.js';
import { AppError } from '../../../errors/app-error.js';
import { id } from '../../../query/ast.js';
import { kindOf } from './variables.js';

/** The content type of the users whose attributes rules can name. */
export const USER = 'plugin::users-permissions.user';

/** The names that permissions of a role or token can refer to. */
export interface PermissionsContext {
  /** Every action that can be granted. */
  readonly actions: ReadonlySet<string>;
  readonly contentTypes: ReadonlyMap<string, ContentType>;
  /** The attributes of users; undefined if the caller is not a user. */
  readonly user: Attributes | undefined;
  readonly report: Report;
  /** Values that a rule does not allow to write are dropped, not refused. */
  readonly drops: boolean;
}

/** One entry of `permissions`. */
interface Permission {
  readonly action: string;
  /** Undefined: all entries. */
  readonly where?: Condition | undefined;
  readonly set?: ImposedValues | undefined;
  readonly withheld?: ReadonlySet<Attribute> | undefined;
  /** The entry itself. */
  readonly declared?: Data;
}

/**
 * Parses `permissions`: actions, each as a string or with a rule. Several entries for one action allow what any of them
 * allows.
 */
export function parsePermissions(input: readonly unknown[], path: string, context: PermissionsContext): Permissions {
  const paths = new Set<string>();
  const entries = input.flatMap((entry, index) => parsePermission(entry, `${path}[${index}]`, context, paths) ?? []);
  const byAction = groupBy(entries, ({ action }) => action);
  const permissions = [...byAction.keys()];
  const rules = [...byAction].flatMap(([action, ofAction]): (readonly [string, Rule])[] => {
    const rule = unite(action, ofAction, path, context);
    return rule === undefined ? [] : [[action, rule]];
  });
  return rules.length === 0 ? { permissions } : { permissions, rules: new Map(rules), userPaths: [...paths] };
}

/** The union of the entries of one action; undefined: everything is allowed. */
function unite(
  action: string,
  entries: readonly Permission[],
  path: string,
  { report, drops }: PermissionsContext,
): Rule | undefined {
  const set = entries.find((entry) => entry.set !== undefined)?.set;
  if (set !== undefined && entries.length > 1) report(path, `have several entries for ${action}, one with "set"`);
  const [first, ...others] = entries;
  const isPlain = entries.some(({ where, withheld }) => where === undefined && withheld === undefined);
  if (first === undefined || (isPlain && set === undefined)) return undefined;
  const [condition, ...otherConditions] = entries.map(({ declared }) => JSON.stringify(declared?.['where']));
  const allSee = otherConditions.every((other) => other === condition);
  // Together they would allow all of these fields in all of these entries, which none of them does.
  if (!allSee && !others.every(({ withheld }) => isSame(withheld, first.withheld)))
    report(
      path,
      `have entries for ${action} with different "where" and different "fields"; one of both must be the same`,
    );
  const conditions = entries.flatMap(({ where }) => where ?? []);
  const withheld = new Set(
    [...(first.withheld ?? [])].filter((attribute) => others.every((entry) => entry.withheld?.has(attribute))),
  );
  return {
    where: conditions.length < entries.length ? undefined : oneOf(allSee ? conditions.slice(0, 1) : conditions),
    set,
    declared: entries.map(({ declared }) => declared),
    ...(withheld.size > 0 && { withheld, drops }),
  };
}

const isSame = (first: ReadonlySet<Attribute> | undefined, second: ReadonlySet<Attribute> | undefined): boolean =>
  first?.size === second?.size && [...(first ?? [])].every((attribute) => second?.has(attribute));

/** The parts that a rule can have, for an action of a content type and for an action of users. */
const partsOf: Readonly<Record<string, readonly Part[]>> = {
  find: ['where', 'fields'],
  findOne: ['where', 'fields'],
  create: ['set', 'fields'],
  update: ['where', 'fields'],
  delete: ['where'],
};
const partsOfUsers: Readonly<Record<string, readonly Part[]>> = {
  find: ['where', 'fields'],
  findOne: ['where', 'fields'],
  update: ['where', 'fields'],
  destroy: ['where'],
};

const partNames = ['where', 'set', 'fields'] as const;
type Part = (typeof partNames)[number];

/** Undefined if there is a mistake. */
function parsePermission(
  input: unknown,
  path: string,
  context: PermissionsContext,
  paths: Set<string>,
): Permission | undefined {
  const { actions, contentTypes, user, report } = context;
  if (typeof input === 'string') return checkAction(input, path, context) ? { action: input } : undefined;
  if (!isRecord(input)) {
    report(path, 'must be an action, or an object with an action and a rule');
    return undefined;
  }
  const known: readonly string[] = ['action', ...partNames];
  const unknown = Object.keys(input).filter((name) => !known.includes(name));
  for (const name of unknown) report(`${path}.${name}`, `is unknown; it can be ${known.join(', ')}`);
  const { action, where, set, fields } = input;
  if (typeof action !== 'string') {
    report(`${path}.action`, action === undefined ? wrongName(undefined, 'action', actions) : mustBe(action, string));
    return undefined;
  }
  if (!checkAction(action, `${path}.action`, context)) return undefined;
  const { type, name, parts } = limited(action, contentTypes);
  const named = partNames.filter((part) => input[part] !== undefined);
  const unsupported = named.find((part) => !parts.includes(part));
  if (type === undefined || unsupported !== undefined) {
    const part = unsupported ?? 'where';
    const supported = parts.length > 0 ? `it takes ${parts.map((name) => `"${name}"`).join(' and ')}` : SUPPORTED;
    report(`${path}.${part}`, `is not supported for this action: ${supported}`);
    return undefined;
  }
  if (named.length === 0) {
    report(`${path}.${parts[0]}`, 'is missing; an action without a rule is a string');
    return undefined;
  }
  const { attributes } = type;
  const use: Use = name === 'create' || name === 'update' ? name : 'find';
  const listed =
    fields === undefined ? undefined : parseFieldList(fields, attributes, `${path}.fields`, { use, report });
  const within = { user, report, paths };
  return {
    action,
    where: where === undefined ? undefined : parseWhere(where, attributes, `${path}.where`, within),
    set: set === undefined ? undefined : parseSet(set, attributes, `${path}.set`, within),
    withheld: action === `${USER}.update` && where !== undefined ? withPrivileges(listed, fields, attributes) : listed,
    declared: input,
  };
}

/** The attributes of users that decide what they may do, and how they log in. */
export const userPrivileges = ['role', 'confirmed', 'blocked', 'provider'];

/** Who may change some users, such as their own account, does not change these unless `fields` names them. */
function withPrivileges(
  withheld: ReadonlySet<Attribute> | undefined,
  fields: unknown,
  attributes: Attributes,
): ReadonlySet<Attribute> {
  const named = new Set(Array.isArray(fields) ? fields : []);
  const unnamed = userPrivileges.filter((name) => !named.has(name)).flatMap((name) => attributes.get(name) ?? []);
  return new Set([...(withheld ?? []), ...unnamed]);
}

const SUPPORTED = 'rules limit find, findOne, create, update and delete of content types, and users';

function checkAction(action: string, path: string, { actions, report }: PermissionsContext): boolean {
  if (actions.has(action)) return true;
  report(path, `names an ${unknownAction(action, actions)}`);
  return false;
}

/**
 * The content type that an action reads or writes, and the parts that a rule for it can have; undefined for other
 * actions.
 */
function limited(
  action: string,
  contentTypes: ReadonlyMap<string, ContentType>,
): { readonly type: ContentType | undefined; readonly name: string; readonly parts: readonly Part[] } {
  const [, uid = '', name = ''] = /^(.+)\.(\w+)$/.exec(action) ?? [];
  const table = uid === USER ? partsOfUsers : uid.startsWith('api::') ? partsOf : {};
  const parts = Object.hasOwn(table, name) ? (table[name] ?? []) : [];
  return { type: parts.length > 0 ? contentTypes.get(uid) : undefined, name, parts };
}

/** Parses the `set` of a rule: values of plain attributes, and ids of relations. */
function parseSet(input: unknown, attributes: Attributes, path: string, context: WhereContext): ImposedValues {
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
