import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const password = 'ann-wants-it-back';

inBrowser('what was deleted', () => {
  const client = useService({
    contentTypes: 'packages/editor/tests/service/deleted-types',
    plugins: { admin: true, upload: { config: { trash: 30 } } },
  });
  let page: EditorPage;
  beforeAll(async () => {
    const actions = ['find', 'findOne', 'create', 'update', 'delete', 'find.drafts'];
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        ...actions.map((action) => `api::note.note.${action}`),
        ...['find', 'update', 'delete'].map((action) => `api::imprint.imprint.${action}`),
        ...['find', 'upload', 'destroy'].map((action) => `plugin::upload.content-api.${action}`),
      ],
    });
    await createUser(client, 'ann', password);
    await client.put('/api/imprint', { title: 'Who we are' });
    page = await openEditor(client);
    await page.logIn('ann', password);
    await page.heading('Welcome, ann');
  });
  afterAll(async () => page.close());
  beforeEach(async () => {
    // A form goes on reading its entry.
    await page.goTo('/admin/content/notes/new');
    await page.heading('New: Note');
    await page.settled();
    for (const { id } of (await client.get('/api/notes?publicationState=preview')).body.data)
      await client.delete(`/api/notes/${id}`);
  });

  const read = async (id: number, query = ''): Promise<unknown> =>
    (await client.get(`/api/notes/${id}${query}`)).body.data?.attributes;
  const deleteInForm = async (id: number, title: string): Promise<void> => {
    await page.goTo(`/admin/content/notes/${id}`);
    await page.heading(title);
    await page.act('Delete');
    await page.waitFor(`document.querySelector('.dialog').innerText.includes('It stays in the trash for 30 days.')`);
    await page.click('.dialog button', 'Delete');
    await page.notice('The entry was deleted.');
  };

  test('comes back by Undo in the message, published as it was', async () => {
    const id = await client.create('notes', { title: 'Kept', body: 'Text' });
    await deleteInForm(id, 'Kept');
    expect(await read(id)).toBeUndefined();
    await page.heading('Notes');
    await page.click('.notices button', 'Undo');
    await page.notice('Restored.');
    await page.heading('Kept');
    expect(await read(id)).toMatchObject({ title: 'Kept', body: 'Text', publishedAt: expect.any(String) });
  });

  test('while somebody writes is said in the form, with what can be done with the text', async () => {
    const id = await client.create('notes', { title: 'Written' });
    await page.goTo(`/admin/content/notes/${id}`);
    await page.heading('Written');
    const loseText = async (title: string): Promise<void> => {
      await page.type('title', title);
      await client.delete(`/api/notes/${id}`);
      await page.press('s');
      await page.waitFor(
        `/^somebody else deleted this entry, /.test(document.querySelector('form > .notice[role=alert] p')?.textContent)`,
      );
    };
    await loseText('Rewritten');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('form > .notice button', 'Restore it');
    await page.notice('Restored.');
    await page.click('.dialog button', 'Use these values');
    await page.waitFor(`document.querySelector('form > .notice[role=alert]') === null`);
    await page.press('s');
    await page.notice('Saved');
    expect(await read(id, '?status=draft')).toMatchObject({ title: 'Rewritten' });
    await loseText('Kept as another');
    await page.click('form > .notice button', 'Save what you wrote as a new entry');
    await page.heading('Kept as another');
    const { data } = (await client.get('/api/notes?publicationState=preview')).body;
    expect(data).toMatchObject([{ attributes: { title: 'Kept as another', publishedAt: null } }]);
    expect(data[0].id).not.toBe(id);
  });

  test('and was changed since its publication comes back as a draft, so that nothing is published', async () => {
    const id = await client.create('notes', { title: 'Public' });
    await client.put(`/api/notes/${id}?status=draft`, { title: 'Prepared' });
    await deleteInForm(id, 'Prepared');
    await page.click('.notices button', 'Undo');
    await page.notice('Restored.');
    expect(await read(id, '?status=draft')).toMatchObject({ title: 'Prepared', publishedAt: null });
  });

  test('comes back by Undo after several entries were deleted in a list', async () => {
    const ids = [await client.create('notes', { title: 'One' }), await client.create('notes', { title: 'Two' })];
    await page.goTo('/admin/content/notes');
    await page.heading('Notes');
    await page.waitFor(`document.querySelectorAll('tbody tr').length === 2`);
    await page.click('[aria-label="Select all on this page"]');
    await page.click('.selection button', 'Delete');
    await page.click('.dialog button.danger', 'Delete');
    await page.notice('2 entries deleted.');
    await page.click('.notices button', 'Undo');
    await page.notice('2 entries restored.');
    for (const id of ids) expect(await read(id)).toMatchObject({ publishedAt: expect.any(String) });
  });

  test('is restored from the trash of its type, or deleted for good', async () => {
    for (const title of ['Restored', 'Gone'])
      await client.delete(`/api/notes/${await client.create('notes', { title, body: '# What it said' })}`);
    await page.goTo('/admin/content/notes');
    await page.click('header a', 'Trash');
    await page.heading('Trash: Notes');
    await page.waitFor(`document.querySelector('main').innerText.includes('What is deleted stays here for 30 days.')`);
    await page.waitFor(`document.querySelector('[aria-label="Restore Gone"]') !== null`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    // It is searched, and looked into.
    await page.fill('[type=search]', 'gon');
    await page.waitFor(`document.querySelectorAll('tbody tr').length === 1`);
    await page.fill('[type=search]', 'nothing');
    await page.waitFor(`document.querySelector('.empty')?.innerText.includes('No entry matches.')`);
    await page.fill('[type=search]', '');
    await page.click('td.name button', 'Restored');
    await page.waitFor(`document.querySelector('.dialog .deleted')?.innerText.includes('What it said')`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    const folder = process.env['PICTURES'];
    if (folder !== undefined) writeFileSync(`${folder}/12-trash.png`, await page.screenshot());
    await page.click('.dialog button', 'Restore');
    await page.notice('Restored as a draft.');
    await page.waitFor(`document.querySelector('.notices').innerText.includes('Open it')`);
    await page.click('[aria-label="Delete for good: Gone"]');
    await page.waitFor(`document.querySelector('.dialog h2').textContent === 'Delete “Gone” for good?'`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Delete for good');
    await page.notice('Deleted for good.');
    const { body } = await client.get('/api/notes?publicationState=preview');
    expect(body.data).toMatchObject([{ attributes: { title: 'Restored', publishedAt: null } }]);
    await page.waitFor(`document.querySelector('[aria-label="Restore Gone"]') === null`);
    // The form of an entry that was deleted meanwhile asks for it.
    expect(page.mistakes.filter((line) => !/ 404 /.test(line))).toEqual([]);
  });

  test('of a single type comes back by those who may update it', async () => {
    await page.goTo('/admin/content/imprint');
    await page.heading('Who we are');
    await page.act('Delete');
    await page.click('.dialog button', 'Delete');
    await page.notice('The entry was deleted.');
    await page.heading('New: Imprint');
    await page.act('Trash');
    await page.heading('Trash: Imprint');
    await page.click('[aria-label="Restore Who we are"]');
    await page.notice('Restored.');
    expect((await client.get('/api/imprint')).body.data.attributes.title).toBe('Who we are');
    await page.click('.way-back a');
    await page.heading('Who we are');
  });

  test('of files comes back by Undo or from their trash, or is deleted for good', async () => {
    const names = async (): Promise<readonly string[]> =>
      (await client.get('/api/upload/files?sort=name')).body.map(({ name }: { readonly name: string }) => name);
    const shown = (count: number): Promise<unknown> =>
      page.waitFor(`document.querySelectorAll('.grid li').length === ${count}`);
    await page.goTo('/admin/files');
    await page.heading('Files');
    await page.dropFile('.drop', 'loaf.png', 'mill.png');
    await page.notice('2 files uploaded.');
    await shown(2);
    await page.click('.grid button', 'loaf.png');
    await page.click('.dialog button', 'Delete');
    await page.waitFor(
      `document.querySelector('.dialog:not(:has(form))')?.innerText.includes('It disappears from the entries that use it, and stays in the trash for 30 days.')`,
    );
    await page.click('.dialog:not(:has(form)) .danger', 'Delete');
    await page.notice('The file was deleted.');
    await shown(1);
    await page.click('.notices button', 'Undo');
    await page.notice('The file was restored.');
    await shown(2);
    await page.click('main label', 'Select all on this page');
    await page.click('.selection button', 'Delete');
    await page.click('.dialog .danger', 'Delete');
    await page.notice('2 files deleted.');
    expect(await names()).toEqual([]);
    await page.click('header a', 'Trash');
    await page.heading('Trash: Files');
    await page.waitFor(`document.querySelectorAll('tbody tr').length === 2`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.fill('[type=search]', 'mil');
    await page.waitFor(`document.querySelectorAll('tbody tr').length === 1`);
    await page.click('td.name button', 'mill.png');
    await page.waitFor(`document.querySelector('.dialog img')?.complete`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Restore');
    await page.notice('The file was restored.');
    expect(await names()).toEqual(['mill.png']);
    await page.fill('[type=search]', '');
    await page.click('[aria-label="Delete for good: loaf.png"]');
    await page.click('.dialog button', 'Delete for good');
    await page.notice('The file was deleted for good.');
    await page.waitFor(`document.querySelector('.empty')?.innerText.includes('The trash is empty.')`);
    expect((await client.get('/api/upload/files/trash')).body.data).toEqual([]);
    expect(page.mistakes.filter((line) => !/ 404 /.test(line))).toEqual([]);
  });
});
