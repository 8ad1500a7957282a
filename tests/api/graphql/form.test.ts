import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { picture } from '../plugins/upload/media.js';
import { read, type TinyAnswer } from './tiny-api.js';

/** Files by the GraphQL multipart request convention. */
const client = useService();

const upload = 'mutation U($f: Upload!) { upload(file: $f) { data { id attributes { name size } } } }';
const operations = JSON.stringify({ query: upload, variables: { f: null } });
const map = '{"0":["variables.f"]}';

async function send(
  fields: Readonly<Record<string, string>>,
  {
    files = { 0: 'Hello' },
    headers = {},
  }: { readonly files?: Readonly<Record<string, string>>; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<TinyAnswer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, text] of Object.entries(files))
    form.append(name, new Blob([text], { type: 'text/plain' }), `${name}.txt`);
  const { url, token } = client.service;
  const sent = { authorization: `Bearer ${token}`, ...headers };
  return read(await fetch(`${url}/graphql`, { method: 'POST', body: form, headers: sent }));
}

const stored = async (): Promise<number> => (await client.get('/api/upload/files')).body.length;
const temporary = async (): Promise<readonly string[]> =>
  readdir(path.join(client.service.dataFolder, 'uploads-temporary')).catch(() => []);

describe('forms', () => {
  test('upload files as variables', async () => {
    const { status, body } = await send({ operations, map });
    expect(status).toBe(200);
    expect(body.data.upload.data.attributes.name).toBe('0.txt');
    const many = await send(
      {
        operations: JSON.stringify({
          query: 'mutation U($f: [Upload]!) { multipleUpload(files: $f) { data { attributes { name } } } }',
          variables: { f: [null, null] },
        }),
        map: '{"a":["variables.f.0"],"b":["variables.f.1"]}',
      },
      { files: { a: 'A', b: 'B' } },
    );
    expect(many.body.data.multipleUpload.map((one: any) => one.data.attributes.name)).toEqual(['a.txt', 'b.txt']);
    expect(await temporary()).toEqual([]);
  });

  test('without files upload nothing', async () => {
    const { body } = await send({
      operations: '{"query":"mutation { multipleUpload(files: []) { data { id } } }"}',
      map: '{}',
    });
    expect(body).toEqual({ data: { multipleUpload: [] } });
  });

  test('can contain a batch', async () => {
    const batch = JSON.stringify([{ query: '{ __typename }' }, { query: upload, variables: { f: null } }]);
    const { body } = await send({ operations: batch, map: '{"0":["1.variables.f"]}' });
    expect(body).toEqual([{ data: { __typename: 'Query' } }, { data: { upload: expect.anything() } }]);
  });

  test('can have one image for several variables', async () => {
    const image = new Blob([new Uint8Array(await picture(300, 300))]);
    const form = new FormData();
    const query = `mutation ($a: Upload!, $b: Upload!) { a: upload(file: $a) { data { id } } b: upload(file: $b) { data { id } } }`;
    form.append('operations', JSON.stringify({ query, variables: { a: null, b: null } }));
    form.append('map', '{"0":["variables.a","variables.b"]}');
    form.append('0', image, 'shared.png');
    const { url, token } = client.service;
    const sent = { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } };
    const { body } = await read(await fetch(`${url}/graphql`, sent));
    expect(body).toEqual({ data: { a: expect.anything(), b: expect.anything() } });
    expect(await temporary()).toEqual([]);
  });

  test('that lack a file are errors of the field that takes it', async () => {
    const { status, body } = await send({ operations, map: '{"1":["variables.f"]}' });
    const { errors, data } = body;
    expect({ status, data, codes: errors.map((error: any) => error.extensions.code) }).toEqual({
      status: 200,
      data: null,
      codes: ['STRAPI_BAD_REQUEST_ERROR'],
    });
    expect(errors[0].message).toBe('File missing in the request.');
  });

  test.each([
    ['no operations', { map }, /operations must be JSON/],
    ['no map', { operations }, /map must be JSON/],
    ['operations that are no JSON', { operations: '{', map }, /operations must be JSON/],
    ['a string as operations', { operations: '"x"', map }, /operations must be an object or a list/],
    ['a list as map', { operations, map: '[]' }, /map must be an object/],
    ['a map without paths', { operations, map: '{"0":"variables.f"}' }, /map\.0 must be a list/],
    ['a map to where nothing is', { operations, map: '{"0":["variables.g"]}' }, /no null at variables\.g/],
    ['a map to a value that is not null', { operations, map: '{"0":["query"]}' }, /no null at query/],
    ['a map to the prototype', { operations, map: '{"0":["__proto__.f"]}' }, /no null at __proto__\.f/],
    ['a map to a constructor', { operations, map: '{"0":["constructor.prototype.f"]}' }, /no null/],
  ])(
    'with %s are refused and leave no file',
    async (_what, fields: Readonly<Record<string, string | undefined>>, message) => {
      const before = await stored();
      const { status, text } = await send(fields as Readonly<Record<string, string>>);
      expect(status).toBe(400);
      expect(text).toMatch(message);
      expect(await stored()).toBe(before);
      expect(await temporary()).toEqual([]);
    },
  );

  test('S66: that a page of another site can send are refused', async () => {
    const form = new FormData();
    form.append('operations', operations);
    form.append('map', map);
    form.append('0', new Blob(['x']), 'x.txt');
    const url = `${client.service.url}/graphql`;
    const { status, text } = await read(await fetch(url, { method: 'POST', body: form }));
    expect(status).toBe(400);
    expect(text).toMatch(/Apollo-Require-Preflight/);
  });

  test('of callers without permission to upload are refused before their files are read', async () => {
    const { status, body } = await send(
      { operations, map },
      { headers: { authorization: '', 'apollo-require-preflight': '1' } },
    );
    expect(status).toBe(403);
    expect(body.error.name).toBe('ForbiddenError');
    expect(await temporary()).toEqual([]);
  });

  test('of callers without permission to upload are refused before anything is read', async () => {
    const { url } = client.service;
    const headers = { 'apollo-require-preflight': '1', 'content-type': 'multipart/form-data; boundary=b' };
    const sending = http.request(`${url}/graphql`, { method: 'POST', headers }).on('error', () => undefined);
    sending.write('--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n');
    const [answer] = (await once(sending, 'response')) as [http.IncomingMessage];
    expect(answer.statusCode).toBe(403);
    sending.destroy();
  });

  test('take a place while they are read', async () => {
    const { url, token } = client.service;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' };
    const begun = Array.from({ length: 65 }, () => {
      const sending = http.request(`${url}/graphql`, { method: 'POST', headers }).on('error', () => undefined);
      sending.write('--b\r\n');
      return sending;
    });
    const answers = begun.map(async (sending) => once(sending, 'response') as Promise<[http.IncomingMessage]>);
    expect((await Promise.race(answers))[0].statusCode).toBe(429);
    for (const sending of begun) sending.destroy();
    await Promise.allSettled(answers);
    await until(async () => (await send({ operations, map })).status === 200);
  });

  test('contain files that cannot be forged in JSON', async () => {
    const { url, token } = client.service;
    const variables = { f: { file: { path: '/etc/passwd', name: 'x', type: 'text/plain', size: 1, field: '0' } } };
    const answer = await read(
      await fetch(`${url}/graphql`, {
        method: 'POST',
        body: JSON.stringify({ query: upload, variables }),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      }),
    );
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });
});
