import { afterAll, beforeAll, expect, test } from '@jest/globals';
import lodash from 'lodash';
import { MongoClient, type Db, type Document } from 'mongodb';
import { linkDefinitions } from '../../src/app/load-registry.js';
import { storedTypes } from '../../src/content-types/model/stored-types.js';
import type { ContentType } from '../../src/content-types/model/types.js';
import { system } from '../../src/documents/caller.js';
import { createDocuments, type Documents } from '../../src/documents/documents.js';
import { createEntries } from '../../src/documents/entries.js';
import { createValidator } from '../../src/documents/input/validate/validate.js';
import { createPasswords } from '../../src/documents/write/passwords.js';
import { checkDatabase } from '../../src/mongo/maintenance/check/check-database.js';
import { describeViolation } from '../../src/mongo/maintenance/check/violation.js';
import { openStore, type Store } from '../../src/mongo/store.js';
import { followLocalized, prepareLocalized } from '../../src/plugins/i18n/hooks.js';
import { createI18n } from '../../src/plugins/i18n/i18n.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { testUri } from '../support/commands.js';
import { dyingDatabase } from '../support/dying.js';
import { interceptCommands } from '../support/intercept-commands.js';
import { randomNumbers } from '../support/random-numbers.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { contentType, define } from '../unit/content-types/define.js';
import {
  after,
  relationNames,
  relations,
  textOf,
  type Post,
  type RelationName,
  type Values,
  type World,
  type Write,
} from './copy-model.js';

const RUNS = Number(process.env['RUNS'] ?? scaled(3, 60));
const WRITES = 50;
const PAIRS = Number(process.env['PAIRS'] ?? scaled(45, 2000));
const CRASHES = Number(process.env['CRASHES'] ?? scaled(30, 1000));

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});
const localized = { i18n: { localized: true } };
/** The attribute of the other side. */
const otherSides = { card: 'owner', author: 'writings', next: 'previous', tags: 'posts', about: 'uses' } as const;
const i18n = createI18n({});
const registry = linkDefinitions(
  define(
    ...(i18n.contentTypes ?? []),
    contentType(
      'post',
      {
        title: { type: 'string', pluginOptions: localized },
        rank: { type: 'integer' },
        card: relation('oneToOne', 'tag', { inversedBy: 'owner' }),
        seal: relation('oneToOne', 'tag'),
        author: relation('manyToOne', 'tag', { inversedBy: 'writings' }),
        next: relation('oneToOne', 'post', { inversedBy: 'previous' }),
        previous: relation('oneToOne', 'post', { mappedBy: 'next' }),
        tags: relation('manyToMany', 'tag', { inversedBy: 'posts' }),
        notes: relation('oneToMany', 'tag'),
        about: { type: 'relation', relation: 'morphToOne' },
        topics: { type: 'relation', relation: 'morphToMany' },
      },
      { collectionName: 'posts', options: { draftAndPublish: true, workingCopies: true }, pluginOptions: localized },
    ),
    contentType(
      'tag',
      {
        name: { type: 'string' },
        owner: relation('oneToOne', 'post', { mappedBy: 'card' }),
        writings: relation('oneToMany', 'post', { mappedBy: 'author' }),
        posts: relation('manyToMany', 'post', { mappedBy: 'tags' }),
        uses: relation('morphMany', 'post', { morphBy: 'about' }),
      },
      { collectionName: 'tags' },
    ),
  ),
  [i18n],
);
const typeOf = (name: string): ContentType => {
  const type = registry.contentTypes.get(`api::${name}.${name}`);
  if (type === undefined) throw new Error(`There is no ${name}`);
  return type;
};
const [post, tag] = [typeOf('post'), typeOf('tag')];
const collections = [...new Set(storedTypes(registry).map(({ collectionName }) => collectionName))].filter((name) =>
  /posts|tags/.test(name),
);

