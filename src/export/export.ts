import path from 'node:path';
import { parseWords } from '../process/parse-words.js';
import type { Registry } from '../content-types/types.js';
import { StartError } from '../errors/start-error.js';
import { openUploads } from '../import/open-uploads.js';
import { findStrangers } from '../mongo/check/check-database.js';
import type { Database } from '../mongo/database.js';
import type { FileStore } from '../mongo/file-store.js';
import { describeFailure, loadProject, withDatabase } from '../process/project.js';
import { watchProgress } from '../seed/reporter.js';
import { count, createOutput, type Output } from '../process/terminal.js';
import { writeExport } from './write-export.js';

const usage = `npm run export -- [<file.tar.gz>] [--json]
    without a name: export-<time>.tar.gz in this folder
    --json    print the result as JSON`;

/** 0 all is in the archive, 2 it could not begin or go on, 130 it was stopped. */
export type ExportExit = 0 | 2 | 130;

/**
 * Writes all data of the project in this folder into an archive that `npm run import` takes: `npm run export`, see
 * docs/backup.md. A service that runs on it goes on.
 * @param stopping stops it; there is no archive then
 */
export async function runExport(args: readonly string[], stopping: AbortSignal): Promise<ExportExit> {
  try {
    const { file, json } = readArguments(args);
    const output = createOutput(json);
    const { config, registry } = await loadProject();
    const work = async (database: Database): Promise<void> => {
      output.say(`Database: ${database.description}`);
      const { store } = await openUploads(config, database);
      await run(file, { registry, database, store, stopping, output });
    };
    await withDatabase(config, work, true);
    return 0;
  } catch (error) {
    if (stopping.aborted) {
      console.error('Stopped: there is no archive');
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
  readonly output: Output;
}

async function run(file: string, running: Running): Promise<void> {
  const {
    database,
    registry,
    output: { say, result },
  } = running;
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
  say(`${file}: ${count(counts.entries)} documents and ${count(counts.files)} files ${took}, ${count(size)} bytes`);
  if (!snapshot) say('Of a single server: entries that were written meanwhile are as they were at some moment of it');
  const strangers = await findStrangers(database.db, registry);
  for (const name of strangers) say(`Not in it: the collection "${name}" belongs to no content type`);
  result({ file, documents: counts.entries, files: counts.files, bytes: size, snapshot, strangers });
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

function readArguments(args: readonly string[]) {
  const options = { json: { type: 'boolean', default: false } } as const;
  const { positionals, values } = parseWords({ args: [...args], options, allowPositionals: true }, usage);
  const [file = `export-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.tar.gz`, ...more] = positionals;
  if (more.length > 0) throw new StartError(`One file may be named\n${usage}`);
  return { file: path.normalize(file), json: values.json };
}
