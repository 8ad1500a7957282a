import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeProject, startService, type Project, type ServiceProcess } from '../faults/service-process.js';

let project: Project;
let service: ServiceProcess;
beforeAll(async () => {
  project = makeProject('content-types');
  service = await startService(project);
});
afterAll(async () => {
  await service.stop();
  project.remove();
});

function run(...args: readonly string[]): {
  readonly status: number | null;
  readonly output: string;
  readonly stdout: string;
} {
  const { MONGODB_URI: _, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.resolve('bin/content-service.mjs'), ...args], {
    cwd: project.folder,
    encoding: 'utf8',
    env: { ...environment, NODE_ENV: 'development', DATABASE: 'embedded', FAULT_TOKEN: project.token },
  });
  return { status, output: stdout + stderr, stdout };
}

const list = (token: string): Promise<Response> =>
  fetch(`${service.url}/api/tags`, { headers: { authorization: `Bearer ${token}` } });
const total = async (): Promise<number> => {
  const { meta } = (await (await list(project.token)).json()) as { meta: { pagination: { total: number } } };
  return meta.pagination.total;
};

test('access creates a token while a service runs on its local engine, valid immediately', async () => {
  const { status, output, stdout } = run('access', 'token', 'create', 'try', '--type', 'full-access', '--json');
  expect([status, output]).toEqual([0, expect.stringContaining("the running service's")]);
  const [{ key }] = JSON.parse(stdout) as [{ key: string }];
  expect((await list(key)).status).toBe(200);
});

test('seed stores entries while a service runs on its local engine, and totals include them', async () => {
  // The service remembers the total of this list.
  const before = await total();
  writeFileSync(
    path.join(project.folder, 'tags.ndjson'),
    '{ "$type": "api::tag.tag", "$key": "name" }\n{ "name": "one" }\n{ "name": "two" }\n',
  );
  expect(run('seed', 'tags.ndjson')).toMatchObject({ status: 0, output: expect.stringContaining('2 stored') });
  while ((await total()) !== before + 2);
  // Its own writes count at once, as before.
  const { status } = await fetch(`${service.url}/api/tags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${project.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: { name: 'three' } }),
  });
  expect([status, await total()]).toEqual([200, before + 3]);
});
