import type { Entries, Entry } from '../../../documents/entries.js';
import type { DistributedLock } from '../../contract/distributed-lock.js';
import { FOLDER } from './definition.js';

const NAME = 'API Uploads';

/** Returns the folder of files that come through the API. As in Strapi v4, the first upload creates it. */
export const createApiFolder = (entries: Entries, inTurn: DistributedLock) => async (): Promise<Entry> => {
  const find = (): Promise<Entry | undefined> =>
    entries.findFirst(FOLDER, { filters: { name: NAME, parent: { id: { $null: true } } } });
  return (
    (await find()) ??
    inTurn(FOLDER, async () => {
      const created = await find();
      if (created !== undefined) return created;
      const [last] = await entries.findMany(FOLDER, { sort: 'pathId:desc', pagination: { limit: 1 } });
      const pathId = Number(last?.['pathId'] ?? 0) + 1;
      return entries.create(FOLDER, { name: NAME, pathId, path: `/${pathId}` });
    })
  );
};
