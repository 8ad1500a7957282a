import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare, keyOf } from '../../../tests/support/access.js';
import { openAssistant } from '../../../tests/support/assistant.js';
import { useService } from '../../../tests/support/service.js';

const rest = useService({ plugins: { mcp: { config: { writesPerHour: 3 } } }, environment: { DRAFTS: 'restricted' } });
const ids: Record<string, number> = {};
const id = (name: string): number => ids[name] ?? 0;
const tags = ['api::tag.tag.find', 'api::tag.tag.findOne'];
const writing = [
  ...tags,
  'api::tag.tag.create',
  'api::tag.tag.update',
  'api::author.author.create',
  'api::author.author.findOne',
  'api::author.author.update',
];

beforeAll(async () => {
  ids['tag'] = await rest.create('tags', { name: 'Visible' });
  ids['own'] = await rest.create('tags', { name: 'Own' });
  ids['draft'] = await rest.create('articles', {
    title: 'Hidden draft',
    publishedAt: null,
    internalNote: 'private words',
  });
  ids['article'] = await rest.create('articles', { title: 'Shown', internalNote: 'private words', secret: 'secret' });
  const sent = request(rest.service.url).post('/api/upload').auth(rest.service.token, { type: 'bearer' });
  ids['file'] = (await sent.attach('files', Buffer.from('x'), 'menu.txt')).body[0].id as number;
  await declare(
    rest.service,
    {},
    {
      'tag reader': tags,
      'tag writer': writing,
      'other writer': writing,
      'limited writer': [
        ...tags,
        ...['find', 'findOne', 'update', 'delete'].map((action) => `api::article.article.${action}`),
        { action: 'api::tag.tag.update', where: { name: 'Own' }, fields: ['-color'] },
        { action: 'api::tag.tag.delete', where: { name: 'Own' } },
      ],
      'draft writer': ['find', 'findOne', 'find.drafts', 'update.drafts'].map(
        (action) => `api::article.article.${action}`,
      ),
      'article reader': ['api::article.article.find', 'api::article.article.findOne'],
      nobody: ['api::bookmark.bookmark.delete'],
      uploader: ['plugin::upload.content-api.upload'],
      describer: ['plugin::upload.content-api.upload', 'plugin::upload.content-api.findOne'],
    },
  );
});

const open = (name: string) => openAssistant(rest.service.url, keyOf(name));

async function namesOf(name: string): Promise<readonly string[]> {
  const { client } = await open(name);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map((tool) => tool.name);
}

describe('tools', () => {
  const reading = [
    'describe_content',
    'find_entries',
    'get_entry',
    'count_entries',
    'aggregate_entries',
    'search_entries',
  ];
  const proposing = ['propose_changes', 'apply_proposal', 'propose_undo'];
  test.each([
    ['tag reader', reading],
    ['tag writer', [...reading, ...proposing]],
    ['nobody', ['describe_content', ...proposing]],
    ['draft writer', [...reading, ...proposing, 'ask_to_publish', 'get_review']],
    ['uploader', ['describe_content', ...proposing, 'upload_file']],
  ])('of a %s are those that its permissions cover', async (name, expected) => {
    expect(await namesOf(name)).toEqual(expected);
  });

  test('ask to publish, and publish nothing for those who may not', async () => {
    const { call, client } = await open('draft writer');
    const draft = { type: 'articles', id: id('draft') };
    const asked = await call('ask_to_publish', { ...draft, note: 'Written by an assistant' });
    expect(asked).toMatchObject({ state: 'ready', notes: [{ text: 'Written by an assistant' }] });
    expect(await call('get_review', draft)).toMatchObject({ tag: asked.tag });
    const operations = [{ action: 'publish', ...draft }];
    expect((await call('propose_changes', { operations })).error.status).toBe(400);
    await rest.delete(`/api/articles/${id('draft')}/review`);
    await client.close();
  });

  test('that are not listed are refused', async () => {
    const { call, client } = await open('tag reader');
    const operations = [{ action: 'create', type: 'tags', data: { name: 'x' } }];
    expect((await call('propose_changes', { operations })).error.message).toContain('not found');
    await client.close();
  });

  test('change when permissions change, and the client is told; also when it begins to listen', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const told = (): Promise<unknown> =>
      new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve));
    const toldFirst = told();
    const requestInit = { headers: { authorization: `Bearer ${keyOf('changing')}` } };
    await declare(rest.service, {}, { changing: tags });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', rest.service.url), { requestInit }));
    await toldFirst;
    const toldAgain = told();
    await declare(rest.service, {}, { changing: writing });
    await toldAgain;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('apply_proposal');
    await client.close();
  });
});

