import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../../src/config/record.js';
import { reasonOf } from '../../../src/errors/reason-of.js';
import { createClient, type Client } from '../client.js';
import { compare } from '../compare.js';
import { loadDeviations, type Deviations } from '../deviations.js';
import type { Difference } from '../differences.js';
import { plainJudge } from '../judge.js';
import type { ProjectCode } from '../project-code.js';
import { replay } from '../replay.js';
import { loadScenarios, type Step } from '../scenario.js';
import type { WorldServer } from '../serve-world.js';
import { withWorldServers } from '../world-servers.js';
import { readWorld } from '../world.js';
import { maskAnswer } from './mask.js';
import { Names } from './names.js';
import { readIds, readJson, readRecordings, type RecordedFile, type RecordedIds, type Recording } from './recording.js';

/** How a request was answered: as recorded; otherwise, for a reason that is listed; or otherwise. */
export interface RecordingOutcome {
  readonly file: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly verdict: 'equal' | 'deviating' | 'different';
  /** Why the recorded answer is not copied, if that is listed. */
  readonly rule: string | undefined;
  readonly differences: readonly Difference[];
}

export interface RecordingsRun {
  /**
   * With recordings of a natively seeded Strapi 5; those in its folder `migrated`, or all if it has that name, are of
   * data that Strapi v4 wrote.
   */
  readonly folder: string;
  /** The recordings of the service, with `ids.json`, `00-seed.json` and `deviations.json`. */
  readonly own: string;
  /** The corpus of Strapi v4: content types, world, and the seed. */
  readonly corpus: string;
  readonly uri: string;
  /** Makes the content types a project of Strapi v4 with code that changes no answer. */
  readonly code?: ProjectCode | undefined;
  /** Only files with this text in their names. */
  readonly only?: string | undefined;
  readonly onFile?: (outcomes: readonly RecordingOutcome[]) => void;
  /** Receives each answer, with what was recorded. */
  readonly onAnswer?: ((recording: Recording, answer: Pick<Recording, 'status' | 'body'>) => void) | undefined;
}

type Plugins = NonNullable<Parameters<typeof withWorldServers>[0]['plugins']>;

const pluginsWith = (config: object): Plugins => ({ strapi5: { enabled: true, config: { ...config } } });

/** Files that were recorded one after the other on one server; each other file has a fresh one. */
const together: readonly RegExp[] = [/^(?:migrated\/)?1[0-8]-/, /^(?:migrated\/)?2[0-4]-/];

/** The settings of the servers of some files, and why others are left out. */
const strict = /^(?:migrated\/)?19-/;
const compatibility = /^32-/;

/** Files beside those of the natively seeded Strapi 5 that were recorded on data of Strapi v4. */
const onMigrated = /^(?:40|60)-/;

/** Replays the recordings of a folder. */
export async function replayRecordings(run: RecordingsRun): Promise<readonly RecordingOutcome[]> {
  const { folder, only = '' } = run;
  const isMigrated = path.basename(folder) === 'migrated';
  const read = async (from: string, prefix: string): Promise<readonly RecordedFile[]> =>
    existsSync(from)
      ? (await readRecordings(from))
          .filter(({ name }) => /^[1-9]/.test(name) && !compatibility.test(name) && `${prefix}${name}`.includes(only))
          .map((file) => ({ ...file, name: prefix + file.name }))
      : [];
  const files = await read(folder, isMigrated ? 'migrated/' : '');
  const ofMigrated = [
    ...files.filter(({ name }) => isMigrated || onMigrated.test(name)),
    ...(isMigrated ? [] : await read(path.join(folder, 'migrated'), 'migrated/')),
  ];
  const native = files.filter((file) => !ofMigrated.includes(file));
  const nested = isMigrated ? folder : path.join(folder, 'migrated');
  return [
    ...(await replayWorld({ ...run, files: native, migrated: false })),
    ...(await replayWorld({ ...run, folder: nested, files: ofMigrated, migrated: true })),
  ];
}