let client: MongoClient;
let db: Db;
beforeAll(async () => {
  client = await MongoClient.connect(testUri('maxPoolSize', '16'));
  db = client.db('copies-and-links', { writeConcern: { w: 1, journal: false } });
  await openStore(db, { timeout: 15_000, exclusive: true }).prepare(registry);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

interface Service {
  readonly store: Store;
  readonly documents: Documents;
}

const validator = createValidator(registry);
const limits = { defaultLimit: 25, maxLimit: 100, withCount: true, populateLimit: 1000 };

function documentsOf(store: Store): Documents {
  const context = () => ({ documents, entries, locales: { codes: new Set(['en', 'fr', 'de']), default: 'en' } });
  const documents: Documents = createDocuments(
    {
      registry,
      store,
      validator,
      passwords: createPasswords(4),
      dataBounds: { components: 1000, relatedEntries: 1000, jsonValues: 50_000 },
    },
    { hooks: [{ prepare: prepareLocalized(context), follow: followLocalized(context) }] },
  );
  const entries = createEntries(documents, registry, limits);
  return documents;
}

function open(database: Db, exclusive = true): Service {
  const store = openStore(database, { timeout: 15_000, exclusive });
  return { store, documents: documentsOf(store) };
}

type Stored = Document & { readonly _id: number };
const [POSTS, TAGS] = [
  [1, 2, 3, 4, 5, 6],
  [1, 2, 3, 4],
] as const;
/** 1, 2 and 3 are localizations of each other, 4 and 5 too. */
const GROUPS: readonly (readonly number[])[] = [[1, 2, 3], [4, 5], [6]];
const groupOf = (id: number): readonly number[] => GROUPS.find((group) => group.includes(id)) ?? [];
const localeOf = (id: number): string => ['en', 'fr', 'de'][groupOf(id).indexOf(id)] ?? 'en';

/** Posts, of which 1, 2, 4 and 6 are published, and tags. */
const initial: World = {
  posts: new Map(
    POSTS.map((id): readonly [number, Post] => [
      id,
      { group: groupOf(id), isLive: ![3, 5].includes(id), values: { title: `t${id}`, rank: 1 }, copy: undefined },
    ]),
  ),
  tags: new Set(TAGS),
};

async function begin(): Promise<void> {
  for (const name of ['_transactions', '_undo', ...collections]) await db.collection(name).deleteMany({});
  const at = new Date('2024-01-31');
  await db
    .collection<Stored>('tags')
    .insertMany(TAGS.map((id) => ({ _id: id, name: `n${id}`, createdAt: at, updatedAt: at })));
  await db.collection<Stored>('posts').insertMany(
    [...initial.posts].map(([_id, { group, isLive, values }]) => {
      const others = group.filter((other) => other !== _id);
      return {
        _id,
        ...values,
        createdAt: at,
        updatedAt: at,
        locale: localeOf(_id),
        ...(others.length > 0 && { localizations: others, _rank: { localizations: others.map(localeOf) } }),
        ...(isLive && { _live: 1, publishedAt: at }),
      };
    }),
  );
  for (const type of [post, tag])
    await db
      .collection<{ _id: string }>('_counters')
      .updateOne({ _id: type.uid }, { $max: { id: 10, rank: 1000 } }, { upsert: true });
}

/** What is stored, as the model has it. */
async function readWorld(): Promise<World> {
  const [posts, copies, tags] = await Promise.all(
    ['posts', '_copies.posts', 'tags'].map((name) => db.collection<Stored>(name).find().toArray()),
  );
  const copyOf = new Map(copies?.map((copy) => [copy._id, copy]));
  const valueOf = (document: Document, name: string): Values[string] => {
    const value = document[name] as unknown;
    if (!relationNames.includes(name as never)) return value as string | number;
    return [value ?? []].flat().map((link) => Number(lodash.isPlainObject(link) ? (link as Document)['id'] : link));
  };
  const valuesOf = (document: Document, names: readonly string[]): Values =>
    Object.fromEntries(names.map((name) => [name, valueOf(document, name)]));
  return {
    posts: new Map(
      posts?.map((document): readonly [number, Post] => {
        const {
          _id,
          _live: live,
          localizations = [],
        } = document as Stored & { readonly localizations?: readonly number[] };
        const copy = copyOf.get(_id);
        if ((copy !== undefined) !== '_copied' in document) throw new Error(`post ${_id} and its copy differ`);
        const names = ['title', 'rank', ...relationNames].filter((name) => name in document);
        return [
          _id,
          {
            group: [_id, ...localizations],
            isLive: live !== undefined,
            values: valuesOf(document, names),
            copy: copy && valuesOf(copy, copy['_changes'] as readonly string[]),
          },
        ];
      }),
    ),
    tags: new Set(tags?.map(({ _id }) => _id)),
  };
}

const request = { caller: system, presenter: plainEntry, selection: { fields: [], populate: [] } };

/** Values as a request has them. */
const dataOf = (values: Values): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, value];
      const { many, isMorph } = relations[name as RelationName];
      const links = isMorph ? value.map((id: number) => ({ __type: tag.uid, id })) : value;
      // An empty list changes nothing in a morph relation.
      return [name, links.length === 0 ? null : many ? links : links[0]];
    }),
  );

