import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

/** The slice: `[skip, limit]`. A service serves 25 entries unless asked, and never more than 100. */
const sliced = ([skip, limit]: readonly [number, number]): readonly Document[] => [
  { $sort: { _id: 1 } },
  ...(skip > 0 ? [{ $skip: skip }] : []),
  { $limit: limit },
  { $project: { name: 1 } },
];
const tags = { of: 'tag', also: 'fields[0]=name', frame: sliced };

golden('pages', tags, [
  { says: 'the first 25 come by themselves', query: 'sort=id', gives: [0, 25] },
  { says: 'a page and its size', query: 'pagination[page]=2&pagination[pageSize]=10', gives: [10, 10] },
  { says: 'a page of the usual size', query: 'pagination[page]=3', gives: [50, 25] },
  { says: 'a size above the limit is cut', query: 'pagination[pageSize]=1000', gives: [0, 100] },
  {
    says: 'the page begins after pages of the size that is served',
    query: 'pagination[page]=2&pagination[pageSize]=1000',
    gives: [100, 100],
  },
  { says: 'no size is one', query: 'pagination[pageSize]=0', gives: [0, 1] },
  { says: 'nor is a negative one', query: 'pagination[pageSize]=-1', gives: [0, 1] },
  { says: 'an empty size counts as 0', query: 'pagination[pageSize]=', gives: [0, 1] },
  { says: 'fractions are cut off', query: 'pagination[pageSize]=2.9', gives: [0, 2] },
  { says: 'there is no page before the first', query: 'pagination[page]=0', gives: [0, 25] },
  { says: 'a word is no page', query: 'pagination[page]=abc', gives: [0, 25] },
  { says: 'nor is a number that is too large to count', query: 'pagination[page]=1e30', gives: [0, 25] },
]);

golden('offsets', tags, [
  { says: 'a start and a limit', query: 'pagination[start]=5&pagination[limit]=3', gives: [5, 3] },
  { says: 'a start with the usual limit', query: 'pagination[start]=10', gives: [10, 25] },
  { says: '-1 means all that is allowed', query: 'pagination[limit]=-1', gives: [0, 100] },
  { says: 'a limit above it is cut', query: 'pagination[limit]=500', gives: [0, 100] },
  { says: 'no limit is one', query: 'pagination[limit]=0', gives: [0, 1] },
  { says: 'a list does not begin before its start', query: 'pagination[start]=-4', gives: [0, 25] },
]);

golden('other parameters of pagination', tags, [
  { says: 'what is no object is ignored', query: 'pagination=5', gives: [0, 25] },
  { says: 'counting changes nothing here', query: 'pagination[withCount]=false', gives: [0, 25] },
  {
    says: 'a flag must be one',
    query: 'pagination[withCount]=maybe',
    refused: 'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
  },
  {
    says: 'pages and offsets do not mix',
    query: 'pagination[page]=1&pagination[limit]=5',
    refused: 'Invalid pagination parameters. Expected either start/limit or page/pageSize',
  },
  {
    says: 'they belong into pagination',
    query: 'limit=5',
    refused: 'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
  },
]);
