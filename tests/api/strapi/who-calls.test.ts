import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type Answered, type RunningProject } from './project-folder.js';

/**
 * What code makes of `ctx.state` while a request runs, times every action that asks who calls: it is heard, as in
 * Strapi v4, or refused; no action falls back to whoever was authenticated.
 */

const changes = `
  const none = { can: () => false };
  const changes = {
    nothing: () => {},
    'user = null': (state) => { state.user = null; },
    'user = undefined': (state) => { state.user = undefined; },
    'delete user': (state) => { delete state.user; },
    'a user without id': (state) => { state.user = {}; },
    'another user': (state) => { state.user = { id: 2 }; },
    'another user, as text': (state) => { state.user = { id: '2' }; },
    'auth = null': (state) => { state.auth = null; },
    'delete auth': (state) => { delete state.auth; },
    'auth = {}': (state) => { state.auth = {}; },
    'a copy of auth': (state) => { state.auth = { ...state.auth }; },
    'a copy of auth with an ability': (state) => { state.auth = { ...state.auth, ability: none }; },
    'auth.ability =': (state) => { state.auth.ability = none; },
    'auth.ability = null': (state) => { state.auth.ability = null; },
    'auth.ability.can =': (state) => { state.auth.ability.can = none.can; },
    'a strategy of its own': (state) => { state.auth.strategy = { name: 'own', verify() {} }; },
  };
  const change = (context) => changes[decodeURIComponent((context.koaContext ?? context).get('x-change'))](context.state);
  module.exports = { change, middleware: (context, next) => { change(context); return next(); } };`;

const user = ['find', 'findOne'].flatMap((action) => [`api::note.note.${action}`, `api::tag.tag.${action}`]);
const account = ['user.me', 'auth.changePassword'].map((action) => `plugin::users-permissions.${action}`);
const files = {
  ...apiFiles('tag', { name: { type: 'string' } }),
  ...apiFiles('note', { tag: { type: 'relation', relation: 'manyToOne', target: 'api::tag.tag' } }),
  'src/changes.js': changes,
  'src/api/note/routes/note.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note', {
    config: { find: { middlewares: [require('../../../changes').middleware] },
      findOne: { policies: [({ request }) => require('../../../changes').change(strapi.requestContext.get())] } } });`,
  'src/api/note/routes/own.js': `module.exports = { routes: [{ method: 'GET', path: '/own', handler: 'note.own', config: {
    middlewares: [require('../../../changes').middleware], auth: { scope: ['api::note.note.find'] } } }] };`,
  'src/api/note/controllers/note.js': `
    module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note', () => ({ async own(ctx) {
      const notes = await strapi.entityService.findMany('api::note.note', { populate: ['tag'] });
      return { notes: await this.sanitizeOutput(notes, ctx) };
    } }));`,
  'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => {
    const asked = ['user.me', 'auth.changePassword'];
    for (const route of plugin.routes['content-api'].routes.filter(({ handler }) => asked.includes(handler)))
      route.config.middlewares = [...(route.config.middlewares ?? []), require('../../changes').middleware];
    return plugin;
  };`,
  'src/index.js': `
    const { change } = require('./changes');
    const middlewares = [(next, parent, args, context, info) => { change(context); return next(parent, args, context, info); }];
    module.exports = {
      register: ({ strapi }) => strapi.plugin('graphql').service('extension').use({ resolversConfig: Object.fromEntries(
        ['Query.me', 'Query.notes', 'Mutation.changePassword'].map((field) => [field, { middlewares }])) }),
      async bootstrap({ strapi }) {
        const role = await strapi.query('plugin::users-permissions.role').findOne({ where: { type: 'authenticated' } });
        for (const username of ['ann', 'bea']) await strapi.entityService.create('plugin::users-permissions.user', { data: {
          username, email: username + '@b.test', password: 'secret-' + username, confirmed: true, provider: 'local', role: role.id } });
        const tag = await strapi.entityService.create('api::tag.tag', { data: { name: 'tag' } });
        await strapi.entityService.create('api::note.note', { data: { tag: tag.id } });
      },
    };`,
  'config/plugins.js': `module.exports = { graphql: { enabled: true }, 'users-permissions': { config: { rateLimit: false } } };`,
  'access.json': JSON.stringify({
    roles: {
      public: { permissions: ['plugin::users-permissions.auth.callback'] },
      authenticated: { permissions: [...user, ...account] },
    },
  }),
};

