import { describe, expect, test } from '@jest/globals';
import { makeDefinition } from '../../../../src/cli/commands/generate/make-definition.js';
import { parseAttribute } from '../../../../src/cli/commands/generate/parse-attribute.js';

describe('an attribute on the command line', () => {
  test.each([
    ['title:string', 'title', { type: 'string' }],
    ['title:string!', 'title', { type: 'string', required: true }],
    ['slug:uid:title', 'slug', { type: 'uid', targetField: 'title', generate: true }],
    ['kind:enumeration:essay, note', 'kind', { type: 'enumeration', enum: ['essay', 'note'] }],
    ['cover:media', 'cover', { type: 'media', multiple: false }],
    ['gallery:media:multiple', 'gallery', { type: 'media', multiple: true }],
    ['author:manyToOne:author', 'author', { type: 'relation', relation: 'manyToOne', target: 'api::author.author' }],
    [
      'user:oneToOne:plugin::users-permissions.user',
      'user',
      { type: 'relation', relation: 'oneToOne', target: 'plugin::users-permissions.user' },
    ],
    ['seo:component:shared.seo', 'seo', { type: 'component', repeatable: false, component: 'shared.seo' }],
    ['links:components:shared.link', 'links', { type: 'component', repeatable: true, component: 'shared.link' }],
    ['blocks:dynamiczone:a.b,a.c', 'blocks', { type: 'dynamiczone', components: ['a.b', 'a.c'] }],
  ])('%s', (text, name, definition) => {
    expect(parseAttribute(text)).toEqual([name, definition]);
  });

  test.each([
    ['title', 'title: unknown type ""'],
    ['title:strin', 'title:strin: unknown type "strin"; did you mean "string"?'],
    ['1st:string', '1st:string: a name must begin with a letter'],
    ['kind:enumeration', 'kind:enumeration: a list such as essay,note is missing after the type'],
    ['title:string:x', 'title:string:x: string takes no option'],
    ['x:constructor', 'x:constructor: unknown type "constructor"'],
  ])('%s is refused', (text, message) => {
    expect(() => parseAttribute(text)).toThrow(message);
  });
});

test('a content type gets the regular English plural of its name', () => {
  const pluralOf = (name: string): unknown =>
    (makeDefinition({ kind: 'type', name, attributes: [] }).content as { info: { pluralName: string } }).info
      .pluralName;
  expect(['article', 'category', 'box', 'day', 'blog-post'].map(pluralOf)).toEqual([
    'articles',
    'categories',
    'boxes',
    'days',
    'blog-posts',
  ]);
});

test.each([
  ['type', 'Article'],
  ['type', '../article'],
  ['type', 'shared.seo'],
  ['component', 'seo'],
  ['component', 'shared.seo.more'],
] as const)('a %s cannot be called %s', (kind, name) => {
  expect(() => makeDefinition({ kind, name, attributes: [] })).toThrow('is not a valid name');
});
