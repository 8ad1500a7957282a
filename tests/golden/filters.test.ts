import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

/** What a filter adds in front: one `$match`, or nothing when the filter says nothing. */
const matching = (condition: Document | undefined): readonly Document[] => [
  ...(condition === undefined ? [] : [{ $match: condition }]),
  { $sort: { _id: 1 } },
  { $limit: 25 },
  { $project: { name: 1 } },
];
const ofTitles = (condition: Document | undefined): readonly Document[] => [
  ...matching(condition).slice(0, -1),
  { $project: { title: 1 } },
];
const products = { of: 'product', also: 'fields[0]=name', frame: matching };

const never = { $nor: [{}] };

golden('comparisons', products, [
  { says: '$eq compares', query: 'filters[name][$eq]=Anvil', gives: { name: { $eq: 'Anvil' } } },
  { says: 'a bare value means $eq', query: 'filters[name]=Anvil', gives: { name: { $eq: 'Anvil' } } },
  {
    says: 'a list of values means any of them',
    query: 'filters[name][$eq][0]=Anvil&filters[name][$eq][1]=Bolt',
    gives: { $or: [{ name: { $eq: 'Anvil' } }, { name: { $eq: 'Bolt' } }] },
  },
  {
    says: 'a list without an operator means any of them',
    query: 'filters[name][0]=Anvil&filters[name][1]=Bolt',
    gives: { $or: [{ name: { $eq: 'Anvil' } }, { name: { $eq: 'Bolt' } }] },
  },
  { says: 'an empty text is a value', query: 'filters[name][$eq]=', gives: { name: { $eq: '' } } },
  { says: 'a comparison with null asks for null', query: 'filters[name][$eq]', gives: { name: { $eq: null } } },
  { says: 'a name without a value does so too', query: 'filters[name]', gives: { name: { $eq: null } } },
  { says: 'it does in any case', query: 'filters[name][$eqi]', gives: { name: { $eq: null } } },
  { says: 'its opposite asks for any value', query: 'filters[name][$ne]', gives: { name: { $ne: null } } },
  { says: 'its opposite does so in any case', query: 'filters[name][$nei]', gives: { name: { $ne: null } } },
  { says: 'nothing is more than null', query: 'filters[name][$gt]', gives: never },
  {
    says: 'text operators treat null as a string',
    query: 'filters[name][$contains]',
    gives: { name: { $regex: 'null' } },
  },
  {
    says: 'null in a list of $eq matches null',
    query: 'filters[name][$eq][]&filters[name][$eq][]=Anvil',
    gives: { $or: [{ name: { $eq: null } }, { name: { $eq: 'Anvil' } }] },
  },
  {
    says: 'null in a list without an operator matches nothing',
    query: 'filters[name][]&filters[name][]=a',
    gives: { name: { $eq: 'a' } },
  },
  { says: 'a bare list of null equals nothing', query: 'filters[name][]', gives: { name: { $in: [] } } },
  { says: 'a list in a list is one text', query: 'filters[name][0][]=a', gives: { name: { $eq: 'a' } } },
  { says: '$ne never matches null', query: 'filters[name][$ne]=Anvil', gives: { name: { $nin: ['Anvil', null] } } },
  { says: '$lt compares', query: 'filters[price][$lt]=10', gives: { price: { $lt: 10 } } },
  { says: '$lte casts to the type', query: 'filters[price][$lte]=4.50', gives: { price: { $lte: 4.5 } } },
  { says: '$gt takes exponents', query: 'filters[stock][$gt]=1e3', gives: { stock: { $gt: 1000 } } },
  { says: '$gte compares texts too', query: 'filters[name][$gte]=C', gives: { name: { $gte: 'C' } } },
  {
    says: '$between includes both ends',
    query: 'filters[price][$between][0]=1&filters[price][$between][1]=5',
    gives: { price: { $gte: 1, $lte: 5 } },
  },
  {
    says: '$between accepts two values',
    query: 'filters[price][$between]=1',
    refused: 'Invalid parameter $between',
  },
  {
    says: '$in accepts a list',
    query: 'filters[size][$in][0]=S&filters[size][$in][1]=M',
    gives: { size: { $in: ['S', 'M'] } },
  },
  { says: '$in takes one value', query: 'filters[size][$in]=S', gives: { size: { $in: ['S'] } } },
  { says: 'null is in no list', query: 'filters[size][$in][0]', gives: { size: { $in: [] } } },
  {
    says: '$notIn with null in its list matches nothing',
    query: 'filters[size][$notIn][]&filters[size][$notIn][]=S',
    gives: never,
  },
  {
    says: '$between with null matches nothing',
    query: 'filters[stock][$between][]&filters[stock][$between][]=5',
    gives: never,
  },
  {
    says: '$notIn never matches null',
    query: 'filters[size][$notIn][0]=S&filters[size][$notIn][1]=M',
    gives: { size: { $nin: ['S', 'M', null] } },
  },
  { says: '$null takes true', query: 'filters[size][$null]=true', gives: { size: { $eq: null } } },
  { says: '$null=false means $notNull', query: 'filters[size][$null]=false', gives: { size: { $ne: null } } },
  { says: '$notNull takes true', query: 'filters[size][$notNull]=true', gives: { size: { $ne: null } } },
  { says: '$notNull=0 means $null', query: 'filters[size][$notNull]=0', gives: { size: { $eq: null } } },
  {
    says: 'the id is stored as _id',
    query: 'filters[id][$in][0]=1&filters[id][$in][1]=2',
    gives: { _id: { $in: [1, 2] } },
  },
]);

