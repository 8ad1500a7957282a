import { expect, test } from '@jest/globals';
import { link } from '../../../src/content-types/link/link.js';
import { differencesIn } from '../src/differences.js';
import { component, contentType, define } from '../../../tests/unit/content-types/define.js';

const { contentTypes } = link({
  ...define(
    contentType('page', {
      title: { type: 'string' },
      meta: { type: 'json' },
      seo: { type: 'component', component: 'part.seo' },
      links: { type: 'component', component: 'part.seo', repeatable: true },
      zone: { type: 'dynamiczone', components: ['part.seo', 'part.note'] },
    }),
  ),
  components: [
    component('part.seo', { text: { type: 'string' } }),
    component('part.note', { text: { type: 'string' } }),
  ],
});
const attributes = contentTypes.get('api::page.page')?.attributes ?? new Map();

const seo = (id: number, text: string) => ({ id, text });
const inZone = (name: string, id: number, text: string) => ({ __component: `part.${name}`, id, text });

test.each([
  ['nothing', { title: 'a', seo: seo(1, 'x') }, { title: 'a', seo: seo(2, 'x') }, []],
  ['an absent value and none', { title: null }, {}, []],
  ['the order of keys', { meta: { a: 1, b: [1, 2] } }, { meta: { b: [1, 2], a: 1 } }, []],
  ['a value', { title: 'a' }, { title: 'b' }, [{ path: ['title'], before: 'a', after: 'b' }]],
  ['a new component', { seo: null }, { seo: seo(1, 'x') }, [{ path: ['seo'], before: null, after: { text: 'x' } }]],
  [
    'a value in a component',
    { seo: seo(1, 'x') },
    { seo: seo(1, 'y') },
    [{ path: ['seo', 'text'], before: 'x', after: 'y' }],
  ],
  [
    'components of a list, by their ids',
    { links: [seo(1, 'a'), seo(2, 'b'), seo(3, 'c')] },
    { links: [seo(3, 'c'), seo(1, 'A'), seo(4, 'd')] },
    [
      { path: ['links', 1, 'text'], before: 'a', after: 'A' },
      { path: ['links', 2], before: null, after: { text: 'd' } },
      { path: ['links', 1], before: { text: 'b' }, after: null, removed: true },
      { path: ['links'], order: [2, 0] },
    ],
  ],
  [
    'components that were all made anew, by their positions',
    { links: [seo(1, 'a'), seo(2, 'b')] },
    { links: [seo(5, 'a'), seo(6, 'c')] },
    [{ path: ['links', 1, 'text'], before: 'b', after: 'c' }],
  ],
  [
    'components of a zone with the same id and another type',
    { zone: [inZone('seo', 1, 'a')] },
    { zone: [inZone('note', 1, 'a')] },
    [
      { path: ['zone', 0], before: null, after: { __component: 'part.note', text: 'a' } },
      { path: ['zone', 0], before: { __component: 'part.seo', text: 'a' }, after: null, removed: true },
    ],
  ],
])('%s', (_, before, after, expected) => {
  expect(differencesIn(before, after, attributes)).toEqual(expected);
});
