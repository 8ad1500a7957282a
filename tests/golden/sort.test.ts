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
  { rule: 'without a sort the id decides', query: 'sort=', expected: by({ _id: 1 }) },
  { rule: 'equal entries come in order of id', query: 'sort=title', expected: by({ title: 1, _id: 1 }) },
  { rule: 'a direction stands behind a colon', query: 'sort=title:desc', expected: by({ title: -1, _id: 1 }) },
  { rule: 'in any case of letters', query: 'sort=title:DESC', expected: by({ title: -1, _id: 1 }) },
  {
    rule: 'commas separate keys, the first has precedence',
    query: 'sort=views:desc, title',
    expected: by({ views: -1, title: 1, _id: 1 }),
  },
  {
    rule: 'a list of strings is equivalent',
    query: 'sort[0]=views:desc&sort[1]=title',
    expected: by({ views: -1, title: 1, _id: 1 }),
  },
  {
    rule: 'so does an object',
    query: 'sort[views]=desc&sort[title]=asc',
    expected: by({ views: -1, title: 1, _id: 1 }),
  },
  {
    rule: 'a list of objects is equivalent',
    query: 'sort[0][views]=desc&sort[1][title]=asc',
    expected: by({ views: -1, title: 1, _id: 1 }),
  },
  { rule: 'an id needs no tie break', query: 'sort=id:desc', expected: by({ _id: -1 }) },
  {
    rule: 'the first of two equal keys applies',
    query: 'sort=title:desc,title',
    expected: by({ title: -1, _id: 1 }),
  },
  { rule: 'an empty direction has no effect', query: 'sort=title:,id', expected: by({ title: 1, _id: 1 }) },
  {
    rule: 'names of Object.prototype are dropped',
    query: 'sort=constructor,title',
    expected: by({ title: 1, _id: 1 }),
  },
  { rule: 'a component is a path', query: 'sort=seo.metaTitle', expected: by({ 'seo.metaTitle': 1, _id: 1 }) },
  {
    rule: 'the first of two equal keys applies in an object too',
    query: 'sort[seo][openGraph][ogTitle]=desc',
    expected: by({ 'seo.openGraph.ogTitle': -1, _id: 1 }),
  },
  { rule: "a component's id is stored as id", query: 'sort=seo.id', expected: by({ 'seo.id': 1, _id: 1 }) },
]);

/** A look-up for a table, in order: its list is `l0`, `l1`, … */
const lookUp = (
  from: string,
  join: readonly [string, string],
  pipeline: readonly Document[],
  as: string,
  variables?: Document,
): Document => ({
  // prettier-ignore
  $lookup: { from, localField: join[0], foreignField: join[1], ...(variables && { let: variables }), pipeline, as },
});

/** The variables that read a table. */
const table = (list: string, number: number | '' = ''): Document => ({
  [`ids${number}`]: `$${list}._id`,
  [`keys${number}`]: { $concatArrays: [`$${list}.key`, [null]] },
});

/** The key that a table has for an id; the last one is for ids that it does not have. */
const keyOf = (id: string, number: number | '' = ''): Document => ({
  $arrayElemAt: [`$$keys${number}`, { $indexOfArray: [`$$ids${number}`, id] }],
});
const row = (path: string): Document => ({ $project: { key: { $ifNull: [path, null] } } });

/** The ids that entries hold, each once: of several relations at once, and of one, which may have an index. */
const gathered = (sets: Readonly<Record<string, unknown>>): readonly Document[] => [
  {
    $group: {
      _id: null,
      ...Object.fromEntries(Object.entries(sets).map(([name, ids]) => [name, { $addToSet: { ids } }])),
    },
  },
];
const grouped = (path: string): readonly Document[] => [
  { $group: { _id: path } },
  { $group: { _id: null, ids0: { $push: { ids: '$_id' } } } },
];

interface ThroughRelations {
  readonly tables: readonly Document[];
  readonly variables: Document;
  readonly match?: readonly Document[];
  readonly set: Document;
  readonly sort: Document;
}

/** The tables come first; then the page is read by one look-up, in which they are constants. */
const through =
  (from: string, project: Document) =>
  ({ tables, variables, match = [], set, sort }: ThroughRelations): readonly Document[] => [
    ...tables,
    {
      $lookup: {
        from,
        let: variables,
        pipeline: [...match, { $set: set }, { $sort: sort }, { $limit: 25 }, { $project: project }],
        as: 'page',
      },
    },
    { $project: { page: 1 } },
  ];

