import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import type { ContentType, MorphAttribute, RelationAttribute } from '../../src/content-types/model/types.js';
import { compileRemoval } from '../../src/mongo/compile/write/reference-removal.js';
import { editOf, type EntryEdit } from '../../src/mongo/stored/entry-edit.js';
import { attachOwner, detachOwner, linkOwner, unlinkOwner } from '../../src/mongo/stored/links.js';
import { changeEntry, insertedDocument } from '../../src/mongo/write/change-entry.js';
import {
  noChanges,
  type Changes,
  type LinkChange,
  type Position,
  type StoredValue,
  type ValueChange,
} from '../../src/query/mutation.js';
import { loadCorpus, typeOf } from '../support/golden.js';

/** The content types of a row. */
interface Corpus {
  readonly article: ContentType;
  readonly file: ContentType;
  readonly type: (name: string) => ContentType;
  /** A relation of the article. */
  readonly relation: (name: string) => RelationAttribute;
  readonly morph: (type: string, name: string) => MorphAttribute;
}

async function readCorpus(): Promise<Corpus> {
  const registry = await loadCorpus();
  const article = typeOf(registry, 'article');
  const file = registry.contentTypes.get('plugin::upload.file');
  if (file === undefined) throw new Error('The upload plugin brings no file type');
  const relation = (name: string): RelationAttribute => {
    const attribute = article.attributes.get(name);
    if (attribute?.kind !== 'relation') throw new Error(`${name} is no relation of the article`);
    return attribute;
  };
  const morph = (type: string, name: string): MorphAttribute => {
    const attribute = typeOf(registry, type).attributes.get(name);
    if (attribute?.kind !== 'morph') throw new Error(`${name} is no morph of the ${type}`);
    return attribute;
  };
  return { article, file, relation, morph, type: (name) => typeOf(registry, name) };
}

const corpus = readCorpus();

const end: Position = { at: 'end' };
const at = (id: number, position: Position = end): LinkChange['connect'][number] => ({ id, position });
const set = (...ids: readonly number[]): LinkChange => ({
  replaces: true,
  disconnect: [],
  connect: ids.map((id) => at(id)),
});
const connect = (...ids: LinkChange['connect']): LinkChange => ({ replaces: false, disconnect: [], connect: ids });
const disconnect = (...ids: readonly number[]): LinkChange => ({ replaces: false, disconnect: ids, connect: [] });
const linked = (attribute: RelationAttribute, change: LinkChange, ranks: readonly number[] = []): Changes => {
  const ranked = change.connect.map((link, index) => {
    const rank = ranks[index];
    return rank === undefined ? link : { ...link, rank };
  });
  return { ...noChanges, links: [{ attribute, ...change, connect: ranked }] };
};
const merge = (name: string, change: ValueChange): Changes => ({ ...noChanges, merges: new Map([[name, change]]) });
const value = (stored: string | undefined): ValueChange => ({ kind: 'value', value: stored });
const kept = (id: number, uid: string | undefined, changes: Readonly<Record<string, ValueChange>>) =>
  ({ kind: 'merge', id, uid, changes: new Map(Object.entries(changes)) }) as const;

describe('A new entry', () => {
  test('stores no absent values; relations as an id or a list with ranks', async () => {
    const { article, relation } = await corpus;
    const links = [
      ...linked(relation('author'), set(3), [31]).links,
      ...linked(relation('tags'), set(2, 1), [7, 8]).links,
      ...linked(relation('related'), set(5)).links,
      ...linked(relation('category'), set()).links,
    ];
    const values = new Map([
      ['title', 'Hello'],
      ['summary', undefined],
    ]);
    expect(insertedDocument(article, 12, { ...noChanges, values, links })).toStrictEqual({
      _id: 12,
      title: 'Hello',
      author: 3,
      tags: [2, 1],
      related: [5],
      _rank: { author: 31, tags: [7, 8] },
    });
  });

  test('has references and unique keys', async () => {
    const { article: corpusArticle, type } = await corpus;
    const [links, title] = ['links', 'title'].map((name) => corpusArticle.attributes.get(name));
    if (links?.kind !== 'component' || title?.kind !== 'scalar') throw new Error('The article has both');
    const attributes = new Map([['slug', { ...title, name: 'slug', unique: true }]]);
    const component = { ...links.component, attributes };
    const article = {
      ...corpusArticle,
      attributes: new Map([...corpusArticle.attributes, ['links', { ...links, component }]]),
    };
    const values = new Map<string, StoredValue>([
      ['cover', 7],
      ['links', [{ id: 9, slug: 'a' }]],
      ['blocks', [{ id: 3, __component: 'blocks.quote', source: 5 }]],
    ]);
    expect(insertedDocument(article, 12, { ...noChanges, values })).toStrictEqual({
      _id: 12,
      ...Object.fromEntries(values),
      _refs: [
        { a: 'cover', r: 'plugin::upload.file:7' },
        { a: 'blocks.blocks.quote:3.source', r: 'api::author.author:5' },
      ],
      _unique: [{ a: 'links.9.slug', k: 'shared.link.slug=a' }],
    });
    const subject = { __type: article.uid, id: 4 };
    expect(
      insertedDocument(type('comment'), 1, { ...noChanges, values: new Map([['subject', subject]]), rank: 6 }),
    ).toStrictEqual({ _id: 1, subject, _refs: [{ a: 'subject', r: `${article.uid}:4`, n: 6 }] });
  });
});

