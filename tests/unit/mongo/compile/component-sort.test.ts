import { describe, expect, test } from '@jest/globals';
import { compile, loadCorpus, typeOf } from '../../../support/golden.js';

const registry = loadCorpus('tests/property/content-types');

describe('a populated list of components', () => {
  test('is sorted by values within each, also those of a component in it', async () => {
    const { main } = compile(
      'fields[0]=id&populate[shells][fields][0]=id&populate[shells][sort]=weight:desc,stamp.color',
      typeOf(await registry, 'box'),
    );
    expect(main.read.nodes).toMatchObject([
      {
        name: 'shells',
        sort: [
          { path: ['weight'], descending: true },
          { path: ['stamp', 'color'], descending: false },
        ],
      },
    ]);
    expect(main.project).toEqual([{ $project: { 'shells.id': 1, 'shells.weight': 1, 'shells.stamp.color': 1 } }]);
  });

  test.each(['maker.name', 'stamps.color'])('is not sorted by what lies outside or is a list: %s', async (key) => {
    const box = typeOf(await registry, 'box');
    expect(() => compile(`populate[shells][sort]=${key}`, box)).toThrow(/^Invalid parameter (maker|stamps)$/);
  });
});
