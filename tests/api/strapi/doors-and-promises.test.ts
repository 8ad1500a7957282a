import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import lodash from 'lodash';
import { refusedTerms as refusedByStrapi5 } from '../../../packages/strapi5/src/writes/write-actions.js';
import { contentTypeRoutes, type ContentTypeRouteName } from '../../../src/plugins/contract/content-type-routes.js';
import { refuseAll, refusedTerms, type RefusedTerms, type Term } from '../../../src/plugins/contract/write-terms.js';
import { openProjectFolder, type RunningProject } from './project-folder.js';

/**
 * Every door that writes, times every promise of a write, times what code of the project does there. A promise is kept,
 * or the request for it is refused, as the table of routes says; a new row of it is asked, too. Only headers over
 * GraphQL are without effect, as in Strapi v4.
 */

/** What code of the project does with writes of a type. */
const covers = ['plain', 'guarded', 'wrapped', 'observed'] as const;
type Cover = (typeof covers)[number];
const untouched: readonly Cover[] = ['plain'];

const kinds = { collectionType: '', singleType: 'sole' } as const;
type Kind = keyof typeof kinds;
const nameOf = (cover: Cover, kind: Kind): string => `${kinds[kind]}${cover}`;
const uidOf = (name: string): string => `api::${name}.${name}`;

const writesOf = (kind: Kind): readonly string[] =>
  kind === 'singleType' ? ['update', 'delete'] : ['create', 'update', 'delete'];

const codeOf = (cover: Cover, kind: Kind): Readonly<Record<string, string>> => {
  const name = nameOf(cover, kind);
  const factory = (what: string, options: string): string =>
    `module.exports = require('@strapi/strapi').factories.createCore${what}('${uidOf(name)}', ${options});`;
  const policies = Object.fromEntries(writesOf(kind).map((action) => [action, { policies: ['global::unless'] }]));
  const methods = writesOf(kind).map((action) => `async ${action}(ctx) { return super.${action}(ctx); }`);
  return {
    [`src/api/${name}/content-types/${name}/schema.json`]: JSON.stringify({
      kind,
      collectionName: `${name}s`,
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      options: { draftAndPublish: true, trash: 30 },
      attributes: { title: { type: 'string' }, slug: { type: 'uid' } },
    }),
    [`src/api/${name}/routes/${name}.js`]: factory(
      'Router',
      JSON.stringify({ config: cover === 'guarded' ? policies : {} }),
    ),
    [`src/api/${name}/controllers/${name}.js`]: factory(
      'Controller',
      cover === 'wrapped' ? `() => ({ ${methods.join(', ')} })` : '() => ({})',
    ),
    [`src/api/${name}/services/${name}.js`]: factory('Service', '() => ({})'),
    ...(cover === 'observed' && {
      [`src/api/${name}/content-types/${name}/lifecycles.js`]: `const nothing = () => undefined;
        module.exports = { beforeCreate: nothing, beforeUpdate: nothing, beforeDelete: nothing };`,
    }),
  };
};

const token = 'a-token-of-the-editor-with-enough-letters';
const files = {
  ...Object.assign({}, ...covers.flatMap((cover) => (Object.keys(kinds) as Kind[]).map((kind) => codeOf(cover, kind)))),
  'src/policies/unless.js': `module.exports = (ctx) => ctx.request.header['x-deny'] === undefined;`,
  // What is stored, and a new entry: no door of the service takes part.
  'src/api/world/routes/world.js': `
    const handler = async (ctx) => {
      const { uid, slug } = ctx.query;
      if (ctx.method === 'GET') return strapi.db.query(uid).findMany({ orderBy: 'id' });
      return strapi.entityService.create(uid, { data: { slug, title: 'first', publishedAt: new Date(0) } });
    };
    module.exports = { routes: ['GET', 'POST'].map((method) => ({ method, path: '/world', handler, config: { auth: false } })) };`,
  'config/plugins.js': `module.exports = { strapi5: true, graphql: { config: { requestOptions: true } } };`,
  '.env': `EDITOR_TOKEN=${token}`,
  'access.json': JSON.stringify({ tokens: { editor: { type: 'full-access', key: { env: 'EDITOR_TOKEN' } } } }),
};

