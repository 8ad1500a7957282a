import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { makeProject, startService, type Project } from '../../../faults/service-process.js';

const projects = [makeProject(), makeProject()] as const;
afterAll(() => {
  for (const project of projects) project.remove();
});

const program = path.resolve('bin/content-service.mjs');

/** Runs a command of the program in a project. */
function run(
  { folder }: Project,
  ...args: readonly string[]
): { readonly status: number | null; readonly output: string } {
  const { MONGODB_URI: _, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...environment,
      NODE_ENV: 'development',
      DATABASE: 'embedded',
      TMPDIR: folder,
      FAULT_TOKEN: projects[0].token,
    },
  });
  return { status, output: stdout + stderr };
}

test('export writes an archive while the service runs, and import restores it in another project', async () => {
  const [project, other] = projects;
  const service = await startService(project);
  const send = (method: string, where: string, data?: object): Promise<Response> =>
    fetch(service.url + where, {
      method,
      headers: { authorization: `Bearer ${project.token}`, 'content-type': 'application/json' },
      ...(data !== undefined && { body: JSON.stringify({ data }) }),
    });
  expect((await send('POST', '/api/leaves', { label: 'exported' })).status).toBe(200);
  const exported = run(project, 'export', 'data.tar.gz');
  expect(exported).toMatchObject({
    status: 0,
    output: expect.stringMatching(/the running service's[^]*data\.tar\.gz: [1-9]\d* entries and 0 files in /),
  });
  // The service keeps running.
  expect((await send('POST', '/api/leaves', { label: 'later' })).status).toBe(200);
  expect(run(project, 'import', 'data.tar.gz')).toMatchObject({
    status: 2,
    output: expect.stringContaining('another process uses the data folder'),
  });
  await service.stop();

  const archive = path.join(project.folder, 'data.tar.gz');
  const imported = run(other, 'import', archive);
  expect(imported).toMatchObject({
    status: 0,
    output: expect.stringMatching(/Values get the rules of [^]*Importing an export of [^]*Done: [1-9]\d* stored/),
  });
  const checked = run(other, 'check-data');
  expect(checked).toMatchObject({ status: 0, output: expect.stringContaining('no violations') });
  // All three count the same, for each collection and together.
  const countsOf = ({ output }: { readonly output: string }): readonly string[] =>
    output.match(/^  \w+: .*entr.*$/gm) ?? [];
  expect(countsOf(exported)).toContain('  leaves: 1 entry');
  expect([countsOf(imported), countsOf(checked)]).toEqual([countsOf(exported), countsOf(exported)]);
  const [all] = /\d+(?= entries and)/.exec(exported.output) ?? [];
  expect(/Done: (\d+) stored/.exec(imported.output)?.[1]).toBe(all);
  expect(/(\d+) entries of \d+ content types/.exec(checked.output)?.[1]).toBe(all);
  const again = await startService(other);
  const listed = await fetch(`${again.url}/api/leaves`, { headers: { authorization: `Bearer ${other.token}` } });
  const { data } = (await listed.json()) as { readonly data: readonly { readonly attributes: { label: string } }[] };
  expect(data.map(({ attributes }) => attributes.label)).toEqual(['exported']);
  await again.stop();
  expect(fs.existsSync(path.join(other.folder, '.data', 'database.sock'))).toBe(false);
});
