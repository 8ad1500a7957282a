import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const folders = ['find', 'create', 'update', 'delete'].map((action) => `plugin::upload.folder.${action}`);

inBrowser('the folders of the library', () => {
  const client = useService({
    plugins: {
      admin: true,
      upload: { config: { folders: true } },
      'users-permissions': { config: { rateLimit: false } },
    },
  });
  const allow = (...permissions: readonly string[]): Promise<void> =>
    declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        'api::author.author.find',
        'api::author.author.findOne',
        'api::author.author.create',
        ...['find', 'upload', 'destroy'].map((action) => `plugin::upload.content-api.${action}`),
        ...permissions,
      ],
    });
  let page: EditorPage;
  beforeAll(async () => {
    await allow(...folders);
    await createUser(client, 'ida', 'password-of-ida');
    page = await openEditor(client);
    await page.logIn('ida', 'password-of-ida');
    await page.heading('Welcome, ida');
  });
  afterAll(async () => page.close());

  const structure = async (): Promise<unknown> => (await client.get('/api/upload/folder-structure')).body.data;
  const namesIn = async (folder: number | 'null'): Promise<readonly string[]> =>
    (await client.get(`/api/upload/files?folder=${folder}`)).body.map(({ name }: { name: string }) => name);
  const idOf = async (name: string): Promise<number> =>
    (await client.get(`/api/upload/folders?filters[name]=${name}`)).body.data[0].id;
  const create = async (name: string): Promise<void> => {
    await page.click('.toolbar button', 'New folder');
    await page.fill('.dialog [name=name]', name);
    await page.click('.dialog button', 'Create');
    await page.heading(name);
  };
  const tiles = (...names: readonly string[]): Promise<unknown> =>
    page.waitFor(
      `JSON.stringify([...document.querySelectorAll('.grid li')].map((tile) => tile.innerText.trim().split('\\n', 1)[0])) === ${JSON.stringify(JSON.stringify(names))}`,
    );
  const drag = async (from: string, to: string): Promise<void> => {
    for (const [type, selector] of [
      ['dragstart', from],
      ['dragenter', to],
      ['drop', to],
    ])
      await page.waitFor(`(() => {
        const element = document.querySelector(${JSON.stringify(selector)});
        const options = { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() };
        element?.dispatchEvent(new DragEvent('${type}', options));
        return element !== null;
      })()`);
  };

  test('are created inside each other, and files are uploaded into the open one', async () => {
    await page.click('#navigation a', 'Files');
    await page.heading('Files');
    await page.waitFor(`document.querySelector('.empty')?.textContent === 'Nothing is in this folder.'`);
    await create('Letters');
    await create('Old');
    expect(await page.evaluate('location.search')).toBe(`?folder=${await idOf('Old')}`);
    await page.dropFile('.drop', 'mill.png');
    await page.notice('1 file uploaded.');
    expect(await namesIn(await idOf('Old'))).toEqual(['mill.png']);
    expect(await structure()).toMatchObject([{ name: 'Letters', children: [{ name: 'Old' }] }]);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.toolbar button', 'New folder');
    await page.waitFor(`document.querySelector('.dialog [name=name]') !== null`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.fill('.dialog [name=name]', 'a/b');
    await page.click('.dialog button', 'Create');
    await page.waitFor(
      `document.querySelector('.dialog [role=alert]')?.textContent === 'Name: Must not contain a slash'`,
    );
    await page.click('.dialog button', 'Cancel');
  });

  test('are opened, and left by the way to them and by the browser', async () => {
    await page.click('.way button', 'Files');
    await page.heading('Files');
    await tiles('Letters');
    await page.click('.grid button', 'Letters');
    await tiles('Old');
    await page.evaluate('history.back()');
    await tiles('Letters');
    await page.goTo('/admin/files?folder=987');
    await page.waitFor(`document.querySelector('main [role=alert]')?.textContent === 'This folder does not exist.'`);
    await page.click('.way button', 'Files');
    await page.fill('[type=search]', 'mill');
    await tiles('mill.png');
    expect(await page.evaluate('location.search')).toBe('?search=mill');
    await page.click('.way button', 'Files');
    await tiles('Letters');
  });

  test('are arranged by drag and by the dialog, with their files', async () => {
    await create('New');
    await page.click('.way button', 'Files');
    await tiles('Letters', 'New');
    await drag('[aria-label="Folder New"]', '[aria-label="Folder Letters"]');
    await page.notice('Moved.');
    await tiles('Letters');
    await page.click('.grid button', 'Letters');
    await page.click('.grid button', 'Old');
    await tiles('mill.png');
    await drag('.grid button', '.way li:nth-child(2) button');
    await tiles();
    expect(await namesIn(await idOf('Letters'))).toEqual(['mill.png']);
    await page.click('.toolbar button', 'Move to…');
    await page.click('.dialog .choice > button');
    await page.waitFor(`document.querySelector('[role=option]') !== null`);
    expect(
      await page.evaluate(`[...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)`),
    ).toEqual(['Files', 'Letters', 'Letters / New']);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('[role=option]', 'New');
    await page.click('.dialog button', 'Move');
    await page.waitFor(`document.querySelectorAll('.way li').length === 4`);
    await page.click('.way button', 'Letters');
    await page.click('.grid button', 'mill.png');
    await page.click('.dialog button', 'Move to…');
    await page.waitFor(`document.querySelectorAll('.dialog').length === 2`);
    await page.choose('.dialog .choice', String(await idOf('Old')));
    await page.evaluate(`[...document.querySelectorAll('.dialog')].at(-1).querySelector('.primary').click()`);
    await tiles('New');
    expect(await namesIn(await idOf('Old'))).toEqual(['mill.png']);
    await page.click('.dialog [aria-label=Close]');
  });

  test('are where a form chooses files, and where its uploads go: into the folder that was open last', async () => {
    const avatar = `${field('avatar')} .files`;
    await page.click('#navigation a', 'Authors');
    await page.click('a', 'New entry');
    await page.waitFor(
      `document.querySelector('${field('avatar')}').textContent.includes('Uploads go to: Files / Letters')`,
    );
    await page.click(`${field('avatar')} button`, 'Choose from the library');
    await page.waitFor(`document.querySelector('.dialog [aria-current=page]')?.textContent === 'Letters'`);
    for (const name of ['New', 'Old']) await page.click('.dialog .grid button', name);
    await page.waitFor(`document.querySelector('.dialog .grid img') !== null`);
    expect(await page.findBarriers()).toEqual([]);
    await page.click('.dialog .grid button', 'mill.png');
    await page.waitFor(`document.querySelector('${avatar}')?.textContent.includes('mill.png')`);
    await page.dropFile(`${field('avatar')} .drop`, 'loaf.png');
    await page.waitFor(`document.querySelector('${avatar}')?.textContent.includes('loaf.png')`);
    expect((await namesIn(await idOf('Old'))).toSorted()).toEqual(['loaf.png', 'mill.png']);
    expect(await page.findBarriersInLooks()).toEqual([]);
  });

  test('have the part that is cut out of an image in them, wherever that is done', async () => {
    await page.click('#navigation a', 'Files');
    await page.fill('[type=search]', 'loaf');
    await tiles('loaf.png');
    await page.click('.grid button', 'loaf.png');
    await page.fill('.dialog [name=alternativeText]', 'A loaf');
    await page.click('.dialog button', 'Crop…');
    await page.waitFor(`document.querySelector('.dialog [name=width]')?.value === '1'`);
    await page.click('.dialog button', 'Save as a new file');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'loaf-1x1.png'`);
    const stored = (await client.get(`/api/upload/files?folder=${await idOf('Old')}&sort=name`)).body;
    expect(stored).toMatchObject([
      { name: 'loaf-1x1.png', alternativeText: 'A loaf' },
      { name: 'loaf.png', alternativeText: 'A loaf' },
      { name: 'mill.png', alternativeText: null },
    ]);
    await page.click('.dialog [aria-label=Close]');
  });

  test('are renamed, and deleted with what is in them only after a second question', async () => {
    await page.click('#navigation a', 'Files');
    await page.click('.grid button', 'Letters');
    await page.click('.toolbar button', 'Rename');
    await page.fill('.dialog [name=name]', 'Post');
    await page.click('.dialog button', 'Save');
    await page.heading('Post');
    await page.click('.toolbar button', 'Delete the folder');
    await page.click('.dialog button.danger', 'Delete');
    await page.waitFor(`document.querySelector('.dialog')?.textContent.includes('not empty') === true`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button.danger', 'Delete all');
    await page.notice('The folder was deleted.');
    await page.heading('Files');
    expect(await structure()).toEqual([]);
    expect((await client.get('/api/upload/files')).body).toEqual([]);
  });

  test('take several files at once: uploaded, selected as a range, moved and deleted, and those that fail are named', async () => {
    await create('Mills');
    await page.evaluate(`(() => {
      const { send } = XMLHttpRequest.prototype;
      const released = new Promise((resolve) => (window.release = resolve));
      XMLHttpRequest.prototype.send = function (body) {
        this.upload.dispatchEvent(new ProgressEvent('progress', { loaded: 1, total: 4 }));
        released.then(() => send.call(this, body));
      };
    })()`);
    await page.dropFile('.drop', ...[1, 2, 3, 4, 5].map((number) => `mill-${number}.png`));
    await page.waitFor(`document.querySelector('.work strong')?.textContent === 'Uploading: 0 of 5 files'`);
    await page.waitFor(
      `[...document.querySelectorAll('.work li')].map((file) => file.querySelector('progress')?.value ?? file.innerText.split('\\n').at(-1)).join() === '0.25,0.25,0.25,Waiting,Waiting'`,
    );
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.evaluate('release()');
    await page.notice('5 files uploaded.');
    await page.waitFor(`document.querySelectorAll('.grid li').length === 5`);
    const names = async (folder: string): Promise<readonly string[]> => (await namesIn(await idOf(folder))).toSorted();
    expect(await names('Mills')).toEqual([1, 2, 3, 4, 5].map((number) => `mill-${number}.png`));
    const check = (position: number, shiftKey = false): Promise<unknown> =>
      page.waitFor(`document.querySelectorAll('.pick input')[${position}]
        ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: ${shiftKey} }))`);
    const selected = (text: string): Promise<unknown> =>
      page.waitFor(`document.querySelector('.several [role=status]').textContent === '${text}'`);
    const selectedNames = `[...document.querySelectorAll('.grid li:has(:checked)')].map((tile) => tile.innerText.trim().split('\\n', 1)[0])`;
    await check(0);
    await selected('1 file selected');
    await check(2, true);
    await selected('3 files selected');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.press('Escape');
    await selected('');
    await create('Chosen');
    await page.click('.way button', 'Mills');
    await page.waitFor(`document.querySelectorAll('.pick').length === 5`);
    await check(3);
    await check(1, true);
    await selected('3 files selected');
    const moved = (await page.evaluate(selectedNames)) as readonly string[];
    await page.click('.selection button', 'Move to…');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'Move 3 files'`);
    await page.press('Escape');
    await page.waitFor(`document.querySelector('.dialog') === null`);
    await selected('3 files selected');
    await page.click('.selection button', 'Move to…');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'Move 3 files'`);
    await page.choose('.dialog .choice', String(await idOf('Chosen')));
    await page.click('.dialog button', 'Move');
    await page.notice('3 files moved.');
    await selected('');
    expect(await names('Chosen')).toEqual(moved.toSorted());
    await page.waitFor(`document.querySelectorAll('.pick').length === 2`);
    const [gone] = (await client.get(`/api/upload/files?folder=${await idOf('Mills')}`)).body;
    await page.click('label', 'Select all on this page');
    await selected('2 files selected');
    await client.delete(`/api/upload/files/${gone.id}`);
    await page.click('.selection button', 'Delete');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'Delete 2 files?'`);
    await page.click('.dialog button.danger', 'Delete');
    await page.waitFor(`document.querySelector('.work [role=alert]')?.textContent === 'Not deleted: 1 of 2 files'`);
    expect(await page.evaluate(`document.querySelector('.work li').innerText.replaceAll(/\\s+/g, ' ')`)).toBe(
      `${gone.name} It does not exist any more, or your role may not see it.`,
    );
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.work button');
    expect(await names('Mills')).toEqual([]);
    await tiles('Chosen');
    await page.click('.toolbar button', 'Delete the folder');
    await page.click('.dialog button.danger', 'Delete');
    await page.click('.dialog button.danger', 'Delete all');
    await page.heading('Files');
  });

  test('describe several files at once, those of all pages, and show what is no image as a file', async () => {
    const { url, token } = client.service;
    const upload = async (name: string, bytes: string): Promise<void> => {
      const form = new FormData();
      form.append('files', new Blob([Buffer.from(bytes, 'base64')], { type: 'image/png' }), name);
      form.append('fileInfo', JSON.stringify({ name, folder: null }));
      await fetch(`${url}/api/upload`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form });
    };
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    for (let number = 1; number <= 25; number += 1) await upload(`loaf-${number}.png`, pixel);
    await page.goTo('/admin/files?order=name');
    await page.waitFor(`document.querySelectorAll('.pick').length === 24`);
    await page.click('label', 'Select all on this page');
    await page.click('.selection button', 'Select all 25 files');
    await page.waitFor(`document.querySelector('.selection strong')?.textContent === '25 files selected'`);
    await page.click('.selection button', 'Descriptions…');
    await page.waitFor(`document.querySelectorAll('.described li').length === 25`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    const folder = process.env['PICTURES'];
    if (folder !== undefined) writeFileSync(`${folder}/13-describe.png`, await page.screenshot());
    await page.fill('.described li:nth-child(1) [name^=alternativeText]', 'A round loaf');
    await page.fill('.described li:nth-child(25) [name^=alternativeText]', 'A long loaf');
    await page.click('.dialog button', 'Save');
    await page.notice('Descriptions of 2 files saved.');
    const described = (await client.get('/api/upload/files?filters[alternativeText][$notNull]=true&sort=name')).body;
    expect(described.map((file: { alternativeText: string }) => file.alternativeText)).toEqual([
      'A round loaf',
      'A long loaf',
    ]);
    await page.click('.selection button', 'Clear the selection');
    await page.click('.pick input');
    await page.click('.selection button', 'Select all 25 files');
    await page.waitFor(`document.querySelector('.selection strong')?.textContent === '25 files selected'`);
    await page.click('.selection button', 'Delete');
    await page.click('.dialog button.danger', 'Delete');
    await page.notice('25 files deleted.');
    await upload('broken.png', Buffer.from('no image').toString('base64'));
    await page.evaluate('location.reload()');
    const broken = (await client.get('/api/upload/files')).body;
    if (broken.length > 0) {
      await page.waitFor(`document.querySelector('.grid span.thumbnail')?.textContent === 'png'`);
      await client.delete(`/api/upload/files/${broken[0].id}`);
    }
  });

  test('are not shown to those who may not list them', async () => {
    await client.service.applyAccess({ roles: [], tokens: [], locales: [] });
    await allow();
    await page.evaluate(`location.assign('/admin/files')`);
    await page.heading('Files');
    await page.dropFile('.drop', 'loaf.png');
    await tiles('loaf.png');
    expect(await page.evaluate(`document.querySelector('.way') === null`)).toBe(true);
    expect(
      await page.evaluate(`[...document.querySelectorAll('.toolbar > button')].map(({ textContent }) => textContent)`),
    ).toEqual(['As a list']);
    expect(await namesIn(await idOf('API%20Uploads'))).toEqual(['loaf.png']);
    await page.click('.pick input');
    await page.waitFor(`document.querySelector('.selection') !== null`);
    expect(
      await page.evaluate(`[...document.querySelectorAll('.selection button')].map(({ textContent }) => textContent)`),
    ).toEqual(['Descriptions…', 'Delete', 'Clear the selection']);
  });

  test('and its files are not selected by those who may only see them', async () => {
    await client.service.applyAccess({ roles: [], tokens: [], locales: [] });
    await declare(client.service, { authenticated: ['plugin::upload.content-api.find'] });
    await page.evaluate(`location.assign('/admin/files')`);
    await page.waitFor(
      `document.querySelector('.pick') === null && document.querySelectorAll('.grid li').length === 1`,
    );
    expect(await page.evaluate(`document.querySelectorAll('main [type=checkbox]').length`)).toBe(0);
  });
});
