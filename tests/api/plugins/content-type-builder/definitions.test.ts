import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare } from '../../../support/access.js';
import { createUser } from '../../../support/create-user.js';
import { corpus, useService } from '../../../support/service.js';

const PATH = '/api/content-type-builder/definitions';
const folder = mkdtempSync(path.join(os.tmpdir(), 'definitions-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => cpSync(corpus, folder, { recursive: true }));
cpSync(corpus, folder, { recursive: true });

const text = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
const everything = (): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .map((name) => (name.endsWith('.json') ? `${name} ${text(name)}` : name));

describe('in development', () => {
  const client = useService({
    contentTypes: folder,
    environment: { NODE_ENV: 'development', SITE_KEY: 'a-key-of-the-site' },
  });
  const send = async (method: 'post' | 'put', changes: unknown, address = ''): Promise<any> => {
    // oxlint-disable-line typescript/no-explicit-any
    const agent = request(client.service.url);
    const sent = method === 'put' ? agent.put(PATH + address) : agent.post(PATH + address);
    return sent.auth(client.service.token, { type: 'bearer' }).send({ changes });
  };
  const read = async (uid: string): Promise<any> =>
    // oxlint-disable-line typescript/no-explicit-any
    (await client.get(PATH)).body.data.definitions.find((one: { readonly uid: string }) => one.uid === uid);
  /** The definition of tags with one more attribute. */
  const withAttribute = async (name: string, attribute: object): Promise<any> => {
    // oxlint-disable-line typescript/no-explicit-any
    const { uid, version, definition } = await read('api::tag.tag');
    return { uid, version, definition: { ...definition, attributes: { ...definition.attributes, [name]: attribute } } };
  };

  test('shows both texts of each file and what happens to stored data, and writes nothing', async () => {
    const before = everything();
    await client.create('tags', { name: 'Red' });
    const { uid, version, definition } = await read('api::tag.tag');
    const { name: _name, ...attributes } = definition.attributes;
    const { status, body } = await send(
      'post',
      [{ uid, version, definition: { ...definition, attributes } }],
      '/preview',
    );
    expect([status, body.error]).toEqual([200, undefined]);
    const [file, ...others] = body.data.files;
    expect([file, others]).toEqual([
      { uid, file: 'tag.json', before: text('tag.json'), after: expect.any(String) },
      [],
    ]);
    expect(JSON.parse(file.after)).toMatchObject({
      attributes: expect.not.objectContaining({ name: expect.anything() }),
    });
    expect(body.data.stored).toEqual({
      found: [],
      unfit: [{ subject: uid, text: expect.stringContaining('name'), entries: 1 }],
      problems: [],
    });
    expect(everything()).toEqual(before);
  });

  /** What stays as it is with other attributes of a type, or with another frame. */
  const unfitWith = async (uid: string, attributes: object, frame: object = {}): Promise<any> => {
    // oxlint-disable-line typescript/no-explicit-any
    const { version, definition } = await read(uid);
    const changed = { ...definition, ...frame, attributes: { ...definition.attributes, ...attributes } };
    const { body } = await send('post', [{ uid, version, definition: changed }], '/preview');
    return body.error ?? body.data.stored;
  };

  test('shows which stored values do not match changed attributes', async () => {
    for (const title of ['First', 'Second'])
      await client.create('articles', {
        title,
        body: 'Knead it',
        rating: 3,
        seo: { metaTitle: 'Bread' },
        blocks: [{ __component: 'blocks.text', content: 'Flour' }],
      });
    const zone = { type: 'dynamiczone', components: ['blocks.quote'] };
    const changes: readonly (readonly [object, string])[] = [
      [{ body: { type: 'integer' } }, 'body must be a whole number'],
      [{ body: { type: 'enumeration', enum: ['none'] } }, 'body must be one of none'],
      [{ rating: { type: 'boolean' } }, 'rating must be true or false'],
      [{ seo: { type: 'component', component: 'shared.seo', repeatable: true } }, 'seo must be a list'],
      [{ blocks: zone }, 'blocks contains components that it does not allow'],
    ];
    for (const [attributes, text] of changes) {
      expect(await unfitWith('api::article.article', attributes)).toEqual({
        found: [],
        unfit: [{ subject: 'api::article.article', text, entries: 2 }],
        problems: [],
      });
    }
    expect((await unfitWith('api::article.article', { rating: { type: 'decimal', unique: true } })).problems).toEqual([
      expect.stringMatching(
        /^The stored data violates the index cs_unique_rating_locale of articles: 3, "en" in the entries/,
      ),
    ]);
  });

  test('shows what becomes of entries when their type changes', async () => {
    await client.create('tags', { name: 'Blue' });
    const entries = (await client.get('/api/tags')).body.meta.pagination.total;
    const lost = { collectionName: 'labels' };
    expect((await unfitWith('api::tag.tag', {}, lost)).found).toEqual([
      { subject: 'api::tag.tag', text: expect.stringContaining('which no type reads'), entries },
    ]);
    expect((await unfitWith('api::tag.tag', {}, { options: { draftAndPublish: true } })).found).toEqual([
      {
        subject: 'api::tag.tag',
        text: expect.stringMatching(/^become drafts, .*--drafts publish or --drafts keep\)$/),
        entries,
      },
    ]);
    await client.create('articles', { title: 'Draft', publishedAt: null });
    expect((await unfitWith('api::article.article', {}, { options: {} })).found).toContainEqual({
      subject: 'api::article.article',
      text: expect.stringMatching(/^are no drafts any more.*--drafts delete or --drafts publish\)$/),
      entries: 1,
    });
  });

  test('writes types, components and both sides of a relation, which load', async () => {
    const topic = {
      uid: 'api::topic.topic',
      version: null,
      definition: {
        kind: 'collectionType',
        collectionName: 'topics',
        info: { singularName: 'topic', pluralName: 'topics', displayName: 'Topic' },
        options: { draftAndPublish: true },
        pluginOptions: {},
        attributes: {
          tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag', mappedBy: 'topic' },
          card: { type: 'component', component: 'cards.small' },
        },
      },
    };
    const small = {
      uid: 'cards.small',
      version: null,
      definition: { info: { displayName: 'Small' }, options: {}, attributes: { label: { type: 'string' } } },
    };
    const tag = await withAttribute('topic', { type: 'relation', relation: 'manyToOne', target: 'api::topic.topic', inversedBy: 'tags' }); // prettier-ignore
    const { status, body } = await send('put', [topic, small, tag]);
    expect([status, body]).toEqual([200, { data: { written: ['api::topic.topic', 'cards.small', 'api::tag.tag'] } }]);
    expect(text('topic.json')).toBe(`${JSON.stringify(topic.definition, null, 2)}\n`);
    expect(text('components/cards/small.json')).toContain('"label"');
    expect(everything().filter((name) => name.includes('.tmp'))).toEqual([]);
    expect(await read('api::topic.topic')).toMatchObject({ definition: topic.definition, version: expect.any(String) });
    const { version, definition } = await read('api::tag.tag');
    const unchanged = await send('put', [{ uid: 'api::tag.tag', version, definition }]);
    expect(unchanged.body).toEqual({ data: { written: [] } });
    rmSync(path.join(folder, 'topic.json'));
    rmSync(path.join(folder, 'components/cards'), { recursive: true });
  });

  test('grants a new type to the role of who defines it, where access.json declares the role', async () => {
    await declare(client.service, { public: ['plugin::users-permissions.auth.callback'] });
    await createUser(client, 'ann', 'ann-defines-types');
    const identity = { identifier: 'ann', password: 'ann-defines-types' };
    const { body: loggedIn } = await request(client.service.url).post('/api/auth/local').send(identity);
    const permissions = ['api::tag.tag.find', { action: 'api::author.author.find', fields: ['name'] }];
    const access = { roles: { authenticated: { permissions }, public: { permissions: [] } }, tokens: {} };
    writeFileSync(path.join(folder, 'access.json'), JSON.stringify(access, null, 2));
    const note = {
      uid: 'api::note.note',
      version: null,
      definition: {
        kind: 'collectionType',
        info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
        options: { draftAndPublish: true },
        pluginOptions: { i18n: { localized: true } },
        attributes: { text: { type: 'text', pluginOptions: { i18n: { localized: true } } } },
      },
    };
    const by = (sent: request.Test): request.Test =>
      sent.auth(loggedIn.jwt, { type: 'bearer' }).send({ changes: [note] });
    const preview = await by(request(client.service.url).post(`${PATH}/preview`));
    expect(preview.body.data.files).toEqual([
      expect.objectContaining({ file: 'note.json', before: null }),
      {
        file: 'access.json',
        before: text('access.json'),
        after: expect.stringMatching(/^ +"api::note\.note\.find",$/m),
      },
    ]);
    const written = await by(request(client.service.url).put(PATH));
    expect([written.status, written.body]).toEqual([200, { data: { written: ['api::note.note'] } }]);
    const actions = ['find', 'findOne', 'create', 'update', 'delete', 'createLocalization'];
    const added = actions.map((action) => `api::note.note.${action}`);
    expect(JSON.parse(text('access.json'))).toEqual({
      ...access,
      roles: { ...access.roles, authenticated: { permissions: [...permissions, ...added] } },
    });
    for (const name of ['note.json', 'access.json']) rmSync(path.join(folder, name));
  });

  test('deletes a type with its permissions in access.json, and says what happens to its entries', async () => {
    await client.create('tags', { name: 'Green' });
    const permissions = [
      'api::tag.tag.find',
      'api::tag.tag.find.drafts',
      { action: 'api::tag.tag.update', fields: ['name'] },
      'api::author.author.find',
    ];
    const access = {
      roles: { public: { permissions } },
      tokens: { all: { type: 'custom', permissions, key: { env: 'SITE_KEY' } } },
    };
    writeFileSync(path.join(folder, 'access.json'), JSON.stringify(access));
    const { definitions } = (await client.get(PATH)).body.data;
    const deletion = { uid: 'api::tag.tag', version: (await read('api::tag.tag')).version, definition: null };
    // Without what leads to it, as the editor sends it.
    const changes = [deletion];
    for (const { uid, version, definition } of definitions) {
      const attributes = Object.entries<any>(definition.attributes).filter(([, { target }]) => target !== deletion.uid); // oxlint-disable-line typescript/no-explicit-any
      if (uid !== deletion.uid && attributes.length < Object.keys(definition.attributes).length)
        changes.push({ uid, version, definition: { ...definition, attributes: Object.fromEntries(attributes) } });
    }
    const { body } = await send('post', changes, '/preview');
    expect(body.error).toBeUndefined();
    expect(body.data.files).toContainEqual({
      uid: deletion.uid,
      file: 'tag.json',
      before: expect.stringContaining('"tag"'),
      after: null,
    });
    expect(body.data.stored.unfit).toContainEqual({
      subject: deletion.uid,
      text: expect.stringContaining('stay in the collection tags'),
      entries: expect.any(Number),
    });
    expect((await send('put', changes)).status).toBe(200);
    expect(everything().some((line) => line.startsWith('tag.json'))).toBe(false);
    const left = ['api::author.author.find'];
    expect(JSON.parse(text('access.json'))).toEqual({
      roles: { public: { permissions: left } },
      tokens: { all: { ...access.tokens.all, permissions: left } },
    });
    rmSync(path.join(folder, 'access.json'));
  });

  test('refuses to delete what others need, what was changed, and what is not there', async () => {
    const before = everything();
    const { uid, version } = await read('api::author.author');
    const refusal = async (change: object): Promise<unknown> => {
      const { status, body } = await send('put', [{ uid, version, definition: null, ...change }]);
      return [status, body.error.message];
    };
    expect(await refusal({})).toEqual([400, '4 errors occurred']);
    expect(await refusal({ version: 'former' })).toEqual([409, expect.stringContaining('author.json')]);
    expect(await refusal({ uid: 'plugin::upload.file', version: null })).toEqual([
      400,
      expect.stringContaining('cannot have'),
    ]);
    expect(everything()).toEqual(before);
  });

  test('refuses what the service could not start with, with its place and rule, and changes nothing', async () => {
    const before = everything();
    const one = await withAttribute('topic', { type: 'relation', relation: 'manyToOne', target: 'api::topic.topic' });
    const refusals: readonly (readonly [object, string])[] = [
      [one, 'attributes.topic.target'],
      [await withAttribute('size', { type: 'integer', min: 'small' }), 'attributes.size.min'],
      [await withAttribute('kind', { type: 'enumeration', enum: [] }), 'attributes.kind.enum'],
      [await withAttribute('id', { type: 'string' }), 'attributes.id'],
      [await withAttribute('odd', { type: 'colour' }), 'attributes.odd'],
    ];
    for (const [change, place] of refusals) {
      for (const [method, address] of [
        ['post', '/preview'],
        ['put', ''],
      ] as const) {
        const { status, body } = await send(method, [change], address);
        expect([status, body.error.message]).toEqual([400, expect.stringContaining(place)]);
        expect(body.error.details.errors[0].path.join('.')).toContain(place);
      }
    }
    for (const uid of ['plugin::upload.file', 'api::../../x.../../x', '../x.y', 'api::a.b', 'admin::user'])
      expect([(await send('put', [{ uid, version: null, definition: { attributes: {} } }])).status, uid]).toEqual([
        400,
        uid,
      ]);
    for (const changes of [
      undefined,
      [],
      [{ uid: 1 }],
      [{ uid: 'a.b' }],
      [{ uid: 'a.b', version: 1, definition: {} }],
      [one, one],
    ])
      expect((await send('put', changes)).status).toBe(400);
    expect(everything()).toEqual(before);
  });

  test('refuses what rules of access.json do not fit any more', async () => {
    const permission = { action: 'api::tag.tag.find', fields: ['name'] };
    writeFileSync(
      path.join(folder, 'access.json'),
      JSON.stringify({ roles: { public: { permissions: [permission] } } }),
    );
    const { uid, version, definition } = await read('api::tag.tag');
    const { name: _name, ...attributes } = definition.attributes;
    const { status, body } = await send('put', [{ uid, version, definition: { ...definition, attributes } }]);
    expect([status, body.error.message]).toEqual([400, expect.stringMatching(/access\.json.*name/)]);
    rmSync(path.join(folder, 'access.json'));
  });

  test('writes all files or none, and refuses a file that was changed since it was read', async () => {
    const change = await withAttribute('note', { type: 'text' });
    const { uid, version, definition } = await read('api::author.author');
    const author = { uid, version, definition: { ...definition, info: { ...definition.info, displayName: 'Writer' } } };
    writeFileSync(path.join(folder, 'tag.json'), `${text('tag.json')}\n`);
    const before = everything();
    for (const [method, address] of [
      ['post', '/preview'],
      ['put', ''],
    ] as const) {
      const { status, body } = await send(method, [author, change], address);
      expect([status, body.error.message]).toEqual([409, 'tag.json was changed since it was read']);
    }
    expect((await send('put', [{ ...change, version: null }])).status).toBe(409);
    expect(everything()).toEqual(before);
  });

  test('refuses a file in which a change would lose comments', async () => {
    const original = text('tag.json');
    writeFileSync(path.join(folder, 'tag.json'), original.replace('{', '{ "//": "One", "//": "Two",'));
    const change = await withAttribute('note', { type: 'text' });
    const { status, body } = await send('put', [change]);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('"//" twice')]);
    writeFileSync(path.join(folder, 'tag.json'), original.replace('{', '{ "//": "One",'));
    expect((await send('put', [await withAttribute('note', { type: 'text' })])).status).toBe(200);
    expect(text('tag.json')).toMatch(/^\{\s+"\/\/": "One",/);
  });

  test('refuses files with comments, and types without a file', async () => {
    const change = await withAttribute('note', { type: 'text' });
    writeFileSync(path.join(folder, 'tag.json'), `// A tag\n${text('tag.json')}`);
    expect((await client.get(PATH)).body.error.message).toContain('tag.json: line 1, column 1: invalid JSON');
    expect((await send('put', [change])).status).toBe(409);
    rmSync(path.join(folder, 'tag.json'));
    const { status, body } = await send('put', [{ ...change, version: null }]);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('is defined by code, not by tag.json')]);
  });

  test('is only for users who are logged in, on this machine and at its address', async () => {
    const before = everything();
    const body = JSON.stringify({ changes: [await withAttribute('note', { type: 'text' })] });
    const statusFor = (method: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const { port } = new URL(client.service.url);
        const own = {
          'Content-Type': 'application/json',
          Host: `localhost:${port}`,
          Authorization: `Bearer ${client.service.token}`,
        };
        const sent = http.request({ host: '127.0.0.1', port, path: PATH, method, headers: { ...own, ...headers } });
        sent.on('error', reject).on('response', (response) => resolve(response.resume().statusCode));
        sent.end(method === 'GET' ? undefined : body);
      });
    const strangers = [
      { Host: 'rebound.example.org', Origin: 'http://rebound.example.org' },
      { Origin: 'https://www.example.org' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'X-Forwarded-For': '192.0.2.7' },
      { Authorization: '' },
    ];
    for (const headers of strangers) {
      for (const method of ['GET', 'PUT']) expect([headers, await statusFor(method, headers)]).toEqual([headers, 403]);
    }
    expect(everything()).toEqual(before);
    expect(await statusFor('GET', {})).toBe(200);
  });
});

