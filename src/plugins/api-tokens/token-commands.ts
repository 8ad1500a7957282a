import type { Entry } from '../../documents/entries.js';
import { AppError } from '../../errors/app-error.js';
import type { BuiltInContext } from '../contract/built-in.js';
import { checkActions } from '../contract/access/actions.js';
import type { Command, CommandInput, CommandResult } from '../contract/plugin.js';
import { apiToken, hashKey, newKey } from './definition.js';

export const tokenCommands = (context: () => BuiltInContext): readonly Command[] => [
  {
    usage: 'token list',
    description: 'list the API tokens',
    run: async () => {
      const tokens = await context().entries.findMany(apiToken.uid, { sort: 'id', pagination: { limit: -1 } });
      return { rows: tokens.map(rowOf) };
    },
  },
  {
    usage: 'token create <name>',
    description: 'create an API token, and show its key once',
    options: {
      '--type <type>': 'full-access, read-only or custom; default: custom with --allow, otherwise read-only',
      '--allow <actions...>': 'the actions of a custom token',
      '--expires <date>': 'when it expires, e.g. 2030-01-31; default: never',
      '--description <text>': 'a description for people',
    },
    run: (input) => create(context(), input),
  },
  {
    usage: 'token renew <name>',
    description: 'generate a new key for an API token and show it once; the old one becomes invalid',
    run: async ({ name }) => {
      const { id } = await findToken(context(), name);
      return withKey((accessKey) => context().entries.update(apiToken.uid, id, { accessKey }), context());
    },
  },
  {
    usage: 'token revoke <name>',
    description: 'delete an API token',
    run: async ({ name }) => {
      const token = await findToken(context(), name);
      await context().entries.delete(apiToken.uid, token.id);
      const declared = context().auth.declared?.tokens.some((declaredToken) => declaredToken.name === name);
      const note = `access.json declares the token ${String(name)}: it is created again at the next start`;
      return { rows: [rowOf(token)], notes: declared ? [note] : [] };
    },
  },
];

const rowOf = ({ name, type, permissions, expiresAt, description }: Entry) => ({
  name,
  type,
  actions: type === 'custom' ? ((permissions as readonly unknown[] | null)?.length ?? 0) : null,
  expires: expiresAt ?? null,
  description: description ?? null,
});

async function create(
  context: BuiltInContext,
  { name, type, allow, expires, description }: CommandInput,
): Promise<CommandResult> {
  const permissions = [allow ?? []].flat().map(String);
  checkActions(permissions, context.auth.actions);
  const kind = type ?? (permissions.length > 0 ? 'custom' : 'read-only');
  if (kind !== 'custom' && permissions.length > 0) throw new AppError('application', '--allow is for custom tokens');
  const data = { name, type: kind, permissions, description: description ?? null, expiresAt: parseDate(expires) };
  return withKey((accessKey) => context.entries.create(apiToken.uid, { ...data, accessKey }), context);
}

/** Writes a token with a new key, and shows it once, because only its hash is stored. */
async function withKey(
  write: (accessKey: string) => Promise<Entry>,
  { settings: { secrets } }: BuiltInContext,
): Promise<CommandResult> {
  const key = newKey();
  const token = await write(hashKey(key, secrets.apiTokenSalt));
  return { rows: [{ ...rowOf(token), key }], notes: ['The key is shown only once: store it now'] };
}

function parseDate(text: unknown): string | null {
  if (text === undefined) return null;
  const date = new Date(String(text));
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  throw new AppError('application', `--expires "${String(text)}" is not a date, e.g. 2030-01-31`);
}

/** @throws AppError application */
async function findToken({ entries }: BuiltInContext, name: unknown): Promise<Entry> {
  const token = await entries.findFirst(apiToken.uid, { filters: { name } });
  if (token === undefined) throw new AppError('application', `unknown API token "${String(name)}"`);
  return token;
}
