import { afterAll, beforeAll, expect, test } from '@jest/globals';
import lodash from 'lodash';
import { MongoClient, type Db, type Document } from 'mongodb';
import { linkDefinitions } from '../../src/app/load-registry.js';
import type { ContentType, RelationAttribute } from '../../src/content-types/model/types.js';
import { system } from '../../src/documents/caller.js';
import { emptyQuery } from '../../src/documents/context.js';
import { showLatest } from '../../src/documents/show-latest.js';
import { referenceRemovals } from '../../src/documents/write/references.js';
import { checkDatabase } from '../../src/mongo/maintenance/check/check-database.js';
import { describeViolation } from '../../src/mongo/maintenance/check/violation.js';
import { openStore, type Store } from '../../src/mongo/store.js';
import { createI18n } from '../../src/plugins/i18n/i18n.js';
import { draft, NO_LIMIT, type Filter } from '../../src/query/ast.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import type { CopyUse, DependentWrite, PrimaryWrite, StoredValue } from '../../src/query/mutation.js';
import { testUri } from '../support/commands.js';
import { dyingDatabase } from '../support/dying.js';
import { randomNumbers } from '../support/random-numbers.js';
import { minutes, scaled, seed } from '../support/scaled.js';
import { contentType, define } from '../unit/content-types/define.js';

const RUNS = Number(process.env['RUNS'] ?? scaled(4, 40));
const WRITES = 40;
const CRASHES = Number(process.env['CRASHES'] ?? scaled(25, 400));

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});
const text = { type: 'string', pluginOptions: { i18n: { localized: true } } };
const registry = linkDefinitions(
  {
    ...define(
      contentType(
        'article',
        {
          title: text,
          slug: { ...text, unique: true },
          price: { type: 'integer' },
          tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
          card: relation('oneToOne', 'tag', { inversedBy: 'owner' }),
          next: relation('manyToOne', 'article'),
        },
        {
          collectionName: 'articles',
          options: { draftAndPublish: true, workingCopies: true },
          pluginOptions: { i18n: { localized: true } },
        },
      ),
      contentType(
        'tag',
        {
          name: { type: 'string' },
          articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
          owner: relation('oneToOne', 'article', { mappedBy: 'card' }),
        },
        { collectionName: 'tags' },
      ),
    ),
  },
  [createI18n({})],
);
const typeOf = (name: string): ContentType => {
  const type = registry.contentTypes.get(`api::${name}.${name}`);
  if (type === undefined) throw new Error(`There is no ${name}`);
  return type;
};
const [article, tag] = [typeOf('article'), typeOf('tag')];

