import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

/**
 * A condition behind a relation is a read of ids that comes first (`before`); `{ $ids: n }` waits for its result.
 * Each mention of a relation or a repeatable component binds one row; an empty one counts as a row of nulls.
 */
const matching = (condition: Document): readonly Document[] => [
  { $match: condition },
  { $sort: { _id: 1 } },
  { $limit: 25 },
  { $project: { createdAt: 1 } },
];
const also = 'fields[0]=createdAt';
const idsOnly = { $project: { _id: 1 } };

golden('relations whose ids the entry has', { of: 'article', also, frame: matching }, [
  {
    rule: 'a to-one relation reads the ids of matching authors',
    query: 'filters[author][name]=Ada',
    before: [['authors', { $match: { name: { $eq: 'Ada' } } }, idsOnly]],
    expected: { author: { $in: { $ids: 0 } } },
  },
  {
    rule: 'a to-many relation matches if some related entry matches',
    query: 'filters[tags][name][$startsWith]=A',
    before: [['tags', { $match: { name: { $regex: '^A' } } }, idsOnly]],
    expected: { tags: { $in: { $ids: 0 } } },
  },
  {
    rule: 'an article with the tags Alpha and Beta matches "not Alpha"',
    query: 'filters[tags][name][$ne]=Alpha',
    before: [['tags', { $match: { name: { $nin: ['Alpha', null] } } }, idsOnly]],
    expected: { tags: { $in: { $ids: 0 } } },
  },
  {
    rule: 'media are filtered like relations',
    query: 'filters[gallery][size][$gt]=1',
    before: [['files', { $match: { size: { $gt: 1 } } }, idsOnly]],
    expected: { gallery: { $in: { $ids: 0 } } },
  },
  {
    rule: 'a condition that null satisfies matches articles without an author',
    query: 'filters[author][bio][$null]=true',
    before: [['authors', { $match: { bio: { $eq: null } } }, idsOnly]],
    expected: { $or: [{ author: { $in: { $ids: 0 } } }, { author: { $exists: false } }] },
  },
  {
    rule: '$not is moved to the comparison behind the relation',
    query: 'filters[$not][author][name]=Ada',
    before: [['authors', { $match: { name: { $not: { $eq: 'Ada' }, $ne: null } } }, idsOnly]],
    expected: { author: { $in: { $ids: 0 } } },
  },
  {
    rule: '$not of $notNull matches a row of nulls',
    query: 'filters[$not][author][bio][$notNull]=true',
    before: [['authors', { $match: { bio: { $eq: null } } }, idsOnly]],
    expected: { $or: [{ author: { $in: { $ids: 0 } } }, { author: { $exists: false } }] },
  },
  {
    rule: 'an $or with a part that null satisfies matches articles without an author',
    query: 'filters[author][$or][0][rank]=1&filters[author][$or][1][bio][$null]=true',
    before: [['authors', { $match: { $or: [{ rank: { $eq: 1 } }, { bio: { $eq: null } }] } }, idsOnly]],
    expected: { $or: [{ author: { $in: { $ids: 0 } } }, { author: { $exists: false } }] },
  },
  {
    rule: 'conditions below one relation key apply to the same tag',
    query: 'filters[tags][name]=Alpha&filters[tags][color]=red',
    before: [['tags', { $match: { $and: [{ name: { $eq: 'Alpha' } }, { color: { $eq: 'red' } }] } }, idsOnly]],
    expected: { tags: { $in: { $ids: 0 } } },
  },
  {
    rule: 'conditions below two relation keys can match different tags',
    query: 'filters[$and][0][tags][name]=Alpha&filters[$and][1][tags][name]=Beta',
    before: [
      ['tags', { $match: { name: { $eq: 'Alpha' } } }, idsOnly],
      ['tags', { $match: { name: { $eq: 'Beta' } } }, idsOnly],
    ],
    expected: { $and: [{ tags: { $in: { $ids: 0 } } }, { tags: { $in: { $ids: 1 } } }] },
  },
  {
    rule: 'deeper relations are read first',
    query: 'filters[author][account][username]=ada',
    before: [
      ['up_users', { $match: { username: { $eq: 'ada' } } }, idsOnly],
      ['authors', { $match: { account: { $in: { $ids: 0 } } } }, idsOnly],
    ],
    expected: { author: { $in: { $ids: 1 } } },
  },
  {
    rule: 'operators directly on a relation compare its stored id without another read',
    query: 'filters[author][$in][0]=1&filters[author][$in][1]=2',
    expected: { author: { $in: [1, 2] } },
  },
  { rule: 'so does a bare value', query: 'filters[author]=1', expected: { author: { $eq: 1 } } },
  {
    rule: 'so does the id by its name',
    query: 'filters[author][id][$ne]=1',
    expected: { author: { $nin: [1, null] } },
  },
  {
    rule: 'a list matches if some id matches: tags 1 and 2 match "not 1"',
    query: 'filters[tags][id][$ne]=1',
    expected: { tags: { $elemMatch: { $nin: [1, null] } } },
  },
  {
    rule: '$between applies to one id of a list',
    query: 'filters[tags][$between][0]=3&filters[tags][$between][1]=5',
    expected: { tags: { $elemMatch: { $gte: 3, $lte: 5 } } },
  },
  {
    rule: 'a null id matches an empty relation',
    query: 'filters[tags][$null]=true',
    expected: { tags: { $exists: false } },
  },
  {
    rule: 'a non-null id matches a relation that is not empty',
    query: 'filters[author][id][$notNull]=true',
    expected: { author: { $exists: true } },
  },
  {
    rule: '$not of a comparison matches other ids, but no empty relation',
    query: 'filters[$not][author]=1',
    expected: { author: { $not: { $eq: 1 }, $ne: null } },
  },
  {
    rule: 'together with another condition the id is read like other attributes',
    query: 'filters[author][id]=1&filters[author][name]=Ada',
    before: [['authors', { $match: { $and: [{ _id: { $eq: 1 } }, { name: { $eq: 'Ada' } }] } }, idsOnly]],
    expected: { author: { $in: { $ids: 0 } } },
  },
]);

