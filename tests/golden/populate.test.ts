import { describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import type { QueryInput } from '../../src/query/parse/input.js';
import { compile, golden, loadCorpus, typeOf } from '../support/golden.js';

interface Populated {
  /** The projection of the entries. */
  readonly project: Document;
  /** The stages after the page is grouped into one document; none: the page remains a list of documents. */
  readonly fetch: readonly Document[];
}

/** The page becomes one document `{ page, r0, r1, … }`: each list is fetched once, for all entries of the page. */
const populated = ({ project, fetch }: Populated): readonly Document[] => [
  { $sort: { _id: 1 } },
  { $limit: 25 },
  { $project: project },
  ...(fetch.length > 0 ? [{ $group: { _id: null, page: { $push: '$$ROOT' } } }, ...fetch] : []),
];

/** Looks up what `local` leads to; the list goes to `as`. Without a pipeline all that is stored is taken. */
const lookUp = (
  from: string,
  local: string,
  foreignField: string,
  as: string,
  pipeline?: readonly Document[],
): Document => ({
  $lookup: { from, localField: local, foreignField, ...(pipeline && { pipeline }), as },
});

/** Looks up the parents again, and for each of them a slice of what leads to it by `link`. */
const perParent = (
  parents: string,
  local: string,
  from: string,
  foreignField: string,
  pipeline: readonly Document[],
): Document => ({
  $lookup: {
    from: parents,
    localField: local,
    foreignField: '_id',
    pipeline: [
      { $project: { _id: 1 } },
      { $lookup: { from, localField: '_id', foreignField, let: { parent: '$_id' }, pipeline, as: 'entry' } },
      { $unwind: '$entry' },
      { $replaceRoot: { newRoot: { $mergeObjects: ['$entry', { _parent: '$_id' }] } } },
    ],
    as: 'r0',
  },
});

const articles = { of: 'article', also: 'fields[0]=title', frame: populated };

/** All stored attributes of an entry are read. */
const whole = (fetch: readonly Document[]): readonly Document[] => [{ $sort: { _id: 1 } }, { $limit: 25 }, ...fetch];

golden('pages that are read completely', { of: 'category', frame: whole }, [
  {
    rule: 'before lookups, a projection of all attributes costs more than it saves',
    query: 'populate=parent',
    expected: [{ $group: { _id: null, page: { $push: '$$ROOT' } } }, lookUp('categories', 'page.parent', '_id', 'r0')],
  },
  {
    rule: 'without lookups the projection is a part of the find',
    query: '',
    expected: [{ $project: { name: 1, slug: 1, position: 1, createdAt: 1, updatedAt: 1 } }],
  },
]);

golden('populated relations', articles, [
  {
    rule: 'a relation is one lookup by the ids of the page',
    query: 'populate=category',
    expected: {
      project: { title: 1, category: 1 },
      fetch: [lookUp('categories', 'page.category', '_id', 'r0')],
    },
  },
  {
    rule: 'selected fields are projected; a complete selection is read without a projection, which costs less',
    query: 'populate[category][fields][0]=name',
    expected: {
      project: { title: 1, category: 1 },
      fetch: [lookUp('categories', 'page.category', '_id', 'r0', [{ $project: { name: 1 } }])],
    },
  },
  {
    rule: 'private attributes are not read',
    query: 'populate[author]=true',
    expected: {
      project: { title: 1, author: 1 },
      fetch: [
        lookUp('authors', 'page.author', '_id', 'r0', [
          { $project: { name: 1, email: 1, bio: 1, birthDate: 1, active: 1, rank: 1, createdAt: 1, updatedAt: 1 } },
        ]),
      ],
    },
  },
  {
    rule: 'a to-many relation is the same lookup: the order of the ids is restored afterwards',
    query: 'populate[tags][fields][0]=name',
    expected: {
      project: { title: 1, tags: 1 },
      fetch: [lookUp('tags', 'page.tags', '_id', 'r0', [{ $project: { name: 1 } }])],
    },
  },
  {
    rule: 'filters and sorts are stages of the lookup',
    query: 'populate[tags][fields][0]=name&populate[tags][filters][color]=red&populate[tags][sort]=name:desc',
    expected: {
      project: { title: 1, tags: 1 },
      fetch: [
        lookUp('tags', 'page.tags', '_id', 'r0', [
          { $match: { color: { $eq: 'red' } } },
          { $sort: { name: -1, _id: 1 } },
          { $project: { name: 1 } },
        ]),
      ],
    },
  },
  {
    rule: 'a limit on stored ids is applied when the response is assembled',
    query: 'populate[tags][fields][0]=name&populate[tags][limit]=2',
    expected: {
      project: { title: 1, tags: 1 },
      fetch: [lookUp('tags', 'page.tags', '_id', 'r0', [{ $project: { name: 1 } }])],
    },
  },
  {
    rule: 'a nested deep filter reads its ids first',
    query: 'populate[related][fields][0]=title&populate[related][filters][author][name]=Ada',
    before: [['authors', { $match: { name: { $eq: 'Ada' } } }, { $project: { _id: 1 } }]],
    expected: {
      project: { title: 1, related: 1 },
      fetch: [
        lookUp('articles', 'page.related', '_id', 'r0', [
          { $match: { author: { $in: { $ids: 0 } } } },
          { $project: { title: 1 } },
        ]),
      ],
    },
  },
  {
    rule: 'media are populated like relations',
    query: 'populate[cover][fields][0]=url',
    expected: {
      project: { title: 1, cover: 1 },
      fetch: [lookUp('files', 'page.cover', '_id', 'r0', [{ $project: { url: 1 } }])],
    },
  },
  {
    rule: 'nested relations are looked up from the previous list in a flat pipeline',
    query:
      'populate[author][fields][0]=name&populate[author][populate][avatar][fields][0]=url&populate[category][fields][0]=name',
    expected: {
      project: { title: 1, author: 1, category: 1 },
      fetch: [
        lookUp('authors', 'page.author', '_id', 'r0', [{ $project: { name: 1, avatar: 1 } }]),
        lookUp('files', 'r0.avatar', '_id', 'r1', [{ $project: { url: 1 } }]),
        lookUp('categories', 'page.category', '_id', 'r2', [{ $project: { name: 1 } }]),
      ],
    },
  },
  {
    rule: 'dots in populate nest',
    query: 'populate[0]=category.parent',
    expected: {
      project: { title: 1, category: 1 },
      fetch: [lookUp('categories', 'page.category', '_id', 'r0'), lookUp('categories', 'r0.parent', '_id', 'r1')],
    },
  },
]);

golden('populated from the other side', { of: 'author', also: 'fields[0]=name', frame: populated }, [
  {
    rule: 'an inverse relation looks up articles with this id, including their ranks',
    query: 'populate[articles][fields][0]=title',
    expected: {
      project: { name: 1 },
      fetch: [
        lookUp('articles', 'page._id', 'author', 'r0', [{ $project: { author: 1, '_rank.author': 1, title: 1 } }]),
      ],
    },
  },
  {
    rule: 'a sort replaces the order by rank',
    query: 'populate[articles][fields][0]=title&populate[articles][sort]=views',
    expected: {
      project: { name: 1 },
      fetch: [
        lookUp('articles', 'page._id', 'author', 'r0', [
          { $sort: { views: 1, _id: 1 } },
          { $project: { author: 1, '_rank.author': 1, title: 1 } },
        ]),
      ],
    },
  },
  {
    rule: 'a limit applies per author: each has a lookup of its own, in the order of an index',
    query: 'populate[articles][fields][0]=title&populate[articles][start]=1&populate[articles][limit]=2',
    expected: {
      project: { name: 1 },
      fetch: [
        perParent('authors', 'page._id', 'articles', 'author', [
          { $sort: { '_rank.author': 1, _id: 1 } },
          { $skip: 1 },
          { $limit: 2 },
          { $project: { title: 1 } },
        ]),
      ],
    },
  },
  {
    rule: 'a limit with a sort, which replaces the ranks',
    query: 'populate[articles][fields][0]=title&populate[articles][sort]=views:desc&populate[articles][limit]=2',
    expected: {
      project: { name: 1 },
      fetch: [
        perParent('authors', 'page._id', 'articles', 'author', [
          { $sort: { views: -1, _id: 1 } },
          { $limit: 2 },
          { $project: { title: 1 } },
        ]),
      ],
    },
  },
  {
    rule: 'nested relations are looked up from the previous list',
    query: 'populate[articles][fields][0]=title&populate[articles][populate][tags][fields][0]=name',
    expected: {
      project: { name: 1 },
      fetch: [
        lookUp('articles', 'page._id', 'author', 'r0', [
          { $project: { author: 1, '_rank.author': 1, title: 1, tags: 1 } },
        ]),
        lookUp('tags', 'r0.tags', '_id', 'r1', [{ $project: { name: 1 } }]),
      ],
    },
  },
  {
    rule: 'possibly empty ids are never looked up as null, which every entry without an author would match',
    query:
      'populate[articles][fields][0]=title&populate[articles][populate][seoCard][populate][article][fields][0]=title',
    expected: {
      project: { name: 1 },
      fetch: [
        lookUp('articles', 'page._id', 'author', 'r0', [
          { $project: { author: 1, '_rank.author': 1, title: 1, seoCard: 1 } },
        ]),
        lookUp('seo_cards', 'r0.seoCard', '_id', 'r1'),
        { $set: { l0: { $concatArrays: ['$r1._id', ['none']] } } },
        lookUp('articles', 'l0', 'seoCard', 'r2', [{ $project: { seoCard: 1, '_rank.seoCard': 1, title: 1 } }]),
        { $unset: ['l0'] },
      ],
    },
  },
  {
    rule: 'a sort through a relation looks up each target once first',
    query: 'populate[articles][fields][0]=title&populate[articles][sort]=category.name',
    expected: {
      project: { name: 1 },
      fetch: [
        lookUp('articles', 'page._id', 'author', 'l0', [{ $project: { ids0: '$category' } }]),
        lookUp('categories', 'l0.ids0', '_id', 'l1', [{ $project: { key: { $ifNull: ['$name', null] } } }]),
        {
          $lookup: {
            from: 'articles',
            localField: 'page._id',
            foreignField: 'author',
            let: { ids0: '$l1._id', keys0: { $concatArrays: ['$l1.key', [null]] } },
            pipeline: [
              {
                $set: {
                  _k0: {
                    $arrayElemAt: ['$$keys0', { $indexOfArray: ['$$ids0', '$category'] }],
                  },
                },
              },
              { $sort: { _k0: 1, _id: 1 } },
              { $project: { author: 1, '_rank.author': 1, title: 1 } },
            ],
            as: 'r0',
          },
        },
        { $unset: ['l0', 'l1'] },
      ],
    },
  },
]);

golden('populated components', articles, [
  {
    rule: 'a component is read with the entry',
    query: 'populate=seo',
    expected: {
      project: { title: 1, 'seo.id': 1, 'seo.metaTitle': 1, 'seo.metaDescription': 1, 'seo.noIndex': 1 },
      fetch: [],
    },
  },
  {
    rule: 'its fields can be selected',
    query: 'populate[seo][fields][0]=metaTitle',
    expected: { project: { title: 1, 'seo.id': 1, 'seo.metaTitle': 1 }, fetch: [] },
  },
  {
    rule: 'components nest',
    query: 'populate[seo][fields][0]=metaTitle&populate[seo][populate][openGraph][fields][0]=ogType',
    expected: {
      project: { title: 1, 'seo.id': 1, 'seo.metaTitle': 1, 'seo.openGraph.id': 1, 'seo.openGraph.ogType': 1 },
      fetch: [],
    },
  },
  {
    rule: "a relation in a component is looked up by the component's ids",
    query: 'populate[seo][fields][0]=metaTitle&populate[seo][populate][shareImage][fields][0]=url',
    expected: {
      project: { title: 1, 'seo.id': 1, 'seo.metaTitle': 1, 'seo.shareImage': 1 },
      fetch: [lookUp('files', 'page.seo.shareImage', '_id', 'r0', [{ $project: { url: 1 } }])],
    },
  },
  {
    rule: 'a list of components is sorted during assembly, so the sort key is read too',
    query: 'populate[links][fields][0]=label&populate[links][sort]=priority',
    expected: { project: { title: 1, 'links.id': 1, 'links.label': 1, 'links.priority': 1 }, fetch: [] },
  },
]);

golden('populated dynamic zones', articles, [
  {
    rule: 'the plain attributes of all components are read by default',
    query: 'populate=blocks',
    expected: {
      project: {
        title: 1,
        'blocks.__component': 1,
        'blocks.id': 1,
        'blocks.heading': 1,
        'blocks.content': 1,
        'blocks.text': 1,
        'blocks.title': 1,
        'blocks.caption': 1,
      },
      fetch: [],
    },
  },
  {
    rule: 'with `on`, attributes of the listed components are read',
    query: 'populate[blocks][on][blocks.text][fields][0]=heading',
    expected: { project: { title: 1, 'blocks.__component': 1, 'blocks.id': 1, 'blocks.heading': 1 }, fetch: [] },
  },
  {
    rule: 'a relation is looked up by a path through the zone if no other component has the attribute',
    query:
      'populate[blocks][on][blocks.quote][fields][0]=text&populate[blocks][on][blocks.quote][populate][source][fields][0]=name',
    expected: {
      project: { title: 1, 'blocks.__component': 1, 'blocks.id': 1, 'blocks.text': 1, 'blocks.source': 1 },
      fetch: [lookUp('authors', 'page.blocks.source', '_id', 'r0', [{ $project: { name: 1 } }])],
    },
  },
  {
    rule: 'fields of a zone without `on` can contain only the id',
    query: 'populate[blocks][fields][0]=id',
    expected: { project: { title: 1, 'blocks.__component': 1, 'blocks.id': 1 }, fetch: [] },
  },
  {
    rule: 'the sort key of a component type is read if it is limited',
    query:
      'populate[blocks][on][blocks.text][fields][0]=id&populate[blocks][on][blocks.text][sort]=heading&populate[blocks][on][blocks.text][limit]=1',
    expected: { project: { title: 1, 'blocks.__component': 1, 'blocks.id': 1, 'blocks.heading': 1 }, fetch: [] },
  },
  {
    rule: 'components that the zone does not allow are ignored',
    query: 'populate[blocks][on][shared.seo]=true',
    expected: { project: { title: 1, 'blocks.__component': 1, 'blocks.id': 1 }, fetch: [] },
  },
]);

golden('populated morphs', { of: 'comment', also: 'fields[0]=text', frame: populated }, [
  {
    rule: 'ids of a morph are collected per type and looked up there',
    query: 'populate[subject][on][api::product.product][fields][0]=name',
    expected: {
      project: { text: 1, subject: 1 },
      fetch: [
        {
          $set: {
            l0: {
              $reduce: {
                input: '$page',
                initialValue: [],
                in: {
                  $concatArrays: [
                    '$$value',
                    {
                      $map: {
                        input: {
                          $filter: {
                            input: { $cond: [{ $isArray: '$$this.subject' }, '$$this.subject', ['$$this.subject']] },
                            as: 'link',
                            cond: { $eq: ['$$link.__type', 'api::product.product'] },
                          },
                        },
                        as: 'link',
                        in: '$$link.id',
                      },
                    },
                  ],
                },
              },
            },
          },
        },
        lookUp('products', 'l0', '_id', 'r0', [{ $project: { name: 1 } }]),
        { $unset: ['l0'] },
      ],
    },
  },
  {
    rule: 'unknown types are ignored',
    query: 'populate[subject][on][api::nope.nope]=true',
    expected: { project: { text: 1, subject: 1 }, fetch: [] },
  },
]);

golden('morphs that are refused', { of: 'comment', also: 'fields[0]=text', frame: populated }, [
  {
    rule: 'filters without `on`',
    query: 'populate[subject][filters][name]=x',
    refused: 'Invalid parameter filters',
  },
  { rule: 'fields that no type has', query: 'populate[subject][fields]=nope', refused: 'Invalid parameter nope' },
  {
    rule: 'private fields',
    query: 'populate[subject][fields]=internalNote',
    refused: 'Invalid parameter internalNote',
  },
  { rule: 'sorts that no type has', query: 'populate[subject][sort]=nope', refused: 'Invalid parameter nope' },
]);

golden('populated from the other side of a morph', { of: 'product', also: 'fields[0]=name', frame: populated }, [
  {
    rule: 'an inverse morph compares the type too, because ids repeat across types',
    query: 'populate[comments][fields][0]=text',
    expected: {
      project: { name: 1 },
      fetch: [
        lookUp('comments', 'page._id', 'subject.id', 'r0', [
          { $match: { 'subject.__type': 'api::product.product' } },
          { $project: { subject: 1, text: 1 } },
        ]),
      ],
    },
  },
  {
    rule: 'with a limit, links to other types are excluded first',
    query: 'populate[comments][fields][0]=text&populate[comments][limit]=1&populate[comments][sort]=likes:desc',
    expected: {
      project: { name: 1 },
      fetch: [
        perParent('products', 'page._id', 'comments', 'subject.id', [
          { $match: { 'subject.__type': 'api::product.product' } },
          { $sort: { likes: -1, _id: 1 } },
          { $limit: 1 },
          { $project: { text: 1 } },
        ]),
      ],
    },
  },
]);

const list = (path: string): Document => ({ $cond: [{ $isArray: path }, path, [path]] });

golden('populated from the other side of a list', { of: 'tag', also: 'fields[0]=name', frame: populated }, [
  {
    rule: 'with a limit, the rank is that of the link to the parent',
    query: 'populate[articles][fields][0]=title&populate[articles][limit]=3',
    expected: {
      project: { name: 1 },
      fetch: [
        perParent('tags', 'page._id', 'articles', 'tags', [
          {
            $set: {
              _position: { $arrayElemAt: [list('$_rank.tags'), { $indexOfArray: [list('$tags'), '$$parent'] }] },
            },
          },
          { $sort: { _position: 1, _id: 1 } },
          { $limit: 3 },
          { $project: { title: 1 } },
        ]),
      ],
    },
  },
]);

golden('everything', { of: 'section', also: 'fields[0]=heading', frame: populated }, [
  {
    rule: '* populates one level, creators only with populateCreatorFields',
    query: 'populate=*',
    expected: {
      project: {
        heading: 1,
        page: 1,
        links: 1,
      },
      fetch: [
        lookUp('pages', 'page.page', '_id', 'r0', [
          { $project: { title: 1, path: 1, weight: 1, createdAt: 1, updatedAt: 1, publishedAt: 1 } },
        ]),
      ],
    },
  },
]);

golden('populated creators', { of: 'page', also: 'fields[0]=title', frame: populated }, [
  {
    rule: 'creators are returned with populateCreatorFields, without email addresses',
    query: 'populate=createdBy',
    expected: {
      project: { title: 1, createdBy: 1 },
      fetch: [
        lookUp('admin_users', 'page.createdBy', '_id', 'r0', [
          { $project: { firstname: 1, lastname: 1, username: 1, createdAt: 1, updatedAt: 1 } },
        ]),
      ],
    },
  },
]);

const nothing: Populated = { project: { title: 1 }, fetch: [] };

golden('what is left out silently', articles, [
  { rule: 'unknown names', query: 'populate=nope', expected: nothing },
  { rule: 'plain attributes', query: 'populate=title', expected: nothing },
  { rule: 'private ones', query: 'populate=createdBy', expected: nothing },
  { rule: 'what is switched off', query: 'populate[author]=false', expected: nothing },
  { rule: 'names of Object.prototype', query: 'populate=constructor,__proto__', expected: nothing },
  { rule: 'operators of the database', query: 'populate[$lookup]=x', expected: nothing },
]);

golden('what is refused within', articles, [
  { rule: 'private fields', query: 'populate[author][fields][0]=notes', refused: 'Invalid parameter notes' },
  {
    rule: 'unknown fields, also together with *',
    query: 'populate[author][fields][0]=*&populate[author][fields][1]=nope',
    refused: 'Invalid parameter nope',
  },
  { rule: 'empty names of fields', query: 'populate[author][fields]=', refused: 'Invalid parameter ' },
  { rule: 'of components too', query: 'populate[seo][fields][0]=', refused: 'Invalid parameter ' },
  { rule: 'of a dynamic zone too', query: 'populate[blocks][fields]=', refused: 'Invalid parameter ' },
  { rule: 'private sort keys', query: 'populate[author][sort]=notes', refused: 'Invalid parameter notes' },
  { rule: 'private filters', query: 'populate[author][filters][notes]=x', refused: 'Invalid parameter notes' },
  {
    rule: 'filters of components that it does not have',
    query: 'populate[seo][fields][0]=nope',
    refused: 'Invalid parameter nope',
  },
  {
    rule: 'fields of a dynamic zone without `on`',
    query: 'populate[blocks][fields][0]=text',
    refused: 'Invalid parameter text',
  },
  {
    rule: 'filters next to those of its components',
    query: 'populate[blocks][filters][text]=x',
    refused: 'Invalid parameter text',
  },
  {
    rule: 'filters next to `on`, where they have no effect',
    query: 'populate[blocks][filters][id]=1&populate[blocks][on][blocks.text]=true',
    refused: 'Invalid parameter filters',
  },
  {
    rule: 'filters within `on` that the component does not have',
    query: 'populate[blocks][on][blocks.text][filters][nope]=1',
    refused: 'Invalid parameter nope',
  },
  {
    rule: 'a sort of a zone without `on`, except by id',
    query: 'populate[blocks][sort]=text',
    refused: 'Invalid parameter text',
  },
  { rule: 'lists of anything but names', query: 'populate[0][x]=author', refused: 'Invalid parameter populate' },
]);

const related = (levels: number): string => 'related.'.repeat(levels - 1);

describe('the cost of a query', () => {
  test('is limited by the number of populated attributes', async () => {
    const article = typeOf(await loadCorpus(), 'article');
    // At each of 125 levels: three relations, and the one that leads to the next.
    const names = Array.from({ length: 125 }, (_, index) =>
      ['author', 'category', 'tags', 'related'].map((name) => related(index + 1) + name),
    ).flat();
    expect(compile({ populate: names }, article).main.lookups).toHaveLength(500);
    expect(() => compile({ populate: [...names, 'cover'] }, article)).toThrow(
      'The query asks for too much: at most 500 populated attributes',
    );
  });

  test('is limited by the depth of brackets', async () => {
    const article = typeOf(await loadCorpus(), 'article');
    expect(compile(`populate=${related(200)}related`, article).main.lookups).toHaveLength(200);
    for (const levels of [201, 1000, 100_000]) {
      expect(() => compile(`populate=${related(levels)}related`, article)).toThrow(
        'The query asks for too much: at most 200 levels to populate',
      );
    }
  });

  test('is limited by the number of pipeline stages, at most 1,000 in MongoDB', async () => {
    const comment = typeOf(await loadCorpus(), 'comment');
    const others = {
      'api::tag.tag': {},
      'api::author.author': {},
      'api::article.article': {},
      'api::product.product': {},
    };
    /** Ten stages a level: each of five types is collected, and looked up. */
    const subjects = (levels: number): QueryInput =>
      levels === 0
        ? {}
        : { populate: { subject: { on: { 'api::comment.comment': subjects(levels - 1), ...others } } } };
    expect(compile(subjects(98), comment).main.lookups).toHaveLength(981);
    expect(() => compile(subjects(99), comment)).toThrow(
      'The query asks for too much: at most 980 steps to populate it',
    );
  });
});
