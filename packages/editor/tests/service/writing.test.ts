import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const contentTypes = fs.mkdtempSync(path.join(os.tmpdir(), 'content-types-'));
const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: {
    title: { type: 'string' },
    slug: { type: 'uid' },
    body: { type: 'richtext' },
    blocks: { type: 'blocks' },
    weight: { type: 'integer', max: 9, pluginOptions: { editor: { section: 'Shipping' } } },
  },
};
fs.writeFileSync(path.join(contentTypes, 'note.json'), JSON.stringify(note));
afterAll(() => fs.rmSync(contentTypes, { recursive: true }));

inBrowser('a text', () => {
  const previews = { 'api::note.note': 'https://www.example.org/notes/{slug}?draft' };
  const client = useService({
    contentTypes,
    plugins: { admin: { config: { previews } }, 'users-permissions': { config: { rateLimit: false } } },
  });
  let page: EditorPage;
  let id: number;
  const image = '![Mill](/uploads/mill.png)';
  beforeAll(async () => {
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        ...['find', 'findOne', 'create', 'update'].map((action) => `api::note.note.${action}`),
        ...['find', 'upload'].map((action) => `plugin::upload.content-api.${action}`),
      ],
    });
    await createUser(client, 'ann', 'ann-writes-texts');
    await client.create('notes', { title: 'Rye', slug: 'rye-bread' });
    await client.create('notes', { title: 'Without address' });
    const form = new FormData();
    form.append('files', new Blob(['Plan'], { type: 'text/plain' }), 'plan.txt');
    const headers = { Authorization: `Bearer ${client.service.token}` };
    await fetch(`${client.service.url}/api/upload`, { method: 'POST', headers, body: form });
    const blocks = [{ type: 'code', children: [{ type: 'text', text: 'a' }] }];
    id = await client.create('notes', {
      title: 'Note',
      body: `See\n\n${image}\n\n\`\`\`\na\n\`\`\`\n\n- [ ] mix\n\nEnd`,
      blocks,
    });
    page = await openEditor(client);
    await page.logIn('ann', 'ann-writes-texts');
    await page.waitFor(`document.querySelector('#navigation') !== null`);
    await page.goTo(`/admin/content/notes/${id}`);
    await page.heading('Note');
  });
  afterAll(() => page.close());

  const stored = async (): Promise<{ readonly body: string; readonly blocks: unknown }> => {
    await page.waitFor(`document.querySelector('.title .quiet-text').textContent === 'Unsaved changes'`);
    await page.press('s');
    await page.waitFor(`document.querySelector('.title .quiet-text').textContent === ''`);
    return (await client.get(`/api/notes/${id}`)).body.data.attributes;
  };

  test('links to entries and files by addresses that the site knows', async () => {
    await page.placeCursor(`${field('body')} p`);
    await page.insert(' ');
    await page.press('k');
    await page.fill('.dialog [role=combobox]', 'Without');
    await page.waitFor(`document.querySelector('.choices [role=option]')?.textContent.includes('Without address')`);
    await page.press('Enter');
    await page.waitFor(`document.querySelector('.dialog [role=alert]')?.textContent.includes('has no address yet')`);
    await page.fill('.dialog [role=combobox]', 'Rye');
    await page.waitFor(`document.querySelector('.choices [role=option]')?.textContent.includes('Rye')`);
    await page.press('Enter');
    await page.waitFor(`document.querySelector('.dialog [name=url]').value === '/notes/rye-bread'`);
    await page.fill('.dialog [name=title]', 'All of it');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Save');
    await page.waitFor(`document.querySelector('${field('body')} a')?.textContent.includes('Rye')`);
    await page.placeCursor(`${field('body')} p:last-child`);
    await page.insert(' ');
    await page.press('k');
    await page.click('.dialog button', 'Link to a file');
    await page.click('.dialog .grid button', 'plan.txt');
    await page.waitFor(`/^\\/uploads\\/plan_/.test(document.querySelector('.dialog [name=url]')?.value)`);
    await page.click('.dialog button', 'Save');
    await page.waitFor(`document.querySelectorAll('${field('body')} a').length === 2`);
    const { body } = await stored();
    expect(body.split('\n')[0]).toBe('See [Rye](/notes/rye-bread "All of it")');
    expect(body).toMatch(/^End \[plan\.txt\]\(\/uploads\/plan_\w+\.txt\)$/m);
  });

  test('shows where the link with the cursor leads, and changes and removes it', async () => {
    const card = `.writing:has(${field('body')}) > .link-card`;
    await page.placeCursor(`${field('body')} p:last-child a`);
    await page.waitFor(`/^\\/uploads\\/plan_/.test(document.querySelector('${card} a')?.textContent)`);
    const { top, left } = (await page.evaluate(`(() => {
      const [card, link] = ['${card}', '${field('body')} p:last-child a'].map((one) =>
        document.querySelector(one).getBoundingClientRect());
      return { top: card.top - link.bottom, left: card.left - link.left };
    })()`)) as { readonly top: number; readonly left: number };
    expect([Math.abs(top) < 12, Math.abs(left) < 12]).toEqual([true, true]);
    expect(await page.findBarriersInLooks()).toEqual([]);
    const folder = process.env['PICTURES'];
    if (folder !== undefined) fs.writeFileSync(`${folder}/11-link.png`, await page.screenshot());
    await page.click(`${card} button`, 'Change the link');
    await page.waitFor(`/^\\/uploads\\/plan_/.test(document.querySelector('.dialog [name=url]')?.value)`);
    await page.press('Escape');
    await page.waitFor(`document.querySelector('.dialog') === null`);
    await page.click(`${card} button`, 'Remove the link');
    await page.waitFor(`document.querySelectorAll('${field('body')} a').length === 1`);
    await page.waitFor(`document.querySelector('${card}') === null`);
    await page.press('z');
    await page.waitFor(`document.querySelectorAll('${field('body')} a').length === 2`);
  });

  test('is named where a file in it is used', async () => {
    await page.goTo('/admin/files');
    await page.click('.grid button', 'plan.txt');
    await page.waitFor(`document.querySelector('[aria-label=Usage] li a')?.textContent === 'Note'`);
    expect(await page.findBarriers()).toEqual([]);
    await page.click('.dialog [aria-label=Close]');
    await page.goTo(`/admin/content/notes/${id}`);
    await page.heading('Note');
  });

  test('has images with a title and a width, code with its language, and tasks that are done', async () => {
    await page.fill(`${field('body')} [aria-label=Title]`, 'By the "river"');
    expect((await stored()).body).toContain('\n![Mill](/uploads/mill.png "By the \\"river\\"")\n');
    await page.fill(`${field('body')} [aria-label="Width in pixels"]`, '300');
    await page.fill(`${field('body')} [aria-label=Language]`, 'ts');
    await page.fill(`${field('blocks')} [aria-label=Language]`, 'js');
    await page.click(`${field('body')} [type=checkbox]`);
    const { body, blocks } = await stored();
    expect(body).toContain('\n<img src="/uploads/mill.png" alt="Mill" title="By the &quot;river&quot;" width="300">\n');
    expect(body).toContain('\n```ts\na\n```\n\n- [x] mix\n');
    expect(blocks).toEqual([{ type: 'code', language: 'js', children: [{ type: 'text', text: 'a' }] }]);
    expect(await page.findBarriersInLooks()).toEqual([]);
    // It is one that the editor knows again.
    await page.evaluate('location.reload()');
    await page.waitFor(`document.querySelector('${field('body')} [aria-label="Width in pixels"]')?.value === '300'`);
    await page.fill(`${field('body')} [aria-label="Width in pixels"]`, '');
    await page.fill(`${field('body')} [aria-label=Title]`, '');
    expect((await stored()).body).toContain(`\n${image}\n`);
  });

  test('goes on in the first cell of a table that was inserted', async () => {
    await page.placeCursor(`${field('body')} p:last-child`);
    await page.press('Enter');
    // At the end of the window the menu has no room, and would cover what was written.
    await page.evaluate(`document.querySelector('${field('body')} p:last-child').scrollIntoView({ block: 'end' })`);
    await page.insert('/table');
    await page.waitFor(`document.querySelector('.slash')?.textContent === 'Table'`);
    const isBelow = `document.querySelector('.slash').getBoundingClientRect().top
      >= document.querySelector('${field('body')} p:last-child').getBoundingClientRect().bottom - 8`;
    expect(await page.evaluate(isBelow)).toBe(true);
    await page.press('Enter');
    await page.waitFor(`document.querySelector('${field('body')} th') !== null`);
    await page.waitFor(`new Promise((done) => { setTimeout(() => done(true), 150); })`);
    await page.insert('a');
    await page.press('Tab');
    await page.waitFor(`new Promise((done) => { setTimeout(() => done(true), 150); })`);
    await page.insert('b');
    await page.waitFor(`document.querySelector('${field('body')} tr').innerText.split(/\\s+/).join() === 'a,b'`);
    // After the last cell is a new row.
    for (const cell of ['c', 'd', 'x']) {
      await page.press('Tab');
      await page.waitFor(`new Promise((done) => { setTimeout(() => done(true), 150); })`);
      await page.insert(cell);
    }
    await page.waitFor(`document.querySelector('${field('body')} tr:nth-child(3)')?.innerText.trim() === 'x'`);
    expect((await stored()).body).toMatch(/\n\n\| a \| b \|\n\| --- \| --- \|\n\| c \| d \|\n\| x \| {2}\|$/);
  });

  test('is searched, and what is found replaced', async () => {
    const find = `${field('body')} ~ .find`;
    await page.click(`.writing:has(${field('body')}) [aria-label="Find and replace"]`);
    await page.fill(`${find} [aria-label=Find]`, 'E');
    await page.waitFor(`document.querySelectorAll('${field('body')} mark').length === 4`);
    expect(await page.evaluate(`document.querySelector('${find} [role=status]').textContent`)).toBe('1 of 4');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.fill(`${find} [aria-label=Find]`, 'end');
    await page.fill(`${find} [aria-label="Replace by"]`, 'Last');
    await page.click(`${find} button`, 'Replace all');
    await page.waitFor(`document.querySelector('${find} [role=status]').textContent === '0 of 0'`);
    await page.press('Escape');
    await page.waitFor(`document.querySelector('.find') === null`);
    expect((await stored()).body).toContain('\n\nLast [plan.txt]');
  });

  test('is beside sections that stay closed, until a value in them has to be corrected', async () => {
    const isOpen = (): Promise<unknown> => page.evaluate(`document.querySelector('.sections > details').open`);
    await page.type('weight', '12');
    await page.click('summary', 'Shipping');
    await page.waitFor(`!document.querySelector('${field('weight')}').checkVisibility()`);
    await page.goTo('/admin');
    await page.heading('Welcome, ann');
    await page.goTo(`/admin/content/notes/${id}`);
    await page.waitFor(`document.querySelector('.sections > details') !== null`);
    expect(await isOpen()).toBe(false);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.press('s');
    await page.notice('One value has to be corrected first.');
    await page.waitFor(`document.activeElement.id === 'field-weight'`);
    expect(await isOpen()).toBe(true);
    await page.click('summary', 'Shipping');
    await page.click('.issues button', 'Weight');
    await page.waitFor(`document.activeElement.id === 'field-weight'`);
    expect(await isOpen()).toBe(true);
    await page.click('button', 'Discard them');
  });

  test('and its title are in the direction of their language', async () => {
    await page.type('title', 'مرحبا (2026).');
    const direction = `getComputedStyle(document.querySelector('${field('title')}')).direction`;
    await page.waitFor(`${direction} === 'rtl'`);
    const others = `[...document.querySelectorAll('main :is(input:not([type=checkbox]), textarea, h1, h2)')]
      .filter((element) => getComputedStyle(element).unicodeBidi !== 'plaintext').map(({ outerHTML }) => outerHTML)`;
    expect(await page.evaluate(others)).toEqual([]);
    expect(page.mistakes.filter((line) => /Content Security Policy/.test(line))).toEqual([]);
  });
});
