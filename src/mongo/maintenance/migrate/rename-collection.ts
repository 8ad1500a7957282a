import type { Db } from 'mongodb';
import { StartError } from '../../../errors/start-error.js';

/**
 * Does a collection have to be renamed? Not if it no longer exists. A start of the service may have made the new one
 * already: that is in the way only when there is something in it.
 * @throws StartError when there are entries in both
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
