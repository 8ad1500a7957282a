import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BSON, ObjectId, type Document } from 'mongodb';

/** An id that is the same at every run. */
export const idOf = (number: number): ObjectId => new ObjectId(number.toString(16).padStart(24, '0'));

const at = new Date('2021-05-01T10:00:00.000Z');
const times = { createdAt: at, updatedAt: at, __v: 0 };

/** The models of a small project of Strapi v3, as it keeps them, and of the same project in v4. */
const models: Readonly<Record<string, object>> = {
  'api/article/models/article.settings.json': {
    kind: 'collectionType',
    collectionName: 'articles',
    info: { name: 'article' },
    options: { increments: true, timestamps: true, draftAndPublish: true },
    attributes: {
      title: { type: 'string', required: true },
      views: { type: 'biginteger' },
      author: { via: 'articles', model: 'author' },
      tags: { collection: 'tag', via: 'articles', dominant: true },
      cover: { model: 'file', via: 'related', allowedTypes: ['images'], plugin: 'upload', required: false },
      seo: { type: 'component', component: 'shared.seo', repeatable: false },
      blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
    },
  },
  'api/author/models/author.settings.json': {
    kind: 'collectionType',
    collectionName: 'authors',
    info: { name: 'author' },
    attributes: { name: { type: 'string' }, articles: { collection: 'article', via: 'author' } },
  },
  'api/tag/models/tag.settings.json': {
    kind: 'collectionType',
    collectionName: 'tags',
    info: { name: 'tag' },
    attributes: { name: { type: 'string' }, articles: { collection: 'article', via: 'tags' } },
  },
  'components/shared/seo.json': {
    collectionName: 'components_shared_seos',
    info: { name: 'seo' },
    attributes: { metaTitle: { type: 'string' } },
  },
  'components/shared/quote.json': {
    collectionName: 'components_shared_quotes',
    info: { name: 'quote' },
    attributes: { text: { type: 'text' }, source: { model: 'author' } },
  },
};

const type = (name: string, draftAndPublish: boolean, attributes: object): object => ({
  kind: 'collectionType',
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  options: { draftAndPublish },
  attributes,
});
const relation = (kind: string, target: string, other: object): object => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...other,
});

const contentTypes: Readonly<Record<string, object>> = {
  'article.json': type('article', true, {
    title: { type: 'string', required: true },
    views: { type: 'biginteger' },
    author: relation('manyToOne', 'author', { inversedBy: 'articles' }),
    tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
    cover: { type: 'media', multiple: false, allowedTypes: ['images'] },
    seo: { type: 'component', component: 'shared.seo', repeatable: false },
    blocks: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
  }),
  'author.json': type('author', false, {
    name: { type: 'string' },
    articles: relation('oneToMany', 'article', { mappedBy: 'author' }),
  }),
  'tag.json': type('tag', false, {
    name: { type: 'string' },
    articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
  }),
  'components/shared/seo.json': {
    collectionName: 'components_shared_seos',
    info: { displayName: 'Seo' },
    attributes: { metaTitle: { type: 'string' } },
  },
  'components/shared/quote.json': {
    collectionName: 'components_shared_quotes',
    info: { displayName: 'Quote' },
    attributes: {
      text: { type: 'text' },
      source: { type: 'relation', relation: 'oneToOne', target: 'api::author.author' },
    },
  },
};

/** The contents of that project's database, by collection. */
export const collections = (password: string): Readonly<Record<string, readonly Document[]>> => ({
  articles: [
    {
      _id: idOf(1),
      title: 'First',
      views: 12,
      published_at: at,
      author: idOf(11),
      tags: [idOf(22), idOf(21)],
      cover: idOf(31),
      seo: [{ _id: idOf(91), kind: 'ComponentSharedSeo', ref: idOf(41) }],
      blocks: [
        { _id: idOf(92), kind: 'ComponentSharedQuote', ref: idOf(51) },
        { _id: idOf(93), kind: 'ComponentSharedSeo', ref: idOf(42) },
      ],
      ...times,
    },
    { _id: idOf(2), title: 'Draft', published_at: null, author: idOf(11), ...times },
  ],
  authors: [{ _id: idOf(11), name: 'Ada', ...times }],
  tags: [
    { _id: idOf(21), name: 'Alpha', ...times },
    { _id: idOf(22), name: 'Beta', ...times },
  ],
  components_shared_seos: [
    { _id: idOf(41), metaTitle: 'Of the article' },
    { _id: idOf(42), metaTitle: 'Of a block' },
  ],
  components_shared_quotes: [{ _id: idOf(51), text: 'To be', source: idOf(11) }],
  upload_file: [
    {
      _id: idOf(31),
      name: 'red.png',
      hash: 'red_1',
      ext: '.png',
      mime: 'image/png',
      size: 0.12,
      url: '/uploads/red_1.png',
      provider: 'local',
      related: [{ _id: idOf(94), ref: idOf(1), kind: 'Article', field: 'cover' }],
      ...times,
    },
  ],
  'users-permissions_role': [
    { _id: idOf(61), name: 'Authenticated', type: 'authenticated' },
    { _id: idOf(62), name: 'Public', type: 'public' },
  ],
  'users-permissions_permission': [
    { _id: idOf(71), type: 'application', controller: 'tag', action: 'findone', enabled: true, role: idOf(61) },
    { _id: idOf(72), type: 'application', controller: 'tag', action: 'delete', enabled: false, role: idOf(61) },
    { _id: idOf(73), type: 'users-permissions', controller: 'auth', action: 'callback', enabled: true, role: idOf(62) },
  ],
  'users-permissions_user': [
    {
      _id: idOf(81),
      username: 'ida',
      email: 'ida@example.org',
      provider: 'local',
      password,
      confirmed: true,
      blocked: false,
      role: idOf(61),
      ...times,
    },
  ],
});

const write = (folder: string, files: Readonly<Record<string, object>>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(folder, name), JSON.stringify(content));
  }
};

/** Writes the project, its dump as `mongodump` does, and the content types that it has here. */
export function makeV3(password: string) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'strapi-v3-'));
  const [dump, project, types] = ['dump', 'project', 'content-types'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  write(project, models);
  write(types, contentTypes);
  mkdirSync(dump);
  for (const [name, documents] of Object.entries(collections(password))) {
    writeFileSync(path.join(dump, `${name}.bson`), Buffer.concat(documents.map((one) => BSON.serialize(one))));
  }
  return { dump, project, types };
}
