import type { Db } from 'mongodb';
import { StartError } from '../../../errors/start-error.js';

/**
 * Renames a collection in one step. A start of the service may have created the new one already, which is a conflict
 * only if it is not empty.
 * @param apply false: nothing is changed
 * @returns whether there was one to rename
 * @throws StartError if both have entries
 */
export async function renameCollection(db: Db, from: string, to: string, apply: boolean): Promise<boolean> {
  if (!(await exists(db, from))) return false;
  const isThere = await exists(db, to);
  if (isThere && (await db.collection(to).findOne({})) !== null) {
    throw new StartError(`migrations.json: ${from} cannot be renamed to ${to}: both collections have entries`);
  }
  if (apply && isThere) await db.collection(to).drop();
  if (apply) await db.collection(from).rename(to);
  return true;
}

const exists = (db: Db, name: string): Promise<boolean> => db.listCollections({ name }, { nameOnly: true }).hasNext();
