import type { ContentType, Registry } from '../../../content-types/model/types.js';
import type { Entries } from '../../../documents/entries.js';
import { hasCode } from '../../../errors/app-error.js';
import { createSemaphore } from '../../../documents/write/semaphore.js';
import { readValues } from './read-values.js';
import { parseRow } from './row.js';
import type { SeedFile } from './seed-files.js';

/** The content types in the files, in the order of their first headers, with their number of entries. */
export async function countSeeded(
  files: readonly SeedFile[],
  registry: Registry,
  entries: Entries,
): Promise<readonly { readonly type: ContentType; readonly count: number }[]> {
  const types = new Set<ContentType>();
  for (const { file } of files) {
    for await (const value of readValues(file)) {
      const row = parseRow(value, registry);
      if (row.kind === 'section') types.add(row.section.type);
    }
  }
  return Promise.all([...types].map(async (type) => ({ type, count: await entries.count(type.uid) })));
}

const BATCH = 500;
const CONCURRENCY = 16;

/** Deletes all entries of a type, in all locales, including drafts; reports the number of deleted entries. */
export async function deleteAll(
  { uid }: ContentType,
  entries: Entries,
  { isStopping, onDeleted }: { readonly isStopping: () => boolean; readonly onDeleted: (deleted: number) => void },
): Promise<void> {
  let deleted = 0;
  const turns = createSemaphore(CONCURRENCY);
  while (!isStopping()) {
    const batch = await entries.findMany(uid, { fields: ['id'], locale: 'all', pagination: { limit: BATCH } });
    if (batch.length === 0) return;
    const remove = async ({ id }: { readonly id: number }): Promise<void> => {
      if (isStopping()) return;
      await entries.delete(uid, id, { fields: ['id'] }).catch((error: unknown) => {
        // Another process was faster.
        if (!hasCode(error, 'notFound')) throw error;
      });
      deleted += 1;
      onDeleted(deleted);
    };
    await Promise.all(batch.map((entry) => turns.run(() => remove(entry))));
  }
}
