import { expect, test } from '@jest/globals';
import { MaxKey } from 'mongodb';
import { bindIds } from '../../../../src/mongo/compile/filter/semi-join.js';

test('ids of a previous read are inserted at any depth', () => {
  const pipeline = [
    { $match: { $or: [{ author: { $in: { $ids: 0 } } }, { _id: { $nin: { $ids: 1 } } }] } },
    { $lookup: { from: 'tags', pipeline: [{ $match: { _id: { $in: { $ids: 0 } } } }] } },
  ];
  expect(bindIds(pipeline, [[1, 2], []])).toEqual([
    { $match: { $or: [{ author: { $in: [1, 2] } }, { _id: { $nin: [] } }] } },
    { $lookup: { from: 'tags', pipeline: [{ $match: { _id: { $in: [1, 2] } } }] } },
  ]);
});

test('the plan is not modified, because it is reused', () => {
  const plan = { $match: { author: { $in: { $ids: 0 } } } };
  bindIds(plan, [[1]]);
  expect(plan).toEqual({ $match: { author: { $in: { $ids: 0 } } } });
});

test('values that are not plain objects are not copied', () => {
  const values = [new Date(0), /a/, 5n, null, true, 'text', new Map([['$ids', 0]]), new MaxKey()];
  const bound = bindIds({ values }, [[1]]).values;
  expect(bound).toHaveLength(values.length);
  for (const [index, value] of values.entries()) expect(bound[index]).toBe(value);
});

test('without previous reads the plan is not copied', () => {
  const plan = { $match: { title: 'x' } };
  expect(bindIds(plan, [])).toBe(plan);
});