golden('text operators', products, [
  { says: '$contains is a literal pattern', query: 'filters[name][$contains]=nv', gives: { name: { $regex: 'nv' } } },
  {
    says: '$containsi ignores case',
    query: 'filters[name][$containsi]=nv',
    gives: { name: { $regex: 'nv', $options: 'i' } },
  },
  {
    says: '$notContains never matches null',
    query: 'filters[name][$notContains]=nv',
    gives: { name: { $not: { $regex: 'nv' }, $ne: null } },
  },
  {
    says: '$notContainsi never matches null',
    query: 'filters[name][$notContainsi]=nv',
    gives: { name: { $not: { $regex: 'nv', $options: 'i' }, $ne: null } },
  },
  { says: '$startsWith can use an index', query: 'filters[name][$startsWith]=An', gives: { name: { $regex: '^An' } } },
  {
    says: '$startsWithi ignores case',
    query: 'filters[name][$startsWithi]=An',
    gives: { name: { $regex: '^An', $options: 'i' } },
  },
  {
    says: '$endsWith matches the end of the string, not before a final line break',
    query: 'filters[name][$endsWith]=il',
    gives: { name: { $regex: String.raw`il\z` } },
  },
  {
    says: '$endsWithi ignores case',
    query: 'filters[name][$endsWithi]=il',
    gives: { name: { $regex: String.raw`il\z`, $options: 'i' } },
  },
  {
    says: '$eqi compares the complete string',
    query: 'filters[name][$eqi]=anvil',
    gives: { name: { $regex: String.raw`^anvil\z`, $options: 'i' } },
  },
  {
    says: '$nei never matches null',
    query: 'filters[name][$nei]=anvil',
    gives: { name: { $not: { $regex: String.raw`^anvil\z`, $options: 'i' }, $ne: null } },
  },
  {
    says: 'special characters of patterns are escaped',
    query: 'filters[name][$contains]=(a.b*)[c]$',
    gives: { name: { $regex: String.raw`\(a\.b\*\)\[c\]\$` } },
  },
  {
    says: 'wildcards of SQL are literal',
    query: 'filters[name][$contains]=%25_',
    gives: { name: { $regex: '%_' } },
  },
  {
    says: 'NUL is escaped, because it would end a BSON pattern',
    query: 'filters[name][$contains]=a%00b',
    gives: { name: { $regex: String.raw`a\x00b` } },
  },
  {
    says: 'json is stored and searched as text',
    query: 'filters[attrs][$contains]=blue',
    gives: { attrs: { $regex: 'blue' } },
  },
]);

const matches = (input: unknown, pattern: Document): Document => ({ $expr: { $regexMatch: { input, ...pattern } } });
const whole = (path: string): Document => ({ $toString: { $toLong: path } });

