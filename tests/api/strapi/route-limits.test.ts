import { expect, test } from '@jest/globals';
import { useProjects, type RunningProject } from './project-folder.js';

const replaced = ['callback', 'register', 'forgotPassword', 'resetPassword', 'changePassword', 'sendEmailConfirmation'];
const run = useProjects({
  'src/api/own/routes/own.js': `module.exports = { routes: [
    { method: 'GET', path: '/own', handler: () => ({ own: true }), config: { auth: false } },
  ] };`,
  'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => {
    for (const action of ${JSON.stringify(replaced)}) plugin.controllers.auth[action] = async (ctx) => ctx.badRequest('own');
    const route = (path) => plugin.routes['content-api'].routes.find((one) => one.path === path);
    route('/auth/local').config.middlewares.push((ctx, next) => { ctx.set('x-pushed', 'yes'); return next(); });
    return plugin;
  };`,
  'access.json': JSON.stringify({
    roles: {
      public: { permissions: replaced.map((action) => `plugin::users-permissions.auth.${action}`) },
    },
  }),
});

const withSettings = (config: object) => ({
  'config/plugins.js': `module.exports = { 'users-permissions': { config: ${JSON.stringify(config)} } };`,
});

const post = async ({ fetch }: RunningProject, place: string, count: number, body = '{}'): Promise<Response[]> => {
  const responses: Response[] = [];
  const headers = { 'content-type': 'application/json' };
  for (let index = 0; index < count; index += 1) responses.push(await fetch(place, { method: 'POST', headers, body }));
  return responses;
};
const statuses = (responses: readonly Response[]): readonly number[] => responses.map(({ status }) => status);
const times = (count: number, status: number): readonly number[] => Array.from({ length: count }, () => status);

test('the actions that a project puts in place of those of users have the limit of Strapi v4', async () => {
  const project = await run({});
  for (const path of ['local', 'local/register', 'forgot-password', 'reset-password', 'change-password']) {
    const responses = await post(project, `/api/auth/${path}`, 12);
    expect([path, statuses(responses)]).toEqual([path, [...times(10, 400), 429, 429]]);
    expect(responses[0]?.headers.get('cache-control')).toBe('no-store');
  }
  // A change of the project of the same route.
  expect((await post(project, '/api/auth/local', 1))[0]?.status).toBe(429);
});

test('middlewares can be added to those of a route of users', async () => {
  const [response] = await post(await run({}), '/api/auth/local', 1);
  expect(response?.headers.get('x-pushed')).toBe('yes');
});

test.each([
  ['of Strapi v4', { ratelimit: { interval: { min: 1 }, max: 3 } }, [400, 400, 400, 429]],
  ['of the service', { rateLimit: { attempts: 2, minutes: 1 } }, [400, 400, 429, 429]],
  ['of Strapi v4 that turn it off', { ratelimit: { enabled: false } }, times(12, 400)],
  ['of the service that turn it off', { rateLimit: false }, times(12, 400)],
])('the limit has the settings %s', async (_name, config, expected) => {
  const project = await run(withSettings(config));
  expect(statuses(await post(project, '/api/auth/local', expected.length))).toEqual(expected);
});

test('a mutation of users that calls such an action has the limit, too', async () => {
  const project = await run({ 'config/plugins.js': 'module.exports = { graphql: { enabled: true } };' });
  const query = 'mutation { login(input: { identifier: "nobody", password: "wrong" }) { jwt } }';
  const responses = await post(project, '/graphql', 11, JSON.stringify({ query }));
  const messages = await Promise.all(
    responses.map(
      async (response) => ((await response.json()) as { errors: { message: string }[] }).errors[0]?.message,
    ),
  );
  expect(new Set(messages.slice(0, 10))).toEqual(new Set(['own']));
  expect(messages[10]).toBe('Too many requests, please try again later.');
});
