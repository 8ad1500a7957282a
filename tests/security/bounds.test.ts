import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { bounds } from '../../src/config/bounds.js';
import { useService } from '../support/service.js';

/** Everything of a request that has a count: one more than the bound is refused, as many as it are not. */
const contentTypes = fs.mkdtempSync(path.join(os.tmpdir(), 'content-types-'));
const write = (name: string, definition: object): void => {
  fs.mkdirSync(path.dirname(path.join(contentTypes, name)), { recursive: true });
  fs.writeFileSync(path.join(contentTypes, name), JSON.stringify(definition));
};
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const texts = times(40, (index) => `text${index}`);
const languages = ['en', 'fr', 'de', 'it', 'es', 'pt', 'nl', 'sv', 'da', 'fi', 'pl', 'cs'];
const thing = 'api::thing.thing';
write('thing.json', {
  kind: 'collectionType',
  collectionName: 'things',
  info: { singularName: 'thing', pluralName: 'things', displayName: 'Thing' },
  options: { draftAndPublish: true },
  pluginOptions: { i18n: { localized: true } },
  attributes: {
    ...Object.fromEntries(texts.map((name) => [name, { type: 'string' }])),
    long: { type: 'text' },
    data: { type: 'json' },
    text: { type: 'blocks' },
    parts: { type: 'component', component: 'page.part', repeatable: true },
    parent: { type: 'relation', relation: 'manyToOne', target: thing, inversedBy: 'children' },
    children: { type: 'relation', relation: 'oneToMany', target: thing, mappedBy: 'parent' },
  },
});
write('components/page/part.json', {
  collectionName: 'parts',
  info: { displayName: 'Part' },
  attributes: { name: { type: 'string' }, inner: { type: 'component', component: 'page.inner', repeatable: true } },
});
write('components/page/inner.json', {
  collectionName: 'inners',
  info: { displayName: 'Inner' },
  attributes: { name: { type: 'string' } },
});
afterAll(() => fs.rmSync(contentTypes, { recursive: true }));

const client = useService({
  contentTypes,
  plugins: {
    strapi5: true,
    graphql: { config: { variableLimit: 2000 } },
    upload: { config: { folders: true } },
  },
  configure: (config) => ({ ...config, limits: { ...config.limits, populate: lowered.populated } }),
});
/** A pipeline has no room for the steps of 500 relations. */
const lowered = { populated: 250 };

interface Sent {
  readonly method?: 'get' | 'post' | 'put';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fields?: readonly (readonly [string, string])[];
}

/** What is wrong with a request; undefined: nothing. */
async function refusalOf({
  method = 'post',
  path: address,
  body,
  headers = {},
  fields,
}: Sent): Promise<string | undefined> {
  const { url, token } = client.service;
  let sending = request(url)[method](address).auth(token, { type: 'bearer' }).set(headers);
  for (const [name, value] of fields ?? []) sending = sending.field(name, value);
  const answer = await (body === undefined ? sending : sending.send(body));
  expect(answer.status).toBeLessThan(500);
  const { errors, error } = answer.body as {
    readonly errors?: readonly { readonly message: string }[];
    readonly error?: { readonly message: string };
  };
  const found = errors?.[0] ?? error;
  return found?.message ?? (answer.status < 400 ? undefined : String(answer.status));
}

const get = (query: string): Sent => ({ method: 'get', path: `/api/things?${query}` });
const post = (data: object, headers = {}): Sent => ({ path: '/api/things', body: { data }, headers });
const graphql = (query: string, variables: object): Sent => ({ path: '/graphql', body: { query, variables } });
const filtered = (filters: object): Sent =>
  graphql('query ($filters: ThingFiltersInput) { things(filters: $filters) { data { id } } }', { filters });
const nested = (levels: number): object => times(levels - 1, () => 0).reduce<object>((inner) => [inner], []);
const list = (name: string, count: number, value: (index: number) => string): string =>
  times(count, (index) => `${name}[${index}]=${value(index)}`).join('&');

const locales = (codes: readonly string[]): Sent => ({
  method: 'put',
  path: '/api/i18n/locales',
  body: { locales: codes },
});
/** Of the codes that mean no language, from `qaa`. */
const privateCode = (index: number): string =>
  `q${String.fromCodePoint(97 + Math.floor(index / 26), 97 + (index % 26))}`;

