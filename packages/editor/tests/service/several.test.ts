import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const password = 'ann-changes-many';

inBrowser('all entries that match', () => {
  const client = useService({
    contentTypes: 'tests/api/documents/working-copies/content-types',
    plugins: { admin: true, i18n: { config: { locales: ['en', 'de'] } } },
  });
  let page: EditorPage;
  const draft = { publishedAt: null, blocks: [{ __component: 'blocks.quote', text: 'Said' }] };
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    const actions = ['find', 'findOne', 'create', 'update', 'delete', 'find.drafts'];
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [...actions.map((action) => `api::article.article.${action}`), 'api::author.author.find'],
    });
    await createUser(client, 'ann', password);
    for (let index = 1; index <= 23; index += 1)
      await client.create('articles', { title: `Public ${index}`, price: 1 });
    for (const title of ['First', 'Second', 'Third']) ids[title] = await client.create('articles', { ...draft, title });
    ids['Empty'] = await client.create('articles', {
      title: 'Empty',
      publishedAt: null,
      blocks: [{ __component: 'blocks.quote' }],
    });
    page = await openEditor(client, '/admin/content/articles');
    await page.logIn('ann', password);
    await page.heading('Articles');
  });
  afterAll(async () => page.close());

  const drafts = async (): Promise<unknown> =>
    (await client.get('/api/articles?publicationState=preview&filters[publishedAt][$null]=true&sort=id')).body.data.map(
      (entry: { attributes: { title: string } }) => entry.attributes.title,
    );
  const selectAll = async (count: number): Promise<void> => {
    await page.waitFor(`document.querySelectorAll('[aria-busy=false] > tbody tr').length > 24`);
    await page.click('thead input');
    await page.click('.selection button', `Select all ${count} entries that match`);
    await page.waitFor(`document.querySelector('.selection strong').textContent === 'All ${count} entries that match'`);
  };
  const report = (text: string): Promise<unknown> =>
    page.waitFor(`document.querySelector('.task [role=alert]')?.textContent === ${JSON.stringify(text)}`);

  test('are published after a question with their number; what is refused is named, and the others can be taken back', async () => {
    await selectAll(27);
    await page.click('.selection button', 'Publish');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'Publish 4 entries?'`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Publish');
    await report('3 entries published. 1 entry refused.');
    expect(await page.evaluate(`document.querySelector('.task .named').innerText`)).toMatch(
      /^Empty\s+Blocks › 1 › Text: Required$/,
    );
    expect(await page.evaluate(`document.querySelector('.task .named a').search`)).toBe('?check');
    expect(await page.findBarriersInLooks()).toEqual([]);
    expect(await drafts()).toEqual(['Empty']);
    // What somebody else has written since stays as it is.
    await client.put(`/api/articles/${ids['Second']}`, { price: 7 });
    await page.click('.task button', 'Undo');
    await page.notice('2 entries unpublished again. 1 entry changed meanwhile, and left alone.');
    expect(await drafts()).toEqual(['First', 'Third', 'Empty']);
    expect(page.mistakes.filter((line) => !/ 400 /.test(line))).toEqual([]);
  });

  test('get one value, as far as they have another; that of published ones is prepared', async () => {
    await selectAll(27);
    await page.click('.selection button', 'Change a value…');
    await page.choose('.dialog .choice', 'price');
    await page.fill('#change-price', 'much');
    await page.click('.dialog button', 'Next…');
    await page.waitFor(`document.querySelector('.dialog .issue')?.textContent === 'Must be a number without fraction'`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.fill('#change-price', '7');
    await page.click('.dialog button', 'Next…');
    // The second one has it already, and that of the third one is given to it meanwhile.
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'Change Price of 26 entries?'`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await client.put(`/api/articles/${ids['Third']}`, { price: 7 });
    await page.click('.dialog button', 'Change');
    await page.notice('25 entries changed. 1 entry changed meanwhile, and left alone.');
    const count = async (query: string): Promise<unknown> =>
      (await client.get(`/api/articles?filters[price]=7&${query}`)).body.meta.pagination.total;
    expect([await count('status=draft'), await count('status=published')]).toEqual([27, 1]);
    // What somebody else has given it since stays, and what was published has nothing prepared again.
    await client.put(`/api/articles/${ids['First']}`, { price: 8 });
    await page.click('.notices button', 'Undo');
    await page.notice('24 entries changed back. 1 entry changed meanwhile, and left alone.');
    expect(await count('status=draft')).toBe(2);
    expect((await client.get('/api/articles?modified=true')).body.meta.pagination.total).toBe(0);
  });

  test('are exported in a file, those of all pages and of the filters', async () => {
    await page.evaluate(`{
      globalThis.files = [];
      const create = URL.createObjectURL;
      URL.createObjectURL = (file) => { files.push(file); return create(file); };
    }`);
    const exported = async (index: number, list: string, format: string): Promise<string> => {
      await page.goTo(`/admin/content/articles?${list}`);
      await page.click('.toolbar button', 'Export');
      await page.choose('.dialog .choice', format);
      expect(await page.findBarriersInLooks()).toEqual([]);
      await page.click('.dialog button', 'Save the file');
      await page.waitFor(`globalThis.files[${index}] !== undefined`);
      return String(await page.evaluate(`globalThis.files[${index}].text()`));
    };
    const all = await client.get('/api/articles?publicationState=preview&pagination[pageSize]=100&sort=id');
    const titles = all.body.data.map((entry: { attributes: { title: string } }) => entry.attributes.title);
    const rows = (await exported(0, '', 'csv')).trim().split('\r\n');
    expect(rows[0]).toMatch(/ID,Title,Slug,Price,/i);
    expect(rows.slice(1).map((row) => row.split(',')[1])).toEqual(titles);
    await page.notice('27 entries exported.');
    const drafts = JSON.parse(await exported(1, 'status=draft', 'json'));
    expect(drafts.every((entry: { attributes: { publishedAt: unknown } }) => !entry.attributes.publishedAt)).toBe(true);
    await page.notice(`${drafts.length} entries exported.`);
    await page.goTo('/admin/content/articles');
  });

  test('are scheduled together, and as before by Undo', async () => {
    const schedules = async (): Promise<readonly { readonly id: number; readonly publishAt: string }[]> =>
      (await client.get('/api/articles/schedules')).body.data;
    const publishAt = '2090-04-01T08:00:00.000Z';
    const former = await request(client.service.url)
      .post(`/api/articles/${ids['First']}/schedule`)
      .auth(client.service.token, { type: 'bearer' })
      .send({ publishAt });
    expect(former.status).toBe(200);
    await selectAll(27);
    await page.click('.selection button', 'Schedule…');
    await page.click('.dialog button', 'Schedule');
    await page.waitFor(`document.querySelector('.dialog [role=alert]')?.textContent === 'Choose a time, or two.'`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.fill('.dialog [name=publishAt]', '2091-01-31T09:30');
    await page.click('.dialog button', 'Schedule');
    await page.notice('27 entries scheduled.');
    const after = await schedules();
    expect([after.length, new Set(after.map((one) => one.publishAt)).size]).toEqual([27, 1]);
    await page.click('.notices button', 'Undo');
    await page.notice('27 entries scheduled as before.');
    expect(await schedules()).toMatchObject([{ id: ids['First'], publishAt }]);
  });

  test('are related to more entries, or to fewer, and keep the others', async () => {
    const authors = await Promise.all(['Ada', 'Bob'].map((name) => client.create('authors', { name })));
    await client.put(`/api/articles/${ids['Second']}`, { tags: [authors[0]] });
    const tags = async (): Promise<unknown> =>
      (
        await client.get(`/api/articles/${ids['Second']}?populate=tags&status=draft`)
      ).body.data.attributes.tags.data.map(({ id }: { id: number }) => id);
    const change = async (way: string, author: string, text: string): Promise<void> => {
      await selectAll(27);
      await page.click('.selection button', 'Change a value…');
      await page.choose('.dialog .choice', 'tags');
      await page.choose('.dialog .choice ~ .choice', way);
      await page.fill('#change-tags [role=combobox]', author);
      await page.click('[role=option]', author);
      await page.click('.dialog button', 'Next…');
      await page.waitFor(`document.querySelector('.dialog p')?.textContent === ${JSON.stringify(text)}`);
      expect(await page.findBarriersInLooks()).toEqual([]);
      await page.click('.dialog button', 'Change');
    };
    await change('add', 'Bob', 'These are added to those that each entry has:');
    await page.notice('27 entries changed.');
    expect(await tags()).toEqual(authors);
    await change('remove', 'Ada', 'These are removed from those that each entry has:');
    await page.notice('1 entry changed.');
    expect(await tags()).toEqual([authors[1]]);
    await page.click('.notices button', 'Undo');
    await page.notice('1 entry changed back.');
    expect(await tags()).toEqual(authors);
    expect(page.mistakes.filter((line) => !/ 400 /.test(line))).toEqual([]);
  });
});
