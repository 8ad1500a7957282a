import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { testUri } from '../../../support/commands.js';
import { corpus } from '../../../support/service.js';
import { client, startOpenIdProvider, type OpenIdProvider } from './open-id-provider.js';

let house: OpenIdProvider;
beforeAll(async () => {
  house = await startOpenIdProvider();
});
afterAll(() => house.close());

describe.each([
  ['an address belongs to one user', true],
  ['several users may have one address', false],
])('if %s', (_, uniqueEmail) => {
  let both: readonly TestService[] = [];
  beforeAll(async () => {
    const common = { ...client, enabled: true, callback: 'https://shop.test/connect/redirect' };
    const providers = { house: { ...common, issuer: house.issuer, acceptAccessTokens: true } };
    both = await Promise.all(
      ['first', 'second'].map((name) =>
        createTestService({
          contentTypes: corpus,
          mongodbUri: testUri('appName', name),
          environment: { DATABASE_NAME: `first_log_in_${process.pid}_${uniqueEmail}` },
          plugins: { 'users-permissions': { config: { rateLimit: false, uniqueEmail, providers } } },
        }),
      ),
    );
  });
  afterAll(async () => {
    for (const service of both) await service.close();
  });

  test('two concurrent first logins of one person in two services create one user', async () => {
    for (let round = 0; round < 10; round += 1) {
      const email = `person-${round}@example.test`;
      house.person = { sub: `sub ${round}`, email, email_verified: true };
      const answers = await Promise.all(
        [...both, ...both].map(({ url }) =>
          request(url).get(`/api/auth/house/callback?access_token=${house.giveToken()}`),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
      expect(await both[0]?.database.db.collection('up_users').countDocuments({ email })).toBe(1);
    }
  });
});
