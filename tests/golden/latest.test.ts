import { expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { link } from '../../src/content-types/link/link.js';
import { anonymous, system, type Caller } from '../../src/documents/caller.js';
import { chain, imposePublicationState } from '../../src/documents/interceptors.js';
import { showLatest } from '../../src/documents/show-latest.js';
import { compileQuery, pipelineOf } from '../../src/mongo/compile/read/compile-query.js';
import { countCommand } from '../../src/mongo/read/execute-read.js';
import type { Filter } from '../../src/query/ast.js';
import { parse } from '../support/golden.js';
import { contentType, define } from '../unit/content-types/define.js';

const relation = (kind: string, target: string, more: object) => ({
  type: 'relation',
  relation: kind,
  target: `api::${target}.${target}`,
  ...more,
});
const options = { draftAndPublish: true, workingCopies: true };
const { contentTypes } = link({
  ...define(
    contentType(
      'article',
      { title: { type: 'string' }, author: relation('manyToOne', 'author', { inversedBy: 'articles' }) },
      { collectionName: 'articles', options },
    ),
    contentType(
      'author',
      { name: { type: 'string' }, articles: relation('oneToMany', 'article', { mappedBy: 'author' }) },
      { collectionName: 'authors', options },
    ),
  ),
});

const intercept = chain([imposePublicationState, showLatest]);

/** The plan of a list, as a caller gets it. */
function compile(name: string, parameters: string, caller: Caller = system) {
  const type = contentTypes.get(`api::${name}.${name}`);
  if (type === undefined) throw new Error(`There is no ${name}`);
  return compileQuery(intercept(parse(parameters, type), { action: 'find', caller }));
}

const notCopied = { $match: { _copied: { $ne: 1 } } };
const titles = { $project: { _changes: 1, title: 1 } };
const union = (coll: string, ...pipeline: readonly Document[]): Document => ({ $unionWith: { coll, pipeline } });

test('a page far behind skips the entries that come before it wherever the copies are', () => {
  const { main } = compile('article', 'publicationState=preview&fields[0]=title&sort=title&pagination[start]=5000');
  const sorted = { $sort: { title: 1, _id: 1 } };
  expect(pipelineOf({ ...main, skipped: 4800 })).toEqual([
    notCopied,
    sorted,
    { $skip: 4800 },
    { $limit: 225 },
    union('_copies.articles', sorted, { $limit: 5025 }),
    sorted,
    { $skip: 200 },
    { $limit: 25 },
    titles,
  ]);
});

test('a list of what is modified has the copies of published entries alone', () => {
  const { main, count } = compile('article', 'modified=true&fields[0]=title&sort=title&filters[title]=x');
  const match = { $match: { $and: [{ title: { $eq: 'x' } }, { _live: 1 }] } };
  expect([main.collection, pipelineOf(main)]).toEqual([
    '_copies.articles',
    [match, { $sort: { title: 1, _id: 1 } }, { $limit: 25 }, titles],
  ]);
  expect(countCommand(count)).toEqual({ aggregate: '_copies.articles', pipeline: [match, { $count: 'total' }] });
  // What there would be without copies.
  expect(compile('article', 'modified=true', anonymous).main).toMatchObject({
    collection: 'articles',
    copies: undefined,
  });
});

test('a condition on working copies means those of published entries', () => {
  const type = contentTypes.get('api::article.article');
  if (type === undefined) throw new Error('There is no article');
  const sourceOf = (filter: Filter): unknown => pipelineOf(compileQuery({ ...parse('', type), filter }).main)[0];
  const copied: Filter = { kind: 'copied', type };
  const ofLive = { _live: 1, $or: [{ _copied: 1 }, { _changes: { $exists: true } }] };
  expect(sourceOf(copied)).toEqual({ $match: ofLive });
  expect(sourceOf({ kind: 'not', filter: copied })).toEqual({ $match: { $nor: [ofLive] } });
});

test('a list has the entries without a copy, and the copies', () => {
  const { main, count } = compile(
    'article',
    'publicationState=preview&fields[0]=title&sort=title&filters[title]=x&pagination[start]=50&pagination[limit]=25',
  );
  const match = { $match: { title: { $eq: 'x' } } };
  const first = [{ $sort: { title: 1, _id: 1 } }, { $limit: 75 }];
  expect(pipelineOf(main)).toEqual([
    match,
    notCopied,
    ...first,
    union('_copies.articles', match, ...first),
    { $sort: { title: 1, _id: 1 } },
    { $skip: 50 },
    { $limit: 25 },
    titles,
  ]);
  expect(countCommand(count)['pipeline']).toEqual([
    match,
    { $count: 'total' },
    union(
      'articles',
      { $match: { $and: [{ _copied: 1 }, { title: { $eq: 'x' } }] } },
      { $count: 'total' },
      { $set: { total: { $subtract: [0, '$total'] } } },
    ),
    union('_copies.articles', match, { $count: 'total' }),
    { $group: { _id: null, total: { $sum: '$total' } } },
  ]);
});

test('populated entries are looked up in both collections', () => {
  const query = 'publicationState=preview&fields[0]=title&populate[author][fields][0]=name';
  const join = { localField: 'page.author', foreignField: '_id' };
  const names = { $project: { _changes: 1, name: 1 } };
  expect(compile('article', query).main.lookups).toEqual([
    { $lookup: { from: 'authors', ...join, pipeline: [notCopied, names], as: 'r0' } },
    { $lookup: { from: '_copies.authors', ...join, pipeline: [names], as: 'l0' } },
    { $set: { r0: { $concatArrays: ['$r0', '$l0'] } } },
    { $unset: ['l0'] },
  ]);
});

test('a filter through a relation goes by the latest state', () => {
  const { before } = compile('article', 'publicationState=preview&filters[author][name]=Ada');
  const match = { $match: { name: { $eq: 'Ada' } } };
  const ids = { $project: { _id: 1 } };
  expect(before).toEqual([
    { collection: 'authors', pipeline: [match, notCopied, ids, union('_copies.authors', match, ids)] },
  ]);
});

const readers: readonly (readonly [string, string, Caller])[] = [
  ['a live list', '', system],
  ['a preview by a caller without the right to drafts', 'publicationState=preview&', anonymous],
  [
    'a level that is live within a preview',
    'publicationState=preview&populate[author][publicationState]=live&',
    anonymous,
  ],
];

test.each(readers)('%s is the same as without working copies', (_, parameters, caller) => {
  const plain = link(
    define(
      ...[...contentTypes.values()]
        .filter(({ uid }) => uid.startsWith('api::'))
        .map(({ singularName: name }) =>
          contentType(
            name,
            name === 'article'
              ? { title: { type: 'string' }, author: relation('manyToOne', 'author', { inversedBy: 'articles' }) }
              : { name: { type: 'string' }, articles: relation('oneToMany', 'article', { mappedBy: 'author' }) },
            { collectionName: `${name}s`, options: { draftAndPublish: true } },
          ),
        ),
    ),
  ).contentTypes.get('api::article.article');
  if (plain === undefined) throw new Error('There is no article');
  const query = `${parameters}sort=author.name&filters[author][articles][title]=x&populate[author][populate]=articles`;
  const expected = compileQuery(intercept(parse(query, plain), { action: 'find', caller }));
  const compiled = compile('article', query, caller);
  expect([compiled.before, pipelineOf(compiled.main), countCommand(compiled.count)]).toEqual([
    expected.before,
    pipelineOf(expected.main),
    countCommand(expected.count),
  ]);
});
