import type { Config } from '../../src/config/config.js';
import { importSource } from '../../src/cli/commands/import/import-source.js';
import { openUploads } from '../../src/cli/commands/import/read/open-uploads.js';
import type { Source } from '../../src/cli/commands/import/source.js';
import { loadRegistry } from '../../src/app/load-registry.js';
import type { Database } from '../../src/mongo/connection/database.js';

/** Puts what Strapi exported into the database of a world; standard output is left alone. @throws StartError */
export async function importWorld(source: Source, database: Database, config: Config): Promise<void> {
  const print = (line: string): void => console.error(line);
  const { skipped } = await importSource(source, {
    registry: await loadRegistry(config),
    database,
    uploads: await openUploads(config, database),
    acceptDifferences: false,
    removeOthers: false,
    reporter: { stored: () => undefined, existing: () => undefined, read: () => undefined },
    print,
    stopping: new AbortController().signal,
  });
  if (skipped.lost > 0) for (const line of skipped.lines()) print(line);
}
