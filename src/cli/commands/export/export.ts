import path from 'node:path';
import { StartError } from '../../../errors/start-error.js';
import { openUploads } from '../import/read/open-uploads.js';
import { countEntries, findUnknownCollections } from '../../../mongo/maintenance/check/check-database.js';
import type { Database } from '../../../mongo/connection/database.js';
import { loadProject, withData } from '../../io/project.js';
import { describePace, withProgress } from '../../io/progress.js';
import { describeCounts, filledOf, sumOf } from '../../io/entry-counts.js';
import { count, counted, createOutput, type Output } from '../../io/terminal.js';
import { exportToStrapi } from './strapi/export-to-strapi.js';
import { writeExport, type Exporting } from './write-export.js';
import type { ExitCode } from '../../exit-codes.js';

export interface ExportOptions {
  readonly file: string | undefined;
  readonly format: string;
  readonly like?: string;
  readonly key?: string;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Of this service, and of `strapi import`. */
const formats = ['content-service', 'strapi'] as const;

/** Stopped, it leaves no archive. */
export async function runExport(
  { file = defaultFile(), format, like, key, dryRun, json }: ExportOptions,
  stopping: AbortSignal,
): Promise<ExitCode> {
  try {
    const output = createOutput(json);
    if (!(formats as readonly string[]).includes(format))
      throw new StartError(`--format is "${format}"; allowed: ${formats.join(', ')}`);
    if (format !== 'strapi' && dryRun) throw new StartError('--dry-run is for --format strapi');
    const { config, registry, plugins, recordIn } = await loadProject();
    const work = async (database: Database): Promise<void> => {
      output.print(`Database: ${database.description}`);
      const { store } = await openUploads(config, database);
      const [archive, exporting] = [path.normalize(file), { registry, plugins, database, store, stopping }];
      // First: nobody has what is not recorded.
      if (!dryRun) await recordIn(database, 'export', { action: 'export' });
      await (format === 'strapi'
        ? exportToStrapi({ ...exporting, file: archive, like, key, dryRun, output })
        : run(archive, exporting, output));
    };
    await withData(config, work, true);
    return 0;
  } catch (error) {
    if (!stopping.aborted) throw error;
    console.error('Stopped: no archive was written');
    return 130;
  }
}

async function run(file: string, exporting: Exporting, { print, result }: Output): Promise<void> {
  const { database, registry } = exporting;
  const total = await countAll(exporting);
  const begin = performance.now();
  const { entries, files, size, snapshot } = await withProgress('Exported', total, (advance) =>
    writeExport(file, exporting, advance),
  );
  const all = sumOf(entries);
  const took = describePace(all + files, (performance.now() - begin) / 1000);
  print(`${file}: ${counted(all, 'entry', 'entries')} and ${counted(files, 'file')} ${took}, ${count(size)} bytes`);
  for (const line of describeCounts(entries)) print(line);
  if (!snapshot)
    print(
      'The database is a single server without snapshots: entries written during the export may be included or not',
    );
  const strangers = await findUnknownCollections(database.db, registry);
  for (const name of strangers) print(`Not exported: the collection "${name}" belongs to no content type`);
  result({ file, entries: all, collections: filledOf(entries), files, bytes: size, snapshot, strangers });
}

/** Entries and files together. */
async function countAll({ registry, database, store }: Exporting): Promise<number> {
  let all = sumOf(await countEntries(database.db, registry));
  for await (const _ of store.list()) all += 1;
  return all;
}

const defaultFile = (): string => `export-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`;
