import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import pLimit from 'p-limit';
import type { Service } from '../../../app/app.js';
import { readConfig } from '../../../config/load-config.js';
import { StartError } from '../../../errors/start-error.js';
import { openDatabase } from '../../../mongo/connection/open-database.js';
import { log } from '../../io/project.js';
import { startService } from '../../../server/start-service.js';
import { count, createOutput, showProgress, type Output } from '../../io/terminal.js';
import { openReferenceIds } from './reference-ids.js';
import { createReporter } from './reporter.js';
import { findSeedFiles, type SeedFile, type SeedFiles } from './seed-files.js';
import { seedImages } from './seed-images.js';
import { seedBatch } from './seed-batch.js';
import type { ContentType } from '../../../content-types/model/types.js';
import type { Entries } from '../../../documents/entries.js';
import { ifNotFound } from '../../../errors/app-error.js';
import { readBatches, readRows } from './row.js';
import type { ExitCode } from '../../exit-codes.js';

export interface SeedOptions {
  readonly location: string;
  readonly reset: boolean;
  readonly yes: boolean;
  readonly json: boolean;
}

/** Stopped, it ends after the entries that are under way. */
export async function seed({ location, reset, yes, json }: SeedOptions, stopping: AbortSignal): Promise<ExitCode> {
  const output = createOutput(json);
  const files = await findSeedFiles(location);
  const config = await readConfig();
  const opening = openDatabase({ ...config.database, beside: true }, log);
  // Entries that a project's bootstrap creates in an empty database would conflict with the rows.
  const service = await startService(config, opening, log, { bootstrap: false, door: 'seed' });
  try {
    output.print(`Database: ${(await opening).description}`);
    if (reset && !(await emptyTypes(files.rows, service, { yes, stopping, print: output.print })))
      return stopping.aborted ? 130 : 2;
    return await seedFiles(files, service, output, stopping);
  } finally {
    await service.close();
  }
}

async function seedFiles(
  { rows, images }: SeedFiles,
  service: Service,
  { print, result }: Output,
  stopping: AbortSignal,
): Promise<ExitCode> {
  const { registry, entries } = service;
  const reporter = createReporter(sizeOf(images) + sizeOf(rows), print);
  const referenceIds = await openReferenceIds(entries, registry.contentTypes);
  const seeding = { registry, entries, referenceIds, stopping, reporter };
  try {
    await seedImages(images, service, seeding);
    let before = sizeOf(images);
    for (const { file, size } of rows) {
      for await (const batch of readBatches(file, registry)) {
        await seedBatch(batch, seeding);
        if (stopping.aborted) break;
        reporter.read(before + batch.read);
      }
      if (stopping.aborted) break;
      before += size;
    }
  } catch (error) {
    reporter.finish('Interrupted; run the command again to continue');
    throw error;
  }
  const counts = reporter.finish(stopping.aborted ? 'Stopped; run the command again to continue' : 'Done');
  result({ stopped: stopping.aborted, ...counts });
  if (stopping.aborted) return 130;
  return counts.failed === 0 ? 0 : 1;
}

const sizeOf = (files: readonly SeedFile[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** Deletes the existing entries of the types in the files, if requested. */
async function emptyTypes(
  files: readonly SeedFile[],
  service: Service,
  { yes, stopping, print }: Pick<Output, 'print'> & { readonly yes: boolean; readonly stopping: AbortSignal },
): Promise<boolean> {
  const stored = (await countSeeded(files, service)).filter((counted) => counted.count > 0);
  const description = stored.map((counted) => `${count(counted.count)} of ${counted.type.uid}`).join(', ');
  if (stored.length > 0 && !yes && !(await confirm(`Delete all of these entries: ${description}? [y/N] `, stopping))) {
    print('Nothing was deleted.');
    return false;
  }
  // Reversed, so that referring entries are deleted before their targets.
  for (const { type, count: all } of stored.toReversed()) {
    await deleteAll(type, all, service.entries, stopping);
    showProgress('');
  }
  if (stored.length > 0) print(stopping.aborted ? 'Stopped while deleting' : `Deleted: ${description}`);
  return !stopping.aborted;
}

async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY) throw new StartError('--reset requires confirmation: add --yes if there is no terminal');
  // Not as a terminal, so that Ctrl+C stops the process as it does elsewhere.
  const prompt = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  const reply = await prompt.question(question, { signal }).catch(() => '');
  prompt.close();
  return /^y(?:es)?$/i.test(reply.trim());
}

/**
 * The content types in the files, in the order of their first headers, with their number of entries.
 * @throws StartError for an invalid header: entries that are not seeded again must not be deleted
 */
async function countSeeded(files: readonly SeedFile[], { registry, entries }: Service) {
  const types = new Set<ContentType>();
  for (const { file } of files) {
    for await (const row of readRows(file, registry)) {
      if (row.kind === 'section') types.add(row.section.type);
      if (row.kind === 'wrong' && row.frame)
        throw new StartError(`${path.basename(file)}:${row.line}: ${row.rule}; nothing was deleted`);
    }
  }
  return Promise.all([...types].map(async (type) => ({ type, count: await entries.count(type.uid) })));
}

const BATCH = 500;
const CONCURRENCY = 16;

/** Deletes all entries of a type, in all locales, including drafts. */
async function deleteAll({ uid }: ContentType, all: number, entries: Entries, stopping: AbortSignal): Promise<void> {
  let deleted = 0;
  const limit = pLimit(CONCURRENCY);
  while (!stopping.aborted) {
    const batch = await entries.findMany(uid, { fields: ['id'], locale: 'all', pagination: { limit: BATCH } });
    if (batch.length === 0) return;
    const remove = async ({ id }: { readonly id: number }): Promise<void> => {
      if (stopping.aborted) return;
      // Another process may have been faster.
      await entries.delete(uid, id, { fields: ['id'] }).catch(ifNotFound(undefined));
      deleted += 1;
      showProgress(`${count(deleted)} of ${count(all)} ${uid} deleted`);
    };
    await limit.map(batch, remove);
  }
}
