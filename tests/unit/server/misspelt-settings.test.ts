import { expect, test } from '@jest/globals';
import { misspeltSettings } from '../../../src/server/misspelt-settings.js';

test.each([
  ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
  ['MONGO_URI', 'MONGODB_URI'],
  ['JWT_SECRETS', 'JWT_SECRET'],
  ['PORTS', 'PORT'],
])('%s in .env is probably %s', (name, meant) => {
  expect(misspeltSettings([name])).toEqual([
    `.env sets ${name}, which is no setting of the service; did you mean ${meant}?`,
  ]);
});

test('settings, and variables of a project, are not doubted', () => {
  expect(misspeltSettings(['PORT', 'EDITOR_TOKEN', 'WEBSITE_TOKEN', 'APP_KEYS', 'DATABASE_CLIENT', 'API_KEY'])).toEqual(
    [],
  );
});
