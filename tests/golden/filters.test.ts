import type { Document } from 'mongodb';
import { golden } from '../support/golden.js';

/** The stages with the `$match` of a filter, or without one if the filter is empty. */
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
  { rule: '$eq compares', query: 'filters[name][$eq]=Anvil', expected: { name: { $eq: 'Anvil' } } },
  { rule: 'a bare value means $eq', query: 'filters[name]=Anvil', expected: { name: { $eq: 'Anvil' } } },
  {
    rule: 'a list of values matches any of them',
    query: 'filters[name][$eq][0]=Anvil&filters[name][$eq][1]=Bolt',
    expected: { $or: [{ name: { $eq: 'Anvil' } }, { name: { $eq: 'Bolt' } }] },
  },
  {
    rule: 'a list without an operator matches any of them',
    query: 'filters[name][0]=Anvil&filters[name][1]=Bolt',
    expected: { $or: [{ name: { $eq: 'Anvil' } }, { name: { $eq: 'Bolt' } }] },
  },
  { rule: 'an empty string is a value', query: 'filters[name][$eq]=', expected: { name: { $eq: '' } } },
  { rule: 'a comparison with null matches null', query: 'filters[name][$eq]', expected: { name: { $eq: null } } },
  { rule: 'a name without a value matches null', query: 'filters[name]', expected: { name: { $eq: null } } },
  { rule: 'so does $eqi without a value', query: 'filters[name][$eqi]', expected: { name: { $eq: null } } },
  { rule: '$ne without a value matches any value', query: 'filters[name][$ne]', expected: { name: { $ne: null } } },
  { rule: 'so does $nei without a value', query: 'filters[name][$nei]', expected: { name: { $ne: null } } },
  { rule: 'no value is greater than null', query: 'filters[name][$gt]', expected: never },
  {
    rule: 'text operators treat null as a string',
    query: 'filters[name][$contains]',
    expected: { name: { $regex: 'null' } },
  },
  {
    rule: 'null in a list of $eq matches null',
    query: 'filters[name][$eq][]&filters[name][$eq][]=Anvil',
    expected: { $or: [{ name: { $eq: null } }, { name: { $eq: 'Anvil' } }] },
  },
  {
    rule: 'null in a list without an operator matches nothing',
    query: 'filters[name][]&filters[name][]=a',
    expected: { name: { $eq: 'a' } },
  },
  { rule: 'a bare list of null equals nothing', query: 'filters[name][]', expected: { name: { $in: [] } } },
  { rule: 'a list in a list is joined to one string', query: 'filters[name][0][]=a', expected: { name: { $eq: 'a' } } },
  { rule: '$ne never matches null', query: 'filters[name][$ne]=Anvil', expected: { name: { $nin: ['Anvil', null] } } },
  { rule: '$lt compares', query: 'filters[price][$lt]=10', expected: { price: { $lt: 10 } } },
  { rule: '$lte casts to the type', query: 'filters[price][$lte]=4.50', expected: { price: { $lte: 4.5 } } },
  { rule: '$gt accepts exponents', query: 'filters[stock][$gt]=1e3', expected: { stock: { $gt: 1000 } } },
  { rule: '$gte compares strings too', query: 'filters[name][$gte]=C', expected: { name: { $gte: 'C' } } },
  {
    rule: '$between includes both ends',
    query: 'filters[price][$between][0]=1&filters[price][$between][1]=5',
    expected: { price: { $gte: 1, $lte: 5 } },
  },
  {
    rule: '$between accepts two values',
    query: 'filters[price][$between]=1',
    refused: 'Invalid parameter $between',
  },
  {
    rule: '$in accepts a list',
    query: 'filters[size][$in][0]=S&filters[size][$in][1]=M',
    expected: { size: { $in: ['S', 'M'] } },
  },
  { rule: '$in takes one value', query: 'filters[size][$in]=S', expected: { size: { $in: ['S'] } } },
  { rule: 'null is in no list', query: 'filters[size][$in][0]', expected: { size: { $in: [] } } },
  {
    rule: '$notIn with null in its list matches nothing',
    query: 'filters[size][$notIn][]&filters[size][$notIn][]=S',
    expected: never,
  },
  {
    rule: '$between with null matches nothing',
    query: 'filters[stock][$between][]&filters[stock][$between][]=5',
    expected: never,
  },
  {
    rule: '$notIn never matches null',
    query: 'filters[size][$notIn][0]=S&filters[size][$notIn][1]=M',
    expected: { size: { $nin: ['S', 'M', null] } },
  },
  { rule: '$null takes true', query: 'filters[size][$null]=true', expected: { size: { $eq: null } } },
  { rule: '$null=false means $notNull', query: 'filters[size][$null]=false', expected: { size: { $ne: null } } },
  { rule: '$notNull takes true', query: 'filters[size][$notNull]=true', expected: { size: { $ne: null } } },
  { rule: '$notNull=0 means $null', query: 'filters[size][$notNull]=0', expected: { size: { $eq: null } } },
  {
    rule: 'the id is stored as _id',
    query: 'filters[id][$in][0]=1&filters[id][$in][1]=2',
    expected: { _id: { $in: [1, 2] } },
  },
]);

