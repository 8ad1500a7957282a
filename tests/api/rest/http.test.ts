import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { corpus, useService } from '../../support/service.js';

/** The content types of the corpus; authors have a `Cache-Control` of their own. */
function contentTypes(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cached-'));
  cpSync(corpus, folder, { recursive: true });
  const file = path.join(folder, 'author.json');
  const definition = JSON.parse(readFileSync(file, 'utf8')) as { options: object };
  definition.options = { ...definition.options, cacheControl: 'public, max-age=5' };
  writeFileSync(file, JSON.stringify(definition));
  return folder;
}

const client = useService({
  contentTypes: contentTypes(),
  environment: {
    CORS_ORIGINS: 'https://www.example.org',
    COMPRESSION: 'true',
    ETAG: 'true',
    CACHE_CONTROL: 'public, max-age=60',
  },
  configure: (config) => ({ ...config, http: { ...config.http, urlLimit: 2048 } }),
});
/** On a busy machine it may find any request too slow. */
const impatient = useService({
  environment: { REQUEST_TIMEOUT: '600' },
  configure: (config) => ({ ...config, server: { ...config.server, headersTimeout: 200 } }),
});
const ask = (method: 'get' | 'head' | 'options' | 'post' | 'put' | 'delete' | 'patch', path: string) =>
  request(client.service.url)[method](path).auth(client.service.token, { type: 'bearer' });

/** Sends raw bytes; returns everything received until the connection ends. */
function sendBytes(text: string, { service } = client): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.on('data', (data) => (answer += String(data)));
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

const json = 'application/json; charset=utf-8';

describe('S75: every response has the security headers for browsers', () => {
  test.each([
    ['get', '/api/tags', 200, json],
    ['get', '/api/tags/99999', 404, json],
    ['get', '/nothing', 404, json],
    ['patch', '/api/tags', 405, 'text/plain; charset=utf-8'],
    ['get', '/uploads/nothing.png', 404, json],
    ['get', '/api/tags?filters[nothing]=1', 400, json],
    ['get', '/_health', 204, undefined],
  ] as const)('%s %s', async (method, path, status, type) => {
    const answer = await ask(method, path);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(answer.headers).not.toHaveProperty('x-powered-by');
    expect(answer.headers['content-type']).toBe(type);
  });

  test('a valid X-Request-Id is returned', async () => {
    expect((await ask('get', '/api/tags').set('X-Request-Id', 'proxy-1.2')).headers['x-request-id']).toBe('proxy-1.2');
    expect((await ask('get', '/api/tags').set('X-Request-Id', 'a b"c')).headers['x-request-id']).toMatch(
      /^[\da-f-]{36}$/,
    );
  });
});

describe('S74: pages of other origins', () => {
  test('that are listed may read, and send cookies', async () => {
    const { headers } = await ask('get', '/api/tags').set('Origin', 'https://www.example.org');
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://www.example.org',
      'access-control-allow-credentials': 'true',
      vary: expect.stringContaining('Origin'),
    });
  });

  test.each(['get', 'options'] as const)('that are not listed may not: %s', async (method) => {
    const { headers } = await ask(method, '/api/tags')
      .set('Origin', 'http://evil.test')
      .set('Access-Control-Request-Method', 'PUT');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('send a preflight request before they write', async () => {
    const { status, headers } = await ask('options', '/api/tags/1')
      .set('Origin', 'https://www.example.org')
      .set('Access-Control-Request-Method', 'PUT')
      .set('Access-Control-Request-Headers', 'authorization,content-type');
    expect({ status, methods: headers['access-control-allow-methods'] }).toEqual({
      status: 204,
      methods: 'GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS',
    });
    expect(headers['access-control-allow-headers']).toBe('authorization,content-type');
  });
});

describe('methods', () => {
  test.each([
    ['/api/tags', 'HEAD, GET, POST'],
    ['/api/tags/1', 'HEAD, GET, PUT, DELETE'],
    ['/api/auth/local', 'HEAD, GET, POST'],
    ['/api/upload/files', 'HEAD, GET'],
    ['/api/nope', 'HEAD, GET'],
    ['/nowhere', 'HEAD, GET'],
  ])('OPTIONS %s returns the allowed methods, as in Strapi v4', async (path, allow) => {
    const { status, headers, text } = await ask('options', path);
    expect({ status, allow: headers['allow'], text }).toEqual({ status: 200, allow, text: '' });
  });

  test.each([
    ['put', '/api/auth/local', 'HEAD, GET, POST'],
    ['delete', '/api/upload/files', 'HEAD, GET'],
    ['post', '/api/users/1', 'HEAD, GET, PUT, DELETE'],
    ['post', '/api/nothing', 'HEAD, GET'],
    ['delete', '/api/nothing/1', 'HEAD, GET'],
    ['post', '/api/tags/1/localizations', 'HEAD, GET'],
    ['put', '/api/a/b/c/d', 'HEAD, GET'],
    ['post', '/', 'HEAD, GET'],
  ] as const)('%s %s returns 405', async (method, path, allow) => {
    const { status, text, headers } = await ask(method, path);
    expect({ status, text, allow: headers['allow'] }).toEqual({ status: 405, text: 'Method Not Allowed', allow });
  });

  test('paths without a route return 404', async () => {
    expect((await ask('get', '/api/auth/local')).status).toBe(404);
    expect((await ask('get', '/api/tags/1/localizations')).status).toBe(404);
  });

  test('HEAD returns the headers of GET and no body', async () => {
    const [head, get] = [await ask('head', '/api/tags'), await ask('get', '/api/tags')];
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(head.text ?? '').toBe('');
  });
});

