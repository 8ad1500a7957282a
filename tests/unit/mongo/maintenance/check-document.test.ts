import { describe, expect, test } from '@jest/globals';
import { Long, ObjectId } from 'mongodb';
import { link } from '../../../../src/content-types/link/link.js';
import type { ContentType } from '../../../../src/content-types/model/types.js';
import { describeViolation } from '../../../../src/mongo/maintenance/check/violation.js';
import { checkDocument } from '../../../../src/mongo/maintenance/check/check-database.js';
import { component, contentType, define, file } from '../../content-types/define.js';

const relation = (kind: string, target: string, more: object = {}) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});

const { contentTypes } = link(
  define(
    file,
    component('shared.link', { slug: { type: 'string', unique: true }, to: relation('oneToOne', 'tag') }),
    component('blocks.text', { text: { type: 'text' }, image: { type: 'media' }, links: list('shared.link') }),
    contentType('tag', {
      posts: relation('manyToMany', 'post', { mappedBy: 'tags' }),
      notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'about' },
    }),
    contentType(
      'post',
      {
        title: { type: 'string' },
        kind: { type: 'enumeration', enum: ['news', 'review'] },
        count: { type: 'integer' },
        serial: { type: 'biginteger' },
        price: { type: 'decimal' },
        open: { type: 'boolean' },
        day: { type: 'date' },
        at: { type: 'time' },
        moment: { type: 'datetime' },
        meta: { type: 'json' },
        colours: { type: 'array' },
        secret: { type: 'password' },
        hidden: { type: 'integer', private: true },
        author: relation('manyToOne', 'tag'),
        parent: relation('manyToOne', 'post', { inversedBy: 'children' }),
        children: relation('oneToMany', 'post', { mappedBy: 'parent' }),
        tags: relation('manyToMany', 'tag', { inversedBy: 'posts' }),
        cover: { type: 'media' },
        seo: { type: 'component', component: 'shared.link' },
        links: list('shared.link'),
        blocks: { type: 'dynamiczone', components: ['blocks.text', 'shared.link'] },
      },
      { options: { draftAndPublish: true }, pluginOptions: { i18n: { localized: true } } },
    ),
    contentType('note', { about: { type: 'relation', relation: 'morphToOne' } }),
  ),
);

function list(uid: string) {
  return { type: 'component', component: uid, repeatable: true };
}

const type = (name: string): ContentType => {
  const found = contentTypes.get(`api::${name}.${name}`);
  if (found === undefined) throw new Error(name);
  return found;
};

const ranks = { parent: 1, tags: [2, 1.5] };
const references = [
  { a: 'blocks.blocks.text:14.links.15.to', r: 'api::tag.tag:1' },
  { a: 'cover', r: 'plugin::upload.file:9' },
  { a: 'seo.11.to', r: 'api::tag.tag:2' },
  { a: 'blocks.blocks.text:14.image', r: 'plugin::upload.file:9' },
];
const uniqueKeys = [
  { a: 'seo.11.slug', k: 'shared.link.slug=seo' },
  { a: 'links.12.slug', k: 'shared.link.slug=one' },
  { a: 'blocks.blocks.text:14.links.15.slug', k: 'shared.link.slug=deep' },
];

/** An entry with a value for every attribute. */
const sound = {
  _id: 7,
  title: 'Sound',
  kind: 'news',
  count: 3,
  serial: Long.fromString('9007199254740993'),
  price: 1.5,
  open: false,
  day: '2024-02-29',
  at: '08:30:00.000',
  moment: new Date('2024-02-29T08:30:00Z'),
  meta: '{"a":null}',
  colours: '[]',
  secret: `$2b$10$${'a'.repeat(53)}`,
  author: 4,
  parent: 5,
  tags: [2, 1],
  cover: 9,
  seo: { id: 11, slug: 'seo', to: 2 },
  links: [{ id: 12, slug: 'one' }, { id: 13 }],
  blocks: [
    { __component: 'blocks.text', id: 14, text: 'x', image: 9, links: [{ id: 15, to: 1, slug: 'deep' }] },
    { __component: 'shared.link', id: 16 },
  ],
  _rank: ranks,
  _refs: references,
  _unique: uniqueKeys,
  locale: 'en',
  localizations: [8],
  _live: 1,
  publishedAt: new Date(0),
  createdAt: new Date(0),
  updatedAt: new Date(0),
  createdBy: 1,
};

const lines = (document: object, name = 'post'): readonly string[] =>
  checkDocument(document, type(name)).map(describeViolation);

