import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { useProjects } from '../docs/own-project.js';

const project = useProjects();

test('with --json stdout contains only the result, and the exit code is unchanged', async () => {
  const own = project();
  const program = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.resolve('bin/content-service.mjs'), ...args, '--json'],
      { cwd: own.folder, env: { ...process.env, ...own.environment }, encoding: 'utf8' },
    );
    return { status, stderr, result: JSON.parse(stdout) as unknown };
  };
  const definition = (attributes: object) => ({
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes,
  });
  own.write('content-types/note.json', definition({ text: { type: 'string', required: true, unique: true } }));
  own.write('content-types/access.json', { roles: { public: { permissions: ['api::note.note.find'] } } });
  own.write('notes.ndjson', '{ "$type": "api::note.note", "$key": "text" }\n{ "text": "One" }\n{ "text": 2 }\n');

  expect(program('seed', 'notes.ndjson')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Done: 1 stored'),
    result: { stopped: false, stored: 1, known: 0, failed: 1, failures: [{ line: 3, path: 'text' }] },
  });
  expect(program('check-data')).toMatchObject({
    status: 0,
    result: { entries: expect.any(Number), breaches: 0, listed: [] },
  });
  expect(program('export', 'all.tar.gz')).toMatchObject({
    status: 0,
    result: { file: 'all.tar.gz', files: 0, bytes: expect.any(Number), strangers: [] },
  });
  const imported = { status: 0, result: { stored: 0, files: 0, lost: 0 } };
  expect(program('import', 'all.tar.gz')).toMatchObject({
    ...imported,
    stderr: expect.not.stringContaining('Warning'),
  });

  const url = await own.start();
  const warning = 'Warning: 1 process of the service uses this database';
  expect(program('import', 'all.tar.gz')).toMatchObject({ ...imported, stderr: expect.stringContaining(warning) });
  own.write('requests.txt', '/api/notes\n');
  expect(program('compare', '--reference', url, '--ours', url, '--requests', 'requests.txt')).toMatchObject({
    status: 0,
    result: { requests: 1, same: 1, causes: [] },
  });

  own.write(
    'content-types/note.json',
    definition({ text: { type: 'string', unique: true }, kind: { type: 'string', required: true, default: 'news' } }),
  );
  const report = { found: [{ subject: 'api::note.note', text: 'kind gets its default', entries: 1 }], problems: 0 };
  expect(program('migrate')).toMatchObject({ status: 0, result: { applied: false, ...report } });
  expect(program('migrate', '--apply')).toMatchObject({ status: 0, result: { applied: true, ...report } });
  expect(program('migrate')).toMatchObject({ status: 0, result: { found: [] } });
});
