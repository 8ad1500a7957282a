import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const folder = mkdtempSync(path.join(os.tmpdir(), 'builder-'));
cpSync('content-types', folder, { recursive: true });
rmSync(path.join(folder, 'access.json'));

inBrowser('a developer on this machine', () => {
  const client = useService({ contentTypes: folder, environment: { NODE_ENV: 'development' } });
  let page: EditorPage;
  beforeAll(async () => {
    await declare(client.service, { public: ['plugin::users-permissions.auth.callback'] });
    await createUser(client, 'ann', 'ann-builds-types');
    page = await openEditor(client);
    await page.logIn('ann', 'ann-builds-types');
    await page.click('#navigation a', 'Content types');
    await page.heading('Content types');
  });
  afterAll(async () => {
    await page.close();
    rmSync(folder, { recursive: true });
  });

  const read = (name: string): any => JSON.parse(readFileSync(path.join(folder, name), 'utf8')); // oxlint-disable-line typescript/no-explicit-any
  const attributes = `[...document.querySelectorAll('.entries tbody td.name')].map(({ textContent }) => textContent)`;
  const shows = (name: string): Promise<unknown> => page.waitFor(`${attributes}.includes(${JSON.stringify(name)})`);
  const add = async (name: string, type: string): Promise<void> => {
    await page.click('button', 'New attribute');
    await page.fill('.dialog [name=name]', name);
    await page.choose('.dialog .choice', type);
  };

  test('sees all types and their relations', async () => {
    await page.waitFor(`document.querySelectorAll('.diagram a').length === 6`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.entries a', 'Article');
    await page.heading('Article');
    expect(await page.evaluate(attributes)).toContain('author');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.way-back a');
  });

  test('adds a language, and makes it the only one', async () => {
    await page.click('#navigation a', 'Languages of entries');
    await page.heading('Languages of entries');
    const locales = `[...document.querySelectorAll('.entry-locales li')].map(({ textContent }) => textContent)`;
    await page.fill('form.toolbar input', 'fr');
    await page.click('button', 'Add language');
    await page.waitFor(`${locales}[1]?.startsWith('French (fr)')`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('[aria-label="Make default: French (fr)"]');
    await page.waitFor(`${locales}[1] === 'French (fr)Default'`);
    await page.click('[aria-label="Remove English (en)"]');
    await page.click('.dialog button', 'Remove');
    await page.waitFor(`${locales}.length === 1`);
    expect((await client.get('/api/i18n/locales')).body).toMatchObject([{ code: 'fr', isDefault: true }]);
    await page.click('#navigation a', 'Content types');
    await page.heading('Content types');
  });

  test('discards a new type, and is back at all types', async () => {
    await page.click('button', 'New content type');
    await page.fill('.dialog input', 'Mistake');
    await page.click('.dialog button', 'Add attributes');
    await page.heading('Mistake');
    await page.click('button', 'Discard');
    expect(await page.heading('Content types')).toBe(true);
  });

  test('builds a type with both sides of a relation', async () => {
    await page.click('button', 'New content type');
    await page.fill('.dialog input', 'Reading list');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Add attributes');
    await page.heading('Reading list');
    await page.click('button', 'Settings');
    await page.fill('.dialog [name=trash]', '7');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Apply');
    await add('title', 'string');
    await page.click('.dialog label', 'Required');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Apply');
    await shows('title');
    await add('level', 'enumeration');
    await page.fill('.dialog textarea', 'easy\nhard');
    await page.click('.dialog button', 'Apply');
    await shows('level');
    await add('articles', 'relation');
    await page.choose('.dialog .choice:has([name=target])', 'api::article.article');
    await page.choose('.dialog .choice:has([name=relation])', 'oneToMany');
    await page.choose('.dialog .choice:has([name=target])', 'api::article.article');
    await page.fill('.dialog [name=otherSide]', 'readingList');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Apply');
    await shows('articles');
  });

  test('reads beside a field what is wrong with it', async () => {
    const issues = `[...document.querySelectorAll('.dialog .issue')].map(({ textContent }) => textContent).join()`;
    await page.click('button', 'New attribute');
    await page.choose('.dialog .choice', 'component');
    await page.click('.dialog button', 'Apply');
    await page.waitFor(`${issues} === 'Required,Required'`);
    expect(await page.evaluate(`document.activeElement.name`)).toBe('name');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.fill('.dialog [name=name]', '1st');
    await page.click('.dialog button', 'Apply');
    await page.waitFor(`${issues}.startsWith('A new name of letters')`);
    await page.click('.dialog button', 'Cancel');
  });

  test('corrects what is not written yet, orders it, and says what it is called', async () => {
    await page.click('[aria-label="Edit level"]');
    await page.fill('.dialog [name=name]', 'difficulty');
    await page.click('.dialog button', 'Apply');
    await shows('difficulty');
    await page.click('[aria-label="Move difficulty up"]');
    await page.waitFor(`${attributes}.join() === 'difficulty,title,articles'`);
    await page.click('[aria-label="Edit title"]');
    await page.click('.dialog summary');
    await page.fill('.dialog [name=label]', 'Name');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Apply');
    await page.waitFor(`document.querySelector('.dialog') === null`);
  });

  test('sees the reasons of a refusal, and goes on', async () => {
    await add('size', 'string');
    await page.fill('.dialog [name=minLength]', '9');
    await page.fill('.dialog [name=maxLength]', '3');
    await page.click('.dialog button', 'Apply');
    await shows('size');
    await page.click('button', 'Review and write');
    await page.waitFor(
      `document.querySelector('.dialog [role=alert]')?.textContent.includes('attributes.size.minLength')`,
    );
    expect(await page.evaluate(`document.querySelector('.dialog .primary').disabled`)).toBe(true);
    await page.click('.dialog button', 'Keep editing');
    await page.click('[aria-label="Remove size"]');
    await page.waitFor(`!${attributes}.includes('size')`);
  });

  test('sees the difference and what happens to stored data, and then writes all files', async () => {
    await page.click('.way-back a');
    await page.click('.entries a', 'Article');
    await page.click('[aria-label="Remove editorNote"]');
    await client.create('articles', { title: 'Bread', editorNote: 'Check it' });
    await page.goTo('/admin/types/api::reading-list.reading-list');
    await page.heading('Reading list');
    await page.click('button', 'Review and write');
    await page.waitFor(`document.querySelectorAll('.dialog .difference').length === 2`);
    const review = String(await page.evaluate(`document.querySelector('.dialog').textContent`));
    expect(review).toContain('article.json');
    expect(review).toContain('reading-list.json');
    expect(review).toMatch(/This stays stored.*editorNote.*1 entry/s);
    expect(await page.findBarriersInLooks()).toEqual([]);
    const { version: _, ...before } = read('article.json');
    expect(before.attributes).toHaveProperty('editorNote');
    // As if the service restarted with the new files.
    const restart = `{
      const send = fetch;
      globalThis.fetch = async (...request) => {
        const response = await send(...request);
        if (!String(request[0]).endsWith('/definitions') || request[1]?.method === 'PUT') return response;
        const body = await response.json();
        return Response.json({ data: { ...body.data, started: body.data.started + 1 } });
      };
    }`;
    await page.click('.dialog button', 'Write the files');
    await page.waitFor(`document.querySelector('.selection[role=status]')?.textContent.includes('new definitions')`);
    expect(await page.evaluate(`document.querySelector('h1').textContent`)).toBe('Reading list');
    const { editorNote: _note, ...kept } = before.attributes;
    const readingList = { type: 'relation', relation: 'manyToOne', target: 'api::reading-list.reading-list', inversedBy: 'articles' }; // prettier-ignore
    expect(JSON.stringify(read('article.json'))).toBe(
      JSON.stringify({ ...before, attributes: { ...kept, readingList } }),
    );
    expect(read('reading-list.json')).toEqual({
      kind: 'collectionType',
      collectionName: 'reading_lists',
      info: { singularName: 'reading-list', pluralName: 'reading-lists', displayName: 'Reading list' },
      options: { draftAndPublish: true, workingCopies: true, trash: 7 },
      pluginOptions: {},
      attributes: {
        title: { type: 'string', required: true, pluginOptions: { editor: { label: 'Name' } } },
        difficulty: { type: 'enumeration', enum: ['easy', 'hard'] },
        articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'readingList' },
      },
    });
    expect(Object.keys(read('reading-list.json').attributes)).toEqual(['difficulty', 'title', 'articles']);
    await page.evaluate(restart);
    await page.notice('The service uses the new definitions.');
    await page.waitFor(`document.querySelector('.selection[role=status]') === null`);
    expect(page.mistakes).toEqual([expect.stringContaining('400')]);
  });

  test('deletes it, with the attribute that leads to it', async () => {
    await page.goTo('/admin/types');
    await page.click('.entries a', 'Reading list');
    await page.click('button', 'Delete');
    await page.heading('Content types');
    expect(await page.evaluate(attributes)).not.toContain('Reading list');
    await page.click('button', 'Review and write');
    await page.waitFor(`document.querySelectorAll('.dialog .difference').length === 2`);
    await page.click('.dialog button', 'Write the files');
    await page.waitFor(`document.querySelector('.selection[role=status]') !== null`);
    expect(existsSync(path.join(folder, 'reading-list.json'))).toBe(false);
    expect(read('article.json').attributes).not.toHaveProperty('readingList');
  });
});
