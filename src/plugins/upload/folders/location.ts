import type { Data } from '../../../config/record.js';
import type { Entries, Entry } from '../../../documents/entries.js';
import { AppError } from '../../../errors/app-error.js';
import type { DistributedLock } from '../../contract/distributed-lock.js';
import { FOLDER } from '../definitions.js';

/** The folder of a file, null at the top, and its path as providers of packages receive it. */
export interface Location {
  readonly folder: number | null;
  readonly folderPath: string;
}

/** Where a new file goes: without a folder into that of uploads. @throws AppError validation */
export async function findLocation(
  folder: number | null | undefined,
  entries: Entries,
  inTurn: DistributedLock,
): Promise<Location> {
  if (folder === null) return { folder, folderPath: '/' };
  const entry =
    folder === undefined
      ? await findApiFolder(entries, inTurn)
      : await entries.findFirst(FOLDER, { filters: { id: folder } });
  if (entry !== undefined) return { folder: entry.id, folderPath: String(entry['path']) };
  throw new AppError('validation', [{ path: ['fileInfo', 'folder'], message: 'folder does not exist' }]);
}

/** The place in the record of a file. Where folders can move, it has no copy of their path, which could be wrong. */
export const placedIn = (folder: number | null): Data => ({ folder, folderPath: null });

const NAME = 'API Uploads';

/** Returns the folder of files that come through the API. As in Strapi v4, the first upload creates it. */
async function findApiFolder(entries: Entries, inTurn: DistributedLock): Promise<Entry> {
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
}
