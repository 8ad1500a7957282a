import { AppError } from '../../../errors/app-error.js';
import type { Caller } from '../../../documents/caller.js';
import { checkActions } from '../../contract/access/actions.js';
import { explainAction } from '../../contract/access/explain-action.js';
import { rightsOf, type Rules } from '../../contract/access/rule.js';
import type { CommandInput, CommandResult } from '../../contract/plugin.js';
import { parseId } from '../../../query/parse/parse-id.js';
import type { Services } from '../context.js';
import { uids } from '../uids.js';

/** Explains how a role, an API token or a user can use an action. @throws AppError application */
export async function explainAccess(services: Services, input: CommandInput): Promise<CommandResult> {
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
  const type = registry.contentTypes.get(action.slice(0, action.lastIndexOf('.')));
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
  const ofRole = rules.of(type);
  const rights = rightsOf(await users.role(type), ofRole, { now: new Date(), user: undefined });
  return { name: `role ${type}`, caller: { kind: 'user', ...rights }, rules: ofRole };
}

async function tokenNamed({ context }: Services, name: string): Promise<Subject | undefined> {
  const token = await context.entries.findFirst('admin::api-token', { filters: { name } });
  if (token === undefined) return undefined;
  const rules = context.auth.declared?.tokens.find((declared) => declared.name === name)?.rules;
  const { type, permissions } = token;
  const stored = new Set(permissions as readonly unknown[] | null);
  const custom = rightsOf(stored, rules, { now: new Date(), user: undefined });
  const isFull = type === 'full-access';
  const rights = type === 'custom' ? custom : { may: (action: string) => isFull || /\.find(?:One)?$/.test(action) };
  return { name: `token ${name}`, caller: { kind: 'token', ...rights }, rules };
}

async function userNamed({ context, rules, users }: Services, name: string): Promise<Subject | undefined> {
  const stored = await context.entries.findFirst(uids.user, {
    filters: { $or: [{ username: name }, { email: name }] },
  });
  const user = stored && (await users.user(stored.id));
  if (user === undefined) return undefined;
  const { role, roleType, values } = user;
  const ofRole = rules.of(roleType);
  const actions = role === undefined ? new Set<string>() : await users.role(role);
  const rights = rightsOf(actions, ofRole, { now: new Date(), user: values });
  return { name: `user ${name} (role ${roleType ?? 'none'})`, caller: { kind: 'user', ...rights }, rules: ofRole };
}
