import { expect, test } from '@jest/globals';
import { countComponents } from '../../../src/documents/input/count-components.js';
import { loadCorpus, typeOf } from '../../support/golden.js';

const openGraph = 'shared.open-graph';

test.each<readonly [data: object, ofNew: object, ofChanged: object]>([
  [{ title: 'x' }, {}, {}],
  [{ seo: null, links: [] }, {}, {}],
  [{ seo: { metaTitle: 'x' } }, { 'shared.seo': 1 }, { 'shared.seo': 1 }],
  [{ seo: { openGraph: { ogTitle: 'y' } } }, { 'shared.seo': 1, [openGraph]: 1 }, { 'shared.seo': 1, [openGraph]: 1 }],
  [{ seo: { id: 4, openGraph: { ogTitle: 'y' } } }, { 'shared.seo': 1, [openGraph]: 1 }, { [openGraph]: 1 }],
  // What is in a new component is new, whatever it says.
  [{ seo: { openGraph: { id: 5 } } }, { 'shared.seo': 1, [openGraph]: 1 }, { 'shared.seo': 1, [openGraph]: 1 }],
  [{ links: [{ id: 3 }, { label: 'y' }, { label: 'z' }] }, { 'shared.link': 3 }, { 'shared.link': 2 }],
  [
    { blocks: [{ __component: 'blocks.promo', id: 7, cta: { label: 'y' }, items: [{ id: 9 }] }] },
    { 'blocks.promo': 1, 'shared.link': 2 },
    { 'shared.link': 1 },
  ],
  [{ meta: [{ a: { b: 1 } }] }, {}, {}],
])('%j needs ids for new components: %j in a new entry, %j in a change', async (data, ofNew, ofChanged) => {
  const { attributes } = typeOf(await loadCorpus(), 'article');
  expect(Object.fromEntries(countComponents({ ...data }, attributes, true))).toEqual(ofNew);
  expect(Object.fromEntries(countComponents({ ...data }, attributes, false))).toEqual(ofChanged);
});