/** The rule, the stored entry, the change, and the fields that change. */
type Row = readonly [rule: string, stored: Document, change: (types: Corpus) => Changes, expected: Document];

const rows: readonly Row[] = [
  [
    'a relation to one gets a rank',
    {},
    ({ relation }) => linked(relation('author'), set(3), [31]),
    { author: 3, _rank: { author: 31 } },
  ],
  [
    'a linked entry keeps its rank',
    { author: 3, _rank: { author: 4, tags: [1] } },
    ({ relation }) => linked(relation('author'), set(3), [31]),
    { author: 3, _rank: { author: 4, tags: [1] } },
  ],
  [
    'an exclusive one counts as a later link',
    { seoCard: 3, _rank: { seoCard: 4 } },
    ({ relation }) => linked(relation('seoCard'), set(3), [31]),
    { seoCard: 3, _rank: { seoCard: 31 } },
  ],
  [
    'an empty relation has neither ids nor ranks',
    { author: 3, _rank: { author: 4 } },
    ({ relation }) => linked(relation('author'), set()),
    { author: undefined, _rank: undefined },
  ],
  [
    'a relation to one is disconnected only from its entry',
    { author: 3, _rank: { author: 4 } },
    ({ relation }) => linked(relation('author'), disconnect(5)),
    { author: 3, _rank: { author: 4 } },
  ],
  [
    'connected entries take their positions, with ranks of their own',
    { tags: [1, 2], _rank: { tags: [7, 8] } },
    ({ relation }) => linked(relation('tags'), connect(at(3, { at: 'before', id: 2 }), at(1)), [20, 21]),
    { tags: [3, 2, 1], _rank: { tags: [20, 8, 7] } },
  ],
  [
    'a replaced list keeps the ranks of those that stay',
    { tags: [1, 2], _rank: { tags: [7, 8] } },
    ({ relation }) => linked(relation('tags'), set(4, 2), [20, 21]),
    { tags: [4, 2], _rank: { tags: [20, 8] } },
  ],
  [
    'disconnected entries go with their ranks',
    { tags: [1, 2], _rank: { tags: [7, 8] } },
    ({ relation }) => linked(relation('tags'), disconnect(1)),
    { tags: [2], _rank: { tags: [8] } },
  ],
  [
    'a relation without another side has no ranks',
    { related: [1] },
    ({ relation }) => linked(relation('related'), connect(at(2))),
    { related: [1, 2] },
  ],
  [
    'a kept component is changed, and others stay as they are',
    { seo: { id: 4, metaTitle: 'a', metaDescription: 'b' } },
    () =>
      merge('seo', {
        kind: 'components',
        many: false,
        components: [kept(4, undefined, { metaTitle: value('c'), metaDescription: value(undefined) })],
      }),
    { seo: { id: 4, metaTitle: 'c' } },
  ],
  [
    'a list of components has the written ones',
    {
      links: [
        { id: 1, label: 'a' },
        { id: 2, label: 'b' },
      ],
    },
    () =>
      merge('links', {
        kind: 'components',
        many: true,
        components: [{ kind: 'new', value: { id: 3, label: 'c' } }, kept(1, undefined, { label: value('d') })],
      }),
    {
      links: [
        { id: 3, label: 'c' },
        { id: 1, label: 'd' },
      ],
    },
  ],
  [
    'in a zone the kind is part of the name of a component',
    {
      blocks: [
        { id: 1, __component: 'blocks.text', content: 'a' },
        { id: 1, __component: 'blocks.quote', text: 'b' },
      ],
    },
    () =>
      merge('blocks', { kind: 'components', many: true, components: [kept(1, 'blocks.quote', { text: value('c') })] }),
    { blocks: [{ id: 1, __component: 'blocks.quote', text: 'c' }] },
  ],
  [
    'some components of a list change at their places',
    {
      links: [
        { id: 1, label: 'a' },
        { id: 2, label: 'b' },
      ],
    },
    () => merge('links', { kind: 'someComponents', components: [kept(2, undefined, { label: value('c') })] }),
    {
      links: [
        { id: 1, label: 'a' },
        { id: 2, label: 'c' },
      ],
    },
  ],
  [
    'relations in components are lists without ranks',
    { blocks: [{ id: 1, __component: 'blocks.quote', mentions: [4, 5] }] },
    () => {
      const mentions = { kind: 'links', many: true, change: connect(at(6, { at: 'start' })) } as const;
      return merge('blocks', { kind: 'components', many: true, components: [kept(1, 'blocks.quote', { mentions })] });
    },
    {
      blocks: [{ id: 1, __component: 'blocks.quote', mentions: [6, 4, 5] }],
      _refs: [6, 4, 5].map((id) => ({ a: 'blocks.blocks.quote:1.mentions', r: `api::tag.tag:${id}` })),
    },
  ],
  [
    'references and unique keys of a written attribute follow its value, others stay',
    {
      blocks: [
        { id: 14, __component: 'blocks.quote', source: 1 },
        { id: 15, __component: 'blocks.quote', source: 2 },
      ],
      _refs: [
        { a: 'blocks.blocks.quote:14.source', r: 'api::author.author:1' },
        { a: 'blocks.blocks.quote:15.source', r: 'api::author.author:2' },
        { a: 'cover', r: 'plugin::upload.file:3' },
      ],
      _unique: [{ a: 'links.9.slug', k: 'shared.link.slug=a' }],
    },
    () =>
      merge('blocks', {
        kind: 'components',
        many: true,
        components: [
          kept(15, 'blocks.quote', {}),
          { kind: 'new', value: { id: 16, __component: 'blocks.quote', source: 4 } },
        ],
      }),
    {
      blocks: [
        { id: 15, __component: 'blocks.quote', source: 2 },
        { id: 16, __component: 'blocks.quote', source: 4 },
      ],
      _refs: [
        { a: 'cover', r: 'plugin::upload.file:3' },
        { a: 'blocks.blocks.quote:15.source', r: 'api::author.author:2' },
        { a: 'blocks.blocks.quote:16.source', r: 'api::author.author:4' },
      ],
      _unique: [{ a: 'links.9.slug', k: 'shared.link.slug=a' }],
    },
  ],
];

