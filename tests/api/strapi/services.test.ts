import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { usesOfAbsent } from '../../support/absent-uses.js';
import { openProjectFolder, type RunningProject } from './project-folder.js';

const schema = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: false },
  attributes: {
    text: { type: 'string', required: true, maxLength: 20 },
    code: { type: 'string', unique: true },
    word: { type: 'password' },
    kind: { type: 'string', default: 'plain' },
    count: { type: 'integer' },
    secret: { type: 'string', private: true },
    cover: { type: 'media', multiple: false },
    parts: { type: 'component', component: 'shared.part', repeatable: true },
    related: { type: 'relation', relation: 'manyToMany', target: 'api::note.note' },
    at: { type: 'datetime' },
    stamp: { type: 'timestamp' },
    slug: { type: 'uid', targetField: 'text' },
    day: { type: 'date' },
    clock: { type: 'time' },
  },
};
const part = {
  collectionName: 'parts',
  info: { displayName: 'Part' },
  attributes: {
    label: { type: 'string' },
    notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' },
  },
};
const files = {
  'src/api/note/content-types/note/schema.json': JSON.stringify(schema),
  'src/components/shared/part.json': JSON.stringify(part),
  'src/api/note/services/note.js':
    "module.exports = require('@strapi/strapi').factories.createCoreService('api::note.note');",
  'src/api/note/routes/note.js': `module.exports = { routes: [
    { method: 'POST', path: '/run', handler: 'note.run', config: { auth: false } },
    { method: 'GET', path: '/visits', handler: 'note.visits', config: { auth: false } },
    { method: 'GET', path: '/mine', handler: ['note.mine'], config: { auth: { scope: [] } } },
  ] };`,
  'src/api/note/controllers/note.js': `const fs = require('fs'); const os = require('os'); const path = require('path');
    const onDisk = (name, text) => {
      const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'project-upload-')), name);
      fs.writeFileSync(file, text);
      return { path: file, name, type: 'text/plain', size: text.length };
    };
    module.exports = ({ strapi }) => ({
      async run(ctx) {
        try {
          ctx.body = { result: (await eval('(async () => ' + ctx.request.body.code + ')()')) ?? null };
        } catch (error) {
          ctx.body = { error: error.message };
        }
      },
      mine: ({ state }) => ({ createdAt: typeof state.user.createdAt, role: typeof state.user.role.createdAt }),
      visits(ctx) { ctx.session.count = (ctx.session.count ?? 0) + 1; ctx.body = { count: ctx.session.count }; },
    });`,
  'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => {
    plugin.contentTypes.user.schema.attributes.nickname = { type: 'string' };
    plugin.contentTypes.user.lifecycles = { beforeCreate: ({ params }) => { params.data.nickname ??= 'new'; } };
    const { user } = plugin.services;
    plugin.services.user = (context) => ({ ...user(context), greet: () => 'hello' });
    return plugin;
  };`,
  'config/plugins.js': `module.exports = {
    graphql: { enabled: true },
    upload: { config: { sizeLimit: 1000, responsiveDimensions: false } },
    'users-permissions': {
      config: {
        resetPasswordUrl: 'https://front.test/reset',
        providers: { github: { enabled: true, key: 'k', secret: 's', callback: 'https://front.test/in' } },
      },
    },
  };`,
  'config/server.js': "module.exports = { app: { keys: ['one', 'two'] } };",
  'config/database.js': "module.exports = { connection: { client: 'postgres', connection: { host: 'db.test' } } };",
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files, ['jsonwebtoken']);
});
afterAll(async () => running.stop());

/** Runs an expression where project code runs. */
// Tests state what they expect of a result.
// oxlint-disable-next-line typescript/no-explicit-any
const run = async (code: string): Promise<any> => (await running.send('POST', '/api/run', { code })).body;

test('strapi-server extends the content types and services of a plugin', async () => {
  const create = (more: string): Promise<unknown> =>
    run(
      `strapi.db.query('plugin::users-permissions.user').create({ data: { username: '${more}', email: '${more}@a.test' } })`,
    );
  expect(await create('ann')).toMatchObject({ result: { username: 'ann', nickname: 'new' } });
  expect(await run("strapi.plugin('users-permissions').service('user').greet()")).toEqual({ result: 'hello' });
  expect(running.output()).toContain('the service \\"user\\" is replaced for code');
});

test('settings that Strapi v4 stores at its start are there, with those of the service', async () => {
  const get = (name: string, key: string): Promise<unknown> =>
    run(`strapi.store({ type: 'plugin', name: '${name}' }).get({ key: '${key}' })`);
  expect(await get('users-permissions', 'grant')).toMatchObject({
    result: {
      email: { enabled: true, icon: 'envelope' },
      discord: { enabled: false, key: '', callbackUrl: expect.stringMatching(/\/api\/auth\/discord\/callback$/) },
      github: {
        enabled: true,
        icon: 'github',
        key: 'k',
        secret: 's',
        callback: 'https://front.test/in',
        scope: ['user', 'user:email'],
      },
      cas: { enabled: false, subdomain: 'my.subdomain.com/cas' },
    },
  });
  expect(await get('users-permissions', 'email')).toMatchObject({
    result: {
      reset_password: {
        options: {
          from: { name: 'Content Service', email: 'no-reply@localhost' },
          message: expect.stringContaining('<p><%= URL %>?code=<%= TOKEN %></p>'),
        },
      },
      email_confirmation: { options: { object: 'Account confirmation' } },
    },
  });
  expect(await get('users-permissions', 'advanced')).toEqual({
    result: {
      unique_email: true,
      allow_register: true,
      email_confirmation: false,
      email_reset_password: 'https://front.test/reset',
      email_confirmation_redirection: null,
      default_role: 'authenticated',
    },
  });
  expect(await get('upload', 'settings')).toEqual({
    result: { sizeOptimization: true, responsiveDimensions: false, autoOrientation: true },
  });
  expect(await get('i18n', 'default_locale')).toEqual({ result: 'en' });
});

test('settings that the service reads from its configuration are stored with a warning', async () => {
  const store = "strapi.store({ type: 'plugin', name: 'users-permissions', key: 'email' })";
  expect(await run(`${store}.set({ value: { own: 1 } }).then(() => ${store}.get())`)).toEqual({ result: { own: 1 } });
  await running.printed('strapi.store: plugin_users-permissions_email has no effect: set it in config/plugins');
});

test('the secret of tokens and the defaults of users-permissions are settings', async () => {
  const sign = "require('jsonwebtoken').sign({ id: 1 }, strapi.plugin('users-permissions').config('jwtSecret'))";
  expect(await run(`strapi.plugin('users-permissions').service('jwt').verify(${sign})`)).toMatchObject({
    result: { id: 1 },
  });
  expect(await run("strapi.config.get('plugin.users-permissions.layout.user.actions.create')")).toEqual({
    result: 'contentManagerUser.create',
  });
  const validate = (page: string): Promise<unknown> =>
    run(
      `strapi.plugin('users-permissions').config('callback').validate('${page}', { callback: 'https://front.test/in' })`,
    );
  expect(await validate('https://front.test/in?state=1')).toEqual({ result: null });
  expect(await validate('https://front.test/other')).toEqual({
    error: "Forbidden callback provided: pathname don't match. Please verify your config.",
  });
});

test('members that Strapi v4 has and the service does not throw an error with their name', async () => {
  const uses = usesOfAbsent();
  const calls = uses.map(({ code }) => `() => ${code}`).join(', ');
  const messages = `[${calls}].map((call) => { try { return String(call()); } catch (error) { return error.message; } })`;
  const { result } = (await run(messages)) as { readonly result: readonly string[] };
  const expected = uses.map(({ name }) => `${name} is not supported`);
  expect(result.map((message, index) => message.slice(0, expected[index]?.length))).toEqual(expected);
  expect(await run("strapi.plugin('content-manager').service('metrics').send({})")).toEqual({
    error: "strapi.plugin('content-manager').service('metrics').send is not supported",
  });
});

test("values of strapi.store are rows of strapi.db.query('strapi::core-store')", async () => {
  const rows = "strapi.db.query('strapi::core-store')";
  const key = 'plugin_own_settings';
  const row = (value: unknown): object => ({ result: { id: key, key, value: JSON.stringify(value), type: 'object' } });
  const where = `where: { key: '${key}' }`;
  expect(await run(`${rows}.findOne({ ${where} })`)).toEqual({ result: null });
  expect(
    await run(`${rows}.create({ data: { key: '${key}', value: JSON.stringify({ a: 1 }), type: 'object' } })`),
  ).toMatchObject(row({ a: 1 }));
  expect(await run("strapi.store({ type: 'plugin', name: 'own' }).get({ key: 'settings' })")).toEqual({
    result: { a: 1 },
  });
  expect(
    await run(
      `${rows}.update({ where: { id: (await ${rows}.findOne({ ${where} })).id }, data: { value: '{"a":2}' } })`,
    ),
  ).toMatchObject(row({ a: 2 }));
  expect(
    await run(`strapi.query('strapi::core-store').findMany({ where: { key: { $in: ['${key}', 'none'] } } })`),
  ).toMatchObject({ result: [{ key }] });
  expect(await run(`${rows}.count({ where: { key: 'plugin_users-permissions_advanced' } })`)).toEqual({ result: 1 });
  expect(await run(`${rows}.delete({ ${where} })`)).toMatchObject(row({ a: 2 }));
  expect(await run("strapi.store.get({ type: 'plugin', name: 'own', key: 'settings' })")).toEqual({ result: null });
  for (const [asked, named] of [
    ['{}', 'nothing'],
    ["{ where: { type: 'object' } }", 'type'],
    ["{ where: { key: { $contains: 'x' } } }", '\\$contains'],
  ])
    expect(await run(`${rows}.findMany(${asked})`)).toEqual({
      error: expect.stringMatching(`core-store'\\) finds by key only, not by ${named}: use strapi.store`),
    });
});

