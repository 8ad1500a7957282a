import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const password = 'ann-and-others-write';

inBrowser('changes by two people', () => {
  const client = useService({
    contentTypes: 'packages/editor/tests/service/deleted-types',
    plugins: { admin: true },
  });
  let page: EditorPage;
  beforeAll(async () => {
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: ['find', 'findOne', 'find.drafts', 'update'].map((action) => `api::note.note.${action}`),
    });
    await createUser(client, 'ann', password);
    page = await openEditor(client);
    await page.logIn('ann', password);
    await page.heading('Welcome, ann');
  });
  afterAll(async () => page.close());

  test('of a text are decided passage by passage', async () => {
    const text = (...paragraphs: readonly string[]): string => paragraphs.join('\n\n');
    const id = await client.create('notes', { title: 'Together' });
    await client.put(`/api/notes/${id}?status=draft`, { body: text('One', 'Two', 'Three') });
    await page.goTo(`/admin/content/notes/${id}`);
    await page.heading('Together');
    await page.placeCursor('[id="field-body"] p:last-child');
    await page.insert(' of mine');
    await client.put(`/api/notes/${id}?status=draft`, { body: text('One of theirs', 'Two', 'Three of theirs') });
    await page.press('s');
    await page.waitFor(`document.querySelectorAll('.conflict .place').length === 2`);
    const chosen = `[...document.querySelectorAll('.conflict tbody tr')].map((row) =>
      row.querySelector('label:has(:checked)').innerText.trim())`;
    expect(await page.evaluate(chosen)).toEqual(['One of theirs', 'Three of mine']);
    expect(await page.findBarriersInLooks()).toEqual([]);
    const folder = process.env['PICTURES'];
    if (folder !== undefined) writeFileSync(`${folder}/10-passages.png`, await page.screenshot());
    await page.click('.dialog button', 'Use these values');
    await page.press('s');
    await page.notice('Saved');
    const { body } = (await client.get(`/api/notes/${id}?status=draft`)).body.data.attributes;
    expect(body).toBe(text('One of theirs', 'Two', 'Three of mine'));
  });

  test('of a component are decided attribute by attribute', async () => {
    const id = await client.create('notes', { title: 'A part', part: { text: 'One', mark: 'a' } });
    const read = async () =>
      (await client.get(`/api/notes/${id}?status=draft&populate=part`)).body.data.attributes.part;
    await page.goTo(`/admin/content/notes/${id}`);
    await page.heading('A part');
    await page.fill('[id="field-part.text"]', 'One of mine');
    await client.put(`/api/notes/${id}?status=draft`, { part: { ...(await read()), mark: 'theirs' } });
    await page.press('s');
    await page.waitFor(`document.querySelectorAll('.conflict tbody tr').length === 2`);
    const rows = `[...document.querySelectorAll('.conflict tbody tr')].map((row) =>
      [row.querySelector('th').innerText.trim(), row.querySelector('label:has(:checked)').innerText.trim()])`;
    expect(await page.evaluate(rows)).toEqual([
      ['Part · Text', 'One of mine'],
      ['Part · Mark', 'theirs'],
    ]);
    expect(await page.findBarriersInLooks()).toEqual([]);
    const folder = process.env['PICTURES'];
    if (folder !== undefined) writeFileSync(`${folder}/11-component.png`, await page.screenshot());
    await page.click('.dialog button', 'Use these values');
    await page.press('s');
    await page.notice('Saved');
    expect(await read()).toMatchObject({ text: 'One of mine', mark: 'theirs' });
  });
});
