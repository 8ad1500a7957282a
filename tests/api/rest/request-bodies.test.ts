import http from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { usePeople } from '../plugins/users-permissions/users-client.js';

const people = usePeople({
  plugins: { 'users-permissions': { config: { rateLimit: { attempts: 1, minutes: 5 } } } },
  environment: { CONCURRENCY: '1' },
});

/** Requests whose bodies are not sent. */
const begun: http.ClientRequest[] = [];
afterEach(() => {
  for (const sent of begun.splice(0)) sent.destroy();
});

/** A request whose headers announce a body; `finish` sends it. */
interface Begun {
  readonly status: Promise<number>;
  finish(): void;
}

function announceBody(method: string, place: string, token: string | undefined, body = '{"data":{}}'): Begun {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const sent = http.request(people.service.url + place, { method, headers });
  if (token !== undefined) sent.setHeader('authorization', `Bearer ${token}`);
  begun.push(sent.on('error', () => undefined));
  sent.flushHeaders();
  const status = new Promise<number>((resolve) => {
    sent.once('response', (response) => resolve(response.resume().statusCode ?? 0));
  });
  return { status, finish: () => void sent.end(body) };
}

test.each([
  [401, 'invalid', 'POST', '/api/tags'],
  [401, 'invalid', 'PUT', '/api/homepage'],
  [401, 'invalid', 'POST', '/api/batch'],
  [401, 'invalid', 'POST', '/graphql'],
  [401, 'invalid', 'POST', '/api/auth/local'],
  [401, 'invalid', 'POST', '/api/users-permissions/roles'],
  [403, undefined, 'POST', '/api/tags'],
  [403, undefined, 'PUT', '/api/tags/1'],
  [403, undefined, 'POST', '/api/upload'],
  [403, undefined, 'POST', '/api/users'],
  [405, undefined, 'POST', '/api/nothing'],
  [405, undefined, 'POST', '/api/tags/1'],
  [405, undefined, 'PUT', '/api/auth/local'],
])('%i comes before the body, with the token %s: %s %s', async (expected, token, method, place) => {
  expect(await announceBody(method, place, token).status).toBe(expected);
});

test('a request to log in is counted before its body', async () => {
  const attempts = Array.from({ length: 2 }, () => announceBody('POST', '/api/auth/local', undefined));
  expect(await Promise.race(attempts.map(({ status }) => status))).toBe(429);
});

test('a slow body takes no slot', async () => {
  const token = await people.token('slow', ['api::tag.tag.create', 'api::tag.tag.find']);
  const slow = announceBody('POST', '/api/tags', token, '{"data":{"name":"slow"}}');
  for (let round = 0; round < 2; round += 1)
    expect((await people.send('get', '/api/tags', undefined, token)).status).toBe(200);
  slow.finish();
  expect(await slow.status).toBe(200);
});
