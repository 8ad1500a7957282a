import { unknownName } from '../../../errors/nearest-name.js';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import { uidOfAction, tokenRights, type Rules } from '../../contract/access/access.js';
import { checkActions } from '../../contract/access/actions.js';
import type { Command, CommandInput, CommandResult } from '../../contract/plugin.js';
import { applyRoles } from './apply-roles.js';
import { grant, readPermissions, revoke } from './change-permissions.js';
import type { Services } from '../services.js';
import { uids } from '../uids.js';
import { findUserCalled } from '../users/find-user.js';
import type { Caller } from '../../../documents/caller.js';
import { explainAction } from '../../contract/access/explain-action.js';
import { parseId } from '../../../query/parse/input.js';

export const roleCommands = (services: () => Services): readonly Command[] => [
  {
    usage: 'roles [role]',
    description: 'list the roles, or the permissions of a role',
    run: ({ role }) => (role === undefined ? listRoles(services()) : showRole(services(), String(role))),
  },
  {
    usage: 'actions [word]',
    description: 'list the actions that can be granted; with a word, those that contain it',
    run: async ({ word = '' }) => ({
      rows: services()
        .context.auth.actions.filter((action) => action.includes(String(word)))
        .map((action) => ({ action })),
    }),
  },
  {
    usage: 'explain <caller> <action> [id]',
    description: 'explain what a role, an API token or a user may do, and why it allows an entry or not',
    run: (input) => explainAccess(services(), input),
  },
  {
    usage: 'grant <role> <actions...>',
    description: 'grant permissions to a role, e.g. grant public api::article.article.find',
    options: { '--create': 'create the role if it is missing' },
    run: (input) => change(services(), input, 'granted', grant),
  },
  {
    usage: 'revoke <role> <actions...>',
    description: 'revoke permissions of a role',
    run: (input) => change(services(), input, 'revoked', revoke),
  },
];

async function listRoles({ context: { entries } }: Services): Promise<CommandResult> {
  const roles = await entries.findMany(uids.role, { sort: 'id', pagination: { limit: -1 } });
  const rows = roles.map(async ({ id, type, name }) => {
    const filters = { role: id };
    const [users, permissions] = [entries.count(uids.user, { filters }), readPermissions(entries, id)];
    return { role: type, name, users: await users, actions: (await permissions).length };
  });
  return { rows: await Promise.all(rows) };
}

async function showRole({ context: { entries } }: Services, type: string): Promise<CommandResult> {
  const { id } = await findRole({ entries }, type);
  return { rows: (await readPermissions(entries, id)).map((action) => ({ role: type, action })) };
}

async function change(
  services: Services,
  { role: type, actions, create }: CommandInput,
  done: string,
  apply: typeof grant,
): Promise<CommandResult> {
  const { entries, auth } = services.context;
  const { actions: grantable, declared } = auth;
  const [name, actionNames] = [String(type), [actions ?? []].flat().map(String)];
  if (apply === grant) checkActions(actionNames, grantable);
  if (create === true && (await entries.findFirst(uids.role, { filters: { type: name } })) === undefined) {
    await applyRoles([{ type: name, name: undefined, description: undefined, permissions: [] }], services);
  }
  const { id } = await findRole({ entries }, name);
  const changed = await services.roleTurns(String(id), () => apply(services.context, id, actionNames));
  return {
    rows: changed.map((action) => ({ role: name, [done]: action })),
    notes: [
      ...(changed.length === 0 ? [`Nothing changed: no permission was ${done}`] : []),
      ...(declared?.roles.some((role) => role.type === name)
        ? [`access.json declares the role ${name}, which is applied again at the next start: change it there too`]
        : []),
    ],
  };
}

/** @throws AppError application, suggesting a similar name */
export async function findRole({ entries }: Pick<Services['context'], 'entries'>, type: string): Promise<Entry> {
  const roles = await entries.findMany(uids.role, { pagination: { limit: -1 } });
  const role = roles.find((candidate) => candidate['type'] === type);
  if (role !== undefined) return role;
  const types = roles.map((candidate) => String(candidate['type']));
  throw new AppError('application', unknownName(type, 'role', types));
}

/** Explains how a role, an API token or a user can use an action. @throws AppError application */
async function explainAccess(services: Services, input: CommandInput): Promise<CommandResult> {
  const { auth, documents, registry } = services.context;
  const [name, action] = [String(input['caller']), String(input['action'])];
  checkActions([action], auth.actions);
  const id = input['id'] === undefined ? undefined : parseId(input['id']);
  if (input['id'] !== undefined && id === undefined)
    throw new AppError('application', `"${String(input['id'])}" is not an id`);
  if (auth.declared !== undefined && services.rules.isEmpty()) {
    services.rules.replace(new Map(auth.declared.roles.map((role) => [role.type, role])));
    services.users.clear();
  }
  const subject =
    (await roleNamed(services, name)) ?? (await tokenNamed(services, name)) ?? (await userNamed(services, name));
  if (subject === undefined) throw new AppError('application', `there is no role, API token or user "${name}"`);
  const type = registry.contentTypes.get(uidOfAction(action));
  const explained = await explainAction(documents, { ...subject, action, type, id });
  const all = { caller: subject.name, ...explained };
  return { rows: Object.entries(all).map(([property, value]) => ({ property, value })) };
}

interface Subject {
  /** For people. */
  readonly name: string;
  readonly caller: Caller;
  readonly rules: Rules | undefined;
}

async function roleNamed({ context, rules, users }: Services, type: string): Promise<Subject | undefined> {
  const role = await context.entries.findFirst(uids.role, { filters: { type } });
  if (role === undefined) return undefined;
  const rights = await users.rights({ role: type, roleType: type });
  return { name: `role ${type}`, caller: { kind: 'user', ...rights }, rules: rules.of(type) };
}

async function tokenNamed({ context }: Services, name: string): Promise<Subject | undefined> {
  const token = await context.entries.findFirst('admin::api-token', { filters: { name } });
  if (token === undefined) return undefined;
  const rules = context.auth.declared?.tokens.find((declared) => declared.name === name)?.rules;
  const permissions = new Set(token['permissions'] as readonly unknown[] | null);
  const rights = tokenRights({ type: token['type'], permissions }, rules, new Date(), context.auth.draftRules());
  return { name: `token ${name}`, caller: { kind: 'token', ...rights }, rules };
}

async function userNamed(services: Services, name: string): Promise<Subject | undefined> {
  const { rules, users } = services;
  const stored = await findUserCalled(services, name);
  const user = stored && (await users.user(stored.id));
  if (user === undefined) return undefined;
  const { roleType } = user;
  const caller: Caller = { kind: 'user', ...(await users.rights(user)) };
  return { name: `user ${name} (role ${roleType ?? 'none'})`, caller, rules: rules.of(roleType) };
}
