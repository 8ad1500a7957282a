import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { groupBy } from '../../../src/config/group-by.js';
import type { RecordingOutcome } from './replay-recordings.js';

/**
 * How many requests of a file are answered otherwise than recorded, for no listed reason; files without any are left
 * out.
 */
export type Different = Readonly<Record<string, number>>;

/** Of every file that was replayed. */
export const countDifferent = (outcomes: readonly RecordingOutcome[]): Different =>
  Object.fromEntries(
    [...groupBy(outcomes, ({ file }) => file)].map(([file, own]) => [
      file,
      own.filter(({ verdict }) => verdict === 'different').length,
    ]),
  );

/** A line for each file of which more requests differ than before. */
export const worseThan = (before: Different, now: Different): readonly string[] =>
  Object.entries(now)
    .filter(([file, count]) => count > (before[file] ?? 0))
    .map(([file, count]) => `${file}: ${count} requests differ, ${before[file] ?? 0} did before`);

const fileIn = (folder: string): string => path.join(folder, 'ratchet.json');

export const readDifferent = async (folder: string): Promise<Different> =>
  JSON.parse(await readFile(fileIn(folder), 'utf8')) as Different;

export async function writeDifferent(folder: string, counts: Different): Promise<void> {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  await writeFile(fileIn(folder), `${JSON.stringify(Object.fromEntries(some), null, 2)}\n`);
}