describe('what a caller may not read', () => {
  test.each<[string, string, object, unknown]>([
    ['a type', 'describe_content', { type: 'tags' }, 403],
    ['a list', 'find_entries', { type: 'tags' }, 403],
    ['files', 'find_entries', { type: 'files' }, 403],
    ['a draft', 'get_entry', { type: 'articles', id: 'draft' }, 404],
    [
      'a private attribute in a filter',
      'find_entries',
      { type: 'articles', filters: { internalNote: 'private words' } },
      400,
    ],
    ['a password in a filter', 'find_entries', { type: 'articles', filters: { secret: { $startsWith: '$2' } } }, 400],
    ['a private attribute in a sort', 'find_entries', { type: 'articles', sort: ['internalNote'] }, 400],
    ['a private attribute in groups', 'aggregate_entries', { type: 'articles', groupBy: ['internalNote'] }, 400],
    ['a type behind a group', 'aggregate_entries', { type: 'articles', groupBy: ['author.name'] }, 400],
    ['a type behind a filter', 'find_entries', { type: 'articles', filters: { author: { name: 'Ada' } } }, 400],
    ['an explanation', 'find_entries', { type: 'articles', explain: true, fields: ['title'] }, undefined],
    ['another path', 'get_entry', { type: '../users' }, 400],
    ['a type of a plugin', 'find_entries', { type: 'plugin::users-permissions.user' }, 400],
    ['proposals of others', 'find_entries', { type: 'admin::mcp-proposal' }, 400],
    ['tokens', 'find_entries', { type: 'admin::api-token' }, 400],
  ])('%s is refused', async (_, name, input, status) => {
    const { call, client } = await open('article reader');
    const given = 'id' in input ? { ...input, id: id(input.id as string) } : input;
    const result = await call(name, given);
    expect(result.error?.status).toBe(status);
    expect(JSON.stringify(result)).not.toMatch(/private words|\$2[aby]\$|"explain"/);
    await client.close();
  });

  test('is not found by a search, nor shown in a relation', async () => {
    const { call, client } = await open('article reader');
    expect(await call('search_entries', { text: 'private words' })).toEqual({});
    expect(await call('search_entries', { text: 'Hidden draft' })).toEqual({});
    expect(
      JSON.stringify(await call('get_entry', { type: 'articles', id: id('article'), populate: '*' })),
    ).not.toContain('tags');
    expect((await call('count_entries', { type: 'articles', publicationState: 'preview' })).count).toBe(1);
    await client.close();
  });
});

/** What is stored of the types that these callers know. */
const readAll = async (): Promise<unknown> => {
  const { db } = rest.service.database;
  const names = ['tags', 'articles', 'authors', 'up_users', 'files'];
  return Promise.all(names.map((name) => db.collection(name).find().sort({ _id: 1 }).toArray()));
};

