import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openAssistant, type Assistant } from '../../support/assistant.js';
import { apiFiles, openProjectFolder, type RunningProject } from './project-folder.js';

const names = ['plain', 'guarded', 'watched', 'own'];
const files = {
  ...Object.assign({}, ...names.map((name) => apiFiles(name, { title: { type: 'string' } }))),
  'src/policies/no-secrets.js': `module.exports = ({ request }) => request.body?.data?.title !== 'secret';`,
  'src/api/guarded/routes/guarded.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter(
    'api::guarded.guarded', { config: { create: { policies: ['global::no-secrets'] } } });`,
  'src/api/watched/content-types/watched/lifecycles.js': `module.exports = {
    beforeCreate: ({ params }) => { params.data.title += '!'; } };`,
  'src/api/own/controllers/own.js': `module.exports = require('@strapi/strapi').factories.createCoreController(
    'api::own.own', () => ({ create(ctx) { return super.create(ctx); } }));`,
  'config/plugins.json': JSON.stringify({ mcp: { enabled: true } }),
  'access.json': JSON.stringify({ tokens: { assistant: { type: 'full-access', key: { env: 'ASSISTANT_KEY' } } } }),
  '.env': 'ASSISTANT_KEY=key-of-the-assistant',
};

let project: RunningProject;
let assistant: Assistant;
beforeAll(async () => {
  project = await openProjectFolder(files);
  assistant = await openAssistant(project.url, 'key-of-the-assistant');
});
afterAll(async () => {
  await assistant.client.close();
  await project.stop();
});

const propose = (type: string, title: string) =>
  assistant.call('propose_changes', { operations: [{ action: 'create', type, data: { title } }] });
const titles = async (type: string): Promise<readonly string[]> =>
  (await assistant.call('find_entries', { type })).data.map((entry: any) => entry.attributes.title); // oxlint-disable-line typescript/no-explicit-any

test('policies of the project decide about a proposal', async () => {
  const { proposal } = await propose('guardeds', 'open');
  expect(await assistant.call('apply_proposal', { proposal })).toHaveProperty('applied');
  expect((await propose('guardeds', 'secret')).error).toMatchObject({ status: 403 });
  expect(await titles('guardeds')).toEqual(['open']);
});

test('lifecycles run when a proposal is applied, which it says', async () => {
  const { proposal, note } = await propose('watcheds', 'watched');
  expect(note).toContain('code of the project');
  expect(await titles('watcheds')).toEqual([]);
  await assistant.call('apply_proposal', { proposal });
  await assistant.call('apply_proposal', { proposal });
  expect(await titles('watcheds')).toEqual(['watched!']);
});

test('a write that code of the project executes itself cannot be proposed', async () => {
  expect((await propose('owns', 'own')).error.message).toContain('code of the project executes this write');
});

test('several entries of types without such code are changed together', async () => {
  const operations = ['a', 'b'].map((title) => ({ action: 'create', type: 'plains', data: { title } }));
  const { proposal } = await assistant.call('propose_changes', { operations });
  await assistant.call('apply_proposal', { proposal });
  expect(await titles('plains')).toEqual(['a', 'b']);
});
