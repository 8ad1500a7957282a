import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { corpus, useService } from '../../../../tests/support/service.js';
import { startMailServer, type MailServer } from '../../../../tests/api/plugins/users-permissions/mail-server.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const resetPasswordUrl = 'https://cms.example.org/admin/account/reset';

/** The content types of the corpus, and one with blocks. */
const contentTypes = fs.mkdtempSync(path.join(os.tmpdir(), 'content-types-'));
const story = {
  kind: 'collectionType',
  collectionName: 'stories',
  info: { singularName: 'story', pluralName: 'stories', displayName: 'Story' },
  attributes: { title: { type: 'string' }, text: { type: 'blocks' } },
};
fs.cpSync(corpus, contentTypes, { recursive: true });
fs.writeFileSync(path.join(contentTypes, 'story.json'), JSON.stringify(story));
afterAll(() => fs.rmSync(contentTypes, { recursive: true }));

inBrowser('an editor of the whole site', () => {
  const environment: Record<string, string> = { MAIL_FROM: 'cms@example.org' };
  let mails: MailServer;
  beforeAll(async () => {
    mails = await startMailServer();
    environment['SMTP_URL'] = mails.url;
  });
  const client = useService({
    contentTypes,
    environment,
    plugins: {
      admin: true,
      i18n: { config: { locales: ['en', 'fr'] } },
      'users-permissions': { config: { rateLimit: false, resetPasswordUrl } },
    },
  });
  let page: EditorPage;
  beforeAll(async () => {
    const all = (uid: string) => ['find', 'findOne', 'create', 'update', 'delete'].map((action) => `${uid}.${action}`);
    const auth = ['callback', 'forgotPassword', 'resetPassword'];
    await declare(client.service, {
      public: auth.map((action) => `plugin::users-permissions.auth.${action}`),
      authenticated: [
        ...['find', 'update', 'createLocalization'].map((action) => `api::homepage.homepage.${action}`),
        ...['article', 'author', 'story'].flatMap((name) => all(`api::${name}.${name}`)),
        ...['find', 'upload', 'destroy'].map((action) => `plugin::upload.content-api.${action}`),
        // Roles are no entries that could use a file.
        ...['user.find', 'role.find'].map((action) => `plugin::users-permissions.${action}`),
      ],
    });
    await createUser(client, 'ben', 'forgotten-by-ben');
    page = await openEditor(client);
  });
  afterAll(async () => {
    await page.close();
    await mails.close();
  });

  const files = async (query = ''): Promise<any> => (await client.get(`/api/upload/files?sort=id&${query}`)).body;

  test('sets a new password with the link of a mail', async () => {
    await page.click('a', 'Forgotten password');
    await page.fill('[name=email]', 'ben@example.org');
    await page.click('button', 'Send a link');
    const [, link = ''] =
      /https:\/\/cms\.example\.org(\/admin\/account\/reset\?code=\w+)/.exec(await mails.next()) ?? [];
    await page.waitFor(`document.querySelector('[role=status]')?.textContent.includes('on its way')`);
    await page.goTo(link);
    await page.fill('[name=password]', 'a-new-password');
    await page.fill('[name=passwordConfirmation]', 'another-password');
    await page.click('button', 'Save and log in');
    await page.waitFor(`document.querySelector('[role=alert]')?.textContent === 'The two passwords differ.'`);
    await page.fill('[name=passwordConfirmation]', 'a-new-password');
    await page.click('button', 'Save and log in');
    await page.heading('Welcome, ben');
    expect(await page.evaluate('location.search')).toBe('');
    await page.click('button', 'Log out');
    await page.waitFor(`document.querySelector('[name=identifier]') !== null`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.logIn('ben', 'a-new-password');
    await page.heading('Welcome, ben');
  });

  test('uploads files by dragging them into the library, finds and describes them', async () => {
    await page.click('#navigation a', 'Files');
    await page.dropFile('.drop', 'mill.png');
    await page.notice('1 file uploaded.');
    await page.dropFile('.drop', 'loaf.png');
    // The end of an upload has a notice, which would take the place of the next one.
    await page.waitFor(`document.querySelectorAll('.grid li').length === 2`);
    await page.dropFolder('.drop');
    await page.notice('A folder cannot be uploaded');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.choose('.toolbar .choice:nth-of-type(3)', 'largest');
    const requested = `performance.getEntriesByType('resource').map(({ name }) => decodeURIComponent(name))`;
    await page.waitFor(`${requested}.some((address) => address.includes('sort=size:desc'))`);
    expect(await page.evaluate('location.search')).toBe('?order=largest');
    await page.choose('.toolbar .choice:nth-of-type(3)', 'newest');
    await page.click('.toolbar button', 'As a list');
    await page.waitFor(`document.querySelector('.grid.rows button').textContent.includes('No alternative text')`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.toolbar button', 'As a list');
    await page.fill('[type=search]', 'mill');
    await page.waitFor(`document.querySelectorAll('.grid li').length === 1`);
    await page.click('.grid button', 'mill.png');
    await page.fill('[name=alternativeText]', 'A mill by the river');
    expect(await page.findBarriers()).toEqual([]);
    await page.click('.dialog button', 'Save');
    await page.waitFor(`document.querySelector('.dialog [role=status]').textContent === 'Saved.'`);
    expect(await files('filters[alternativeText][$notNull]=true')).toMatchObject([
      { name: 'mill.png', alternativeText: 'A mill by the river' },
    ]);
    await page.click('.dialog [aria-label=Close]');
  });

  test('says of a file that the library has it, and offers the one there', async () => {
    const [{ id }] = await files('filters[name]=mill.png');
    await page.click('#navigation a', 'Files');
    await page.dropFile('.drop', 'mill.png');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'The library has this file'`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Use the one there');
    // It is opened in place of an upload.
    await page.waitFor(`document.querySelector('.dialog [name=alternativeText]')?.value === 'A mill by the river'`);
    await page.click('.dialog [aria-label=Close]');
    expect((await files('filters[name]=mill.png')).length).toBe(1);
    await page.dropFile('.drop', 'mill.png');
    await page.click('.dialog button', 'Upload again');
    await page.notice('1 file uploaded.');
    const [, again] = await files('filters[name]=mill.png');
    await client.delete(`/api/upload/files/${again.id}`);
    // In a form the one there is attached.
    await page.goTo('/admin/content/articles/new');
    await page.chooseFile(`${field('cover')} [type=file]`, 'mill.png');
    await page.click('.dialog button', 'Use the one there');
    await page.waitFor(`document.querySelector('.files li')?.textContent.includes('mill.png')`);
    expect((await files('filters[name]=mill.png')).map((file: { readonly id: number }) => file.id)).toEqual([id]);
    await page.goTo('/admin/files');
    await page.heading('Files');
  });

  test('goes from file to file without leaving the dialog, and stores what was typed', async () => {
    const shows = (name: string): Promise<unknown> =>
      page.waitFor(`document.querySelector('.dialog h2')?.textContent === '${name}'`);
    const counts = (text: string): Promise<unknown> =>
      page.waitFor(`(document.querySelector('.count')?.textContent ?? '') === '${text}'`);
    await page.click('#navigation a', 'Files');
    await counts('2 files');
    await page.choose('.toolbar .choice:nth-of-type(1)', 'documents');
    await counts('');
    await page.choose('.toolbar .choice:nth-of-type(1)', '');
    await page.choose('.toolbar .choice:nth-of-type(2)', 'undescribed');
    await counts('1 file');
    await page.choose('.toolbar .choice:nth-of-type(2)', '');
    await page.click('.grid button', 'loaf.png');
    await page.fill('.dialog [name=alternativeText]', 'A loaf of rye');
    await page.click('.dialog button', 'Next file');
    await shows('mill.png');
    // Who describes many images goes on typing.
    await page.waitFor(`document.activeElement.matches('[name=alternativeText]')`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    expect(await files('filters[name]=loaf.png')).toMatchObject([{ alternativeText: 'A loaf of rye' }]);
    await page.evaluate(`document.querySelector('.neighbours :enabled').focus()`);
    await page.press('ArrowLeft');
    await shows('loaf.png');
    await page.waitFor(`document.querySelector('.dialog [name=alternativeText]').value === 'A loaf of rye'`);
    await page.fill('.dialog [name=caption]', 'Typed by mistake');
    await page.click('.dialog [aria-label=Close]');
    await page.waitFor(`document.querySelectorAll('.dialog').length === 2`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Discard');
    await page.choose('.toolbar .choice:nth-of-type(2)', 'undescribed');
    await counts('');
    await page.choose('.toolbar .choice:nth-of-type(2)', 'unused');
    await counts('2 files');
    expect(await page.evaluate('location.search')).toBe('?worklist=unused');
    expect(await page.findBarriersInLooks()).toEqual([]);
  });

  test('illustrates an entry from the library; Enter in the search of files does not save the entry', async () => {
    await page.click('#navigation a', 'Articles');
    await page.click('a', 'New entry');
    await page.type('title', 'The mill');
    await page.click(`${field('cover')} button`, 'Choose from the library');
    await page.fill('.dialog [type=search]', 'river');
    await page.evaluate(`document.querySelector('.dialog [role=search]').requestSubmit()`);
    await page.waitFor(`document.querySelectorAll('.dialog .grid li').length === 1`);
    expect(await page.findBarriers()).toEqual([]);
    expect((await client.get('/api/articles?publicationState=preview')).body.data).toEqual([]);
    await page.click('.dialog .grid button', 'mill.png');
    await page.click('button', 'Publish');
    await page.heading('The mill');
  });

  test('describes an image where it is used, and duplicates the entry with it', async () => {
    const isMarked = `document.querySelector('${field('cover')}').textContent.includes('No alternative text')`;
    await page.click(`${field('cover')} li button`, 'mill.png');
    await page.fill('.dialog [name=alternativeText]', '');
    await page.press('s');
    await page.waitFor(`document.querySelector('.dialog [role=status]').textContent === 'Saved.'`);
    await page.click('.dialog [aria-label=Close]');
    await page.waitFor(isMarked);
    expect(await page.findBarriers()).toEqual([]);
    await page.fill('[aria-label="Alternative text: mill.png"]', 'A mill by the river');
    await page.evaluate('document.activeElement.blur()');
    await page.waitFor(`!${isMarked}`);
    expect(await files('filters[alternativeText]=A mill by the river')).toMatchObject([{ name: 'mill.png' }]);
    await page.act('Duplicate');
    await page.heading('New: Article');
    await page.click('button', 'Save draft');
    await page.heading('The mill');
    const copies = (await client.get('/api/articles?publicationState=preview&populate=cover&sort=id')).body.data;
    const cover = { data: { attributes: { name: 'mill.png' } } };
    expect(copies.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { title: 'The mill', slug: 'the-mill', cover },
      { title: 'The mill', slug: null, cover, publishedAt: null },
    ]);
    await client.delete(`/api/articles/${copies[1].id}`);
  });

  test('cuts a part out of an image where it is used, as a new file', async () => {
    const { url, token } = client.service;
    const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#fc0' } })
      .png()
      .toBuffer();
    const form = new FormData();
    form.append('files', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'field.png');
    form.append('fileInfo', JSON.stringify({ alternativeText: 'A field of rye' }));
    await fetch(`${url}/api/upload`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form });
    const [whole] = await files('filters[name]=field.png');
    const id = await client.create('articles', { title: 'Rye', cover: whole.id });
    await page.goTo(`/admin/content/articles/${id}`);
    await page.click(`${field('cover')} li button`, 'field.png');
    // What stays in sight where a site cuts it: a click, then a number.
    await page.waitFor(`document.querySelector('.dialog .focus img')?.naturalWidth === 40`);
    await page.evaluate(`{
      const image = document.querySelector('.dialog .focus');
      const { left, top, width, height } = image.getBoundingClientRect();
      const clientX = left + width / 4;
      image.dispatchEvent(new MouseEvent('click', { clientX, clientY: top + height, bubbles: true }));
    }`);
    // Clicks are on whole pixels of the screen.
    await page.waitFor(`/^2[3-7]$/.test(document.querySelector('.dialog [name=focus-x]').value)`);
    await page.fill('.dialog [name=focus-x]', '25');
    await page.fill('.dialog [name=focus-y]', '75');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.press('s');
    await page.waitFor(`document.querySelector('.dialog [role=status]').textContent === 'Saved.'`);
    expect((await files('filters[name]=field.png'))[0].focalPoint).toEqual({ x: 0.25, y: 0.75 });
    // What was typed and not saved is of the new file, too, and of the former one.
    await page.fill('.dialog [name=alternativeText]', 'Rye in June');
    await page.click('.dialog button', 'Crop…');
    const numbers = `['x', 'y', 'width', 'height'].map((name) => document.querySelector('.dialog [name=' + name + ']')?.value).join()`;
    const area = (expected: string): Promise<unknown> => page.waitFor(`${numbers} === '${expected}'`);
    await area('0,0,40,30');
    await page.choose('.dialog .numbers .choice', '1:1');
    await area('5,0,30,30');
    await page.fill('.dialog [name=height]', '20');
    await area('5,0,20,20');
    // The frame and its handles are moved by the keys, too.
    await page.evaluate(`document.querySelector('.ReactCrop__crop-selection').focus()`);
    for (let presses = 0; presses < 8; presses++) await page.press('ArrowRight');
    await page.waitFor(`document.querySelector('.dialog [name=x]').value !== '5'`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.choose('.dialog .numbers .choice', 'free');
    await page.fill('.dialog [name=x]', '10');
    await page.fill('.dialog [name=height]', '99');
    await page.fill('.dialog [name=width]', '20');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.click('.dialog button', 'Save as a new file');
    await page.waitFor(`document.querySelector('${field('cover')} .files').textContent.includes('field-20x30.png')`);
    expect(await page.evaluate(`document.querySelector('.dialog')`)).toBeNull();
    expect(await files('filters[name]=field.png')).toMatchObject([{ alternativeText: 'Rye in June' }]);
    const [part] = await files('filters[name]=field-20x30.png');
    expect(part).toMatchObject({ width: 20, height: 30, mime: 'image/png', alternativeText: 'Rye in June' });
    await page.press('s');
    await page.waitFor(`document.querySelector('.title .quiet-text').textContent === ''`);
    expect((await client.get(`/api/articles/${id}?populate=cover`)).body.data.attributes.cover.data.id).toBe(part.id);
    await client.delete(`/api/articles/${id}`);
    // In the library the dialog goes on with the new file, and keys work there.
    await page.goTo('/admin/files');
    await page.click('.grid button', 'field.png');
    await page.click('.dialog button', 'Crop…');
    await area('0,0,40,30');
    await page.fill('.dialog [name=width]', '10');
    await page.click('.dialog button', 'Save as a new file');
    await page.waitFor(`document.querySelector('.dialog [name=name]')?.value === 'field-10x30.png'`);
    await page.waitFor(`document.activeElement !== document.body`);
    await page.press('Escape');
    await page.waitFor(`document.querySelector('.dialog') === null`);
    const [narrow] = await files('filters[name]=field-10x30.png');
    for (const file of [whole, part, narrow]) await client.delete(`/api/upload/files/${file.id}`);
  });

  test('creates an author in the form of an article, and goes on there', async () => {
    await page.click('#navigation a', 'Articles');
    await page.click('tbody a', 'The mill');
    await page.heading('The mill');
    await page.fill(`${field('author')} [role=combobox]`, 'Grace');
    await page.waitFor(`document.querySelector('.choices p') !== null`);
    await page.waitFor(`document.querySelector('.choices [data-focused]')?.textContent.includes('New Author')`);
    await page.press('Enter');
    await page.waitFor(`document.activeElement.matches('.dialog [id="field1-name"]')`);
    expect(await page.evaluate('document.activeElement.value')).toBe('Grace');
    // The first entry is the one that Enter takes.
    await page.fill('.dialog [role=combobox]', 'mill');
    await page.waitFor(`document.querySelector('.choices [data-focused]')?.textContent.includes('The mill')`);
    // The list of entries over the dialog closes, and the dialog stays.
    await page.press('Escape');
    await page.waitFor(`document.querySelector('[role=option]') === null`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.fill('[id="field1-name"]', '');
    await page.press('s');
    await page.waitFor(`document.querySelector('.notices')?.textContent.includes('has to be corrected')`);
    await page.waitFor(`document.activeElement.matches('.dialog [id="field1-name"]')`);
    await page.fill('[id="field1-name"]', 'Grace Hopper');
    await page.press('s');
    await page.waitFor(`document.querySelector('${field('author')} .links a')?.textContent === 'Grace Hopper'`);
    await page.notice('Saved.');
    expect(await page.evaluate(`document.querySelector('.dialog')`)).toBeNull();
    expect((await client.get('/api/articles?populate=author')).body.data[0].attributes.author.data).toBeNull();
    await page.press('s');
    await page.waitFor(`document.querySelector('.title .quiet-text').textContent === ''`);
    const [{ attributes }] = (await client.get('/api/articles?populate=author')).body.data;
    expect(attributes.author.data.attributes).toMatchObject({ name: 'Grace Hopper' });
  });

  test('begins with the first related entry each time that their list opens', async () => {
    const search = `${field('related')} [role=combobox]`;
    const [first, second] = [1, 2].map((position) => `.choices [role=option]:nth-child(${position})[data-focused]`);
    await page.waitFor(
      `(document.querySelector('${search}')?.focus(), document.activeElement.matches('[role=combobox]'))`,
    );
    await page.press('ArrowDown');
    await page.waitFor(`document.querySelector('${first}') !== null`);
    await page.press('ArrowDown');
    await page.waitFor(`document.querySelector('${second}') !== null`);
    await page.press('Escape');
    await page.waitFor(`document.querySelector('.choices') === null`);
    await page.press('ArrowDown');
    await page.waitFor(`document.querySelector('.choices [data-focused]') !== null`);
    expect(await page.evaluate(`document.querySelector('${first}') !== null`)).toBe(true);
    await page.press('Escape');
  });

  test('closes the menu and the full screen of a text before the dialog that they are in', async () => {
    await page.fill(`${field('related')} [role=combobox]`, 'Rolls');
    await page.waitFor(`document.querySelector('.choices [data-focused]')?.textContent.includes('New Article')`);
    await page.press('Enter');
    await page.waitFor(`document.activeElement.matches('.dialog [id="field1-title"]')`);
    const body = '.dialog [id="field1-body"]';
    await page.click('.dialog [aria-label="Full screen"]');
    await page.waitFor(`document.querySelector('${body}')?.closest('.wide.writing') !== null`);
    await page.evaluate(`document.querySelector('${body}').focus()`);
    await page.insert('/');
    await page.waitFor(`document.querySelector('.slash') !== null`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.press('Escape');
    await page.waitFor(`document.querySelector('.slash') === null`);
    expect(await page.evaluate(`document.querySelector('.dialog .wide.writing') !== null`)).toBe(true);
    await page.press('Escape');
    await page.waitFor(`document.querySelector('.dialog .wide.writing') === null`);
    expect(await page.evaluate(`document.querySelector('.dialog') !== null`)).toBe(true);
    await page.click('.dialog [aria-label=Close]');
  });

  test('orders components by drag, and sees where an entry is used', async () => {
    const author = await client.create('authors', { name: 'Ada' });
    const [article] = (await client.get('/api/articles')).body.data;
    await client.put(`/api/articles/${article.id}`, {
      author,
      blocks: ['First', 'Second', 'Third'].map((content) => ({ __component: 'blocks.text', content })),
    });
    // The form that is open has the entry as it was.
    await page.click('#navigation a', 'Authors');
    await page.heading('Authors');
    await page.goTo(`/admin/content/articles/${article.id}`);
    const drag = (type: string, selector: string): Promise<unknown> =>
      page.waitFor(`(() => {
        const element = document.querySelector('${field('blocks')}')?.querySelector(${JSON.stringify(selector)});
        const options = { bubbles: true, cancelable: true, dataTransfer: new DataTransfer() };
        element?.dispatchEvent(new DragEvent('${type}', options));
        return element !== null && element !== undefined;
      })()`);
    await drag('dragstart', 'li:nth-child(3) .handle');
    await drag('dragenter', 'li:nth-child(1)');
    await drag('drop', 'li:nth-child(1)');
    await page.click('button', 'Save');
    await page.notice('Saved.');
    const { blocks } = (await client.get(`/api/articles/${article.id}?populate=blocks`)).body.data.attributes;
    expect(blocks.map(({ content }: { content: string }) => content)).toEqual(['Third', 'First', 'Second']);
    const quoting = await client.create('articles', {
      title: 'Ada said',
      blocks: [{ __component: 'blocks.quote', text: 'So it is', source: author }],
    });
    await page.goTo(`/admin/content/authors/${author}`);
    await page.act('Where is it used?');
    await page.waitFor(`document.querySelector('.dialog')?.textContent.includes('Article Author')`);
    const used =
      '[...document.querySelectorAll(".dialog section section")].map((one) => one.innerText.replaceAll(/\\s+/g, " "))';
    expect(await page.evaluate(used)).toEqual([
      'Article Author The mill',
      'Article Blocks › QuoteBlock › Source Ada said',
    ]);
    expect(await page.findBarriers()).toEqual([]);
    await client.delete(`/api/articles/${quoting}`);
    await page.click('.dialog [aria-label=Close]');
  });

  test('writes blocks as one text, and leaves those that were there as they are', async () => {
    const [file] = await files('filters[name]=loaf.png');
    const image = { type: 'image', image: { ...file, formats: {} }, children: [{ type: 'text', text: '' }] };
    const id = await client.create('stories', { title: 'Blocks', text: [image] });
    await page.goTo(`/admin/content/stories/${id}`);
    await page.waitFor(`document.querySelector('${field('text')} img') !== null`);
    await page.evaluate(`(() => {
      const text = document.querySelector('${field('text')}');
      text.focus();
      getSelection().selectAllChildren(text);
      getSelection().collapseToEnd();
    })()`);
    /**
     * The block with the cursor, as soon as it says this. Slate takes over a selection within 100 ms: people type more
     * slowly than a program.
     */
    const line = (selector: string, says: string): Promise<unknown> =>
      page.waitFor(`new Promise((done) => {
        const isThere = () =>
          document.activeElement === document.querySelector('${field('text')}') &&
          [...document.querySelectorAll('${field('text')} ${selector}')].at(-1)?.innerText.trim() === '${says}';
        setTimeout(() => done(isThere()), 150);
      })`);
    await page.press('Enter');
    await line('p', '');
    await page.insert('About ');
    await page.press('b');
    await page.insert('bread');
    await line('strong', 'bread');
    await page.press('b');
    await page.insert(' and ');
    await page.press('k');
    await page.fill('.dialog [name=url]', 'https://example.org/salt');
    await page.click('.dialog button', 'Save');
    await page.waitFor(`document.activeElement === document.querySelector('${field('text')}')`);
    await page.choose('.tools .choice', 'heading2');
    await line('h3', 'About bread and https://example.org/salt');
    await page.press('Enter');
    await line('p', '');
    await page.insert('-');
    await line('p', '-');
    await page.insert(' ');
    await line('li', '');
    await page.insert('Flour');
    await line('li', 'Flour');
    await page.press('Enter');
    await line('li:nth-child(2)', '');
    await page.insert('Water');
    await line('li', 'Water');
    await page.press('Enter');
    await line('li:nth-child(3)', '');
    await page.press('Enter');
    await line('p', '');
    await page.insert('/imag');
    await page.waitFor(`document.querySelector('.slash')?.textContent === 'Image'`);
    // Not as wide as the text, and beginning at the cursor.
    const place = await page.evaluate(`(() => {
      const { x, width } = document.querySelector('.slash').getBoundingClientRect();
      return [width, x - getSelection().getRangeAt(0).getBoundingClientRect().x];
    })()`);
    expect(place).toEqual([210, expect.closeTo(0, -1)]);
    expect(await page.findBarriers()).toEqual([]);
    await page.press('Enter');
    await page.click('.dialog .grid button', 'loaf.png');
    await page.waitFor(`document.querySelectorAll('${field('text')} img').length === 2`);
    await page.click('button', 'Save');
    await page.notice('Saved.');
    const [loaf] = await files('filters[name]=loaf.png');
    expect((await client.get(`/api/stories/${id}`)).body.data.attributes.text).toEqual([
      image,
      {
        type: 'heading',
        level: 2,
        children: [
          { type: 'text', text: 'About ' },
          { type: 'text', text: 'bread', bold: true },
          { type: 'text', text: ' and ' },
          {
            type: 'link',
            url: 'https://example.org/salt',
            children: [{ type: 'text', text: 'https://example.org/salt' }],
          },
          { type: 'text', text: '' },
        ],
      },
      {
        type: 'list',
        format: 'unordered',
        children: ['Flour', 'Water'].map((item) => ({
          type: 'list-item',
          children: [{ type: 'text', text: item }],
        })),
      },
      { type: 'image', image: { ...loaf, formats: {} }, children: [{ type: 'text', text: '' }] },
      { type: 'paragraph', children: [{ type: 'text', text: '' }] },
    ]);
  });

  test('translates a single page, with the other locale beside it', async () => {
    await client.put('/api/homepage', { title: 'Welcome' });
    await page.goTo('/admin/content/homepage');
    await page.click('a', 'Translate into French');
    await page.waitFor(`document.querySelector('.beside')?.textContent === 'English (en)Welcome'`);
    await page.type('title', 'Bienvenue');
    await page.click('button', 'Publish');
    await page.notice('Published.');
    expect((await client.get('/api/homepage?locale=fr&populate=localizations')).body.data.attributes).toMatchObject({
      title: 'Bienvenue',
      localizations: { data: [{ attributes: { title: 'Welcome' } }] },
    });
    // It stays there until it is hidden.
    expect(await page.evaluate(`document.querySelector('.beside').textContent`)).toBe('English (en)Welcome');
    await page.click('[aria-label="Show English (en) beside"]');
    await page.waitFor(`document.querySelector('.beside') === null`);
    await page.evaluate('location.reload()');
    await page.heading('Bienvenue');
    await page.click('[aria-label="Show English (en) beside"]');
    await page.waitFor(`document.querySelector('.beside')?.textContent === 'English (en)Welcome'`);
    expect(await page.findBarriers()).toEqual([]);
  });

  test('replaces a file, sees where it is used, and deletes it there', async () => {
    const [before] = await files();
    const image = { type: 'image', image: { ...before, formats: {} }, children: [{ type: 'text', text: '' }] };
    const story = await client.create('stories', { title: 'Grain', text: [image] });
    const used = (section: string): Promise<unknown> =>
      page.waitFor(
        `[...document.querySelectorAll('${section} li')].map((use) => use.textContent).join() === 'The millArticle,GrainStory'`,
      );
    await page.click('#navigation a', 'Files');
    await page.click('.grid button', 'mill.png');
    await used('[aria-label=Usage]');
    await page.chooseFile('.dialog [type=file]', 'new.png');
    await page.waitFor(`document.querySelector('.dialog [role=status]').textContent === 'Replaced.'`);
    const [after] = await files();
    expect(after).toMatchObject({ id: before.id, url: before.url, alternativeText: 'A mill by the river' });
    expect(after.updatedAt).not.toBe(before.updatedAt);
    await page.click('.dialog button', 'Delete');
    // The question names the entries that lose it.
    await used('.dialog:not(:has(form)) [aria-label=Usage]');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.evaluate(`document.querySelector('.dialog:not(:has(form)) .danger').click()`);
    await page.notice('The file was deleted.');
    await client.delete(`/api/stories/${story}`);
    expect(await files()).toMatchObject([{ name: 'loaf.png' }]);
    expect((await client.get('/api/articles?populate=cover')).body.data).toMatchObject([
      { attributes: { cover: { data: null } } },
    ]);
  });

  test('deletes an entry', async () => {
    await page.click('#navigation a', 'Articles');
    await page.click('tbody a', 'The mill');
    await page.heading('The mill');
    await page.act('Delete');
    // That its author has it among the articles breaks nothing.
    await page.waitFor(`document.querySelector('.dialog')?.textContent.includes('No entry that you may list refers')`);
    await page.click('.dialog button.danger', 'Delete');
    await page.notice('The entry was deleted.');
    expect((await client.get('/api/articles?publicationState=preview')).body.data).toEqual([]);
  });
});
