import { beforeAll, describe, expect, test } from '@jest/globals';
import { contentTypeRoutes, isFor } from '../../src/plugins/contract/content-type-routes.js';
import type { PolicyRequest } from '../../src/plugins/contract/access/policy-request.js';
import { parameters } from '../../src/query/parse/parse-query.js';
import { scaled } from '../support/scaled.js';
import { useService } from '../support/service.js';

/**
 * Every door to one entry with every parameter, where a guard of the project refuses one entry: whatever is asked, the
 * answer has the entry that the guard was asked about, and it is asked about numbers alone.
 */
const uid = 'api::article.article';
const asked: PolicyRequest[] = [];
const HIDDEN = '1';
const policies = [(request: PolicyRequest): boolean => (asked.push(request), request.id !== HIDDEN)];
const client = useService({
  environment: { NODE_ENV: 'development' },
  plugins: {
    strapi5: true,
    versions: true,
    graphql: { config: { requestOptions: true } },
    i18n: { config: { locales: ['en', 'fr'] } },
  },
  extension: {
    guards: Object.fromEntries(
      ['find', 'findOne', 'create', 'update', 'delete', 'createLocalization'].map((action) => [
        `${uid}.${action}`,
        { policies },
      ]),
    ),
  },
});

let documentId: string;
beforeAll(async () => {
  await client.create('articles', { title: 'HIDDEN', slug: 'hidden', code: 'one' });
  await client.service.entries.create(uid, {
    title: 'French',
    slug: 'french',
    locale: 'fr',
    localizations: [1],
    publishedAt: new Date().toISOString(),
  });
  // Another document, which has no French.
  await client.create('articles', { title: 'Other', slug: 'other' });
  const { body } = await client.get('/v5/api/articles?sort=id');
  documentId = body.data[0].documentId;
});

/** Values of each parameter of requests, as query strings; a parameter without any is not tried. */
const samples: Readonly<Record<string, readonly string[]>> = {
  filters: ['filters[id]=1', 'filters[title]=HIDDEN', 'filters[locale]=en', 'filters[slug][$in][0]=hidden'],
  sort: ['sort=title', 'sort=id:desc'],
  fields: ['fields=title', 'fields[0]=*'],
  populate: ['populate=author', 'populate[tags]=true'],
  _q: ['_q=HIDDEN'],
  pagination: ['pagination[page]=1', 'pagination[start]=0', 'pagination[limit]=-1'],
  publicationState: ['publicationState=preview', 'publicationState=live', 'publicationState=x'],
  status: ['status=draft', 'status=published', 'status=x'],
  modified: ['modified=true', 'modified=false'],
  locale: ['locale=en', 'locale=fr', 'locale=all', 'locale=*', 'locale=', 'locale', 'locale=de', 'locale=fr&locale=en'],
  fallbackLocale: ['fallbackLocale=en', 'fallbackLocale=fr,en', 'fallbackLocale[0]=en', 'fallbackLocale=all'],
  dryRun: ['dryRun=true'],
  explain: ['explain=true'],
  preview: ['preview=x'],
  upsert: ['upsert=true'],
  publicationFilter: ['publicationFilter=modified', 'publicationFilter=has-published-version'],
  hasPublishedVersion: ['hasPublishedVersion=true'],
  id: ['id=1', 'id[0]=1'],
  documentId: ['documentId=x'],
};
/** Those by which a request can lead to another entry, in pairs. */
const leading = ['publicationState', 'status', 'locale', 'fallbackLocale', 'filters', 'publicationFilter'];

const queries: readonly string[] = [
  '',
  ...Object.values(samples).flat(),
  ...leading.flatMap((name, index) =>
    leading
      .slice(index + 1)
      .flatMap((other) => (samples[name] ?? []).flatMap((one) => (samples[other] ?? []).map((two) => `${one}&${two}`))),
  ),
];

test('each parameter is tried', () => {
  const { parameters: ofPlugins } = client.service.registry.contentTypes.get(uid) ?? { parameters: [] };
  const names = [...parameters, ...ofPlugins].map(({ name }) => name);
  expect(names.filter((name) => samples[name] === undefined)).toEqual([]);
});

interface Door {
  readonly name: string;
  /** Whether its path names an entry. */
  readonly isOfEntry: boolean;
  readonly request: (query: string) => { readonly method: string; readonly path: string; readonly body?: object };
}

/** The same id, as a number could be written. */
const spelled = ['2', '02', '2.0', '+2', '2e0', '%202', 'french', '1', '01', '0x1', '-1', 'undefined'];

