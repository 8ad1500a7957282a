import { expect, test } from '@jest/globals';
import { countComponents } from '../../../src/documents/count-components.js';
import { loadCorpus, typeOf } from '../../support/golden.js';

test.each<readonly [object, number]>([
  [{ title: 'x' }, 0],
  [{ seo: null, links: [] }, 0],
  [{ seo: { metaTitle: 'x' } }, 1],
  [{ seo: { metaTitle: 'x', openGraph: { ogTitle: 'y' } } }, 2],
  [{ links: [{ label: 'x' }, { label: 'y' }] }, 2],
  [{ blocks: [{ __component: 'blocks.promo', title: 'x', cta: { label: 'y' }, items: [{ label: 'z' }] }] }, 3],
  [{ meta: [{ a: { b: 1 } }] }, 0],
])('%j holds %i components', async (data, count) => {
  const { attributes } = typeOf(await loadCorpus(), 'article');
  expect(countComponents({ ...data }, attributes)).toBe(count);
});