golden('text operators on what is no text', products, [
  {
    says: 'integers are compared as text',
    query: 'filters[stock][$startsWith]=1',
    gives: matches(whole('$stock'), { regex: '^1' }),
  },
  {
    says: 'the id is compared as text',
    query: 'filters[id][$containsi]=1',
    gives: matches(whole('$_id'), { regex: '1', options: 'i' }),
  },
  {
    says: 'big integers lose no digit',
    query: 'filters[serial][$endsWith]=993',
    gives: matches(whole('$serial'), { regex: String.raw`993\z` }),
  },
  {
    says: 'decimal numbers have a point: 10.0',
    query: 'filters[price][$endsWith]=.0',
    gives: matches(
      {
        $cond: [
          { $and: [{ $eq: [{ $trunc: '$price' }, '$price'] }, { $lt: [{ $abs: '$price' }, 1e15] }] },
          { $concat: [whole('$price'), '.0'] },
          { $toString: '$price' },
        ],
      },
      { regex: String.raw`\.0\z` },
    ),
  },
  {
    says: 'booleans are 1 and 0',
    query: 'filters[available][$contains]=1',
    gives: matches({ $toString: { $toInt: '$available' } }, { regex: '1' }),
  },
  {
    says: 'date-times are compared as milliseconds',
    query: 'filters[restockAt][$startsWith]=17',
    gives: matches(whole('$restockAt'), { regex: '^17' }),
  },
  {
    says: 'timestamps are compared as milliseconds',
    query: 'filters[stampedAt][$startsWith]=17',
    gives: matches(whole('$stampedAt'), { regex: '^17' }),
  },
  {
    says: 'dates are strings that are not parsed, so that parts of them match',
    query: 'filters[releasedOn][$startsWith]=2020-0',
    gives: { releasedOn: { $regex: String.raw`^2020\-0` } },
  },
  { says: 'times are texts', query: 'filters[opensAt][$contains]=:30', gives: { opensAt: { $regex: ':30' } } },
  {
    says: 'negative operators never match null',
    query: 'filters[stock][$notContains]=1',
    gives: {
      $expr: {
        $and: [
          { $not: [{ $eq: [{ $ifNull: [whole('$stock'), null] }, null] }] },
          { $not: [{ $regexMatch: { input: whole('$stock'), regex: '1' } }] },
        ],
      },
    },
  },
  {
    says: '$not never matches null',
    query: 'filters[stock][$not][$contains]=1',
    gives: {
      $expr: {
        $and: [
          { $not: [{ $eq: [{ $ifNull: ['$stock', null] }, null] }] },
          { $not: [{ $regexMatch: { input: whole('$stock'), regex: '1' } }] },
        ],
      },
    },
  },
]);

golden(
  'text operators on what is no text, in components',
  { ...products, of: 'article', also: 'fields[0]=title', frame: ofTitles },
  [
    {
      says: 'a component is part of its entry',
      query: 'filters[seo][id][$contains]=1',
      gives: matches(whole('$seo.id'), { regex: '1' }),
    },
    {
      says: 'one component of a list must match the complete condition, as an expression',
      query: 'filters[links][label]=Home&filters[links][priority][$endsWith]=0',
      gives: {
        $expr: {
          $anyElementTrue: {
            $map: {
              input: { $ifNull: ['$links', []] },
              as: 'component',
              in: {
                $and: [
                  { $eq: ['$$component.label', { $literal: 'Home' }] },
                  {
                    $regexMatch: {
                      input: whole('$$component.priority'),
                      regex: String.raw`0\z`,
                    },
                  },
                ],
              },
            },
          },
        },
      },
    },
  ],
);

