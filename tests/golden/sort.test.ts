import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

/** A sort alone, and with the look-ups that it needs before it. */
const sorted = (stages: readonly Document[]): readonly Document[] => [
  ...stages,
  { $limit: 25 },
  { $project: { title: 1 } },
];
const by = (keys: Document): readonly Document[] => [{ $sort: keys }];
const articles = { of: 'article', also: 'fields[0]=title', frame: sorted };

golden('sorts', articles, [
  { says: 'without a sort the id decides', query: 'sort=', gives: by({ _id: 1 }) },
  { says: 'equal entries come in order of id', query: 'sort=title', gives: by({ title: 1, _id: 1 }) },
  { says: 'a direction stands behind a colon', query: 'sort=title:desc', gives: by({ title: -1, _id: 1 }) },
  { says: 'in any case of letters', query: 'sort=title:DESC', gives: by({ title: -1, _id: 1 }) },
  {
    says: 'commas separate keys, the first counts most',
    query: 'sort=views:desc, title',
    gives: by({ views: -1, title: 1, _id: 1 }),
  },
  {
    says: 'a list of texts does the same',
    query: 'sort[0]=views:desc&sort[1]=title',
    gives: by({ views: -1, title: 1, _id: 1 }),
  },
  { says: 'so does an object', query: 'sort[views]=desc&sort[title]=asc', gives: by({ views: -1, title: 1, _id: 1 }) },
  {
    says: 'and a list of objects',
    query: 'sort[0][views]=desc&sort[1][title]=asc',
    gives: by({ views: -1, title: 1, _id: 1 }),
  },
  { says: 'an id needs no tie break', query: 'sort=id:desc', gives: by({ _id: -1 }) },
  {
    says: 'of a key that is named twice the first counts',
    query: 'sort=title:desc,title',
    gives: by({ title: -1, _id: 1 }),
  },
  { says: 'names of Object.prototype are dropped', query: 'sort=constructor,title', gives: by({ title: 1, _id: 1 }) },
  { says: 'a component is a path', query: 'sort=seo.metaTitle', gives: by({ 'seo.metaTitle': 1, _id: 1 }) },
  {
    says: 'in an object too',
    query: 'sort[seo][openGraph][ogTitle]=desc',
    gives: by({ 'seo.openGraph.ogTitle': -1, _id: 1 }),
  },
  { says: "a component's id is stored as id", query: 'sort=seo.id', gives: by({ 'seo.id': 1, _id: 1 }) },
]);

/** Looks one relation up, with the fields that are needed of it. */
const lookUp = (from: string, localField: string, foreignField: string, as: string, fields: Document): Document => ({
  $lookup: { from, localField, foreignField, pipeline: [{ $project: fields }], as },
});

golden('sorts through relations', articles, [
  {
    says: 'the related entry is looked up before the sort',
    query: 'sort=author.name',
    gives: [
      lookUp('authors', 'author', '_id', '_s0', { name: 1 }),
      { $set: { _k0: { $min: '$_s0.name' } } },
      { $sort: { _k0: 1, _id: 1 } },
    ],
  },
  {
    says: 'each relation on the way is one look-up',
    query: 'sort=author.account.username:desc',
    gives: [
      lookUp('authors', 'author', '_id', '_s0', { account: 1 }),
      lookUp('up_users', '_s0.account', '_id', '_s1', { username: 1 }),
      { $set: { _k0: { $max: '$_s1.username' } } },
      { $sort: { _k0: -1, _id: 1 } },
    ],
  },
  {
    says: 'also one in a component',
    query: 'sort=seo.shareImage.name',
    gives: [
      lookUp('files', 'seo.shareImage', '_id', '_s0', { name: 1 }),
      { $set: { _k0: { $min: '$_s0.name' } } },
      { $sort: { _k0: 1, _id: 1 } },
    ],
  },
  {
    says: 'and a component behind one',
    query: 'sort=author.address.city',
    gives: [
      lookUp('authors', 'author', '_id', '_s0', { 'address.city': 1 }),
      { $set: { _k0: { $min: '$_s0.address.city' } } },
      { $sort: { _k0: 1, _id: 1 } },
    ],
  },
  {
    says: 'keys that begin with the same relation share its look-up',
    query: 'sort=author.rank:desc,author.name,author.account.username',
    gives: [
      lookUp('authors', 'author', '_id', '_s0', { rank: 1, name: 1, account: 1 }),
      lookUp('up_users', '_s0.account', '_id', '_s1', { username: 1 }),
      { $set: { _k0: { $max: '$_s0.rank' }, _k1: { $min: '$_s0.name' }, _k2: { $min: '$_s1.username' } } },
      { $sort: { _k0: -1, _k1: 1, _k2: 1, _id: 1 } },
    ],
  },
]);

