import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { connectToUri } from '../../src/mongo/connection/connect.js';
import { describeUnprivileged, unprivilegedUser } from '../support/unprivileged-user.js';
import { makeProject, startService, type Project } from './service-process.js';

let project: Project;
beforeEach(() => {
  project = makeProject();
});
afterEach(() => {
  chmodSync(project.folder, 0o755);
  project.remove();
});

const startFailure = (settings: Readonly<Record<string, string>>): Promise<string> =>
  startService(project, settings).then(
    async (service) => {
      await service.stop();
      throw new Error('The service has started');
    },
    (error: Error) => error.message,
  );

/** A free port that something else listens on while the work is done. */
async function withBusyPort(work: (port: string) => Promise<void>): Promise<void> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  try {
    await work(String((other.address() as AddressInfo).port));
  } finally {
    other.close();
  }
}

describe('a start on a port that is in use ends with 1 and leaves nothing running', () => {
  test('with the embedded engine, and releases the data folder', async () => {
    await withBusyPort(async (port) => {
      const message = await startFailure({ PORT: port, HOST: '127.0.0.1' });
      expect(message).toContain(`Port ${port} is in use: stop the other program or set PORT`);
    });
    const service = await startService(project);
    await service.stop();
  });

  test('on an external database, where nothing is written', async () => {
    await withBusyPort(async (port) => {
      const main = spawn(process.execPath, [path.resolve('dist/main.js')], {
        cwd: project.folder,
        env: {
          ...process.env,
          NODE_ENV: 'development',
          MONGODB_URI: String(process.env['TEST_MONGODB_URI']),
          DATABASE_NAME: `failed_start_${process.pid}`,
          FAULT_TOKEN: project.token,
          HOST: '127.0.0.1',
          PORT: port,
        },
        stdio: 'ignore',
      });
      expect(await once(main, 'exit')).toEqual([1, null]);
    });
    const client = await connectToUri(String(process.env['TEST_MONGODB_URI']));
    expect(await client.db(`failed_start_${process.pid}`).collections()).toEqual([]);
    await client.close();
  });
});

test.each([
  ['a setting is missing', {}, 'MONGODB_URI'],
  ['its variables cannot be read', { ENV_PATH: 'missing.env' }, 'ENV_PATH names missing.env'],
])('in production the log has why a start failed, as JSON: %s', async (_, settings, reason) => {
  mkdirSync(path.join(project.folder, 'src/api'), { recursive: true });
  const main = spawn(process.execPath, [path.resolve('dist/main.js')], {
    cwd: project.folder,
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', LOG_LEVEL: 'silent', ...settings },
  });
  let [written, complained] = ['', ''];
  main.stdout.on('data', (part: Buffer) => (written += part.toString()));
  main.stderr.on('data', (part: Buffer) => (complained += part.toString()));
  expect([await once(main, 'close'), complained]).toEqual([[1, null], '']);
  expect(JSON.parse(written)).toMatchObject({ level: 60, msg: expect.stringContaining(reason) });
});

describeUnprivileged('without write access to the project folder', () => {
  /** The service as a user who may read the project and write to the system's temporary folder alone. */
  async function asReader(provider: string): Promise<ReturnType<typeof startService>> {
    mkdirSync(path.join(project.folder, 'config'));
    writeFileSync(
      path.join(project.folder, 'config', 'plugins.json'),
      JSON.stringify({ upload: { config: { provider } } }),
    );
    const temporary = path.join(project.folder, 'temporary');
    mkdirSync(temporary);
    if (unprivilegedUser !== undefined) {
      chownSync(temporary, unprivilegedUser, unprivilegedUser);
      // The folder of all tests, which is the tests' own user's alone.
      chmodSync(path.dirname(project.folder), 0o711);
    }
    chmodSync(project.folder, 0o555);
    return startService(
      project,
      {
        MONGODB_URI: String(process.env['TEST_MONGODB_URI']),
        DATABASE: '',
        DATABASE_NAME: `reader_${process.pid}`,
        JWT_SECRET: 'a-secret-of-at-least-32-characters-for-readers',
        API_TOKEN_SALT: 'a-salt-of-at-least-32-characters-for-readers',
        TMPDIR: temporary,
      },
      unprivilegedUser,
    );
  }

  test('files can be uploaded to GridFS', async () => {
    const service = await asReader('gridfs');
    const { status, body } = await request(service.url)
      .post('/api/upload')
      .auth(project.token, { type: 'bearer' })
      .attach('files', Buffer.from('plain text'), 'note.txt');
    await service.stop();
    expect({ status, name: body[0]?.name }).toEqual({ status: 200, name: 'note.txt' });
    expect(existsSync(path.join(project.folder, '.data'))).toBe(false);
  });

  test('the start fails if the upload provider is local', async () => {
    const message = await asReader('local').catch((error: Error) => error.message);
    expect(message).toContain(
      `Uploads are stored in ${path.join(project.folder, '.data', 'uploads')}, which cannot be used: this user has no write permission`,
    );
  });
});