function execute({ documents }: Service, write: Write): Promise<unknown> {
  const { kind } = write;
  switch (kind) {
    case 'save':
    case 'publish': {
      const status = kind === 'save' ? 'draft' : 'published';
      return documents.update({ type: post, id: write.id }, dataOf(write.data), { ...request, status });
    }
    case 'put': {
      const { id, data, isLive } = write;
      const state = isLive === undefined ? {} : { publishedAt: isLive ? '2025-01-31T00:00:00.000Z' : null };
      return documents.update({ type: post, id }, { ...dataOf(data), ...state }, request);
    }
    case 'discard':
      return documents.delete({ type: post, id: write.id }, { ...request, status: 'draft' });
    case 'delete':
      return documents.delete({ type: post, id: write.id }, request);
    case 'delete tag':
      return documents.delete({ type: tag, id: write.id }, request);
    case 'connect':
    case 'disconnect':
    case 'set': {
      const { relation: name, target, posts } = write;
      const type = name === 'next' ? post : tag;
      const isList = !relations[name].isExclusive;
      const links = isList ? posts : posts.slice(-1);
      const data = kind === 'set' ? (isList ? links : (links[0] ?? null)) : { [kind]: links };
      return documents.update({ type, id: target }, { [otherSides[name]]: data }, request);
    }
    default:
      return write satisfies never;
  }
}

/**
 * @param ids of the posts that it names
 * @param written the attributes that its data can have; default: all
 */
function randomWrite(random: () => number, ids: readonly number[] = POSTS, written?: readonly string[]): Write {
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const some = (list: readonly number[]): readonly number[] =>
    list.filter(() => random() < 0.5).toSorted(() => random() - 0.5);
  const id = oneOf(ids);
  const one = (list: readonly number[]): readonly number[] => (random() < 0.2 ? [] : [oneOf(list)]);
  const values = (): Values =>
    lodash.pickBy(
      {
        title: oneOf(['a', 'b']),
        rank: oneOf([1, 2, 3]),
        card: one([1, 2]),
        seal: one([1, 2]),
        author: one(TAGS),
        next: one(ids),
        tags: some(TAGS),
        notes: some(TAGS),
        about: one(TAGS),
        topics: some(TAGS),
      } satisfies Values,
      (_, name) => (written === undefined ? random() < 0.3 : written.includes(name) && random() < 0.7),
    );
  const side = oneOf(Object.keys(otherSides) as (keyof typeof otherSides)[]);
  const data = values();
  return oneOf<Write>([
    ...Array.from({ length: 5 }, () => ({ kind: 'save', id, data }) as const),
    { kind: 'publish', id, data: {} },
    // Data of a publication may take back what the copy wanted.
    ...Array.from({ length: 2 }, () => ({ kind: 'publish', id, data }) as const),
    { kind: 'put', id, data },
    { kind: 'put', id, data: random() < 0.5 ? data : {}, isLive: false },
    { kind: 'put', id, data: {}, isLive: true },
    { kind: 'discard', id },
    ...Array.from({ length: 2 }, () => ({
      kind: oneOf(['connect', 'disconnect', 'set'] as const),
      relation: side,
      target: side === 'next' ? oneOf(ids) : oneOf(TAGS),
      posts: some(ids),
    })),
    ...(random() < 0.3 ? [{ kind: oneOf(['delete', 'delete tag'] as const), id } as const] : []),
  ]);
}

