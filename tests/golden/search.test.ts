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
    says: 'a text is looked for in all texts, in any case of letters',
    query: '_q=Alpha',
    gives: { $or: [inText('name', 'Alpha'), inText('color', 'Alpha')] },
  },
  {
    says: 'a number also in the id',
    query: '_q=7',
    gives: { $or: [inNumber('$_id', '7'), inText('name', '7'), inText('color', '7')] },
  },
  {
    says: 'it is no pattern',
    query: '_q=a.b',
    gives: { $or: [inText('name', String.raw`a\.b`), inText('color', String.raw`a\.b`)] },
  },
  { says: 'nothing is no search', query: '_q=', gives: undefined },
  { says: 'an object is refused', query: '_q[$ne]=x', refused: 'Invalid parameter _q' },
  {
    says: 'it stands beside filters',
    query: '_q=Alpha&filters[name]=Beta',
    gives: { $and: [{ name: { $eq: 'Beta' } }, { $or: [inText('name', 'Alpha'), inText('color', 'Alpha')] }] },
  },
]);

golden('searches in other types', of('comment'), [
  {
    says: 'numbers are searched as they are written, if the text is a number',
    query: '_q=3',
    gives: { $or: [inNumber('$_id', '3'), inText('text', '3'), inNumber('$likes', '3')] },
  },
]);
