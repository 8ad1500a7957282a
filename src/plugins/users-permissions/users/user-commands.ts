import { randomBytes } from 'node:crypto';
import type { Data } from '../../../config/record.js';
import { system } from '../../../documents/caller.js';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import type { Command, CommandInput, CommandResult } from '../../contract/plugin.js';
import type { Services } from '../services.js';
import { factorOf } from '../factor/factor.js';
import { remove } from '../factor/operations.js';
import { findRole } from '../roles/role-commands.js';
import { endSessionsOf } from '../sessions/operations.js';
import { uids } from '../uids.js';
import { findUserCalled } from './find-user.js';
import { queryAfterDelete } from './present-user.js';
import { createUser, deleteUser, updateUser } from './write-users.js';

const MOST_LISTED = 100;

/** Commands that change a user: the name, the description, and what changes. */
const changes = [
  ['block', 'block a user', { blocked: true }],
  ['unblock', 'unblock a user', { blocked: false }],
  ['confirm', 'mark the email address of a user as confirmed', { confirmed: true }],
] as const;

/** A user is identified by address, name or id. */
export const userCommands = (services: () => Services): readonly Command[] => [
  {
    usage: 'user list [word]',
    description: `list users, at most ${MOST_LISTED}; with a word, those whose name or email address contains it`,
    run: ({ word }) => listUsers(services(), word),
  },
  {
    usage: 'user create <email>',
    description: 'create a user, and show the password once',
    options: { '--username <name>': 'default: the address', '--role <role>': 'default: that of new users' },
    run: (input) => create(services(), input),
  },
  {
    usage: 'user role <user> <role>',
    description: 'change the role of a user',
    run: async ({ user, role }) => {
      const { id } = await findRole(services().context, String(role));
      return update(services(), user, { role: id });
    },
  },
  ...changes.map(([name, description, change]): Command => ({
    usage: `user ${name} <user>`,
    description,
    run: ({ user }) => update(services(), user, change),
  })),
  {
    usage: 'user password <user>',
    description: 'generate a new password for a user and show it once; earlier tokens become invalid',
    run: async ({ user }) => {
      const password = newPassword();
      const { rows } = await update(services(), user, { password });
      return { rows: rows.map((row) => ({ ...row, password })) };
    },
  },
  {
    usage: 'user reset-second-factor <user>',
    description: 'remove the second factor of a user, who sets up another at the next log-in if the role needs one',
    run: async ({ user }) => {
      const account = await requireUser(services(), user);
      await remove(services(), account.id, { caller: system });
      return { rows: [rowOf(account)] };
    },
  },
  {
    usage: 'user end-sessions <user>',
    description: 'log a user out everywhere: all sessions and tokens end',
    run: async ({ user }) => {
      const account = await requireUser(services(), user);
      await endSessionsOf(services(), account.id, { caller: system });
      return { rows: [rowOf(account)] };
    },
  },
  {
    usage: 'user delete <user>',
    description: 'delete a user',
    run: async ({ user }) => {
      const account = await requireUser(services(), user);
      await deleteUser(services(), account.id, system, queryAfterDelete(services(), system));
      return { rows: [rowOf(account)] };
    },
  },
];

const newPassword = (): string => randomBytes(18).toString('base64url');

const rowOf = (user: Data) => {
  const { id, username, email, provider, confirmed, blocked } = user;
  const role = user['role'] as Data | null | undefined;
  const secondFactor = factorOf(user) !== undefined;
  return { id, username, email, role: role?.['type'] ?? null, provider, confirmed, blocked, secondFactor };
};

async function listUsers({ context: { entries } }: Services, word: unknown): Promise<CommandResult> {
  const $or = [{ username: { $containsi: word } }, { email: { $containsi: word } }];
  const filters = word === undefined ? {} : { $or };
  const [users, total] = await Promise.all([
    entries.findMany(uids.user, { filters, sort: 'id', populate: 'role', pagination: { limit: MOST_LISTED } }),
    entries.count(uids.user, { filters }),
  ]);
  const notes = total > users.length ? [`${users.length} of ${total} users: pass a word to filter them`] : [];
  return { rows: users.map(rowOf), notes };
}

async function create(services: Services, { email, username = email, role }: CommandInput): Promise<CommandResult> {
  const { id } = await findRole(services.context, role === undefined ? services.settings.defaultRole : String(role));
  const body = { email, username, password: newPassword(), role: id, confirmed: true };
  return { rows: [{ ...rowOf(await createUser(services, body, { caller: system })), password: body.password }] };
}

async function update(services: Services, user: unknown, body: Data): Promise<CommandResult> {
  const { id } = await requireUser(services, user);
  return { rows: [rowOf(await updateUser(services, id, body, { caller: system }))] };
}

/** @throws AppError application */
async function requireUser(services: Services, identifier: unknown): Promise<Entry> {
  const user = await findUserCalled(services, String(identifier));
  if (user === undefined) throw new AppError('application', `unknown user "${String(identifier)}"`);
  return user;
}
