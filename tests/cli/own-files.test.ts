import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let project: string;
beforeEach(() => {
  project = fs.mkdtempSync(path.join(os.tmpdir(), 'plugins-'));
  fs.mkdirSync(path.join(project, 'config'));
});
afterEach(() => fs.rmSync(project, { recursive: true }));

const write = (name: string, text: string): void => fs.writeFileSync(path.join(project, name), text);

/** The settings that a process of the built service reads in the project folder. */
function readConfig(environment: Record<string, string> = {}): unknown {
  const module = pathToFileURL(path.resolve('dist/config/load-config.js')).href;
  const script = `import { readConfig } from ${JSON.stringify(module)};
    readConfig().then((config) => console.log(JSON.stringify(config)), (error) => console.log(JSON.stringify(error.message)));`;
  const options = { cwd: project, encoding: 'utf8', env: { ...process.env, ...environment } } as const;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], options));
}

test.each([
  ['config/plugins.mjs', 'export default { upload: { config: { sizeLimit: 10 } } };'],
  ['config/plugins.js', 'module.exports = { upload: { config: { sizeLimit: 10 } } };'],
])('%s of a project is loaded as code', (name, text) => {
  write(name, text);
  expect(readConfig()).toMatchObject({ plugins: { upload: { enabled: true, config: { sizeLimit: 10 } } } });
});

test('the file .env completes the environment, and does not override it', () => {
  write('.env', 'PORT=4000\nHOST="localhost"\n');
  expect(readConfig({ PORT: '5000' })).toMatchObject({ server: { host: 'localhost', port: 5000 } });
});
