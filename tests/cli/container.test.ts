import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeUnprivileged, unprivilegedUser } from '../support/unprivileged-user.js';
import { waitForReady } from '../support/wait-for-ready.js';

/** Not the temporary folder of the test run, which another user may not enter. */
const parent = fs.mkdtempSync('/tmp/content-service-container-');
const [project, image] = [path.join(parent, 'project'), path.join(parent, 'image')];
/** The user `node` of the image. */
const user = unprivilegedUser === undefined ? {} : { uid: unprivilegedUser, gid: unprivilegedUser };

/** The instructions of the last stage, with continued lines joined. */
const instructions = (
  fs
    .readFileSync('docs/deployment/Dockerfile', 'utf8')
    .split(/^FROM /m)
    .at(-1) ?? ''
)
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line));
const wordsOf = (name: string): readonly string[][] =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.split(/\s+/).slice(1));
const commandIn = (name: string): readonly string[] => {
  const line = instructions.find((one) => one.startsWith(`${name} `)) ?? '';
  return JSON.parse(line.slice(line.indexOf('['))) as readonly string[];
};

/** A folder with the files that the Dockerfile copies, which only root can write to, beside `.data`. */
beforeAll(() => {
  const args = [path.resolve('bin/content-service.mjs'), 'init', 'project', '--yes'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: parent, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  fs.mkdirSync(path.join(image, 'node_modules/.bin'), { recursive: true });
  fs.symlinkSync(path.resolve('.'), path.join(image, 'node_modules/content-service'));
  fs.symlinkSync('../content-service/bin/content-service.mjs', path.join(image, 'node_modules/.bin/content-service'));
  for (const [source = '', target = ''] of wordsOf('COPY').filter(([first]) => first?.startsWith('--') === false)) {
    fs.cpSync(path.join(project, source), path.join(image, target === './' ? source : target), { recursive: true });
  }
  fs.chmodSync(parent, 0o755);
  fs.mkdirSync(path.join(image, '.data'));
  if (unprivilegedUser !== undefined) fs.chownSync(path.join(image, '.data'), unprivilegedUser, unprivilegedUser);
});
afterAll(() => fs.rmSync(parent, { recursive: true, force: true }));

describeUnprivileged('the files of the image', () => {
  test('serve as an unprivileged user and pass the health check', async () => {
    const set = Object.fromEntries(
      wordsOf('ENV')
        .flat()
        .map((pair) => pair.split('=')),
    );
    const secrets = {
      JWT_SECRET: 'only-for-this-test-of-tokens',
      API_TOKEN_SALT: 'only-for-this-test-of-salts',
      EDITOR_TOKEN: 'e'.repeat(32),
    };
    const environment = {
      PATH: process.env['PATH'],
      ...set,
      ...secrets,
      HOST: '127.0.0.1',
      PORT: '0',
      MONGODB_URI: process.env['TEST_MONGODB_URI'],
      DATABASE_NAME: `container_${process.pid}`,
    };
    const [command = '', ...args] = commandIn('CMD');
    const service = spawn(path.join(image, command), args, { cwd: image, env: environment, ...user });
    const ended = once(service, 'exit');
    try {
      const { url } = await waitForReady(service);
      const check =
        instructions.find((line) => line.startsWith('HEALTHCHECK '))?.replace('http://127.0.0.1:1337', url) ?? '';
      const [program = '', ...checking] = JSON.parse(check.slice(check.indexOf('["'))) as readonly string[];
      expect(spawnSync(program, checking, { env: environment, encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      });
      const form = new FormData();
      form.append('files', new Blob(['text'], { type: 'text/plain' }), 'note.txt');
      const headers = { Authorization: `Bearer ${secrets.EDITOR_TOKEN}` };
      const uploaded = await fetch(`${url}/api/upload`, { method: 'POST', headers, body: form });
      expect(uploaded.status).toBe(200);
    } finally {
      service.kill('SIGTERM');
      await ended;
    }
    expect(service.exitCode).toBe(0);
  });
});
