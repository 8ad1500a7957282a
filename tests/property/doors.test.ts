import { afterAll, beforeAll, expect, test } from '@jest/globals';
import lodash from 'lodash';
import { openProjectFolder, type Answered, type RunningProject } from '../api/strapi/project-folder.js';
import fc from '../support/fast-check.js';
import { scaled, seed } from '../support/scaled.js';

const actions = ['find', 'findOne', 'create', 'update', 'delete'] as const;
type Action = (typeof actions)[number];

/** What code can do to an action: each way hides the entries from clients of it. */
const ways = ['policy', 'removed', 'renamed', 'controller', 'service'] as const;
type Way = (typeof ways)[number] | 'none';

interface Changes {
  readonly ways: Readonly<Record<Action, Way>>;
  /** Lifecycles of the type hide what it has. */
  readonly isObserved: boolean;
}

const way = fc.oneof(
  { weight: 3, arbitrary: fc.constant('none' as const) },
  { weight: 1, arbitrary: fc.constantFrom(...ways) },
);
const changes: fc.Arbitrary<Changes> = fc.record({
  ways: fc.record({ find: way, findOne: way, create: way, update: way, delete: way }),
  isObserved: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});

const types = fc.sample(changes, { numRuns: scaled(30, 300), seed }).map((changed, index) => {
  const name = `thing${index}`;
  const where = (...looked: readonly string[]): readonly Action[] =>
    actions.filter((action) => looked.includes(changed.ways[action]));
  return { name, uid: `api::${name}.${name}`, changed, where };
});
type Type = (typeof types)[number];

const factory = (name: string, what: string, options: string): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::${name}.${name}', ${options});`;
const methods = (names: readonly string[], body: string): string =>
  `() => ({ ${names.map((name) => `async ${name}() { ${body} }`).join(', ')} })`;

const filesOf = ({ name, changed, where }: Type): Readonly<Record<string, string>> => {
  const policies = Object.fromEntries(where('policy').map((action) => [action, { policies: ['global::deny'] }]));
  const renamed = where('renamed').map(
    (action) => `{ method: 'POST', path: '/renamed/${name}/${action}', handler: '${name}.${action}' }`,
  );
  return {
    [`src/api/${name}/content-types/${name}/schema.json`]: JSON.stringify({
      kind: 'collectionType',
      collectionName: `${name}s`,
      info: { singularName: name, pluralName: `${name}s`, displayName: name },
      options: { draftAndPublish: true },
      attributes: { slug: { type: 'uid' }, hidden: { type: 'string' } },
    }),
    [`src/api/${name}/routes/${name}.js`]: factory(
      name,
      'Router',
      JSON.stringify({ except: where('removed', 'renamed'), config: policies }),
    ),
    [`src/api/${name}/routes/01-renamed.js`]: `module.exports = { routes: [${renamed.join(', ')}] };`,
    [`src/api/${name}/controllers/${name}.js`]: factory(
      name,
      'Controller',
      methods(where('controller'), 'return { own: true };'),
    ),
    [`src/api/${name}/services/${name}.js`]: factory(
      name,
      'Service',
      methods(where('service'), 'return { results: [], pagination: {} };'),
    ),
    ...(changed.isObserved && {
      [`src/api/${name}/content-types/${name}/lifecycles.js`]: `const hide = (entry) => { if (entry) entry.hidden = 'redacted'; };
        module.exports = { afterFindOne: ({ result }) => hide(result), afterFindMany: ({ result }) => result.forEach(hide) };`,
    }),
  };
};