interface WorldRun extends RecordingsRun {
  readonly files: readonly RecordedFile[];
  /** Strapi v4 wrote the data. */
  readonly migrated: boolean;
}

async function replayWorld({
  folder,
  own,
  corpus,
  uri,
  code,
  onFile,
  onAnswer,
  files,
  migrated,
}: WorldRun): Promise<readonly RecordingOutcome[]> {
  if (files.length === 0) return [];
  const world = await readWorld(path.join(corpus, 'world.json'));
  const deviations = await loadDeviations(path.join(own, 'deviations.json'));
  const ids = await readIds(folder, path.join(own, migrated ? 'migrated' : ''));
  const targets = await readTargets(path.join(corpus, 'content-types'));
  const outcomes: RecordingOutcome[] = [];
  const clientOf = ({ url }: WorldServer): Client =>
    createClient({ url, world, fixtures: path.join(corpus, 'fixtures') });
  const servers = { world, contentTypes: path.join(corpus, 'content-types'), code, uri, plugins: pluginsWith({}) };
  await withWorldServers(servers, (lend) =>
    lend(async (seeded) => {
      const client = clientOf(seeded);
      const names = migrated ? await seedV4(client, corpus, ids) : await seedNatively(client, [folder, own], ids);
      for (const group of groupsOf(files)) {
        const isStrict = group.some(({ name }) => strict.test(name));
        const replayGroup = async (server: WorldServer): Promise<void> => {
          const replaying = {
            client: clientOf(server),
            names: names.copy(),
            ids,
            targets,
            deviations,
            migrated,
            onAnswer,
          };
          for (const file of group) {
            const done = await replayFile(file, replaying);
            outcomes.push(...done);
            onFile?.(done);
          }
        };
        await lend(replayGroup, seeded, isStrict ? pluginsWith({ strictParams: true }) : undefined);
      }
    }),
  );
  return outcomes;
}

function groupsOf(files: readonly RecordedFile[]): readonly (readonly RecordedFile[])[] {
  const grouped = together.map((pattern) => files.filter(({ name }) => pattern.test(name)));
  const alone = files.filter(({ name }) => !together.some((pattern) => pattern.test(name)));
  return [...grouped, ...alone.map((file) => [file])].filter((group) => group.length > 0);
}

/** Fills the database as Strapi v4's clients do, and finds out which entry has which documentId. */
async function seedV4(client: Client, corpus: string, ids: RecordedIds): Promise<Names> {
  const none: Deviations = () => undefined;
  const scenarios = await loadScenarios(path.join(corpus, 'scenarios'));
  for (const scenario of scenarios.filter(({ phase }) => phase === 'seed'))
    await replay(scenario, { client, deviations: none, judge: plainJudge, seeded: {} });
  const names = new Names();
  for (const [type, list] of await readTypes(client))
    for (const { id, documentId } of list) {
      const recorded = ids[`${type}:${id}`];
      if (typeof recorded === 'string') names.learn(recorded, documentId);
    }
  return names;
}

const collections: Readonly<Record<string, string>> = {
  article: 'articles',
  author: 'authors',
  category: 'categories',
  tag: 'tags',
  page: 'pages',
  section: 'sections',
  product: 'products',
  comment: 'comments',
  bookmark: 'bookmarks',
  'seo-card': 'seo-cards',
};

interface NamedEntry {
  readonly id: number;
  readonly documentId: string;
}

/** The entries of each type, with their documentIds; those of plugins are lists without an envelope. */
const readTypes = (client: Client): Promise<readonly (readonly [string, readonly NamedEntry[]])[]> => {
  const listed = '?locale=*&status=draft&pagination[pageSize]=100&fields[0]=id';
  const addresses = Object.entries(collections).map(([type, plural]) => [type, `${plural}${listed}`] as const);
  const ofPlugins = [['user', 'users'] as const, ['file', 'upload/files'] as const];
  return Promise.all(
    [...addresses, ...ofPlugins].map(async ([type, address]) => {
      const { body } = await client.send(stepOf({ method: 'GET', path: `/v5/api/${address}`, auth: 'full' }), {});
      return [type, (isRecord(body) ? body['data'] : body) as readonly NamedEntry[]] as const;
    }),
  );
};