test.each(rows)('A changed entry: %s', async (_, stored, change, expected) => {
  const types = await corpus;
  const edit = editOf(stored);
  changeEntry(edit, types.article, change(types));
  const kept = edit.fields.has('_refs') ? { _refs: undefined, _unique: undefined } : {};
  expect(Object.fromEntries(edit.fields)).toStrictEqual({ ...kept, ...expected });
});

test.each([
  ['its rank, if that is later', 9, 9],
  ['a later rank', 3, 6],
])('A link of a morph relation that is written again keeps %s', async (_, former, n) => {
  const { article, type } = await corpus;
  const subject = { __type: article.uid, id: 4 };
  const reference = { a: 'subject', r: `${article.uid}:4` };
  const edit = editOf({ subject, _refs: [{ ...reference, n: former }] });
  changeEntry(edit, type('comment'), { ...noChanges, values: new Map([['subject', subject]]), rank: 6 });
  expect(edit.get('_refs')).toStrictEqual([{ ...reference, n }]);
});

test.each<readonly [string, Document, (types: Corpus) => Changes, string]>([
  [
    'a component of another entry',
    { seo: { id: 4 } },
    () => merge('seo', { kind: 'components', many: false, components: [kept(5, undefined, {})] }),
    'foreignComponent',
  ],
  [
    'a component of another zone',
    { blocks: [] },
    () => merge('blocks', { kind: 'components', many: true, components: [kept(5, 'blocks.quote', {})] }),
    'foreignZoneComponent',
  ],
  [
    'a position beside an entry that is not linked',
    { tags: [1] },
    ({ relation }) => linked(relation('tags'), connect(at(3, { at: 'after', id: 9 })), [20]),
    'invalidValue',
  ],
])('A change is refused: %s', async (_, stored, change, code) => {
  const types = await corpus;
  expect(() => changeEntry(editOf(stored), types.article, change(types))).toThrow(expect.objectContaining({ code }));
});

