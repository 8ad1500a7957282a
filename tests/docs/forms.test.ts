import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { useProjects } from './own-project.js';

const makeProject = useProjects();
const page = readFileSync('docs/internals/forms.md', 'utf8');
const [, example = ''] = /```ts\n(.*?)```/s.exec(page) ?? [];
const token = 'a-token-with-more-than-sixteen-letters';

test('the example of the page is the one that is compiled', () => {
  expect(example).toBe(`// plugins/json-api.ts\n${readFileSync('tests/fixtures/forms/json-api.ts', 'utf8')}`);
});

test('a third form keeps what every form promises without a line of its own', async () => {
  const project = makeProject();
  project.write('content-types/note.json', {
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes: { title: { type: 'string', required: true }, secret: { type: 'string', private: true } },
  });
  project.write('content-types/access.json', {
    roles: { public: { permissions: [] } },
    tokens: { writer: { type: 'full-access', key: { env: 'WRITER' } } },
  });
  project.environment['WRITER'] = token;
  project.write('plugins/json-api.ts', example);
  project.write('config/plugins.json', { 'json-api': { resolve: './plugins/json-api.ts' } });
  const url = await project.start();
  const send = async (
    method: string,
    path: string,
    { attributes, headers = {} }: { readonly attributes?: object; readonly headers?: Record<string, string> } = {},
  ) => {
    const response = await fetch(`${url}/json-api/notes${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(attributes && { body: JSON.stringify({ data: { type: 'notes', attributes } }) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const titles = async (): Promise<unknown> =>
    (await send('GET', '?sort=title')).body.data.map((note: any) => note.attributes.title);

  const first = await send('POST', '', { attributes: { title: 'Rye', secret: 's' } });
  expect([first.status, first.body.data.type, first.body.data.attributes.secret]).toEqual([201, 'notes', undefined]);
  const { id } = first.body.data;
  expect((await send('GET', `/${id}?fields=title`)).body).toEqual({
    data: { type: 'notes', id, attributes: { title: 'Rye' } },
  });
  // Rights.
  const stranger = await fetch(`${url}/json-api/notes`);
  expect(stranger.status).toBe(403);
  // A dry run, and what is refused of it.
  expect((await send('POST', '?dryRun=true', { attributes: { title: 'Oat' } })).body.data.id).toBeNull();
  expect((await send('POST', '?dryRun=true', { attributes: {} })).status).toBe(400);
  expect(await titles()).toEqual(['Rye']);
  // A key.
  const keyed = { attributes: { title: 'Spelt' }, headers: { 'idempotency-key': 'one' } };
  const once = await send('POST', '', keyed);
  const again = await send('POST', '', keyed);
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, once.body, 'true']);
  expect(await titles()).toEqual(['Rye', 'Spelt']);
  // A condition.
  const { headers } = await send('GET', `/${id}`);
  const match = { 'if-match': headers.get('etag') ?? '' };
  expect((await send('PUT', `/${id}`, { attributes: { title: 'Rye bread' }, headers: match })).status).toBe(200);
  expect((await send('PUT', `/${id}`, { attributes: { title: 'Toast' }, headers: match })).status).toBe(412);
  expect((await send('DELETE', `/${id}`, { headers: match })).status).toBe(412);
  expect((await send('POST', '', { attributes: { title: 'Bun' }, headers: match })).body.error.message).toBe(
    'If-Match is not supported here: a POST creates an entry',
  );
  expect(await titles()).toEqual(['Rye bread', 'Spelt']);
  // An explanation.
  const explained = await send('GET', '?filter[title]=Spelt&explain=true');
  expect([explained.body.data.length, Object.keys(explained.body.explain).length > 0]).toEqual([1, true]);
  expect((await send('DELETE', `/${id}`)).status).toBe(204);
  expect((await send('GET', '?page[size]=1&page[number]=1')).body).toMatchObject({ meta: { total: 1 } });
});
