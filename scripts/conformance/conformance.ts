import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { StartError } from '../../src/errors/start-error.js';
import { startMemoryServer } from '../../src/mongo/connection/memory-server.js';
import { compact, printed } from './recordings.js';
import { regressions, raise, readRatchet, writeRatchet } from './ratchet.js';
import { describeOutcome, formatScores } from './report.js';
import type { Outcome } from './replay.js';
import { describeCode, replayWithCode } from './replay-with-code.js';
import { runCorpus, type CorpusRun } from './run-corpus.js';
import { scoresOf, totalOf } from './score.js';
import { foldersWithRecordings } from './strapi5/recording.js';
import { describeFile, formatTotal } from './strapi5/report.js';
import { countDifferent, readDifferent, worseThan, writeDifferent } from './strapi5/ratchet.js';
import { replayRecordings, type RecordingOutcome } from './strapi5/replay-recordings.js';

const words = {
  only: { type: 'string' },
  'strapi-database': { type: 'string' },
  project: { type: 'boolean', default: false },
  code: { type: 'boolean', default: false },
  verbose: { type: 'boolean', short: 'v', default: false },
  json: { type: 'string' },
  update: { type: 'boolean', default: false },
  print: { type: 'string' },
  compact: { type: 'boolean', default: false },
  format: { type: 'string', default: '4' },
} as const;

export interface ConformanceFiles {
  /** The folder of the corpus. */
  readonly corpus: string;
  readonly ratchet: string;
}

/**
 * Replays the corpus, or that of a folder in the arguments, and prints how every area stands; with `--format 5` a
 * folder with recordings of Strapi 5, and with `--project` what code of a project gets. With `--print` it prints a
 * recording instead, and with `--compact` it stores each step of the corpus on a line.
 * @param files those of the recordings; of Strapi 5 the folder
 * @param uri a MongoDB to use; one is started if there is none
 * @returns the exit code: 0 no area does worse than before, 1 some do, 2 it could not run
 */
export async function conformance(
  args: readonly string[],
  files: Readonly<Record<'contentTypes' | 'project' | 'strapi5Project', ConformanceFiles>> & {
    readonly strapi5: string;
  },
  uri: string | undefined,
): Promise<0 | 1 | 2> {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: words, allowPositionals: true });
    const { only, verbose, json, update, project, code, 'strapi-database': database } = values;
    const isStrapi5 = values.format === '5';
    if (isStrapi5 && !project)
      return await replayFormat5(
        positionals,
        { corpus: files.contentTypes.corpus, recordings: files.strapi5 },
        values,
        uri,
      );
    if (!isStrapi5 && values.format !== '4') throw new StartError('--format must be 4 or 5');
    const { corpus, ratchet: file } = chooseFiles(
      positionals,
      project ? files[isStrapi5 ? 'strapi5Project' : 'project'] : files.contentTypes,
      values,
    );
    if (values.print !== undefined) {
      console.log(await printed(corpus, values.print));
      return 0;
    }
    if (values.compact) {
      for (const changed of await compact(corpus)) console.log(changed);
      return 0;
    }
    const onProgress = (done: readonly Outcome[]): void => {
      for (const line of done.flatMap((outcome) => describeOutcome(outcome, verbose))) console.log(line);
    };
    const run = {
      corpus,
      onProgress,
      ...(only !== undefined && { only }),
      ...(database !== undefined && { database: parseDatabase(database) }),
    };
    if (code) return await replayCodes(run, uri, json);
    const { outcomes, notBuilt } = await onServer(uri, (uri) => runCorpus({ ...run, uri }));

    const scores = scoresOf(outcomes);
    const ratchet = file === undefined ? {} : await readRatchet(file);
    const fallen = regressions(ratchet, scores);
    if (update && file !== undefined) await writeRatchet(file, raise(ratchet, scores));
    if (json !== undefined) await writeFile(json, `${JSON.stringify({ scores, notBuilt, outcomes }, null, 1)}\n`);
    console.log(formatScores(scores));
    if (notBuilt.length > 0) console.log(`Not built yet, so not run: ${notBuilt.join(', ')}`);
    for (const line of fallen) console.log(`WORSE  ${line}`);
    const { judged, lenient } = totalOf(scores);
    const isWorse = file === undefined ? lenient < judged : fallen.length > 0;
    return isWorse ? 1 : 0;
  } catch (error) {
    const isExpected = error instanceof StartError || (error instanceof TypeError && 'code' in error);
    console.error(isExpected ? error.message : error);
    return 2;
  }
}

