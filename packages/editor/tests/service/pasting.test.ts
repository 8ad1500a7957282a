import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { clipboards } from '../clipboards/clipboards.js';
import { summaryOf } from '../clipboards/summary.js';
import { openBlocks } from '../../src/browser/writing/document/blocks.js';
import { openMarkdown } from '../../src/browser/writing/document/markdown.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;

/** A type with a text of each kind. */
const contentTypes = fs.mkdtempSync(path.join(os.tmpdir(), 'content-types-'));
const note = {
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes: { title: { type: 'string' }, body: { type: 'richtext' }, blocks: { type: 'blocks' } },
};
fs.writeFileSync(path.join(contentTypes, 'note.json'), JSON.stringify(note));
afterAll(() => fs.rmSync(contentTypes, { recursive: true }));

/** An image that is stored has an address of the library. */
const withoutData = (text: string): string => text.replaceAll(/data:image\/png;base64,[\w+/=]*/g, 'STORED');
const withoutUploads = (text: string): string => text.replaceAll(/\/uploads\/image_\d+_\w+\.png/g, 'STORED');

inBrowser('what is pasted under the policy of the page', () => {
  const client = useService({
    contentTypes,
    plugins: { admin: true, 'users-permissions': { config: { rateLimit: false } } },
  });
  let page: EditorPage;
  let id: number;
  beforeAll(async () => {
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        ...['find', 'findOne', 'create', 'update'].map((action) => `api::note.note.${action}`),
        ...['find', 'upload'].map((action) => `plugin::upload.content-api.${action}`),
      ],
    });
    await createUser(client, 'ann', 'ann-pastes-texts');
    id = await client.create('notes', { title: 'Note' });
    page = await openEditor(client);
    await page.logIn('ann', 'ann-pastes-texts');
    await page.waitFor(`document.querySelector('#navigation') !== null`);
    await page.goTo(`/admin/content/notes/${id}`);
    await page.heading('Note');
  });
  afterAll(() => page.close());

  const stored = async (): Promise<{ readonly body: string; readonly blocks: unknown }> => {
    await page.press('s');
    await page.waitFor(`document.querySelector('.title .quiet-text').textContent === ''`);
    return (await client.get(`/api/notes/${id}`)).body.data.attributes;
  };
  /** Puts a clipboard in the place of what is in a field, and waits until it is there. */
  const pasteInto = async (
    name: string,
    clipboard: Readonly<Record<string, string>>,
    isPlain = false,
  ): Promise<void> => {
    await page.type(name, 'not pasted yet');
    await page.waitFor(`document.querySelector('${field(name)}').innerText.trim() === 'not pasted yet'`);
    await page.selectAll(name);
    await page.paste(clipboard, isPlain);
    await page.waitFor(`!document.querySelector('${field(name)}').innerText.includes('not pasted yet')`);
  };

  test.each(clipboards.map((clipboard) => [clipboard.name, clipboard] as const))('%s', async (_, clipboard) => {
    const { text = 'A text alone', losses, markdown } = clipboard;
    const html = clipboard.html?.replaceAll('https://content.example.org', client.service.url);
    const formats = { 'text/plain': text, ...(html !== undefined && { 'text/html': html }) };
    // What can be stored in the library is: the address is not that of the clipboard.
    await pasteInto('body', formats);
    if (losses !== undefined && losses !== 'tables') await page.notice(losses.slice(0, 20));
    await pasteInto('blocks', formats);
    const { body, blocks } = await stored();
    expect(withoutUploads(body)).toBe(withoutData(markdown));
    const summaries = (openBlocks(JSON.stringify(blocks))?.nodes ?? []).map(summaryOf);
    // Behind what has no text is an empty line to go on in.
    if (summaries.at(-1) === 'paragraph: ') summaries.pop();
    const expected = clipboard.blocks ?? openMarkdown(markdown).nodes.map(summaryOf);
    expect(summaries.map(withoutUploads)).toEqual(expected.map(withoutData));
    expect(
      await page.evaluate(`document.querySelector('.page :is(script, iframe, object, form, [onclick], [onerror])')`),
    ).toBeNull();
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('.page a')].filter((a) => !/^https?:|^mailto:/.test(a.href)).length`,
      ),
    ).toBe(0);
  });

  test('is letters alone with Shift, and gone by one Undo', async () => {
    await pasteInto('body', { 'text/plain': '## Title', 'text/html': '<h2>Title</h2>' }, true);
    expect((await stored()).body).toBe(String.raw`\#\# Title`);
    await page.paste({
      'text/plain': '',
      'text/html': '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>',
    });
    await page.waitFor(`document.querySelectorAll('.page td').length === 2`);
    await page.press('z');
    await page.waitFor(`document.querySelector('.page table') === null`);
    expect(await page.evaluate(`document.querySelector('${field('body')}').innerText.trim()`)).toBe('## Title');
  });

  test('fills the cells of a table from the one with the cursor on', async () => {
    await pasteInto('body', { 'text/plain': '| a | b |\n| - | - |\n| c | d |' });
    await pasteInto('blocks', { 'text/plain': 'A text alone' });
    await page.placeCursor(`${field('body')} td`);
    await page.paste({
      'text/plain': '1\t2\n3\t4',
      'text/html': '<table><tr><td>1</td><td><b>2</b></td></tr><tr><td>3</td><td>4</td></tr></table>',
    });
    await page.waitFor(`document.querySelectorAll('.page tr').length === 3`);
    expect((await stored()).body).toBe('| a | b |\n| --- | --- |\n| 1 | **2** |\n| 3 | 4 |');
    expect(await page.findBarriersInLooks()).toEqual([]);
  });

  test('breaks the policy of the page nowhere', () => {
    expect(page.mistakes.filter((line) => /Content Security Policy|Refused/i.test(line))).toEqual([]);
  });
});
