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
async function logInElsewhere(): Promise<string> {
  const { body } = await request(client.service.url)
    .post('/api/auth/local')
    .set('X-Session', 'true')
    .set('User-Agent', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1')
    .send({ identifier: 'ann', password });
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
      authenticated: ['api::article.article.find', 'plugin::users-permissions.user.me'],
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
