import { beforeAll, expect, test } from '@jest/globals';
import type { ContentType, Registry } from '../../src/content-types/model/types.js';
import { anonymous, type Caller } from '../../src/documents/caller.js';
import { parseEntryQuery } from '../../src/calls/entry-query.js';
import { readCalls, type AskedRead } from '../../src/calls/read-call.js';
import { parseQuery, parseSingleQuery } from '../../src/query/parse/parse-query.js';
import { parseQueryString } from '../../src/calls/query-string.js';
import { limits, loadCorpus, typeOf } from '../support/golden.js';

/** What a request asks of the documents service, before anybody does it. */

let registry: Registry;
beforeAll(async () => {
  registry = await loadCorpus();
});

interface Asking {
  readonly caller?: Caller;
  readonly isByCode?: boolean;
  readonly previewed?: number;
}

/** @param request `<type> <action> [<id>] [?<query string>]` */
function callOf(request: string, { caller = anonymous, isByCode = false, previewed }: Asking = {}) {
  const [, name = '', action = '', id = '', text = ''] = /^(\S+) (\w+)(?: (\w+))?(?: \?(.*))?$/.exec(request) ?? [];
  const type: ContentType = typeOf(registry, name);
  const input = parseQueryString(text);
  const asked: AskedRead = {
    type,
    caller,
    id,
    list: () => parseQuery(input, type, 'client', limits),
    entry: () => parseEntryQuery(input, type, limits),
    single: () => parseSingleQuery(input, type, limits),
    isPreviewed: (shown) => shown === previewed && 'preview' in input,
    isByCode: () => isByCode,
    maxLimit: limits.maxLimit,
  };
  const { read, answer } = readCalls[action as keyof typeof readCalls](asked);
  const { query, ...others } = read;
  const { pagination, sort, filter, publicationState } = query;
  return {
    answer,
    ...others,
    ...(pagination && { pagination }),
    ...(publicationState && { publicationState }),
    sort: sort.length,
    isFiltered: filter !== undefined,
  };
}

test.each([
  ['tag find', { answer: 'list', action: 'find', sort: 0, isFiltered: false }],
  ['tag find ?sort=name&filters[name]=a', { answer: 'list', action: 'find', sort: 1, isFiltered: true }],
  ['tag findOne 7', { answer: 'entry', action: 'findOne', id: 7, previewed: false, sort: 0, isFiltered: false }],
  // What has no effect on one entry is no part of its call.
  ['tag findOne 7 ?sort=name', { answer: 'entry', action: 'findOne', id: 7, sort: 0, isFiltered: false }],
  ['homepage findSingle', { answer: 'entry', action: 'findSingle', previewed: false }],
  [
    'tag count ?filters[name]=a&sort=name&pagination[page]=3',
    { answer: 'count', action: 'find', sort: 0, isFiltered: true, pagination: { start: 0, limit: 1, withCount: true } },
  ],
])('%s', (request, call) => {
  expect(callOf(request)).toMatchObject(call);
});

test('a preview link shows the entry that it names', () => {
  expect(callOf('article findOne 7 ?preview=x', { previewed: 7 })).toMatchObject({ id: 7, previewed: true });
  expect(callOf('article findOne 8 ?preview=x', { previewed: 7 })).toMatchObject({ id: 8, previewed: false });
});

test.each([
  ['tag findOne x', 'Not Found'],
  ['tag findOne 7 ?sort=nothing', 'Invalid parameter nothing'],
  ['tag find ?pagination[page]=1&pagination[start]=1', 'Invalid pagination'],
])('%s is refused', (request, message) => {
  expect(() => callOf(request)).toThrow(message);
});
