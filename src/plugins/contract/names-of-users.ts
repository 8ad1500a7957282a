import { USER } from './access/parse-permissions.js';
import type { PluginContext } from './plugin-context.js';

/** The names of users by their ids; other values, and users who were deleted, have none. */
export async function namesOfUsers(
  { entries, registry }: Pick<PluginContext, 'entries' | 'registry'>,
  ids: readonly unknown[],
): Promise<ReadonlyMap<unknown, unknown>> {
  const users = [...new Set(ids)].filter((id) => typeof id === 'number');
  if (users.length === 0 || !registry.contentTypes.has(USER)) return new Map();
  const found = await entries.findMany(USER, { fields: ['username'], filters: { id: { $in: users } } });
  return new Map(found.map(({ id, username }) => [id, username]));
}
