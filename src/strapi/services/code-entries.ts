import type { Registry } from '../../content-types/model/types.js';
import type { Documents } from '../../documents/documents.js';
import { createEntries, type Entries, type Entry } from '../../documents/entries.js';
import { ownAttributes, uids } from '../../plugins/users-permissions/uids.js';
import type { QueryLimits } from '../../query/parse/parse-query.js';

const hidden = new Set<string>(ownAttributes);

/** Entries for project code: with the hashes of passwords, and without internal attributes of users. */
export function createCodeEntries(documents: Documents, registry: Registry, limits: QueryLimits): Entries {
  const entries = createEntries(documents, registry, limits, 'code');
  const show = <E extends Entry | undefined>(uid: string, entry: E): E => {
    if (uid !== uids.user || entry === undefined) return entry;
    return Object.fromEntries(Object.entries(entry).filter(([name]) => !hidden.has(name))) as E;
  };
  return {
    findMany: async (uid, params) => (await entries.findMany(uid, params)).map((entry) => show(uid, entry)),
    findFirst: async (uid, params) => show(uid, await entries.findFirst(uid, params)),
    findOne: async (uid, id, params) => show(uid, await entries.findOne(uid, id, params)),
    count: entries.count,
    create: async (uid, data, params) => show(uid, await entries.create(uid, data, params)),
    update: async (uid, id, data, params) => show(uid, await entries.update(uid, id, data, params)),
    delete: async (uid, id, params) => show(uid, await entries.delete(uid, id, params)),
  };
}