/** The ids that the articles' relation to an author names, out of those that satisfy a condition. */
const authorsOf = (condition: Document): readonly [string, ...Document[]] => [
  'articles',
  { $match: { $and: [condition, { author: { $exists: true } }] } },
  { $project: { _id: 0, key: '$author' } },
  { $unwind: '$key' },
  { $group: { _id: '$key' } },
];

golden('relations whose ids the other side has', { of: 'author', also, frame: matching }, [
  {
    rule: 'an inverse relation reads the authors of matching articles',
    query: 'filters[articles][title]=Hello',
    before: [authorsOf({ title: { $eq: 'Hello' } })],
    expected: { _id: { $in: { $ids: 0 } } },
  },
  {
    rule: 'a condition that null satisfies matches authors without articles',
    query: 'filters[articles][summary][$null]=true',
    before: [authorsOf({ summary: { $eq: null } }), authorsOf({})],
    expected: { $or: [{ _id: { $in: { $ids: 0 } } }, { _id: { $nin: { $ids: 1 } } }] },
  },
  {
    rule: 'a condition on the same relation is combined with the existence of an author',
    query: 'filters[articles][author][name]=Ada',
    before: [['authors', { $match: { name: { $eq: 'Ada' } } }, idsOnly], authorsOf({ author: { $in: { $ids: 0 } } })],
    expected: { _id: { $in: { $ids: 1 } } },
  },
  {
    rule: 'even with a condition that there is none',
    query: 'filters[articles][author][$null]=true',
    before: [authorsOf({ author: { $exists: false } }), authorsOf({})],
    expected: { $or: [{ _id: { $in: { $ids: 0 } } }, { _id: { $nin: { $ids: 1 } } }] },
  },
  {
    rule: 'the id of an article is read from the articles',
    query: 'filters[articles]=5',
    before: [authorsOf({ _id: { $eq: 5 } })],
    expected: { _id: { $in: { $ids: 0 } } },
  },
]);

golden('morphs', { of: 'product', also, frame: matching }, [
  {
    rule: 'an inverse morph relation reads the subjects of matching comments of its type',
    query: 'filters[comments][likes][$gt]=3',
    before: [
      [
        'comments',
        { $match: { $and: [{ likes: { $gt: 3 } }, { subject: { $exists: true } }] } },
        { $project: { _id: 0, key: '$subject' } },
        { $unwind: '$key' },
        { $match: { 'key.__type': 'api::product.product' } },
        { $group: { _id: '$key.id' } },
      ],
    ],
    expected: { _id: { $in: { $ids: 0 } } },
  },
  {
    rule: 'an inverse relation of a morphToMany matches nothing, as in Strapi v4',
    query: 'filters[bookmark][label]=x',
    expected: { $nor: [{}] },
  },
  { rule: 'never full', query: 'filters[bookmark][$notNull]=true', expected: { $nor: [{}] } },
  { rule: 'also negated', query: 'filters[$not][bookmark][label]=x', expected: { $nor: [{}] } },
  {
    rule: 'and unknown attributes are refused',
    query: 'filters[bookmark][nope]=x',
    refused: 'Invalid parameter nope',
  },
]);

golden('conditions that always hold', { of: 'product', also, frame: () => matching({}).slice(1) }, [
  { rule: 'a relation that is always empty', query: 'filters[bookmark][$null]=true', expected: {} },
  { rule: 'it is a row of nulls', query: 'filters[bookmark][label][$null]=true', expected: {} },
]);