const files = {
  ...Object.assign({}, ...types.map(filesOf)),
  'src/policies/deny.js': 'module.exports = () => false;',
  'src/index.js': `module.exports = { async bootstrap({ strapi }) {
    const role = await strapi.db.query('plugin::users-permissions.role').findOne({ where: { type: 'authenticated' } });
    await strapi.plugin('users-permissions').service('user').add({ username: 'ann', email: 'ann@example.test', password: 'secret-of-ann',
      provider: 'local', confirmed: true, role: role.id });
    for (const name of ${JSON.stringify(types.map(({ name }) => name))}) {
      await strapi.entityService.create(\`api::\${name}.\${name}\`, { data: { slug: 'one', hidden: 'SECRET', publishedAt: new Date(0) } });
    }
  } };`,
  'config/plugins.js':
    'module.exports = { versions: true, admin: true, strapi5: true, graphql: { config: { aggregation: true } } };',
  '.env': 'EVENTS=true',
  'access.json': JSON.stringify({
    roles: {
      authenticated: {
        // What is to be published is shown to those who see drafts.
        permissions: types.flatMap(({ uid }) => [...actions, 'find.drafts'].map((action) => `${uid}.${action}`)),
      },
    },
  }),
};

let project: RunningProject;
let token: string;
beforeAll(async () => {
  project = await openProjectFolder(files);
  const sent = { identifier: 'ann', password: 'secret-of-ann' };
  token = (await project.send('POST', '/api/auth/local', sent)).body.jwt;
});
afterAll(() => project.stop());

async function send(method: string, path: string, body: object | undefined): Promise<Answered> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await project.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: response.status, body: await response.json().catch(() => undefined) };
}

interface Door {
  readonly does: readonly Action[];
  /** The route of this action matches its path, too, and code that has it precedes. */
  readonly alsoMatches?: Action;
  readonly method: string;
  /** Below `/api`, unless it says otherwise. */
  readonly path: string;
  readonly base?: string;
  readonly body?: object;
}

/** What the service has besides the routes of Strapi v4, with the actions that it does there. Writes are dry runs. */
const doorsOf = ({ name }: Type): Readonly<Record<string, Door>> => {
  const data = { slug: 'one' };
  const batch = (operation: object, does: Action): Door => ({
    does: [does],
    method: 'POST',
    path: '/batch?dryRun=true',
    body: { operations: [{ [does]: `${name}s`, ...operation }] },
  });
  const groupsOverGraphql = (path: string, list: string): Door => ({
    does: ['find'],
    method: 'POST',
    base: '',
    path,
    body: {
      query: `{ ${lodash.camelCase(`${name}s`)}_aggregate(groupBy: { hidden: VALUE }) { ${list} { key { hidden } } } }`,
    },
  });
  return {
    count: { does: ['find'], alsoMatches: 'findOne', method: 'GET', path: `/${name}s/count` },
    groups: { does: ['find'], alsoMatches: 'findOne', method: 'GET', path: `/${name}s/aggregate?groupBy=hidden` },
    key: { does: ['findOne'], method: 'GET', path: `/${name}s/by/slug/one` },
    'write by key': { does: ['update'], method: 'PUT', path: `/${name}s/by/slug/one?dryRun=true`, body: { data } },
    upsert: {
      does: ['update', 'create'],
      method: 'PUT',
      path: `/${name}s/by/slug/new?upsert=true&dryRun=true`,
      body: { data: {} },
    },
    'delete by key': { does: ['delete'], method: 'DELETE', path: `/${name}s/by/slug/one?dryRun=true` },
    schedules: { does: ['update'], alsoMatches: 'findOne', method: 'GET', path: `/${name}s/schedules` },
    schedule: { does: ['update'], method: 'GET', path: `/${name}s/1/schedule` },
    'no schedule': { does: ['update'], method: 'DELETE', path: `/${name}s/1/schedule` },
    review: { does: ['update'], method: 'GET', path: `/${name}s/1/review` },
    versions: { does: ['findOne', 'update'], method: 'GET', path: `/${name}s/1/versions` },
    writers: { does: ['findOne', 'update'], method: 'GET', path: `/admin/writers/api::${name}.${name}/1` },
    presence: {
      does: ['findOne'],
      method: 'PUT',
      path: `/admin/presence/api::${name}.${name}/1`,
      body: { session: 'tab-of-ann' },
    },
    feed: { does: ['find'], method: 'GET', path: `/changes?types=${name}s&wait=0` },
    'Strapi 5': { does: ['find'], method: 'GET', base: '/v5/api', path: `/${name}s` },
    'Strapi 5, groups': { does: ['find'], method: 'GET', base: '/v5/api', path: `/${name}s/aggregate?groupBy=hidden` },
    'groups over GraphQL': groupsOverGraphql('/graphql', 'data'),
    'Strapi 5, groups over GraphQL': groupsOverGraphql('/v5/graphql', 'nodes'),
    'Strapi 5, creation': {
      does: ['create'],
      method: 'POST',
      base: '/v5/api',
      path: `/${name}s?dryRun=true`,
      body: { data: {} },
    },
    'batch that creates': batch({ data: {} }, 'create'),
    'batch that updates': batch({ id: 1, data }, 'update'),
    'batch that deletes': batch({ id: 1 }, 'delete'),
  };
};