test('a valid entry and an empty entry have no violation', () => {
  expect(lines(sound)).toEqual([]);
  expect(lines({ _id: 1 })).toEqual([]);
  expect(
    lines({ _id: 1, about: { __type: 'api::tag.tag', id: 2 }, _refs: [{ a: 'about', r: 'api::tag.tag:2' }] }, 'note'),
  ).toEqual([]);
});

test('an empty object of ranks is accepted', () => {
  expect(lines({ _id: 1, _rank: {} })).toEqual([]);
});

const none = undefined;
/** Changes of a valid entry, and the one violation that each causes. */
const broken: readonly (readonly [idea: string, over: object, breach: string])[] = [
  ['an id that is not an integer', { _id: 'x' }, 'post x _id: must be a positive whole number, is "x"'],
  ['an id of 0', { _id: 0 }, 'post 0 _id: must be a positive whole number, is 0'],
  ['an unknown field', { other: 1 }, 'post 7 other: is not an attribute of api::post.post'],
  ['an unknown null', { other: null }, 'post 7 other: is not an attribute of api::post.post'],
  [
    'an unknown field of a component',
    { links: [{ id: 12, slug: 'one', other: 1 }] },
    'post 7 links.12.other: is not an attribute of shared.link',
  ],
  [
    '__component outside a zone',
    { links: [{ __component: 'shared.link', id: 12, slug: 'one' }] },
    'post 7 links.12.__component: is not an attribute of shared.link',
  ],
  [
    'the inverse side of a relation',
    { children: [2] },
    'post 7 children: must be absent: it is stored in api::post.post',
  ],
  ['a null', { title: null }, 'post 7 title: must be absent: null and empty lists are not stored'],
  [
    'an empty list in a component',
    {
      blocks: [
        { ...sound.blocks[0], links: [{ id: 15, to: 1, slug: 'deep' }] },
        { ...sound.blocks[1], to: [] },
      ],
    },
    'post 7 blocks.shared.link:16.to: must be absent: null and empty lists are not stored',
  ],
  ['a number for a string', { title: 1 }, 'post 7 title: must be a string, is 1'],
  ['an enumeration without this value', { kind: 'new' }, 'post 7 kind: must be one of news, review, is "new"'],
  ['an integer with a fraction', { count: 1.5 }, 'post 7 count: must be a whole number, is 1.5'],
  ['an integer of 64 bits', { count: Long.MAX_VALUE }, 'post 7 count: must be a whole number, is of the kind Long'],
  ['a large one as migrations read it', { count: 2n ** 60n }, 'post 7 count: must be a whole number, is a bigint'],
  ['a big integer as text', { serial: '1' }, 'post 7 serial: must be a 64-bit integer, is "1"'],
  ['a decimal that is not a number', { price: Number.NaN }, 'post 7 price: must be a number, is "NaN"'],
  ['a boolean as a number', { open: 1 }, 'post 7 open: must be true or false, is 1'],
  ['a day that is none', { day: '2023-02-29' }, 'post 7 day: must be a day as yyyy-MM-dd, is "2023-02-29"'],
  ['a day with a time', { day: '2023-02-28T00:00' }, 'post 7 day: must be a day as yyyy-MM-dd, is "2023-02-28T00:00"'],
  ['a time without milliseconds', { at: '08:30:00' }, 'post 7 at: must be a time as HH:mm:ss.SSS, is "08:30:00"'],
  ['a timestamp as text', { moment: '2024-01-01' }, 'post 7 moment: must be a date, is "2024-01-01"'],
  ['JSON that is not text', { meta: { a: 1 } }, 'post 7 meta: must be JSON as text, is an object'],
  ['JSON that does not parse', { meta: '{' }, 'post 7 meta: must be JSON as text, is "{"'],
  ['JSON that is not a list', { colours: '{}' }, 'post 7 colours: must be a JSON list as text, is "{}"'],
  ['a plain password, which is not shown', { secret: 'abc' }, 'post 7 secret: must be a bcrypt hash, is a string'],
  ['a private value, which is not shown', { hidden: 'abc' }, 'post 7 hidden: must be a whole number, is a string'],
  ['an id as text', { author: '4' }, 'post 7 author: must be a positive whole number, is "4"'],
  ['a list for a relation to one', { author: [4] }, 'post 7 author: must be an id, is a list'],
  ['one id for a relation to many', { tags: 2 }, 'post 7 tags: must be a list of ids, is 2'],
  [
    'an id of another kind in a list',
    { tags: [2, new ObjectId()] },
    'post 7 tags: must be a positive whole number, is of the kind ObjectId',
  ],
  ['an id twice', { tags: [2, 2] }, 'post 7 tags: contains 2 more than once'],
  ['a list for one component', { seo: [sound.seo] }, 'post 7 seo: must be one component, is a list'],
  ['one component for a list', { links: sound.links[0] }, 'post 7 links: must be a list, is an object'],
  ['a component that is none', { links: [sound.links[0], 13] }, 'post 7 links[1]: must be a component, is 13'],
  [
    'a component without id',
    { links: [sound.links[0], {}] },
    'post 7 links[1].id: must be a positive whole number, is absent',
  ],
  [
    'a component that the zone does not list',
    { blocks: [sound.blocks[0], { __component: 'blocks.quote', id: 16 }] },
    'post 7 blocks.blocks.quote:16.__component: must be one of blocks.text, shared.link, is "blocks.quote"',
  ],
  [
    'a published entry that is not live',
    { _live: none },
    'post 7 _live: must be 1, because publishedAt is set; is absent',
  ],
  ['a draft that is live', { publishedAt: none }, 'post 7 _live: must be absent, because publishedAt is not set'],
  ['ranks that are none', { _rank: 1 }, 'post 7 _rank: must contain ranks by relation, is a number'],
  ['a missing rank', { _rank: { tags: [2, 1] } }, 'post 7 _rank.parent: must be a number'],
  [
    'fewer ranks than ids',
    { _rank: { parent: 1, tags: [2] } },
    'post 7 _rank.tags: must be a list of numbers, one per id',
  ],
  [
    'a rank that is no number',
    { _rank: { parent: 1, tags: [2, null] } },
    'post 7 _rank.tags: must be a list of numbers, one per id',
  ],
  ['a rank beside no id', { parent: none }, 'post 7 _rank.parent: must be absent, because parent is absent'],
  [
    'a rank of a one-way relation',
    { _rank: { ...ranks, author: 1 } },
    'post 7 _rank.author: must be absent: there is no order on the other side',
  ],
  [
    'a missing reference',
    { _refs: references.slice(1) },
    'post 7 _refs: lacks { a: blocks.blocks.text:14.links.15.to, r: api::tag.tag:1 }',
  ],
  [
    'a reference too many',
    { cover: none },
    'post 7 _refs: contains { a: cover, r: plugin::upload.file:9 }, which matches no value of the entry',
  ],
  [
    'a reference twice',
    { _refs: [...references, references[0]] },
    'post 7 _refs: contains { a: blocks.blocks.text:14.links.15.to, r: api::tag.tag:1 }, which matches no value of the entry',
  ],
  ['references that are no list', { _refs: 'x' }, 'post 7 _refs: must be a list, is a string'],
  [
    'a missing unique key',
    { _unique: uniqueKeys.slice(1) },
    'post 7 _unique: lacks { a: seo.11.slug, k: shared.link.slug=seo }',
  ],
  ['the mark of a single type in another', { _sole: 1 }, 'post 7 _sole: must be absent: it is not a single type'],
  ['a locale that is none', { locale: 1 }, 'post 7 locale: must be the code of a locale, is 1'],
  ['localizations that are no ids', { localizations: 'x' }, 'post 7 localizations: must be a list of ids, is "x"'],
];

