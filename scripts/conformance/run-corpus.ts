import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { StartError } from '../../src/errors/start-error.js';
import type { Captured } from './captured.js';
import { createClient, type Client } from './client.js';
import { loadDeviations, type Deviations } from './deviations.js';
import { plainJudge } from './judge.js';
import type { ProjectCode } from './project-code.js';
import { replay, type Outcome } from './replay.js';
import { loadScenarios, onDatabase, type Phase, type Scenario, type StepOnDatabase } from './scenario.js';
import type { WorldServer, WorldServerOptions } from './serve-world.js';
import { createCodeJudge } from './strapi5/judge-code.js';
import { withWorldServers } from './world-servers.js';
import { readWorld, type World } from './world.js';

export interface CorpusRun {
  /**
   * The folder with `world.json`, `deviations.json`, `content-types` or else a `project` with code, `fixtures` and
   * `scenarios`.
   */
  readonly corpus: string;
  /** A MongoDB: databases with names of their own are made there, and removed. */
  readonly uri: string;
  /**
   * Replays what Strapi v4 answers on this database, with its rules; see `databases` in the corpus. Default: sqlite.
   */
  readonly database?: 'postgres' | 'mysql';
  /** Makes the content types a project with code that changes no answer. */
  readonly code?: ProjectCode;
  /** Further plugins of the servers. */
  readonly plugins?: WorldServerOptions['plugins'];
  /**
   * The client that sends the steps of a phase to a server, such as one that writes at the same time. Default: the
   * given one.
   */
  readonly accompany?: (client: Client, phase: Phase) => Client;
  /** Runs only scenarios whose file or name contain this text, and the seed. */
  readonly only?: string;
  /** Hears of every scenario when it is done. */
  readonly onProgress?: (outcomes: readonly Outcome[]) => void;
}

export interface CorpusResult {
  readonly outcomes: readonly Outcome[];
  /** Areas that were left out, because what they ask does not answer at all. */
  readonly notBuilt: readonly string[];
}

/**
 * Replays a corpus against servers of its own: the seed and all that only reads on one, and each area that writes on a
 * fresh one, which begins with the seed.
 * @throws StartError when there is nothing to replay, or a server does not start
 */
export async function runCorpus({
  corpus,
  uri,
  database,
  code,
  plugins,
  accompany = (client) => client,
  only = '',
  onProgress,
}: CorpusRun): Promise<CorpusResult> {
  const world = await readWorld(path.join(corpus, 'world.json'));
  const answers = database === undefined ? [] : await readAnswers(corpus, database);
  const deviations = withRules(await loadDeviations(path.join(corpus, 'deviations.json')), answers);
  const scenarios = select(onDatabase(await loadScenarios(path.join(corpus, 'scenarios')), answers), only);
  const ofPhase = (phase: Phase): readonly Scenario[] => scenarios.filter((one) => one.phase === phase);

  const outcomes: Outcome[] = [];
  const judge = world.labels === true ? createCodeJudge() : plainJudge;
  let captured: Captured = {};
  const run = async (phase: Phase, selected: readonly Scenario[], { url }: WorldServer): Promise<void> => {
    const client = accompany(createClient({ url, world, fixtures: path.join(corpus, 'fixtures') }), phase);
    for (const scenario of selected) {
      const done = await replay(scenario, { client, deviations, judge, seeded: captured });
      outcomes.push(...done.outcomes);
      onProgress?.(done.outcomes);
      if (phase !== 'seed') continue;
      ({ captured } = done);
      judge.keep();
    }
  };
  const definitions = path.join(corpus, 'content-types');
  const served = existsSync(definitions)
    ? { contentTypes: definitions, code }
    : { contentTypes: path.join(corpus, 'project') };
  return withWorldServers({ world, ...served, uri, strapiDatabase: database, plugins }, (lend) =>
    lend(async (seeded) => {
      await run('seed', ofPhase('seed'), seeded);
      const notBuilt = (await answersGraphql(seeded, world)) ? [] : graphqlAreas(scenarios, world);
      const isBuilt = ({ area }: Scenario): boolean => !notBuilt.includes(area);
      await run('read', ofPhase('read').filter(isBuilt), seeded);
      const writing = ofPhase('mutate').filter(isBuilt);
      for (const area of areasOf(writing)) {
        const scenarios = writing.filter((one) => one.area === area);
        await lend((fresh) => run('mutate', scenarios, fresh), seeded);
      }
      return { outcomes, notBuilt };
    }),
  );
}

const readAnswers = async (corpus: string, database: string): Promise<readonly StepOnDatabase[]> =>
  JSON.parse(await readFile(path.join(corpus, 'databases', `${database}.json`), 'utf8')) as readonly StepOnDatabase[];

/** The deviations, and the answers of a database that are not copied. */
function withRules(deviations: Deviations, answers: readonly StepOnDatabase[]): Deviations {
  const rules = new Map(answers.map(({ file, name, rule }) => [`${file} ${name}`, rule]));
  return (file, step) => deviations(file, step) ?? rules.get(`${file} ${step}`);
}

const areasOf = (scenarios: readonly Scenario[]): readonly string[] => [...new Set(scenarios.map(({ area }) => area))];

function select(scenarios: readonly Scenario[], only: string): readonly Scenario[] {
  const selected = scenarios.filter(({ phase, file, name }) => phase === 'seed' || `${file} ${name}`.includes(only));
  if (only === '' || selected.some(({ file, name }) => `${file} ${name}`.includes(only))) return selected;
  throw new StartError(`No scenario has "${only}" in its file or name; areas are ${areasOf(scenarios).join(', ')}`);
}

async function answersGraphql({ url }: WorldServer, { graphql }: World): Promise<boolean> {
  const body = JSON.stringify({ query: '{ __typename }' });
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(`${url}${graphql.endpoint}`, { method: 'POST', headers, body });
  return status !== 404 && status !== 405;
}

/** Areas that ask mostly over GraphQL. */
function graphqlAreas(scenarios: readonly Scenario[], { graphql }: World): readonly string[] {
  return areasOf(scenarios).filter((area) => {
    const steps = scenarios.filter((one) => one.area === area).flatMap((one) => one.steps);
    return steps.filter((step) => step.path.startsWith(graphql.endpoint)).length > steps.length / 2;
  });
}
