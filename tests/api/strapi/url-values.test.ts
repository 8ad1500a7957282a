import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type Answered, type RunningProject } from './project-folder.js';

/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const files = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }),
  ...apiFiles('note', {
    text: { type: 'string' },
    amount: { type: 'integer' },
    tags: { type: 'relation', relation: 'oneToMany', target: 'api::tag.tag' },
  }),
  ...apiFiles('tag', { name: { type: 'string' } }),
  // With code that observes its events, which another path of GraphQL and REST serves.
  ...apiFiles('memo', { text: { type: 'string' } }),
  'src/api/memo/content-types/memo/lifecycles.js': 'module.exports = { beforeUpdate() {} };',
  'src/api/call/routes/call.js': `module.exports = { routes: [
    { method: 'POST', path: '/call', handler: 'call.action', config: { auth: false } },
    { method: 'POST', path: '/serve', handler: 'call.serve', config: { auth: false } },
    { method: 'POST', path: '/make', handler: 'call.make', config: { auth: false } },
  ] };`,
  'src/api/call/controllers/call.js': `
    const fs = require('fs'), os = require('os'), path = require('path');
    let made = 0;
    const makers = {
      note: async () => strapi.entityService.create('api::note.note', { data: { text: 'old', amount: 5, tags: [(await makers.tag()).id] } }),
      memo: () => strapi.entityService.create('api::memo.memo', { data: { text: 'old' } }),
      tag: () => strapi.entityService.create('api::tag.tag', { data: { name: 'red' } }),
      role: () => strapi.db.query('plugin::users-permissions.role').create({ data: { name: 'role', type: 'role' + made } }),
      user: () => strapi.entityService.create('plugin::users-permissions.user', { data: { username: 'user' + made, email: 'user' + made + '@test.example', password: 'Secret-1' } }),
      file: async () => {
        const file = path.join(os.tmpdir(), 'pixel-' + process.pid + '.png');
        fs.writeFileSync(file, Buffer.from('${PNG}', 'base64'));
        return (await strapi.plugin('upload').service('upload').upload({ data: {}, files: { path: file, name: 'pixel.png', type: 'image/png', size: 70 } }))[0];
      },
    };
    module.exports = {
      // An action, as code of a project calls it with what it has set.
      async action(ctx) {
        const { uid, name, params = {}, query = {}, body } = ctx.request.body;
        ctx.params = params;
        for (const key of Object.keys(ctx.query)) delete ctx.query[key];
        Object.assign(ctx.query, query);
        ctx.request.body = body;
        const answer = await strapi.controller(uid)[name](ctx);
        if (answer !== undefined) ctx.body = answer;
      },
      // A function of a service, e.g. entityService.findOne.
      async serve(ctx) {
        const { of, name, args, uid } = ctx.request.body;
        const services = { entityService: strapi.entityService, query: uid && strapi.db.query(uid), core: uid && strapi.service(uid),
          user: strapi.plugin('users-permissions').service('user'), role: strapi.plugin('users-permissions').service('role'),
          upload: strapi.plugin('upload').service('upload') };
        ctx.body = { result: (await services[of][name](...args)) ?? null };
      },
      async make(ctx) { made += 1; ctx.body = { id: (await makers[ctx.request.body.what]()).id }; },
    };`,
  'src/index.js': `module.exports = { register({ strapi }) {
    const number = async (next, parent, args, context, info) => {
      args.id = context.koaContext.get('x-form') === 'number' ? Number(args.id) : args.id;
      return next(parent, args, context, info);
    };
    const fields = ['Query.note', 'Mutation.updateNote', 'Mutation.deleteNote', 'Query.memo', 'Mutation.updateMemo', 'Mutation.deleteMemo',
      'Query.usersPermissionsUser', 'Mutation.updateUsersPermissionsUser', 'Mutation.deleteUsersPermissionsUser',
      'Mutation.updateUsersPermissionsRole', 'Mutation.deleteUsersPermissionsRole',
      'Query.uploadFile', 'Mutation.updateUploadFile', 'Mutation.removeFile', 'Mutation.deleteUploadFile'];
    strapi.plugin('graphql').service('extension').use({
      resolversConfig: Object.fromEntries(fields.map((field) => [field, { auth: false, middlewares: [number] }])),
    });
  } };`,
};

type What = 'note' | 'memo' | 'tag' | 'role' | 'user' | 'file';

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder(files);
});
afterAll(async () => running.stop());

