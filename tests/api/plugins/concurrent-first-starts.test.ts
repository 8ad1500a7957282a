import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { openLocks } from '../../../src/mongo/coordination/locks.js';
import { openValues } from '../../../src/mongo/values.js';
import { setLocales } from '../../../src/plugins/i18n/locales.js';
import { createFirstRoles } from '../../../src/plugins/users-permissions/roles/apply-roles.js';
import { createTestService, type TestService } from '../../../src/testing.js';
import { testUri } from '../../support/commands.js';
import { corpus } from '../../support/service.js';

/** Initial entries exist only once, even if two processes create them concurrently on one database. */

const start = (name: string, database: string): Promise<TestService> =>
  createTestService({
    contentTypes: corpus,
    mongodbUri: testUri('appName', name),
    environment: { DATABASE_NAME: database },
  });

const startBoth = (database: string): Promise<readonly [TestService, TestService]> =>
  Promise.all([start('first', database), start('second', database)]);

const stored = ({ database }: TestService, collection: string): Promise<readonly Document[]> =>
  database.db
    .collection(collection)
    .find({}, { sort: { _id: 1 } })
    .toArray();

/** Each permission of each role, by the type of the role. */
async function permissionsIn(service: TestService): Promise<readonly string[]> {
  const roles = new Map((await stored(service, 'up_roles')).map(({ _id, type }) => [_id as unknown, String(type)]));
  const permissions = await stored(service, 'up_permissions');
  return permissions.map(({ role, action }) => `${roles.get(role)} ${String(action).split('.').at(-1)}`).toSorted();
}

const firstPermissions = [
  'authenticated changePassword',
  'authenticated me',
  'public callback',
  'public connect',
  'public emailConfirmation',
  'public forgotPassword',
  'public register',
  'public resetPassword',
  'public sendEmailConfirmation',
];

/** The number of entries of each type. */
const firstEntriesIn = async (service: TestService): Promise<object> => ({
  roles: (await stored(service, 'up_roles')).map(({ type }) => type as string).toSorted(),
  permissions: await permissionsIn(service),
  locales: (await stored(service, 'i18n_locale')).map(({ code, isDefault }) => [code, isDefault]),
});

const firstEntries = {
  roles: ['authenticated', 'public'],
  permissions: firstPermissions,
  locales: [['en', true]],
};

test('two services that start at once on an empty database', async () => {
  for (let round = 0; round < 2; round += 1) {
    const both = await startBoth(`first_entries_${process.pid}_${round}`);
    expect(await firstEntriesIn(both[0])).toEqual(firstEntries);
    for (const service of both) await service.close();
  }
});

describe('in two running services', () => {
  let both: readonly TestService[] = [];
  beforeAll(async () => {
    both = await startBoth(`first_entries_${process.pid}`);
  });
  afterAll(async () => {
    for (const service of both) await service.close();
  });
  const first = (): TestService => both[0] as TestService;
  const inBoth = <T>(work: (service: TestService, index: number) => Promise<T>): Promise<readonly T[]> =>
    Promise.all(both.map(work));

  describe('without the startup lock', () => {
    beforeEach(async () => {
      for (const name of ['up_roles', 'up_permissions', 'i18n_locale']) {
        await first().database.db.collection(name).deleteMany({});
      }
    });

    test.each([1, 2, 3, 4, 5])('roles and locales, round %i', async () => {
      await inBoth(async (service) => {
        await createFirstRoles(service.entries);
        const storage = { locks: openLocks(service.database.db) };
        await setLocales({ ...service, storage }, [{ code: 'en', isDefault: true }]);
      });
      expect(await firstEntriesIn(first())).toEqual(firstEntries);
    });
  });

  test('the permissions of access.json are stored once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [type, locale] = [`editor-${round}`, ['de', 'fr', 'es', 'it', 'pt'][round] as string];
      const permissions = ['find', 'findOne', 'create', 'update'].map((name) => `api::article.article.${name}`);
      await inBoth((service) =>
        service.applyAccess({
          roles: [{ type, name: undefined, description: undefined, permissions }],
          tokens: [
            {
              name: `token ${round}`,
              type: 'custom',
              permissions,
              key: `key-of-the-token-${round}`,
              description: undefined,
              expiresAt: undefined,
            },
          ],
          locales: [
            { code: 'en', name: undefined, isDefault: true },
            { code: locale, name: undefined, isDefault: false },
          ],
        }),
      );
      const names = (await permissionsIn(first())).filter((name) => name.startsWith(type));
      expect(names).toEqual(['create', 'find', 'findOne', 'update'].map((name) => `${type} ${name}`));
      const tokens = await stored(first(), 'strapi_api_tokens');
      expect(tokens.filter(({ name }) => name === `token ${round}`)).toHaveLength(1);
      const locales = await stored(first(), 'i18n_locale');
      expect(locales.map(({ code, isDefault }) => [code, isDefault])).toEqual([
        ['en', true],
        [locale, false],
      ]);
    }
  });

  test('permissions granted twice concurrently are stored once', async () => {
    const actions = ['find', 'findOne', 'delete'].map((name) => `api::tag.tag.${name}`);
    await inBoth(async ({ commands }) => {
      const grant = commands.find(({ usage }) => usage.startsWith('grant'));
      await grant?.run({ role: 'authenticated', actions });
    });
    const names = (await permissionsIn(first())).filter((name) => name.startsWith('authenticated'));
    expect(names).toEqual(['changePassword', 'delete', 'find', 'findOne', 'me'].map((name) => `authenticated ${name}`));
  });

  test('a folder of the media library is created once', async () => {
    for (let pathId = 1; pathId <= 5; pathId += 1) {
      const created = await inBoth(({ entries }) =>
        entries.create('plugin::upload.folder', { name: 'Letters', pathId, path: `/${pathId}` }).then(
          () => 'created',
          () => 'refused',
        ),
      );
      expect(created.toSorted()).toEqual(['created', 'refused']);
    }
    expect(await stored(first(), 'upload_folders')).toHaveLength(5);
  });

  test('a setting of project code is stored once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `setting ${round}`;
      await inBoth(({ database }, index) => openValues(database.db).set(name, '', '', { index }));
      const found = (await stored(first(), '_values')).filter(({ _id }) => String(_id).includes(`"${name}"`));
      expect(found.map(({ value }) => value as string)).toEqual([expect.stringMatching(/^\{"index":[01]\}$/)]);
    }
  });
});
