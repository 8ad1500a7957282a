import { expect, test } from '@jest/globals';
import { dialectOf } from '../../../../src/content-types/model/dialects.js';
import { link } from '../../../../src/content-types/link/link.js';
import { checkDocument } from '../../../../src/mongo/maintenance/check/check-database.js';
import { migrateDocument } from '../../../../src/mongo/maintenance/migrate/migrate-document.js';
import { component, contentType, define } from '../../content-types/define.js';

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});

const { contentTypes } = link(
  define(
    contentType('tag', { posts: relation('manyToMany', 'post', { mappedBy: 'labels' }) }),
    contentType('post', {
      title: { type: 'string' },
      labels: relation('manyToMany', 'tag', { inversedBy: 'posts' }),
      plain: relation('manyToMany', 'tag'),
      one: relation('manyToOne', 'tag'),
      about: { type: 'relation', relation: 'morphToMany' },
      notes: relation('oneToMany', 'note', { mappedBy: 'post' }),
      remarks: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'about' },
    }),
    contentType('note', {
      post: relation('manyToOne', 'post', { inversedBy: 'notes' }),
      about: { type: 'relation', relation: 'morphToOne' },
    }),
    contentType('page', { title: { type: 'string' } }, { kind: 'singleType' }),
  ),
);

const formerNames = new Map([
  [
    'api::post.post',
    new Map(Object.entries({ tags: 'labels', subjects: 'about', comments: 'notes', headline: 'title' })),
  ],
]);

const migrate = (document: object, name = 'post') => {
  const type = contentTypes.get(`api::${name}.${name}`);
  if (type === undefined) throw new Error(name);
  const migrated = migrateDocument({ _id: 1, ...document }, type, { formerNames, locale: 'en', publishes: false });
  expect(checkDocument(migrated.document, type)).toEqual([]);
  expect(migrateDocument(migrated.document, type, { formerNames, locale: 'en', publishes: false })).toEqual({
    ...migrated,
    changes: [],
  });
  const { _id, ...rest } = migrated.document;
  return { document: rest, changes: migrated.changes };
};

const subject = { __type: 'api::tag.tag', id: 4 };
const noOrder = 'no longer has an order on its other side';

/** A stored entry, the migrated entry, and the messages. */
const cases: readonly (readonly [idea: string, stored: object, document: object, changes: readonly string[]])[] = [
  [
    'a renamed relation brings its ranks along',
    { tags: [2, 3], _rank: { tags: [7, 5] } },
    { labels: [2, 3], _rank: { labels: [7, 5] } },
    ['tags becomes labels'],
  ],
  [
    'links of a renamed relation to any type keep their ranks',
    { subjects: [subject], _refs: [{ a: 'subjects', r: 'api::tag.tag:4', n: 12 }] },
    { about: [subject], _refs: [{ a: 'about', r: 'api::tag.tag:4', n: 12 }] },
    ['subjects becomes about'],
  ],
  [
    'links keep their ranks where something else has another name',
    { headline: 'x', about: [subject], _refs: [{ a: 'about', r: 'api::tag.tag:4', n: 12 }] },
    { title: 'x', about: [subject], _refs: [{ a: 'about', r: 'api::tag.tag:4', n: 12 }] },
    ['headline becomes title'],
  ],
  [
    'relations that lost their other side lose their ranks',
    { plain: [2, 3], one: 2, _rank: { plain: [1, 2], one: 4 } },
    { plain: [2, 3], one: 2 },
    [`plain ${noOrder}`, `one ${noOrder}`],
  ],
  [
    'ranks that are not one beside each id are made so',
    { labels: [2, 3, 4], _rank: { labels: [8] } },
    { labels: [2, 3, 4], _rank: { labels: [8, 0, 0] } },
    ['labels gets an order on its other side'],
  ],
  [
    'one rank beside a list is that of its first id',
    { labels: [2, 3], _rank: { labels: 8 } },
    { labels: [2, 3], _rank: { labels: [8, 0] } },
    ['labels gets an order on its other side'],
  ],
  [
    'an entry of what is no single type any more is no longer marked',
    { title: 'x', _sole: 1 },
    { title: 'x' },
    ['the mark of a single type is removed'],
  ],
];

test.each(cases)('%s', (_, stored, document, changes) => {
  expect(migrate(stored)).toEqual({ document, changes });
});

test('a single id keeps the first of several ranks', () => {
  expect(migrate({ post: 2, _rank: { post: [7, 9] } }, 'note').document).toEqual({ post: 2, _rank: { post: 7 } });
});

test('the entry of a single type keeps its mark', () => {
  expect(migrate({ title: 'x', _sole: 1 }, 'page')).toEqual({ document: { title: 'x', _sole: 1 }, changes: [] });
});

test('decimals are rounded by the rules of values, unless they must be unique', () => {
  const decimal = { type: 'decimal' };
  const definitions = define(
    component('shop.offer', { price: decimal }),
    contentType('item', {
      price: decimal,
      code: { ...decimal, unique: true },
      weight: { type: 'float' },
      offers: { type: 'component', component: 'shop.offer', repeatable: true },
    }),
  );
  const stored = { _id: 1, price: 2.675, code: 2.675, weight: 2.675, offers: [{ id: 1, price: 1.005 }, { id: 2 }] };
  const migrated = (database: 'sqlite' | 'postgres') => {
    const type = link({ ...definitions, dialect: dialectOf(database) }).contentTypes.get('api::item.item');
    if (type === undefined) throw new Error('no type');
    const { document, changes } = migrateDocument(stored, type, {
      formerNames: new Map(),
      locale: 'en',
      publishes: false,
    });
    return { document, changes };
  };
  expect(migrated('sqlite')).toEqual({ document: stored, changes: [] });
  expect(migrated('postgres')).toEqual({
    document: { ...stored, price: 2.68, offers: [{ id: 1, price: 1.01 }, { id: 2 }] },
    changes: ['price is rounded', 'offers.price is rounded'],
  });
});
