import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;

inBrowser('components in a form', () => {
  const client = useService({ plugins: { admin: true, 'users-permissions': { config: { rateLimit: false } } } });
  let page: EditorPage;
  let [first, second] = [0, 0];
  beforeAll(async () => {
    const actions = ['find', 'findOne', 'create', 'update'];
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: ['article', 'author'].flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`)),
    });
    await createUser(client, 'ann', 'ann-orders-blocks');
    const author = await client.create('authors', { name: 'Ada' });
    const blocks = ['One', 'Two'].map((content) => ({ __component: 'blocks.text', content }));
    blocks.push({ __component: 'blocks.quote', text: 'Said', source: author } as never);
    first = await client.create('articles', { title: 'First', blocks, author });
    second = await client.create('articles', { title: 'Second' });
    page = await openEditor(client);
    await page.logIn('ann', 'ann-orders-blocks');
    await page.waitFor(`document.querySelector('#navigation') !== null`);
    await page.goTo(`/admin/content/articles/${first}`);
    await page.heading('First');
  });
  afterAll(() => page.close());

  const labels = `[...document.querySelectorAll('${field('blocks')} > .parts > li > .row:not(.choice-of-new) > .grow')].map(
    ({ textContent }) => textContent.trim())`;
  const shows = (...names: readonly string[]): Promise<unknown> =>
    page.waitFor(`${labels}.join() === ${JSON.stringify(names.join(','))}`);
  const stored = async (id: number): Promise<unknown[]> => {
    await page.press('s');
    await page.waitFor(`document.querySelector('.title .quiet-text').textContent === ''`);
    const { blocks } = (await client.get(`/api/articles/${id}?populate[blocks][populate]=*`)).body.data.attributes;
    return blocks.map(({ content, text }: { content?: string; text?: string }) => content ?? text);
  };

  test('are back after Undo, by the message and by the keys', async () => {
    await shows('TextBlock 1', 'TextBlock 2', 'QuoteBlock 3: Said');
    await page.click('[aria-label="Remove TextBlock 2"]');
    await page.notice('TextBlock 2 was removed.');
    await shows('TextBlock 1', 'QuoteBlock 2: Said');
    expect(await page.findBarriers()).toEqual([]);
    await page.click('.notices button', 'Undo');
    await shows('TextBlock 1', 'TextBlock 2', 'QuoteBlock 3: Said');
    await page.waitFor(`document.querySelector('.notices .notice') === null`);
    await page.click('[aria-label="Remove QuoteBlock 3"]');
    await shows('TextBlock 1', 'TextBlock 2');
    await page.press('z');
    await shows('TextBlock 1', 'TextBlock 2', 'QuoteBlock 3: Said');
    expect(await page.evaluate(`document.querySelector('.title .quiet-text').textContent`)).toBe('');
    // So is a link.
    await page.click('[aria-label="Remove Ada"]');
    await page.notice('Ada was removed.');
    await page.click('.notices button', 'Undo');
    await page.waitFor(`document.querySelector('${field('author')} .links a')?.textContent === 'Ada'`);
    // What was removed cannot come back into another form.
    await page.click('[aria-label="Remove TextBlock 1"]');
    await page.notice('TextBlock 1 was removed.');
    await page.goTo(`/admin/content/articles/${second}`);
    await page.heading('Second');
    await page.waitFor(`document.querySelector('.notices .notice') === null`);
    await page.goTo(`/admin/content/articles/${first}`);
    await page.click('button', 'Discard them');
    await shows('TextBlock 1', 'TextBlock 2', 'QuoteBlock 3: Said');
  });

  test('are added between others, duplicated, and opened and closed together', async () => {
    await page.click('[aria-label="Add before TextBlock 2"]');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.choice-of-new button', 'Add Quote');
    await page.waitFor(`document.activeElement.id === 'field-blocks.1.text'`);
    await page.type('blocks.1.text', 'Between');
    await page.click('[aria-label="Duplicate QuoteBlock 2"]');
    await shows('TextBlock 1', 'QuoteBlock 2: Between', 'QuoteBlock 3: Between', 'TextBlock 4', 'QuoteBlock 5: Said');
    expect(await stored(first)).toEqual(['One', 'Between', 'Between', 'Two', 'Said']);
    const open = `document.querySelectorAll('${field('blocks')} [aria-expanded=true]').length`;
    await page.click('button', 'Collapse all');
    await page.waitFor(`${open} === 0`);
    await page.click('button', 'Expand all');
    await page.waitFor(`${open} === 5`);
  });

  test('are copied into another entry, with what they are related to, until their user logs out', async () => {
    await page.click('[aria-label^="Copy QuoteBlock 5"]');
    await page.notice('was copied');
    await page.goTo(`/admin/content/articles/${second}`);
    await page.heading('Second');
    await page.click(`${field('blocks')} button`, 'Paste QuoteBlock');
    await shows('QuoteBlock 1: Said');
    expect(await page.findBarriersInLooks()).toEqual([]);
    expect(await stored(second)).toEqual(['Said']);
    const { blocks } = (await client.get(`/api/articles/${second}?populate[blocks][populate]=*`)).body.data.attributes;
    expect(blocks).toMatchObject([{ source: { data: { attributes: { name: 'Ada' } } } }]);
    await page.click('button', 'Log out');
    await page.waitFor(`document.querySelector('[name=identifier]') !== null`);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
  });
});
