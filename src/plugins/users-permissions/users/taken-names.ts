import { createHash } from 'node:crypto';
import type { Data, Parts } from '../context.js';
import { uids } from '../uids.js';

/** A name without what the eye does not see. */
const plain = (username: string): string => username.normalize('NFKC').trim();

/** Has another user this name, or one that looks like it? */
export const isNameTaken = (parts: Parts, username: string, except?: number): Promise<boolean> =>
  isTaken(parts, [{ username }, ...lookalikes(username)], except);

/** Has another user a name, or an address, that looks like this name, but is not the same? */
export const isNameMisleading = (parts: Parts, username: string): Promise<boolean> =>
  isTaken(parts, lookalikes(username));

const lookalikes = (username: string): readonly Data[] => [
  ...(plain(username) === username ? [] : [{ username: plain(username) }]),
  { email: plain(username).toLowerCase() },
];

/** Has another user this address, or a name that reads like it? */
export const isAddressTaken = (parts: Parts, email: string, except?: number): Promise<boolean> =>
  isTaken(parts, [{ email: email.toLowerCase() }, { username: email }, { username: email.toLowerCase() }], except);

/**
 * Does work that looks whether names are taken and then takes them, in all processes one after the other for each of them:
 * no index keeps a name from being the address of somebody else.
 */
export function whileReserved<T>({ nameLock }: Parts, names: readonly unknown[], work: () => Promise<T>): Promise<T> {
  const keys = new Set(names.flatMap((name) => (typeof name === 'string' ? [keyOf(name)] : [])));
  // In one order, so that no two wait for each other.
  return [...keys].toSorted().reduceRight((inner, key) => () => nameLock(key, inner), work)();
}

const keyOf = (name: string): string => createHash('sha256').update(plain(name).toLowerCase()).digest('base64url');

async function isTaken({ context }: Parts, $or: readonly Data[], except?: number): Promise<boolean> {
  const filters = { $or, ...(except !== undefined && { id: { $ne: except } }) };
  return (await context.entries.findFirst(uids.user, { filters, fields: ['id'] })) !== undefined;
}