/** The recordings of the service, or those of a folder that someone brings: all of their steps have to pass. */
function chooseFiles(
  folders: readonly string[],
  ours: ConformanceFiles,
  { project, update }: { readonly project: boolean; readonly update: boolean },
): Partial<ConformanceFiles> & Pick<ConformanceFiles, 'corpus'> {
  const [folder, ...others] = folders;
  if (folder === undefined) return ours;
  if (others.length > 0) throw new StartError('One folder with recordings can be replayed at a time');
  if (project || update)
    throw new StartError('--project and --update are for the recordings of the service, not for a folder');
  return { corpus: path.resolve(folder) };
}

function parseDatabase(name: string): 'postgres' | 'mysql' {
  if (name === 'postgres' || name === 'mysql') return name;
  throw new StartError('--strapi-database must be postgres or mysql');
}

/** Compares projects with code that changes no answer with none. */
async function replayCodes(
  run: Omit<CorpusRun, 'uri'>,
  uri: string | undefined,
  json: string | undefined,
): Promise<0 | 1> {
  const { onProgress: _, ...silent } = run;
  const results = await onServer(uri, (uri) =>
    replayWithCode({ ...silent, uri }, (result) => console.log(describeCode(result).join('\n'))),
  );
  if (json !== undefined) await writeFile(json, `${JSON.stringify(results, null, 1)}\n`);
  return results.every(({ unexplained, needless }) => unexplained.length + needless.length === 0) ? 0 : 1;
}

/** Replays recordings of Strapi 5: those of a folder, or the own ones, of which no file may do worse than before. */
async function replayFormat5(
  [folder, ...others]: readonly string[],
  { corpus, recordings }: { readonly corpus: string; readonly recordings: string },
  {
    only,
    json,
    update,
    code,
  }: {
    readonly only?: string | undefined;
    readonly json?: string | undefined;
    readonly update: boolean;
    readonly code: boolean;
  },
  uri: string | undefined,
): Promise<0 | 1> {
  if (others.length > 0 || (folder !== undefined && update))
    throw new StartError(
      '--format 5 takes one folder with recordings; --update is for those of the service, without a folder',
    );
  const folders = folder === undefined ? [recordings] : await foldersWithRecordings(path.resolve(folder));
  const run = {
    own: recordings,
    corpus,
    ...(only !== undefined && { only }),
    ...(code && { code: 'generated' as const }),
  };
  const onFile = (done: readonly RecordingOutcome[]): void => console.log(describeFile(done).join('\n'));
  const outcomes = await onServer(uri, async (uri) => {
    const all: RecordingOutcome[] = [];
    for (const one of folders) all.push(...(await replayRecordings({ ...run, folder: one, uri, onFile })));
    return all;
  });
  if (json !== undefined) await writeFile(json, `${JSON.stringify(outcomes, null, 1)}\n`);
  console.log(formatTotal(outcomes));
  if (folder !== undefined) return outcomes.some(({ verdict }) => verdict === 'different') ? 1 : 0;
  const before = await readDifferent(recordings);
  const now = countDifferent(outcomes);
  if (update) await writeDifferent(recordings, { ...before, ...now });
  const worse = worseThan(before, now);
  for (const line of worse) console.log(`WORSE  ${line}`);
  return worse.length > 0 ? 1 : 0;
}

/** @param uri a server to use; one is started if there is none */
async function onServer<T>(uri: string | undefined, work: (uri: string) => Promise<T>): Promise<T> {
  if (uri) return work(uri);
  const server = await startMemoryServer();
  try {
    return await work(server.uri);
  } finally {
    await server.stop();
  }
}
