import { expect, test } from '@jest/globals';
import { anonymous } from '../../../src/documents/caller.js';
import { keepWithinRights } from '../../../src/documents/rights.js';
import { loadCorpus, parse, typeOf } from '../../support/golden.js';

const registry = loadCorpus('tests/property/content-types');

test.each([
  'filters[favourite][id]=1',
  'populate[stamp][filters][owners][name]=x',
  'populate[stamp][filters][$not][$or][0][owners][favourite][id]=1',
  'populate[favourite][populate][shells][filters][maker][name]=x',
])('%s is refused if the caller may not list its target', async (query) => {
  const maker = typeOf(await registry, 'maker');
  const parsed = parse(query, maker);
  const caller = {
    ...anonymous,
    may: (action: string) => action === 'api::box.box.find' && !query.startsWith('filters'),
  };
  const all = { ...anonymous, may: () => true };
  expect(() => keepWithinRights(parsed, { action: 'find', caller: all })).not.toThrow();
  expect(() => keepWithinRights(parsed, { action: 'find', caller })).toThrow(
    /^Invalid parameter (favourite|owners|maker)$/,
  );
});
