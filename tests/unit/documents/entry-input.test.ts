import { describe, expect, test } from '@jest/globals';
import {
  countNewComponents,
  dataOf,
  type EntryInput,
  mergeComponents,
  morphTargets,
  relationTargets,
  withDefaults,
} from '../../../src/documents/input/entry-input.js';
import type { Attribute } from '../../../src/content-types/model/types.js';
import type { DocumentsContext } from '../../../src/documents/context.js';
import { encodeEntry } from '../../../src/documents/write/encode.js';
import { hashPasswords } from '../../../src/documents/write/passwords.js';
import { castData, parseEntry } from '../../../src/documents/input/parse-entry.js';
import type { Targets } from '../../../src/mongo/read/missing-targets.js';
import { loadCorpus, typeOf } from '../../support/golden.js';

const openGraph = 'shared.open-graph';

async function parse(name: string, data: object, isNew = true): Promise<ReturnType<typeof parseEntry>> {
  const { attributes } = typeOf(await loadCorpus(), name);
  return parseEntry(castData({ ...data }, attributes), attributes, isNew);
}

describe('new components are counted per type', () => {
  test.each<readonly [data: object, inNew: object, inExisting: object]>([
    [{ title: 'x' }, {}, {}],
    [{ seo: null, links: [] }, {}, {}],
    [{ seo: { metaTitle: 'x' } }, { 'shared.seo': 1 }, { 'shared.seo': 1 }],
    [
      { seo: { openGraph: { ogTitle: 'y' } } },
      { 'shared.seo': 1, [openGraph]: 1 },
      { 'shared.seo': 1, [openGraph]: 1 },
    ],
    [{ seo: { id: 4, openGraph: { ogTitle: 'y' } } }, { 'shared.seo': 1, [openGraph]: 1 }, { [openGraph]: 1 }],
    // A component in a new one is new, whatever id it names.
    [{ seo: { openGraph: { id: 5 } } }, { 'shared.seo': 1, [openGraph]: 1 }, { 'shared.seo': 1, [openGraph]: 1 }],
    [{ links: [{ id: 3 }, { label: 'y' }, { label: 'z' }] }, { 'shared.link': 3 }, { 'shared.link': 2 }],
    [
      { blocks: [{ __component: 'blocks.promo', id: 7, cta: { label: 'y' }, items: [{ id: 9 }] }] },
      { 'blocks.promo': 1, 'shared.link': 2 },
      { 'shared.link': 1 },
    ],
    [{ meta: [{ a: { b: 1 } }] }, {}, {}],
  ])('%j needs ids: %j in a new entry, %j in an existing one', async (data, inNew, inExisting) => {
    const countsOf = async (isNew: boolean) =>
      Object.fromEntries(countNewComponents((await parse('article', data, isNew)).entry));
    expect([await countsOf(true), await countsOf(false)]).toEqual([inNew, inExisting]);
  });
});

describe('problems of relations are collected, and the rest is parsed', () => {
  const zone = 'Cannot build relations store from dynamiczone, component identifier is undefined';
  test.each<readonly [string, object, object, readonly string[]]>([
    ['article', { title: 'x', tags: [1], seo: {} }, {}, ['title', 'tags', 'seo']],
    ['article', { title: 'x', tags: [true] }, { relation: 'Invalid relations' }, ['title']],
    ['article', { title: 'x', tags: {} }, {}, ['title']],
    ['article', { title: 'x', seo: 5 }, {}, ['title']],
    ['article', { title: 'x', blocks: [5] }, { relation: 'Invalid relations' }, ['title', 'blocks']],
    ['article', { title: 'x', blocks: [{ __component: 'x' }] }, { relation: 'Invalid relations' }, ['title', 'blocks']],
    ['article', { title: 'x', blocks: [{}] }, { relation: zone }, ['title', 'blocks']],
    ['article', { title: 'x', blocks: 5 }, { relation: zone }, ['title']],
    ['comment', { text: 'x', subject: 5 }, { morph: 'Invalid relations' }, ['text']],
  ])('%s %j has %j and %j', async (name, data, problems, names) => {
    const parsed = await parse(name, data);
    expect(parsed.problems).toEqual(problems);
    expect([...parsed.entry.keys()]).toEqual(names);
  });
});

const ids = (targets: Targets): object => Object.fromEntries([...targets].map(([{ uid }, set]) => [uid, [...set]]));

test('the targets of relations are collected at all levels', async () => {
  const { entry } = await parse('article', {
    tags: { connect: [2, { id: 3 }], disconnect: [4] },
    author: 7,
    cover: 1,
    blocks: [{ __component: 'blocks.quote', source: 8 }],
  });
  expect(ids(relationTargets(entry))).toEqual({
    'api::tag.tag': [2, 3],
    'api::author.author': [7, 8],
    'plugin::upload.file': [1],
  });
});

