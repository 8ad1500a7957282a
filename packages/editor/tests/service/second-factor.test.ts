import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import { chromium } from '../../../../tests/support/browser.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const client = useService({ plugins: { admin: true } });
const account = { username: 'ann', email: 'ann@example.org', password: 'ann-writes-articles' };
const inBrowser = chromium === undefined ? describe.skip : describe;

inBrowser('an editor whose role needs a second factor', () => {
  let page: EditorPage;
  let secret = '';
  beforeAll(async () => {
    const permissions = [
      'api::article.article.find',
      'plugin::users-permissions.user.me',
      'plugin::users-permissions.auth.callback',
    ];
    const role = { name: undefined, description: undefined, permissions };
    await client.service.applyAccess({
      roles: [
        { ...role, type: 'public' },
        { ...role, type: 'editor', secondFactor: true },
      ],
      tokens: [],
      locales: [],
    });
    const { id } = (await client.service.entries.findFirst('plugin::users-permissions.role', {
      filters: { type: 'editor' },
    })) as { readonly id: number };
    await client.service.entries.create('plugin::users-permissions.user', {
      ...account,
      provider: 'local',
      confirmed: true,
      role: id,
    });
    page = await openEditor(client, '/admin');
  });
  afterAll(async () => page.close());
  const send = async (code?: string): Promise<void> => {
    await page.fill('[name=identifier]', account.username);
    await page.fill('[name=password]', account.password);
    if (code !== undefined) await page.fill('[name=secondFactor]', code);
    await page.click('button', 'Log in');
  };
  const shows = (text: string) => page.waitFor(`document.body.textContent.includes(${JSON.stringify(text)})`);

  test('sets it up at the log-in, keeps the recovery codes, and is in', async () => {
    await page.heading('Log in');
    await send();
    await shows('Your role needs a second factor');
    secret = String(await page.evaluate(`document.querySelector('main code').textContent`));
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    await page.waitFor(`document.querySelector('main svg[role=img][aria-label*=camera]')?.checkVisibility()`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.fill('[name=secondFactor]', '000');
    await page.click('button', 'Log in');
    await shows('The code is wrong');
    await page.fill('[name=secondFactor]', new TOTP({ secret }).generate());
    await page.click('button', 'Log in');
    await shows('Keep these recovery codes');
    expect(await page.evaluate(`document.querySelectorAll('main li code').length`)).toBe(10);
    expect(await page.findBarriersInLooks()).toEqual([]);
    const [code] = (await page.evaluate(
      `[...document.querySelectorAll('main li code')].map(({ textContent }) => textContent)`,
    )) as readonly string[];
    await page.click('button', 'I have kept them');
    await page.heading('Welcome, ann');
    await page.evaluate('localStorage.clear(), location.reload()');
    await page.heading('Log in');
    await send();
    await page.waitFor(`document.querySelector('[name=secondFactor]') !== null`);
    await page.fill('[name=secondFactor]', String(code));
    await page.click('button', 'Log in');
    await page.heading('Welcome, ann');
  });
});
