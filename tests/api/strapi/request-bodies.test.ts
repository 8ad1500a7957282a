import http from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { useProjects, type Answered, type RunningProject } from './project-folder.js';

const note = 'src/api/note';
const core = (what: string, options = ''): string =>
  `module.exports = require('@strapi/strapi').factories.createCore${what}('api::note.note'${options});`;
const media = { type: 'media', multiple: false };
const base = {
  [`${note}/content-types/note/schema.json`]: JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: { draftAndPublish: false },
    attributes: { text: { type: 'text' }, owner: { type: 'string' }, cover: media, proof: media },
  }),
  [`${note}/routes/note.js`]: core('Router'),
  [`${note}/controllers/note.js`]: core('Controller'),
  [`${note}/services/note.js`]: core('Service'),
  'access.json': JSON.stringify({
    roles: {
      public: {
        permissions: [
          ...['find', 'findOne', 'create', 'update'].map((action) => `api::note.note.${action}`),
          'plugin::upload.content-api.find',
        ],
      },
    },
  }),
};

/** Requests with a form that is not sent completely. */
const begun: http.ClientRequest[] = [];
afterEach(() => {
  for (const sent of begun.splice(0)) sent.destroy();
});
const run = useProjects(base);

/** Sends a form with `data` and a text file for each named field. */
async function sendForm(
  { fetch }: RunningProject,
  [method, place]: readonly [string, string],
  data: object,
  fields: readonly string[] = [],
): Promise<Answered> {
  const form = new FormData();
  form.set('data', JSON.stringify(data));
  for (const field of fields) form.set(`files.${field}`, new Blob(['some text']), `${field}.txt`);
  const response = await fetch(place, { method, body: form });
  return { status: response.status, body: await response.json() };
}

test('core actions write the form that code left, not the one that was sent', async () => {
  const project = await run({
    [`${note}/controllers/note.js`]: core(
      'Controller',
      `, () => ({
        create(ctx) {
          if (ctx.is('multipart')) {
            const data = { ...JSON.parse(ctx.request.body.data), owner: 'me' };
            ctx.request.body = { ...ctx.request.body, data: JSON.stringify(data) };
            ctx.request.files = { 'files.cover': ctx.request.files['files.cover'] };
          } else ctx.request.body.data.owner = 'me';
          return super.create(ctx);
        },
        update(ctx) {
          ctx.request.body.data = JSON.stringify({ ...JSON.parse(ctx.request.body.data), owner: 'me' });
          delete ctx.request.files['files.cover'];
          return super.update(ctx);
        },
      })`,
    ),
  });
  const claimed = { text: 'a', owner: 'you' };
  expect(await project.send('POST', '/api/notes', { data: claimed })).toMatchObject({
    body: { data: { attributes: { owner: 'me' } } },
  });
  const created = await sendForm(project, ['POST', '/api/notes?populate=*'], claimed, ['cover', 'proof']);
  expect(created.body.data.attributes).toMatchObject({
    owner: 'me',
    cover: { data: { attributes: { name: 'cover.txt' } } },
    proof: { data: null },
  });
  const place = `/api/notes/${created.body.data.id}?populate=*`;
  expect(
    (await sendForm(project, ['PUT', place], { owner: 'you' }, ['cover', 'proof'])).body.data.attributes,
  ).toMatchObject({
    owner: 'me',
    cover: { data: { id: created.body.data.attributes.cover.data.id } },
    proof: { data: { attributes: { name: 'proof.txt' } } },
  });
});

/** The forms that are read at once, for each request at once. */
const FORMS = 4;

/** A form of which the first bytes are sent; `finish` sends the rest. */
interface Begun {
  readonly status: Promise<number>;
  finish(): void;
}

function beginForm({ url }: RunningProject, method: string, place: string, address = '192.0.2.1'): Begun {
  const headers = { 'content-type': 'multipart/form-data; boundary=x', 'x-forwarded-for': address };
  const sent = http.request(url + place, { method, headers });
  const part = 'Content-Disposition: form-data; name=';
  begun.push(sent.on('error', () => undefined));
  sent.write(`--x\r\n${part}"data"\r\n\r\n{"text":"a"}\r\n--x\r\n${part}"files.cover"; filename="a.txt"\r\n\r\nsome`);
  const status = new Promise<number>((resolve) => {
    sent.once('response', (response) => resolve(response.resume().statusCode ?? 0));
  });
  return { status, finish: () => void sent.end(' text\r\n--x--\r\n') };
}

/** A public route with a policy that reads the body, one that nobody may use, and one of the router. */
const routes = {
  [`${note}/routes/own.js`]: `module.exports = { routes: [
    { method: 'POST', path: '/texts', handler: 'note.create', config: { auth: false, policies: ['has-text'] } },
    { method: 'POST', path: '/secrets', handler: 'note.create', config: { auth: { scope: ['api::note.note.delete'] } } },
  ] };`,
  [`${note}/policies/has-text.js`]: `module.exports = (ctx) => JSON.parse(ctx.request.body.data).text === 'a';`,
  'src/index.js': `module.exports = { register({ strapi }) {
    strapi.server.router.post('/raw', (ctx) => { ctx.body = { data: ctx.request.body.data, files: Object.keys(ctx.request.files) }; });
  } };`,
};

test('a form is read once its caller may send it, before policies', async () => {
  const project = await run(routes);
  const refused = [
    ['POST', '/api/secrets', 403],
    ['PUT', '/api/texts', 405],
    ['PUT', '/api/notes', 405],
  ] as const;
  for (const [method, place, expected] of refused) {
    const form = beginForm(project, method, place);
    expect([place, await form.status]).toEqual([place, expected]);
    form.finish();
  }
  const allowed = beginForm(project, 'POST', '/api/texts');
  allowed.finish();
  expect(await allowed.status).toBe(200);
  expect(await sendForm(project, ['POST', '/api/texts'], { text: 'b' })).toMatchObject({ status: 403 });
  expect(await sendForm(project, ['POST', '/raw'], { text: 'b' }, ['cover'])).toMatchObject({
    body: { data: '{"text":"b"}', files: ['files.cover'] },
  });
});

