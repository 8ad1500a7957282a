import { expect, test } from '@jest/globals';
import type { RouteRequest } from '../../../../src/plugins/contract/plugin.js';
import type { Services } from '../../../../src/plugins/users-permissions/services.js';
import { connect } from '../../../../src/plugins/users-permissions/providers/connect.js';
import { parseSettings } from '../../../../src/plugins/users-permissions/settings.js';

/** Validates pages of an app, like `callback.validate` of a project. */
const validate = async (page: string, { callback }: { readonly callback: string }): Promise<void> => {
  if (!page.startsWith('app://') && page !== callback) throw new Error('forbidden');
};

test.each([
  ['app://home', 'app://home'],
  ['https://shop.test/connect', 'https://shop.test/connect'],
  ['https://shop.test/other', undefined],
  ['https://evil.test', undefined],
  [['app://home'], undefined],
])('`callback.validate` of the settings decides on the page %j', async (callback, page) => {
  const provider = { callback: 'https://shop.test/connect' };
  const exchange = { begin: async (requested: unknown) => ({ location: `to ${String(requested)}`, cookie: '' }) };
  const services = {
    settings: parseSettings({ callback: { validate } }),
    providers: { byName: new Map([['house', { provider, exchange }]]) },
  };
  const request = { params: { provider: 'house' }, query: { callback } };
  const response = connect(services as unknown as Services, request as unknown as RouteRequest);
  if (page === undefined) await expect(response).rejects.toThrow('Invalid callback URL provided');
  else expect((await response).headers).toMatchObject({ Location: `to ${page}` });
});
