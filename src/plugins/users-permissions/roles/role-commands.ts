import { unknownName } from '../../../content-types/model/nearest-name.js';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import { checkActions } from '../../contract/access/actions.js';
import type { Command, CommandInput, CommandResult } from '../../contract/plugin.js';
import { applyRoles } from './apply-roles.js';
import { grant, readPermissions, revoke } from './change-permissions.js';
import type { Services } from '../context.js';
import { explainAccess } from './explain-access.js';
import { uids } from '../uids.js';

/** The commands for roles; `parts` is called when a command runs. */
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
  { context, roleTurns }: Services,
  { role: type, actions, create }: CommandInput,
  done: string,
  apply: typeof grant,
): Promise<CommandResult> {
  const { entries } = context;
  const { actions: grantable, declared } = context.auth;
  const [name, actionNames] = [String(type), [actions ?? []].flat().map(String)];
  if (apply === grant) checkActions(actionNames, grantable);
  if (create === true && (await entries.findFirst(uids.role, { filters: { type: name } })) === undefined) {
    await applyRoles([{ type: name, name: undefined, description: undefined, permissions: [] }], {
      context,
      roleTurns,
    });
  }
  const { id } = await findRole({ entries }, name);
  const changed = await roleTurns(String(id), () => apply(entries, id, actionNames));
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