/** A request whose headers announce a body; `finish` sends it. */
function announceBody({ url }: RunningProject, method: string, place: string, type: string, body: string): Begun {
  const headers = { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) };
  const sent = http.request(url + place, { method, headers });
  begun.push(sent.on('error', () => undefined));
  sent.flushHeaders();
  const status = new Promise<number>((resolve) => {
    sent.once('response', (response) => resolve(response.resume().statusCode ?? 0));
  });
  return { status, finish: () => void sent.end(body) };
}

test.each([
  ['application/json', '{"data":{"text":"a"}}', 200],
  ['application/x-www-form-urlencoded', 'data[text]=a', 200],
  ['text/plain', 'a', 400],
])('a body of type %s is read once its caller may send it, while others are served', async (type, body, accepted) => {
  const project = await run({
    ...routes,
    [`${note}/policies/has-text.js`]: 'module.exports = (ctx) => ctx.request.body !== undefined;',
    '.env': 'CONCURRENCY=1\nQUEUE_LIMIT=0\n',
  });
  const refused = [
    ['POST', '/api/secrets', 403],
    ['PUT', '/api/texts', 405],
    ['PUT', '/api/notes', 405],
  ] as const;
  for (const [method, place, expected] of refused) {
    expect([place, await announceBody(project, method, place, type, body).status]).toEqual([place, expected]);
  }
  const allowed = announceBody(project, 'POST', '/api/texts', type, body);
  expect((await project.send('GET', '/api/notes')).status).toBe(200);
  allowed.finish();
  expect(await allowed.status).toBe(accepted);
});

test('middlewares of the project after strapi::body read forms', async () => {
  const project = await run({
    ...routes,
    'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::body', (ctx, next) => {
      if (ctx.is('multipart') && !ctx.request.files['files.cover']) return ctx.badRequest('no cover');
      return next();
    }];`,
  });
  expect(await sendForm(project, ['POST', '/api/texts'], { text: 'a' })).toMatchObject({
    body: { error: { message: 'no cover' } },
  });
  expect(await sendForm(project, ['POST', '/api/texts'], { text: 'a' }, ['cover'])).toMatchObject({ status: 200 });
});

test('routes of the service handle the body that middlewares of the project left', async () => {
  const project = await run({
    'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::body', (ctx, next) => {
      if (ctx.path === '/api/auth/local/register') ctx.request.body = { ...ctx.request.body, username: 'chosen' };
      return next();
    }];`,
    'access.json': JSON.stringify({ roles: { public: { permissions: ['plugin::users-permissions.auth.register'] } } }),
  });
  const account = { username: 'mine', email: 'a@example.test', password: 'secret' };
  expect(await project.send('POST', '/api/auth/local/register', account)).toMatchObject({
    body: { user: { username: 'chosen' } },
  });
});

test.each([
  ['by the route', {}],
  [
    'for middlewares of the project',
    { 'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::body', (ctx, next) => next()];` },
  ],
])('a limited number of forms is read at once, and slow ones do not block other requests: %s', async (_name, files) => {
  const project = await run({ ...routes, ...files, '.env': 'CONCURRENCY=1\nTRUSTED_PROXIES=1\n' });
  const begin = (number: number): Begun => beginForm(project, 'POST', '/api/texts', `192.0.2.${number}`);
  const forms = Array.from({ length: FORMS + 1 }, (_none, number) => begin(number));
  expect(await Promise.race(forms.map(({ status }) => status))).toBe(503);
  expect((await project.send('GET', '/api/notes')).status).toBe(200);
  for (const form of forms) form.finish();
  const statuses = await Promise.all(forms.map(({ status }) => status));
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
});

test('the forms of one client leave places for those of others', async () => {
  const project = await run({ ...routes, '.env': 'CONCURRENCY=1\nTRUSTED_PROXIES=1\n' });
  const forms = Array.from({ length: FORMS }, () => beginForm(project, 'POST', '/api/texts'));
  expect(await Promise.race(forms.map(({ status }) => status))).toBe(429);
  const other = beginForm(project, 'POST', '/api/texts', '192.0.2.2');
  other.finish();
  expect(await other.status).toBe(200);
});

test('code gets the text of a body with includeUnparsed, to verify its signature', async () => {
  const project = await run({
    [`${note}/routes/hook.js`]: `module.exports = { routes: [{ method: 'POST', path: '/hook', handler: 'note.hook', config: { auth: false } }] };`,
    [`${note}/controllers/note.js`]: core(
      'Controller',
      `, () => ({
        hook: ({ request: { body } }) => ({ body, text: body[require('koa-body/unparsed.js')], same: body[Symbol.for('unparsedBody')] }),
      })`,
    ),
    'config/middlewares.js': `module.exports = ['strapi::errors', { name: 'strapi::body', config: { includeUnparsed: true } }];`,
  });
  const answered = async (body: string, type: string): Promise<unknown> => {
    const response = await project.fetch('/api/hook', { method: 'POST', body, headers: { 'content-type': type } });
    return response.json();
  };
  const json = '{ "id" : 1,  "text": "ü" }';
  expect(await answered(json, 'application/json')).toEqual({ body: JSON.parse(json), text: json, same: json });
  expect(await answered('a=1&b=%20', 'application/x-www-form-urlencoded')).toMatchObject({
    body: { a: '1', b: ' ' },
    text: 'a=1&b=%20',
  });
});
