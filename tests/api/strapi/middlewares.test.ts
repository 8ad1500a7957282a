import http from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openFeed } from '../../support/change-feed.js';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';
import { until } from '../../support/until.js';

/** Every kind of answer of the service passes through the middlewares of a project. */

const note = 'src/api/note';
const long = 'ä'.repeat(300_000);
const actions = ['find', 'findOne', 'create'].map((action) => `api::note.note.${action}`);
const others = [
  'upload.content-api.upload',
  'upload.content-api.find',
  'upload.content-api.findOne',
  'users-permissions.auth.callback',
];
const offered = others.map((action) => `plugin::${action}`);
const files = {
  ...apiFiles('note', { text: { type: 'text' }, code: { type: 'string', unique: true } }),
  [`${note}/routes/own.js`]: `module.exports = { routes: [
    { method: 'GET', path: '/fail', handler: () => { throw new Error('of mine'); }, config: { auth: false } },
    { method: 'GET', path: '/stream', handler: (ctx) => { ctx.body = require('stream').Readable.from(['a', 'b']); }, config: { auth: false } },
  ] };`,
  '.env': 'EVENTS=true\n',
  'config/plugins.js': `module.exports = { admin: { enabled: true }, documentation: { enabled: true }, graphql: { enabled: true },
    'users-permissions': { config: { rateLimit: false } } };`,
  'public/page.html': '<p>page</p>',
  'public/folder/file.txt': 'x'.repeat(300_000),
  'public/folder/index.html': '<p>index</p>',
  'public/admin/index.html': '<p>hidden by a route</p>',
  'access.json': JSON.stringify({ roles: { public: { permissions: [...actions, ...offered] } } }),
};

/** Passes requests on; with a header it says what it saw of the answer, and changes it. */
const middleware = `async (ctx, next) => {
  await next();
  if (ctx.get('x-fallback') !== '' && ctx.body == null && ctx.status === 404) ctx.body = '<p>mine</p>';
  if (ctx.get('x-change') === '') return;
  const { body } = ctx;
  const kind = body === null || body === undefined ? 'none' : typeof body.pipe === 'function' ? 'stream'
    : Buffer.isBuffer(body) ? 'bytes' : typeof body;
  ctx.set('x-kind', kind);
  if (kind === 'object') ctx.body = { ...body, changed: true };
  if (kind === 'string') ctx.body = body + 'changed';
  if (kind === 'stream') ctx.body = body.pipe(new (require('stream').PassThrough)({ flush(done) { done(null, 'changed'); } }));
}`;
const fallback = { 'x-fallback': 'yes' };
/**
 * @param unanswered what a middleware sees of a path without a route: only those after `strapi::errors` can answer it
 */
const projects: readonly (readonly [
  name: string,
  files: Readonly<Record<string, string>>,
  unanswered: 'none' | 'object',
])[] = [
  [
    'config/middlewares',
    {
      'config/middlewares.js':
        "module.exports = ['strapi::errors', 'strapi::cors', 'strapi::query', 'strapi::body', 'global::pass'];",
      'src/middlewares/pass.js': `module.exports = () => ${middleware};`,
    },
    'none',
  ],
  [
    'strapi.server.use',
    { 'src/index.js': `module.exports = { register({ strapi }) { strapi.server.use(${middleware}); } };` },
    'object',
  ],
];

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

type Sent = readonly [path: string, options?: RequestInit];

interface Filled extends RunningProject {
  /** The path of a file of 300 kB. */
  readonly file: string;
  readonly json: string;
}

async function open(more: Readonly<Record<string, string>>): Promise<Filled> {
  const project = await openProjectFolder({ ...files, ...more });
  for (const code of ['a', 'b']) await project.send('POST', '/api/notes', { data: { text: long, code } });
  const upload = async (name: string, type: string, content: string): Promise<string> => {
    const form = new FormData();
    form.append('fileInfo', JSON.stringify({ caption: long }));
    form.append('files', new Blob([content], { type }), name);
    const uploaded = await project.fetch('/api/upload', { method: 'POST', body: form });
    const [file] = (await uploaded.json()) as readonly { readonly url: string }[];
    return file?.url ?? '';
  };
  const file = await upload('digits.txt', 'text/plain', '0123456789'.repeat(30_000));
  return { ...project, file, json: await upload('twice.json', 'application/json', '{"a":1.0,\n"a":2}') };
}

