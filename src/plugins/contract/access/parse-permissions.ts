import { wrongName } from '../../../content-types/model/nearest-name.js';
import type { Report } from '../../../content-types/load/report.js';
import { mustBe } from '../../../content-types/load/read-options.js';
import { isRecord } from '../../../config/record.js';
import { string } from '../../../content-types/model/settings-schema.js';
import type { Attribute, ContentType } from '../../../content-types/model/types.js';
import type { Permissions } from './access.js';
import { parseWhere } from './parse-where.js';
import { parseSet } from './parse-set.js';
import { oneOf, type Condition, type ImposedValues, type Rule } from './rule.js';

/** The content type of the users whose attributes rules can name. */
export const USER = 'plugin::users-permissions.user';

/** What the permissions of a role or token can refer to. */
export interface PermissionsContext {
  /** Every action that can be granted. */
  readonly actions: ReadonlySet<string>;
  readonly contentTypes: ReadonlyMap<string, ContentType>;
  /** The attributes of users; undefined if the caller is not a user. */
  readonly user: ReadonlyMap<string, Attribute> | undefined;
  readonly report: Report;
}

/** One entry of `permissions`. */
interface Permission {
  readonly action: string;
  /** Undefined: all entries. */
  readonly where?: Condition;
  readonly set?: ImposedValues;
}

/** Parses `permissions`: actions, each as a string or with a rule. Several entries for one action allow what any of them allows. */
export function parsePermissions(input: readonly unknown[], path: string, context: PermissionsContext): Permissions {
  const paths = new Set<string>();
  const entries = input.flatMap((entry, index) => parsePermission(entry, `${path}[${index}]`, context, paths) ?? []);
  const permissions = [...new Set(entries.map(({ action }) => action))];
  const rules = permissions.flatMap((action): (readonly [string, Rule])[] => {
    const ofAction = entries.filter((entry) => entry.action === action);
    const conditions = ofAction.flatMap(({ where }) => where ?? []);
    const [set, ...others] = ofAction.flatMap((entry) => entry.set ?? []);
    if (set !== undefined && ofAction.length > 1)
      context.report(path, `have several entries for ${action}, one with "set"`);
    if (set !== undefined && others.length === 0) return [[action, { set }]];
    return conditions.length < ofAction.length ? [] : [[action, { where: oneOf(conditions) }]];
  });
  return rules.length === 0 ? { permissions } : { permissions, rules: new Map(rules), userPaths: [...paths] };
}

const entryNames = ['action', 'where', 'set'];

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
  const unknown = Object.keys(input).filter((name) => !entryNames.includes(name));
  for (const name of unknown) report(`${path}.${name}`, `is unknown; it can be ${entryNames.join(', ')}`);
  const { action, where, set } = input;
  if (typeof action !== 'string') {
    report(`${path}.action`, action === undefined ? wrongName(undefined, 'action', actions) : mustBe(action, string));
    return undefined;
  }
  if (!checkAction(action, `${path}.action`, context)) return undefined;
  const [name, value, other] = isCreate(action) ? (['set', set, where] as const) : (['where', where, set] as const);
  const type = limitedType(action, contentTypes);
  if (type === undefined || other !== undefined) {
    const supported = '"where" limits find, findOne, update and delete of content types and users, "set" is for create';
    report(
      `${path}.${other === undefined ? name : isCreate(action) ? 'where' : 'set'}`,
      `is not supported for this action: ${supported}`,
    );
    return undefined;
  }
  if (value === undefined) {
    report(`${path}.${name}`, 'is missing; an action without a rule is a string');
    return undefined;
  }
  const within = { user, report, paths };
  return name === 'set'
    ? { action, set: parseSet(set, type.attributes, `${path}.set`, within) }
    : { action, where: parseWhere(where, type.attributes, `${path}.where`, within) };
}

const isCreate = (action: string): boolean => action.endsWith('.create');

function checkAction(action: string, path: string, { actions, report }: PermissionsContext): boolean {
  if (actions.has(action)) return true;
  report(path, wrongName(action, 'action', actions));
  return false;
}

/** The content type whose entries an action reads or writes; undefined for other actions. */
function limitedType(action: string, contentTypes: ReadonlyMap<string, ContentType>): ContentType | undefined {
  const [, uid = '', name = ''] = /^(.+)\.(\w+)$/.exec(action) ?? [];
  const isUser = uid === USER;
  const isLimited = ['find', 'findOne', 'update', ...(isUser ? ['destroy'] : ['delete', 'create'])].includes(name);
  return isLimited && (isUser || uid.startsWith('api::')) ? contentTypes.get(uid) : undefined;
}
