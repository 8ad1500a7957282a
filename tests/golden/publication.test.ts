import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

interface Listed {
  readonly match?: Document;
  readonly lookUp?: Document;
}

const listed = ({ match, lookUp }: Listed): readonly Document[] => [
  ...(match === undefined ? [] : [{ $match: match }]),
  { $sort: { _id: 1 } },
  { $limit: 25 },
  { $project: lookUp === undefined ? { title: 1 } : { title: 1, [lookUp['by']]: 1 } },
  ...(lookUp === undefined ? [] : [{ $group: { _id: null, page: { $push: '$$ROOT' } } }, lookUp['stage']]),
];
const pages = { of: 'page', also: 'fields[0]=title', imposed: true, frame: listed } as const;
const live = { _live: 1 };

const related = (...match: readonly Document[]): Document => ({
  by: 'relatedPages',
  stage: {
    $lookup: {
      from: 'pages',
      localField: 'page.relatedPages',
      foreignField: '_id',
      pipeline: [...match.map((condition) => ({ $match: condition })), { $project: { title: 1 } }],
      as: 'r0',
    },
  },
});
const populated = 'populate[relatedPages][fields][0]=title';

golden('publication states', pages, [
  { says: 'a list is live', query: '', gives: { match: live } },
  { says: 'and may say so', query: 'publicationState=live', gives: { match: live } },
  { says: 'preview lists drafts too', query: 'publicationState=preview', gives: {} },
  { says: 'an empty one says nothing', query: 'publicationState=', gives: { match: live } },
  { says: 'another word is refused', query: 'publicationState=draft', refused: 'Invalid parameter publicationState' },
  {
    says: 'drafts are entries without publishedAt',
    query: 'publicationState=preview&filters[publishedAt][$null]=true',
    gives: { match: { publishedAt: { $eq: null } } },
  },
  {
    says: 'it is combined with filters',
    query: 'filters[title]=x',
    gives: { match: { $and: [{ title: { $eq: 'x' } }, live] } },
  },
  { says: 'it holds for populated relations', query: populated, gives: { match: live, lookUp: related(live) } },
  { says: 'in both states', query: `publicationState=preview&${populated}`, gives: { lookUp: related() } },
  {
    says: 'unless a level sets another state',
    query: `${populated}&populate[relatedPages][publicationState]=preview`,
    gives: { match: live, lookUp: related() },
  },
  {
    says: 'in both directions',
    query: `publicationState=preview&${populated}&populate[relatedPages][publicationState]=live`,
    gives: { lookUp: related(live) },
  },
  {
    says: 'filters through relations match drafts',
    query: 'filters[relatedPages][title]=x',
    before: [['pages', { $match: { title: { $eq: 'x' } } }, { $project: { _id: 1 } }]],
    gives: { match: { $and: [{ relatedPages: { $in: { $ids: 0 } } }, live] } },
  },
]);

golden(
  'content types without drafts',
  {
    ...pages,
    of: 'tag',
    also: 'fields[0]=name',
    frame: () => [{ $sort: { _id: 1 } }, { $limit: 25 }, { $project: { name: 1 } }],
  },
  [{ says: 'have nothing to hide', query: 'publicationState=live', gives: {} }],
);