describe('of a Strapi v4 project', () => {
  const project = mkdtempSync(path.join(os.tmpdir(), 'definitions-'));
  const place = path.join(project, 'src/api/shop/content-types/product');
  mkdirSync(place, { recursive: true });
  const product = {
    info: { singularName: 'product', pluralName: 'products' },
    attributes: { name: { type: 'string' } },
  };
  writeFileSync(path.join(place, 'schema.json'), JSON.stringify(product));
  const client = useService({ contentTypes: project, environment: { NODE_ENV: 'development' } });
  afterAll(() => rmSync(project, { recursive: true }));

  test('files are written where Strapi keeps them', async () => {
    const [stored] = (await client.get(PATH)).body.data.definitions;
    expect(stored).toMatchObject({ uid: 'api::shop.product', definition: product });
    const changes = [
      { ...stored, definition: { ...product, attributes: { ...product.attributes, size: { type: 'component', component: 'parts.size' } } } },
      { uid: 'parts.size', version: null, definition: { info: { displayName: 'Size' }, attributes: { width: { type: 'float' } } } },
    ]; // prettier-ignore
    const { status } = await request(client.service.url)
      .put(PATH)
      .auth(client.service.token, { type: 'bearer' })
      .send({ changes });
    expect(status).toBe(200);
    expect(readFileSync(path.join(place, 'schema.json'), 'utf8')).toContain(
      '"size": {"type":"component","component":"parts.size"} }',
    );
    expect(readdirSync(path.join(project, 'src/components/parts'))).toEqual(['size.json']);
  });

  test('a type without code is deleted', async () => {
    const { uid, version } = (await client.get(PATH)).body.data.definitions[0];
    const remove = () =>
      request(client.service.url)
        .put(PATH)
        .auth(client.service.token, { type: 'bearer' })
        .send({ changes: [{ uid, version, definition: null }] });
    const code = path.join(project, 'src/api/shop/routes.js');
    writeFileSync(code, '');
    const { status, body } = await remove();
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('has code, e.g. routes.js')]);
    rmSync(code);
    expect((await remove()).body).toEqual({ data: { written: [uid] } });
    expect(readdirSync(place)).toEqual([]);
  });
});

const production = {
  NODE_ENV: 'production',
  JWT_SECRET: 'a-secret-of-thirty-two-characters',
  API_TOKEN_SALT: 'a-salt-of-thirty-two-characters-x',
};

describe.each([
  ['in tests', {}],
  ['in production', production],
] as const)('%s', (_, environment) => {
  const client = useService({ environment, plugins: { admin: true, 'content-type-builder': true } });

  test('there are no such routes', async () => {
    const statusesOf = async (path: string): Promise<readonly number[]> => {
      const agent = request(client.service.url);
      const sent = [agent.get(path), agent.post(`${path}/preview`), agent.put(path)];
      const received = await Promise.all(sent.map((one) => one.auth(client.service.token, { type: 'bearer' })));
      return received.map(({ status }) => status);
    };
    // As in Strapi v4, no address takes writes that has no route for them.
    expect(await statusesOf(PATH)).toEqual([404, 405, 405]);
    expect(await statusesOf('/api/no-such-route')).toEqual([404, 405, 405]);
    expect((await client.get('/api/admin/content')).body.data.definitions).toEqual({ find: true, build: false });
  });
});