test('i18n says which attributes localizations share, and copies them without the ids of components', async () => {
  const model = JSON.stringify({
    attributes: {
      title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
      price: { type: 'integer' },
      slug: { type: 'uid' },
      friends: { type: 'relation' },
      cover: { type: 'media' },
      parts: { type: 'component', component: 'shared.part', repeatable: true },
      zone: { type: 'dynamiczone' },
    },
    options: {},
  });
  const types = "strapi.plugin('i18n').service('content-types')";
  const entry = `{ id: 1, title: 'a', price: 3, parts: [{ id: 4, label: 'x' }], zone: [{ id: 5, __component: 'shared.part', label: 'y' }], cover: { id: 6 } }`;
  expect(await run(`${types}.getLocalizedAttributes(${model})`)).toEqual({ result: ['title', 'slug', 'friends'] });
  expect(await run(`${types}.getNonLocalizedAttributes(${model})`)).toEqual({
    result: ['price', 'cover', 'parts', 'zone'],
  });
  const copied = {
    price: 3,
    cover: { id: 6 },
    parts: [{ label: 'x' }],
    zone: [{ __component: 'shared.part', label: 'y' }],
  };
  expect(await run(`${types}.copyNonLocalizedAttributes(${model}, ${entry})`)).toEqual({ result: copied });
  const fill = `(async () => { const target = { text: 'own' }; ${types}.fillNonLocalizedAttributes(target, { text: 'other', count: 2 }, { model: 'api::note.note' }); return target; })()`;
  expect(await run(fill)).toEqual({ result: { text: 'own', count: 2 } });
  expect(await run(`${types}.getValidLocale(null)`)).toEqual({ result: 'en' });
  expect(await run(`${types}.getValidLocale('en')`)).toEqual({ result: 'en' });
  expect(await run(`${types}.getValidLocale('xx')`)).toEqual({ error: 'Locale not found' });
});