/** All rows of the table of routes, in the form of Strapi v4. */
const ofRest = (id: string): readonly Door[] =>
  Object.entries(contentTypeRoutes).flatMap(([name, row]): readonly Door[] => {
    const type = client.service.registry.contentTypes.get(uid);
    if (type === undefined || !isFor(row, type)) return [];
    const path = row.path
      .replace(':id', id)
      .replace(':attribute', 'slug')
      .replace(':value', id === '1' ? 'hidden' : 'french');
    const body = row.method === 'POST' || row.method === 'PUT' ? { body: { data: {} } } : {};
    // What is written is not stored.
    const always = row.method === 'GET' ? '' : 'dryRun=true&';
    const request = (query: string) => ({
      method: row.method,
      path: `/api/articles${path}?${always}${query}`,
      ...body,
    });
    return [{ name: `${name} ${id}`, isOfEntry: row.path !== path || row.path.includes(':'), request }];
  });

/** What Strapi 5 has of one entry. */
const ofStrapi5 = (name: () => string): readonly Door[] =>
  ['GET', 'PUT', 'DELETE'].map((method) => ({
    name: `Strapi 5: ${method}`,
    isOfEntry: true,
    request: (query) => ({
      method,
      path: `/v5/api/articles/${name()}?${method === 'GET' ? '' : 'dryRun=true&'}${query}`,
      ...(method === 'PUT' && { body: { data: {} } }),
    }),
  }));

interface Sent {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test of any answer
  readonly body: any;
}

async function send({ method, path, body }: ReturnType<Door['request']>): Promise<Sent> {
  const headers = { authorization: `Bearer ${client.service.token}`, 'content-type': 'application/json' };
  const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(client.service.url + path, request);
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

/** What is wrong with an answer. @param ids that the guard was asked about before it */
function problemOf(ids: readonly string[], answered: number | undefined, isOfEntry: boolean): string | undefined {
  const odd = ids.find((id) => !/^\d+$/.test(id) && (isOfEntry || id !== ''));
  if (odd !== undefined) return `a guard was asked about ${JSON.stringify(odd)}`;
  if (isOfEntry && answered !== undefined && !ids.some((id) => Number(id) === answered))
    return `${answered} was answered, and the guard was asked about ${ids.join() || 'nothing'}`;
  return answered === Number(HIDDEN) && isOfEntry ? 'the entry that the guard refuses was answered' : undefined;
}

let sent = 0;

async function open(door: Door, tried: readonly string[]): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const query of tried) {
    sent += 1;
    const mark = String(sent);
    const { body } = await send(door.request(`${query}&mark=${mark}`));
    const ids = asked.flatMap((request) => (request.query['mark'] === mark ? [request.id] : []));
    const data: unknown = body?.data;
    const id = data !== null && typeof data === 'object' && 'id' in data ? Number(data.id) : undefined;
    const problem = problemOf(ids, id, door.isOfEntry);
    if (problem !== undefined) problems.push(`${door.name}?${query}: ${problem}`);
  }
  return problems;
}

/** A part of all queries in the quick run, another one for each door. */
const some = (list: readonly string[], door: number): readonly string[] =>
  list.filter((_, index) => index < SINGLE || index % scaled(24, 1) === door % scaled(24, 1));
const SINGLE = 1 + Object.values(samples).flat().length;

describe('over REST', () => {
  test('as it is asked, whatever the parameters', async () => {
    const tried = ofRest('2').map((door, index) => open(door, some(queries, index)));
    expect((await Promise.all(tried)).flat()).toEqual([]);
  });

  test('and however the id is written', async () => {
    const doors = spelled.flatMap(ofRest);
    expect((await Promise.all(doors.map((door) => open(door, ['', 'locale=fr&fallbackLocale=en'])))).flat()).toEqual(
      [],
    );
  });

  test('an entry that the guard allows is answered, and one that it refuses is not', async () => {
    expect((await send({ method: 'GET', path: '/api/articles/2' })).body.data.attributes.title).toBe('French');
    expect((await send({ method: 'GET', path: '/api/articles/1' })).status).toBe(403);
    expect((await send({ method: 'GET', path: '/api/articles/2?locale=fr&fallbackLocale=en' })).status).toBe(400);
    expect((await send({ method: 'GET', path: '/api/articles/french' })).status).toBe(404);
  });
});

describe('over Strapi 5', () => {
  test('as it is asked, whatever the parameters', async () => {
    const doors = [...ofStrapi5(() => documentId), ...ofStrapi5(() => 'nothing'), ...ofStrapi5(() => '2')];
    expect((await Promise.all(doors.map((door, index) => open(door, some(queries, index))))).flat()).toEqual([]);
  });

  test('an entry that the guard allows is answered, and one that it refuses is not', async () => {
    const path = `/v5/api/articles/${documentId}`;
    const statusOf = async (query: string): Promise<number> =>
      (await send({ method: 'GET', path: `${path}?${query}` })).status;
    expect(await Promise.all(['locale=fr', 'locale=en', '', 'locale=de', 'locale=*'].map(statusOf))).toEqual([
      200, 403, 403, 404, 404,
    ]);
    expect(
      await Promise.all(['locale=all', 'locale=fr&fallbackLocale=en', 'locale=fr&locale=en'].map(statusOf)),
    ).toEqual([400, 400, 400]);
    expect((await send({ method: 'DELETE', path: `${path}?locale=*` })).status).toBe(400);
  });
});