describe('caches', () => {
  test('If-None-Match with the current ETag returns 304', async () => {
    const id = await client.create('tags', { name: 'Cached' });
    const { headers } = await ask('get', `/api/tags/${id}`);
    const again = () => ask('get', `/api/tags/${id}`).set('If-None-Match', String(headers['etag']));
    const same = await again();
    expect({ status: same.status, text: same.text }).toEqual({ status: 304, text: '' });
    // As `fetch` of Node sends it.
    expect((await again().set('Cache-Control', 'no-cache').set('Pragma', 'no-cache')).status).toBe(304);
    await client.put(`/api/tags/${id}`, { name: 'Changed' });
    expect((await again()).status).toBe(200);
  });

  const cacheOf = async (asking: request.Test) => {
    const { status, headers } = await asking;
    return [status, headers['cache-control'], headers['vary']];
  };
  const anybody = (path: string) => request(client.service.url).get(path);
  const kept = 'public, max-age=60';
  const varies: unknown = expect.stringContaining('Authorization, Cookie');

  test('only public entries and files are cacheable, errors are not', async () => {
    const id = await client.create('tags', { name: 'Public' });
    const permissions = ['api::tag.tag.find', 'api::tag.tag.findOne', 'plugin::upload.content-api.find'];
    const open = [
      ...permissions,
      'api::author.author.find',
      'plugin::users-permissions.auth.callback',
      'plugin::users-permissions.user.find',
    ];
    const role = { type: 'public', name: undefined, description: undefined, permissions: open };
    await client.service.applyAccess({ roles: [role], tokens: [], locales: [] });
    for (const path of ['/api/tags', `/api/tags/${id}`, '/api/upload/files']) {
      expect(await cacheOf(anybody(path))).toEqual([200, kept, varies]);
      expect(await cacheOf(ask('get', path))).toEqual([200, undefined, varies]);
      expect(await cacheOf(anybody(path).set('Cookie', 'a=b'))).toEqual([200, undefined, varies]);
      expect((await cacheOf(anybody(path).set('X-Explain', '1')))[1]).toBeUndefined();
    }
    expect(await cacheOf(anybody('/api/authors'))).toEqual([200, 'public, max-age=5', varies]);
    expect(await cacheOf(ask('get', '/api/authors'))).toEqual([200, undefined, varies]);
    expect(await cacheOf(anybody('/api/articles'))).toEqual([403, 'no-store', varies]);
    expect((await cacheOf(anybody('/nowhere')))[1]).toBe('no-store');
    expect((await cacheOf(anybody('/_health')))[1]).toBeUndefined();
    expect((await cacheOf(anybody('/graphql?query={__typename}')))[1]).toBeUndefined();
  });

  test('responses about users, or to a request with a JWT, are not cacheable', async () => {
    for (const path of [
      '/api/users',
      '/api/users/1',
      '/api/users/count',
      '/api/users/me',
      '/api/auth/github/callback?access_token=x',
      '/api/auth/email-confirmation?confirmation=x',
      '/api/connect/github',
      '/api/connect/github/callback',
      '/api/users-permissions/roles',
    ]) {
      expect((await cacheOf(anybody(path)))[1]).toBe('no-store');
      expect((await cacheOf(ask('get', path)))[1]).toBe('no-store');
    }
    const account = { username: 'cora', email: 'cora@example.test', password: 'secret-of-cora' };
    const { headers } = await ask('post', '/api/auth/local/register').send(account);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('long responses are compressed if the client accepts it, short ones are not', async () => {
    for (let i = 0; i < 20; i += 1) await client.create('tags', { name: `Compressed ${i}` });
    const long = await ask('get', '/api/tags').set('Accept-Encoding', 'gzip');
    const short = await ask('get', '/api/tags?pagination[limit]=1').set('Accept-Encoding', 'gzip');
    expect(long.headers['content-encoding']).toBe('gzip');
    expect(long.body.data.length).toBeGreaterThan(19);
    expect(short.headers).not.toHaveProperty('content-encoding');
  });
});

describe('limits', () => {
  test.each([
    ['too long', 3000],
    ['far too long', 30_000],
  ])("a URL that is %s returns 414 in Strapi's error format", async (_, length) => {
    const answer = await sendBytes(
      `GET /api/tags?x=${'x'.repeat(length)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 414 /);
    expect(answer).toContain('"error":{"status":414,"name":"UriTooLongError","message":"URI Too Long"');
    expect(answer).toMatch(/x-content-type-options: nosniff/i);
  });

  test('headers that are too long return 431', async () => {
    const answer = await sendBytes(`GET /api/tags HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(30_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('RequestHeaderFieldsTooLargeError');
  });

  test.each([['no HTTP at all\r\n\r\n'], ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n']])(
    '%j returns 400',
    async (text) => {
      const answer = await sendBytes(text);
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(answer).toContain('{"data":null,"error":{"status":400,"name":"BadRequestError"');
    },
  );

  test('an invalid HEAD request returns an error without a body', async () => {
    expect(await sendBytes('HEAD x HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*\r\n\r\n$/);
  });

  test.each([
    ['head', 'GET /api/tags HTTP/1.1\r\nHost: a\r\n'],
    [
      'body',
      'POST /api/auth/local HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"da',
    ],
  ])('S76: a request whose %s is too slow gets 408, and other requests are served', async (_, text) => {
    const slow = sendBytes(text, impatient);
    while ((await impatient.get('/api/tags')).status !== 200);
    expect(await slow).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });
});
