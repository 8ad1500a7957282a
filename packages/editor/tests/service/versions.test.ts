import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const password = 'ann-looks-back';

inBrowser('versions in the editor', () => {
  const client = useService({
    plugins: { admin: true, versions: { config: { types: ['api::article.article'] } } },
  });
  let page: EditorPage;
  let id: number;
  const allow = (...actions: readonly string[]): Promise<void> =>
    declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        ...actions.map((action) => `api::article.article.${action}`),
        ...['find', 'findOne', 'update'].map((action) => `api::tag.tag.${action}`),
        'api::author.author.find',
      ],
    });
  beforeAll(async () => {
    await allow('find', 'findOne', 'update');
    await createUser(client, 'ann', password);
    const [ada, bob] = [
      await client.create('authors', { name: 'Ada' }),
      await client.create('authors', { name: 'Bob' }),
    ];
    const text = { __component: 'blocks.text', content: 'Said first' };
    id = await client.create('articles', { title: 'First', body: '# Rye', author: ada, blocks: [text], views: 3 });
    const { body } = await client.get(`/api/articles/${id}?populate=blocks`);
    const [block] = body.data.attributes.blocks;
    const blocks = [{ ...block, content: 'Said again' }];
    await client.put(`/api/articles/${id}`, { title: 'Second', body: '# Wheat', author: bob, blocks });
    page = await openEditor(client);
    await page.logIn('ann', password);
    await page.heading('Welcome, ann');
  });
  afterAll(async () => page.close());

  const open = async (title: string): Promise<void> => {
    await page.goTo(`/admin/content/articles/${id}`);
    await page.heading(title);
  };
  const row = (name: string): Promise<unknown> =>
    page.waitFor(`(() => {
      const row = [...document.querySelectorAll('.dialog tbody tr')].find((one) =>
        one.querySelector('th').firstChild.textContent === ${JSON.stringify(name)});
      return row !== undefined && [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim()).join(' | ');
    })()`);
  test('of a long text show what differs, where it can be seen', async () => {
    const body = Array.from({ length: 40 }, (_, index) => `Paragraph ${index} of a long text.`).join('\n\n');
    const long = await client.create('articles', { title: 'Long', body });
    await client.put(`/api/articles/${long}`, { body: body.replace('Paragraph 38', 'The last but one') });
    await page.goTo(`/admin/content/articles/${long}`);
    await page.heading('Long');
    await page.act('Versions…');
    await page.click('.dialog .versions li:last-child button');
    await page.waitFor(`document.querySelector('.dialog .fold')?.textContent === '… 37 paragraphs in both …'`);
    const isInSight = (selector: string): string => `(() => {
      const element = document.querySelector('.dialog ${selector}');
      const [{ top, bottom }, value] = [element.getBoundingClientRect(), element.closest('.value').getBoundingClientRect()];
      return top >= value.top && bottom <= value.bottom;
    })()`;
    expect(await page.evaluate(isInSight('del'))).toBe(true);
    expect(await page.evaluate(isInSight('ins'))).toBe(true);
    expect(await page.findBarriersInLooks()).toEqual([]);
    const folder = process.env['PICTURES'];
    if (folder !== undefined) writeFileSync(`${folder}/9-long.png`, await page.screenshot());
    await page.click('.dialog button', 'As it looks');
    await page.waitFor(`document.querySelectorAll('.dialog .writing :is(ins, del)').length > 1`);
    expect(await page.evaluate(`document.querySelector('.dialog .writing .text-fold').textContent`)).toBe(
      '… 37 paragraphs in both …',
    );
    expect(await page.evaluate(isInSight('.writing del'))).toBe(true);
    if (folder !== undefined) writeFileSync(`${folder}/9-looks.png`, await page.screenshot());
    await page.click('.dialog [aria-label=Close]');
    await client.delete(`/api/articles/${long}`);
  });

  test('mark each kind of value in components as they look', async () => {
    const link = { label: 'Mill', url: '/mill', external: false, priority: 3 };
    const linked = await client.create('articles', { title: 'Linked', links: [link, link] });
    const { body } = await client.get(`/api/articles/${linked}?populate=links`);
    const [first, second] = body.data.attributes.links;
    await client.put(`/api/articles/${linked}`, { links: [{ ...first, external: true, priority: 4 }, second] });
    await page.goTo(`/admin/content/articles/${linked}`);
    await page.heading('Linked');
    await page.act('Versions…');
    await page.click('.dialog .versions li:last-child button');
    await page.click('.dialog button', 'As it looks');
    await page.waitFor(`document.querySelector('.dialog td dl') !== null`);
    const marked = (element: string): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('.dialog td ${element}')].map((one) => one.textContent)`);
    expect([await marked('del'), await marked('ins')]).toEqual([
      ['No', '3'],
      ['Yes', '4'],
    ]);
    await page.click('.dialog [aria-label=Close]');
  });

  test('show what was, and put it into the form', async () => {
    await open('Second');
    await page.act('Versions…');
    await page.waitFor(`document.querySelectorAll('.dialog .versions button').length === 2`);
    expect(await page.findBarriers()).toEqual([]);
    await page.click('.dialog li:last-child button');
    expect(await row('Title')).toBe('First | Second');
    expect(await row('Author')).toBe('Ada | Bob');
    expect(await page.evaluate(`document.querySelectorAll('.dialog tbody tr').length`)).toBe(4);
    const marked = (element: string): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('.dialog tbody ${element}')].map((one) => one.textContent)`);
    expect([await marked('del'), await marked('ins')]).toEqual([
      ['First', 'Rye', 'Ada', 'first'],
      ['Second', 'Wheat', 'Bob', 'again'],
    ]);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'As it looks');
    await page.waitFor(`document.querySelectorAll('.dialog .writing .text-level1').length === 2`);
    await page.waitFor(`document.querySelector('.dialog .text-level1 ins')?.textContent === 'Wheat'`);
    expect([await marked('del'), await marked('ins')]).toEqual([
      ['First', 'Rye', 'Ada', 'first'],
      ['Second', 'Wheat', 'Bob', 'again'],
    ]);
    expect(await page.findBarriersInLooks()).toEqual([]);
    // One value alone.
    await page.click('.dialog [aria-label="Take this value of Author"]');
    await page.notice('The values are in the form');
    await page.waitFor(`document.querySelector('[id="field-author"]').innerText.includes('Ada')`);
    expect(await page.evaluate(`document.querySelector('#field-title').value`)).toBe('Second');
    await page.act('Versions…');
    await page.click('.dialog li:last-child button');
    await page.waitFor(`document.querySelectorAll('.dialog tbody tr').length === 3`);
    await page.click('.dialog button', 'Take these values');
    await page.notice('The values are in the form');
    await page.waitFor(`document.querySelector('#field-title').value === 'First'`);
    await page.waitFor(`document.querySelector('[id="field-body"]').innerText.includes('Rye')`);
    await page.press('s');
    await page.notice('Saved');
    const { body } = await client.get(`/api/articles/${id}?populate=author,blocks`);
    expect(body.data.attributes).toMatchObject({
      title: 'First',
      body: '# Rye',
      author: { data: { attributes: { name: 'Ada' } } },
      blocks: [{ content: 'Said first' }],
    });
    await page.act('Versions…');
    await page.waitFor(`document.querySelector('.dialog .versions li')?.textContent.includes('by\\u00A0ann')`);
    await page.click('.dialog li:first-child button');
    await page.waitFor(
      `document.querySelector('.dialog').textContent.includes('The form has the values of this version.')`,
    );
    expect(page.mistakes).toEqual([]);
  });

  test('are not compared while the entries in them cannot be read', async () => {
    await page.goTo('/admin/content/tags');
    await page.heading('Tags');
    await open('First');
    await page.evaluate(`(() => {
      const { fetch } = globalThis;
      globalThis.fetch = (...request) =>
        String(request[0]).includes('/authors') ? Promise.reject(new TypeError('no answer')) : fetch(...request);
    })()`);
    await page.act('Versions…');
    await page.click('.dialog li:last-child button');
    await page.waitFor(`document.querySelector('.dialog [role=alert]') !== null`);
    expect(await page.evaluate(`document.querySelector('.dialog table')`)).toBe(null);
  });

  test('are not offered to those who may only read, nor of types without them', async () => {
    const tag = await client.create('tags', { name: 'Rye' });
    await page.goTo(`/admin/content/tags/${tag}`);
    await page.heading('Rye');
    expect(await page.actions()).toEqual(['Where is it used?']);
    await allow('find', 'findOne');
    await page.evaluate(`location.assign('/admin/content/articles/${id}')`);
    await page.heading('First');
    expect(await page.actions()).toEqual(['Where is it used?']);
  });
});