/** Sends the requests that filled the recorded Strapi 5, and learns the names in their answers. */
async function seedNatively(client: Client, folders: readonly [string, string], ids: RecordedIds): Promise<Names> {
  const from = folders.find((folder) => existsSync(path.join(folder, '00-seed.json'))) ?? folders[1];
  const names = new Names();
  for (const recording of (await readJson(from, '00-seed.json')) as readonly Recording[]) {
    const { request, expected } = withoutDocumentService(recording);
    const { status, body } = await client.send(stepOf(translated(withNumbers(request, ids, names), names)), {});
    if (status >= 400) console.log(`SEED ${status} ${request.method} ${request.path}: ${JSON.stringify(body)}`);
    names.learnFrom(expected, body);
  }
  return names;
}

/** The types that the relations of a type lead to, by attribute, by the name of the type in paths. */
type Targets = ReadonlyMap<string, Readonly<Record<string, string>>>;

async function readTargets(folder: string): Promise<Targets> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  const types = await Promise.all(files.map(async (name) => (await readJson(folder, name)) as TypeFile));
  return new Map(
    types.map(({ info, attributes }) => {
      const targets = Object.entries(attributes).flatMap(([name, { target }]) =>
        target === undefined ? [] : [[name, target.split('.').at(-1) ?? ''] as const],
      );
      return [info.pluralName, Object.fromEntries(targets)] as const;
    }),
  );
}

interface TypeFile {
  readonly info: { readonly pluralName: string };
  readonly attributes: Readonly<Record<string, { readonly target?: string }>>;
}

/** A write with the numbers of our entries in relations that are given as numbers. */
function withRelated(
  request: Recording['request'],
  targets: Targets,
  ids: RecordedIds,
  names: Names,
): Recording['request'] {
  const { path: address, body } = request;
  const [, plural = ''] = /^\/api\/([a-z-]+)/.exec(address) ?? [];
  if (!isRecord(body) || !isRecord(body['data'])) return request;
  const { data } = body;
  const numbered = Object.entries(data).map(([name, value]) => {
    const type = targets.get(plural)?.[name];
    return [
      name,
      type === undefined || !Array.isArray(value) ? value : value.map((part: unknown) => ours(type, part, ids, names)),
    ];
  });
  return { ...request, body: { ...body, data: Object.fromEntries(numbered) as unknown } };
}

/** Our number for the recorded one of an entry of a type; other values as they are. */
function ours(type: string, number: unknown, ids: RecordedIds, names: Names): unknown {
  if (typeof number !== 'number') return number;
  const key = Object.keys(ids).find(
    (name) => name.startsWith(`${type}:`) && name.endsWith(':id') && ids[name] === number,
  );
  return (key && names.numberOf(String(ids[key.slice(0, -':id'.length)]))) ?? number;
}

/**
 * A request with the numbers of our entries in links of morph relations, which name an entry by its type and number.
 */
function withNumbers<T>(value: T, ids: RecordedIds, names: Names): T {
  if (Array.isArray(value)) return value.map((part: unknown) => withNumbers(part, ids, names)) as T;
  if (!isRecord(value)) return value;
  const { __type: uid, id } = value;
  const [, type = ''] = typeof uid === 'string' ? uid.split('.') : [];
  if (type !== '') return { ...value, id: ours(type, id, ids, names) };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withNumbers(part, ids, names)])) as T;
}

/** What was written by code there is sent over REST here. */
function withoutDocumentService({ request, body }: Recording): { request: Recording['request']; expected: unknown } {
  if (request.path !== '/api/_docs' || !isRecord(request.body) || !isRecord(body)) return { request, expected: body };
  const { uid, params } = request.body as { readonly uid: string; readonly params: object };
  const [, name = ''] = uid.split('.');
  return {
    request: { method: 'POST', path: `/api/${collections[name] ?? name}`, auth: 'full', body: params },
    expected: { data: body['result'] },
  };
}