test('code learns what database to correct in SQL, what columns there would be, and sends mails by the provider', async () => {
  const ways = ['db.dialect.client', 'db.config.connection.client', "config.get('database.connection.client')"];
  expect(await run(`[${ways.map((way) => `strapi.${way}`).join()}]`)).toEqual({ result: ways.map(() => 'sqlite') });
  expect(await run("strapi.db.metadata.get('api::note.note').attributes.createdAt.columnName")).toEqual({
    result: 'created_at',
  });
  expect(await run("strapi.plugin('upload').service('upload').getSettings()")).toEqual({
    result: { sizeOptimization: true, responsiveDimensions: false, autoOrientation: true },
  });
  expect(await run("strapi.plugin('upload').service('upload').getConfiguration()")).toMatchObject({
    result: { pageSize: 10 },
  });
  expect(await run("strapi.plugin('email').provider.send({ to: 'a@a.test', subject: 's', text: 't' })")).toEqual({
    result: null,
  });
});

test('reload does nothing outside of development, as in Strapi v4', async () => {
  expect(await run('[strapi.reload(), strapi.reload.isWatching, strapi.reload.isReloading]')).toEqual({
    result: [null, true, false],
  });
});

test('lifecycles can be turned off while code runs', async () => {
  const create =
    "strapi.db.query('plugin::users-permissions.user').create({ data: { username: 'off', email: 'off@a.test' } })";
  await run('strapi.db.lifecycles.disable()');
  expect(await run(create)).toMatchObject({ result: { username: 'off', nickname: null } });
  await run('strapi.db.lifecycles.enable()');
});

test('lifecycles set the times of users that register, clients do not', async () => {
  const [created, changed] = ['2001-01-01T00:00:00.000Z', '2002-02-02T00:00:00.000Z'];
  const set = (params: string, data: string) =>
    `before${params}: ({ params: { data } }) => void Object.assign(data, { ${data} })`;
  await run(
    `(() => { globalThis.stop = strapi.db.lifecycles.subscribe({ models: ['plugin::users-permissions.user'],
      ${set('Create', `createdAt: '${created}', updatedAt: '${changed}'`)}, ${set('Update', `createdAt: '${changed}'`)} }); })()`,
  );
  const register = async (username: string): Promise<Record<string, string>> => {
    const input = { username, email: `${username}@a.test`, password: 'secret12', createdAt: '1990-01-01' };
    return (await running.send('POST', '/api/auth/local/register', input)).body.user;
  };
  const user = await register('timed');
  expect(user).toMatchObject({ createdAt: created, updatedAt: changed });
  const token = (await running.send('POST', '/api/auth/local', { identifier: 'timed', password: 'secret12' })).body.jwt;
  const passwords = { currentPassword: 'secret12', password: 'secret34', passwordConfirmation: 'secret34' };
  const { body } = await running.send('POST', '/api/auth/change-password', passwords, token);
  expect(body.user).toMatchObject({ createdAt: changed });
  await run('globalThis.stop()');
  expect(Date.parse((await register('untimed'))['createdAt'] ?? '')).toBeGreaterThan(Date.now() - 60_000);
});

