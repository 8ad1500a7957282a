import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

const middlewares = (config: string): Readonly<Record<string, string>> => ({
  'config/middlewares.js': `module.exports = ['strapi::errors', 'strapi::security', 'strapi::cors',
    { name: 'strapi::query', config: ${config} }, 'strapi::body'];`,
});
const files = {
  ...apiFiles('note', { text: { type: 'string' } }),
  'src/api/note/routes/own.js': `module.exports = { routes: [{ method: 'GET', path: '/own', config: { auth: false },
    handler: (ctx) => { ctx.body = { count: ctx.query.ids.length }; } }] };`,
  'config/plugins.js': 'module.exports = { strapi5: { enabled: true } };',
  'access.json': JSON.stringify({ roles: { public: { permissions: ['api::note.note.find'] } } }),
};

let running: RunningProject;
beforeAll(async () => {
  running = await openProjectFolder({ ...files, ...middlewares('{ arrayLimit: 300 }') });
});
afterAll(async () => running.stop());

test('arrayLimit of strapi::query counts wherever query strings are read', async () => {
  const list = (name: string, count: number): string =>
    Array.from({ length: count }, (_, index) => `${name}[${index}]=${index}`).join('&');
  const statusOf = async (place: string): Promise<number> => (await running.send('GET', place)).status;
  for (const path of ['/api/notes', '/v5/api/notes']) {
    expect(await statusOf(`${path}?${list('filters[id][$in]', 250)}`)).toBe(200);
    expect(await statusOf(`${path}?${list('filters[id][$in]', 350)}`)).toBe(400);
  }
  expect((await running.send('GET', `/api/own?${list('ids', 250)}`)).body).toEqual({ count: 250 });
});

test('options that cannot be read stop the start with their place', async () => {
  await expect(openProjectFolder({ ...files, ...middlewares(`{ charset: 'latin' }`) })).rejects.toThrow(
    /config\/middlewares\.js:2: The charset option/,
  );
});
