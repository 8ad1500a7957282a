import { expect, test } from '@jest/globals';
import { useProjects, type RunningProject } from './project-folder.js';

const shown = `(ctx) => ({ ip: ctx.ip, requestIp: ctx.request.ip, ips: ctx.ips, protocol: ctx.protocol, secure: ctx.secure,
  host: ctx.host, hostname: ctx.hostname, origin: ctx.origin })`;
const limited = `{ auth: false, middlewares: [{ name: 'plugin::users-permissions.rateLimit', config: { max: 3, interval: { min: 5 } } }] }`;
const base = {
  'src/api/edge/routes/edge.js': `module.exports = { routes: [
    { method: 'GET', path: '/edge', handler: ${shown}, config: { auth: false } },
    { method: 'POST', path: '/contact/:id', handler: () => ({ ok: true }), config: ${limited} },
    { method: 'POST', path: '/comments/:id', handler: () => ({ ok: true }), config: ${limited} },
  ] };`,
  'src/extensions/users-permissions/strapi-server.js': 'module.exports = (plugin) => plugin;',
  'access.json': JSON.stringify({
    roles: { public: { permissions: ['plugin::users-permissions.auth.callback'] } },
  }),
};

const run = useProjects(base);

const json = async (response: Promise<Response>): Promise<unknown> => (await response).json();

/** The statuses of posts to these paths, each with its own `X-Forwarded-For`. */
async function statusesOf(
  { fetch }: RunningProject,
  requests: readonly (readonly [string, string])[],
  body: object = {},
): Promise<number[]> {
  const statuses: number[] = [];
  for (const [place, forwarded] of requests) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': forwarded };
    statuses.push((await fetch(place, { method: 'POST', headers, body: JSON.stringify(body) })).status);
  }
  return statuses;
}

/** Wrong log-ins of one client, who invents an address each time, behind a proxy. */
const guesses = Array.from(
  { length: 7 },
  (_, index) => ['/api/auth/local', `203.0.113.${index}, 198.51.100.7`] as const,
);
const wrong = { identifier: 'nobody', password: 'wrong' };

const proxied = { 'config/server.js': 'module.exports = { proxy: true };' };
const forwarded = {
  'x-forwarded-for': '203.0.113.9, 198.51.100.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'www.example.test',
};

test.each([
  ['by TRUSTED_PROXIES', { '.env': 'TRUSTED_PROXIES=1\n' }],
  ['one with proxy: true of config/server', proxied],
  ['by TRUSTED_PROXIES, whatever config/server says', { ...proxied, '.env': 'TRUSTED_PROXIES=1\n' }],
])('code reads the client that the service sees behind its proxies: %s', async (_name, files) => {
  const project = await run(files);
  expect(await json(project.fetch('/api/edge', { headers: forwarded }))).toEqual({
    ip: '198.51.100.7',
    requestIp: '198.51.100.7',
    ips: ['198.51.100.7'],
    protocol: 'https',
    secure: true,
    host: 'www.example.test',
    hostname: 'www.example.test',
    origin: 'https://www.example.test',
  });
  // One client has five attempts, whatever it writes in front of its address; another is not concerned.
  expect(await statusesOf(project, guesses, wrong)).toEqual([400, 400, 400, 400, 400, 429, 429]);
  // It is refused before its body is read, which is not JSON.
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' };
  const refused = await project.fetch('/api/auth/local', { method: 'POST', headers, body: '{' });
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([429, 'no-store']);
  expect(await statusesOf(project, [['/api/auth/local', '198.51.100.8']], wrong)).toEqual([400]);
});

test('log-ins over GraphQL that call code of the project count for the client behind a proxy', async () => {
  const project = await run({
    '.env': 'TRUSTED_PROXIES=1\n',
    'config/plugins.js': 'module.exports = { graphql: { enabled: true } };',
  });
  const query = 'mutation { login(input: { identifier: "nobody", password: "wrong" }) { jwt } }';
  const messages: unknown[] = [];
  for (const [, address] of guesses) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const body = JSON.stringify({ query });
    const answered = await json(project.fetch('/graphql', { method: 'POST', headers, body }));
    messages.push((answered as { errors: { message: string }[] }).errors[0]?.message);
  }
  expect(new Set(messages.slice(0, 5))).toEqual(new Set(['Invalid identifier or password']));
  expect(new Set(messages.slice(5))).toEqual(new Set(['Too many requests, please try again later.']));
});

