import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

interface Narrowed {
  /** The components that stay, by attribute. */
  readonly set: Document;
  readonly project: Document;
}

/** Components are part of their entry, so an expression selects them before the projection. */
const narrowed = ({ set, project }: Narrowed): readonly Document[] => [
  { $sort: { _id: 1 } },
  { $limit: 25 },
  { $set: set },
  { $project: project },
];
const articles = { of: 'article', also: 'fields[0]=title', frame: narrowed };

/** Comparisons of expressions take null for a value, so it is left out first. */
const isNull = (value: string): Document => ({ $eq: [{ $ifNull: [value, null] }, null] });
const present = (value: string, condition: Document): Document => ({ $and: [{ $not: [isNull(value)] }, condition] });
const listOf = (path: string): Document => ({ $ifNull: [path, []] });

golden('filters of populated components', articles, [
  {
    rule: 'a component is kept or removed; client values are literals',
    query: 'populate[seo][fields][0]=metaTitle&populate[seo][filters][metaTitle]=$title',
    expected: {
      set: { seo: { $cond: [{ $eq: ['$seo.metaTitle', { $literal: '$title' }] }, '$seo', '$$REMOVE'] } },
      project: { title: 1, 'seo.id': 1, 'seo.metaTitle': 1 },
    },
  },
  {
    rule: 'matching components of a list are kept',
    query: 'populate[links][fields][0]=label&populate[links][filters][priority][$gt]=3',
    expected: {
      set: {
        links: {
          $filter: {
            input: listOf('$links'),
            as: 'component',
            cond: present('$$component.priority', { $gt: ['$$component.priority', { $literal: 3 }] }),
          },
        },
      },
      project: { title: 1, 'links.id': 1, 'links.label': 1 },
    },
  },
  {
    rule: '$not of $notNull is $null',
    query: 'populate[seo][fields][0]=metaTitle&populate[seo][filters][metaDescription][$not][$notNull]=true',
    expected: {
      set: { seo: { $cond: [{ $not: [{ $not: [isNull('$seo.metaDescription')] }] }, '$seo', '$$REMOVE'] } },
      project: { title: 1, 'seo.id': 1, 'seo.metaTitle': 1 },
    },
  },
  {
    rule: 'a nested component is removed alone; a missing parent stays missing',
    query:
      'populate[seo][fields][0]=metaTitle&populate[seo][populate][openGraph][fields][0]=id&populate[seo][populate][openGraph][filters][ogType]=profile',
    expected: {
      set: {
        seo: {
          $cond: [
            { $ne: [{ $type: '$seo' }, 'missing'] },
            {
              $setField: {
                field: 'openGraph',
                input: '$seo',
                value: {
                  $cond: [{ $eq: ['$seo.openGraph.ogType', { $literal: 'profile' }] }, '$seo.openGraph', '$$REMOVE'],
                },
              },
            },
            '$$REMOVE',
          ],
        },
      },
      project: { title: 1, 'seo.id': 1, 'seo.metaTitle': 1, 'seo.openGraph.id': 1 },
    },
  },
  {
    rule: 'in a dynamic zone each component type has its own filters',
    query:
      'populate[blocks][on][blocks.promo][fields][0]=title&populate[blocks][on][blocks.promo][populate][items][fields][0]=id&populate[blocks][on][blocks.promo][populate][items][filters][external]=true',
    expected: {
      set: {
        blocks: {
          $map: {
            input: listOf('$blocks'),
            as: 'component',
            in: {
              $switch: {
                branches: [
                  {
                    case: { $eq: ['$$component.__component', 'blocks.promo'] },
                    then: {
                      $setField: {
                        field: 'items',
                        input: '$$component',
                        value: {
                          $filter: {
                            input: listOf('$$component.items'),
                            as: 'component',
                            cond: { $eq: ['$$component.external', { $literal: true }] },
                          },
                        },
                      },
                    },
                  },
                ],
                default: '$$component',
              },
            },
          },
        },
      },
      project: { title: 1, 'blocks.__component': 1, 'blocks.id': 1, 'blocks.title': 1, 'blocks.items.id': 1 },
    },
  },
  {
    rule: 'component types of a dynamic zone are filtered separately; types without a filter are kept',
    query:
      'populate[blocks][on][blocks.text][fields][0]=heading&populate[blocks][on][blocks.text][filters][heading]=Intro&populate[blocks][on][blocks.promo][fields][0]=title',
    expected: {
      set: {
        blocks: {
          $filter: {
            input: listOf('$blocks'),
            as: 'component',
            cond: {
              $switch: {
                branches: [
                  {
                    case: { $eq: ['$$component.__component', 'blocks.text'] },
                    then: { $eq: ['$$component.heading', { $literal: 'Intro' }] },
                  },
                ],
                default: true,
              },
            },
          },
        },
      },
      project: {
        title: 1,
        'blocks.__component': 1,
        'blocks.id': 1,
        'blocks.heading': 1,
        'blocks.title': 1,
      },
    },
  },
  {
    rule: 'a condition behind a relation is a preceding read of ids',
    query: 'populate[seo][fields][0]=metaTitle&populate[seo][filters][shareImage][name]=x',
    before: [['files', { $match: { name: { $eq: 'x' } } }, { $project: { _id: 1 } }]],
    expected: {
      set: { seo: { $cond: [{ $in: ['$seo.shareImage', { $literal: { $ids: 0 } }] }, '$seo', '$$REMOVE'] } },
      project: { title: 1, 'seo.id': 1, 'seo.metaTitle': 1 },
    },
  },
  {
    rule: 'a condition that null satisfies keeps components without a related entry',
    query: 'populate[seo][fields][0]=metaTitle&populate[seo][filters][shareImage][name][$null]=true',
    before: [['files', { $match: { name: { $eq: null } } }, { $project: { _id: 1 } }]],
    expected: {
      set: {
        seo: {
          $cond: [
            { $or: [{ $in: ['$seo.shareImage', { $literal: { $ids: 0 } }] }, isNull('$seo.shareImage')] },
            '$seo',
            '$$REMOVE',
          ],
        },
      },
      project: { title: 1, 'seo.id': 1, 'seo.metaTitle': 1 },
    },
  },
  {
    rule: 'numbers are compared as text',
    query: 'populate[links][fields][0]=label&populate[links][filters][priority][$contains]=1',
    expected: {
      set: {
        links: {
          $filter: {
            input: listOf('$links'),
            as: 'component',
            cond: { $regexMatch: { input: { $toString: { $toLong: '$$component.priority' } }, regex: '1' } },
          },
        },
      },
      project: { title: 1, 'links.id': 1, 'links.label': 1 },
    },
  },
]);