const articlesThrough = { ...articles, frame: through('articles', { title: 1 }) };

golden('sorts through relations', articlesThrough, [
  {
    rule: 'each author is looked up once for all articles',
    query: 'sort=author.name',
    expected: {
      tables: [...grouped('$author'), lookUp('authors', ['ids0.ids', '_id'], [row('$name')], 'l0')],
      variables: table('l0', 0),
      set: { _k0: keyOf('$author', 0) },
      sort: { _k0: 1, _id: 1 },
    },
  },
  {
    rule: 'only authors of filtered entries are looked up',
    query: 'sort=author.name&filters[views][$gt]=5',
    expected: {
      tables: [
        { $match: { views: { $gt: 5 } } },
        ...grouped('$author'),
        lookUp('authors', ['ids0.ids', '_id'], [row('$name')], 'l0'),
      ],
      variables: table('l0', 0),
      match: [{ $match: { views: { $gt: 5 } } }],
      set: { _k0: keyOf('$author', 0) },
      sort: { _k0: 1, _id: 1 },
    },
  },
  {
    rule: 'relations are followed to the last, from which the tables are built',
    query: 'sort=author.account.username:desc',
    expected: {
      tables: [
        ...grouped('$author'),
        lookUp('authors', ['ids0.ids', '_id'], [{ $project: { ids: '$account' } }], 'l0'),
        lookUp('up_users', ['l0.ids', '_id'], [row('$username')], 'l1'),
        lookUp('authors', ['ids0.ids', '_id'], [{ $project: { key: keyOf('$account') } }], 'l2', table('l1')),
      ],
      variables: table('l2', 0),
      set: { _k0: keyOf('$author', 0) },
      sort: { _k0: -1, _id: 1 },
    },
  },
  {
    rule: 'a relation in a component can be on the path',
    query: 'sort=seo.shareImage.name',
    expected: {
      tables: [...grouped('$seo.shareImage'), lookUp('files', ['ids0.ids', '_id'], [row('$name')], 'l0')],
      variables: table('l0', 0),
      set: { _k0: keyOf('$seo.shareImage', 0) },
      sort: { _k0: 1, _id: 1 },
    },
  },
  {
    rule: 'a component behind a relation can be on the path',
    query: 'sort=author.address.city',
    expected: {
      tables: [...grouped('$author'), lookUp('authors', ['ids0.ids', '_id'], [row('$address.city')], 'l0')],
      variables: table('l0', 0),
      set: { _k0: keyOf('$author', 0) },
      sort: { _k0: 1, _id: 1 },
    },
  },
  {
    rule: 'keys that start with the same relation share one list of ids',
    query: 'sort=author.rank:desc,views,category.name,author.name',
    expected: {
      tables: [
        ...gathered({ ids0: '$author', ids1: '$category' }),
        lookUp('authors', ['ids0.ids', '_id'], [row('$rank')], 'l0'),
        lookUp('categories', ['ids1.ids', '_id'], [row('$name')], 'l1'),
        lookUp('authors', ['ids0.ids', '_id'], [row('$name')], 'l2'),
      ],
      variables: { ...table('l0', 0), ...table('l1', 1), ...table('l2', 2) },
      set: { _k0: keyOf('$author', 0), _k1: keyOf('$category', 1), _k2: keyOf('$author', 2) },
      sort: { _k0: -1, views: 1, _k1: 1, _k2: 1, _id: 1 },
    },
  },
]);

const keyOfSome = (extreme: '$min' | '$max', path: string, number: number | '' = ''): Document => ({
  [extreme]: { $map: { input: { $ifNull: [path, []] }, in: keyOf('$$this', number) } },
});
/** A row for each id that several entries may hold. */
const rows = (by: string, path: string): readonly Document[] => [
  { $project: { holds: by, key: { $ifNull: [path, null] } } },
  { $unwind: '$holds' },
  { $group: { _id: '$holds', key: { $min: '$key' } } },
];

