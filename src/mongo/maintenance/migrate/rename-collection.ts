import type { Db } from 'mongodb';
import { StartError } from '../../../errors/start-error.js';

/**
 * Whether a collection must be renamed: not if it no longer exists. A start of the service may have created the new one
 * already, which is a conflict only if it is not empty.
 * @throws StartError if both have entries
 */
export async function mustRename(db: Db, from: string, to: string): Promise<boolean> {
  if (!(await exists(db, from))) return false;
  if ((await exists(db, to)) && (await db.collection(to).findOne({})) !== null) {
    throw new StartError(`migrations.json: ${from} cannot be renamed to ${to}: both collections have entries`);
  }
  return true;
}

/** Renames a collection in one step. */
export async function renameCollection(db: Db, from: string, to: string): Promise<void> {
  if (await exists(db, to)) await db.collection(to).drop();
  await db.collection(from).rename(to);
}

const exists = (db: Db, name: string): Promise<boolean> => db.listCollections({ name }, { nameOnly: true }).hasNext();
