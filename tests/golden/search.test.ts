import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

const matching = (condition: Document | undefined): readonly Document[] => [
  ...(condition === undefined ? [] : [{ $match: condition }]),
  { $sort: { _id: 1 } },
  { $limit: 25 },
  { $project: { _id: 1 } },
];
const of = (name: string) => ({ of: name, also: 'fields[0]=id', frame: matching });

const inText = (name: string, text: string): Document => ({ [name]: { $regex: text, $options: 'i' } });
const inNumber = (path: string, text: string): Document => ({
  $expr: { $regexMatch: { input: { $toString: { $toLong: path } }, regex: text } },
});

golden('searches', of('tag'), [
  {
    rule: 'a string is searched in all string attributes, ignoring case',
    query: '_q=Alpha',
    expected: { $or: [inText('name', 'Alpha'), inText('color', 'Alpha')] },
  },
  {
    rule: 'a number is also searched in the id',
    query: '_q=7',
    expected: { $or: [inNumber('$_id', '7'), inText('name', '7'), inText('color', '7')] },
  },
  {
    rule: 'the search string is not a pattern',
    query: '_q=a.b',
    expected: { $or: [inText('name', String.raw`a\.b`), inText('color', String.raw`a\.b`)] },
  },
  { rule: 'an empty string is not a search', query: '_q=', expected: undefined },
  { rule: 'an object is refused', query: '_q[$ne]=x', refused: 'Invalid parameter _q' },
  {
    rule: 'the search is combined with filters',
    query: '_q=Alpha&filters[name]=Beta',
    expected: { $and: [{ name: { $eq: 'Beta' } }, { $or: [inText('name', 'Alpha'), inText('color', 'Alpha')] }] },
  },
]);

golden('searches in other types', of('comment'), [
  {
    rule: 'numbers are searched as text, if the search string is a number',
    query: '_q=3',
    expected: { $or: [inNumber('$_id', '3'), inText('text', '3'), inNumber('$likes', '3')] },
  },
]);
