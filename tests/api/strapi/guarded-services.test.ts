import { expect, test } from '@jest/globals';
import { useProjects } from './project-folder.js';

const extension = 'src/extensions/users-permissions/strapi-server.js';
const user = 'plugin::users-permissions.user';
const start = useProjects({
  'src/api/own/routes/own.js': `module.exports = { routes: [{ method: 'GET', path: '/whoami', handler: 'own.whoami' }] };`,
  'src/api/own/controllers/own.js': `module.exports = { whoami(ctx) {
    const { user, auth } = ctx.state;
    ctx.body = { name: user.username, note: user.note, hash: user.password, role: user.role.type, strategy: auth.strategy.name };
  } };`,
  'access.json': JSON.stringify({
    roles: {
      public: { permissions: ['plugin::users-permissions.auth.callback', 'plugin::users-permissions.auth.register'] },
      authenticated: { permissions: ['api::own.own.whoami', 'plugin::users-permissions.auth.changePassword'] },
      guest: { permissions: [] },
    },
  }),
});

const input = (username: string) => ({ username, email: `${username}@a.test`, password: 'Secret-1234' });

test('code that issues and verifies tokens, finds their users and checks passwords decides', async () => {
  const running = await start({
    [extension]: `module.exports = (plugin) => {
      const { jwt, user } = plugin.services;
      plugin.services.jwt = (context) => {
        const base = jwt(context);
        return {
          ...base,
          issue: (payload, options) => 'own-' + base.issue({ ...payload, bench: 7 }, options),
          async verify(token) {
            const { bench, ...payload } = await base.verify(token.replace(/^own-/, ''));
            if (bench !== 7) throw new Error('of somebody else');
            return { id: 'user ' + payload.id };
          },
        };
      };
      plugin.services.user = (context) => {
        const base = user(context);
        return {
          ...base,
          async fetchAuthenticatedUser(id) {
            const found = await base.fetchAuthenticatedUser(Number(id.replace('user ', '')));
            if (found === null || found.username.startsWith('gone')) return null;
            const role = found.username.startsWith('guest')
              ? await strapi.query('plugin::users-permissions.role').findOne({ where: { type: 'guest' } })
              : found.role;
            return { ...found, role, blocked: found.username.startsWith('shut'), note: 'by code' };
          },
          validatePassword: async (password, hash) =>
            password === 'master-key' || base.validatePassword(password.replace(/^old:/, ''), hash),
        };
      };
      return plugin;
    };`,
  });
  const register = async (username: string): Promise<string> =>
    (await running.send('POST', '/api/auth/local/register', input(username))).body.jwt as string;
  const whoami = (token: string) => running.send('GET', '/api/whoami', undefined, token);

  const token = await register('ann');
  expect(token).toMatch(/^own-/);
  expect(await whoami(token)).toEqual({
    status: 200,
    body: { name: 'ann', note: 'by code', role: 'authenticated', strategy: 'users-permissions' },
  });
  expect((await whoami(token.slice(0, -3))).status).toBe(401);
  expect((await whoami(await register('gone'))).status).toBe(401);
  expect((await whoami(await register('shut'))).status).toBe(401);
  expect((await whoami(await register('guest'))).status).toBe(403);

  const logIn = async (password: string) =>
    (await running.send('POST', '/api/auth/local', { identifier: 'ann', password })).status;
  expect([await logIn('master-key'), await logIn('old:Secret-1234'), await logIn('other')]).toEqual([200, 200, 400]);
  const change = { currentPassword: 'master-key', password: 'Secret-5678', passwordConfirmation: 'Secret-5678' };
  const changed = await running.send('POST', '/api/auth/change-password', change, token);
  expect(changed.status).toBe(200);
  expect((await whoami(changed.body.jwt as string)).status).toBe(200);
});

const replacing = {
  [extension]: `module.exports = (plugin) => {
    const { jwt, permission } = plugin.services;
    plugin.services.jwt = (context) => ({
      ...jwt(context),
      getToken: (ctx) => ctx.cookies.get('token'),
    });
    plugin.services.permission = (context) => ({
      ...permission(context),
      findPublicPermissions: () => [],
    });
    plugin.services.user = () => ({ greet: () => 'hello', validatePassword: () => true });
    return plugin;
  };`,
};
const refused = [
  `${extension}:5: code replaces getToken of plugin::users-permissions.jwt`,
  `${extension}:9: code replaces findPublicPermissions of plugin::users-permissions.permission`,
  `${extension}:11: ${user} has no fetchAuthenticatedUser`,
];

test('a start names the place of each guard in code that the service cannot ask', async () => {
  const index = `module.exports = {
    register({ strapi }) {
      strapi.container.get('auth').verify = () => {};
    },
    bootstrap({ strapi }) {
      strapi.container.get('services').set('admin::api-token', () => ({ getBy: () => null }));
      strapi.plugin('users-permissions').service('providers-registry').register('github', () => () => ({}));
    },
  };`;
  const provider = `{ enabled: true, key: 'k', secret: 's', callback: 'http://localhost:1' }`;
  const plugins = `module.exports = { 'users-permissions': { config: { jwtSecret: '0123456789abcdef', providers: { github: ${provider} } } } };`;
  const files = { ...replacing, 'src/index.js': index, 'config/plugins.js': plugins };
  const error = await start(files).catch((thrown: Error) => thrown);
  for (const line of [
    ...refused,
    'src/index.js:3: code replaces verify of strapi.auth',
    'src/index.js:6: code replaces getBy of admin::api-token',
    'src/index.js:7: code registers the log-in provider "github", which the settings enable, too',
  ])
    expect(String(error)).toContain(line);
});