describe('what a caller may not write', () => {
  const [writer, limited] = ['tag writer', 'limited writer'];
  const note = { title: 'x', tags: [1] };
  test.each<[string, string, object, number | undefined]>([
    ['another type', writer, { action: 'create', type: 'bookmarks', data: { label: 'x' } }, 403],
    ['a deletion', writer, { action: 'delete', type: 'tags', id: 'tag' }, 403],
    ['an entry that it may not read', writer, { action: 'update', type: 'articles', id: 'article', data: note }, 403],
    ['one that does not exist, as if it did', writer, { action: 'update', type: 'articles', id: 99, data: note }, 403],
    ['its deletion', writer, { action: 'delete', type: 'articles', id: 'article' }, 403],
    ['its publication', writer, { action: 'publish', type: 'articles', id: 'article' }, 403],
    ['its schedule', writer, { action: 'schedule', type: 'articles', id: 'article' }, 403],
    ['an entry that a rule protects', limited, { action: 'update', type: 'tags', id: 'tag', data: { name: 'x' } }, 404],
    ['its deletion by a rule', limited, { action: 'delete', type: 'tags', id: 'tag' }, 404],
    ['an attribute', limited, { action: 'update', type: 'tags', id: 'own', data: { color: 'red' } }, 400],
    ['a hidden draft', limited, { action: 'update', type: 'articles', id: 'draft', data: { title: 'x' } }, 404],
    ['its deletion as a draft', limited, { action: 'delete', type: 'articles', id: 'draft' }, 404],
    ['its publication as a draft', limited, { action: 'publish', type: 'articles', id: 'draft' }, 404],
    ['its schedule as a draft', limited, { action: 'schedule', type: 'articles', id: 'draft' }, 404],
    [
      'a link to a type that it may not read',
      limited,
      { action: 'update', type: 'articles', id: 'article', data: { author: 1 } },
      400,
    ],
    [
      'the time of creation',
      limited,
      { action: 'update', type: 'tags', id: 'own', data: { createdAt: '2001-01-01' } },
      400,
    ],
    ['the id', limited, { action: 'update', type: 'tags', id: 'own', data: { id: 4711 } }, 400],
    ['a creator', limited, { action: 'update', type: 'tags', id: 'own', data: { createdBy: 1 } }, 400],
    [
      'a field of the storage',
      limited,
      { action: 'update', type: 'tags', id: 'own', data: { $set: { name: 'x' } } },
      400,
    ],
    ['an operator', limited, { action: 'update', type: 'tags', id: 'own', data: { name: { $ne: 1 } } }, 400],
    [
      'a component of another entry',
      limited,
      { action: 'update', type: 'articles', id: 'article', data: { links: [{ id: 99, label: 'x' }] } },
      400,
    ],
    [
      'a localization',
      limited,
      { action: 'create', type: 'articles', localizationOf: 99, data: { title: 'x', locale: 'de' } },
      403,
    ],
    ['users', limited, { action: 'delete', type: 'plugin::users-permissions.user', id: 1 }, 400],
    ['files', limited, { action: 'delete', type: 'files', id: 1 }, 400],
    ['the text of a file', limited, { action: 'update', type: 'files', id: 'file', data: { caption: 'x' } }, 403],
    [
      'one that it may not read',
      'uploader',
      { action: 'update', type: 'files', id: 'file', data: { caption: 'x' } },
      403,
    ],
    ['the address of a file', 'describer', { action: 'update', type: 'files', id: 'file', data: { url: '/x' } }, 400],
    ['the folder of a file', 'describer', { action: 'update', type: 'files', id: 'file', data: { folder: 1 } }, 400],
    [
      'a localization of a single type',
      limited,
      { action: 'create', type: 'homepage', localizationOf: 1, data: { title: 'x', locale: 'de' } },
      403,
    ],
    ['a draft of a single type', limited, { action: 'delete', type: 'homepage' }, 403],
    ['the schedule of a single type', limited, { action: 'schedule', type: 'homepage' }, 403],
    ['tokens', limited, { action: 'update', type: 'admin::api-token', id: 1, data: { type: 'full-access' } }, 400],
    ['proposals', limited, { action: 'delete', type: 'admin::mcp-proposal', id: 1 }, 400],
    ['another path', limited, { action: 'delete', type: 'tags/1/..', id: 1 }, 400],
    // The form of the tool refuses these.
    ['an id that is an object', limited, { action: 'delete', type: 'tags', id: { $gt: 0 } }, undefined],
    ['an id that is a list', limited, { action: 'delete', type: 'tags', id: [1] }, undefined],
    ['a version of its own', limited, { action: 'delete', type: 'tags', id: 'own', ifMatch: '*' }, undefined],
    ['a condition', limited, { action: 'delete', type: 'tags', where: {} }, undefined],
  ])('%s is refused', async (_, name, operation, status) => {
    const before = await readAll();
    const { call, client } = await open(name);
    const given = 'id' in operation && typeof operation.id === 'string' ? id(operation.id) : undefined;
    const operations = [{ ...operation, ...(given !== undefined && { id: given }) }];
    const result = await call('propose_changes', { operations });
    expect([result.error?.status, result.proposal]).toEqual([status, undefined]);
    expect(JSON.stringify(result)).not.toMatch(/Hidden draft|private words|Mongo|Internal/);
    expect(await readAll()).toEqual(before);
    await client.close();
  });

  test('the proposal of another is refused', async () => {
    const [mine, other] = [await open('tag writer'), await open('other writer')];
    const operations = [{ action: 'create', type: 'tags', data: { name: 'Mine' } }];
    const { proposal } = await mine.call('propose_changes', { operations });
    expect((await other.call('apply_proposal', { proposal })).error.message).toContain('no such proposal');
    expect((await other.call('propose_undo', { proposal })).error.message).toContain('no such proposal');
    await Promise.all([mine.client.close(), other.client.close()]);
  });

  test('a proposal is refused if the permission is gone when it is applied', async () => {
    await declare(rest.service, {}, { leaving: writing });
    const { call, client } = await open('leaving');
    const operations = [{ action: 'create', type: 'tags', data: { name: 'Late' } }];
    const { proposal } = await call('propose_changes', { operations });
    await declare(rest.service, {}, { leaving: [...tags, 'api::author.author.create'] });
    expect((await call('apply_proposal', { proposal })).error.status).toBe(403);
    expect((await rest.get('/api/tags?filters[name]=Late')).body.data).toEqual([]);
    await client.close();
  });

  test('more than the permitted writes in an hour are refused', async () => {
    await declare(rest.service, {}, { busy: writing });
    const { call, client } = await open('busy');
    const statuses: unknown[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      const operations = [{ action: 'create', type: 'authors', data: { name } }];
      const { proposal } = await call('propose_changes', { operations });
      statuses.push((await call('apply_proposal', { proposal })).error?.status);
    }
    expect(statuses).toEqual([undefined, undefined, undefined, 429]);
    await client.close();
  });
});

