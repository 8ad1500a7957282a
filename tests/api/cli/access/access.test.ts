import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { formatTable, readCommand } from '../../../../src/cli/commands/access/access.js';
import { AppError } from '../../../../src/errors/app-error.js';
import type { CommandResult } from '../../../../src/plugins/contract/plugin.js';
import { corpus } from '../../../support/service.js';
import { usePeople } from '../../plugins/users-permissions/users-client.js';

const JWT_SECRET = 'the-secret-of-both-processes';
const API_TOKEN_SALT = 'the-salt-of-both-processes';
const people = usePeople({ environment: { JWT_SECRET, API_TOKEN_SALT } });
const program = path.resolve('bin/content-service.mjs');

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'access-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const environment = () => ({
  ...process.env,
  MONGODB_URI: process.env['TEST_MONGODB_URI'],
  DATABASE_NAME: people.service.database.db.databaseName,
  DATA_FOLDER: folder,
  CONTENT_TYPES: path.resolve(corpus),
  NODE_ENV: 'test',
  JWT_SECRET,
  API_TOKEN_SALT,
});

/** Runs the script as an operator does, on the database of the tests. */
function spawnAccess(args: readonly string[], more = {}) {
  const options = { encoding: 'utf8', env: { ...environment(), ...more }, cwd: folder } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'access', ...args], options);
  return {
    status,
    stdout,
    messages: stderr.split('\n').filter((line) => line !== '' && !line.startsWith('Database: ')),
  };
}

/** Does the same in this process: returns the rows and notes. */
async function access(...args: readonly string[]): Promise<CommandResult> {
  const { commands } = people.service;
  const parsed = await readCommand(args, commands);
  if (typeof parsed === 'number') throw new Error(`${args.join(' ')} is no command`);
  const command = commands.find(({ usage }) => usage === parsed.usage);
  return command?.run(parsed.input) ?? { rows: [] };
}
const rows = async (...args: readonly string[]): Promise<readonly any[]> => (await access(...args)).rows;
const refusal = (...args: readonly string[]): Promise<string> =>
  access(...args).then(
    () => 'nothing',
    (error: unknown) => (error instanceof AppError ? error.message : `no AppError: ${String(error)}`),
  );
const list = () => people.send('get', '/api/tags');

describe('access role commands', () => {
  test('list roles with their users and actions', async () => {
    const { id } = await people.register('rita');
    expect(await rows('roles')).toEqual([
      { role: 'authenticated', name: 'Authenticated', users: 1, actions: 2 },
      { role: 'public', name: 'Public', users: 0, actions: 7 },
    ]);
    await people.sendFreely('delete', `/api/users/${id}`);
    expect(await rows('roles', 'authenticated')).toEqual([
      { role: 'authenticated', action: 'plugin::users-permissions.auth.changePassword' },
      { role: 'authenticated', action: 'plugin::users-permissions.user.me' },
    ]);
  });

  test('grant and revoke permissions', async () => {
    expect((await list()).status).toBe(403);
    expect(await rows('grant', 'public', 'api::tag.tag.find', 'api::tag.tag.findOne')).toEqual([
      { role: 'public', granted: 'api::tag.tag.find' },
      { role: 'public', granted: 'api::tag.tag.findOne' },
    ]);
    expect((await list()).status).toBe(200);
    const again = await access('grant', 'public', 'api::tag.tag.find');
    expect(again).toEqual({ rows: [], notes: ['Nothing changed: no permission was granted'] });
    await access('revoke', 'public', 'api::tag.tag.find', 'api::tag.tag.findOne');
    expect((await list()).status).toBe(403);
  });

  test('create a missing role with --create', async () => {
    expect(await refusal('grant', 'editr', 'api::tag.tag.create')).toMatch(/^unknown role "editr"/);
    expect(await rows('grant', 'editor', '--create', 'api::tag.tag.create')).toHaveLength(1);
    expect(await rows('roles', 'editor')).toEqual([{ role: 'editor', action: 'api::tag.tag.create' }]);
  });

  test('refuse to grant an unknown action', async () => {
    const message = 'unknown action "api::tag.tag.fnd"; did you mean "api::tag.tag.find"?';
    expect(await refusal('grant', 'public', 'api::tag.tag.fnd', 'api::tag.tag.find')).toBe(message);
    expect(await rows('roles', 'public')).toHaveLength(7);
    expect(await rows('actions', 'api::tag.tag.cr')).toEqual([{ action: 'api::tag.tag.create' }]);
  });
});