test('the upload service uploads, replaces, updates and removes files on disk', async () => {
  const service = "strapi.plugin('upload').service('upload')";
  expect(
    await run(`${service}.upload({ data: { fileInfo: { caption: 'first' } }, files: onDisk('a.txt', 'abc') })`),
  ).toMatchObject({ result: [{ id: 1, name: 'a.txt', mime: 'text/plain', caption: 'first', folderPath: '/' }] });
  expect(await run(`${service}.updateFileInfo(1, { alternativeText: 'letters' })`)).toMatchObject({
    result: { alternativeText: 'letters', caption: 'first' },
  });
  expect(
    await run(`${service}.replace(1, { data: { fileInfo: { caption: 'second' } }, file: onDisk('b.txt', 'abcdef') })`),
  ).toMatchObject({ result: { id: 1, caption: 'second' } });
  expect(await run(`strapi.plugins.upload.services.upload.findOne(1)`)).toMatchObject({
    result: { caption: 'second' },
  });
  expect(await run(`${service}.remove({ id: 1 })`)).toMatchObject({ result: { id: 1 } });
  expect(await run(`${service}.findOne(1)`)).toEqual({ result: null });
  expect(await run(`${service}.replace(1, { file: onDisk('b.txt', 'a') })`)).toEqual({ error: 'Entity not found' });
  await run("strapi.db.query('plugin::upload.folder').create({ data: { name: 'Own', pathId: 9, path: '/9' } })");
  expect(
    await run(`${service}.upload({ data: { fileInfo: [{ folder: 1 }] }, files: [onDisk('c.txt', 'abc')] })`),
  ).toMatchObject({ result: [{ name: 'c.txt', folderPath: '/9' }] });
});

test('lifecycles can change a result, but not replace it', async () => {
  const subscribe = (body: string) =>
    `(() => { globalThis.unsubscribe?.(); globalThis.unsubscribe = strapi.db.lifecycles.subscribe({ models: ['api::note.note'], ${body} }); })()`;
  await run(
    subscribe('afterCount(event) { event.result = 99; }, afterFindMany(event) { event.result = [{ own: 1 }]; }'),
  );
  expect(await run("strapi.db.query('api::note.note').count({ where: { id: -1 } })")).toEqual({ result: 0 });
  expect(await run("strapi.db.query('api::note.note').findMany({ where: { id: -1 } })")).toEqual({ result: [] });
  await run(subscribe('afterFindMany(event) { event.result.push({ own: 1 }); }'));
  expect(await run("strapi.db.query('api::note.note').findMany({ where: { id: -1 } })")).toEqual({
    result: [{ own: 1 }],
  });
  await run('globalThis.unsubscribe()');
});

test('strapi.store.get and set take the whole key', async () => {
  const key = "type: 'plugin', name: 'mine', key: 'settings'";
  expect(await run(`strapi.store.set({ ${key}, value: { a: 1 } })`)).toEqual({ result: null });
  expect(await run(`strapi.store.get({ ${key} })`)).toEqual({ result: { a: 1 } });
  expect(await run("strapi.store({ type: 'plugin', name: 'mine' }).get({ key: 'settings' })")).toEqual({
    result: { a: 1 },
  });
  expect(await run(`strapi.store.get({ type: 'plugin', name: 'users-permissions', key: 'advanced' })`)).toMatchObject({
    result: { default_role: 'authenticated' },
  });
});

test('@strapi/strapi/lib/core-api/controller/transform is available', async () => {
  const part = "require('@strapi/strapi/lib/core-api/controller/transform')";
  const contentType = "strapi.contentType('api::note.note')";
  expect(
    await run(
      `${part}.transformResponse({ id: 1, text: 'a', related: [{ id: 2 }] }, { n: 3 }, { contentType: ${contentType} })`,
    ),
  ).toEqual({
    result: {
      data: { id: 1, attributes: { text: 'a', related: { data: [{ id: 2, attributes: {} }] } } },
      meta: { n: 3 },
    },
  });
  expect(await run(`${part}.parseBody(ctx)`)).toEqual({ result: {} });
  // Only the use of a part that is not there throws.
  expect(await run("typeof require('@strapi/strapi/lib/Strapi')")).toEqual({ result: 'object' });
  expect(await run("require('@strapi/strapi/lib/Strapi').compile()")).toEqual({
    error: '@strapi/strapi/lib/Strapi: compile is not supported',
  });
});

test('the entity service puts files into media attributes, and stores no others', async () => {
  const files = `{ cover: [onDisk('a.txt', 'a'), onDisk('c.txt', 'c')], nope: onDisk('n.txt', 'n'), text: onDisk('t.txt', 't') }`;
  const uid = "'api::note.note'";
  expect(
    await run(`strapi.entityService.create(${uid}, {
      data: { text: 'with a file' }, files: ${files}, populate: { cover: { fields: ['name'] } } })`),
  ).toMatchObject({ result: { text: 'with a file', cover: { name: 'c.txt' } } });
  const others = "{ where: { name: ['n.txt', 't.txt'] } }";
  expect(await run(`strapi.query('plugin::upload.file').count(${others})`)).toEqual({ result: 0 });
  expect(
    await run(
      `strapi.entityService.update(${uid}, 1, { data: {}, files: { cover: onDisk('d.txt', 'd') }, populate: ['cover'] })`,
    ),
  ).toMatchObject({ result: { cover: { name: 'd.txt' } } });
});