/** A request that holds as many of what each bound is about. */
const requests: Readonly<Record<keyof typeof bounds, (count: number) => Sent>> = {
  urlCharacters: (count) => get('x='.padEnd(count - '/api/things?'.length, 'x')),
  parameters: (count) => get(times(count, (index) => `x${index}=1`).join('&')),
  names: (count) => get(`sort=${times(count, () => 'id').join()}`),
  populated: (count) => {
    const ways = [['children', ...times(99, () => 'parent')], times(count - 100, () => 'parent')];
    return get(ways.map((names, index) => `populate[${index}]=${names.join('.')}`).join('&'));
  },
  populateLevels: (count) => get(`populate=${times(count, () => 'parent').join('.')}`),
  sortKeys: (count) => get(`sort=${texts.slice(0, count).join()}`),
  sortRelations: (count) => get(`sort=${times(count, () => 'parent').join('.')}.text0`),
  filterValues: (count) => filtered({ or: times(count, () => ({})) }),
  listValues: (count) => get(list('filters[id][$in]', count, String)),
  filterLevels: (count) => get(`filters${'[$not]'.repeat(count - 1)}[text0]=x`),
  filterRelations: (count) => get(times(count, (index) => `filters[$or][${index}][parent][text0]=${index}`).join('&')),
  searchedCharacters: (count) => get(`_q=${'x'.repeat(count)}`),
  cursorCharacters: (count) => {
    const name = count > bounds.cursorCharacters ? 'long' : 'short';
    return get(`sort=long&pagination[pageSize]=1&pagination[after]=&filters[text0]=${name}`);
  },
  scheduledIds: (count) => ({
    method: 'get',
    path: `/api/things/schedules?ids=${times(count, (index) => index + 1).join()}`,
  }),
  fallbackLocales: (count) => get(`locale=en&fallbackLocale=${languages.slice(1, count + 1).join()}`),
  groupKeys: (count) => ({ method: 'get', path: `/api/things/aggregate?groupBy=${texts.slice(0, count).join()}` }),
  measures: (count) => ({
    method: 'get',
    path: `/api/things/aggregate?groupBy=text0&countDistinct=${texts.slice(0, count).join()}`,
  }),
  groupRelations: (count) => ({
    method: 'get',
    path: `/api/things/aggregate?groupBy=${times(count, () => 'parent').join('.')}.text0`,
  }),
  components: (count) => post({ parts: times(count, () => ({})) }),
  relatedEntries: (count) => post({ children: { disconnect: times(count, (index) => index + 1) } }),
  unknownNames: (count) => post(Object.fromEntries(times(count, (index) => [`name${index}`, 1]))),
  blockNodes: (count) => {
    const leaf = { type: 'text', text: 'x' };
    return post({ text: [{ type: 'paragraph', children: times(count - 1, () => leaf) }] });
  },
  jsonValues: (count) => post({ data: times(count, () => 1) }),
  jsonLevels: (count) => post({ data: nested(count) }),
  bodyValues: (count) => ({
    path: '/api/users-permissions/roles',
    body: { name: `role ${count}`, description: 'x', permissions: times(count - 3, () => 1) },
  }),
  locales: (count) => locales([...languages, ...times(count, privateCode)].slice(0, count)),
  operations: (count) => ({
    path: '/api/batch',
    body: { operations: times(count, () => ({ create: 'things', data: {} })) },
  }),
  selectedFiles: (count) => ({
    path: '/api/upload/actions/bulk-delete',
    body: { fileIds: times(count, (index) => index + 1_000_000) },
  }),
  variableLevels: (count) => graphql('{ __typename }', { data: nested(count - 2) }),
  formFields: (count) => ({
    path: '/api/things',
    fields: times(count, (index) => (index === 0 ? ['data', '{}'] : [`field${index}`, 'x'])),
  }),
  filePaths: (count) => {
    const variables = Object.fromEntries(times(count, (index) => [`file${index}`, null]));
    const query = 'query { __typename }';
    return {
      path: '/graphql',
      headers: { 'apollo-require-preflight': '1' },
      fields: [
        ['operations', JSON.stringify({ query, variables })],
        ['map', JSON.stringify({ 0: Object.keys(variables).map((name) => `variables.${name}`) })],
      ],
    };
  },
  keyCharacters: (count) => post({ text0: 'x' }, { 'idempotency-key': 'k'.repeat(count) }),
  keyedLevels: (count) => ({
    path: '/api/things',
    body: { data: { text0: 'x' }, further: nested(count - 1) },
    headers: { 'idempotency-key': `levels-${count}` },
  }),
};

beforeAll(async () => {
  await refusalOf(locales(languages));
  const most = bounds.cursorCharacters;
  for (const name of ['long', 'short', 'long', 'short'])
    await client.create('things', { text0: name, long: 'x'.repeat(name === 'long' ? most : most / 2) });
});

test.each(Object.entries(requests))('%s', async (name, make) => {
  const most = { ...bounds, ...lowered }[name as keyof typeof bounds];
  expect(await refusalOf(make(most))).toBeUndefined();
  expect(await refusalOf(make(most + 1))).toBeDefined();
});