test.each<readonly [string, Document, (edit: EntryEdit, types: Corpus) => void, Document]>([
  [
    'a new owner is linked at the end',
    { tags: [1], _rank: { tags: [7] } },
    (edit, { relation }) => linkOwner(edit, relation('tags'), 2, 9),
    { tags: [1, 2], _rank: { tags: [7, 9] } },
  ],
  [
    'an owner gets its place on the other side',
    { tags: [1, 2], _rank: { tags: [7, 8] } },
    (edit, { relation }) => linkOwner(edit, relation('tags'), 1, 9),
    { tags: [1, 2], _rank: { tags: [9, 8] } },
  ],
  [
    'an owner of one target loses its former one',
    { author: 1, _rank: { author: 7 } },
    (edit, { relation }) => linkOwner(edit, relation('author'), 2, 9),
    { author: 2, _rank: { author: 9 } },
  ],
  [
    'an owner is unlinked',
    { tags: [1], _rank: { tags: [7], author: 3 } },
    (edit, { relation }) => unlinkOwner(edit, relation('tags'), 1),
    { tags: undefined, _rank: { author: 3 } },
  ],
  [
    'an owner that is not linked stays',
    { tags: [1] },
    (edit, { relation }) => unlinkOwner(edit, relation('tags'), 2),
    {},
  ],
])('The other side: %s', async (_, stored, change, expected) => {
  const edit = editOf(stored);
  change(edit, await corpus);
  expect(Object.fromEntries(edit.fields)).toStrictEqual(expected);
});

describe('The other side of a morph relation', () => {
  const target = { __type: 'api::article.article', id: 3 };
  const other = { __type: 'api::article.article', id: 4 };
  const reference = (a: string, id: number, n: number) => ({ a, r: `api::article.article:${id}`, n });

  test('replaces the only target, with its reference', async () => {
    const { morph } = await corpus;
    const { name } = morph('comment', 'subject');
    const edit = editOf({ [name]: other, _refs: [reference(name, 4, 1)] });
    attachOwner(edit, morph('comment', 'subject'), target, 9);
    expect(Object.fromEntries(edit.fields)).toStrictEqual({ [name]: target, _refs: [reference(name, 3, 9)] });
    detachOwner(edit, morph('comment', 'subject'), target);
    expect(Object.fromEntries(edit.fields)).toStrictEqual({ [name]: undefined, _refs: undefined });
  });

  test('adds a target to a list, or moves it to the end', async () => {
    const { morph } = await corpus;
    const attribute = morph('bookmark', 'items');
    const { name } = attribute;
    const edit = editOf({ [name]: [target, other], _refs: [reference(name, 3, 1), reference(name, 4, 1)] });
    attachOwner(edit, attribute, target, 9);
    expect(Object.fromEntries(edit.fields)).toStrictEqual({
      [name]: [other, target],
      _refs: [reference(name, 4, 1), reference(name, 3, 9)],
    });
  });
});

test('references to a deleted entry are removed by one update per relation, and one for the others of a type', async () => {
  const { article, file, relation } = await corpus;
  const unlink = compileRemoval({ kind: 'unlink', type: article, attribute: relation('tags'), targets: [4] });
  expect(unlink.filter).toEqual({ tags: { $in: [4] } });
  const forget = compileRemoval({ kind: 'forget', type: article, target: file, id: 7 });
  expect(forget.filter).toEqual({ '_refs.r': 'plugin::upload.file:7' });
  expect(Object.keys(forget.update[0]?.['$set'] as Document)).toEqual(
    expect.arrayContaining(['cover', 'blocks', '_refs']),
  );
});
