import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const password = 'ann-knows-languages';

inBrowser('entries in several languages', () => {
  const client = useService({
    contentTypes: 'packages/versions/tests/content-types',
    plugins: { admin: true, i18n: { config: { locales: ['en', 'de', 'fr'] } } },
  });
  let page: EditorPage;
  beforeAll(async () => {
    const actions = ['find', 'findOne', 'find.drafts', 'create', 'update'];
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: actions.map((action) => `api::article.article.${action}`),
    });
    await createUser(client, 'ann', password);
    const { url, token } = client.service;
    const translate = (id: number, locale: string) =>
      request(url)
        .post(`/api/articles/${id}/localizations`)
        .auth(token, { type: 'bearer' })
        .send({ locale, title: `Bread in ${locale}` })
        .expect(200);
    for (const [title, ...locales] of [['Both', 'de', 'fr'], ['German', 'de'], ['Neither']] as const) {
      const id = await client.create('articles', { title });
      for (const locale of locales) await translate(id, locale);
    }
    page = await openEditor(client, '/admin/content/articles?sort=title:asc');
    await page.logIn('ann', password);
    await page.heading('Articles');
  });
  afterAll(async () => page.close());

  const rows = (expected: readonly string[]): Promise<unknown> =>
    page.waitFor(`JSON.stringify([...document.querySelectorAll('[aria-busy=false] > tbody tr')].map((row) =>
      [...row.querySelectorAll('td.name, td[data-label=Translations]')].map((cell) => cell.innerText.trim()).join(': ')))
      === ${JSON.stringify(JSON.stringify(expected))}`);

  test('say in the list into which they are translated, and are found where they are not', async () => {
    await rows(['Both: de, fr', 'German: de', 'Neither: ']);
    await page.choose('.toolbar .choice:nth-of-type(3)', 'none');
    await rows(['Neither: ']);
    expect(await page.evaluate('location.search')).toContain('untranslated');
    expect(await page.findBarriersInLooks()).toEqual([]);
    const folder = process.env['PICTURES'];
    if (folder !== undefined) writeFileSync(`${folder}/14-translations.png`, await page.screenshot());
  });

  test('are begun beside one that is not saved', async () => {
    await page.goTo('/admin/content/articles/new?locale=en');
    await page.heading('New: Article');
    await page.type('title', 'Begun first');
    await page.goTo('/admin/content/articles');
    await page.heading('Articles');
    await page.goTo('/admin/content/articles/new?locale=en');
    await page.waitFor(`document.querySelector('#field-title')?.value === 'Begun first'`);
    await page.click('button', 'Keep it, and begin another');
    await page.waitFor(`document.querySelector('#field-title')?.value === ''`);
    await page.type('title', 'Begun second');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.press('s');
    await page.heading('Begun second');
    await page.goTo('/admin/content/articles/new?locale=en');
    await page.waitFor(`document.querySelector('#field-title')?.value === 'Begun first'`);
    await page.click('button', 'Discard them');
    expect(page.mistakes).toEqual([]);
  });
});