test.each([
  ['without settings', {}],
  ['with TRUSTED_PROXIES=0', { ...proxied, '.env': 'TRUSTED_PROXIES=0\n' }],
])('without a proxy, code does not read the headers of one: %s', async (_name, files) => {
  const project = await run(files);
  const host = new URL(project.url).host;
  const seen = await json(project.fetch('/api/edge', { headers: forwarded }));
  expect(seen).toMatchObject({ ips: [], protocol: 'http', secure: false, host, origin: `http://${host}` });
  expect(JSON.stringify(seen)).not.toMatch(/198\.51|203\.0/);
});

test('plugin::users-permissions.rateLimit counts the requests of a network to a route', async () => {
  const project = await run({ '.env': 'TRUSTED_PROXIES=1\n' });
  const spelled = ['/api/contact/1', '/api/contact/2', '/api/CONTACT/1', '/api/contact/1/'];
  expect(
    await statusesOf(
      project,
      spelled.map((place) => [place, '198.51.100.7']),
    ),
  ).toEqual([200, 200, 200, 429]);
  expect(await statusesOf(project, [['/api/comments/1', '198.51.100.7']])).toEqual([200]);
  const network = ['::1', '::2', ':a::3', ':b::4'].map((end) => ['/api/contact/1', `2001:db8:1:2${end}`] as const);
  expect(await statusesOf(project, network)).toEqual([200, 200, 200, 429]);
  expect(await statusesOf(project, [['/api/contact/1', '2001:db8:1:3::1']])).toEqual([200]);
});

test('routes of code are named in the log and in the metrics', async () => {
  const project = await run({
    '.env': 'LOG_REQUESTS=true\n',
    'src/index.js': `module.exports = { register({ strapi }) { strapi.server.router.get('/raw/:id', (ctx) => { ctx.body = 'raw'; }); } };`,
  });
  await statusesOf(project, [['/api/contact/7', '198.51.100.7']]);
  await project.fetch('/raw/7');
  await project.fetch('/nowhere/7');
  for (const route of ['/api/contact/:id', '/raw/:id', 'unknown']) await project.printed(`"route":"${route}"`);
  const metrics = await (await project.fetch('/metrics')).text();
  for (const route of ['/api/contact/:id', '/raw/:id', 'unknown']) expect(metrics).toContain(`route="${route}"`);
  expect(metrics).not.toContain('route="/"');
});

test('CORS_ORIGINS applies to routes of code, also with middlewares of the project', async () => {
  const project = await run({
    '.env': 'CORS_ORIGINS=https://good.example\n',
    'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::cors', 'strapi::body', (ctx, next) => next()];`,
  });
  for (const place of ['/api/edge', '/api/users']) {
    const headersFor = async (origin: string): Promise<readonly (string | null)[]> => {
      const { headers } = await project.fetch(place, { headers: { origin } });
      return ['access-control-allow-origin', 'access-control-allow-credentials'].map((name) => headers.get(name));
    };
    expect(await headersFor('https://good.example')).toEqual(['https://good.example', 'true']);
    expect((await headersFor('https://evil.example'))[0]).toBeNull();
  }
});

const corsHeaders = ({ headers }: Response): readonly (string | null)[] =>
  ['access-control-allow-origin', 'access-control-allow-credentials'].map((name) => headers.get(name));

/** `unit/strapi/cors` has the other settings: one function decides for both places. */
test.each([
  ['without other middlewares', ''],
  ['with middlewares of the project', ', async (ctx, next) => { ctx.state.seen = true; await next(); }'],
])('a function of config/middlewares decides which pages can read every answer: %s', async (_name, more) => {
  const project = await run({
    'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::security',
      { name: 'strapi::cors', config: { origin: async (ctx) => [ctx.get('Origin')].filter((one) => one.endsWith('.good.example')) } },
      'strapi::query', 'strapi::body', 'strapi::favicon', 'strapi::public'${more}];`,
  });
  const [good, evil] = ['https://a.good.example', 'https://evil.example'];
  const asked = { 'access-control-request-method': 'POST' };
  for (const place of ['/api/edge', '/api/users', '/graphql', '/uploads/no.png', '/nothing'])
    for (const options of [{}, { method: 'OPTIONS', headers: asked }]) {
      const headersFor = async (origin: string): Promise<readonly (string | null)[]> =>
        corsHeaders(await project.fetch(place, { ...options, headers: { ...options.headers, origin } }));
      expect([place, await headersFor(good)]).toEqual([place, [good, 'true']]);
      expect([place, await headersFor(evil)]).toEqual([place, [null, null]]);
      expect([place, await headersFor('null')]).toEqual([place, [null, null]]);
    }
});