test('the entity service clones an entry with its components and relations', async () => {
  const uid = "'api::note.note'";
  await run(`strapi.entityService.create(${uid}, { data: { text: 'origin', parts: [{ label: 'x' }], related: [1] } })`);
  expect(
    await run(
      `strapi.entityService.clone(${uid}, 2, { data: { text: 'copy' }, populate: ['parts', 'related', 'cover'] })`,
    ),
  ).toMatchObject({ result: { id: 3, text: 'copy', parts: [{ label: 'x' }], related: [{ id: 1 }], cover: null } });
  expect(await run(`strapi.entityService.findOne(${uid}, 2, { populate: ['parts', 'related'] })`)).toMatchObject({
    result: { text: 'origin', parts: [{ label: 'x' }], related: [{ id: 1 }] },
  });
  // Any string but 'false', 'f', '0' and '' populates, as from `populate[parts]=x` in an address.
  expect(
    await run(`strapi.entityService.findOne(${uid}, 2, { fields: ['text'], populate: { parts: 'x', related: 'f' } })`),
  ).toEqual({ result: { id: 2, text: 'origin', parts: [expect.objectContaining({ label: 'x' })] } });
  expect(await run(`strapi.entityService.clone(${uid}, 99)`)).toEqual({ error: 'Entity not found' });
  const { result: origin } = await run(
    `strapi.entityService.update(${uid}, 2, { data: { parts: [{ label: 'x', notes: [1] }] }, populate: ['parts'] })`,
  );
  const clone = async (data: object): Promise<unknown> => {
    const params = { data: { text: 'copy', ...data }, populate: { related: true, parts: { populate: ['notes'] } } };
    const { related, parts } = (await run(`strapi.entityService.clone(${uid}, 2, ${JSON.stringify(params)})`)).result;
    const idsOf = (list: readonly { id: number }[]): readonly number[] => list.map(({ id }) => id);
    return [
      idsOf(related),
      parts.map(({ label, notes }: { label: string; notes: { id: number }[] }) => [label, idsOf(notes)]),
    ];
  };
  const [{ id }] = origin.parts;
  expect(await clone({ related: { connect: [2] } })).toEqual([[1, 2], [['x', [1]]]]);
  expect(await clone({ related: { disconnect: [1] } })).toEqual([[], [['x', [1]]]]);
  expect(await clone({ related: { connect: [3], disconnect: [{ id: 1 }] } })).toEqual([[3], [['x', [1]]]]);
  expect(await clone({ related: { set: [3] } })).toEqual([[3], [['x', [1]]]]);
  expect(
    await clone({
      parts: [
        { id, notes: { connect: [2] } },
        { label: 'new', notes: { connect: [3] } },
      ],
    }),
  ).toEqual([
    [1],
    [
      ['x', [1, 2]],
      ['new', [3]],
    ],
  ]);
});

test('settings of upload and email have the defaults of Strapi v4', async () => {
  expect(await run("['plugin.upload', 'plugin.email'].map((name) => strapi.config.get(name))")).toEqual({
    result: [
      { enabled: true, provider: 'local', sizeLimit: 1000, responsiveDimensions: false, actionOptions: {} },
      { provider: 'sendmail', providerOptions: {}, settings: { defaultFrom: 'Strapi <no-reply@strapi.io>' } },
    ],
  });
});

test('settings of the server have the defaults of Strapi v4', async () => {
  expect(await run("['proxy', 'admin', 'cron'].map((name) => strapi.config.get('server.' + name))")).toEqual({
    result: [false, { autoOpen: false }, { enabled: false }],
  });
});

test('services of plugins read roles and locales and send mails', async () => {
  const roles = "strapi.service('plugin::users-permissions.role')";
  await run(`${roles}.createRole({ name: 'Editors', description: 'edit', permissions: {} })`);
  expect(await run(`${roles}.findOne(3)`)).toMatchObject({
    result: { name: 'Editors', permissions: expect.anything() },
  });
  await run(`${roles}.updateRole(3, { name: 'Writers', description: 'write', permissions: {} })`);
  expect(await run(`${roles}.find()`)).toMatchObject({
    result: expect.arrayContaining([expect.objectContaining({ name: 'Writers' })]),
  });
  await run(`${roles}.deleteRole(3)`);
  expect(await run(`${roles}.findOne(3)`)).toMatchObject({ error: expect.any(String) });
  const locales = "strapi.plugin('i18n').service('locales')";
  expect(await run(`${locales}.setIsDefault(await ${locales}.find())`)).toMatchObject({
    result: [{ code: 'en', isDefault: true }],
  });
  expect(await run(`${locales}.find({ code: 'fr' })`)).toEqual({ result: [] });
  const written = { result: expect.not.objectContaining({ isDefault: expect.anything() }) };
  expect(await run(`${locales}.create({ code: 'fr', name: 'French', isDefault: false })`)).toEqual(written);
  expect(await run(`${locales}.update({ code: 'fr' }, { name: 'Français' })`)).toEqual(written);
  expect(await run(`${locales}.delete((await ${locales}.findByCode('fr')))`)).toEqual(written);
  expect(await run(`${locales}.delete({ id: 99 })`)).toEqual({ result: null });
  expect(
    await run(
      `strapi.plugin('i18n').service('content-types').isLocalizedContentType(strapi.getModel('api::note.note'))`,
    ),
  ).toEqual({ result: false });
  expect(
    await run(`strapi.plugin('email').service('email').sendTemplatedEmail({ to: 'a@b.test' }, { subject: 'x' }, {})`),
  ).toEqual({ error: 'Following attributes are missing from your email template : text, html' });
});

