import type { Config } from '../config/config.js';
import { importSource } from '../import/import-source.js';
import { openUploads } from '../import/open-uploads.js';
import type { Source } from '../import/source.js';
import { enabledPlugins, loadRegistry } from '../app/load-registry.js';
import type { Database } from '../mongo/database.js';

/** Puts what Strapi exported into the database of a world; standard output is left alone. @throws StartError */
export async function importWorld(source: Source, database: Database, config: Config): Promise<void> {
  const say = (line: string): void => console.error(line);
  const { untaken } = await importSource(source, {
    registry: await loadRegistry(config, await enabledPlugins(config)),
    database,
    uploads: await openUploads(config, database),
    acceptDifferences: false,
    removeOthers: false,
    tell: { stored: () => undefined, known: () => undefined, read: () => undefined },
    say,
    stopping: new AbortController().signal,
  });
  if (untaken.lost > 0) for (const line of untaken.lines()) say(line);
}