let client: MongoClient;
let db: Db;
beforeAll(async () => {
  client = await MongoClient.connect(testUri('maxPoolSize', '8'));
  db = client.db('working-copies', { writeConcern: { w: 1, journal: false } });
  await openStore(db, { timeout: 15_000, exclusive: true }).prepare(registry);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

type Stored = Document & { readonly _id: number };
const [ARTICLES, TAGS, IDS, TAG_IDS] = [6, 4, [1, 2, 3, 4, 5, 6], [1, 2, 3, 4]] as const;

/** Published articles, of which 1 and 2 are localizations of each other, a draft, and tags. */
async function restore(): Promise<void> {
  for (const name of ['_transactions', '_undo', 'articles', '_copies.articles', 'tags'])
    await db.collection(name).deleteMany({});
  const at = new Date('2024-01-31');
  const live = { _live: 1, publishedAt: at };
  await db.collection<Stored>('articles').insertMany(
    IDS.map((id) => ({
      _id: id,
      title: `t${id}`,
      slug: `s${id}`,
      price: 1,
      createdAt: at,
      updatedAt: at,
      locale: id === 2 ? 'fr' : 'en',
      ...(id <= 2 && { localizations: [3 - id], _rank: { localizations: [id === 1 ? 'fr' : 'en'] } }),
      ...(id < ARTICLES && live),
    })),
  );
  await db
    .collection<Stored>('tags')
    .insertMany(TAG_IDS.map((id) => ({ _id: id, name: `n${id}`, createdAt: at, updatedAt: at })));
  for (const [uid, id] of [
    [article.uid, ARTICLES],
    [tag.uid, TAGS],
  ] as const)
    await db
      .collection<{ _id: string }>('_counters')
      .updateOne({ _id: uid }, { $max: { id, rank: 1000 } }, { upsert: true });
}

/** A random write, by what executes it. */
interface RandomWrite {
  readonly name: string;
  readonly execute: (store: Store) => Promise<unknown>;
  readonly of: 'copy' | 'draft' | 'merge' | 'entry';
  readonly id?: number;
}

let clock = 0;
function randomWrite(random: () => number): RandomWrite {
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const id = oneOf(IDS);
  clock += 1;
  const at = new Date(Date.UTC(2025, 0, 1) + clock * 1000);
  const link = (name: string, connect: readonly number[]) => ({
    attribute: article.attributes.get(name) as RelationAttribute,
    replaces: true,
    disconnect: [],
    connect: connect.map((target) => ({ id: target, position: { at: 'end' } as const })),
  });
  const update = (copy?: CopyUse, more: readonly (readonly [string, StoredValue | undefined])[] = []): PrimaryWrite => {
    const candidates: readonly (readonly [string, StoredValue | undefined])[] = [
      ['title', oneOf(['a', 'b', `t${id}`])],
      ['slug', oneOf(['x', `s${id}`, `y${id}`])],
      ['price', oneOf([1, 2, undefined])],
    ];
    const values = new Map([...candidates.filter(() => random() < 0.4), ...more, ['updatedAt', at] as const]);
    const tags = TAG_IDS.filter(() => random() < 0.5);
    const links = [link('tags', tags), link('card', [oneOf(TAG_IDS)]), link('next', [oneOf(IDS)])].filter(
      () => random() < 0.3,
    );
    return {
      kind: 'update',
      type: article,
      id,
      changes: { values, merges: new Map(), links, rank: clock + 1000 },
      copy,
    };
  };
  const shareOf = (write: PrimaryWrite): readonly DependentWrite[] =>
    write.kind === 'update' && write.changes.values.has('price')
      ? [{ kind: 'share', type: article, id, written: ['price'], joined: [], shared: [], at }]
      : [];
  const apply = async (
    store: Store,
    write: PrimaryWrite,
    others: readonly DependentWrite[] = [],
    only?: Filter,
  ): Promise<void> => {
    const links = write.kind === 'update' ? write.changes.links : [];
    const targets = new Map<ContentType, Set<number>>([
      [article, new Set()],
      [tag, new Set()],
    ]);
    for (const { attribute, connect } of links) for (const one of connect) targets.get(attribute.target)?.add(one.id);
    const { missing } = await store.apply([write], { targets, deferred: others, only });
    for (const [type, ids] of missing)
      for (const gone of ids) await store.removeReferences(referenceRemovals(type, gone, registry));
  };
  const makers: readonly (() => RandomWrite)[] = [
    ...Array.from({ length: 5 }, () => () => {
      const write = update('save');
      return { name: `save ${id}`, of: 'copy', id, execute: (store: Store) => apply(store, write) } as const;
    }),
    ...Array.from({ length: 3 }, () => () => {
      const write = update('hold');
      const execute = (store: Store): Promise<void> => apply(store, write, shareOf(write), draft);
      return { name: `save the draft ${id}`, of: 'draft', execute } as const;
    }),
    () => {
      const write: PrimaryWrite = {
        kind: 'update',
        type: article,
        id,
        changes: { values: new Map(), merges: new Map(), links: [] },
        copy: 'discard',
      };
      return { name: `discard ${id}`, of: 'copy', id, execute: (store) => apply(store, write) };
    },
    () => {
      const write: PrimaryWrite = {
        kind: 'update',
        type: article,
        id,
        changes: { values: new Map([['updatedAt', at]]), merges: new Map(), links: [] },
        copy: 'merge',
      };
      return { name: `publish ${id}`, of: 'merge', id, execute: (store) => apply(store, write) };
    },
    () => {
      const write = update('merge');
      return { name: `publish ${id} with data`, of: 'entry', execute: (store) => apply(store, write, shareOf(write)) };
    },
    () => {
      const write = update(undefined, [
        ['publishedAt', undefined],
        ['_live', undefined],
      ]);
      return { name: `unpublish ${id}`, of: 'entry', execute: (store) => apply(store, write, shareOf(write)) };
    },
    () => {
      const write = update(undefined, [
        ['publishedAt', at],
        ['_live', 1],
      ]);
      return { name: `publish the draft ${id}`, of: 'entry', execute: (store) => apply(store, write, shareOf(write)) };
    },
    ...Array.from({ length: 2 }, () => () => {
      const write = update();
      return {
        name: `put ${id}`,
        of: 'entry',
        execute: (store: Store) => apply(store, write, shareOf(write)),
      } as const;
    }),
    () => {
      const target = oneOf(TAG_IDS);
      const owners = IDS.filter(() => random() < 0.4);
      const write: PrimaryWrite = {
        kind: 'update',
        type: tag,
        id: target,
        changes: { values: new Map([['updatedAt', at]]), merges: new Map(), links: [] },
      };
      const change: DependentWrite = {
        kind: 'owners',
        type: article,
        attribute: article.attributes.get('tags') as RelationAttribute,
        target: { type: tag, id: target },
        many: true,
        change: {
          replaces: true,
          disconnect: [],
          connect: owners.map((owner) => ({ id: owner, position: { at: 'end' } })),
        },
      };
      return {
        name: `link ${owners.join()} to tag ${target}`,
        of: 'entry',
        execute: (store) => apply(store, write, [change]),
      };
    },
    () => {
      const ids = IDS.filter(() => random() < 0.4);
      const values = new Map<string, unknown>([
        ['title', 'm'],
        ['updatedAt', at],
      ]);
      if (random() < 0.3) for (const name of ['publishedAt', '_live']) values.set(name, undefined);
      return {
        name: `update ${ids.join()}`,
        of: 'entry',
        execute: (store) => store.updateMany(article, [{ ids, values }], undefined),
      };
    },
    () => {
      const [type, gone] = random() < 0.5 ? ([tag, oneOf(TAG_IDS)] as const) : ([article, id] as const);
      const references = referenceRemovals(type, gone, registry);
      return {
        name: `delete ${type.singularName} ${gone}`,
        of: 'entry',
        execute: (store) => apply(store, { kind: 'remove', type, id: gone, references }),
      };
    },
    () => {
      const removals = IDS.filter(() => random() < 0.2).map((one) => ({
        id: one,
        references: referenceRemovals(article, one, registry),
      }));
      return { name: 'delete some', of: 'entry', execute: (store) => store.removeMany(article, removals, undefined) };
    },
  ];
  return oneOf(makers)();
}

const stored = async (name: string): Promise<readonly Stored[]> =>
  db.collection<Stored>(name).find().sort({ _id: 1 }).toArray();

async function violations(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const checked of checkDatabase(db, registry)) found.push(...checked.violations.map(describeViolation));
  return found;
}

const complete = (latest: boolean) => {
  const fields = [...article.attributes.values()].flatMap((one) => (one.kind === 'scalar' ? [one] : []));
  const populate = ['tags', 'card', 'next'].map((key) => {
    const attribute = article.attributes.get(key) as RelationAttribute;
    const query = {
      fields: [],
      populate: [],
      filter: undefined,
      sort: [],
      start: 0,
      limit: undefined,
      publicationState: undefined,
      count: false,
    };
    return { kind: 'relation', key, attribute, query } as const;
  });
  const pagination = { form: 'offset', start: 0, limit: NO_LIMIT, withCount: false } as const;
  const query = {
    ...emptyQuery(article),
    fields,
    populate,
    pagination,
    publicationState: latest ? ('preview' as const) : undefined,
  };
  return showLatest(query, { action: 'find', caller: system });
};

/** The articles as they are shown. */
async function shown(store: Store, latest: boolean): Promise<readonly Document[]> {
  const { entries } = await store.find(complete(latest));
  return entries.map((entry) => entry(plainEntry) as Document);
}

const withoutMark = (documents: readonly Stored[]): readonly Document[] =>
  documents.map((document) => lodash.omit(document, '_copied'));
const withoutTimes = (document: Document): Document => lodash.omit(document, 'updatedAt');

test(
  'random writes keep the laws of working copies',
  async () => {
    const outcomes = { copy: 0, draft: 0, merge: 0, entry: 0, refused: 0, copies: 0 };
    for (let run = 0; run < RUNS; run += 1) {
      await restore();
      const random = randomNumbers(seed * 1000 + run);
      const store = openStore(db, { timeout: 15_000, exclusive: true });
      const trace: string[] = [];
      for (let index = 0; index < WRITES; index += 1) {
        const write = randomWrite(random);
        const [before, copies] = [await stored('articles'), await stored('_copies.articles')];
        const latest = await shown(store, true);
        const refusal = await write.execute(store).then(
          () => undefined,
          (error: unknown) => String(error),
        );
        trace.push(`${write.name}${refusal === undefined ? '' : `: ${refusal}`}`);
        const about = { seed, run, trace: trace.join('\n') };
        if (refusal !== undefined)
          expect({ ...about, refusal }).toEqual({ ...about, refusal: expect.stringMatching(/E11000/) });
        const after = await stored('articles');
        outcomes[refusal === undefined ? write.of : 'refused'] += 1;
        outcomes.copies += (await stored('_copies.articles')).length;
        expect({ ...about, found: await violations() }).toEqual({ ...about, found: [] });
        if (refusal !== undefined)
          expect({ ...about, after, copies: await stored('_copies.articles') }).toEqual({
            ...about,
            after: before,
            copies,
          });
        // What is saved and discarded shows nowhere.
        if (write.of === 'copy')
          expect({ ...about, after: withoutMark(after) }).toEqual({ ...about, after: withoutMark(before) });
        // What is saved of a draft changes nothing that is published, except for the one-to-one links that it takes.
        if (write.of === 'draft') {
          const published = (documents: readonly Stored[]): readonly Document[] =>
            documents.filter((one) => one['_live'] === 1).map((one) => lodash.omit(one, 'card', '_rank', 'updatedAt'));
          expect({ ...about, after: published(after) }).toEqual({ ...about, after: published(before) });
        }
        // A publication shows what the preview showed, but for what it takes from others.
        if (write.of === 'merge' && refusal === undefined) {
          const now = (await shown(store, false)).find(({ id }) => id === write.id);
          const previewed = latest.find(({ id }) => id === write.id);
          expect({ ...about, now: now && withoutTimes(now) }).toEqual({
            ...about,
            now: previewed && withoutTimes(previewed),
          });
          expect((await stored('_copies.articles')).some(({ _id }) => _id === write.id)).toBe(false);
        }
        const ids = (await shown(store, true)).map(({ id }) => id as number);
        expect({ ...about, ids }).toEqual({ ...about, ids: after.map(({ _id }) => _id) });
      }
    }
    // Otherwise the writes do not come across copies.
    expect(Math.min(outcomes.copy, outcomes.draft, outcomes.merge, outcomes.entry, outcomes.copies)).toBeGreaterThan(0);
  },
  minutes(5),
);

test(
  'a crash at any command leaves each entry in all previews once, and its copy as it was before or after',
  async () => {
    const random = randomNumbers(seed);
    let crashes = 0;
    for (let attempt = 0; crashes < CRASHES; attempt += 1) {
      await restore();
      const trace: string[] = [];
      const healthy = openStore(db, { timeout: 15_000, exclusive: true });
      const prelude = 2 + Math.floor(random() * 6);
      for (let index = 0; index < prelude; index += 1) {
        const write = randomWrite(random);
        trace.push(write.name);
        await write.execute(healthy).catch(() => undefined);
      }
      const write = randomWrite(random);
      const [commands, replies] = [1 + Math.floor(random() * 14), random() < 0.5];
      trace.push(`${write.name}, dead after ${commands} commands${replies ? '' : ' without a reply'}`);
      const about = { seed, attempt, trace: trace.join('\n') };
      const before = (await stored('articles')).map(({ _id }) => _id);
      const dying = dyingDatabase(db, commands, replies);
      const store = openStore(dying.db, { timeout: 15_000, exclusive: true });
      await write.execute(store).catch(() => undefined);
      store.transactions.close();
      if (!dying.isDead()) continue;
      crashes += 1;
      const ids = (await shown(healthy, true)).map(({ id }) => id as number);
      const present = (await stored('articles')).map(({ _id }) => _id);
      const isDeletion = write.name.startsWith('delete');
      // Of an entry that is being deleted the copy may go last.
      const expected = isDeletion ? before.filter((id) => present.includes(id) || ids.includes(id)) : present;
      expect({ ...about, ids }).toEqual({ ...about, ids: expected });
      // The process that ends what is left dies as well.
      const recovering = openStore(dyingDatabase(db, 1 + Math.floor(random() * 8), true).db, {
        timeout: 15_000,
        exclusive: true,
      });
      await recovering.sweep(true).catch(() => undefined);
      recovering.transactions.close();
      const recovered = (await shown(healthy, true)).map(({ id }) => id as number);
      if (!isDeletion) expect({ ...about, recovered }).toEqual({ ...about, recovered: before });
      await openStore(db, { timeout: 15_000, exclusive: true }).sweep(true);
      // Links to what is gone are refused before a write begins.
      const found = (await violations()).filter((line) => !/refers to .* does not exist/.test(line));
      expect({ ...about, found }).toEqual({ ...about, found: [] });
      if (!isDeletion) expect((await stored('articles')).map(({ _id }) => _id)).toEqual(before);
    }
  },
  minutes(5),
);
