import { randomBytes } from 'node:crypto';
import { system } from '../../../documents/caller.js';
import type { Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import type { Command, CommandInput, CommandResult } from '../../contract/plugin.js';
import type { Data, Parts } from '../context.js';
import { findRole } from '../roles/role-commands.js';
import { uids } from '../uids.js';
import { queryAfterDelete } from './present-user.js';
import { createUser, deleteUser, updateUser } from './write-users.js';

const MOST_LISTED = 100;

/** The commands about users, with the parts as they are when one runs. A user is named by address, name or id. */
export const userCommands = (parts: () => Parts): readonly Command[] => [
  {
    usage: 'user list [word]',
    does: `list users, at most ${MOST_LISTED}: those with the word in their name or address`,
    run: ({ word }) => listUsers(parts(), word),
  },
  {
    usage: 'user create <email>',
    does: 'create a user, and show the password once',
    options: { '--username <name>': 'default: the address', '--role <role>': 'default: that of new users' },
    run: (input) => create(parts(), input),
  },
  {
    usage: 'user role <user> <role>',
    does: 'give a user another role',
    run: async ({ user, role }) => {
      const { id } = await findRole(parts().context, String(role));
      return update(parts(), user, { role: id });
    },
  },
  {
    usage: 'user block <user>',
    does: 'let a user in no more',
    run: ({ user }) => update(parts(), user, { blocked: true }),
  },
  {
    usage: 'user unblock <user>',
    does: 'let a user in again',
    run: ({ user }) => update(parts(), user, { blocked: false }),
  },
  {
    usage: 'user confirm <user>',
    does: 'take the address of a user for confirmed',
    run: ({ user }) => update(parts(), user, { confirmed: true }),
  },
  {
    usage: 'user password <user>',
    does: 'give a user a new password, and show it once; tokens given before end',
    run: async ({ user }) => {
      const password = newPassword();
      const { rows } = await update(parts(), user, { password });
      return { rows: rows.map((row) => ({ ...row, password })) };
    },
  },
  {
    usage: 'user delete <user>',
    does: 'delete a user',
    run: async ({ user }) => {
      const found = await findUser(parts(), user);
      await deleteUser(parts(), found.id, queryAfterDelete(parts()));
      return { rows: [rowOf(found)] };
    },
  },
];

const newPassword = (): string => randomBytes(18).toString('base64url');

const rowOf = (user: Data) => {
  const { id, username, email, provider, confirmed, blocked } = user;
  const role = user['role'] as Data | null | undefined;
  return { id, username, email, role: role?.['type'] ?? null, provider, confirmed, blocked };
};

async function listUsers({ context: { entries } }: Parts, word: unknown): Promise<CommandResult> {
  const $or = [{ username: { $containsi: word } }, { email: { $containsi: word } }];
  const filters = word === undefined ? {} : { $or };
  const [users, total] = await Promise.all([
    entries.findMany(uids.user, { filters, sort: 'id', populate: 'role', pagination: { limit: MOST_LISTED } }),
    entries.count(uids.user, { filters }),
  ]);
  const notes = total > users.length ? [`${users.length} of ${total} users: a word narrows them`] : [];
  return { rows: users.map(rowOf), notes };
}

async function create(parts: Parts, { email, username = email, role }: CommandInput): Promise<CommandResult> {
  const { id } = await findRole(parts.context, role === undefined ? parts.settings.defaultRole : String(role));
  const body = { email, username, password: newPassword(), role: id, confirmed: true };
  return { rows: [{ ...rowOf(await createUser(parts, body, system)), password: body.password }] };
}

async function update(parts: Parts, user: unknown, body: Data): Promise<CommandResult> {
  const { id } = await findUser(parts, user);
  return { rows: [rowOf(await updateUser(parts, id, body, system))] };
}

/** @throws AppError application */
async function findUser({ context: { entries } }: Parts, given: unknown): Promise<Entry> {
  const text = String(given);
  const by = /^\d+$/.test(text) ? { id: Number(text) } : { $or: [{ email: text.toLowerCase() }, { username: text }] };
  const users = await entries.findMany(uids.user, { filters: by, populate: 'role', pagination: { limit: 2 } });
  if (users.length > 1) throw new AppError('application', `Several users are called "${text}": name one by its id`);
  const [user] = users;
  if (user === undefined) throw new AppError('application', `unknown user "${text}"`);
  return user;
}