golden('text operators', products, [
  {
    rule: '$contains is a literal pattern',
    query: 'filters[name][$contains]=nv',
    expected: { name: { $regex: 'nv' } },
  },
  {
    rule: '$containsi ignores case',
    query: 'filters[name][$containsi]=nv',
    expected: { name: { $regex: 'nv', $options: 'i' } },
  },
  {
    rule: '$notContains never matches null',
    query: 'filters[name][$notContains]=nv',
    expected: { name: { $not: { $regex: 'nv' }, $ne: null } },
  },
  {
    rule: '$notContainsi never matches null',
    query: 'filters[name][$notContainsi]=nv',
    expected: { name: { $not: { $regex: 'nv', $options: 'i' }, $ne: null } },
  },
  {
    rule: '$startsWith can use an index',
    query: 'filters[name][$startsWith]=An',
    expected: { name: { $regex: '^An' } },
  },
  {
    rule: '$startsWithi ignores case',
    query: 'filters[name][$startsWithi]=An',
    expected: { name: { $regex: '^An', $options: 'i' } },
  },
  {
    rule: '$endsWith matches the end of the string, not before a final line break',
    query: 'filters[name][$endsWith]=il',
    expected: { name: { $regex: String.raw`il\z` } },
  },
  {
    rule: '$endsWithi ignores case',
    query: 'filters[name][$endsWithi]=il',
    expected: { name: { $regex: String.raw`il\z`, $options: 'i' } },
  },
  {
    rule: '$eqi compares the complete string',
    query: 'filters[name][$eqi]=anvil',
    expected: { name: { $regex: String.raw`^anvil\z`, $options: 'i' } },
  },
  {
    rule: '$nei never matches null',
    query: 'filters[name][$nei]=anvil',
    expected: { name: { $not: { $regex: String.raw`^anvil\z`, $options: 'i' }, $ne: null } },
  },
  {
    rule: 'special characters of patterns are escaped',
    query: 'filters[name][$contains]=(a.b*)[c]$',
    expected: { name: { $regex: String.raw`\(a\.b\*\)\[c\]\$` } },
  },
  {
    rule: 'wildcards of SQL are literal',
    query: 'filters[name][$contains]=%25_',
    expected: { name: { $regex: '%_' } },
  },
  {
    rule: 'NUL is escaped, because it would end a BSON pattern',
    query: 'filters[name][$contains]=a%00b',
    expected: { name: { $regex: String.raw`a\x00b` } },
  },
  {
    rule: 'json is stored and searched as text',
    query: 'filters[attrs][$contains]=blue',
    expected: { attrs: { $regex: 'blue' } },
  },
]);

const matches = (input: unknown, pattern: Document): Document => ({ $expr: { $regexMatch: { input, ...pattern } } });
const whole = (path: string): Document => ({ $toString: { $toLong: path } });