test('pages of any origin never send cookies, and middlewares before strapi::cors see preflight requests', async () => {
  const project = await run({
    'src/index.js': `module.exports = { register({ strapi }) { strapi.server.use((ctx, next) => {
      if (ctx.method === 'OPTIONS' && ctx.path === '/api/mine') { ctx.set('Access-Control-Allow-Origin', 'https://mine.example'); ctx.status = 204; return; }
      return next(); }); } };`,
  });
  const asked = { origin: 'https://any.example', 'access-control-request-method': 'POST' };
  for (const options of [{ headers: { origin: 'null' } }, { method: 'OPTIONS', headers: asked }])
    expect(corsHeaders(await project.fetch('/api/edge', options))).toEqual(['*', null]);
  const [origin] = corsHeaders(await project.fetch('/api/mine', { method: 'OPTIONS', headers: asked }));
  expect(origin).toBe('https://mine.example');
});

test('an origin that nobody can compare stops the start, with its place', async () => {
  const files = {
    'config/middlewares.js': `module.exports = ['strapi::errors',
      { name: 'strapi::cors', config: { origin: undefined } }];`,
  };
  await expect(run(files)).rejects.toThrow('config/middlewares.js:2: origin of strapi::cors has to be');
});

test('options of strapi::security decide which pages can show files and pages of the project', async () => {
  const site = 'https://site.example';
  const list = (config: string): string => `module.exports = ['strapi::errors',
    { name: 'strapi::security', config: ${config} }, 'strapi::cors', 'strapi::query', 'strapi::body', 'strapi::public'];`;
  const files = {
    'public/page.html': '<p>page</p>',
    'access.json': JSON.stringify({ roles: { public: { permissions: ['plugin::upload.content-api.upload'] } } }),
  };
  const shown = async (config: string): Promise<object> => {
    const { fetch } = await run({ ...files, 'config/middlewares.js': list(config) });
    const form = new FormData();
    for (const [name, type] of [
      ['a.pdf', 'application/pdf'],
      ['a.html', 'text/html'],
    ] as const)
      form.append('files', new Blob(['%PDF-1.7'], { type }), name);
    const uploaded = (await (await fetch('/api/upload', { method: 'POST', body: form })).json()) as { url: string }[];
    const paths = ['/page.html', '/api/edge', ...uploaded.map(({ url }) => url)];
    const answers = await Promise.all(paths.map(async (path) => fetch(path)));
    return answers.map(({ headers }) => {
      const policy = headers.get('content-security-policy') ?? '';
      return [
        headers.get('x-frame-options'),
        /frame-ancestors ([^;]*)/.exec(policy)?.[1],
        policy.endsWith('; sandbox'),
        headers.get('content-disposition'),
      ];
    });
  };
  const directives = `{ directives: { 'frame-ancestors': ["'self'", '${site}'] } }`;
  const open = [null, `'self' ${site}`, false, null];
  expect(await shown(`{ frameguard: false, contentSecurityPolicy: ${directives} }`)).toEqual([
    open,
    open,
    open,
    [null, `'self' ${site}`, true, 'attachment'],
  ]);
  const closed = ['SAMEORIGIN', "'self'", false, null];
  const ofFile = ['SAMEORIGIN', "'self'", true, 'attachment'];
  expect(await shown('{ hsts: false }')).toEqual([closed, closed, ofFile, ofFile]);
});

test('a wrong option of strapi::security stops the start with its place', async () => {
  const middlewares = `module.exports = [\n  { name: 'strapi::security', config: { hsts: { maxAge: 'long' } } },\n];`;
  await expect(run({ 'config/middlewares.js': middlewares })).rejects.toThrow(
    /config\/middlewares\.js:2: hsts of strapi::security: Strict-Transport-Security: "long" is not a valid value for maxAge/,
  );
});
