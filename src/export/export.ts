import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Registry } from '../content-types/types.js';
import { StartError } from '../errors/start-error.js';
import { openUploads } from '../import/open-uploads.js';
import { findStrangers } from '../mongo/check/check-database.js';
import type { Database } from '../mongo/database.js';
import type { FileStore } from '../mongo/file-store.js';
import { describeFailure, loadProject, withDatabase } from '../project.js';
import { watchProgress } from '../seed/reporter.js';
import { count } from '../terminal.js';
import { writeExport } from './write-export.js';

const usage = 'npm run export [-- <file.tar.gz>]    without a name: export-<time>.tar.gz in this folder';

/** 0 all is in the archive, 2 it could not begin or go on, 130 it was stopped. */
export type ExportExit = 0 | 2 | 130;

/**
 * Writes all data of the project in this folder into an archive that `npm run import` takes: `npm run export`, see
 * docs/backup.md. A service that runs on it goes on.
 * @param stopping stops it; there is no archive then
 */
export async function runExport(args: readonly string[], stopping: AbortSignal): Promise<ExportExit> {
  try {
    const file = readArguments(args);
    const { config, registry } = await loadProject();
    const work = async (database: Database): Promise<void> => {
      console.log(`Database: ${database.description}`);
      const { store } = await openUploads(config, database);
      await run(file, { registry, database, store, stopping });
    };
    await withDatabase(config, work, true);
    return 0;
  } catch (error) {
    if (stopping.aborted) {
      console.log('Stopped: there is no archive');
      return 130;
    }
    console.error(describeFailure(error));
    return 2;
  }
}

interface Running {
  readonly registry: Registry;
  readonly database: Database;
  readonly store: FileStore;
  readonly stopping: AbortSignal;
}

async function run(file: string, running: Running): Promise<void> {
  const { database, registry } = running;
  const all = await countAll(running);
  const { numbers, end } = watchProgress(all);
  const counts = { entries: 0, files: 0 };
  const step = (kind: keyof typeof counts): void => {
    counts[kind] += 1;
    numbers.stored += 1;
    numbers.read += 1;
  };
  const tell = { entry: () => step('entries'), file: () => step('files') };
  let took = '';
  const { size, snapshot } = await writeExport(file, { ...running, tell }).finally(() => {
    took = end();
  });
  console.log(
    `${file}: ${count(counts.entries)} documents and ${count(counts.files)} files ${took}, ${count(size)} bytes`,
  );
  if (!snapshot)
    console.log('Of a single server: entries that were written meanwhile are as they were at some moment of it');
  for (const name of await findStrangers(database.db, registry)) {
    console.log(`Not in it: the collection "${name}" belongs to no content type`);
  }
}

/** Documents and files together. */
async function countAll({ registry, database, store }: Running): Promise<number> {
  let all = 0;
  for (const { collectionName } of registry.contentTypes.values()) {
    all += await database.db.collection(collectionName).countDocuments({});
  }
  for await (const _ of store.list()) all += 1;
  return all;
}

function readArguments(args: readonly string[]): string {
  const { positionals } = parse(args);
  const [file = `export-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`, ...more] = positionals;
  if (more.length > 0) throw new StartError(`One file may be named\n${usage}`);
  return path.normalize(file);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true });
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