golden('text operators on what is no text', products, [
  {
    rule: 'integers are compared as text',
    query: 'filters[stock][$startsWith]=1',
    expected: matches(whole('$stock'), { regex: '^1' }),
  },
  {
    rule: 'the id is compared as text',
    query: 'filters[id][$containsi]=1',
    expected: matches(whole('$_id'), { regex: '1', options: 'i' }),
  },
  {
    rule: 'big integers lose no digit',
    query: 'filters[serial][$endsWith]=993',
    expected: matches(whole('$serial'), { regex: String.raw`993\z` }),
  },
  {
    rule: 'decimal numbers have a point: 10.0',
    query: 'filters[price][$endsWith]=.0',
    expected: matches(
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
    rule: 'booleans are 1 and 0',
    query: 'filters[available][$contains]=1',
    expected: matches({ $toString: { $toInt: '$available' } }, { regex: '1' }),
  },
  {
    rule: 'date-times are compared as milliseconds',
    query: 'filters[restockAt][$startsWith]=17',
    expected: matches(whole('$restockAt'), { regex: '^17' }),
  },
  {
    rule: 'timestamps are compared as milliseconds',
    query: 'filters[stampedAt][$startsWith]=17',
    expected: matches(whole('$stampedAt'), { regex: '^17' }),
  },
  {
    rule: 'dates are strings that are not parsed, so that parts of them match',
    query: 'filters[releasedOn][$startsWith]=2020-0',
    expected: { releasedOn: { $regex: String.raw`^2020\-0` } },
  },
  { rule: 'times are strings', query: 'filters[opensAt][$contains]=:30', expected: { opensAt: { $regex: ':30' } } },
  {
    rule: 'negative operators never match null',
    query: 'filters[stock][$notContains]=1',
    expected: {
      $expr: {
        $and: [
          { $not: [{ $eq: [{ $ifNull: [whole('$stock'), null] }, null] }] },
          { $not: [{ $regexMatch: { input: whole('$stock'), regex: '1' } }] },
        ],
      },
    },
  },
  {
    rule: '$not never matches null',
    query: 'filters[stock][$not][$contains]=1',
    expected: {
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
      rule: 'a component is part of its entry',
      query: 'filters[seo][id][$contains]=1',
      expected: matches(whole('$seo.id'), { regex: '1' }),
    },
    {
      rule: 'one component of a list must match the complete condition, as an expression',
      query: 'filters[links][label]=Home&filters[links][priority][$endsWith]=0',
      expected: {
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
  { rule: 'booleans have several words', query: 'filters[available]=t', expected: { available: { $eq: true } } },
  { rule: 'and for false too', query: 'filters[available]=0', expected: { available: { $eq: false } } },
  {
    rule: 'a biginteger is exact beyond 2^53',
    query: 'filters[serial]=9007199254740993',
    expected: { serial: { $eq: 9_007_199_254_740_993n } },
  },
  {
    rule: 'a date is a string, truncated after the day',
    query: 'filters[releasedOn][$lt]=2020-01-01T23:00:00Z',
    expected: { releasedOn: { $lt: '2020-01-01' } },
  },
  {
    rule: 'a datetime is parsed to a Date',
    query: 'filters[restockAt]=2024-01-01T01:00:00.000%2B01:00',
    expected: { restockAt: { $eq: new Date('2024-01-01T00:00:00.000Z') } },
  },
  {
    rule: 'a timestamp can be milliseconds',
    query: 'filters[stampedAt][$gte]=1700000000000',
    expected: { stampedAt: { $gte: new Date(1_700_000_000_000) } },
  },
  {
    rule: 'a time is compared as a string',
    query: 'filters[opensAt][$gt]=09:30:00',
    expected: { opensAt: { $gt: '09:30:00.000' } },
  },
  {
    rule: 'a time requires seconds',
    query: 'filters[opensAt][$gt]=09:30',
    refused: 'Invalid time format, expected HH:mm:ss.SSS',
  },
  { rule: 'a date must exist', query: 'filters[releasedOn]=2024-02-30', refused: 'Invalid date' },
  {
    rule: 'a datetime must be valid',
    query: 'filters[restockAt]=garbage',
    refused: 'Invalid format, expected a timestamp or an ISO date',
  },
  { rule: 'no number equals a word', query: 'filters[price]=cheap', expected: { price: { $in: [] } } },
  {
    rule: 'every number is another than a word',
    query: 'filters[price][$ne]=cheap',
    expected: { price: { $ne: null } },
  },
  { rule: 'an empty string is the number 0', query: 'filters[stock][$lte]=', expected: { stock: { $lte: 0 } } },
  { rule: 'it is 0 in decimal numbers', query: 'filters[price]=', expected: { price: { $eq: 0 } } },
  { rule: 'it is 0 in floating-point numbers', query: 'filters[cost][$ne]=', expected: { cost: { $nin: [0, null] } } },
  { rule: 'it is 0 in a list', query: 'filters[stock][$in][]=', expected: { stock: { $in: [0] } } },
  { rule: 'no big integer equals an empty string', query: 'filters[serial]=', expected: { serial: { $in: [] } } },
  { rule: 'strings sort after big integers', query: 'filters[serial][$lt]=', expected: { serial: { $ne: null } } },
  { rule: 'nothing sorts after strings', query: 'filters[serial][$gte]=', expected: { serial: { $in: [] } } },
  {
    rule: 'big integers compare with fractions',
    query: 'filters[serial][$gt]=1.5',
    expected: { serial: { $gt: 1.5 } },
  },
  { rule: 'no id equals an empty string', query: 'filters[id]=', expected: { _id: { $in: [] } } },
  { rule: 'strings sort after ids', query: 'filters[id][$lte]=x', expected: { _id: { $ne: null } } },
  { rule: 'an id is decimal', query: 'filters[id]=0x10', expected: { _id: { $in: [] } } },
  {
    rule: 'a pair with a string as end has no upper bound',
    query: 'filters[id][$between][]=2&filters[id][$between][]=x',
    expected: { _id: { $gte: 2 } },
  },
  {
    rule: 'a pair with a string as start matches nothing',
    query: 'filters[id][$between][]=&filters[id][$between][]=5',
    expected: { _id: { $in: [] } },
  },
  { rule: 'an empty string is false', query: 'filters[available]=', expected: { available: { $eq: false } } },
  {
    rule: 'an empty string is not a date',
    query: 'filters[releasedOn]=',
    refused: 'Invalid format, expected yyyy-MM-dd',
  },
  {
    rule: 'an empty string is not a time',
    query: 'filters[opensAt]=',
    refused: 'Invalid time format, expected HH:mm:ss.SSS',
  },
  {
    rule: 'an invalid timestamp is refused',
    query: 'filters[restockAt]=',
    refused: 'Invalid format, expected a timestamp or an ISO date',
  },
  {
    rule: 'milliseconds can be followed by blanks',
    query: 'filters[restockAt][$gt]=5%20',
    expected: { restockAt: { $gt: new Date(5) } },
  },
  {
    rule: 'an unknown enumeration value matches nothing',
    query: 'filters[size]=HUGE',
    expected: { size: { $eq: 'HUGE' } },
  },
]);

golden('$and, $or and $not', products, [
  {
    rule: 'conditions are combined with and',
    query: 'filters[size]=S&filters[stock][$gt]=5',
    expected: { $and: [{ size: { $eq: 'S' } }, { stock: { $gt: 5 } }] },
  },
  {
    rule: 'conditions on one attribute are combined with and',
    query: 'filters[price][$gt]=1&filters[price][$lt]=5',
    expected: { $and: [{ price: { $gt: 1 } }, { price: { $lt: 5 } }] },
  },
  {
    rule: '$or accepts a list',
    query: 'filters[$or][0][size]=S&filters[$or][1][stock][$lt]=0',
    expected: { $or: [{ size: { $eq: 'S' } }, { stock: { $lt: 0 } }] },
  },
  {
    rule: 'a group of one condition is that condition',
    query: 'filters[$or][0][size]=S',
    expected: { size: { $eq: 'S' } },
  },
  {
    rule: '$or works within an attribute',
    query: 'filters[price][$or][0][$lt]=1&filters[price][$or][1][$gt]=5',
    expected: { $or: [{ price: { $lt: 1 } }, { price: { $gt: 5 } }] },
  },
  {
    rule: '$not is moved to the comparison, which stays false for null',
    query: 'filters[price][$not][$gt]=10',
    expected: { price: { $not: { $gt: 10 }, $ne: null } },
  },
  {
    rule: '$not of a filter is moved to its comparisons',
    query: 'filters[$not][size]=XL',
    expected: { size: { $not: { $eq: 'XL' }, $ne: null } },
  },
  { rule: '$not of $null is $notNull', query: 'filters[size][$not][$null]=true', expected: { size: { $ne: null } } },
  {
    rule: '$not of $notIn is $in',
    query: 'filters[size][$not][$notIn][0]=S',
    expected: { size: { $in: ['S'] } },
  },
  { rule: '$not of $ne is $eq', query: 'filters[size][$not][$ne]=S', expected: { size: { $eq: 'S' } } },
  { rule: '$not twice is nothing', query: 'filters[$not][$not][size]=XL', expected: { size: { $eq: 'XL' } } },
  {
    rule: '$not turns $and into $or',
    query: 'filters[$not][$and][0][size]=XL&filters[$not][$and][1][available]=false',
    expected: {
      $or: [{ size: { $not: { $eq: 'XL' }, $ne: null } }, { available: { $not: { $eq: false }, $ne: null } }],
    },
  },
  {
    rule: '$not turns $or into $and',
    query: 'filters[$not][$or][0][size]=XL&filters[$not][$or][1][stock][$null]=true',
    expected: { $and: [{ size: { $not: { $eq: 'XL' }, $ne: null } }, { stock: { $ne: null } }] },
  },
  { rule: 'a comparison with null stays unknown below $not', query: 'filters[$not][name][$lt]', expected: never },
  { rule: '$not of null matches any value', query: 'filters[name][$not]', expected: { name: { $ne: null } } },
  {
    rule: '$not accepts a list, like other operators',
    query: 'filters[name][$not][]=a&filters[name][$not][]=b',
    expected: { $or: [{ name: { $not: { $eq: 'a' }, $ne: null } }, { name: { $not: { $eq: 'b' }, $ne: null } }] },
  },
  {
    rule: '$not of a value that no number equals matches all numbers',
    query: 'filters[id][$not]=',
    expected: { _id: { $not: { $in: [] }, $ne: null } },
  },
]);

golden('filters that say nothing', products, [
  { rule: 'unknown operators are ignored', query: 'filters[name][$regex]=^a', expected: undefined },
  { rule: 'objects where a value belongs are ignored', query: 'filters[name][$eq][x]=y', expected: undefined },
  {
    rule: 'objects in lists are ignored',
    query: 'filters[name][$in][0]=x&filters[name][$in][1][y]=z',
    expected: { name: { $in: ['x'] } },
  },
  { rule: 'a bare list of them equals nothing', query: 'filters[name][0][x]=y', expected: { name: { $in: [] } } },
  {
    rule: '$null is a flag, whatever it is given',
    query: 'filters[name][$null][x]=y',
    expected: { name: { $eq: null } },
  },
  { rule: 'an empty parameter is not a filter', query: 'filters=', expected: undefined },
  { rule: 'a parameter without a value is not a filter', query: 'filters', expected: undefined },
  {
    rule: 'names of Object.prototype are dropped',
    query: 'filters[__proto__][x]=1&filters[toString]=1',
    expected: undefined,
  },
]);

golden('filters that are refused', products, [
  { rule: 'unknown attributes', query: 'filters[nope]=1', refused: 'Invalid parameter nope' },
  { rule: 'private attributes', query: 'filters[margin][$gt]=0', refused: 'Invalid parameter margin' },
  { rule: 'passwords', query: 'filters[pin][$startsWith]=$2b', refused: 'Invalid parameter pin' },
  { rule: 'names of the database', query: 'filters[_id]=1', refused: 'Invalid parameter _id' },
  { rule: 'operators of the database', query: 'filters[$where]=sleep(1)', refused: 'Invalid parameter $where' },
  {
    rule: 'at any position',
    query: 'filters[$and][0][$or][0][$expr]=1',
    refused: 'Invalid parameter $expr',
  },
  { rule: 'paths', query: 'filters[dimensions.width]=1', refused: 'Invalid parameter dimensions.width' },
  { rule: 'a string instead of conditions', query: 'filters=abc', refused: 'Invalid parameter filters' },
  { rule: 'unknown operators on an id', query: 'filters[id][$foo]=1', refused: 'Invalid parameter $foo' },
  { rule: 'the same below $not', query: 'filters[id][$not][$foo]=1', refused: 'Invalid parameter $foo' },
  { rule: 'the same below $or', query: 'filters[id][$or][0][$foo]=1', refused: 'Invalid parameter $foo' },
  { rule: 'the same in a list', query: 'filters[id][0][$foo]=1', refused: 'Invalid parameter $foo' },
  { rule: 'the same in a list of $in', query: 'filters[id][$in][0][x]=1', refused: 'Invalid parameter x' },
  { rule: 'objects for an id', query: 'filters[id][$eq][x]=1', refused: 'Invalid parameter x' },
  { rule: 'indexes beyond a list for an id', query: 'filters[id][$in][200]=1', refused: 'Invalid parameter 200' },
  { rule: 'attributes below an id', query: 'filters[id][name]=x', refused: 'Invalid parameter name' },
  { rule: 'unknown operators on a relation', query: 'filters[vendor][$foo]=1', refused: 'Invalid parameter $foo' },
  { rule: 'on the id behind it', query: 'filters[vendor][id][$foo]=1', refused: 'Invalid parameter $foo' },
  {
    rule: 'a list of conditions on a relation',
    query: 'filters[vendor][0][name]=x',
    refused: 'Invalid parameter name',
  },
  { rule: 'conditions below an operator', query: 'filters[vendor][$eq][name]=x', refused: 'Invalid parameter name' },
  { rule: 'the same below $in', query: 'filters[vendor][$in][name]=x', refused: 'Invalid parameter name' },
  { rule: 'the same in its list', query: 'filters[vendor][$in][0][name]=x', refused: 'Invalid parameter name' },
  { rule: 'an index beyond a list', query: 'filters[vendor][101]=1', refused: 'Invalid parameter 101' },
  { rule: 'a list on a component', query: 'filters[dimensions][0][width]=1', refused: 'Invalid parameter width' },
  {
    rule: 'conditions below its operators',
    query: 'filters[dimensions][$ne][width]=1',
    refused: 'Invalid parameter width',
  },
  { rule: 'attributes in the place of operators', query: 'filters[name][stock]=1', refused: 'Invalid parameter stock' },
  { rule: 'or of values', query: 'filters[name][$eq][stock]=1', refused: 'Invalid parameter stock' },
  { rule: 'or in their lists', query: 'filters[name][$in][0][id]=1', refused: 'Invalid parameter id' },
  { rule: 'operators in the place of values', query: 'filters[name][$eq][$ne]=1', refused: 'Invalid parameter $ne' },
  { rule: 'groups in the place of values', query: 'filters[name][$in][$or][0]=1', refused: 'Invalid parameter $or' },
  {
    rule: 'unknown operators in groups on an attribute',
    query: 'filters[name][$or][0][$foo]=1',
    refused: 'Invalid parameter $foo',
  },
  { rule: 'lists of values', query: 'filters[]=x', refused: 'Invalid parameter filters' },
  { rule: 'lists of nothing', query: 'filters[]=', refused: 'Invalid parameter filters' },
  { rule: 'groups of nothing', query: 'filters[$or][]=', refused: 'Invalid parameter filters' },
  { rule: 'empty groups', query: 'filters[$and]=', refused: 'Invalid parameter filters' },
  { rule: 'groups without a value', query: 'filters[$or]', refused: 'Invalid parameter filters' },
  { rule: '$not of nothing', query: 'filters[$not]=', refused: 'Invalid parameter filters' },
  { rule: 'a string beside conditions', query: 'filters=a&filters[name]=x', refused: 'Invalid parameter filters' },
  {
    rule: 'three values of a pair',
    query: 'filters[stock][$between]=1&filters[stock][$between]=2&filters[stock][$between]=3',
    refused: 'Invalid parameter $between',
  },
  { rule: 'the first of several wrong ones', query: 'filters[a]=1&filters[b]=1', refused: 'Invalid parameter a' },
  {
    rule: 'more than 20 levels',
    query: `filters${'[$not]'.repeat(20)}[name]=x`,
    refused: 'Invalid parameter filters',
  },
  {
    rule: 'more than 100 values',
    query: Array.from({ length: 101 }, (_, index) => `filters[id][$in][${index}]=${index}`).join('&'),
    refused: 'The query asks for too much: at most 100 values in a list',
  },
]);
