import { expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService, type TestService } from '../../../src/testing.js';
import { corpus } from '../../support/service.js';

/** Runs work on a service without some plugins. */
async function without(names: readonly string[], work: (service: TestService) => Promise<void>, contentTypes = corpus) {
  const service = await createTestService({
    contentTypes,
    mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
    plugins: Object.fromEntries(names.map((name) => [name, false])),
  });
  try {
    await work(service);
  } finally {
    await service.close();
  }
}
/** Content types that lead to none of a plugin. */
const plain = 'tests/property/content-types';

const get = async ({ url }: TestService, path: string, token?: string): Promise<number> => {
  const asking = request(url).get(`/api/${path}`);
  if (token !== undefined) void asking.auth(token, { type: 'bearer' });
  return (await asking).status;
};

test('without users-permissions only API tokens have permissions', () =>
  without(
    ['users-permissions'],
    async (service) => {
      expect(await get(service, 'makers')).toBe(403);
      expect(await get(service, 'makers', service.token)).toBe(200);
      expect(await get(service, 'makers', 'x')).toBe(401);
      for (const path of ['users', 'users/me', 'users-permissions/roles', 'auth/x/callback', 'connect/google']) {
        expect(await get(service, path, service.token)).toBe(404);
      }
      const commands = new Set(service.commands.map(({ usage }) => usage.split(' ')[0]));
      expect([...commands]).toEqual(['token', 'schedule', 'webhooks', 'cdn']);
      const sending = request(service.url).post('/api/makers').auth(service.token, { type: 'bearer' });
      expect((await sending.send({ data: {} })).status).toBe(200);
    },
    plain,
  ));

test('without api-tokens only users and roles have permissions', async () => {
  const options = { contentTypes: plain, mongodbUri: process.env['TEST_MONGODB_URI'] ?? '' };
  const plugins = { 'api-tokens': false, 'users-permissions': { config: { rateLimit: false } } };
  const service = await createTestService({ ...options, plugins });
  try {
    expect(service.registry.contentTypes.has('admin::api-token')).toBe(false);
    expect(await get(service, 'makers')).toBe(403);
    const role = { type: 'public', name: undefined, description: undefined };
    const permissions = ['api::maker.maker.find'];
    await service.applyAccess({ roles: [{ ...role, permissions }], tokens: [], locales: [] });
    expect([await get(service, 'makers'), await get(service, 'makers', 'x')]).toEqual([200, 401]);
  } finally {
    await service.close();
  }
});

test('without upload nothing can be uploaded, and the start fails on content types with files', async () => {
  await without(
    ['upload'],
    async (service) => {
      for (const path of ['upload/files', 'upload']) expect(await get(service, path, service.token)).toBe(404);
    },
    'tests/api/documents/components/content-types',
  );
  await expect(without(['upload'], async () => undefined, plain)).rejects.toThrow('which the upload plugin provides');
});

test('without i18n every content type has one locale', () =>
  without(['i18n'], async (service) => {
    expect(await get(service, 'i18n/locales', service.token)).toBe(404);
    expect(await get(service, 'articles?locale=xx', service.token)).toBe(200);
  }));
