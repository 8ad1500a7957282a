import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium } from '../../../../tests/support/browser.js';
import { declare } from '../../../../tests/support/access.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;

inBrowser('dates and times', () => {
  const client = useService({ plugins: { admin: true } });
  let page: EditorPage;
  let id: number;
  beforeAll(async () => {
    const article = (action: string): string => `api::article.article.${action}`;
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        ...['find', 'findOne', 'create'].map(article),
        { action: article('update'), fields: ['-startsAt'] },
      ],
    });
    await createUser(client, 'ann', 'ann-writes-articles');
    id = await client.create('articles', {
      title: 'Sourdough',
      publishOn: '2030-01-31',
      airTime: '09:30:05.250',
      startsAt: '2030-01-31T09:30:00.000Z',
    });
    page = await openEditor(client);
    await page.logIn('ann', 'ann-writes-articles');
    await page.heading('Welcome, ann');
    await page.goTo(`/admin/content/articles/${id}`);
    await page.heading('Sourdough');
  });
  afterAll(async () => page.close());

  /** Without the marks of the direction of times. */
  const shown = async (path: string): Promise<unknown> =>
    page.evaluate(
      `document.querySelector('${field(path)}').textContent.replace(/[\u2066\u2069]/g, '').replace(/\\s/, ' ')`,
    );
  const focus = (path: string, part: string): Promise<unknown> =>
    page.evaluate(`document.querySelector('${field(path)} [data-type=${part}]').focus()`);
  const stored = async (): Promise<any> => (await client.get(`/api/articles/${id}`)).body.data.attributes;
  const save = async (): Promise<void> => {
    await page.click('.bar button', 'Save');
    await page.notice('Saved.');
    await page.click('.notices button');
  };

  test('are written as in the language of the editor, not of the browser', async () => {
    expect([await shown('publishOn'), await shown('airTime')]).toEqual(['1/31/2030', '9:30:05 AM']);
    await page.choose('.language', 'de');
    await page.waitFor(`document.documentElement.lang === 'de'`);
    expect([await shown('publishOn'), await shown('airTime')]).toEqual(['31.1.2030', '9:30:05']);
    await page.choose('.language', 'en');
    await page.waitFor(`document.documentElement.lang === 'en'`);
  });

  test('keep their milliseconds', async () => {
    await page.type('airTime', '21:45:05');
    await save();
    expect(await stored()).toMatchObject({ publishOn: '2030-01-31', airTime: '21:45:05.250' });
  });

  test('are empty when one of their parts was deleted', async () => {
    await focus('publishOn', 'day');
    await page.press('Backspace');
    await page.press('Backspace');
    expect(await shown('publishOn')).toBe('1/dd/2030');
    await page.evaluate(`document.querySelector('${field('title')}').focus()`);
    await page.waitFor(`document.querySelector('${field('publishOn')}').textContent === 'mm/dd/yyyy'`);
    await save();
    expect(await stored()).toMatchObject({ publishOn: null });
  });

  test('are chosen from a calendar', async () => {
    await page.type('publishOn', '2030-02-28');
    await page.click(`${field('publishOn')} button`);
    await page.waitFor(`document.activeElement.getAttribute('aria-label')?.includes('February 28, 2030')`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.month button[slot=next]');
    await page.click('.month td > div:not([data-disabled])', '17');
    await page.waitFor(`document.querySelector('.month') === null`);
    expect(await shown('publishOn')).toBe('3/17/2030');
  });

  test('cannot be changed where the role does not allow it', async () => {
    expect(await page.evaluate(`document.querySelector('${field('startsAt')} [contenteditable=true]')`)).toBeNull();
    expect(await page.evaluate(`document.querySelector('${field('startsAt')} button').disabled`)).toBe(true);
  });

  test('have the focus when their label is clicked', async () => {
    await page.click('label', 'Air time');
    expect(await page.waitFor(`document.activeElement.matches('${field('airTime')} [data-type=hour]')`)).toBe(true);
  });

  test('are required by a filter, which Enter applies', async () => {
    await save();
    await page.goTo('/admin/content/articles');
    await page.click('button', 'Add filter');
    await page.choose('.new-filter > .choice:first-of-type', 'publishOn');
    await page.waitFor(`document.querySelector('.new-filter .date [role=spinbutton]') !== null`);
    await page.click('.new-filter button[type=submit]');
    await page.waitFor(`document.querySelector('.new-filter .issue')?.textContent === 'Required'`);
    await page.waitFor(`document.activeElement.matches('.new-filter [role=spinbutton]')`);
    expect(await page.findBarriers()).toEqual([]);
    await page.fill('[name=operand]', '2030-03-17');
    // As in every other field of a form.
    await page.press('Enter');
    await page.waitFor(`document.querySelector('.filters')?.textContent.includes('2030-03-17')`);
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('Sourdough')`);
    expect(page.mistakes).toEqual([]);
  });
});
