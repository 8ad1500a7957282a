import { plainEntry } from '../../../query/entry-presenter.js';
import { system } from '../../../documents/caller.js';
import type { Entry } from '../../../documents/entries.js';
import { presentList } from '../../../documents/read-operation.js';
import { parseQuery } from '../../../query/parse/parse-query.js';
import { parseId, type QueryInput } from '../../../query/parse/input.js';
import { AppError } from '../../../errors/app-error.js';
import type { Services } from '../services.js';
import { uids } from '../uids.js';

/** A user with all that is stored of them, the hash of the password included. */
export type StoredUser = Entry & { readonly password: string | null };

/** Finds users for our own checks. Passwords can be read in no other way. */
export async function findUsers({ context, userType }: Services, filters: QueryInput): Promise<readonly StoredUser[]> {
  const input = { filters, pagination: { limit: FEW, withCount: 'false' } };
  const query = parseQuery(input, userType, 'internal', context.limits);
  const password = userType.attributes.get('password');
  const fields = password?.kind === 'scalar' ? [...query.fields, password] : query.fields;
  const { entries } = await context.documents.read(
    { action: 'find', query: { ...query, fields }, caller: system, presenter: plainEntry },
    presentList,
  );
  return entries as readonly StoredUser[];
}

const FEW = 10;

/**
 * The user with this address, name or id, as commands identify one.
 * @throws AppError application if there are several
 */
export async function findUserCalled({ context }: Services, text: string): Promise<Entry | undefined> {
  const id = parseId(text);
  const filters = id === undefined ? { $or: [{ email: text.toLowerCase() }, { username: text }] } : { id };
  const found = { filters, populate: 'role', pagination: { limit: 2 } };
  const [user, another] = await context.entries.findMany(uids.user, found);
  if (another !== undefined) throw new AppError('application', `Several users are called "${text}": use an id`);
  return user;
}

/** The id of the role that new users get. @throws AppError application */
export async function findDefaultRole({ context: { entries }, settings }: Services): Promise<number> {
  const role = await entries.findFirst(uids.role, { filters: { type: settings.defaultRole }, fields: ['id'] });
  if (role === undefined) throw new AppError('application', 'Impossible to find the default role');
  return role.id;
}

/**
 * When the password of a user who has just been created was changed: code that runs after a creation can change it, and
 * the token of that request is good nevertheless.
 */
export async function passwordTime(
  { context: { entries } }: Services,
  id: number,
): Promise<{ readonly passwordChangedAt: string | null }> {
  const stored = await entries.findFirst(uids.user, { filters: { id }, fields: ['passwordChangedAt'] });
  return { passwordChangedAt: (stored?.['passwordChangedAt'] ?? null) as string | null };
}
