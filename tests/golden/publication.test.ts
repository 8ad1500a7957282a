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
  { rule: 'a list is live', query: '', expected: { match: live } },
  { rule: 'and may say so', query: 'publicationState=live', expected: { match: live } },
  { rule: 'preview lists drafts too', query: 'publicationState=preview', expected: {} },
  { rule: 'no value lists drafts too', query: 'publicationState', expected: {} },
  { rule: 'an empty value has no effect', query: 'publicationState=', expected: { match: live } },
  { rule: 'another word is refused', query: 'publicationState=draft', refused: 'Invalid parameter publicationState' },
  {
    rule: 'drafts are entries without publishedAt',
    query: 'publicationState=preview&filters[publishedAt][$null]=true',
    expected: { match: { publishedAt: { $eq: null } } },
  },
  {
    rule: 'it is combined with filters',
    query: 'filters[title]=x',
    expected: { match: { $and: [{ title: { $eq: 'x' } }, live] } },
  },
  { rule: 'it holds for populated relations', query: populated, expected: { match: live, lookUp: related(live) } },
  { rule: 'in both states', query: `publicationState=preview&${populated}`, expected: { lookUp: related() } },
  {
    rule: 'unless a level sets another state',
    query: `${populated}&populate[relatedPages][publicationState]=preview`,
    expected: { match: live, lookUp: related() },
  },
  {
    rule: 'in both directions',
    query: `publicationState=preview&${populated}&populate[relatedPages][publicationState]=live`,
    expected: { lookUp: related(live) },
  },
  {
    rule: 'filters through relations match drafts',
    query: 'filters[relatedPages][title]=x',
    before: [['pages', { $match: { title: { $eq: 'x' } } }, { $project: { _id: 1 } }]],
    expected: { match: { $and: [{ relatedPages: { $in: { $ids: 0 } } }, live] } },
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
  [{ rule: 'have nothing to hide', query: 'publicationState=live', expected: {} }],
);