golden('sorts by lists, of which the database takes one at most', articles, [
  {
    says: 'of several values the lowest counts, or the highest in a descending sort',
    query: 'sort=links.label,tags.name:desc',
    gives: [
      lookUp('tags', 'tags', '_id', '_s0', { name: 1 }),
      { $set: { _k0: { $min: '$links.label' }, _k1: { $max: '$_s0.name' } } },
      { $sort: { _k0: 1, _k1: -1, _id: 1 } },
    ],
  },
  {
    says: 'a list behind a relation to one is a list as well',
    query: 'sort=category.articles.title',
    gives: [
      lookUp('categories', 'category', '_id', '_s0', { _id: 1 }),
      lookUp('articles', '_s0._id', 'category', '_s1', { title: 1 }),
      { $set: { _k0: { $min: '$_s1.title' } } },
      { $sort: { _k0: 1, _id: 1 } },
    ],
  },
]);

golden(
  'sorts through the other side of a relation',
  {
    of: 'seo-card',
    also: 'fields[0]=headline',
    frame: (stages: readonly Document[]) => [...stages, { $limit: 25 }, { $project: { headline: 1 } }],
  },
  [
    {
      says: 'the entry that holds our id is looked up',
      query: 'sort=article.title',
      gives: [
        lookUp('articles', '_id', 'seoCard', '_s0', { title: 1 }),
        { $set: { _k0: { $min: '$_s0.title' } } },
        { $sort: { _k0: 1, _id: 1 } },
      ],
    },
  ],
);

const scalars =
  'title slug body summary kind rating views bignum score featured publishOn airTime startsAt ts contactEmail meta ' +
  'code ref createdAt updatedAt publishedAt seo.metaTitle seo.metaDescription seo.noIndex seo.openGraph.ogTitle ' +
  'seo.openGraph.ogType links.label links.url links.external links.priority author.name';

golden('sorts that are refused', articles, [
  { says: 'unknown attributes', query: 'sort=nope', refused: 'Invalid parameter nope' },
  { says: 'private attributes', query: 'sort=internalNote', refused: 'Invalid parameter internalNote' },
  { says: 'passwords', query: 'sort=secret', refused: 'Invalid parameter secret' },
  { says: 'private attributes of a related type', query: 'sort=author.notes', refused: 'Invalid parameter notes' },
  { says: 'unknown directions', query: 'sort=title:up', refused: 'Invalid parameter up' },
  { says: 'a relation by itself', query: 'sort=author', refused: 'Invalid parameter author' },
  { says: 'a direction where an attribute of it belongs', query: 'sort[author]=asc', refused: 'Invalid parameter asc' },
  { says: 'dynamic zones', query: 'sort=blocks.text', refused: 'Invalid parameter blocks' },
  { says: 'paths through plain attributes', query: 'sort=title.length', refused: 'Invalid parameter title' },
  { says: 'names of the database', query: 'sort=_id', refused: 'Invalid parameter _id' },
  { says: 'operators of the database', query: 'sort[$where]=asc', refused: 'Invalid parameter $where' },
  {
    says: 'more keys than the database sorts by',
    query: `sort=${scalars.replaceAll(' ', ',')}`,
    refused: 'The query asks for too much: at most 30 sort keys',
  },
  {
    says: 'more relations than can be looked up for all entries',
    query: `sort=${'related.'.repeat(11)}title`,
    refused: 'The query asks for too much: at most 10 relations in sort keys',
  },
  { says: 'texts and objects in one list', query: 'sort[0]=title&sort[1][views]=desc', refused: 'Invalid parameter 0' },
]);
