import { describe, expect, test } from '@jest/globals';
import { compile, loadCorpus, typeOf } from '../../../support/golden.js';

const registry = loadCorpus('tests/property/content-types');

describe('a populated list of components', () => {
  test('is sorted by their values, also by values of nested components', async () => {
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

  test.each(['maker.name', 'stamps.color'])('cannot be sorted by relations or lists: %s', async (key) => {
    const box = typeOf(await registry, 'box');
    expect(() => compile(`populate[shells][sort]=${key}`, box)).toThrow(/^Invalid parameter (maker|stamps)$/);
  });
});