test('strapi::session keeps a signed session in a cookie', async () => {
  const first = await running.fetch('/api/visits');
  expect(await first.json()).toEqual({ count: 1 });
  const cookie = first.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  expect(cookie).toContain('koa.sess.sig=');
  expect(await (await running.fetch('/api/visits', { headers: { cookie } })).json()).toEqual({ count: 2 });
  expect(
    await (await running.fetch('/api/visits', { headers: { cookie: cookie.replace('sig=', 'sig=x') } })).json(),
  ).toEqual({ count: 1 });
});

test('strapi.container works, and properties without effect exist', async () => {
  expect(await run("strapi.container.register('own', ({ strapi }) => typeof strapi.getModel).get('own')")).toEqual({
    result: 'function',
  });
  expect(await run("strapi.container.get('gone')")).toEqual({ error: 'Could not resolve service gone' });
  expect(await run("strapi.telemetry.send('event')")).toEqual({ result: null });
});

test('strapi.log writes to the log of the service, with the stack of errors', async () => {
  await run("strapi.log.warn('a line of the project', { id: 7 })");
  await run("strapi.log.error(new Error('a failure of the project'))");
  await running.printed('Error: a failure of the project');
  expect(running.output()).toMatch(/"level":40,.*"msg":"a line of the project { id: 7 }"/);
  expect(running.output()).toMatch(/"level":50,.*"stack":"Error: a failure of the project\\n +at /);
});

test('files have the entries and components that show them', async () => {
  const uid = "'plugin::upload.file'";
  await run(`strapi.plugin('upload').service('upload').upload({ data: {}, files: onDisk('shown.txt', 'abc') })`);
  const { result: file } = (await run(`strapi.db.query(${uid}).findOne({ where: { name: 'shown.txt' } })`)) as {
    result: { id: number };
  };
  const { result: note } = (await run(
    `strapi.entityService.create('api::note.note', { data: { text: 'with a cover', secret: 's', cover: ${file.id} } })`,
  )) as { result: { id: number } };
  const entry = { __type: 'api::note.note', text: 'with a cover', secret: 's' };
  const selection = `{ where: { id: ${file.id} }, select: ['name']`;
  for (const populate of [
    "['related']",
    'true',
    '{ related: true }',
    "{ related: { on: { 'api::note.note': true } } }",
  ]) {
    expect(await run(`strapi.db.query(${uid}).findOne(${selection}, populate: ${populate} })`)).toMatchObject({
      result: { name: 'shown.txt', related: [entry] },
    });
  }
  for (const populate of ["'related'", "'*'", "['folder', 'related']", '{ related: true }']) {
    expect(await run(`strapi.entityService.findOne(${uid}, ${file.id}, { populate: ${populate} })`)).toMatchObject({
      result: { related: [entry] },
    });
  }
  expect(
    await run(`strapi.db.query(${uid}).findMany(${selection}, populate: { related: { select: ['text'] } } })`),
  ).toEqual({
    result: [
      { id: file.id, name: 'shown.txt', related: [{ id: note.id, __type: 'api::note.note', text: 'with a cover' }] },
    ],
  });
  expect(await run(`strapi.db.query(${uid}).load({ id: ${file.id} }, 'related')`)).toMatchObject({ result: [entry] });
  expect(await run(`strapi.entityService.load(${uid}, { id: ${file.id} }, 'related', { fields: ['id'] })`)).toEqual({
    result: [{ id: note.id, __type: 'api::note.note' }],
  });
  const sanitize = `require('@strapi/utils').sanitize.contentAPI.output(await strapi.db.query(${uid}).findOne(${selection}, populate: true }), strapi.getModel(${uid}))`;
  expect(JSON.stringify(await run(sanitize))).toMatch(/with a cover(?!.*secret)/);
  const populated = "{ related: { select: ['id'], populate: { cover: { select: ['name'] } } } }";
  expect(await run(`strapi.db.query(${uid}).findOne(${selection}, populate: ${populated} })`)).toMatchObject({
    result: { related: [{ __type: 'api::note.note', id: note.id, cover: { name: 'shown.txt' } }] },
  });
  for (const [call, message] of [
    [`db.query(${uid}).findOne(${selection}, populate: { related: { where: { id: 1 } } } })`, 'where of related'],
    [`entityService.findMany(${uid}, { populate: { related: { filters: { text: 'a' } } } })`, 'where of related'],
    [`entityService.findMany(${uid}, { populate: { related: { populate: { cover: true } } } })`, 'takes names or "*"'],
    ["db.query('api::note.note').findMany({ populate: ['cover.related'] })", 'below another attribute'],
    ["entityService.findMany('api::note.note', { populate: { cover: { populate: 'related' } } })", 'below another'],
  ]) {
    expect(await run(`strapi.${call}`)).toMatchObject({ error: expect.stringContaining(String(message)) });
  }
  for (const call of ['db.query', 'entityService'].map((api) =>
    api === 'db.query' ? `db.query(${uid}).findMany({ where` : `entityService.findMany(${uid}, { filters`,
  )) {
    expect(await run(`strapi.${call}: { related: { id: 1 } } })`)).toEqual({
      error: 'You cannot filter on relation types',
    });
  }
  expect(await run(`strapi.db.query(${uid}).update(${selection}, data: { related: [{ id: 1 }] } })`)).toEqual({
    error: 'related of a file cannot be written: write the media field of the entry',
  });
  expect(await run(`strapi.db.query(${uid}).findMany({ where: { id: -1 }, populate: ['related'] })`)).toEqual({
    result: [],
  });
});

test('code reads and writes dates and times as Strapi v4 does', async () => {
  const moments = `{ text: 'times', at: new Date(0), stamp: new Date(1), day: new Date('2024-02-03T04:05:06Z'), clock: new Date(2024, 1, 3, 4, 5, 6, 7) }`;
  const values = { at: '1970-01-01T00:00:00.000Z', stamp: '1', day: '2024-02-03', clock: '04:05:06.007' };
  const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const entry = { ...values, createdAt: iso, updatedAt: iso };
  const { result } = (await run(`(async () => {
    const uid = 'api::note.note';
    const events = [];
    const end = strapi.db.lifecycles.subscribe({ models: [uid], afterCreate: ({ result }) => void events.push(result), afterFindMany: ({ result }) => void events.push(...result) });
    const byService = await strapi.entityService.create(uid, { data: ${moments} });
    const byQuery = await strapi.db.query(uid).create({ data: ${moments} });
    const data = { text: 'again', related: [byService.id], at: byService.at, stamp: byService.stamp, day: byService.day, clock: byService.clock };
    const again = await strapi.entityService.create(uid, { data, populate: ['related'] });
    const { results } = await strapi.service(uid).find({ filters: { at: new Date(0), clock: byService.clock } });
    const found = await strapi.db.query(uid).findMany({ where: { at: byService.at, createdAt: { $lte: new Date() } } });
    end();
    // JSON would make strings of dates.
    const kinds = (value) => value instanceof Date ? 'Date' : Array.isArray(value) ? value.map(kinds)
      : value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, kinds(part)])) : value;
    return kinds({ byService, byQuery, again, found: [...results, ...found], events });
  })()`)) as { result: { events: readonly unknown[] } };
  expect(result).toMatchObject({
    byService: entry,
    byQuery: entry,
    again: { ...entry, related: [entry] },
    found: [entry, entry, entry, entry, entry, entry],
  });
  for (const shown of result.events) expect(shown).toMatchObject(entry);
  const token = await run(`(async () => {
    const role = await strapi.db.query('plugin::users-permissions.role').findOne({ where: { type: 'authenticated' } });
    const data = { username: 'dated', email: 'dated@a.test', role: role.id };
    const { id } = await strapi.db.query('plugin::users-permissions.user').create({ data });
    return strapi.plugin('users-permissions').service('jwt').issue({ id });
  })()`);
  const { body } = await running.send('GET', '/api/mine', undefined, (token as { result: string }).result);
  expect(body).toEqual({ createdAt: 'string', role: 'string' });
});

test('strapi.entityValidator validates data without writing it', async () => {
  const validate = (method: string, data: string, more = ''): Promise<unknown> =>
    run(`strapi.entityValidator.validateEntity${method}(strapi.contentTypes['api::note.note'], ${data}${more})`);
  const total = (): Promise<unknown> => run(`strapi.db.query('api::note.note').count()`);
  const before = await total();
  expect(await validate('Creation', `{ text: 'a', count: '3', word: 'secret', note: 1 }`)).toEqual({
    result: { text: 'a', count: 3, word: 'secret', kind: 'plain', note: 1 },
  });
  expect(await validate('Creation', '{ count: 1 }')).toEqual({ error: 'text must be defined.' });
  expect(await validate('Creation', `{ count: 1 }`, ', { isDraft: true }')).toMatchObject({ result: { count: 1 } });
  expect(await validate('Creation', `{ text: 'a', related: [9999] }`)).toEqual({
    error: '1 relation(s) of type api::note.note associated with this entity do not exist',
  });
  expect(await validate('Creation', 'undefined')).toEqual({
    error:
      'Invalid payload submitted for the creation of an entity of type Note. Expected an object, but got undefined',
  });
  expect(await validate('Update', '{ count: 2 }')).toEqual({ result: { count: 2 } });
  expect(await validate('Update', '{ text: null }')).toMatchObject({ error: expect.stringContaining('text must be') });
  expect(await total()).toEqual(before);
  const created = await run(`strapi.entityService.create('api::note.note', { data: { text: 'a', code: 'one' } })`);
  const { id } = (created as { result: { id: number } }).result;
  expect(await validate('Creation', `{ text: 'a', code: 'one' }`)).toEqual({ error: 'This attribute must be unique' });
  expect(await validate('Update', `{ code: 'one' }`)).toEqual({ error: 'This attribute must be unique' });
  expect(await validate('Update', `{ code: 'one' }`, `, {}, { id: ${id} }`)).toEqual({ result: { code: 'one' } });
  expect(
    await run(`strapi.entityValidator.validateEntityCreation(strapi.components['shared.part'], {})`),
  ).toMatchObject({
    error: expect.stringContaining('components are validated with their entry'),
  });
});

test('the entity service reads components like content types, and writes none', async () => {
  const create = await run(
    "strapi.entityService.create('api::note.note', { data: { text: 'whole', parts: [{ label: 'a' }, { label: 'b' }] }, populate: 'parts' })",
  );
  const { parts } = create['result'] as { readonly parts: readonly { readonly id: number }[] };
  const [first] = parts;
  const read = (params: string) => run(`strapi.entityService.${params}`);
  const filters = `{ filters: { id: { $in: [${parts.map(({ id }) => id).join()}] } }, sort: 'label:desc', populate: { notes: true } }`;
  expect(await read(`findMany('shared.part', ${filters})`)).toMatchObject({
    result: [
      { label: 'b', notes: [] },
      { label: 'a', notes: [] },
    ],
  });
  expect(await read(`findOne('shared.part', ${first?.id}, { fields: ['label'] })`)).toEqual({
    result: { id: first?.id, label: 'a' },
  });
  expect(await read(`count('shared.part', { filters: { label: 'b' } })`)).toEqual({ result: 1 });
  expect(await read(`create('shared.part', { data: { label: 'c' } })`)).toMatchObject({
    error: expect.stringContaining('the component shared.part is stored within entries'),
  });
});

test('the service uid makes values of uid attributes that no other entry has', async () => {
  const uid = "strapi.service('plugin::content-manager.uid')";
  const place = { contentTypeUID: 'api::note.note', field: 'slug' };
  const call = async (method: string, input: object): Promise<unknown> =>
    (await run(`${uid}.${method}(${JSON.stringify({ ...place, ...input })})`)).result;
  expect(await call('generateUIDField', { data: { text: 'Head Cook' } })).toBe('head-cook');
  for (const slug of ['head-cook', 'head-cook-1']) {
    await run(`strapi.entityService.create('api::note.note', { data: { text: 'Head Cook', slug: '${slug}' } })`);
  }
  expect(await call('generateUIDField', { data: { text: 'Head Cook' } })).toBe('head-cook-2');
  expect(await call('generateUIDField', { data: {} })).toBe('note');
  expect(await call('findUniqueUID', { value: 'head-cook' })).toBe('head-cook-2');
  expect(await call('checkUIDAvailability', { value: 'head-cook' })).toBe(false);
  expect(await call('checkUIDAvailability', { value: 'other' })).toBe(true);
});

test('entries are grouped by the values of attributes: the first one of each group', async () => {
  const words = ['d', 'c', 'd', 'c', 'e'];
  for (const [index, kind] of words.entries())
    await run(`strapi.entityService.create('api::note.note', { data: { text: 'grouped ${index}', kind: '${kind}' } })`);
  const grouped = (params: string): Promise<unknown> =>
    run(`strapi.db.query('api::note.note').findMany({ where: { text: { $startsWith: 'grouped' } }, ${params} })`);
  expect(await grouped("groupBy: ['kind'], select: ['kind', 'text']")).toEqual({
    result: [
      { kind: 'c', text: 'grouped 1' },
      { kind: 'd', text: 'grouped 0' },
      { kind: 'e', text: 'grouped 4' },
    ],
  });
  expect(await grouped("groupBy: 'kind', select: ['text'], orderBy: { text: 'desc' }, limit: 1, offset: 1")).toEqual({
    result: [{ text: 'grouped 1' }],
  });
  expect(await grouped("groupBy: ['other']")).toEqual({ error: 'unknown attribute "other" in groupBy' });
  expect(await run("strapi.db.query('shared.part').findMany({ groupBy: ['label'] })")).toEqual({
    error: 'groupBy is not supported for shared.part: read the attributes, and group the entries in the code',
  });
});

test('copies of the first controllers of users-permissions find the members of its service user', async () => {
  const of = (call: string): Promise<unknown> => run(`strapi.plugin('users-permissions').service('user').${call}`);
  expect(await of("isHashed('$2a$10$abc')")).toEqual({ result: true });
  expect(await of("isHashed('abc')")).toEqual({ result: false });
  expect(await of("hashPassword({ password: '$2a$10$abc' })")).toEqual({ result: null });
  // Without a condition it is nobody's.
  expect(await of('edit({}, { confirmed: true })')).toEqual({ error: 'Update requires a where parameter' });
  const made = "const user = strapi.plugin('users-permissions').service('user')";
  const data = "{ username: 'ines', email: 'ines@test.example', provider: 'local' }";
  expect(
    await run(`(async () => { ${made};
      const password = await user.hashPassword({ password: 'Secret-1234' });
      const { id } = await strapi.query('plugin::users-permissions.user').create({ data: { ...${data}, password } });
      const edited = await user.edit({ username: 'ines' }, { confirmed: true });
      const found = await user.fetch({ email: 'ines@test.example' }, ['role']);
      return { isSame: found.id === id && edited.id === id, confirmed: found.confirmed, role: found.role,
        matches: await user.validatePassword('Secret-1234', found.password),
        all: (await user.fetchAll({ username: 'ines' }, ['role'])).length, none: await user.edit({ username: 'nobody' }, {}) };
    })()`),
  ).toEqual({ result: { isSame: true, confirmed: true, role: null, matches: true, all: 1, none: null } });
});