describe('over GraphQL', () => {
  /** Values of the arguments of fields, by their names. */
  const values: Readonly<Record<string, readonly string[]>> = {
    id: ['1', '2', '"02"', '"french"', 'null', '""', '"all"'],
    documentId: ['"$document"', '"nothing"', '"2"'],
    by: ['{ slug: "hidden" }', '{ code: "one" }'],
    locale: ['"en"', '"fr"', '"all"', '"*"', 'null', '$locale'],
    fallbackLocale: ['["en"]', '["fr", "en"]'],
    status: ['DRAFT', 'PUBLISHED'],
    publicationFilter: ['MODIFIED', 'HAS_PUBLISHED_VERSION'],
    hasPublishedVersion: ['true'],
    publicationState: ['PREVIEW'],
    data: ['{}'],
    dryRun: ['true'],
  };

  interface Field {
    readonly name: string;
    readonly args: readonly { readonly name: string; readonly type: { readonly kind: string } }[];
  }
  const introspect = `{ __schema {
    queryType { fields { ...field } } mutationType { fields { ...field } }
  } } fragment field on __Field { name args { name type { kind } } }`;

  /** The fields of one article, of a schema. */
  async function fieldsAt(path: string): Promise<readonly (Field & { readonly root: string })[]> {
    const { body } = await send({ method: 'POST', path, body: { query: introspect } });
    const { queryType, mutationType } = body.data.__schema;
    const named = (root: string, fields: readonly Field[]) => fields.map((field) => ({ ...field, root }));
    return [...named('query', queryType.fields), ...named('mutation', mutationType.fields)].filter(({ name }) =>
      ['article', 'updateArticle', 'deleteArticle', 'createArticleLocalization'].includes(name),
    );
  }

  /** All combinations of one value for each argument that is needed, and of one or two others. */
  function argumentsOf({ name, args }: Field, path: string): readonly string[] {
    const unknown = args.filter((arg) => values[arg.name] === undefined);
    if (unknown.length > 0) throw new Error(`No values for ${name}(${unknown.map((arg) => arg.name).join()})`);
    const isKey = (arg: Field['args'][number]): boolean => arg.name === 'id' || arg.name === 'documentId';
    const needed = args.filter((arg) => isKey(arg) || arg.type.kind === 'NON_NULL' || arg.name === 'dryRun');
    const written = (arg: Field['args'][number]): readonly string[] =>
      (values[arg.name] ?? []).map((value) => `${arg.name}: ${value}`);
    const product = (lists: readonly (readonly string[])[]): readonly string[] =>
      lists.reduce<readonly string[]>((all, list) => all.flatMap((one) => list.map((two) => `${one} ${two}`)), ['']);
    const others = args.filter((arg) => !needed.includes(arg)).map((arg) => ['', ...written(arg)]);
    const pairs = others.flatMap((one, index) => others.slice(index).map((two) => (one === two ? [one] : [one, two])));
    // A field without a key names an entry by another argument.
    const keyless = path === '/graphql' && name === 'article' ? ['by: { slug: "hidden" }'] : [];
    return [...new Set([...pairs.flatMap((pair) => product([...needed.map(written), ...pair])), ...keyless])];
  }

  test.each(['/graphql', '/v5/graphql'])('at %s, whatever the arguments', async (path) => {
    const problems: string[] = [];
    const isV5 = path.startsWith('/v5');
    for (const field of await fieldsAt(path)) {
      // Of documents that a mutation deletes only their id is known, and what it writes is stored.
      const isDeletion = field.name.startsWith('delete');
      if (isV5 && isDeletion) continue;
      const shown = isV5 ? '{ title locale }' : '{ data { id attributes { title locale } } }';
      for (const args of argumentsOf(field, path).filter((_, index) => index % scaled(4, 1) === 0)) {
        asked.splice(0);
        const variables = args.includes('$locale') ? '($locale: I18NLocaleCode)' : '';
        const text = args.replaceAll('$document', documentId);
        const query = `${field.root} q${variables} { one: ${field.name}${text === '' ? '' : `(${text})`} ${shown} }`;
        const { body } = await send({ method: 'POST', path, body: { query, variables: { locale: 'all' } } });
        const one = body?.data?.one;
        const { title } = (isV5 ? one : one?.data?.attributes) ?? { title: undefined };
        const id = title === undefined ? undefined : Number({ HIDDEN: 1, French: 2, Other: 3 }[String(title)]);
        const ids = asked.map((request) => request.id);
        const problem = problemOf(ids, id, true);
        if (problem !== undefined) problems.push(`${query}: ${problem}`);
      }
    }
    expect(problems).toEqual([]);
  });
});
