import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const password = 'ann-prepares-it';

inBrowser('changes of published entries', () => {
  const client = useService({
    contentTypes: 'tests/api/documents/working-copies/content-types',
    plugins: { admin: true, i18n: { config: { locales: ['en', 'de'] } } },
  });
  let page: EditorPage;
  const create = (title: string): Promise<number> =>
    client.create('articles', { title, price: 1, blocks: [{ __component: 'blocks.quote', text: 'Said' }] });
  const titleOf = async (id: number, query = ''): Promise<unknown> =>
    (await client.get(`/api/articles/${id}${query}`)).body.data.attributes.title;
  beforeAll(async () => {
    const actions = ['find', 'findOne', 'create', 'update', 'delete', 'find.drafts'];
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [...actions.map((action) => `api::article.article.${action}`), 'api::author.author.find'],
    });
    await createUser(client, 'ann', password);
    page = await openEditor(client);
    await page.logIn('ann', password);
    await page.heading('Welcome, ann');
  });
  afterAll(async () => page.close());

  const open = async (id: number, title: string): Promise<void> => {
    await page.goTo(`/admin/content/articles/${id}`);
    await page.heading(title);
  };
  const status = (): Promise<unknown> => page.evaluate(`document.querySelector('.title .tag').textContent`);
  const isShown = (text: string): Promise<unknown> =>
    page.waitFor(`document.querySelector('main').innerText.includes(${JSON.stringify(text)})`);

  test('are saved beside what readers see, marked, and published together', async () => {
    const id = await create('Public');
    await open(id, 'Public');
    expect(await status()).toBe('Published');
    await page.type('title', 'Prepared');
    await isShown('Unsaved changes');
    await page.press('s');
    await page.notice('Readers see it when you publish the changes.');
    await page.heading('Prepared');
    expect(await status()).toBe('Modified');
    expect([await titleOf(id), await titleOf(id, '?status=draft')]).toEqual(['Public', 'Prepared']);
    await page.click('.published-value summary', 'What is published');
    await page.waitFor(`document.querySelector('.published-value[open] del')?.textContent === 'Public'`);
    expect(await page.findBarriersInLooks()).toEqual([]);

    await page.type('price', '3');
    await page.press('s');
    await page.notice('Saved');
    await page.waitFor(`document.querySelectorAll('.published-value').length === 2`);
    // What is taken back is no change any more.
    await page.click('.published-value summary');
    await page.click('.field:has(#field-price) .published-value summary');
    await page.click('.field:has(#field-price) .published-value button', 'Take back this change');
    await page.waitFor(`document.querySelector('#field-price').value === '1'`);
    await page.click('button', 'Publish changes');
    await page.notice('Published.');
    await page.waitFor(`document.querySelector('.title .tag').textContent === 'Published'`);
    const { attributes } = (await client.get(`/api/articles/${id}`)).body.data;
    expect(attributes).toMatchObject({ title: 'Prepared', price: 1 });
    expect(page.mistakes).toEqual([]);
  });

  test('are discarded after a question', async () => {
    const id = await create('Kept');
    await client.put(`/api/articles/${id}?status=draft`, { title: 'Forgotten' });
    await open(id, 'Forgotten');
    await page.act('Discard changes…');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Discard changes');
    await page.notice('The changes were discarded.');
    await page.heading('Kept');
    expect([await status(), await titleOf(id, '?status=draft')]).toEqual(['Published', 'Kept']);
  });

  test('and publications are taken back by Undo in the message', async () => {
    const id = await create('Shown');
    const { publishedAt } = (await client.get(`/api/articles/${id}`)).body.data.attributes;
    const blocks = [{ __component: 'blocks.quote', text: 'Changed' }];
    await client.put(`/api/articles/${id}?status=draft`, { title: 'Prepared', blocks });
    const undo = async (done: string, undone: string): Promise<void> => {
      await page.notice(done);
      await page.click('.notices button', 'Undo');
      await page.notice(undone);
    };
    const states = async (): Promise<unknown> =>
      Promise.all(
        ['', '&status=draft'].map(async (state) => {
          const { body } = await client.get(`/api/articles/${id}?populate=blocks${state}`);
          return [body.data.attributes.title, body.data.attributes.blocks[0].text];
        }),
      );
    const prepared = [
      ['Shown', 'Said'],
      ['Prepared', 'Changed'],
    ];
    await open(id, 'Prepared');
    await page.click('button', 'Publish changes');
    await undo('Published.', 'The changes are prepared again.');
    expect([await states(), await status()]).toEqual([prepared, 'Modified']);
    await page.act('Discard changes…');
    await page.click('.dialog button', 'Discard changes');
    await undo('The changes were discarded.', 'The changes are back.');
    await page.heading('Prepared');
    expect(await states()).toEqual(prepared);
    await page.act('Discard changes…');
    await page.click('.dialog button', 'Discard changes');
    await page.heading('Shown');
    await page.act('Unpublish');
    await undo('Not published any more.', 'Published again.');
    expect((await client.get(`/api/articles/${id}`)).body.data.attributes).toMatchObject({
      title: 'Shown',
      publishedAt,
    });
    // What was typed is part of the draft: readers have never seen it, so the message offers nothing.
    await page.type('title', 'Typed');
    await page.act('Unpublish');
    await page.notice('Not published any more.');
    expect(await page.evaluate(`document.querySelector('.notices').innerText.includes('Undo')`)).toBe(false);
    await page.click('button', 'Publish');
    await undo('Published.', 'What you saved is a draft.');
    expect(await status()).toBe('Draft');
    await page.click('button', 'Publish');
    await page.notice('Published.');
    await client.put(`/api/articles/${id}`, { title: 'Theirs' });
    await page.click('.notices button', 'Undo');
    await page.notice('nothing was undone');
    expect((await client.get(`/api/articles/${id}`)).body.data.attributes).toMatchObject({
      title: 'Theirs',
      publishedAt: expect.any(String),
    });
  });

  test('become part of the draft when the entry is unpublished, and go with it when it is deleted', async () => {
    const id = await create('Public');
    await client.put(`/api/articles/${id}?status=draft`, { price: 5 });
    await open(id, 'Public');
    await page.type('title', 'Typed');
    await page.act('Unpublish');
    await page.notice('Not published any more.');
    await page.heading('Typed');
    const { attributes } = (await client.get(`/api/articles/${id}`)).body.data;
    expect(attributes).toMatchObject({ title: 'Typed', price: 5, publishedAt: null });
    await page.click('button', 'Publish');
    await page.notice('Published.');
    await client.put(`/api/articles/${id}?status=draft`, { price: 6 });
    await open(await create('Other'), 'Other');
    await open(id, 'Typed');
    await page.act('Delete');
    await page.click('.dialog button', 'Delete');
    await page.notice('The entry was deleted.');
    expect((await client.get(`/api/articles/${id}?status=draft`)).status).toBe(404);
  });

  test('of others in the meantime are compared before anything is stored', async () => {
    const id = await create('Mine');
    await open(id, 'Mine');
    await page.type('title', 'My title');
    await client.put(`/api/articles/${id}?status=draft`, { title: 'Their title' });
    await page.click('button', 'Publish changes');
    await page.waitFor(`document.querySelector('.dialog .conflict') !== null`);
    expect([await titleOf(id), await titleOf(id, '?status=draft')]).toEqual(['Mine', 'Their title']);
    expect(
      await page.evaluate(`[...document.querySelectorAll('.conflict mark')].map((one) => one.textContent)`),
    ).toEqual(['My', 'Their']);
    await page.click('.dialog button', 'Use these values');
    await page.click('button', 'Publish changes');
    await page.notice('Published.');
    expect(await titleOf(id)).toBe('My title');
  });

  test('of several entries are published together after a question, or none if one is not complete', async () => {
    const ids = [await create('First'), await create('Second'), await create('Third')];
    await client.put(`/api/articles/${ids[0]}?status=draft`, { title: 'First changed' });
    await client.put(`/api/articles/${ids[1]}?status=draft`, { blocks: [{ __component: 'blocks.quote' }] });
    await page.goTo('/admin/content/articles');
    await isShown('First changed');
    const select = (title: string): Promise<unknown> => page.click(`input[aria-label="Select ${title}"]`);
    for (const title of ['First changed', 'Second', 'Third']) await select(title);
    await page.click('.selection button', 'Publish');
    await page.waitFor(`document.querySelector('.dialog h2').textContent === 'Publish 2 entries?'`);
    expect(await page.evaluate(`document.querySelector('.dialog .named').innerText`)).toMatch(
      /First changed\s*Modified/,
    );
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Publish');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'Not published'`);
    expect(await page.evaluate(`document.querySelector('.dialog .named').innerText`)).toMatch(
      /Second\s+Blocks › 1 › Text: Required/,
    );
    expect(await titleOf(ids[0] as number)).toBe('First');
    // The link leads to what is missing, in a component that is collapsed.
    await page.click('.dialog .named a', 'Second');
    await page.waitFor(`document.querySelector('.issues')?.innerText.includes('Blocks › Quote 1 › Text')`);
    await page.waitFor(`document.activeElement.id === 'field-blocks.0.text'`);
    await page.evaluate(`document.activeElement.blur()`);
    await page.click('.issues button', 'Blocks › Quote 1 › Text');
    await page.waitFor(`document.activeElement.id === 'field-blocks.0.text'`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.type('blocks.0.text', 'Complete');
    await page.press('s');
    await page.notice('Saved');
    await page.goTo('/admin/content/articles');
    for (const title of ['First changed', 'Second']) await select(title);
    await page.click('.selection button', 'Publish');
    await page.click('.dialog button', 'Publish');
    await page.notice('2 entries published.');
    expect(await titleOf(ids[0] as number)).toBe('First changed');
  });
});
