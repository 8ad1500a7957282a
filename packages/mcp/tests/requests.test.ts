import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, keyOf } from '../../../tests/support/access.js';
import { useService } from '../../../tests/support/service.js';

const rest = useService({ plugins: { mcp: true }, environment: { BODY_LIMIT: '100kb' } });
const permissions = ['api::tag.tag.find', 'api::tag.tag.findOne', 'api::tag.tag.create'];
beforeAll(async () => {
  await declare(rest.service, {}, { mine: permissions, other: permissions });
});

const begun: http.ClientRequest[] = [];
afterEach(() => {
  for (const sent of begun.splice(0)) sent.destroy();
});

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
});

/** The status of a request whose body, if it has one, is announced but not sent. */
async function begin(method: string, token: string, announced = {}): Promise<number> {
  const headers = { ...headersOf(token), ...announced };
  const sent = http.request(`${rest.service.url}/mcp`, { method, headers });
  begun.push(sent.on('error', () => undefined));
  sent.flushHeaders();
  return new Promise((resolve) => {
    sent.once('response', ({ statusCode }) => resolve(statusCode ?? 0));
  });
}

test('one caller cannot take all streams of a process', async () => {
  const statuses = await Promise.all(Array.from({ length: 11 }, () => begin('GET', keyOf('mine'))));
  expect(statuses.filter((status) => status === 200)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(await begin('GET', keyOf('other'))).toBe(200);
});

test('a stream ends when the service stops', async () => {
  const headers = headersOf(keyOf('other'));
  const { body } = await fetch(`${rest.service.url}/mcp`, { headers: { ...headers, accept: 'text/event-stream' } });
  rest.service.closeConnections();
  await expect(new Response(body).text()).resolves.toEqual(expect.any(String));
});

describe('a body', () => {
  const json = { 'content-type': 'application/json' };
  const call = (name: string, input: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${input}}}`;
  const listing = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const post = (body: Buffer | string, headers: object = json) => {
    const sending = request(rest.service.url)
      .post('/mcp')
      .set({ ...headersOf(keyOf('mine')), ...headers });
    if (typeof body !== 'string') sending.serialize((value: unknown) => value as string);
    return sending.send(body);
  };
  const creation = (data: string) =>
    call('propose_changes', `{"operations":[{"action":"create","type":"tags","data":${data}}]}`);
  const nested = (levels: number) => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

  test('waits for authentication', async () => {
    expect(await begin('POST', 'nobody', { ...json, 'content-length': '20' })).toBe(401);
  });

  test.each(
    (
      [
        ['that is too long', 413, call('find_entries', `{"type":"${'x'.repeat(110_000)}"}`)],
        [
          'that is too long once it is inflated',
          413,
          gzipSync(' '.repeat(200_000)),
          { ...json, 'content-encoding': 'gzip' },
        ],
        ['in an unknown encoding', 400, listing, { ...json, 'content-encoding': 'zstd' }],
        ['that is not compressed as it says', 400, listing, { ...json, 'content-encoding': 'gzip' }],
        ['that is no JSON', 400, '{"jsonrpc":'],
        ['that is empty', 400, ''],
        ['that is null', 400, 'null'],
        ['that is a number', 400, '1'],
        ['with another message than those of the protocol', 400, '{"method":"tools/list"}'],
        ['with a list of messages', 400, `[${listing}]`],
        ['with an empty list', 400, '[]'],
        ['that nests deeply', 400, '['.repeat(49_000) + ']'.repeat(49_000)],
        ['with nested input', 400, call('find_entries', `{"type":"tags","filters":${nested(5000)}}`)],
        ['with nested data', 400, creation(nested(5000))],
        ['with plain text', 415, listing, { 'content-type': 'text/plain' }],
        ['that names JSON in a parameter', 415, listing, { 'content-type': 'text/plain; a=application/json' }],
        ['of a form', 415, 'jsonrpc=2.0&method=tools/list', { 'content-type': 'application/x-www-form-urlencoded' }],
        ['without a type', 415, Buffer.from(listing), { 'content-type': '' }],
      ] as readonly (readonly [string, number, string | Buffer, object?])[]
    ).map(([name, status, body, headers = json]) => [name, status, { body, headers }] as const),
  )('%s gets %i', async (_, status, { body, headers }) => {
    const answer = await post(body, headers);
    expect([answer.status, answer.text.length < 16_000]).toEqual([status, true]);
  });

  test('that is compressed is read', async () => {
    const { status, text } = await post(gzipSync(listing), { ...json, 'content-encoding': 'gzip' });
    expect([status, text.includes('find_entries')]).toEqual([200, true]);
  });

  test.each([
    ['an unknown tool with a name of the prototype', call('__proto__', '{}')],
    ['a tool named constructor', call('constructor', '{}')],
    ['a type named __proto__', call('find_entries', '{"type":"__proto__"}')],
    [
      'a type named constructor',
      call('propose_changes', '{"operations":[{"action":"create","type":"constructor","data":{}}]}'),
    ],
    ['an unknown attribute', creation('{"constructor":{"prototype":{"polluted":true}}}')],
  ])('with %s is refused by the tool', async (_, body) => {
    const { status, body: answer, text } = await post(body);
    expect([status, answer.result?.isError ?? 'error' in answer, text.length < 16_000]).toEqual([200, true, true]);
    expect(text).not.toMatch(/Internal/);
    expect({}).not.toHaveProperty('polluted');
  });

  test('with a key twice means the last one', async () => {
    const { body } = await post(creation('{"name":"first","name":"last"}'));
    const [{ text }] = body.result.content;
    expect(text).toContain('last');
    expect(text).not.toMatch(/first/);
  });

  test.each([
    ['of an entry', creation('{"name":"first","__proto__":{"color":"red"}}')],
    ['of a filter', call('count_entries', '{"type":"authors","filters":{"__proto__":{"name":"first"}}}')],
  ])('with a key __proto__ %s is refused', async (_, body) => {
    const { status, text } = await post(body);
    expect([status, text]).toEqual([400, expect.stringContaining('__proto__')]);
  });

  test.each([
    ['a tool', call('count_entries', '{"type":"authors","filterz":{"name":"first"}}'), 'filterz'],
    [
      'an operation',
      call('propose_changes', '{"operations":[{"action":"create","type":"authors","dtaa":{}}]}'),
      'dtaa',
    ],
  ])('with an unknown name in %s is refused', async (_, body, name) => {
    const { body: answer, text } = await post(body);
    expect([answer.result?.isError, text]).toEqual([true, expect.stringContaining(name)]);
  });
});
