import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium } from '../../../../tests/support/browser.js';
import { declare } from '../../../../tests/support/access.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;

inBrowser('an editor whose browser prefers German', () => {
  const client = useService({ plugins: { admin: true } });
  let page: EditorPage;
  beforeAll(async () => {
    const own = { where: { id: '$user.id' } };
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        ...['find', 'findOne', 'create', 'update', 'delete'].map((action) => `api::article.article.${action}`),
        'plugin::users-permissions.auth.changePassword',
        'plugin::users-permissions.user.me',
        { action: 'plugin::users-permissions.user.update', ...own },
      ],
    });
    await createUser(client, 'ann', 'ann-writes-articles');
    await client.create('articles', { title: 'Sauerteig', publishOn: '2026-03-12' });
    page = await openEditor(client, '/admin', 'de-AT,de,en');
  });
  afterAll(async () => page.close());

  const language = 'document.documentElement.lang';
  const overflows = 'document.documentElement.scrollWidth > innerWidth';
  /** On a phone and on a wide screen. */
  const fits = async (): Promise<void> => {
    for (const width of [390, 1440]) {
      await page.look(width, 'light');
      expect([width, await page.evaluate(overflows)]).toEqual([width, false]);
    }
    expect(await page.findBarriers()).toEqual([]);
  };

  test('logs in and finds entries in German', async () => {
    await page.heading('Anmelden');
    await page.waitFor(`${language} === 'de'`);
    expect(page.requested.filter((url) => /(?:german|french)-/.test(url))).toHaveLength(1);
    await fits();
    // What the browser finds is said beside the fields, and the first of them has the focus.
    await page.click('button', 'Anmelden');
    await page.waitFor(`document.querySelectorAll('[aria-invalid=true] + .issue').length === 2`);
    expect(await page.evaluate(`document.querySelector('.issue').textContent`)).toBe('Pflichtfeld');
    expect(await page.evaluate('document.activeElement.name')).toBe('identifier');
    expect(await page.findBarriers()).toEqual([]);
    await page.fill('[name=identifier]', 'ann');
    await page.fill('[name=password]', 'ann-writes-articles');
    await page.click('button', 'Anmelden');
    await page.heading('Willkommen, ann');
    await page.waitFor(`document.querySelector('.tiles')?.textContent.includes('1 Eintrag')`);
    await fits();
    // As another browser would leave them in the account.
    await page.evaluate(`fetch('/api/admin/account', {
      method: 'PUT',
      headers: {
        Authorization: 'Bearer ' + JSON.parse(localStorage.getItem('content-service.session')).jwt,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ 'columns.articles': ['publishOn'], theme: 'light' }),
    })`);
    await page.evaluate('(window.isLeft = true, location.reload())');
    await page.waitFor(
      `window.isLeft === undefined && document.querySelector('.tiles')?.textContent.includes('1 Eintrag')`,
    );
    expect(await page.evaluate('document.documentElement.style.colorScheme')).toBe('light');
    await page.click('#navigation a', 'Articles');
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('Veröffentlicht')`);
    // As in Germany and Austria: the day comes first, with a point behind it.
    const times = `[...document.querySelectorAll('td.time')].map((cell) => cell.querySelector('time')?.title ?? cell.textContent)`;
    expect(await page.evaluate(times)).toEqual([
      expect.stringMatching(/^12\.0?3\.2026$/),
      expect.stringMatching(/^\d\d?\.\d\d?\.\d{4}, /),
    ]);
    expect(await page.evaluate(`document.querySelector('td time').textContent`)).toMatch(/^jetzt$|^vor \d/);
    await fits();
    await page.click('tbody a', 'Sauerteig');
    await page.waitFor(`document.querySelector('.bar')?.textContent.includes('Speichern und veröffentlichen')`);
    await fits();
  });

  test('chooses another language, which stays', async () => {
    await page.choose('.language', 'fr');
    await page.waitFor(`document.querySelector('.bar')?.textContent.includes('Enregistrer et publier')`);
    expect(await page.evaluate(language)).toBe('fr');
    await page.evaluate('location.reload()');
    await page.waitFor(`document.querySelector('.bar')?.textContent.includes('Enregistrer et publier')`);
    expect(page.mistakes).toEqual([]);
  });

  test('has another name and a new password, and dark colors, which stay', async () => {
    await page.click('.user', 'ann');
    await page.heading('Votre compte');
    await page.fill('[name=username]', 'anna');
    await page.click('button', 'Enregistrer');
    await page.waitFor(`document.querySelector('.user').textContent.trim() === 'anna'`);
    await page.fill('[name=currentPassword]', 'of-somebody-else');
    for (const name of ['password', 'passwordConfirmation']) await page.fill(`[name=${name}]`, 'anna-reads-articles');
    await page.click('button', 'Changer le mot de passe');
    await page.waitFor(
      `document.querySelector('[role=alert]')?.textContent.includes('Le mot de passe actuel est incorrect')`,
    );
    await fits();
    await page.fill('[name=currentPassword]', 'ann-writes-articles');
    await page.click('button', 'Changer le mot de passe');
    await page.notice('Le mot de passe a été changé.');
    await page.choose('.account form .choice:first-of-type', 'dark');
    const background = `getComputedStyle(document.body).backgroundColor`;
    expect(await page.evaluate(background)).toBe('rgb(20, 24, 22)');
    await fits();
    expect(await page.evaluate(`document.querySelector('.dialog')`)).toBeNull();
    await page.evaluate('(window.isLeft = true, location.reload())');
    await page.waitFor(`window.isLeft === undefined && document.querySelector('h1')?.textContent === 'Votre compte'`);
    expect(await page.evaluate(background)).toBe('rgb(20, 24, 22)');
    // The log-in ends, as of a token that another tab has left; what was refused because of that is forgotten after the
    // next one.
    await page.evaluate(`{
      const key = 'content-service.session';
      const stored = JSON.parse(localStorage.getItem(key));
      localStorage.setItem(key, JSON.stringify({ ...stored, jwt: stored.jwt + 'x' }));
      dispatchEvent(new StorageEvent('storage', { key }));
    }`);
    await page.choose('.account form .choice:first-of-type', 'light');
    await page.notice('Votre session a expiré');
    await page.fill('.dialog [name=identifier]', 'anna');
    await page.fill('.dialog [name=password]', 'anna-reads-articles');
    await page.click('.dialog button', 'Se connecter');
    await page.waitFor(`document.querySelector('.dialog') === null`);
    await page.waitFor(`document.querySelector('.notices') === null`);
    await page.click('button', 'Se déconnecter');
    await page.fill('[name=identifier]', 'anna');
    await page.fill('[name=password]', 'anna-reads-articles');
    await page.click('button', 'Se connecter');
    await page.waitFor(`document.querySelector('.user')?.textContent.trim() === 'anna'`);
  });
});