async function receive({ fetch }: RunningProject, [path, options = {}]: Sent, change = false): Promise<Received> {
  const headers = { ...(options.headers as object), ...(change && { 'x-change': 'yes' }) };
  const response = await fetch(path, { redirect: 'manual', ...options, headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

const ask = (query: string): Sent => [
  '/graphql',
  { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) },
];
const json = { method: 'POST', headers: { 'content-type': 'application/json' } };

/**
 * Requests with what a middleware sees of their answers. Code of the project answers those for notes, and the service
 * all others.
 */
const requests: readonly (readonly [name: string, sent: (project: Filled) => Sent, status: number, kind: string])[] = [
  ['a file', ({ file }) => [file], 200, 'stream'],
  ['a file of JSON', ({ json }) => [json], 200, 'stream'],
  ['a part of a file', ({ file }) => [file, { headers: { range: 'bytes=5-14' } }], 206, 'stream'],
  ['a part that is not there', ({ file }) => [file, { headers: { range: 'bytes=999999-' } }], 416, 'none'],
  ['HEAD of a file', ({ file }) => [file, { method: 'HEAD' }], 200, 'none'],
  ['a file that is not there', () => ['/uploads/no.png'], 404, 'unanswered'],
  ['a public page', () => ['/page.html'], 200, 'stream'],
  ['a public file', () => ['/folder/file.txt'], 200, 'stream'],
  ['a malformed path', () => ['/%ff'], 404, 'unanswered'],
  ['an index page', () => ['/folder?a=b'], 200, 'stream'],
  ['an index page by its folder', () => ['/folder/'], 200, 'stream'],
  ['a file as a folder', () => ['/page.html/'], 404, 'unanswered'],
  ['an entry of code', () => ['/api/notes/1?fields=text'], 200, 'object'],
  ['a list of code', () => ['/api/notes?fields=text'], 200, 'object'],
  ['HEAD of a list', () => ['/api/upload/files?fields=name', { method: 'HEAD' }], 200, 'object'],
  ['a short list', () => ['/api/upload/files?fields=name'], 200, 'object'],
  ['1 MB of a list', () => ['/api/upload/files?fields=caption'], 200, 'object'],
  ['an entry that is not there', () => ['/api/upload/files/9'], 404, 'object'],
  ['a path that is not there', () => ['/api/nothing'], 404, 'unanswered'],
  ['HEAD of a path that is not there', () => ['/nothing/at/all', { method: 'HEAD' }], 404, 'unanswered'],
  ['a wrong parameter', () => ['/api/upload/files?filters[no]=1'], 400, 'object'],
  ['a wrong body', () => ['/api/auth/local', { ...json, body: '{}' }], 400, 'object'],
  ['a refused method', () => ['/api/upload/files', { method: 'PUT' }], 405, 'string'],
  ['OPTIONS', () => ['/api/upload/files', { method: 'OPTIONS' }], 200, 'string'],
  ['a stream of code', () => ['/api/stream'], 200, 'stream'],
  ['a short answer of GraphQL', () => ask('{ note(id: 1) { data { id } } }'), 200, 'string'],
  ['600 kB of GraphQL', () => ask('{ note(id: 1) { data { attributes { text } } } }'), 200, 'string'],
  ['an error of GraphQL', () => ask('{ no }'), 400, 'string'],
  ['no operation of GraphQL', () => ['/graphql', json], 400, 'string'],
  ['the page of GraphQL', () => ['/graphql', { headers: { accept: 'text/html' } }], 200, 'string'],
  ['the description of the API', () => ['/documentation/openapi.json'], 200, 'object'],
  ['the editor', () => ['/admin'], 200, 'string'],
];

const compared = ['content-range', 'accept-ranges', 'location', 'allow', 'vary', 'cache-control'];
const shown = ({ status, headers, body }: Received): object => ({
  status,
  headers: Object.fromEntries(compared.map((name) => [name, headers.get(name)])),
  type: body === '' ? undefined : headers.get('content-type'),
  body,
});

describe.each(projects)('a middleware of %s', (_name, more, unanswered) => {
  let plain: Filled;
  let project: Filled;
  beforeAll(async () => {
    [plain, project] = await Promise.all([open({}), open(more)]);
  });
  afterAll(async () => {
    await Promise.all([plain.stop(), project.stop()]);
  });

  test.each(requests)('passes on %s', async (_, sent, status) => {
    const expected = await receive(plain, sent(plain));
    expect(expected.status).toBe(status);
    // The response cache answers from the second time on.
    for (let time = 0; time < 4; time += 1) {
      expect(shown(await receive(project, sent(project)))).toEqual(shown(expected));
    }
  });

  test.each(requests)('sees and changes %s', async (_, sent, status, seen) => {
    const kind = seen === 'unanswered' ? unanswered : seen;
    const { body } = await receive(plain, sent(plain));
    for (let time = 0; time < 4; time += 1) {
      const changed = await receive(project, sent(project), true);
      expect([changed.status, changed.headers.get('x-kind')]).toEqual([status, kind]);
      if (sent(project)[1]?.method === 'HEAD') continue;
      if (kind === 'object') expect(JSON.parse(changed.body)).toEqual({ ...JSON.parse(body), changed: true });
      else if (kind === 'none') expect(changed.body).toBe(body);
      else expect(changed.body).toBe(`${body}changed`);
    }
  });

  test.each([
    ['/nothing', '<p>mine</p>'],
    ['/api/nothing', '<p>mine</p>'],
    ['/uploads/no.png', '<p>mine</p>'],
    ['/api/upload/files/9', undefined],
    // As in Strapi v4: the core controller returns null.
    ['/api/notes/9', '<p>mine</p>'],
  ])('can answer %s where nothing did', async (path, page) => {
    const answer = await receive(project, [path, { headers: fallback }]);
    const isMine = unanswered === 'none' && page !== undefined;
    expect([answer.status, answer.body === page]).toEqual([isMine ? 200 : 404, isMine]);
    expect(answer.headers.get('content-type')).toMatch(isMine ? /^text\/html/ : /^application\/json/);
  });

  test('does not precede routes with files', async () => {
    const { body } = await receive(project, ['/admin']);
    expect(body).not.toContain('hidden');
  });

  test.each([
    ['a list', () => '/api/upload/files?fields=name'],
    ['a file', ({ file }: Filled) => file],
    ['a public page', () => '/page.html'],
  ])('passes on that the client has %s', async (_, pathOf) => {
    const url = project.url + pathOf(project);
    // Unlike fetch, it sends no Cache-Control.
    const get = async (headers: http.OutgoingHttpHeaders): Promise<http.IncomingMessage> => {
      const [response] = (await once(http.get(url, { headers }), 'response')) as [http.IncomingMessage];
      return response.resume();
    };
    const { etag = '' } = (await get({})).headers;
    const again = await get({ 'if-none-match': etag });
    expect([again.statusCode, again.headers.etag]).toEqual([304, etag]);
  });

  test('passes on the length of a file', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await receive(project, [
        project.file,
        { method, headers: { 'accept-encoding': 'identity' } },
      ]);
      expect([method, headers.get('content-length')]).toEqual([method, '300000']);
    }
  });

  test('passes on server-sent events and subscriptions', async () => {
    const query = 'subscription { changes(types: ["notes"]) { id } }';
    const search = new URLSearchParams({ query }).toString();
    const headers = { 'apollo-require-preflight': 'yes' };
    const [feed, subscription] = await Promise.all([
      openFeed(`${project.url}/api/changes?types=notes&fields[notes]=code`),
      fetch(`${project.url}/graphql?${search}`, { headers: { ...headers, accept: 'text/event-stream' } }),
    ]);
    const { body } = await project.send('POST', '/api/notes', { data: { text: 'new' } });
    expect(await feed.change()).toMatchObject({ id: body.data.id });
    const reader = subscription.body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    while (!received.includes('event: next')) received += (await reader?.read())?.value ?? '(ended)';
    expect(received).toContain(`"id":"${body.data.id}"`);
    await reader?.cancel();
    feed.close();
  });

  test('passes on metrics', async () => {
    expect(await receive(project, ['/metrics'])).toMatchObject({ status: 200 });
  });

  test('does not keep what a client no longer wants', async () => {
    for (const path of [project.file, '/folder/file.txt', '/api/notes', '/api/changes?types=notes']) {
      const request = http.get(`${project.url}${path}`, { headers: { accept: 'text/event-stream, */*' } });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      response.destroy();
    }
    expect(await receive(project, [project.file])).toMatchObject({ status: 200 });
    await until(async () => (await project.send('GET', '/_ready')).status === 204);
  });
});