const make = async (what: What): Promise<number> => Number((await running.send('POST', '/api/make', { what })).body.id);

/** An answer without what differs between two entries that are made alike. */
function comparable({ status, body }: Answered): unknown {
  const received: unknown = typeof body === 'string' && body.startsWith('[') ? JSON.parse(body) : body;
  const text = JSON.stringify(received, (key, value: unknown) => {
    const isOwn = /^(?:id|createdAt|updatedAt|hash|url|email|username|password|type|path)$/.test(key);
    return isOwn ? `${key} of it` : value;
  });
  return { status, body: JSON.parse(text) as unknown };
}

/**
 * Answers to the same request about two entries that are made alike: with strings, as a URL has them, and with numbers.
 */
async function bothForms(
  what: What,
  send: (form: (value: number) => unknown, id: number) => Promise<Answered>,
): Promise<{ readonly strings: unknown; readonly numbers: unknown; readonly status: number }> {
  const ids = [await make(what), await make(what)] as const;
  const strings = await send(String, ids[0]);
  const numbers = await send((value) => value, ids[1]);
  return { strings: comparable(strings), numbers: comparable(numbers), status: strings.status };
}

const [note, tag, memo] = ['api::note.note', 'api::tag.tag', 'api::memo.memo'];
const [user, role, file] = ['user', 'role', 'file'].map((name) =>
  name === 'file' ? 'plugin::upload.content-api' : `plugin::users-permissions.${name}`,
);

interface ActionRow {
  readonly uid: string | undefined;
  readonly name: string;
  readonly what: What;
  readonly query?: (form: (value: number) => unknown, id: number) => object;
  readonly body?: object;
}

const page = (form: (value: number) => unknown): object => ({ pagination: { page: form(1), pageSize: form(1) } });
const actions: readonly ActionRow[] = [
  ...[note, memo].flatMap((uid): readonly ActionRow[] => {
    const what = uid === note ? 'note' : 'memo';
    return [
      { uid, name: 'find', what, query: (form, id) => ({ filters: { id: form(id) } }) },
      { uid, name: 'find', what, query: (form, id) => ({ ...page(form), filters: { id: { $in: [form(id)] } } }) },
      { uid, name: 'findOne', what },
      { uid, name: 'update', what, body: { data: { text: 'new' } } },
      { uid, name: 'delete', what },
    ];
  }),
  { uid: user, name: 'findOne', what: 'user' },
  { uid: user, name: 'find', what: 'user', query: (form, id) => ({ filters: { id: form(id) }, limit: form(1) }) },
  { uid: user, name: 'count', what: 'user', query: (form, id) => ({ id: form(id) }) },
  { uid: user, name: 'update', what: 'user', body: { password: 'Secret-2' } },
  { uid: user, name: 'destroy', what: 'user' },
  { uid: role, name: 'findOne', what: 'role' },
  { uid: role, name: 'updateRole', what: 'role', body: { name: 'other', description: 'new', permissions: {} } },
  { uid: role, name: 'deleteRole', what: 'role' },
  { uid: file, name: 'findOne', what: 'file' },
  { uid: file, name: 'find', what: 'file', query: (form, id) => ({ filters: { id: form(id) } }) },
  { uid: file, name: 'destroy', what: 'file' },
];

const call = (body: object): Promise<Answered> => running.send('POST', '/api/call', body);

test.each(actions)('$uid $name does the same with numbers that code sets', async ({ uid, name, what, query, body }) => {
  const { strings, numbers, status } = await bothForms(what, (form, id) =>
    call({ uid, name, params: { id: form(id) }, query: query?.(form, id), body }),
  );
  expect(status).toBeLessThan(300);
  expect(numbers).toEqual(strings);
});

interface ServiceRow {
  readonly of: 'entityService' | 'query' | 'core' | 'user' | 'role' | 'upload';
  readonly name: string;
  readonly what: What;
  readonly uid?: string | undefined;
  readonly args: (id: unknown) => readonly unknown[];
}

