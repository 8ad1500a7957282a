import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { chromium } from '../../../../tests/support/browser.js';
import { declare } from '../../../../tests/support/access.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;

inBrowser('an editor who has not read a manual', () => {
  const client = useService({ plugins: { admin: true, i18n: { config: { locales: ['en', 'fr'] } } } });
  let page: EditorPage;
  beforeAll(async () => {
    const actions = ['find', 'findOne', 'create', 'update', 'createLocalization'];
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: actions.map((action) => `api::article.article.${action}`),
    });
    await createUser(client, 'ann', 'ann-writes-articles');
    page = await openEditor(client);
    await page.logIn('ann', 'ann-writes-articles');
    await page.heading('Welcome, ann');
  });
  afterAll(async () => page.close());

  const focused = async (selector: string): Promise<unknown> =>
    page.waitFor(`document.activeElement?.matches(${JSON.stringify(selector)})`);
  const isVisible = (selector: string): string => `(() => {
    const { top, bottom, height } = document.querySelector('${selector}').getBoundingClientRect();
    return height > 0 && top >= 0 && bottom <= innerHeight;
  })()`;

  test('finds the content types on a phone without opening a menu', async () => {
    await page.look(390, 'light');
    await page.waitFor(isVisible('.tiles a'));
    await page.click('.tiles a', 'Articles');
    await page.waitFor(`document.querySelector('.empty')?.textContent.includes('No entries yet')`);
    expect(await page.evaluate(isVisible('#navigation a'))).toBe(false);
  });

  test('can publish a long form without scrolling, on a phone too', async () => {
    await page.click('a', 'New entry');
    await page.waitFor(`document.querySelector('.bar .primary') !== null`);
    expect(await page.evaluate('document.documentElement.scrollHeight > 2 * innerHeight')).toBe(true);
    expect(await page.evaluate(isVisible('.bar .primary'))).toBe(true);
    await page.look(1400, 'light');
    expect(await page.evaluate(isVisible('.bar .primary'))).toBe(true);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.waitFor(`scrollY > innerHeight && ${isVisible('h1')}`);
    await page.evaluate('scrollTo(0, 0)');
  });

  test('creates nothing with Enter in an empty form', async () => {
    const save = `[...document.querySelectorAll('button[type=submit]')].find((b) => b.textContent === 'Save draft')`;
    expect(await page.evaluate(`${save}.disabled`)).toBe(true);
    await page.type('title', 'Rye');
    await page.waitFor(`!${save}.disabled`);
  });

  test('gets a slug from the title, until it is typed', async () => {
    const slug = `document.querySelector('${field('slug')}').value`;
    expect(await page.evaluate(slug)).toBe('rye');
    await page.type('title', 'Rye bread');
    await page.waitFor(`${slug} === 'rye-bread'`);
    await page.type('slug', 'loaf');
    await page.type('title', '');
    expect(await page.evaluate(slug)).toBe('loaf');
  });

  test('is told what to correct only as long as it is wrong', async () => {
    await page.click('button', 'Publish');
    await page.notice('One value has to be corrected first.');
    await page.type('title', 'Rye bread');
    await page.waitFor(`document.querySelector('.notices') === null`);
    expect(await page.evaluate(`document.querySelector('.issue')`)).toBeNull();
  });

  test('goes on where a component was added or removed', async () => {
    await page.click(`${field('seo')} button`, 'Add');
    await focused(field('seo.metaTitle'));
    await page.click(`${field('seo')} [aria-label^=Remove]`);
    await focused(field('seo'));
    await page.click(`${field('blocks')} button`, 'Add Quote');
    expect(await focused(field('blocks.0.text'))).toBe(true);
    await page.type('blocks.0.text', 'Bread is life');
  });

  test('finds a component open after saving, and the message gone after a while', async () => {
    await page.click('button', 'Save draft');
    await page.heading('Rye bread');
    const unfold = `${field('blocks')} button[aria-expanded]`;
    await page.type('blocks.0.text', 'Bread rises');
    await page.click('button', 'Save draft');
    await page.notice('Saved.');
    await page.waitFor(`document.querySelector('${unfold}').ariaExpanded === 'true'`);
    await page.waitFor(`document.querySelector('.notices') === null`);
    expect((await client.get('/api/articles/1?populate=blocks')).body.data.attributes.blocks).toMatchObject([
      { text: 'Bread rises' },
    ]);
  });

  test('goes on writing where the cursor was after Ctrl+S', async () => {
    for (const [path, text] of [
      ['body', 'It is old'],
      ['blocks.0.text', 'Bread rises in the night'],
    ] as const) {
      await page.type(path, text.slice(0, 6));
      await page.press('s');
      await page.notice('Saved.');
      await page.insert(text.slice(6));
      await page.press('s');
      await page.waitFor(`document.querySelector('.title .quiet-text').textContent === ''`);
      await page.click('.notices button');
    }
    expect((await client.get('/api/articles/1?populate=blocks')).body.data.attributes).toMatchObject({
      body: 'It is old',
      blocks: [{ text: 'Bread rises in the night' }],
    });
  });

  test('goes on writing a new entry after the first Ctrl+S, and at its own address', async () => {
    await page.goTo('/admin/content/articles/new');
    await page.heading('New: Article');
    await page.type('title', 'Spelt');
    // The first letter is where the placeholder was, and moves nothing.
    const body = `document.querySelector('${field('body')}')`;
    const room = `JSON.stringify([${body}.offsetHeight, ${body}.firstChild.getBoundingClientRect().top])`;
    await page.waitFor(`${body}?.querySelector('.placeholder')?.isConnected`);
    const top = `${body}.querySelector('.placeholder').getBoundingClientRect().top`;
    const before = await page.evaluate(room);
    expect(JSON.parse(String(before))[1]).toBe(await page.evaluate(top));
    await page.type('body', 'An old');
    expect(await page.evaluate(room)).toBe(before);
    await page.press('s');
    await page.insert(' grain');
    await page.notice('Saved.');
    await page.insert(' of the Alps');
    expect(await page.evaluate(`document.activeElement.matches('${field('body')}')`)).toBe(true);
    await page.press('s');
    await page.waitFor(`document.querySelector('.title .quiet-text').textContent === ''`);
    const id = await page.waitFor(`/articles\\/(\\d+)$/.exec(location.pathname)?.[1]`);
    expect(
      (await client.get(`/api/articles/${String(id)}?publicationState=preview`)).body.data.attributes,
    ).toMatchObject({
      title: 'Spelt',
      body: 'An old grain of the Alps',
    });
    // The address shows what is stored, and the next new entry is empty.
    await page.evaluate('location.reload()');
    await page.heading('Spelt');
    await page.waitFor(`document.querySelector('${field('body')}')?.textContent === 'An old grain of the Alps'`);
    await page.goTo('/admin/content/articles/new');
    await page.heading('New: Article');
    expect(await page.evaluate(`document.querySelector('${field('title')}').value`)).toBe('');
    await page.goTo('/admin/content/articles/1');
  });

  test('saves a new entry, and goes on with another one', async () => {
    await page.goTo('/admin/content/articles/new');
    await page.heading('New: Article');
    await page.type('title', 'Emmer');
    await page.act('Save, then a new one');
    await page.notice('Saved.');
    await page.waitFor(`document.querySelector('${field('title')}').value === ''`);
    await page.heading('New: Article');
    const { data } = (await client.get('/api/articles?publicationState=preview&filters[title]=Emmer')).body;
    expect(data).toHaveLength(1);
    await client.delete(`/api/articles/${data[0].id}`);
    await page.goTo('/admin/content/articles/1');
  });

  test('is led to a value that the service refuses', async () => {
    await client.create('articles', { title: 'Taken', code: 'C1' });
    await page.type('code', 'C1');
    await page.click('button', 'Save draft');
    await page.notice('Some values were refused: see the fields.');
    await focused(field('code'));
    const hints = `document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent`;
    expect(await page.evaluate(hints)).toContain('Another entry has this value already');
    await page.goTo('/admin/content/articles');
    await page.waitFor(`document.querySelector('.notices') === null`);
    await page.goTo('/admin/content/articles/1');
    await page.click('button', 'Discard');
  });

  test('is told in words of the form which times are wrong, and is back at the button after the dialog', async () => {
    const button = `[...document.querySelectorAll('button')].find((b) => b.textContent === 'Schedule…')`;
    await page.waitFor(`${button} !== undefined`);
    await page.evaluate(`(${button}.focus(), ${button}.click())`);
    const says = async (text: string): Promise<unknown> =>
      page.waitFor(`document.querySelector('.dialog [role=alert]')?.textContent === '${text}'`);
    await focused('.dialog [role=spinbutton]');
    await page.click('.dialog button', 'Schedule');
    await says('Choose a time, or two.');
    await page.fill('[name=publishAt]', '2000-01-31T09:00');
    await page.click('.dialog button', 'Schedule');
    await says('Publish at: choose a time in the future.');
    await page.fill('[name=publishAt]', '2090-01-31T09:00');
    await page.fill('[name=unpublishAt]', '2090-01-31T09:00');
    await page.click('.dialog button', 'Schedule');
    await says('Choose different times.');
    await page.click('.dialog [aria-label=Close]');
    expect(await page.waitFor(`document.activeElement === ${button}`)).toBe(true);
  });

  test('sees into which language they translate, and from which', async () => {
    await page.click('a', 'Translate into French');
    await page.heading('New: Article in French (fr)');
    expect(await page.evaluate(`document.querySelector('.locales').textContent`)).toBe('English (en)French (fr)');
    expect(await page.evaluate(`document.querySelector('.locales a').pathname`)).toBe('/admin/content/articles/1');
    // What they translate stays beside it when it is stored, and they go on writing.
    await page.type('title', 'Pain');
    await page.press('s');
    await page.waitFor(`/articles\\/\\d+$/.test(location.pathname)`);
    await page.insert(' de seigle');
    await page.press('s');
    await page.waitFor(`document.querySelector('.title .quiet-text').textContent === ''`);
    expect(await page.evaluate(`document.querySelector('${field('title')}').value`)).toBe('Pain de seigle');
    expect(await page.evaluate(`document.querySelector('.beside').textContent`)).toContain('Rye bread');
    // A text is as it looks, and cannot be written there.
    await page.waitFor(`document.querySelector('.beside [aria-readonly=true]')?.textContent === 'It is old'`);
  });

  test('finds their own drafts on the first page, before those of others', async () => {
    await client.create('articles', { title: 'Of somebody else', publishedAt: null });
    await page.click('.brand');
    const drafts = `[...document.querySelectorAll('.recent')].map((list) =>
      [list.querySelector('h2'), ...list.querySelectorAll('a')].map(({ textContent }) => textContent))`;
    await page.waitFor(`document.querySelectorAll('.recent').length === 2`);
    expect(await page.evaluate(`${drafts}.slice(0, 2)`)).toEqual([
      ['My drafts and changes', 'Pain de seigle', 'Rye bread', 'Spelt'],
      ['Other drafts', 'Of somebody else'],
    ]);
    await page.waitFor(`document.querySelector('.tiles p').textContent.endsWith(' · 4 drafts')`);
  });

  test('finds what is scheduled there, soonest first', async () => {
    const schedule = async (title: string, publishedAt: string | null, times: object): Promise<void> => {
      const id = await client.create('articles', { title, publishedAt });
      const { url, token } = client.service;
      await request(url).post(`/api/articles/${id}/schedule`).auth(token, { type: 'bearer' }).send(times).expect(200);
    };
    await schedule('Easter', null, { publishAt: '2090-04-01T08:00:00Z', unpublishAt: '2090-05-01T08:00:00Z' });
    await schedule('Carnival', new Date().toISOString(), { unpublishAt: '2090-03-01T08:00:00Z' });
    await page.evaluate('location.reload()');
    const scheduled = `[...document.querySelectorAll('.recent')].find((list) =>
      list.querySelector('h2').textContent === 'Scheduled')?.innerText.split('\\n').filter((line) => line !== '')`;
    await page.waitFor(scheduled);
    expect(await page.evaluate(scheduled)).toEqual([
      'Scheduled',
      'Carnival',
      'Published',
      'Article · English (en)',
      expect.stringMatching(/^Unpublish Mar 1, 2090/),
      'Easter',
      'Draft',
      'Article · English (en)',
      expect.stringMatching(/^Publish Apr 1, 2090/),
      expect.stringMatching(/^Unpublish May 1, 2090/),
    ]);
    expect(await page.findBarriersInLooks()).toEqual([]);
  });
});