test('the targets of relations to any type are collected, without those of unknown types', async () => {
  const links = ['api::tag.tag', 'api::none.none'].map((__type) => ({ __type, id: 3 }));
  const { entry } = await parse('bookmark', { items: links, label: 'x' });
  expect(ids(morphTargets(entry))).toEqual({ 'api::tag.tag': [3] });
});

const merged = async (data: object): Promise<object> =>
  dataOf(mergeComponents((await parse('article', data, false)).entry));

test('components of a list that name the same id become one, with the later values', async () => {
  const links = [{ id: 1, label: 'a', url: 'u' }, { label: 'b' }, { id: 1, label: 'c' }, { label: 'b' }];
  expect(await merged({ links })).toEqual({
    links: [{ id: 1, label: 'c', url: 'u' }, { label: 'b' }, { label: 'b' }],
  });
  const blocks = [
    { __component: 'blocks.text', id: 1, content: 'a' },
    { __component: 'blocks.quote', id: 1, text: 'b' },
  ];
  expect(await merged({ blocks })).toEqual({ blocks });
});

test('a parsed entry converts back to the written data', async () => {
  const data = {
    title: 'x',
    price: null,
    seo: null,
    tags: { connect: [{ id: 3, position: { start: true } }] },
    links: [{ id: 4, label: 'y' }],
    blocks: [{ __component: 'blocks.quote', text: 'z', source: [5] }],
  };
  const { price: _price, ...stored } = data;
  expect(dataOf((await parse('article', data)).entry)).toEqual(stored);
});

test('absent values of a new entry and of new components get their defaults, in the order of the definition', async () => {
  const { attributes } = typeOf(await loadCorpus(), 'article');
  const data = { links: [{ id: 3, label: 'kept' }, { label: 'new' }], title: 'x' };
  const { entry } = await parse('article', data, false);
  const complete = dataOf(withDefaults(entry, attributes, false));
  expect(complete['links']).toEqual([
    { id: 3, label: 'kept' },
    { label: 'new', external: false },
  ]);
  const isComplete = ([name, attribute]: [string, Attribute]): boolean =>
    name in data || (attribute.kind === 'scalar' && attribute.default !== undefined);
  const names = [...withDefaults(entry, attributes, true).keys()];
  expect(names).toEqual([...attributes].filter(isComplete).map(([name]) => name));
});

describe('passwords', () => {
  const passwords = { hash: async (password: string) => `#${password}`, matches: async () => true };
  const user = async (data: object): Promise<EntryInput> => {
    const { contentTypes } = await loadCorpus();
    const attributes = contentTypes.get('plugin::users-permissions.user')?.attributes ?? new Map();
    return parseEntry({ ...data }, attributes, true).entry;
  };

  test('are hashed, and other values are unchanged', async () => {
    const hashed = await hashPasswords(await user({ username: 'x', password: 'secret' }), passwords);
    expect(dataOf(hashed)).toMatchObject({ username: 'x', password: '#secret' });
  });

  test('are hashed in components', async () => {
    const { contentTypes } = await loadCorpus();
    const [links, password] = [
      contentTypes.get('api::article.article')?.attributes.get('links'),
      contentTypes.get('plugin::users-permissions.user')?.attributes.get('password'),
    ];
    if (links?.kind !== 'component' || password === undefined) throw new Error('The corpus has both');
    const component = { ...links.component, attributes: new Map([['password', password]]) };
    const attributes = new Map([['links', { ...links, component }]]);
    const { entry } = parseEntry({ links: [{ password: 'first' }, { password: 'second' }] }, attributes, true);
    const hashed = dataOf(await hashPasswords(entry, passwords));
    expect(hashed).toMatchObject({ links: [{ password: '#first' }, { password: '#second' }] });
  });

  test('are hashed if they are defaults', async () => {
    const { contentTypes } = await loadCorpus();
    const type = contentTypes.get('plugin::users-permissions.user');
    const password = type?.attributes.get('password');
    if (type === undefined || password?.kind !== 'scalar') throw new Error('Users have passwords');
    const attributes = new Map([['password', { ...password, default: 'secret' }]]);
    const store = {
      missing: async () => new Map(),
      componentIds: { reserve: async (counts: unknown) => counts },
    };
    const context = { store, passwords } as unknown as DocumentsContext;
    const encoded = await encodeEntry(context, { ...type, attributes }, new Map(), { isNew: true, raw: false });
    expect(encoded.values.get('password')).toBe('#secret');
  });

  test('of more than 72 bytes are refused', async () => {
    const long = await user({ password: 'x'.repeat(73) });
    await expect(hashPasswords(long, passwords)).rejects.toMatchObject({
      details: { errors: [{ path: ['password'], message: 'password must be at most 72 bytes' }] },
    });
  });
});
