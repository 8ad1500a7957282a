import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const password = 'ann-asks-who-it-was';

inBrowser('who did what', () => {
  const client = useService({
    contentTypes: 'packages/editor/tests/service/deleted-types',
    plugins: { admin: true, audit: true, 'users-permissions': { config: { rateLimit: false } } },
  });
  let page: EditorPage;
  let note = 0;
  const allow = (mayAsk: boolean): Promise<unknown> =>
    declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        ...['find', 'findOne', 'create', 'update'].map((action) => `api::note.note.${action}`),
        ...(mayAsk ? ['admin::audit.record.find'] : []),
      ],
    });
  beforeAll(async () => {
    await allow(true);
    await createUser(client, 'ann', password);
    note = await client.create('notes', { title: 'Whose?' });
    await client.put(`/api/notes/${note}`, { body: 'Changed' });
    await client.create('notes', { title: 'Another' });
    page = await openEditor(client);
    await page.logIn('ann', password);
    await page.heading('Welcome, ann');
  });
  afterAll(async () => page.close());

  const cells = (column: number): string =>
    `[...document.querySelectorAll('tbody td:nth-child(${column})')].map((cell) => cell.innerText).join('|')`;
  const shows = (column: number, text: string): Promise<unknown> =>
    page.waitFor(`${cells(column)} === ${JSON.stringify(text)}`);

  test('is asked from the form of an entry, and narrowed down in the list', async () => {
    await page.goTo(`/admin/content/notes/${note}`);
    await page.heading('Whose?');
    await page.act('Who did what');
    await page.heading('Audit log');
    await shows(2, 'Changed|Created');
    await shows(5, 'Body|Published at and Title');

    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.filters button');
    await page.waitFor(`document.querySelectorAll('tbody tr').length > 2`);
    await page.goTo('/admin/audit?action=login');
    await shows(3, 'ann');
    await page.click('tbody button', 'ann');
    await page.waitFor(`document.querySelector('.filters')?.innerText.trim() === 'ann'`);
    expect(await page.evaluate('location.search')).toMatch(/^\?action=login&user=\d+$/);
    await page.goTo('/admin/audit?from=2001-01-01&to=2001-12-31');
    await page.waitFor(`document.querySelector('.empty')?.innerText.includes('There are no such records.')`);
    await page.click('.empty button', 'Show all');
    await page.waitFor(`document.querySelectorAll('tbody tr').length > 2`);
  });

  test('is not asked by those who may not', async () => {
    await page.goTo('/admin');
    await page.heading('Welcome, ann');
    await allow(false);
    await page.evaluate('globalThis.isFormer = true; location.reload()');
    await page.waitFor(`globalThis.isFormer === undefined && document.querySelector('#navigation') !== null`);
    expect(await page.evaluate(`document.querySelector('#navigation').innerText`)).not.toContain('Audit log');
    await page.goTo('/admin/audit');
    await page.heading('Not found');
    await page.goTo(`/admin/content/notes/${note}`);
    await page.heading('Whose?');
    expect(await page.actions()).not.toContain('Who did what');
  });
});
