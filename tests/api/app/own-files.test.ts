import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { loadConfig } from '../../../src/config/load-config.js';
import { readBeside } from '../../../src/content-types/load/read-beside.js';
import { createTestService, type TestService, type TestServiceOptions } from '../../../src/testing.js';

const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';
const repository = process.cwd();
let project: string;
let service: TestService | undefined;
beforeEach(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'own-files-'));
  process.chdir(project);
});
afterEach(async () => {
  process.chdir(repository);
  await service?.close();
  service = undefined;
  fs.rmSync(project, { recursive: true });
});

function write(file: string, content: string | object): void {
  fs.mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  fs.writeFileSync(path.join(project, file), typeof content === 'string' ? content : JSON.stringify(content));
}
const definition = { info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' }, attributes: {} };
const access = (...permissions: readonly string[]) => ({ roles: { public: { permissions } } });
const start = async (options: TestServiceOptions = {}): Promise<string> => {
  service = await createTestService({ mongodbUri, ...options });
  return service.url;
};
const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

test('createTestService reads the plugins file of the project, of which its options replace plugins', async () => {
  write('content-types/note.json', definition);
  write('config/plugins.json', { upload: { config: { folders: true } }, documentation: false });
  write('content-types/access.json', access('plugin::upload.folder.find'));
  const url = await start();
  expect(await statusOf(`${url}/api/upload/folders`)).toBe(200);
  expect(await statusOf(`${url}/documentation/openapi.json`)).toBe(404);
  await service?.close();
  const other = await start({ plugins: { documentation: true } });
  expect(await statusOf(`${other}/documentation/openapi.json`)).toBe(200);
});

test.each([
  ['plugin::upload.folder.find', 'folders are off: set upload.config.folders'],
  ['plugin::api-tokens.token.find', 'the routes for API tokens are off: set api-tokens.config.routes'],
])('a permission for %s, which is off, says which setting turns it on', async (action, reason) => {
  write('content-types/note.json', definition);
  write('content-types/access.json', access(action));
  await expect(start()).rejects.toThrow(
    `access.json: roles.public.permissions[0] names an unknown action "${action}": ${reason}`,
  );
});

test('access.json is read from the own folder if the one that CONTENT_TYPES names has none', async () => {
  write('elsewhere/note.json', definition);
  write('content-types/access.json', access('api::note.note.find'));
  const { folders } = await loadConfig({ NODE_ENV: 'test', CONTENT_TYPES: 'elsewhere' }, project);
  expect((await readBeside(folders, 'access'))?.content).toEqual(access('api::note.note.find'));
  write('elsewhere/access.json', access());
  const warnings: string[] = [];
  const read = await readBeside(folders, 'access', (message) => warnings.push(message));
  expect(read?.content).toEqual(access());
  expect(warnings).toEqual([
    `${path.join(project, 'content-types/access.json')} is not used: CONTENT_TYPES names ${path.join(project, 'elsewhere')}, which has one`,
  ]);
});
