import { applyChanges, withOwnActions, type Permissions, type PermissionTree } from '../model/permissions.js';
import type { Content } from '../model/schema.js';
import type { Api } from './api.js';

export interface Role {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** What configuration calls it; that of visitors is `public`. */
  readonly type: string;
  /** How many users have it. */
  readonly nb_users: number;
}

export interface RoleRead {
  /** Undefined: it is new. */
  readonly role: Omit<Role, 'nb_users'> | undefined;
  readonly tree: PermissionTree;
}

interface RoleInfo {
  readonly name: string;
  readonly description: string;
}

const PATH = 'users-permissions/roles';

export const readRoles = async (api: Api): Promise<readonly Role[]> =>
  ((await api.get(PATH)).body as { readonly roles: readonly Role[] }).roles;

/** A role with its permissions; without an id, what a new one can have. */
export async function readRole(api: Api, content: Content, id: number | undefined): Promise<RoleRead> {
  if (id === undefined) {
    const { body } = await api.get('users-permissions/permissions');
    const { permissions } = body as { readonly permissions: PermissionTree };
    return { role: undefined, tree: withOwnActions(permissions, content) };
  }
  const { body } = await api.get(`${PATH}/${id}`);
  const { permissions, ...role } = (body as { readonly role: Role & { readonly permissions: PermissionTree } }).role;
  return { role, tree: withOwnActions(permissions, content) };
}

/** Stores a role with changes of its permissions; those that others changed since it was read stay. */
export async function saveRole(
  api: Api,
  content: Content,
  id: number | undefined,
  info: RoleInfo,
  changes: Permissions,
): Promise<void> {
  const { tree } = await readRole(api, content, id);
  const body = { ...info, permissions: applyChanges(tree, changes) };
  await api.send(id === undefined ? 'POST' : 'PUT', id === undefined ? PATH : `${PATH}/${id}`, { body });
}

export const deleteRole = async (api: Api, id: number): Promise<void> => {
  await api.send('DELETE', `${PATH}/${id}`);
};