golden('sorts by lists, of which the database takes one at most', articlesThrough, [
  {
    rule: 'of several values the lowest is used, or the highest in a descending sort',
    query: 'sort=links.label,tags.name:desc',
    expected: {
      tables: [
        { $project: { ids: '$tags' } },
        { $unwind: { path: '$ids', preserveNullAndEmptyArrays: true } },
        ...grouped('$ids'),
        lookUp('tags', ['ids0.ids', '_id'], [row('$name')], 'l0'),
      ],
      variables: table('l0', 0),
      set: { _k0: { $min: '$links.label' }, _k1: keyOfSome('$max', '$tags', 0) },
      sort: { _k0: 1, _k1: -1, _id: 1 },
    },
  },
  {
    rule: 'a list behind a to-one relation is a list too; an empty list of ids must not match entries without a target',
    query: 'sort=category.articles.title',
    expected: {
      tables: [
        ...grouped('$category'),
        lookUp('categories', ['ids0.ids', '_id'], [{ $project: { _id: 1 } }], 'l0'),
        { $set: { l1: { $concatArrays: ['$l0._id', ['none']] } } },
        lookUp('articles', ['l1', 'category'], rows('$category', '$title'), 'l2'),
        lookUp('categories', ['ids0.ids', '_id'], [{ $project: { key: keyOf('$_id') } }], 'l3', table('l2')),
      ],
      variables: table('l3', 0),
      set: { _k0: keyOf('$category', 0) },
      sort: { _k0: 1, _id: 1 },
    },
  },
]);

golden(
  'sorts through the other side of a relation',
  { of: 'seo-card', also: 'fields[0]=headline', frame: through('seo_cards', { headline: 1 }) },
  [
    {
      rule: 'an inverse relation looks up the entries with these ids',
      query: 'sort=article.title',
      expected: {
        tables: [...grouped('$_id'), lookUp('articles', ['ids0.ids', 'seoCard'], rows('$seoCard', '$title'), 'l0')],
        variables: table('l0', 0),
        set: { _k0: keyOf('$_id', 0) },
        sort: { _k0: 1, _id: 1 },
      },
    },
  ],
);

const scalars =
  'title slug body summary kind rating views bignum score featured publishOn airTime startsAt ts contactEmail meta ' +
  'code ref createdAt updatedAt publishedAt seo.metaTitle seo.metaDescription seo.noIndex seo.openGraph.ogTitle ' +
  'seo.openGraph.ogType links.label links.url links.external links.priority author.name';

golden('sorts that are refused', articles, [
  { rule: 'unknown attributes', query: 'sort=nope', refused: 'Invalid parameter nope' },
  { rule: 'private attributes', query: 'sort=internalNote', refused: 'Invalid parameter internalNote' },
  { rule: 'passwords', query: 'sort=secret', refused: 'Invalid parameter secret' },
  { rule: 'private attributes of a related type', query: 'sort=author.notes', refused: 'Invalid parameter notes' },
  { rule: 'an empty direction of an object', query: 'sort[title]=', refused: 'Invalid parameter ' },
  { rule: 'a relation without a direction', query: 'sort[author]=', refused: 'Invalid parameter author' },
  { rule: 'unknown directions', query: 'sort=title:up', refused: 'Invalid parameter up' },
  { rule: 'a relation by itself', query: 'sort=author', refused: 'Invalid parameter author' },
  { rule: 'a direction where an attribute of it belongs', query: 'sort[author]=asc', refused: 'Invalid parameter asc' },
  { rule: 'dynamic zones', query: 'sort=blocks.text', refused: 'Invalid parameter blocks' },
  { rule: 'paths through plain attributes', query: 'sort=title.length', refused: 'Invalid parameter title' },
  { rule: 'names of the database', query: 'sort=_id', refused: 'Invalid parameter _id' },
  { rule: 'operators of the database', query: 'sort[$where]=asc', refused: 'Invalid parameter $where' },
  {
    rule: 'more keys than the database sorts by',
    query: `sort=${scalars.replaceAll(' ', ',')}`,
    refused: 'The query asks for too much: at most 30 sort keys',
  },
  {
    rule: 'more relations than can be looked up for all entries',
    query: `sort=${'related.'.repeat(11)}title`,
    refused: 'The query asks for too much: at most 10 relations in sort keys',
  },
  {
    rule: 'strings and objects in one list',
    query: 'sort[0]=title&sort[1][views]=desc',
    refused: 'Invalid parameter 0',
  },
]);
