import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const client = useService({ plugins: { admin: true, 'users-permissions': { config: { rateLimit: false } } } });
const password = 'ann-writes-articles';
const inBrowser = chromium === undefined ? describe.skip : describe;

/** The token of a log-in with a telephone. */
async function logInElsewhere(identifier = 'ann'): Promise<string> {
  const { body } = await request(client.service.url)
    .post('/api/auth/local')
    .set('X-Session', 'true')
    .set('User-Agent', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1')
    .send({ identifier, password });
  return body.jwt as string;
}
const isGood = async (jwt: string): Promise<boolean> =>
  (await request(client.service.url).get('/api/users/me').auth(jwt, { type: 'bearer' })).status === 200;

inBrowser('the sessions of a user', () => {
  let page: EditorPage;
  let tokens: readonly string[];
  const lists = (text: string): Promise<unknown> =>
    page.waitFor(`document.querySelector('.sessions')?.innerText.replaceAll('\\n', ' ') === ${JSON.stringify(text)}`);
  beforeAll(async () => {
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        'api::article.article.find',
        ...['me', 'find', 'findOne', 'update'].map((name) => `plugin::users-permissions.user.${name}`),
      ],
    });
    await createUser(client, 'ann', password);
    tokens = [await logInElsewhere(), await logInElsewhere()];
    page = await openEditor(client, '/admin/account');
    await page.logIn('ann', password);
    await page.heading('Your account');
  });
  afterAll(async () => page.close());

  test('are shown with their devices, and end one by one and together', async () => {
    await lists('Chrome on Linux This browser Safari on iPhone Now Log out Safari on iPhone Now Log out');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.sessions button', 'Log out');
    await page.notice('Logged out there.');
    await lists('Chrome on Linux This browser Safari on iPhone Now Log out');
    expect(await Promise.all(tokens.map(isGood))).toEqual([true, false]);
    await page.click('.account button', 'Log out everywhere else');
    await page.notice('You are logged in here only.');
    await lists('Chrome on Linux This browser');
    expect(await Promise.all(tokens.map(isGood))).toEqual([false, false]);
  });

  test('are ended by who may change users', async () => {
    await createUser(client, 'ben', password);
    const jwt = await logInElsewhere('ben');
    const [{ id }] = (await client.get('/api/users?filters[username]=ben')).body;
    await page.goTo(`/admin/content/users/${id}`);
    await page.heading('ben');
    await page.act('Log out everywhere…');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'Log ben out everywhere?'`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    expect(await isGood(jwt)).toBe(true);
    await page.click('.dialog .danger', 'Log out everywhere');
    await page.notice('ben is logged out everywhere.');
    expect(await isGood(jwt)).toBe(false);
  });

  test('a log-out ends the token, which may have been copied', async () => {
    const jwt = String(await page.evaluate(`JSON.parse(localStorage.getItem('content-service.session')).jwt`));
    expect(await isGood(jwt)).toBe(true);
    await page.evaluate(`void (globalThis.ended = new Promise((done) => {
      const send = fetch;
      globalThis.fetch = (...given) => { const answer = send(...given); answer.then(done); return answer; };
    }))`);
    await page.click('.top button', 'Log out');
    await page.heading('Log in');
    await page.evaluate('ended.then(() => true)');
    expect(await isGood(jwt)).toBe(false);
    expect(page.mistakes).toEqual([]);
  });
});