golden('components', { of: 'article', also, frame: matching }, [
  {
    rule: 'a single component is a path',
    query: 'filters[seo][metaTitle]=Hello',
    expected: { 'seo.metaTitle': { $eq: 'Hello' } },
  },
  { rule: 'its id is stored as id', query: 'filters[seo][id]=4', expected: { 'seo.id': { $eq: 4 } } },
  {
    rule: 'components nest',
    query: 'filters[seo][openGraph][ogType]=website',
    expected: { 'seo.openGraph.ogType': { $eq: 'website' } },
  },
  {
    rule: 'one component of a list must match the complete condition',
    query: 'filters[links][label]=Docs&filters[links][external]=true',
    expected: { links: { $elemMatch: { $and: [{ label: { $eq: 'Docs' } }, { external: { $eq: true } }] } } },
  },
  {
    rule: 'conditions below two keys of a list can match different components',
    query: 'filters[$and][0][links][label]=Docs&filters[$and][1][links][external]=true',
    expected: {
      $and: [
        { links: { $elemMatch: { label: { $eq: 'Docs' } } } },
        { links: { $elemMatch: { external: { $eq: true } } } },
      ],
    },
  },
  {
    rule: 'an empty list counts as a row of nulls',
    query: 'filters[links][url][$null]=true',
    expected: { $or: [{ links: { $elemMatch: { url: { $eq: null } } } }, { links: { $exists: false } }] },
  },
  {
    rule: '$not is moved into the list',
    query: 'filters[$not][links][label]=Docs',
    expected: { links: { $elemMatch: { label: { $not: { $eq: 'Docs' }, $ne: null } } } },
  },
  {
    rule: 'a relation in a component is a path too',
    query: 'filters[seo][shareImage][name]=a.png',
    before: [['files', { $match: { name: { $eq: 'a.png' } } }, idsOnly]],
    expected: { 'seo.shareImage': { $in: { $ids: 0 } } },
  },
]);

golden('deep filters that are refused', { of: 'article', also, frame: matching }, [
  { rule: 'unknown attributes of a related type', query: 'filters[author][nope]=1', refused: 'Invalid parameter nope' },
  { rule: 'private ones', query: 'filters[author][notes][$startsWith]=S', refused: 'Invalid parameter notes' },
  {
    rule: 'passwords at any depth',
    query: 'filters[author][account][password][$startsWith]=$2b',
    refused: 'Invalid parameter password',
  },
  {
    rule: 'private attributes of a component',
    query: 'filters[author][address][hidden]=x',
    refused: 'Invalid parameter hidden',
  },
  {
    rule: 'creators, unless the type has populateCreatorFields',
    query: 'filters[createdBy][id]=1',
    refused: 'Invalid parameter createdBy',
  },
  { rule: 'dynamic zones', query: 'filters[blocks][id]=1', refused: 'Invalid parameter blocks' },
  {
    rule: 'operators of the database behind a relation',
    query: 'filters[author][$where]=1',
    refused: 'Invalid parameter $where',
  },
]);

const mentions = (count: number): string =>
  Array.from({ length: count }, (_, index) => `filters[$or][${index}][tags][name]=x${index}`).join('&');

golden('deep filters that cost too much', { of: 'article', also, frame: matching }, [
  {
    rule: 'each condition is a command of its own',
    query: mentions(51),
    refused: 'The query asks for too much: at most 50 relations in filters',
  },
]);

golden('morphs that are refused', { of: 'comment', also, frame: matching }, [
  {
    rule: 'a morph relation has no attributes',
    query: 'filters[subject][id]=1',
    refused: 'Invalid parameter subject',
  },
]);

golden('components in dynamic zones', { of: 'article', also, frame: matching }, [
  {
    rule: 'one component of the kind satisfies the whole condition',
    query: 'filters[blocks][$on][blocks.quote][text]=x&filters[blocks][$on][blocks.quote][id][$gt]=1',
    expected: {
      blocks: {
        $elemMatch: { $and: [{ __component: 'blocks.quote' }, { $and: [{ text: { $eq: 'x' } }, { id: { $gt: 1 } }] }] },
      },
    },
  },
  {
    rule: 'a relation in it reads the ids of the entries that match',
    query: 'filters[blocks][$on][blocks.quote][source][name]=Ada',
    before: [['authors', { $match: { name: { $eq: 'Ada' } } }, idsOnly]],
    expected: { blocks: { $elemMatch: { $and: [{ __component: 'blocks.quote' }, { source: { $in: { $ids: 0 } } }] } } },
  },
  {
    rule: '$not goes down to the comparison, and none of the kind counts as a row of nulls',
    query: 'filters[$not][blocks][$on][blocks.quote][text][$notNull]=true',
    expected: {
      $or: [
        { blocks: { $elemMatch: { $and: [{ __component: 'blocks.quote' }, { text: { $eq: null } }] } } },
        { blocks: { $not: { $elemMatch: { __component: 'blocks.quote' } } } },
      ],
    },
  },
  {
    rule: 'private attributes are refused',
    query: 'filters[blocks][$on][blocks.quote][source][notes]=x',
    refused: 'Invalid parameter notes',
  },
  {
    rule: 'a kind that the zone does not have is refused',
    query: 'filters[blocks][$on][shared.seo][id]=1',
    refused: 'Invalid parameter shared.seo',
  },
  {
    rule: 'a zone has no attributes of its own',
    query: 'filters[blocks][$on][blocks.quote][text]=x&filters[blocks][id]=1',
    refused: 'Invalid parameter blocks',
  },
  { rule: 'an empty zone filter is refused', query: 'filters[blocks][$on]=', refused: 'Invalid parameter blocks' },
]);