/** What is refused: entries that are not there, and links to them. */
const isRefusal = (error: unknown): boolean => /NotFoundError|ValidationError/.test(String(error));

async function violations(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const checked of checkDatabase(db, registry)) found.push(...checked.violations.map(describeViolation));
  return found;
}

/** `done`, `refused`, `conflict`, or an error that is none of these. */
const outcomeOf = (service: Service, write: Write): Promise<string> =>
  execute(service, write).then(
    () => 'done',
    (error: unknown) =>
      isRefusal(error) ? 'refused' : /ConflictError/.test(String(error)) ? 'conflict' : String(error),
  );

const describe = (write: Write): string => JSON.stringify(write);

/** A failure shows what led to it. */
function expectOneOf(found: string, expected: readonly string[], trace: readonly string[]): void {
  if (expected.includes(found)) return;
  throw new Error(
    [`seed ${seed}`, ...trace, 'found', found, ...expected.flatMap((one) => ['expected', one])].join('\n'),
  );
}

/** Executes random writes one after the other, and compares what is stored with the model after each. */
async function walk(service: Service, writes: Iterable<Write>, trace: string[]): Promise<World> {
  let world = initial;
  for (const write of writes) {
    const expected = after(world, write);
    const outcome = await outcomeOf(service, write);
    trace.push(`${describe(write)}: ${outcome}`);
    world = expected ?? world;
    expectOneOf(
      `${outcome}\n${textOf(await readWorld())}`,
      [`${expected === undefined ? 'refused' : 'done'}\n${textOf(world)}`],
      trace,
    );
  }
  return world;
}

/** In which links and shared values were lost, or two posts got one target. */
const stories: Readonly<Record<string, readonly Write[]>> = {
  'the target that a copy wanted first, published with another one': [
    { kind: 'put', id: 1, data: { card: [1] } },
    { kind: 'save', id: 4, data: { card: [1] } },
    { kind: 'publish', id: 4, data: { card: [2] } },
  ],
  'the target that a copy wanted first, published with none': [
    { kind: 'put', id: 1, data: { card: [1] } },
    { kind: 'save', id: 4, data: { card: [1] } },
    { kind: 'publish', id: 4, data: { card: [] } },
  ],
  'a target beside a shared value of an entry that is unpublished': [
    { kind: 'put', id: 6, data: { card: [1] } },
    { kind: 'save', id: 1, data: { card: [1], rank: 5 } },
    { kind: 'put', id: 1, data: {}, isLive: false },
    { kind: 'publish', id: 1, data: {} },
  ],
  'a link from the other side of a list that a copy changes': [
    { kind: 'save', id: 1, data: { tags: [2] } },
    { kind: 'connect', relation: 'tags', target: 3, posts: [1] },
    { kind: 'publish', id: 1, data: {} },
  ],
  'a link that the other side removes from a list that a copy changes': [
    { kind: 'put', id: 1, data: { tags: [1, 2] } },
    { kind: 'save', id: 1, data: { tags: [1, 2, 3] } },
    { kind: 'set', relation: 'tags', target: 1, posts: [] },
    { kind: 'publish', id: 1, data: {} },
  ],
};

test.each(Object.entries(stories))('%s', async (_, writes) => {
  await begin();
  const trace: string[] = [];
  await walk(open(db), writes, trace);
  expect(await violations()).toEqual([]);
});

test(
  'writes of every kind do to entries, copies and localizations what the model says',
  async () => {
    for (let run = 0; run < RUNS; run += 1) {
      await begin();
      const trace: string[] = [];
      const random = randomNumbers(seed * 1000 + run);
      // Few, so that they meet; and in most runs few attributes, too.
      const ids = [...POSTS].toSorted(() => random() - 0.5).slice(0, 3);
      const written = run % 3 === 2 ? undefined : ['rank', run % 2 === 0 ? 'card' : 'next'];
      const writes = Array.from({ length: WRITES }, () => randomWrite(random, ids, written));
      await walk(open(db), writes, trace);
      expect({ run, found: await violations() }).toEqual({ run, found: [] });
    }
  },
  minutes(5),
);

