import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { extendContentTypes } from '../../../src/content-types/load/extend-content-types.js';
import { defineTypes } from '../../../src/plugins/users-permissions/definitions.js';
import { parseSettings } from '../../../src/plugins/users-permissions/settings.js';
import { load } from '../../../src/content-types/load/load.js';

const project = 'tests/fixtures/strapi-project';

describe('a Strapi v4 project', () => {
  test("provides content types and components from Strapi's folders, and nothing else", async () => {
    const { contentTypes, components } = await load(project);
    expect(contentTypes.map(({ uid, file }) => [uid, file])).toEqual([
      ['api::about.about', 'src/api/about/content-types/about/schema.json'],
      ['api::library.book', 'src/api/library/content-types/book/schema.json'],
      ['api::library.shelf', 'src/api/library/content-types/shelf/schema.json'],
    ]);
    expect(components.map(({ uid, file }) => [uid, file])).toEqual([
      ['shared.label', 'src/components/shared/label.json'],
    ]);
  });

  test('provides its changes of content types of plugins', async () => {
    const { extensions } = await load(project);
    expect(extensions.map(({ uid }) => uid)).toEqual(['plugin::comments.comment', 'plugin::users-permissions.user']);
  });

  test('reports all unreadable files', async () => {
    const broken = fs.mkdtempSync(path.join(os.tmpdir(), 'strapi-'));
    for (const place of ['src/api/a/content-types/a', 'src/extensions/b/content-types/c']) {
      fs.mkdirSync(path.join(broken, place), { recursive: true });
      fs.writeFileSync(path.join(broken, place, 'schema.json'), '{ "info" }');
    }
    await expect(load(broken)).rejects.toThrow(
      'src/api/a/content-types/a/schema.json: line 1, column 10: invalid JSON, colon expected\n' +
        'src/extensions/b/content-types/c/schema.json: line 1, column 10: invalid JSON, colon expected',
    );
    fs.rmSync(broken, { recursive: true });
  });
});

test('an extension replaces and adds attributes and keeps all others', () => {
  const define = (uid: string, file: string, attributes: Readonly<Record<string, { type: string }>>) => {
    return { uid, file, definition: { info: { singularName: 'user', pluralName: file }, attributes } };
  };
  const own = [define('plugin::a.user', 'own', { name: { type: 'string' }, age: { type: 'integer' } })];
  const extension = define('plugin::a.user', 'extension', { name: { type: 'text' }, nickname: { type: 'string' } });
  expect(extendContentTypes(own, [extension, define('plugin::b.other', 'other', {})])).toEqual([
    define('plugin::a.user', 'extension', {
      name: { type: 'text' },
      age: { type: 'integer' },
      nickname: { type: 'string' },
    }),
  ]);
});

test('CVE-2023-34093: an extension cannot expose private attributes of the plugin by omission', () => {
  const [user] = defineTypes(parseSettings({}));
  if (user === undefined) throw new Error('there is no user type');
  const names = ['password', 'resetPasswordToken', 'confirmationToken', 'passwordChangedAt', 'username'];
  const attributes = Object.fromEntries(names.map((name) => [name, { type: 'string', private: false, maxLength: 50 }]));
  const extension = { uid: user.uid, file: 'extension', definition: { ...user.definition, attributes } };
  const [extended] = extendContentTypes([user], [extension]);
  const found = extended?.definition.attributes ?? {};
  for (const name of names.slice(0, 4)) expect(found[name]).toMatchObject({ private: true, maxLength: 50 });
  expect(found['password']?.type).toBe('password');
  expect(found['passwordChangedAt']?.['visible']).toBe(false);
  expect(found['username']).toMatchObject({ unique: true, private: false });
  expect(found['email']).toEqual(user.definition.attributes['email']);
});
