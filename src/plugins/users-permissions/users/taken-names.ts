import { createHash } from 'node:crypto';
import type { Data } from '../../../config/record.js';
import type { Services } from '../services.js';
import { uids } from '../uids.js';

/** A name without invisible characters. */
const plain = (username: string): string => username.normalize('NFKC').trim();

/** Whether another user has this name, or one that looks like it. */
export const isNameTaken = (services: Services, username: string, except?: number): Promise<boolean> =>
  isTaken(services, [{ username }, ...lookalikes(username)], except);

/** Whether another user has a name or an address that looks like this name, but differs from it. */
export const isNameMisleading = (services: Services, username: string): Promise<boolean> =>
  isTaken(services, lookalikes(username));

const lookalikes = (username: string): readonly Data[] => [
  ...(plain(username) === username ? [] : [{ username: plain(username) }]),
  { email: plain(username).toLowerCase() },
];

/** Whether another user has this address, or a name that reads like it. */
export const isAddressTaken = (services: Services, email: string, except?: number): Promise<boolean> =>
  isTaken(services, [{ email: email.toLowerCase() }, { username: email }, { username: email.toLowerCase() }], except);

/**
 * Does work that looks whether names are taken and then takes them, in all processes one after the other for each of
 * them: no index keeps a name from being the address of another user.
 */
export function whileReserved<T>(
  { nameLock }: Services,
  names: readonly unknown[],
  work: () => Promise<T>,
): Promise<T> {
  const keys = new Set(names.flatMap((name) => (typeof name === 'string' ? [nameKey(name)] : [])));
  // In one order, so that no two wait for each other.
  return [...keys].toSorted().reduceRight((inner, key) => () => nameLock(key, inner), work)();
}

const nameKey = (name: string): string => createHash('sha256').update(plain(name).toLowerCase()).digest('base64url');

async function isTaken({ context }: Services, $or: readonly Data[], except?: number): Promise<boolean> {
  const filters = { $or, ...(except !== undefined && { id: { $ne: except } }) };
  return (await context.entries.findFirst(uids.user, { filters, fields: ['id'] })) !== undefined;
}
