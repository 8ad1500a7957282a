import { describe, expect, test } from '@jest/globals';
import { filterInput } from '../../../../src/graphql/execute/filter-input.js';
import { operators } from '../../../../src/query/operators.js';
import { parseFilters } from '../../../../src/query/parse/parse-filters.js';
import { choicesOf } from '../../../property/choices.js';
import { randomQueryInput } from '../../../property/random-query-input.js';
import fc from '../../../support/fast-check.js';
import { loadCorpus, typeOf } from '../../../support/golden.js';

const registry = loadCorpus();

/** What the list is limited by, of filters in whatever form. */
const limitOf = async (filters: unknown, name = 'product'): Promise<unknown> => {
  const { attributes } = typeOf(await registry, name);
  return parseFilters(filterInput(filters, attributes), attributes, 'client');
};

describe('filters of code are those of a client', () => {
  /** In the form of GraphQL, and in those of Strapi v4's services. */
  const forms: readonly (readonly [string, unknown, ...unknown[]])[] = [
    ['an attribute', { name: { eq: 'a' } }, { name: { $eq: 'a' } }],
    [
      'every operator has both names',
      { name: { containsi: 'a', notNull: true } },
      { name: { $containsi: 'a', $notNull: true } },
    ],
    ['a value', { name: { eq: 'a' } }, { name: 'a' }],
    ['a relation', { vendor: { name: { in: ['a'] } } }, { vendor: { name: { $in: ['a'] } } }],
    [
      'the id of a relation',
      { vendor: { id: { eq: 1 } } },
      { vendor: { id: { $eq: 1 } } },
      { vendor: { id: 1 } },
      { vendor: 1 },
    ],
    [
      'the existence of a relation',
      { vendor: { id: { notNull: true } } },
      { vendor: { $notNull: true } },
      { vendor: { notNull: true } },
    ],
    ['a component', { dimensions: { unit: { eq: 'm' } } }, { dimensions: { unit: { $eq: 'm' } } }],
    [
      'groups',
      { or: [{ not: { stock: { lt: 1 } } }] },
      { $or: [{ $not: { stock: { $lt: 1 } } }] },
      { or: [{ $not: { stock: { lt: 1 } } }] },
    ],
    [
      'groups behind a relation',
      { vendor: { and: [{ name: { eq: 'a' } }] } },
      { vendor: { $and: [{ name: { $eq: 'a' } }] } },
    ],
    ['groups of conditions', { stock: { not: { gt: 1 } } }, { stock: { $not: { $gt: 1 } } }],
    ['a moment', { createdAt: { gt: '2024-01-31T00:00:00.000Z' } }, { createdAt: { $gt: new Date('2024-01-31') } }],
    [
      'a list of filters',
      { and: [{ name: { eq: 'a' } }, { stock: { eq: 1 } }] },
      [{ name: { $eq: 'a' } }, { stock: 1 }],
    ],
  ];
  test.each(forms)('%s', async (_, graphql, ...others) => {
    const expected = await limitOf(graphql);
    expect(expected).toBeDefined();
    for (const other of others) expect(await limitOf(other)).toEqual(expected);
  });

  test.each(Object.keys(operators))('%s', async (operator) => {
    const operand = operator === '$between' ? [1, 2] : operator === '$null' || operator === '$notNull' ? true : [1];
    const { attributes } = typeOf(await registry, 'product');
    for (const field of ['id', 'stock']) {
      const converted = filterInput({ [field]: { [operator]: operand } }, attributes);
      expect(filterInput({ [field]: { [operator.slice(1)]: operand } }, attributes)).toEqual(converted);
      expect(parseFilters(converted, attributes, 'client')).toBeDefined();
    }
  });

  test('filters of REST mean the same', async () => {
    const { contentTypes } = await registry;
    const types = [...contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'));
    fc.assert(
      fc.property(fc.constantFrom(...types), fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), (type, numbers) => {
        const { filters } = randomQueryInput(type, choicesOf(numbers));
        const { attributes } = type;
        expect(parseFilters(filterInput(filters, attributes), attributes, 'client')).toEqual(
          parseFilters(filters, attributes, 'client'),
        );
      }),
    );
  });
});

describe('a filter that is not understood is refused by its name, and never left out', () => {
  const refused: readonly (readonly [unknown, string])[] = [
    [{ nope: { $eq: 1 } }, 'nope'],
    [{ $nope: [] }, '$nope'],
    [{ $eq: 1 }, '$eq'],
    [{ name: { nope: 1 } }, 'nope'],
    [{ name: { $nope: 1 } }, '$nope'],
    [{ name: { $$eq: 1 } }, '$$eq'],
    [{ name: { $not: { nope: 1 } } }, 'nope'],
    [{ name: { $eq: { a: 1 } } }, '$eq'],
    [{ name: { $in: [{ a: 1 }] } }, '$in'],
    [{ id: { $nope: 1 } }, '$nope'],
    [{ vendor: { nope: { $eq: 1 } } }, 'nope'],
    [{ vendor: { $nope: 1 } }, '$nope'],
    [{ dimensions: { nope: { $eq: 1 } } }, 'nope'],
    [{ $and: [{ vendor: { $or: [{ nope: 1 }] } }] }, 'nope'],
    ['name', 'filters'],
    [5, 'filters'],
    // What code lacks, e.g. the id of a user who is not logged in.
    [{ name: undefined }, 'name'],
    [{ name: { $eq: undefined } }, '$eq'],
    [{ id: { $in: [1, undefined] } }, '$in'],
    [{ vendor: undefined }, 'vendor'],
    [{ vendor: { id: undefined } }, 'id'],
    [{ $and: [undefined] }, 'filters'],
    [{ $or: undefined }, '$or'],
  ];
  test.each(refused)('%j', async (filters, name) => {
    await expect(limitOf(filters)).rejects.toThrow(`Invalid parameter ${name}`);
  });
});
