import { expect, test } from '@jest/globals';
import {
  linkQueries,
  referenceQueries,
  referencesTo,
  stepsOf,
  usageQueries,
  type UsageQuery,
} from '../../src/browser/model/references.js';
import { labelOf, type Content, type ContentType } from '../../src/browser/model/schema.js';
import { article, content } from './content.js';

const author = { type: 'relation', read: true, create: true, update: true, required: false } as const;
const related: Content = {
  ...content,
  contentTypes: content.contentTypes.map((type) =>
    type === article
      ? {
          ...type,
          attributes: [...type.attributes, nested('links'), { ...nested('blocks'), type: 'dynamiczone' } as const],
        }
      : type,
  ),
  components: content.components.map((component) => ({
    ...component,
    attributes: [
      { ...author, name: 'by', label: 'By', multiple: true, morph: false, targets: ['api::author.author'] },
      { ...author, name: 'about', label: 'About', multiple: true, morph: true, targets: ['api::author.author'] },
    ],
  })),
};

function nested(name: string) {
  return {
    ...author,
    type: 'component',
    name,
    label: labelOf(name),
    multiple: true,
    components: ['shared.link'],
  } as const;
}

test('relations lead to a type from types and from their components', () => {
  const paths = referencesTo(related, 'api::author.author').map(({ type, path }) => [type.path, path.join('.')]);
  expect(paths).toContainEqual(['articles', 'author']);
  expect(paths).toContainEqual(['articles', 'links.by']);
  expect(paths).toContainEqual(['articles', 'blocks.$on.shared.link.by']);
  expect(paths.filter(([, path]) => path?.includes('about'))).toEqual([]);
});

test('a relation in a dynamic zone is named by the component', () => {
  const inZone = referencesTo(related, 'api::author.author').find(({ path }) => path.includes('$on'));
  expect(inZone && stepsOf(related, inZone)).toEqual(['Blocks', 'Link', 'By']);
});

test('what an entry stores itself does not refer to it, nor do roles', () => {
  const targets = ['api::author.author'];
  const other = { ...author, name: 'of', label: 'Of', multiple: true, morph: false, targets, inverse: true } as const;
  const kept = { ...other, name: 'kept', inverse: false } as const;
  const types = [
    { ...article, attributes: [other, kept] },
    { ...article, uid: 'plugin::users-permissions.role', plain: true, attributes: [kept] },
  ];
  expect(referencesTo({ ...content, contentTypes: types }, 'api::author.author').map(({ path }) => path)).toEqual([
    ['kept'],
  ]);
});

test('the entries that refer to one include drafts and localizations, and what is published besides what is prepared', () => {
  const [first] = referencesTo(content, 'api::author.author');
  const reference = first && { ...first, path: ['links', 'by'] };
  const query = {
    fields: ['id', 'title', 'publishedAt'],
    filters: { links: { by: { id: { $eq: 7 } } } },
    publicationState: 'preview',
    locale: 'all',
    pagination: { pageSize: 3 },
  };
  expect(reference && referenceQueries(content, reference, 7, 3)).toEqual([{ type: article, query }]);
  const withCopies = { ...article, workingCopies: true } as const;
  const both = reference && referenceQueries(content, { ...reference, type: withCopies }, 7, 3);
  expect(both?.map((one) => one.query)).toEqual([query, { ...query, publicationState: 'live' }]);
});

const common = { read: true, create: true, update: true, required: false } as const;
const media = { ...common, type: 'media', name: 'image', multiple: false } as const;
const text = (name: string, type: 'richtext' | 'blocks' | 'json') => ({ ...common, name, type, unique: false });
const parts = (name: string, type: 'component' | 'dynamiczone') =>
  ({ ...common, name, type, multiple: true, components: ['shared.link'] }) as const;