golden('casts of operands', products, [
  { says: 'booleans have several words', query: 'filters[available]=t', gives: { available: { $eq: true } } },
  { says: 'and for false too', query: 'filters[available]=0', gives: { available: { $eq: false } } },
  {
    says: 'a biginteger is exact beyond 2^53',
    query: 'filters[serial]=9007199254740993',
    gives: { serial: { $eq: 9_007_199_254_740_993n } },
  },
  {
    says: 'a date is a string, truncated after the day',
    query: 'filters[releasedOn][$lt]=2020-01-01T23:00:00Z',
    gives: { releasedOn: { $lt: '2020-01-01' } },
  },
  {
    says: 'a datetime is parsed to a Date',
    query: 'filters[restockAt]=2024-01-01T01:00:00.000%2B01:00',
    gives: { restockAt: { $eq: new Date('2024-01-01T00:00:00.000Z') } },
  },
  {
    says: 'a timestamp can be milliseconds',
    query: 'filters[stampedAt][$gte]=1700000000000',
    gives: { stampedAt: { $gte: new Date(1_700_000_000_000) } },
  },
  { says: 'a time is a text', query: 'filters[opensAt][$gt]=09:30:00', gives: { opensAt: { $gt: '09:30:00.000' } } },
  {
    says: 'a time requires seconds',
    query: 'filters[opensAt][$gt]=09:30',
    refused: 'Invalid time format, expected HH:mm:ss.SSS',
  },
  { says: 'a date must exist', query: 'filters[releasedOn]=2024-02-30', refused: 'Invalid date' },
  {
    says: 'a datetime must be valid',
    query: 'filters[restockAt]=garbage',
    refused: 'Invalid format, expected a timestamp or an ISO date',
  },
  { says: 'no number equals a word', query: 'filters[price]=cheap', gives: { price: { $in: [] } } },
  { says: 'every number is another than a word', query: 'filters[price][$ne]=cheap', gives: { price: { $ne: null } } },
  { says: 'an empty text is the number 0', query: 'filters[stock][$lte]=', gives: { stock: { $lte: 0 } } },
  { says: 'it is 0 in decimal numbers', query: 'filters[price]=', gives: { price: { $eq: 0 } } },
  { says: 'it is 0 in floating-point numbers', query: 'filters[cost][$ne]=', gives: { cost: { $nin: [0, null] } } },
  { says: 'it is 0 in a list', query: 'filters[stock][$in][]=', gives: { stock: { $in: [0] } } },
  { says: 'no big integer is an empty text', query: 'filters[serial]=', gives: { serial: { $in: [] } } },
  { says: 'texts come after big integers', query: 'filters[serial][$lt]=', gives: { serial: { $ne: null } } },
  { says: 'nothing comes after texts', query: 'filters[serial][$gte]=', gives: { serial: { $in: [] } } },
  { says: 'big integers compare with fractions', query: 'filters[serial][$gt]=1.5', gives: { serial: { $gt: 1.5 } } },
  { says: 'no id is an empty text', query: 'filters[id]=', gives: { _id: { $in: [] } } },
  { says: 'texts come after ids', query: 'filters[id][$lte]=x', gives: { _id: { $ne: null } } },
  { says: 'an id is decimal', query: 'filters[id]=0x10', gives: { _id: { $in: [] } } },
  {
    says: 'a pair with a string as end has no upper bound',
    query: 'filters[id][$between][]=2&filters[id][$between][]=x',
    gives: { _id: { $gte: 2 } },
  },
  {
    says: 'a pair with a string as start matches nothing',
    query: 'filters[id][$between][]=&filters[id][$between][]=5',
    gives: { _id: { $in: [] } },
  },
  { says: 'an empty text is no', query: 'filters[available]=', gives: { available: { $eq: false } } },
  { says: 'an empty text is no day', query: 'filters[releasedOn]=', refused: 'Invalid format, expected yyyy-MM-dd' },
  { says: 'it is no time', query: 'filters[opensAt]=', refused: 'Invalid time format, expected HH:mm:ss.SSS' },
  {
    says: 'an invalid timestamp is refused',
    query: 'filters[restockAt]=',
    refused: 'Invalid format, expected a timestamp or an ISO date',
  },
  {
    says: 'milliseconds can be followed by blanks',
    query: 'filters[restockAt][$gt]=5%20',
    gives: { restockAt: { $gt: new Date(5) } },
  },
  {
    says: 'an unknown enumeration value matches nothing',
    query: 'filters[size]=HUGE',
    gives: { size: { $eq: 'HUGE' } },
  },
]);

