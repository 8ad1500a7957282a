import lodash from 'lodash';
import { MongoClient, type Db, type Document } from 'mongodb';
import { linkDefinitions } from '../../src/app/load-registry.js';
import { storedTypes } from '../../src/content-types/model/stored-types.js';
import type { ContentType } from '../../src/content-types/model/types.js';
import { system } from '../../src/documents/caller.js';
import type { Documents } from '../../src/documents/documents.js';
import { createEntries } from '../../src/documents/entries.js';
import { createValidator } from '../../src/documents/input/validate/validate.js';
import { checkDatabase } from '../../src/mongo/maintenance/check/check-database.js';
import { describeViolation } from '../../src/mongo/maintenance/check/violation.js';
import { openStore, type Store } from '../../src/mongo/store.js';
import { followLocalized, prepareLocalized } from '../../src/plugins/i18n/hooks.js';
import { createI18n } from '../../src/plugins/i18n/i18n.js';
import { plainEntry } from '../../src/query/entry-presenter.js';
import { openDocuments } from '../support/open-documents.js';
import { testUri } from '../support/commands.js';
import { contentType, define } from '../unit/content-types/define.js';
import {
  relationNames,
  relations,
  type Post,
  type RelationName,
  type Values,
  type World,
  type Write,
} from './copy-model.js';

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});
const localized = { i18n: { localized: true } };
/** The attribute of the other side. */
export const otherSides = {
  card: 'owner',
  author: 'writings',
  next: 'previous',
  tags: 'posts',
  about: 'uses',
} as const;
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

/** The posts of `copy-model` as the service stores them. */
export interface Service {
  readonly store: Store;
  readonly documents: Documents;
}

const validator = createValidator(registry);
const limits = { defaultLimit: 25, maxLimit: 100, withCount: true, populateLimit: 1000 };

function documentsOf(store: Store): Documents {
  const context = () => ({ documents, entries, locales: { codes: new Set(['en', 'fr', 'de']), default: 'en' } });
  const documents: Documents = openDocuments(
    registry,
    store,
    { hooks: [{ prepare: prepareLocalized(context), follow: followLocalized(context) }] },
    validator,
  );
  const entries = createEntries(documents, registry, limits);
  return documents;
}

/** A process of its own on the database. */
export function openService(database: Db, exclusive = true): Service {
  const store = openStore(database, { timeout: 15_000, exclusive });
  return { store, documents: documentsOf(store) };
}

type Stored = Document & { readonly _id: number };
const localeOf = ({ group }: Post, id: number): string => ['en', 'fr', 'de'][group.indexOf(id)] ?? 'en';

/** A database of its own, which holds one world after the other. */
export async function openPosts(name: string) {
  const client = await MongoClient.connect(testUri('maxPoolSize', '16'));
  const db = client.db(name, { writeConcern: { w: 1, journal: false } });
  await openStore(db, { timeout: 15_000, exclusive: true }).prepare(registry);
  return {
    db,
    begin: (world: World): Promise<void> => begin(db, world),
    /** What is stored, as the model has it. @param ids of the posts; default: all */
    read: (ids?: readonly number[]): Promise<World> => readWorld(db, ids),
    violations: async (): Promise<readonly string[]> => {
      const found: string[] = [];
      for await (const checked of checkDatabase(db, registry)) found.push(...checked.violations.map(describeViolation));
      return found;
    },
    close: async (): Promise<void> => {
      await db.dropDatabase();
      await client.close();
    },
  };
}

async function begin(db: Db, { posts, tags }: World): Promise<void> {
  for (const name of ['_transactions', '_undo', ...collections]) await db.collection(name).deleteMany({});
  const at = new Date('2024-01-31');
  await db
    .collection<Stored>('tags')
    .insertMany([...tags].map((id) => ({ _id: id, name: `n${id}`, createdAt: at, updatedAt: at })));
  await db.collection<Stored>('posts').insertMany(
    [...posts].map(([_id, post]) => {
      const { group, isLive, values } = post;
      const others = group.filter((other) => other !== _id);
      return {
        _id,
        ...values,
        createdAt: at,
        updatedAt: at,
        locale: localeOf(post, _id),
        ...(others.length > 0 && {
          localizations: others,
          _rank: { localizations: others.map((other) => localeOf(post, other)) },
        }),
        ...(isLive && { _live: 1, publishedAt: at }),
      };
    }),
  );
  for (const type of [post, tag])
    await db
      .collection<{ _id: string }>('_counters')
      .updateOne({ _id: type.uid }, { $max: { id: Math.max(...posts.keys()), rank: 1000 } }, { upsert: true });
}

async function readWorld(db: Db, ids?: readonly number[]): Promise<World> {
  const named = ids === undefined ? {} : { _id: { $in: [...ids] } };
  const [posts, copies, tags] = await Promise.all(
    ['posts', '_copies.posts', 'tags'].map((name) =>
      db
        .collection<Stored>(name)
        .find(name === 'tags' ? {} : named)
        .toArray(),
    ),
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

/** What is refused: entries that are not there, and links to them. */
const isRefusal = (error: unknown): boolean => /NotFoundError|ValidationError/.test(String(error));

/** `done`, `refused`, `conflict`, or an error that is none of these. */
export const outcomeOf = (service: Service, write: Write): Promise<string> =>
  execute(service, write).then(
    () => 'done',
    (error: unknown) =>
      isRefusal(error) ? 'refused' : /ConflictError/.test(String(error)) ? 'conflict' : String(error),
  );