const used = {
  ...content,
  contentTypes: [
    {
      ...article,
      attributes: [
        media,
        { ...common, type: 'relation', name: 'plan', multiple: false, morph: false, targets: ['plugin::upload.file'] },
        { ...common, type: 'relation', name: 'any', multiple: false, morph: true, targets: ['plugin::upload.file'] },
        text('body', 'richtext'),
        text('blocks', 'blocks'),
        { ...text('secret', 'json'), read: false },
        parts('links', 'component'),
        parts('zone', 'dynamiczone'),
      ],
    },
  ],
  components: content.components.map((component) => ({ ...component, attributes: [media, text('note', 'richtext')] })),
} as unknown as Content;
const file = { id: 7, url: 'https://cdn.example.org/uploads/mill_0a1b2c.png' };

test('a file is used by entries with it in a field, or its address in a text, also in components and zones', () => {
  const inText = { $contains: 'mill_0a1b2c' };
  const inField = { id: { $eq: 7 } };
  expect(usageQueries(used, [file], 21)).toEqual([
    {
      type: used.contentTypes[0],
      query: {
        fields: ['id', 'publishedAt'],
        filters: {
          $or: [
            { image: inField },
            { plan: inField },
            { links: { image: inField } },
            { zone: { $on: { 'shared.link': { image: inField } } } },
            { body: inText },
            { blocks: inText },
            { links: { note: inText } },
            { zone: { $on: { 'shared.link': { note: inText } } } },
          ],
        },
        publicationState: 'preview',
        locale: 'all',
        pagination: { pageSize: 21 },
      },
    },
  ]);
});

test('a text links to an address with a sign after it, and a text of one line ends with it: /mill is not in /mills', () => {
  const [type] = used.contentTypes as readonly [ContentType];
  const attributes = [text('body', 'richtext'), { ...text('url', 'json'), type: 'string' }];
  const content = { ...used, contentTypes: [{ ...type, attributes }] } as unknown as Content;
  const [first] = linkQueries(content, '/mill', 21) as readonly [UsageQuery];
  const { filters } = first.query as { readonly filters: { readonly $or: unknown[] } };
  expect(filters.$or).toContainEqual({ url: { $endsWith: '/mill' } });
  const found = (value: string): boolean =>
    filters.$or.some((condition) => {
      const { $contains: part } = (condition as { readonly body?: { readonly $contains: string } }).body ?? {};
      return part !== undefined && value.includes(part);
    });
  const links = ['[a](/mill)', '[a](/mill "A")', '<a href="/mill">', '<https://a.org/mill>', '[a](/mill?b=1#c)'];
  const values = [...links, ...links.map((link) => JSON.stringify({ link })), JSON.stringify({ url: '/mill' })];
  expect(values.filter((value) => !found(value))).toEqual([]);
  expect(found('[a](/mills) [b](/mill-2)')).toBe(false);
});

test('roles are not asked for what uses a file: they are not listed as entries are', () => {
  const [type] = used.contentTypes as readonly [ContentType];
  const role = { ...type, uid: 'plugin::users-permissions.role', plain: true };
  expect(usageQueries({ ...used, contentTypes: [role] }, [file], 21)).toEqual([]);
});

test('what is published and what is prepared are asked for separately, and types that may not be listed are not', () => {
  const [type] = used.contentTypes;
  const withTypes = (change: object): Content => ({ ...used, contentTypes: [{ ...type, ...change }] }) as Content;
  const states = usageQueries(withTypes({ workingCopies: true }), [file], 21).map(({ query }) => query);
  expect(states).toMatchObject([{ publicationState: 'preview' }, { publicationState: 'live' }]);
  expect(usageQueries(withTypes({ actions: ['findOne'] }), [file], 21)).toEqual([]);
});

test('many files are asked for in several requests, whose addresses have a limit', () => {
  const files = Array.from({ length: 20 }, (_, index) => ({ ...file, id: index }));
  const sizes = usageQueries(used, files, 21).map(
    ({ query }) => (query as { filters: { $or: unknown[] } }).filters.$or.length,
  );
  expect(sizes).toEqual([40, 40, 40, 40]);
});