const data = { data: { text: 'new' } };
const services: readonly ServiceRow[] = [
  ...(['findOne', 'update', 'delete', 'clone'] as const).map((name): ServiceRow => ({
    of: 'entityService',
    name,
    what: 'note',
    args: (id) => [note, id, data],
  })),
  { of: 'entityService', name: 'load', what: 'note', args: (id) => [note, { id }, 'tags'] },
  ...(['findOne', 'update', 'delete', 'count'] as const).map((name): ServiceRow => ({
    of: 'query',
    name,
    what: 'note',
    uid: note,
    args: (id) => [{ where: { id }, ...data }],
  })),
  { of: 'query', name: 'load', what: 'note', uid: note, args: (id) => [{ id }, 'tags'] },
  ...(['findOne', 'update', 'delete'] as const).map((name): ServiceRow => ({
    of: 'core',
    name,
    what: 'tag',
    uid: tag,
    args: (id) => [id, { data: { name: 'new' } }],
  })),
  { of: 'user', name: 'fetch', what: 'user', args: (id) => [id] },
  { of: 'user', name: 'edit', what: 'user', args: (id) => [id, { confirmed: true }] },
  { of: 'user', name: 'remove', what: 'user', args: (id) => [{ id }] },
  { of: 'role', name: 'findOne', what: 'role', args: (id) => [id] },
  { of: 'role', name: 'updateRole', what: 'role', args: (id) => [id, { name: 'new', permissions: {} }] },
  { of: 'role', name: 'deleteRole', what: 'role', args: (id) => [id] },
  { of: 'upload', name: 'findOne', what: 'file', args: (id) => [id] },
  { of: 'upload', name: 'updateFileInfo', what: 'file', args: (id) => [id, { name: 'new.png' }] },
  { of: 'upload', name: 'remove', what: 'file', args: (id) => [{ id }] },
];

test.each(services)(
  'the service $of: $name takes ids as strings and numbers',
  async ({ of, name, what, uid, args }) => {
    const { strings, numbers, status } = await bothForms(what, (form, id) =>
      running.send('POST', '/api/serve', { of, name, uid, args: args(form(id)) }),
    );
    expect(status).toBe(200);
    expect(numbers).toEqual(strings);
  },
);

const attributes = '{ data { attributes { text } } }';
const fields: readonly { readonly what: What; readonly document: (id: number) => string }[] = [
  ...(['note', 'memo'] as const).flatMap((what) => {
    const name = what === 'note' ? 'Note' : 'Memo';
    return [
      { what, document: (id: number) => `{ ${what}(id: ${id}) ${attributes} }` },
      { what, document: (id: number) => `mutation { update${name}(id: ${id}, data: { text: "new" }) ${attributes} }` },
      { what, document: (id: number) => `mutation { delete${name}(id: ${id}) ${attributes} }` },
    ];
  }),
  { what: 'user', document: (id) => `{ usersPermissionsUser(id: ${id}) { data { attributes { confirmed } } } }` },
  {
    what: 'user',
    document: (id) =>
      `mutation { updateUsersPermissionsUser(id: ${id}, data: { confirmed: true }) { data { attributes { confirmed } } } }`,
  },
  {
    what: 'user',
    document: (id) => `mutation { deleteUsersPermissionsUser(id: ${id}) { data { attributes { confirmed } } } }`,
  },
  {
    what: 'role',
    document: (id) =>
      `mutation { updateUsersPermissionsRole(id: ${id}, data: { name: "new", permissions: "{}" }) { ok } }`,
  },
  { what: 'role', document: (id) => `mutation { deleteUsersPermissionsRole(id: ${id}) { ok } }` },
  { what: 'file', document: (id) => `{ uploadFile(id: ${id}) { data { attributes { name } } } }` },
  { what: 'file', document: (id) => `mutation { removeFile(id: ${id}) { data { attributes { name } } } }` },
];

test.each(fields.map((row) => ({ ...row, example: row.document(1) })))(
  'a GraphQL middleware may set a number: $example',
  async ({ what, document }) => {
    const { strings, numbers } = await bothForms(what, async (form, id) => {
      const headers = { 'content-type': 'application/json', 'x-form': typeof form(id) };
      const body = JSON.stringify({ query: document(id) });
      const response = await running.fetch('/graphql', { method: 'POST', headers, body });
      return { status: response.status, body: await response.json() };
    });
    expect(JSON.stringify(strings)).not.toMatch(/null|errors/);
    expect(numbers).toEqual(strings);
  },
);

describe('what is no id', () => {
  test.each([{ id: null }, { id: { $ne: 1 } }, { id: true }, {}])(
    'user.destroy deletes nobody by %j, and says so',
    async (params) => {
      expect((await call({ uid: user, name: 'destroy', params })).status).toBeGreaterThanOrEqual(400);
    },
  );
});