/** Two posts that want one target, each in its copy or as a draft, and a write of each that may give it to them. */
function meeting(random: () => number): {
  readonly prelude: readonly Write[];
  readonly writes: readonly [Write, Write];
} {
  const [first = 1, second = 2] = [...POSTS].toSorted(() => random() - 0.5);
  const ids = [first, second];
  const wanted = random() < 0.5 ? { card: [1] } : { next: [first] };
  const some = (): Values => (random() < 0.3 ? { rank: 2, tags: [1], ...wanted } : wanted);
  return {
    prelude: [
      ...[first, second].map((id): Write => ({ kind: 'save', id, data: some() })),
      ...(random() < 0.3 ? [randomWrite(random, POSTS)] : []),
    ],
    writes: [first, second].map((id) =>
      random() < 0.5
        ? randomWrite(random, ids)
        : { kind: random() < 0.7 ? 'publish' : 'put', id, data: {}, ...(random() < 0.5 && { isLive: false }) },
    ) as unknown as [Write, Write],
  };
}

/** The database, where commands wait for a moment that differs, so that those of two processes come in different orders. */
const shuffled = (random: () => number): Db =>
  interceptCommands(db, async (send) => {
    for (let turns = Math.floor(random() * 40); turns > 0; turns -= 1) await new Promise(setImmediate);
    return send();
  });

test(
  'of two writers at once, the second one finds what the first has done',
  async () => {
    const random = randomNumbers(seed + 1);
    let met = 0;
    for (let pair = 0; pair < PAIRS; pair += 1) {
      await begin();
      const trace: string[] = [];
      const { prelude, writes } = meeting(random);
      const world = await walk(open(db), prelude, trace);
      const services = [open(shuffled(random), false), open(shuffled(random), false)] as const;
      const outcomes = await Promise.all(writes.map((write, index) => outcomeOf(services[index] as Service, write)));
      trace.push(...writes.map((write, index) => `at once: ${describe(write)}: ${outcomes[index]}`));
      const found = textOf(await readWorld());
      const orders = [[0, 1] as const, [1, 0] as const].flatMap((order) => {
        let state = world;
        for (const index of order) {
          if (outcomes[index] === 'conflict') continue;
          const next = after(state, writes[index]);
          if ((next === undefined ? 'refused' : 'done') !== outcomes[index]) return [];
          state = next ?? state;
        }
        return [textOf(state)];
      });
      if (new Set(orders).size > 1) met += 1;
      expectOneOf(found, orders, trace);
      expectOneOf((await violations()).join('\n'), [''], trace);
      for (const { store } of services) store.transactions.close();
    }
    expect(met).toBeGreaterThan(0);
  },
  minutes(5),
);

test(
  'a crash at any command leaves everything as it was, or as the write makes it',
  async () => {
    const random = randomNumbers(seed + 2);
    let [crashes, finished] = [0, 0];
    while (crashes < CRASHES) {
      await begin();
      const trace: string[] = [];
      const { prelude, writes } = meeting(random);
      const world = await walk(open(db), prelude, trace);
      const [write] = writes;
      const expected = after(world, write);
      if (expected === undefined) continue;
      const [commands, replies] = [1 + Math.floor(random() * 20), random() < 0.5];
      trace.push(`${describe(write)}, dead after ${commands} commands${replies ? '' : ' without a reply'}`);
      const dying = dyingDatabase(db, commands, replies);
      const service = open(dying.db);
      await execute(service, write).catch(() => undefined);
      service.store.transactions.close();
      if (!dying.isDead()) continue;
      crashes += 1;
      await openStore(db, { timeout: 15_000, exclusive: true }).sweep(true);
      const found = textOf(await readWorld());
      if (found !== textOf(world)) finished += 1;
      expectOneOf(found, [textOf(world), textOf(expected)], trace);
    }
    expect(finished).toBeGreaterThan(0);
    expect(finished).toBeLessThan(CRASHES);
  },
  minutes(5),
);