describe('the endpoint', () => {
  const post = (
    headers: Readonly<Record<string, string>>,
    body: object = { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  ) =>
    request(rest.service.url)
      .post('/mcp')
      .set({ accept: 'application/json, text/event-stream', ...headers })
      .send(body);

  test.each([
    ['no token', {}],
    ['an unknown token', { authorization: 'Bearer nobody-knows-this' }],
    ['a cookie', { cookie: 'jwt=x' }],
  ])('refuses a request with %s, and says where to get one', async (_, headers) => {
    const { status, headers: answered } = await post(headers);
    expect(status).toBe(401);
    expect(answered['www-authenticate']).toMatch(
      /^Bearer resource_metadata="http.*\/\.well-known\/oauth-protected-resource\/mcp"$/,
    );
  });

  test('describes itself as a protected resource', async () => {
    const { body } = await request(rest.service.url).get('/.well-known/oauth-protected-resource/mcp');
    expect(body).toEqual({
      resource: expect.stringMatching(/^http:.*\/mcp$/),
      bearer_methods_supported: ['header'],
    });
  });

  test.each(['put', 'delete'] as const)('does not have %s', async (method) => {
    const { status } = await request(rest.service.url)[method]('/mcp').auth(rest.service.token, { type: 'bearer' });
    expect(status).toBe(405);
  });

  test('refuses a body that is too long before it is read', async () => {
    const { status } = await post({ authorization: `Bearer ${rest.service.token}` }, { text: 'x'.repeat(5_000_000) });
    expect(status).toBe(413);
  });

  test('counts a download before it begins', async () => {
    await declare(rest.service, {}, { uploader: ['plugin::upload.content-api.upload'] });
    const { call, client } = await open('uploader');
    const statuses: unknown[] = [];
    for (let round = 0; round < 4; round += 1)
      statuses.push((await call('upload_file', { url: 'http://localhost/a.png' })).error.status);
    expect(statuses).toEqual([400, 400, 400, 429]);
    await client.close();
  });

  test.each([
    'http://127.0.0.1/a.png',
    'http://[::1]/a.png',
    'http://localhost/a.png',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:10.0.0.1]/a.png',
    'http://0x7f000001/a.png',
    'file:///etc/passwd',
    'ftp://example.org/a.png',
  ])('uploads nothing from %s', async (url) => {
    const { call, client } = await openAssistant(rest.service.url, rest.service.token);
    const { error } = await call('upload_file', { url });
    expect(error.status).toBe(400);
    await client.close();
  });
});
