import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import request from 'supertest';
import { FILE } from '../../../../src/plugins/upload/definitions.js';
import { useService, type Answer } from '../../../support/service.js';
import { picture, send, tokenFor, upload } from './media.js';

const client = useService();
const digestOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
const ask = async (query: string, token = client.service.token): Promise<Answer> =>
  request(client.service.url).get(`/api/upload/files/known?${query}`).auth(token, { type: 'bearer' });

test('a file is found by the bytes that were uploaded, in the form of other answers, until they are replaced', async () => {
  const content = await picture(600, 400, 'jpeg');
  const [first] = await upload(client.service, { name: 'first.jpg', content });
  await upload(client.service, { name: 'second.jpg', content });
  const [text] = await upload(client.service, { name: 'text.txt', content: 'one' });
  // It is stored smaller than it was sent.
  const query = `sha256=${digestOf(content)}&sha256=${digestOf('one')}&sha256=${digestOf('none')}`;
  const { status, body } = await ask(query);
  expect(status).toBe(200);
  expect(body.data.toSorted((one: Known, other: Known) => one.file.id - other.file.id)).toEqual([
    { sha256: digestOf(content), file: (await client.get(`/api/upload/files/${first.id}`)).body },
    { sha256: digestOf('one'), file: (await client.get(`/api/upload/files/${text.id}`)).body },
  ]);
  await send(client.service, 'post', `/api/upload?id=${text.id}`, [{ name: 'text.txt', content: 'two' }]);
  expect((await ask(`sha256=${digestOf('one')}`)).body.data).toEqual([]);
  expect((await ask(`sha256=${digestOf('two')}`)).body.data).toMatchObject([{ file: { id: text.id } }]);
});

interface Known {
  readonly file: { readonly id: number };
}

test('nobody else reads, writes, filters or sorts by the digest', async () => {
  const [file] = await upload(client.service, { name: 'a.txt', content: 'secret' });
  const digest = digestOf('secret');
  expect(JSON.stringify((await client.get('/api/upload/files')).body)).not.toContain(digest);
  const { body } = await client.graphql(`{ __type(name: "UploadFile") { fields { name } } }`);
  expect(JSON.stringify(body)).not.toContain('contentDigest');
  const inputs = await client.graphql(`{
    filters: __type(name: "UploadFileFiltersInput") { inputFields { name } }
    input: __type(name: "UploadFileInput") { inputFields { name } }
  }`);
  expect(JSON.stringify(inputs.body)).not.toContain('contentDigest');
  expect((await client.get(`/api/upload/files?sort=contentDigest`)).status).toBe(400);
  const filtered = (await client.get(`/api/upload/files?filters[contentDigest]=${digest}`)).body;
  expect(JSON.stringify(filtered)).not.toContain(digest);
  expect(await client.service.entries.findOne(FILE, file.id)).toMatchObject({ contentDigest: digest });
});

test('it is asked by who may list files, with digests', async () => {
  const digest = digestOf('any');
  expect(
    (await ask(`sha256=${digest}`, await tokenFor(client.service, 'plugin::upload.content-api.upload'))).status,
  ).toBe(403);
  const token = await tokenFor(client.service, 'plugin::upload.content-api.find');
  expect((await ask(`sha256=${digest}`, token)).status).toBe(200);
  for (const query of ['', 'sha256=abc', `sha256[$ne]=${digest}`, `sha256=${digest.toUpperCase()}`])
    expect([query, (await ask(query)).status]).toEqual([query, 400]);
});
