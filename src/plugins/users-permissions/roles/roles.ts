import lodash from 'lodash';
import { isRecord, type Data } from '../../../config/record.js';
import { AppError } from '../../../errors/app-error.js';
import type { Entry } from '../../../documents/entries.js';
import type { ContentType } from '../../../content-types/model/types.js';
import { rulesOfDrafts } from '../../contract/access/access.js';
import { inForm, type EntryForm } from '../../contract/entry-form.js';
import { changePermissions, readPermissions, writeTogether } from './change-permissions.js';
import { REPLACE_LOCALES } from '../../contract/developer.js';
import type { Services } from '../services.js';
import { uids } from '../uids.js';

const done: Data = { ok: true };
const roleType = ({ registry }: Services['context']): ContentType =>
  registry.contentTypes.get(uids.role) as ContentType;
const every = { limit: -1 };

/** All roles, with how many users each has. */
export async function listRoles({ context }: Services, form?: EntryForm): Promise<Data> {
  const { entries } = context;
  const roles = await inForm(
    context.documents,
    roleType(context),
    await entries.findMany(uids.role, { sort: 'id', pagination: every }),
    form,
  );
  const counts = roles.map(({ id }) => entries.count(uids.user, { filters: { role: id } }));
  const counted = (await Promise.all(counts)).map((count, index) => ({ ...roles[index], nb_users: count }));
  return { roles: counted };
}

/**
 * Forms written for Strapi v4 show the actions that it has. Others, which the editor adds itself, are shown where they
 * are granted.
 */
function shownActions({ auth, registry }: Services['context']): readonly string[] {
  const own = new Set([REPLACE_LOCALES, ...rulesOfDrafts(registry.contentTypes.values()).keys()]);
  return auth.actions.filter((action) => !own.has(action));
}

/** One role, with the actions of Strapi v4, and which of all actions it may do. @throws AppError notFound */
export async function showRole({ context }: Services, id: number | undefined, form?: EntryForm): Promise<Data> {
  const found = await findRole({ context }, id);
  const [role = found] = await inForm(context.documents, roleType(context), [found], form);
  const allowed = new Set(await readPermissions(context.entries, role.id));
  return { role: { ...role, permissions: buildPermissionTree([...shownActions(context), ...allowed], allowed) } };
}

/** These actions, none of them enabled: the tree for a form of a new role. */
export const listPermissions = ({ context }: Services): Data => ({
  permissions: buildPermissionTree(shownActions(context), new Set()),
});

/** Creates a role with the actions that its tree of permissions enables. @throws AppError invalidValue, validation */
export async function createRole({ context, roleTurns }: Services, input: Data): Promise<Data> {
  const { entries } = context;
  const { actions } = context.auth;
  const { permissions } = notEmpty(input);
  const { name, description } = textsOf(input);
  // As in Strapi v4: `Rôle Spécial` is `role_special`.
  const type = asText(input['type'] || (typeof name === 'string' ? lodash.snakeCase(name.toLowerCase()) : undefined));
  const enabled = enabledActions(permissions, new Set(actions));
  const role = await entries.create(uids.role, { name, description, type });
  await roleTurns(String(role.id), () => changePermissions(context, role.id, enabled));
  return done;
}

/**
 * The actions that a tree from a request enables; parts with another structure are ignored.
 * @throws AppError validation, naming those that do not exist
 */
function enabledActions(tree: unknown, actions: ReadonlySet<string>): readonly string[] {
  const enabled = partsOf(tree).flatMap(([type, { controllers }]) =>
    partsOf(controllers).flatMap(([controller, own]) =>
      partsOf(own).flatMap(([name, part]) =>
        part['enabled']
          ? [{ action: `${type}.${controller}.${name}`, path: [type, 'controllers', controller, name] }]
          : [],
      ),
    ),
  );
  const issues = enabled
    .filter(({ action }) => !actions.has(action))
    .map(({ action, path }) => ({ path: ['permissions', ...path], message: `unknown action "${action}"` }));
  if (issues.length > 0) throw new AppError('validation', issues);
  return enabled.map(({ action }) => action);
}

/**
 * Changes a role: afterwards it has exactly the permissions that are enabled in the tree. Actions that it already has
 * can stay, whether they still exist or not: forms send the whole tree back.
 * @throws AppError notFound, invalidValue, validation
 */
export async function updateRole({ context, roleTurns }: Services, id: number | undefined, body: Data): Promise<Data> {
  const { entries } = context;
  const { actions } = context.auth;
  const input = notEmpty(body);
  const role = await findRole({ context }, id);
  const { name, description } = textsOf(input);
  await roleTurns(String(role.id), async () => {
    const allowed = await readPermissions(entries, role.id);
    const enabled = enabledActions(input['permissions'], new Set([...actions, ...allowed]));
    await entries.update(uids.role, role.id, { name, description });
    await changePermissions(context, role.id, enabled);
  });
  return done;
}

/** Deletes a role; its users get the public one. @throws AppError notFound, application */
export async function deleteRole({ context, roleTurns }: Services, id: number | undefined): Promise<Data> {
  const { entries } = context;
  const role = await findRole({ context }, id);
  if (role['type'] === 'public') throw new AppError('application', 'Cannot delete public role');
  const everybody = await entries.findFirst(uids.role, { filters: { type: 'public' } });
  const users = { filters: { role: role.id }, fields: ['id'], pagination: every };
  const moved = (await entries.findMany(uids.user, users)).map(({ id }) => ({
    id,
    data: { role: everybody?.id ?? null },
  }));
  await writeTogether(context, uids.user, moved);
  await roleTurns(String(role.id), async () => {
    await changePermissions(context, role.id, []);
    await entries.delete(uids.role, role.id);
  });
  return done;
}

async function findRole({ context }: Pick<Services, 'context'>, id: number | undefined): Promise<Entry> {
  const role = id === undefined ? undefined : await context.entries.findFirst(uids.role, { filters: { id } });
  if (role === undefined) throw new AppError('notFound', 'Role not found');
  return role;
}

/** The texts of a role. Strapi v4 does not check their types, but stores them as strings. */
const textsOf = ({ name, description }: Data): Data => ({ name: asText(name), description: asText(description) });

function asText(value: unknown): unknown {
  // One with a key `toString` has no text: it is refused.
  if (isRecord(value) && !Object.hasOwn(value, 'toString')) return '[object Object]';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function notEmpty(input: Data): Data {
  if (Object.keys(input).length > 0) return input;
  throw new AppError('invalidValue', 'Request body cannot be empty');
}

/** An object without a prototype: names that are stored or sent may be `__proto__` or `constructor`. */
const empty = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;

/**
 * All these actions by type, controller and action, as in Strapi v4's routes of roles; the allowed ones are enabled.
 */
function buildPermissionTree(actions: Iterable<string>, allowed: ReadonlySet<string>): Data {
  const tree = empty<{ controllers: Record<string, Record<string, { enabled: boolean; policy: '' }>> }>();
  for (const id of actions) {
    const [type = '', controller = '', ...rest] = id.split('.');
    const action = rest.join('.');
    const { controllers } = (tree[type] ??= { controllers: empty() });
    (controllers[controller] ??= empty())[action] = { enabled: allowed.has(id), policy: '' };
  }
  return tree;
}

const partsOf = (tree: unknown): readonly (readonly [string, Data])[] =>
  isRecord(tree) ? Object.entries(tree).filter((entry): entry is [string, Data] => isRecord(entry[1])) : [];
