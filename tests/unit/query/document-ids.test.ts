import { expect, test } from '@jest/globals';
import { link } from '../../../src/content-types/link/link.js';
import type { ContentType } from '../../../src/content-types/model/types.js';
import { documentIs } from '../../../src/query/narrow.js';
import { parseQuery } from '../../../src/query/parse/parse-query.js';
import type { Audience } from '../../../src/query/visibility.js';
import { component, contentType, define, file } from '../content-types/define.js';

const author = contentType('author', {
  name: { type: 'string' },
  articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
});
const article = contentType('article', {
  title: { type: 'string' },
  author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
  seo: { type: 'component', component: 'shared.seo' },
  about: { type: 'relation', relation: 'morphToOne' },
});
const seo = component('shared.seo', { text: { type: 'string' } });

const typesOf = (documentIds: boolean) => link(define(file, author, article, seo), { documentIds }).contentTypes;
const articleOf = (documentIds: boolean): ContentType => {
  const type = typesOf(documentIds).get('api::article.article');
  if (type === undefined) throw new Error('not linked');
  return type;
};
const limits = { defaultLimit: 25, maxLimit: 100, withCount: false, populateLimit: 100 };
const parse = (input: object, audience: Audience, type = articleOf(true)) =>
  parseQuery({ ...input }, type, audience, limits);

test('a documentId is no attribute, and types of the administration have none', () => {
  const types = typesOf(true);
  for (const [uid, type] of types) {
    expect(type.attributes.has('documentId')).toBe(false);
    expect(type.documentId !== undefined).toBe(!uid.startsWith('admin::'));
  }
  expect([...typesOf(false).values()].map((type) => type.documentId ?? type.documentAttributes)).toEqual(
    [...types].map(() => undefined),
  );
});

test.each([
  { filters: { documentId: 'a' } },
  { filters: { author: { documentId: { $in: ['a'] } } } },
  { sort: 'documentId' },
  { sort: 'author.documentId:desc' },
  { fields: ['documentId'] },
  { populate: { author: { fields: ['documentId'], filters: { documentId: 'a' }, sort: 'documentId' } } },
])('only an audience that knows documents can name it: %j', (input) => {
  expect(() => parse(input, 'documents')).not.toThrow();
  for (const audience of ['client', 'internal', 'code'] as const)
    expect(() => parse(input, audience)).toThrow('Invalid parameter documentId');
  expect(() => parse(input, 'documents', articleOf(false))).toThrow('Invalid parameter documentId');
});

test('entries have it at every level for that audience, whatever the fields say, and components do not', () => {
  const { fields, populate } = parse({ fields: ['title'], populate: '*' }, 'documents');
  const namesOf = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
  expect(namesOf(fields)).toEqual(['documentId', 'title']);
  for (const node of populate) {
    const selections = node.kind === 'relation' ? [node.query] : node.kind === 'morph' ? [...node.on.values()] : [];
    for (const { fields: selected } of selections.filter((one) => !namesOf(one.fields).includes('firstname')))
      expect(namesOf(selected)).toContain('documentId');
    if (node.kind === 'component') expect(namesOf(node.selection.fields)).toEqual(['text']);
  }
  expect(populate.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['relation', 'component', 'morph']));
  expect(namesOf(parse({}, 'client').fields)).not.toContain('documentId');
});

test('that audience has the limits of clients', () => {
  const values = Array.from({ length: 1001 }, (_, index) => ({ title: String(index) }));
  expect(() => parse({ filters: { $or: values } }, 'documents')).toThrow('values in a filter');
  expect(() => parse({ fields: ['createdBy'] }, 'documents')).toThrow('Invalid parameter createdBy');
});

test('an attribute of that name stops the start, in a component it does not', () => {
  const own = contentType('page', { documentId: { type: 'string' } });
  const within = component('shared.link', { documentId: { type: 'string' } });
  expect(() => link(define(own), { documentIds: true })).toThrow(/attributes\.documentId has the name of the id/);
  expect(() => link(define(within), { documentIds: true })).not.toThrow();
  expect(() => link(define(own))).not.toThrow();
});

test('a condition on a document names its locale where the type has locales', () => {
  expect(documentIs(articleOf(true), 'a', 'fr')).toMatchObject({ kind: 'comparison', operands: ['a'] });
  expect(documentIs(articleOf(false), 'a')).toEqual({ kind: 'never' });
});