const isTouched = ({ changed }: Type, does: readonly Action[]): boolean =>
  changed.isObserved || does.some((action) => changed.ways[action] !== 'none');

interface Answer {
  readonly type: string;
  readonly door: string;
  readonly isThere: boolean;
  /** Code takes part in what it does. */
  readonly isTouched: boolean;
  /** A route of code may match its path. */
  readonly isPreceded: boolean;
  readonly answer: Answered;
  readonly changed: Changes;
}

async function open(
  type: Type,
  name: string,
  { does, alsoMatches, method, base = '/api', path, body }: Door,
): Promise<Answer> {
  const answer = await send(method, base + path, body);
  const text = JSON.stringify(answer.body ?? null);
  // A route of the project can match the path.
  const isRefused =
    [400, 403, 404, 405].includes(answer.status) ||
    text.includes('"errors":[') ||
    /"own":true|"results":\[\]/.test(text);
  return {
    type: type.name,
    door: name,
    isThere: !isRefused || text.includes('SECRET'),
    isTouched: isTouched(type, does),
    isPreceded: alsoMatches !== undefined && isTouched(type, [alsoMatches]),
    answer,
    changed: type.changed,
  };
}

test('no door bypasses code of the project, and each is there if there is none in its way', async () => {
  const answers: Answer[] = [];
  // Not all at once: a busy service refuses requests for another reason.
  for (const type of types) {
    const doors = Object.entries(doorsOf(type));
    answers.push(...(await Promise.all(doors.map(([name, door]) => open(type, name, door)))));
  }
  expect(answers.filter((one) => (one.isThere ? one.isTouched : !one.isTouched && !one.isPreceded))).toEqual([]);
  for (const door of Object.keys(doorsOf(types[0] as Type)))
    expect([
      door,
      new Set(answers.filter((answer) => answer.door === door).map(({ isThere }) => isThere)).size,
    ]).toEqual([door, 2]);
});

test('the list of the drafts that a user has begun has none of types whose lists code answers', async () => {
  for (const { name } of types) await project.send('POST', `/api/${name}s`, { data: { publishedAt: null } }, token);
  const { body } = await project.send('GET', '/api/admin/desk', undefined, token);
  const expected = types.filter((type) => !isTouched(type, ['find', 'create'])).map(({ uid }) => uid);
  const listed = Object.keys(body.data as object);
  expect(listed).toEqual(expect.arrayContaining(expected));
  expect(types.filter((type) => listed.includes(type.uid) && isTouched(type, ['find']))).toEqual([]);
});

test('the log says what is not there', () => {
  const [, names = ''] = /so there is no \/:id\/versions of ([^"\\]*)/.exec(project.output()) ?? [];
  const touched = types.filter((type) => isTouched(type, ['findOne', 'update'])).map(({ uid }) => uid);
  expect(names.split(', ').toSorted()).toEqual(touched.toSorted());
});