golden('$and, $or and $not', products, [
  {
    says: 'conditions are combined with and',
    query: 'filters[size]=S&filters[stock][$gt]=5',
    gives: { $and: [{ size: { $eq: 'S' } }, { stock: { $gt: 5 } }] },
  },
  {
    says: 'conditions on one attribute are combined with and',
    query: 'filters[price][$gt]=1&filters[price][$lt]=5',
    gives: { $and: [{ price: { $gt: 1 } }, { price: { $lt: 5 } }] },
  },
  {
    says: '$or accepts a list',
    query: 'filters[$or][0][size]=S&filters[$or][1][stock][$lt]=0',
    gives: { $or: [{ size: { $eq: 'S' } }, { stock: { $lt: 0 } }] },
  },
  { says: 'a group of one is no group', query: 'filters[$or][0][size]=S', gives: { size: { $eq: 'S' } } },
  {
    says: '$or works within an attribute',
    query: 'filters[price][$or][0][$lt]=1&filters[price][$or][1][$gt]=5',
    gives: { $or: [{ price: { $lt: 1 } }, { price: { $gt: 5 } }] },
  },
  {
    says: '$not is moved to the comparison, which stays false for null',
    query: 'filters[price][$not][$gt]=10',
    gives: { price: { $not: { $gt: 10 }, $ne: null } },
  },
  {
    says: '$not of a filter is moved to its comparisons',
    query: 'filters[$not][size]=XL',
    gives: { size: { $not: { $eq: 'XL' }, $ne: null } },
  },
  { says: '$not of $null is $notNull', query: 'filters[size][$not][$null]=true', gives: { size: { $ne: null } } },
  {
    says: '$not of $notIn is $in',
    query: 'filters[size][$not][$notIn][0]=S',
    gives: { size: { $in: ['S'] } },
  },
  { says: '$not of $ne is $eq', query: 'filters[size][$not][$ne]=S', gives: { size: { $eq: 'S' } } },
  { says: '$not twice is nothing', query: 'filters[$not][$not][size]=XL', gives: { size: { $eq: 'XL' } } },
  {
    says: '$not turns $and into $or',
    query: 'filters[$not][$and][0][size]=XL&filters[$not][$and][1][available]=false',
    gives: {
      $or: [{ size: { $not: { $eq: 'XL' }, $ne: null } }, { available: { $not: { $eq: false }, $ne: null } }],
    },
  },
  {
    says: '$not turns $or into $and',
    query: 'filters[$not][$or][0][size]=XL&filters[$not][$or][1][stock][$null]=true',
    gives: { $and: [{ size: { $not: { $eq: 'XL' }, $ne: null } }, { stock: { $ne: null } }] },
  },
  { says: 'a comparison with null stays unknown below $not', query: 'filters[$not][name][$lt]', gives: never },
  { says: '$not of null asks for any value', query: 'filters[name][$not]', gives: { name: { $ne: null } } },
  {
    says: '$not accepts a list, like other operators',
    query: 'filters[name][$not][]=a&filters[name][$not][]=b',
    gives: { $or: [{ name: { $not: { $eq: 'a' }, $ne: null } }, { name: { $not: { $eq: 'b' }, $ne: null } }] },
  },
  {
    says: '$not of a value that no number equals matches all numbers',
    query: 'filters[id][$not]=',
    gives: { _id: { $not: { $in: [] }, $ne: null } },
  },
]);

golden('filters that say nothing', products, [
  { says: 'unknown operators are ignored', query: 'filters[name][$regex]=^a', gives: undefined },
  { says: 'objects where a value belongs are ignored', query: 'filters[name][$eq][x]=y', gives: undefined },
  {
    says: 'objects in lists are ignored',
    query: 'filters[name][$in][0]=x&filters[name][$in][1][y]=z',
    gives: { name: { $in: ['x'] } },
  },
  { says: 'a bare list of them equals nothing', query: 'filters[name][0][x]=y', gives: { name: { $in: [] } } },
  { says: '$null is a flag, whatever it is given', query: 'filters[name][$null][x]=y', gives: { name: { $eq: null } } },
  { says: 'an empty parameter is no filter', query: 'filters=', gives: undefined },
  { says: 'a parameter without a value is no filter', query: 'filters', gives: undefined },
  {
    says: 'names of Object.prototype are dropped',
    query: 'filters[__proto__][x]=1&filters[toString]=1',
    gives: undefined,
  },
]);

