import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium } from '../../../../tests/support/browser.js';
import { openPublicAddress, type PublicAddress } from '../../../../tests/support/public-address.js';
import { corpus } from '../../../../tests/support/service.js';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { openEditor, type EditorPage } from './editor-page.js';

const account = { username: 'ann', email: 'ann@example.org', password: 'ann-writes-articles' };
const inBrowser = chromium === undefined ? describe.skip : describe;

inBrowser('an editor with passkeys', () => {
  let address: PublicAddress;
  let service: TestService;
  let page: EditorPage;
  let device: string;
  let codes: readonly string[] = [];
  beforeAll(async () => {
    // A passkey is for a name.
    address = await openPublicAddress('localhost');
    service = await createTestService({
      contentTypes: corpus,
      mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
      environment: { PUBLIC_URL: address.url },
      plugins: { admin: true, 'users-permissions': { config: { rateLimit: false } } },
    });
    address.leadTo(service.url);
    const permissions = ['auth.callback', 'auth.changePassword', 'auth.resetPassword', 'user.me'].map(
      (name) => `plugin::users-permissions.${name}`,
    );
    const role = { name: undefined, description: undefined, permissions };
    await service.applyAccess({
      roles: [
        { ...role, type: 'public' },
        { ...role, type: 'editor', permissions: [...permissions, 'api::article.article.find'], secondFactor: true },
      ],
      tokens: [],
      locales: [],
    });
    const editor = await service.entries.findFirst('plugin::users-permissions.role', { filters: { type: 'editor' } });
    const user = { ...account, provider: 'local', confirmed: true, role: editor?.id };
    await service.entries.create('plugin::users-permissions.user', user);
    page = await openEditor({ service: address }, '/admin/account');
    await page.command('WebAuthn.enable');
    device = await plugIn('internal');
  });
  afterAll(async () => {
    await page?.close();
    await service?.close();
    await address?.close();
  });
  /** A device that makes passkeys, and needs no finger. */
  const plugIn = async (transport: 'internal' | 'usb'): Promise<string> => {
    const options = {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    };
    return (await page.command('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId;
  };
  const shows = (text: string) => page.waitFor(`document.body.textContent.includes(${JSON.stringify(text)})`);
  const lists = (text: string) =>
    page.waitFor(`[...document.querySelectorAll('h3 + .sessions li > span:first-child')]
      .map(({ firstChild }) => firstChild.textContent).join() === ${JSON.stringify(text)}`);

  test('sets one up at the log-in, and logs in with it', async () => {
    await page.heading('Log in');
    await page.logIn('ann', account.password);
    await shows('Your role needs a second factor');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('button', 'Use a passkey');
    await shows('Keep these recovery codes');
    codes = (await page.evaluate(
      `[...document.querySelectorAll('main li code')].map(({ textContent }) => textContent)`,
    )) as readonly string[];
    await page.click('button', 'I have kept them');
    await page.heading('Your account');
    await page.click('.top button', 'Log out');
    await page.heading('Log in');
    await page.logIn('ann', account.password);
    await page.waitFor(`document.querySelector('[name=secondFactor]') !== null`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('button', 'Use a passkey');
    await page.heading('Your account');
    await lists('Passkey');
  });

  test('adds another, names it, changes the password and removes one, each with a proof', async () => {
    await page.fill('h3 ~ form [name=name]', 'Spare');
    await page.click('button', 'Add a passkey');
    await page.click('.dialog button', 'Use a passkey');
    await shows('This device has a passkey for this account already');
    await page.click('.dialog [aria-label=Close]');
    const spare = await plugIn('usb');
    await page.command('WebAuthn.removeVirtualAuthenticator', { authenticatorId: device });
    await page.click('button', 'Add a passkey');
    await page.fill('.dialog [name=secondFactor]', codes[0] ?? '');
    await page.click('.dialog button', 'Continue');
    await page.notice('The passkey was added.');
    await lists('Passkey,Spare');
    expect((await page.command('WebAuthn.getCredentials', { authenticatorId: spare })).credentials.length).toBe(1);
    await shows('9 recovery codes are left.');
    await page.click('[aria-label="Rename Passkey"]');
    await page.fill('.dialog [name=name]', 'Laptop');
    await page.click('.dialog button', 'Save');
    await lists('Laptop,Spare');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.fill('[name=currentPassword]', account.password);
    await page.fill('[name=password]', 'ann-writes-more');
    await page.fill('[name=passwordConfirmation]', 'ann-writes-more');
    await page.click('button', 'Change the password');
    await page.waitFor(`document.querySelector('.dialog [name=secondFactor]') !== null`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.evaluate(
      `navigator.credentials.get = () => Promise.reject(new DOMException('The user has said no', 'NotAllowedError'))`,
    );
    await page.click('.dialog button', 'Use a passkey');
    await shows('The browser gave no passkey');
    await page.evaluate('delete navigator.credentials.get');
    await page.click('.dialog button', 'Use a passkey');
    await page.notice('The password was changed.');
    await page.click('[aria-label="Remove Laptop"]');
    await page.click('.dialog button', 'Use a passkey');
    await page.notice('The passkey was removed.');
    await lists('Spare');
    expect(await page.evaluate(`document.querySelector('[aria-label="Remove Spare"]')`)).toBeNull();
  });

  test('sets the password that a mail leads to with a proof, too', async () => {
    const uid = 'plugin::users-permissions.user';
    const { id = 0 } = (await service.entries.findFirst(uid, { filters: { username: 'ann' } })) ?? {};
    await service.entries.update(uid, id, { resetPasswordToken: 'of-a-mail' });
    await page.command('Page.navigate', { url: `${address.url}/admin/account/reset?code=of-a-mail` });
    await page.heading('New password');
    await page.fill('[name=password]', 'ann-writes-again');
    await page.fill('[name=passwordConfirmation]', 'ann-writes-again');
    await page.click('button', 'Save and log in');
    await page.click('.dialog button', 'Use a passkey');
    await page.heading('Welcome, ann');
    await page.goTo('/admin/account');
    await lists('Spare');
    expect(await page.evaluate('location.search')).toBe('');
  });

  test('removes the factor, and sets up the next one, as the role needs', async () => {
    await page.click('button', 'Remove the second factor');
    await page.click('.dialog button', 'Use a passkey');
    await page.heading('Log in');
    await page.logIn('ann', 'ann-writes-again');
    await shows('Your role needs a second factor');
    expect(await page.findBarriersInLooks()).toEqual([]);
  });
});
