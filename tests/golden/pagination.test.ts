import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

/** The slice: `[skip, limit]`. The default limit is 25, the maximum 100. */
const sliced = ([skip, limit]: readonly [number, number]): readonly Document[] => [
  { $sort: { _id: 1 } },
  ...(skip > 0 ? [{ $skip: skip }] : []),
  { $limit: limit },
  { $project: { name: 1 } },
];
const tags = { of: 'tag', also: 'fields[0]=name', frame: sliced };

golden('pages', tags, [
  { rule: 'the first 25 come by themselves', query: 'sort=id', expected: [0, 25] },
  { rule: 'a page and its size', query: 'pagination[page]=2&pagination[pageSize]=10', expected: [10, 10] },
  { rule: 'a page of the usual size', query: 'pagination[page]=3', expected: [50, 25] },
  { rule: 'a size above the limit is cut', query: 'pagination[pageSize]=1000', expected: [0, 100] },
  {
    rule: 'a page starts after previous pages of the applied size',
    query: 'pagination[page]=2&pagination[pageSize]=1000',
    expected: [100, 100],
  },
  { rule: 'no size is one', query: 'pagination[pageSize]=0', expected: [0, 1] },
  { rule: 'nor is a negative one', query: 'pagination[pageSize]=-1', expected: [0, 1] },
  { rule: 'an empty size counts as 0', query: 'pagination[pageSize]=', expected: [0, 1] },
  { rule: 'an infinite one is cut', query: 'pagination[pageSize]=1e400', expected: [0, 100] },
  { rule: 'there is no page before the first', query: 'pagination[page]=0', expected: [0, 25] },
  { rule: 'no page is the first', query: 'pagination[page]', expected: [0, 25] },
  { rule: 'a list of one is a number', query: 'pagination[page][]=2', expected: [25, 25] },
  { rule: 'a page beyond 2^53 is far away', query: 'pagination[page]=9007199254740993', expected: [2 ** 53 - 1, 25] },
  { rule: 'so is one of thirty digits', query: 'pagination[page]=1e30', expected: [2 ** 53 - 1, 25] },
  ...[
    ['page', 'abc'],
    ['page', '2abc'],
    ['page][', '1&pagination[page][]=2'],
    ['page][a', '1'],
    ['pageSize', '2.9'],
    ['pageSize', 'x'],
    ['pageSize][$gt', '1'],
  ].map(([name = '', value = '']) => ({
    rule: 'a page and its size are integers',
    query: `pagination[${name}]=${value}`,
    refused: `Invalid pagination.${name.split(']')[0]}: expected an integer in its range`,
  })),
  ...['1.5', '1e400', 'Infinity'].map((page) => ({
    rule: 'a page number is finite and an integer',
    query: `pagination[page]=${page}&pagination[pageSize]=4`,
    refused: "Invalid 'page' parameter. Expected an integer > 0",
  })),
  { rule: 'a fraction out of range is moved into it', query: 'pagination[page]=0.5', expected: [0, 25] },
  { rule: 'so is that of a size', query: 'pagination[pageSize]=500.5', expected: [0, 100] },
]);

golden('offsets', tags, [
  { rule: 'a start and a limit', query: 'pagination[start]=5&pagination[limit]=3', expected: [5, 3] },
  { rule: 'a start with the usual limit', query: 'pagination[start]=10', expected: [10, 25] },
  { rule: '-1 means all that is allowed', query: 'pagination[limit]=-1', expected: [0, 100] },
  { rule: 'a limit above it is cut', query: 'pagination[limit]=500', expected: [0, 100] },
  { rule: 'no limit is one', query: 'pagination[limit]=0', expected: [0, 1] },
  { rule: 'a list does not begin before its start', query: 'pagination[start]=-4', expected: [0, 25] },
  { rule: 'a fraction before its start is moved to it', query: 'pagination[start]=-1.5', expected: [0, 25] },
  { rule: 'a limit below 1 is 1', query: 'pagination[limit]=-1.5', expected: [0, 1] },
  { rule: 'no start is the first entry', query: 'pagination[start]', expected: [0, 25] },
  { rule: 'a start beyond 2^53 is far away', query: 'pagination[start]=9007199254740993', expected: [2 ** 53 - 1, 25] },
  { rule: 'what stands beside it outside is replaced', query: 'pagination[limit]=2&limit=x&start=7', expected: [0, 2] },
  ...[
    ['start', '1.5'],
    ['start', 'x'],
    ['start', '1e400'],
    ['start][a', '1'],
    ['limit', '1.5'],
    ['limit', 'x'],
  ].map(([name = '', value = '']) => ({
    rule: 'a start and a limit are integers',
    query: `pagination[${name}]=${value}`,
    refused: `Invalid pagination.${name.split(']')[0]}: expected an integer in its range`,
  })),
]);

golden('other parameters of pagination', tags, [
  { rule: 'a value that is not an object is ignored', query: 'pagination=5', expected: [0, 25] },
  { rule: 'counting changes nothing here', query: 'pagination[withCount]=false', expected: [0, 25] },
  {
    rule: 'withCount must be a boolean',
    query: 'pagination[withCount]=maybe',
    refused: 'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
  },
  {
    rule: 'pages and offsets do not mix',
    query: 'pagination[page]=1&pagination[limit]=5',
    refused: 'Invalid pagination parameters. Expected either start/limit or page/pageSize',
  },
  {
    rule: 'also without a value',
    query: 'pagination[page]=1&pagination[start]',
    refused: 'Invalid pagination parameters. Expected either start/limit or page/pageSize',
  },
  { rule: 'outside of pagination, a name without a value has no effect', query: 'limit&page', expected: [0, 25] },
  ...['page=1', 'pagination[page]=1&page=1', 'pagination[page]=1&limit=1', 'pagination[limit]=1&page=1'].map(
    (query) => ({
      rule: 'pagination parameters outside of `pagination` conflict with it',
      query,
      refused: 'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
    }),
  ),
  {
    rule: 'withCount cannot be a list',
    query: 'pagination[withCount][]=true',
    refused: 'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
  },
  {
    rule: 'they must be in `pagination`',
    query: 'limit=5',
    refused: 'Invalid pagination attributes. You cannot use page and offset pagination in the same query',
  },
]);