let project: RunningProject;
let jwt: string;
beforeAll(async () => {
  project = await openProjectFolder(files);
  const { body } = await project.send('POST', '/api/auth/local', { identifier: 'ann', password: 'secret-ann' });
  jwt = body.jwt as string;
});
afterAll(async () => project.stop());

type Send = (place: string, body?: object) => Promise<Answered['body']>;
const passwords = { currentPassword: 'secret-ann', password: 'secret-ann', passwordConfirmation: 'secret-ann' };
const given = Object.entries(passwords).map(([name, value]) => `${name}: "${value}"`);
const graphql = async (send: Send, query: string): Promise<Answered['body']> => {
  const { data, errors } = await send('/graphql', { query });
  return errors === undefined ? data : { message: errors[0].message };
};

/** What each action shows of who calls. */
const doors: Readonly<Record<string, (send: Send) => Promise<unknown>>> = {
  me: async (send) => send('/api/users/me').then(({ username, error }) => username ?? error.status),
  'me of GraphQL': async (send) =>
    graphql(send, '{ me { username } }').then(({ me, message }) => me?.username ?? message),
  'change-password': async (send) => (await send('/api/auth/change-password', passwords)).error.message,
  changePassword: async (send) => (await graphql(send, `mutation { changePassword(${given.join()}) { jwt } }`)).message,
  'a list': async (send) => (await send('/api/notes?populate=tag')).data?.[0].attributes.tag?.data?.id,
  'an entry, after a policy': async (send) => (await send('/api/notes/1?populate=tag')).data?.attributes.tag?.data?.id,
  'code that sanitizes': async (send) => (await send('/api/own')).notes?.[0].tag?.id,
  'a list of GraphQL': async (send) =>
    (await graphql(send, '{ notes { data { attributes { tag { data { id } } } } } }')).notes?.data[0].attributes.tag
      ?.data?.id,
};

const ann = {
  me: 'ann',
  'me of GraphQL': 'ann',
  'change-password': 'Your new password must be different than your current password',
  changePassword: 'Your new password must be different than your current password',
};
const bea = {
  me: 'bea',
  'me of GraphQL': 'bea',
  'change-password': 'The provided current password is invalid',
  changePassword: 'The provided current password is invalid',
};
const nobody = {
  me: 401,
  'me of GraphQL': 'Authentication requested',
  'change-password': 'You must be authenticated to reset your password',
  changePassword: 'You must be authenticated to reset your password',
};
const UNKNOWN = 'ctx.state.auth has a strategy of its own: register it with strapi.auth.register';
const refused = {
  me: 500,
  'me of GraphQL': UNKNOWN,
  'change-password': 'Internal Server Error',
  changePassword: UNKNOWN,
};
const readable = { 'a list': 1, 'an entry, after a policy': 1, 'code that sanitizes': 1, 'a list of GraphQL': '1' };
const hidden = Object.fromEntries(Object.keys(readable).map((door) => [door, undefined]));

test.each<[string, object]>([
  ['nothing', { ...ann, ...readable }],
  ...['user = null', 'user = undefined', 'delete user', 'a user without id'].map((way): [string, object] => [
    way,
    { ...nobody, ...readable },
  ]),
  ...['another user', 'another user, as text'].map((way): [string, object] => [way, { ...bea, ...readable }]),
  // Nobody has the right to the field.
  ...['auth = null', 'delete auth', 'auth = {}'].map((way): [string, object] => [
    way,
    { ...ann, 'me of GraphQL': 'Forbidden access', ...hidden },
  ]),
  ['a copy of auth', { ...ann, ...readable }],
  ...['a copy of auth with an ability', 'auth.ability =', 'auth.ability = null', 'auth.ability.can ='].map(
    (way): [string, object] => [way, { ...ann, ...hidden }],
  ),
  ['a strategy of its own', { ...refused, ...hidden }],
])('%s', async (way, expected) => {
  const headers = {
    authorization: `Bearer ${jwt}`,
    'x-change': encodeURIComponent(way),
    'content-type': 'application/json',
  };
  const send: Send = async (place, body) =>
    (await project.fetch(place, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })).json();
  const shown: [string, unknown][] = [];
  for (const [door, ask] of Object.entries(doors)) shown.push([door, await ask(send)]);
  expect(Object.fromEntries(shown)).toEqual(expected);
});