let project: RunningProject;
beforeAll(async () => {
  project = await openProjectFolder(files);
});
afterAll(() => project.stop());

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  readonly isPublic?: boolean;
}

async function send({ method, path, headers, body, isPublic = false }: Sent) {
  const response = await project.fetch(path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(!isPublic && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

interface Entry {
  readonly id: number;
  /** To be written: each time another. */
  readonly title: string;
  readonly slug: string;
  readonly documentId: string;
}

/** A write by a door, as its client sends it. */
interface Door {
  readonly kind: Kind;
  /** What it refuses of code that does not take part; undefined: nothing of its headers counts. */
  readonly refuses: RefusedTerms | undefined;
  /** What code of the project may do there so that it is open. */
  readonly openFor: readonly Cover[];
  readonly request: (name: string, entry: Entry) => Pick<Sent, 'method' | 'path' | 'body'>;
  /** What is there to begin with. Default: an entry. */
  readonly begins?: 'deleted' | 'scheduled';
  /** How the door takes a condition, or a dry run, if it is not by headers and the query string. */
  readonly onlyIf?: ((body: object, tag: string) => object) | undefined;
  readonly dryRun?: (body: object) => object;
}

let count = 0;
const later = { unpublishAt: '2090-01-31T09:00:00Z' };

/** The routes of the table that write. */
const routes = Object.entries(contentTypeRoutes)
  .filter(([, { method }]) => method !== 'GET')
  .map(([key, route]): readonly [string, Door] => {
    const name = key as ContentTypeRouteName;
    const kind = route.kind ?? 'collectionType';
    const isOfSchedule = route.path.endsWith('/schedule');
    const begins = route.path.startsWith('/trash') ? 'deleted' : name === 'cancelSchedule' ? 'scheduled' : undefined;
    const request: Door['request'] = (type, { id, slug, title }) => ({
      method: route.method,
      path: `/api/${type}${kind === 'singleType' ? '' : 's'}${route.path
        .replace(':id', String(id))
        .replace(':attribute', 'slug')
        .replace(':value', slug)}`,
      body: route.method === 'DELETE' ? undefined : isOfSchedule ? later : { data: { title } },
    });
    const openFor = route.shortcutOf === undefined ? covers : untouched;
    const { refuses } = route;
    return [`REST ${name}`, { kind, refuses, openFor, request, ...(begins && { begins }) }];
  });

const forms = (['create', 'update', 'delete', 'updateSingle', 'deleteSingle'] as const).map(
  (name): readonly [string, Door] => {
    const { method, refuses: always } = contentTypeRoutes[name];
    const refuses = { ...always, ...refusedByStrapi5[name] };
    const kind = name.endsWith('Single') ? 'singleType' : 'collectionType';
    const request: Door['request'] = (type, { documentId, title }) => {
      const place = kind === 'singleType' ? type : name === 'create' ? `${type}s` : `${type}s/${documentId}`;
      return { method, path: `/v5/api/${place}`, body: method === 'DELETE' ? undefined : { data: { title } } };
    };
    return [`/v5 ${name}`, { kind, refuses, openFor: untouched, request }];
  },
);

const inOperation =
  (added: (tag: string) => object): NonNullable<Door['onlyIf']> =>
  (body, tag) => ({
    operations: (body as { readonly operations: readonly object[] }).operations.map((one) => ({
      ...one,
      ...added(tag),
    })),
  });
const batches = (['create', 'update', 'delete'] as const).map((action): readonly [string, Door] => [
  `batch ${action}`,
  {
    kind: 'collectionType',
    // Its operations take the tags, unless they create.
    refuses: action === 'create' ? refusedTerms.batch : lodash.omit(refusedTerms.batch, 'If-Match'),
    openFor: untouched,
    request: (type, { id, title }) => ({
      method: 'POST',
      path: '/api/batch',
      body: {
        operations: [
          { [action]: `${type}s`, ...(action !== 'create' && { id }), ...(action !== 'delete' && { data: { title } }) },
        ],
      },
    }),
    ...(action !== 'create' && { onlyIf: inOperation((ifMatch) => ({ ifMatch })) }),
  },
]);

const mutations = (['create', 'update', 'delete', 'updateSingle', 'deleteSingle'] as const).map(
  (operation): readonly [string, Door] => {
    const kind = operation.endsWith('Single') ? 'singleType' : 'collectionType';
    const action = operation.replace('Single', '');
    const written = (type: string, { id, title }: Entry, option: string): object => {
      const args = [
        ...(kind === 'singleType' || action === 'create' ? [] : [`id: ${id}`]),
        ...(action === 'delete' ? [] : [`data: { title: "${title}" }`]),
        ...(option === '' ? [] : [option]),
      ];
      const inBrackets = args.length === 0 ? '' : `(${args.join(', ')})`;
      return { query: `mutation { ${lodash.camelCase(`${action} ${type}`)}${inBrackets} { data { id } } }` };
    };
    return [
      `GraphQL ${operation}`,
      {
        kind,
        refuses: undefined,
        openFor: covers,
        request: (type, entry) => ({ method: 'POST', path: '/graphql', body: written(type, entry, '') }),
        dryRun: (body) => {
          const { query } = body as { readonly query: string };
          const named = /\(/.test(query)
            ? query.replace(')', ', dryRun: true)')
            : query.replace(' { data', '(dryRun: true) { data');
          return { query: named };
        },
      },
    ];
  },
);

const doors: Readonly<Record<string, Door>> = Object.fromEntries([...routes, ...forms, ...batches, ...mutations]);

/** What is stored of a type, in whatever way. */
async function stateOf(name: string, kind: Kind): Promise<string> {
  const entries = await send({ method: 'GET', path: `/api/world?uid=${uidOf(name)}` });
  expect(entries.status).toBe(200);
  const others =
    kind === 'singleType' ? [] : [`/api/${name}s/schedules`, `/api/${name}s/trash?publicationState=preview`];
  const lists = await Promise.all(others.map((path) => send({ method: 'GET', path })));
  return [entries, ...lists].map(({ text }) => text).join('\n');
}

async function begin(name: string, { kind, begins }: Door): Promise<Entry> {
  count += 1;
  const [slug, title] = [`slug-${count}`, `title ${count}`];
  if (kind === 'singleType') {
    const [former] = JSON.parse((await send({ method: 'GET', path: `/api/world?uid=${uidOf(name)}` })).text) as Entry[];
    if (former !== undefined) return { ...former, title, documentId: '' };
  }
  const created = await send({ method: 'POST', path: `/api/world?uid=${uidOf(name)}&slug=${slug}` });
  const { id } = JSON.parse(created.text) as Entry;
  const found = await send({
    method: 'GET',
    path: `/v5/api/${name}${kind === 'singleType' ? '' : `s?filters[slug]=${slug}`}`,
  });
  const [documentId = 'none'] = [...found.text.matchAll(/"documentId":"(\w+)"/g)].map(([, one = '']) => one);
  const entry = { id, slug, title, documentId };
  if (begins === 'deleted') await send({ method: 'DELETE', path: `/api/${name}s/${id}` });
  if (begins === 'scheduled') await send({ method: 'POST', path: `/api/${name}s/${id}/schedule`, body: later });
  return entry;
}

const isRefused = ({ status, text }: { readonly status: number; readonly text: string }): boolean =>
  status >= 400 || text.includes('"errors"');

/** How a promise is asked for, and what its answers have to be like. */
interface Promised {
  /** Undefined: the door has no way to ask. */
  readonly ask: (sent: Sent, door: Door) => Sent;
  readonly isKept: (
    first: Awaited<ReturnType<typeof send>>,
    again: () => ReturnType<typeof send>,
  ) => boolean | Promise<boolean>;
  readonly only?: Cover;
}

const withHeader =
  (name: string, value: string) =>
  (sent: Sent): Sent => ({ ...sent, headers: { [name]: value } });

const promises = {
  'If-Match': {
    ask: (sent, { onlyIf }) =>
      onlyIf === undefined
        ? withHeader('if-match', '"outdated"')(sent)
        : { ...sent, body: onlyIf(sent.body ?? {}, '"outdated"') },
    isKept: ({ status }) => status === 412,
  },
  'If-None-Match': { ask: withHeader('if-none-match', '*'), isKept: ({ status }) => status === 412 },
  'Idempotency-Key': {
    ask: (sent) => withHeader('idempotency-key', `key-${count}`)(sent),
    isKept: async (first, again) => !isRefused(first) && (await again()).headers.get('idempotent-replayed') === 'true',
  },
  dryRun: {
    ask: (sent, { dryRun }) =>
      dryRun === undefined ? { ...sent, path: `${sent.path}?dryRun=true` } : { ...sent, body: dryRun(sent.body ?? {}) },
    isKept: (answer) => !isRefused(answer),
  },
  rights: { ask: (sent) => ({ ...sent, isPublic: true }), isKept: isRefused },
  guards: { ask: withHeader('x-deny', 'yes'), isKept: isRefused, only: 'guarded' },
} as const satisfies Readonly<Record<string, Promised>>;

type Outcome = 'kept' | 'refused' | 'ignored';

/** What becomes of a promise: nothing is changed by a request that is refused, or that asks to change nothing. */
async function outcomeOf(door: Door, promise: keyof typeof promises, cover: Cover): Promise<Outcome> {
  const { ask, isKept } = promises[promise] as Promised;
  const name = nameOf(cover, door.kind);
  const entry = await begin(name, door);
  const before = await stateOf(name, door.kind);
  const asked = ask(door.request(name, entry), door);
  const first = await send(asked);
  const isUnchanged = (await stateOf(name, door.kind)) === before;
  const kept = await isKept(first, () => send(asked));
  if (kept && isUnchanged === (promise !== 'Idempotency-Key')) return 'kept';
  return isRefused(first) && isUnchanged ? 'refused' : 'ignored';
}

const isTerm = (promise: string): promise is Term => promise in refuseAll('');

/** What code refuses of the core routes, which it takes part in. */
const refusedByCode: Readonly<Record<Cover, RefusedTerms>> = {
  plain: {},
  guarded: {},
  // It may do what it likes with the request.
  wrapped: refuseAll('code'),
  // Lifecycles would run for a dry run, and know no entry that is absent.
  observed: lodash.pick(refuseAll('code'), 'dryRun', 'If-None-Match'),
};

/** What the tables say. */
function expectedOf({ refuses, openFor }: Door, promise: keyof typeof promises, cover: Cover): Outcome {
  if (refuses === undefined) {
    // Over GraphQL, routes have no part, as in Strapi v4: neither their headers nor their policies.
    if (promise === 'rights') return 'kept';
    if (promise !== 'dryRun') return 'ignored';
    return cover === 'observed' ? 'refused' : 'kept';
  }
  if (!isTerm(promise)) return 'kept';
  const byCode = openFor === covers ? refusedByCode[cover] : {};
  return Object.hasOwn({ ...refuses, ...byCode }, promise) ? 'refused' : 'kept';
}

describe.each(covers)('of a type whose writes are %s', (cover) => {
  const asked = (Object.keys(promises) as (keyof typeof promises)[]).filter(
    (promise) => ((promises[promise] as Promised).only ?? cover) === cover,
  );
  test.each(Object.keys(doors))('%s', async (name) => {
    const door = doors[name] as Door;
    const written = await send(door.request(nameOf(cover, door.kind), await begin(nameOf(cover, door.kind), door)));
    expect(isRefused(written)).toBe(!door.openFor.includes(cover));
    if (!door.openFor.includes(cover)) return;
    for (const promise of asked)
      expect([promise, await outcomeOf(door, promise, cover)]).toEqual([promise, expectedOf(door, promise, cover)]);
  });
});