test.each(broken)('%s is reported', (_, over, breach) => {
  const laid = Object.entries({ ...sound, ...over }).filter(([, value]) => value !== none);
  expect(lines(Object.fromEntries(laid))).toEqual([breach]);
});

describe('a morph', () => {
  test.each([
    ['as a list', [{ __type: 'api::tag.tag', id: 2 }], 'note 1 about: must be one link, is a list'],
    [
      'with its fields in another order',
      { id: 2, __type: 'api::tag.tag' },
      'note 1 about: must be { __type, id }, in this order',
    ],
  ])('%s is reported', (_, about, breach) => {
    expect(lines({ _id: 1, about, _refs: [{ a: 'about', r: 'api::tag.tag:2' }] }, 'note')).toEqual([breach]);
  });

  test('to an unknown content type is reported', () => {
    expect(lines({ _id: 1, about: { __type: 'api::no.no', id: 2 } }, 'note')).toEqual([
      'note 1 about: must be a link to a content type, is "api::no.no"',
    ]);
  });
});

test('internal fields of drafts and locales are reported in other types', () => {
  expect(lines({ _id: 1, _live: 1, locale: 'en', publishedAt: new Date(), notes: [1] }, 'tag')).toEqual([
    'tag 1 locale: is not an attribute of api::tag.tag',
    'tag 1 publishedAt: is not an attribute of api::tag.tag',
    'tag 1 notes: must be absent: it is stored in api::note.note',
    'tag 1 _live: must be absent, because the type has no drafts',
  ]);
});