golden('filters that are refused', products, [
  { says: 'unknown attributes', query: 'filters[nope]=1', refused: 'Invalid parameter nope' },
  { says: 'private attributes', query: 'filters[margin][$gt]=0', refused: 'Invalid parameter margin' },
  { says: 'passwords', query: 'filters[pin][$startsWith]=$2b', refused: 'Invalid parameter pin' },
  { says: 'names of the database', query: 'filters[_id]=1', refused: 'Invalid parameter _id' },
  { says: 'operators of the database', query: 'filters[$where]=sleep(1)', refused: 'Invalid parameter $where' },
  {
    says: 'at any position',
    query: 'filters[$and][0][$or][0][$expr]=1',
    refused: 'Invalid parameter $expr',
  },
  { says: 'paths', query: 'filters[dimensions.width]=1', refused: 'Invalid parameter dimensions.width' },
  { says: 'a text instead of conditions', query: 'filters=abc', refused: 'Invalid parameter filters' },
  { says: 'unknown operators on an id', query: 'filters[id][$foo]=1', refused: 'Invalid parameter $foo' },
  { says: 'the same below $not', query: 'filters[id][$not][$foo]=1', refused: 'Invalid parameter $foo' },
  { says: 'the same below $or', query: 'filters[id][$or][0][$foo]=1', refused: 'Invalid parameter $foo' },
  { says: 'the same in a list', query: 'filters[id][0][$foo]=1', refused: 'Invalid parameter $foo' },
  { says: 'the same in a list of $in', query: 'filters[id][$in][0][x]=1', refused: 'Invalid parameter x' },
  { says: 'objects for an id', query: 'filters[id][$eq][x]=1', refused: 'Invalid parameter x' },
  { says: 'indexes beyond a list for an id', query: 'filters[id][$in][200]=1', refused: 'Invalid parameter 200' },
  { says: 'attributes below an id', query: 'filters[id][name]=x', refused: 'Invalid parameter name' },
  { says: 'unknown operators on a relation', query: 'filters[vendor][$foo]=1', refused: 'Invalid parameter $foo' },
  { says: 'on the id behind it', query: 'filters[vendor][id][$foo]=1', refused: 'Invalid parameter $foo' },
  {
    says: 'a list of conditions on a relation',
    query: 'filters[vendor][0][name]=x',
    refused: 'Invalid parameter name',
  },
  { says: 'conditions below an operator', query: 'filters[vendor][$eq][name]=x', refused: 'Invalid parameter name' },
  { says: 'the same below $in', query: 'filters[vendor][$in][name]=x', refused: 'Invalid parameter name' },
  { says: 'the same in its list', query: 'filters[vendor][$in][0][name]=x', refused: 'Invalid parameter name' },
  { says: 'an index beyond a list', query: 'filters[vendor][101]=1', refused: 'Invalid parameter 101' },
  { says: 'a list on a component', query: 'filters[dimensions][0][width]=1', refused: 'Invalid parameter width' },
  {
    says: 'conditions below its operators',
    query: 'filters[dimensions][$ne][width]=1',
    refused: 'Invalid parameter width',
  },
  { says: 'attributes in the place of operators', query: 'filters[name][stock]=1', refused: 'Invalid parameter stock' },
  { says: 'or of values', query: 'filters[name][$eq][stock]=1', refused: 'Invalid parameter stock' },
  { says: 'or in their lists', query: 'filters[name][$in][0][id]=1', refused: 'Invalid parameter id' },
  { says: 'operators in the place of values', query: 'filters[name][$eq][$ne]=1', refused: 'Invalid parameter $ne' },
  { says: 'groups in the place of values', query: 'filters[name][$in][$or][0]=1', refused: 'Invalid parameter $or' },
  {
    says: 'unknown operators in groups on an attribute',
    query: 'filters[name][$or][0][$foo]=1',
    refused: 'Invalid parameter $foo',
  },
  { says: 'lists of values', query: 'filters[]=x', refused: 'Invalid parameter filters' },
  { says: 'lists of nothing', query: 'filters[]=', refused: 'Invalid parameter filters' },
  { says: 'groups of nothing', query: 'filters[$or][]=', refused: 'Invalid parameter filters' },
  { says: 'empty groups', query: 'filters[$and]=', refused: 'Invalid parameter filters' },
  { says: 'groups without a value', query: 'filters[$or]', refused: 'Invalid parameter filters' },
  { says: '$not of nothing', query: 'filters[$not]=', refused: 'Invalid parameter filters' },
  { says: 'a text beside conditions', query: 'filters=a&filters[name]=x', refused: 'Invalid parameter filters' },
  {
    says: 'three values of a pair',
    query: 'filters[stock][$between]=1&filters[stock][$between]=2&filters[stock][$between]=3',
    refused: 'Invalid parameter $between',
  },
  { says: 'the first of several wrong ones', query: 'filters[a]=1&filters[b]=1', refused: 'Invalid parameter a' },
  {
    says: 'more than 20 levels',
    query: `filters${'[$not]'.repeat(20)}[name]=x`,
    refused: 'Invalid parameter filters',
  },
  {
    says: 'more than 100 values',
    query: Array.from({ length: 101 }, (_, index) => `filters[id][$in][${index}]=${index}`).join('&'),
    refused: 'The query asks for too much: at most 100 values in a list',
  },
]);