interface Replaying extends Pick<RecordingsRun, 'onAnswer'> {
  readonly client: Client;
  readonly names: Names;
  readonly ids: RecordedIds;
  readonly targets: Targets;
  readonly deviations: Deviations;
  readonly migrated: boolean;
}

async function replayFile(
  { name: file, recordings }: RecordedFile,
  replaying: Replaying,
): Promise<readonly RecordingOutcome[]> {
  const outcomes: RecordingOutcome[] = [];
  for (const recording of recordings) {
    const { name, request } = recording;
    const differences = await differencesOf(recording, replaying, file);
    const rule = replaying.deviations(file, name);
    const verdict = differences.length === 0 ? 'equal' : rule === undefined ? 'different' : 'deviating';
    outcomes.push({ file, name, method: request.method, path: request.path, verdict, rule, differences });
  }
  return outcomes;
}

/** Files whose requests publish: Strapi 5 gives an entry another number each time. */
const ofWrites = /^(?:migrated\/)?2/;

const isList = (body: unknown): boolean => isRecord(body) && Array.isArray(body['data']);

async function differencesOf(
  recording: Recording,
  { client, names, migrated, ids, targets, onAnswer }: Replaying,
  file: string,
): Promise<readonly Difference[]> {
  const { request, status, body } = recording;
  try {
    const sent = numbered(recording, ids, names, migrated);
    const related = migrated ? sent : withRelated(sent, targets, ids, names);
    const answer = await client.send(stepOf(translated(related, names)), {});
    onAnswer?.(recording, answer);
    const ofDrafts = asksForDrafts(request);
    // By default, and by number, drafts that a migration made come last there.
    const isUnordered = ofDrafts && !/[?&]sort(?!=id(?:&|$))|\bsort:/.test(queryOf(request));
    if (!isUnordered || !isList(body)) names.learnFrom(body, answer.body);
    const hasNumbers = migrated && !ofDrafts && request.method === 'GET' && !ofWrites.test(file);
    const expected = { status, body: maskAnswer(names.translate(body), hasNumbers) };
    const actual = { status: answer.status, body: maskAnswer(answer.body, hasNumbers) };
    return compare(expected, actual, isUnordered).strict;
  } catch (error) {
    return [{ at: '', expected: 'an answer', actual: reasonOf(error) }];
  }
}

/** Where a request says what it reads: its path, or a query of GraphQL. */
function queryOf({ path: address, body }: Recording['request']): string {
  const query = isRecord(body) ? body['query'] : undefined;
  return typeof query === 'string' ? query : address;
}

function asksForDrafts(request: Recording['request']): boolean {
  const query = queryOf(request);
  if (query !== request.path) return query.includes('status: DRAFT') && !/^\s*mutation\b/.test(query);
  return /[?&](?:status|hasPublishedVersion)/.test(query) && !query.includes('status=published');
}

/**
 * A request with the numbers of our entries, where the name of the recording says which one a number in its path is.
 */
function numbered(
  { name, request }: Recording,
  ids: RecordedIds,
  names: Names,
  migrated: boolean,
): Recording['request'] {
  const start = name.indexOf('/api/');
  if (migrated || start < 0 || !name.includes(':id}}')) return request;
  const filled = name.slice(start).replaceAll(/\{\{([^{}]+)\}\}/g, (_, key: string) => {
    const entry = key.slice(0, -':id'.length);
    return key.endsWith(':id') ? String(names.numberOf(String(ids[entry])) ?? ids[key]) : String(ids[key]);
  });
  return { ...request, path: filled };
}

const translated = (request: Recording['request'], names: Names): Recording['request'] =>
  names.translate(request) as Recording['request'];

function stepOf({ path: address, ...request }: Recording['request']): Step {
  return {
    name: '',
    ...request,
    path: address.startsWith('/v5') ? address : `/v5${address}`,
    expect: { status: 0, body: undefined },
  };
}
