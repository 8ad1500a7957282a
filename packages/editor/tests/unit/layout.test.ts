import { expect, test } from '@jest/globals';
import { layoutOf, type Attribute, type Section } from '../../src/browser/model/schema.js';

const attribute = (name: string, type: string, options: object = {}): Attribute =>
  ({ name, type, read: true, create: true, update: true, components: [], ...options }) as unknown as Attribute;

const draw = (sections: readonly Section[]) =>
  sections.map(({ heading, attributes }) => [heading ?? '-', ...attributes.map(({ name }) => name)].join(' '));
function layout(attributes: readonly Attribute[], isNew = false) {
  const { main, side } = layoutOf({ uid: 'api::article.article', attributes }, isNew);
  return [draw(main), draw(side)];
}

test.each<[string, readonly Attribute[], ReturnType<typeof layout>]>([
  [
    'what is written is in the middle; relations, files and SEO are beside it',
    [
      attribute('title', 'string'),
      attribute('cover', 'media'),
      attribute('author', 'relation'),
      attribute('search', 'component', { components: ['shared.seo'] }),
      attribute('seo', 'component', { components: ['meta.tags'] }),
      attribute('video', 'component', { components: ['media.video'] }),
      attribute('blocks', 'dynamiczone', { components: ['shared.seo', 'blocks.text'] }),
    ],
    [['- title video blocks'], ['- cover author search seo']],
  ],
  [
    'a definition chooses otherwise, and headings',
    [
      attribute('weight', 'integer', { section: 'Shipping' }),
      attribute('name', 'string'),
      attribute('color', 'string', { panel: 'side' }),
      attribute('stores', 'relation', { panel: 'main', section: 'Shipping' }),
      attribute('tags', 'relation', { section: 'Sorting' }),
    ],
    [
      ['- name', 'Shipping weight stores'],
      ['- color', 'Sorting tags'],
    ],
  ],
  [
    'a form of nothing but relations has one panel',
    [attribute('left', 'relation'), attribute('right', 'relation'), attribute('updatedAt', 'datetime')],
    [['- left right'], []],
  ],
])('%s', (_, attributes, expected) => {
  expect(layout(attributes)).toEqual(expected);
});

test('what can neither be read nor set has no section', () => {
  const hidden = attribute('key', 'password', { read: false, update: false, section: 'Secrets' });
  const attributes = [attribute('name', 'string'), hidden];
  expect(layout(attributes)).toEqual([['- name'], []]);
  expect(layout(attributes, true)).toEqual([['- name', 'Secrets key'], []]);
});