describe('access token commands', () => {
  const getTags = (key: string) => people.send('get', '/api/tags', undefined, key);

  test('create a token, show its key once, renew it and revoke it', async () => {
    const [token] = await rows('token', 'create', 'app', '--allow', 'api::tag.tag.find', '--expires', '2040-01-31');
    expect(token).toMatchObject({ name: 'app', type: 'custom', actions: 1, expires: '2040-01-31T00:00:00.000Z' });
    expect((await getTags(token.key)).status).toBe(200);
    expect((await people.send('get', '/api/authors', undefined, token.key)).status).toBe(403);
    expect(JSON.stringify(await rows('token', 'list'))).not.toContain(token.key);

    const [renewed] = await rows('token', 'renew', 'app');
    expect((await getTags(renewed.key)).status).toBe(200);
    expect((await getTags(token.key)).status).toBe(401);
    await access('token', 'revoke', 'app');
    expect((await getTags(renewed.key)).status).toBe(401);
    expect(await refusal('token', 'revoke', 'app')).toBe('unknown API token "app"');
  });

  test.each([
    [['x', '--expires', 'soon'], '--expires "soon" is not a date, e.g. 2030-01-31'],
    [['x', '--type', 'full-access', '--allow', 'api::tag.tag.find'], '--allow is for custom tokens'],
    [['x', '--allow', 'api::tag.tag.fin'], 'unknown action "api::tag.tag.fin"; did you mean "api::tag.tag.find"?'],
    [['x', '--type', 'all'], expect.stringMatching(/^type must be one of .* full-access, read-only, custom/)],
  ])('refuse a token with %j', async (args, message) => {
    expect(await refusal('token', 'create', ...args)).toEqual(message);
    expect(await rows('token', 'list')).not.toContainEqual(expect.objectContaining({ name: 'x' }));
  });

  test('refuse the name of an existing token', async () => {
    await rows('token', 'create', 'twice');
    expect(await refusal('token', 'create', 'twice')).toBe('This attribute must be unique');
    await access('token', 'revoke', 'twice');
  });
});

describe('access user commands', () => {
  const logIn = (password: string) => people.logIn('Vera@example.test', password);

  test('create a user, show the password once, change, block and delete the user', async () => {
    const [user] = await rows('user', 'create', 'Vera@example.test', '--username', 'vera');
    const expected = { username: 'vera', email: 'vera@example.test', role: 'authenticated', confirmed: true };
    expect(user).toMatchObject(expected);
    expect((await logIn(user.password)).status).toBe(200);
    expect(await rows('user', 'role', 'vera', 'public')).toMatchObject([{ role: 'public' }]);
    const [{ password }] = await rows('user', 'password', 'VERA@example.test');
    expect([(await logIn(user.password)).status, (await logIn(password)).status]).toEqual([400, 200]);
    await access('user', 'block', String(user.id));
    expect((await logIn(password)).body.error.message).toBe('Your account has been blocked by an administrator');
    await access('user', 'unblock', 'vera');
    expect((await logIn(password)).status).toBe(200);
    expect(await rows('user', 'list', 'VER')).toEqual([expect.objectContaining({ id: user.id, role: 'public' })]);
    await access('user', 'delete', 'vera');
    expect((await logIn(password)).status).toBe(400);
    expect(await refusal('user', 'block', 'vera')).toBe('unknown user "vera"');
  });

  test('refuse invalid users with the errors of the API', async () => {
    expect(await refusal('user', 'create', 'no address')).toBe('email must be a valid email');
  });
});

describe('content-service access', () => {
  test('changes permissions of a running service', async () => {
    const { status, stdout, messages } = spawnAccess(['grant', 'public', 'api::tag.tag.find']);
    expect([status, stdout, messages]).toEqual([0, 'role    granted\npublic  api::tag.tag.find\n', []]);
    let answer = 0;
    while (answer !== 200) answer = (await list()).status;
    const revoked = spawnAccess(['revoke', 'public', 'api::tag.tag.find', '--json']);
    expect(JSON.parse(revoked.stdout)).toEqual([{ role: 'public', revoked: 'api::tag.tag.find' }]);
    expect(spawnAccess(['token', 'revoke', 'nope'])).toEqual({
      status: 1,
      stdout: '',
      messages: ['unknown API token "nope"'],
    });
  });

  test('prints help and usage errors without opening a database', () => {
    const away = { MONGODB_URI: 'mongodb://127.0.0.1:9' };
    expect(spawnAccess(['--help'], away)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('grant [options]'),
    });
    const wrong = spawnAccess(['gant'], away);
    expect([wrong.status, wrong.messages[0]]).toEqual([1, "error: unknown command 'gant'"]);
  });
});

test('a printed table has a column for each name and no control characters', () => {
  expect(formatTable([], true)).toBe('');
  const rows = [
    { a: 'x\u001B[2J', b: null },
    { a: 'longer', c: 5 },
  ];
  expect(formatTable(rows, false)).toBe('a       b  c\nx�[2J   –  –\nlonger  –  5\n');
  expect(stripVTControlCharacters(formatTable(rows, true))).toBe(formatTable(rows, false));
  const [head = '', first = ''] = formatTable(rows, true).split('\n');
  expect([head, first.slice(8)]).toEqual([
    '\u001B[1ma       b  c\u001B[22m',
    '\u001B[2m–\u001B[22m  \u001B[2m–\u001B[22m',
  ]);
});
