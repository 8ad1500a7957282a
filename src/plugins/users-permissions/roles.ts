import { AppError } from '../../errors/app-error.js';
import type { Entry } from '../../documents/entries.js';
import { changePermissions } from './change-permissions.js';
import type { Data, Parts } from './parts.js';
import { enabledIn, plantTree } from './permission-tree.js';
import { uids } from './uids.js';

const done: Data = { ok: true };
const every = { limit: -1 };

/** All roles, with how many users each has. */
export async function listRoles({ context: { entries } }: Parts): Promise<Data> {
  const roles = await entries.findMany(uids.role, { sort: 'name', pagination: every });
  const counts = roles.map(({ id }) => entries.count(uids.user, { filters: { role: id } }));
  const counted = (await Promise.all(counts)).map((count, index) => Object.assign({ nb_users: count }, roles[index]));
  return { roles: counted };
}

/** One role, with all actions there are and which of them it may do. @throws AppError notFound */
export async function showRole({ context }: Parts, id: number | undefined): Promise<Data> {
  const role = await findRole({ context }, id);
  const filters = { role: role.id };
  const permissions = await context.entries.findMany(uids.permission, { filters, pagination: every });
  const allowed = new Set(permissions.map(({ action }) => String(action)));
  return { role: { ...role, permissions: plantTree([...context.actions, ...allowed], allowed) } };
}

/** All actions there are, none of them allowed: what a form for a new role shows. */
export const listPermissions = ({ context }: Parts): Data => ({
  permissions: plantTree(context.actions, new Set()),
});

/** Creates a role with the actions that are enabled in the tree of its permissions. @throws AppError invalidValue, validation */
export async function createRole({ context: { entries } }: Parts, input: Data): Promise<Data> {
  const { name, description, type, permissions } = notEmpty(input);
  const data = { name, description, type: type ?? snakeCase(String(name)) };
  const role = await entries.create(uids.role, data);
  await changePermissions(entries, role.id, enabledIn(permissions));
  return done;
}

/** Changes a role; it may do afterwards what is enabled in the tree, and no more. @throws AppError notFound, invalidValue, validation */
export async function updateRole({ context }: Parts, wanted: number | undefined, said: Data): Promise<Data> {
  const input = notEmpty(said);
  const { id } = await findRole({ context }, wanted);
  const named = ['name', 'description'].filter((key) => input[key] !== undefined);
  await context.entries.update(uids.role, id, Object.fromEntries(named.map((key) => [key, input[key]])));
  await changePermissions(context.entries, id, enabledIn(input['permissions']));
  return done;
}

/** Deletes a role; its users get the public one. @throws AppError notFound, application */
export async function deleteRole({ context }: Parts, id: number | undefined): Promise<Data> {
  const { entries } = context;
  const role = await findRole({ context }, id);
  if (role['type'] === 'public') throw new AppError('application', 'Cannot delete public role');
  const everybody = await entries.findFirst(uids.role, { filters: { type: 'public' } });
  const users = { filters: { role: role.id }, fields: ['id'], pagination: every };
  for (const { id } of await entries.findMany(uids.user, users)) {
    await entries.update(uids.user, id, { role: everybody?.id ?? null }, { fields: ['id'] });
  }
  await changePermissions(entries, role.id, []);
  await entries.delete(uids.role, role.id);
  return done;
}

async function findRole({ context }: Pick<Parts, 'context'>, id: number | undefined): Promise<Entry> {
  const role = id === undefined ? undefined : await context.entries.findFirst(uids.role, { filters: { id } });
  if (role === undefined) throw new AppError('notFound', 'Role not found');
  return role;
}

function notEmpty(input: Data): Data {
  if (Object.keys(input).length > 0) return input;
  throw new AppError('invalidValue', 'Request body cannot be empty');
}

/** As lodash writes names for the code: `Rôle Spécial` becomes `role_special`. */
const snakeCase = (name: string): string =>
  (
    name
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z]+|\d+/g) ?? []
  ).join('_');
