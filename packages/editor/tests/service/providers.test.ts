import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium } from '../../../../tests/support/browser.js';
import { declare } from '../../../../tests/support/access.js';
import { openPublicAddress, type PublicAddress } from '../../../../tests/support/public-address.js';
import { corpus } from '../../../../tests/support/service.js';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { openEditor, type EditorPage } from './editor-page.js';
import { startIdentityProvider, type IdentityProvider } from './identity-provider.js';

const secret = 'the-secret-of-the-editor';
const inBrowser = chromium === undefined ? describe.skip : describe;
const form = '/admin/content/articles/new';

inBrowser('an editor who logs in with an account of another service', () => {
  let address: PublicAddress;
  let house: IdentityProvider;
  let service: TestService;
  let page: EditorPage;
  beforeAll(async () => {
    address = await openPublicAddress();
    house = await startIdentityProvider(address.url, secret);
    const common = { enabled: true, key: 'editor', secret, callback: `${address.url}/admin` };
    const providers = {
      email: { enabled: false },
      house: {
        ...common,
        label: 'House account',
        issuer: house.issuer,
        sameBrowser: true,
        roles: [
          { claim: 'groups', value: 'writer', role: 'authenticated' },
          { claim: 'groups', value: 'chief', role: 'chief' },
        ],
      },
      // Its log-ins could end in another browser.
      loose: { ...common, issuer: house.issuer },
      away: { ...common, issuer: 'http://127.0.0.1:9', sameBrowser: true },
    };
    service = await createTestService({
      contentTypes: corpus,
      mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
      environment: { PUBLIC_URL: address.url },
      plugins: { admin: true, audit: true, 'users-permissions': { config: { providers } } },
    });
    address.leadTo(service.url);
    await declare(service, {
      public: ['callback', 'connect'].map((name) => `plugin::users-permissions.auth.${name}`),
      authenticated: ['find', 'findOne', 'create', 'update'].map((name) => `api::article.article.${name}`),
    });
    await service.entries.create('plugin::users-permissions.role', { name: 'Chief', type: 'chief' });
    page = await openEditor({ service: address }, form);
  });
  afterAll(async () => {
    await page?.close();
    await service?.close();
    await house?.close();
    await address?.close();
  });
  const begin = async (): Promise<void> => {
    await page.click('.providers a', 'Log in with House account');
  };
  const logInAs = async (name: string): Promise<void> => {
    await begin();
    await page.fill('[name=login]', name);
    await page.fill('[name=password]', 'any');
    await page.click('button', 'Sign-in');
    await page.click('button', 'Continue');
  };
  const shows = (text: string) =>
    page.waitFor(`document.querySelector('[role=alert]')?.textContent.includes('${text}')`);
  /** The provider forgets who has logged in there. */
  const forget = async (): Promise<void> => {
    await page.command('Network.clearBrowserCookies');
    await page.command('Storage.clearDataForOrigin', { origin: address.url, storageTypes: 'local_storage' });
    await page.command('Page.navigate', { url: address.url + form });
    await page.heading('Log in');
  };

  test('finds a button for each provider that leads back to this browser, and no field where passwords are off', async () => {
    await page.waitFor(`document.querySelectorAll('.providers a').length === 2`);
    expect(await page.evaluate(`document.querySelector('[name=password]')`)).toBeNull();
    expect(await page.evaluate(`[...document.querySelectorAll('.providers a')].map((a) => a.textContent)`)).toEqual([
      'Log in with House account',
      'Log in with Away',
    ]);
    expect(await page.findBarriersInLooks()).toEqual([]);
  });

  test('comes back to the form, with nothing to log in with in any address, and goes out again', async () => {
    await logInAs('writer-ann');
    await page.heading('New: Article');
    expect(await page.evaluate('location.pathname + location.search')).toBe(form);
    const { entries } = (await page.command('Page.getNavigationHistory')) as {
      readonly entries: readonly { readonly url: string }[];
    };
    const own = [...entries.map(({ url }) => url), ...page.requested].filter((url) => url.startsWith(address.url));
    expect(own.some((url) => url.includes('/auth/house/callback'))).toBe(true);
    const { jwt } = JSON.parse(String(await page.evaluate(`localStorage['content-service.session']`)));
    expect(own.filter((url) => url.includes(jwt) || /access_token|code-|jwt/.test(url))).toEqual([]);
    // The provider's own code, which is good for one who holds its secret, leads on, and is not kept.
    expect(entries.filter(({ url }) => /[?&]code=/.test(url))).toEqual([]);
    expect(await page.evaluate('document.cookie')).toBe('');
    await page.click('button', 'Log out');
    await page.heading('Log in');
    await begin();
    await page.heading('New: Article');
    // The pages of the provider want a font.
    expect(page.mistakes.filter((mistake) => mistake.includes(`${address.url}/`))).toEqual([]);
  });

  test.each([
    ['who has no role here', 'guest-eve', 'You are not logged in. Your account there has no role here.'],
    ['whose role needs a second factor', 'chief-bob', 'Your role needs a second factor, which a log-in with another'],
  ])('reads why, %s', async (_, name, reason) => {
    if (name.startsWith('chief')) await declareFactor();
    await forget();
    await logInAs(name);
    await shows(reason);
    expect(await page.evaluate('location.pathname + location.search')).toBe(form);
    expect(await page.findBarriersInLooks()).toEqual([]);
  });
  const declareFactor = async (): Promise<void> =>
    service.applyAccess({
      roles: [{ type: 'chief', name: undefined, description: undefined, permissions: [], secondFactor: true }],
      tokens: [],
      locales: [],
    });

  test('reads that the provider does not answer, and that the log-in was cancelled', async () => {
    await forget();
    await page.click('.providers a', 'Away');
    await shows('The other service does not answer.');
    await begin();
    await page.click('a', 'Cancel');
    await shows('The log-in was not completed');
    expect(await page.evaluate(`localStorage['content-service.session']`)).toBeUndefined();
  });

  test('a link that anybody can write says nothing that they have chosen', async () => {
    await page.command('Page.navigate', { url: `${address.url}${form}?log-in=house&error=Call%20Eve` });
    await shows('The log-in was not completed');
    expect(await page.evaluate(`document.body.textContent.includes('Eve')`)).toBe(false);
  });
});
