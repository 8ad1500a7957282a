import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { chromium } from '../../../../tests/support/browser.js';
import { declare } from '../../../../tests/support/access.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

// oxlint-disable-next-line no-console -- makes clear that the test was skipped
if (chromium === undefined) console.warn('SKIPPED: the editor in a browser, for there is no chromium on the PATH');
const inBrowser = chromium === undefined ? describe.skip : describe;

const password = 'ann-writes-articles';

inBrowser('an editor with a limited role', () => {
  const previews = { 'api::article.article': 'https://www.example.org/{locale}/articles/{slug}' };
  const client = useService({
    plugins: {
      admin: { config: { previews, name: 'Bakery', logo: '/logo.svg', color: '#cc66ff' } },
      i18n: { config: { locales: ['en', 'fr'] } },
    },
  });
  let page: EditorPage;
  beforeAll(async () => {
    const { service } = client;
    const article = (action: string): string => `api::article.article.${action}`;
    await declare(service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        ...['create', 'createLocalization'].map(article),
        { action: article('find'), fields: ['-code'] },
        { action: article('findOne'), fields: ['-code'] },
        { action: article('update'), fields: ['-code', '-ref'] },
        'api::author.author.find',
        ...['find', 'findOne', 'update', 'delete'].map((action) => `api::page.page.${action}`),
        'plugin::upload.content-api.upload',
      ],
    });
    await createUser(client, 'ann', password);
    await createUser(client, 'bob', password);
    await client.create('authors', { name: 'Ada' });
    await client.create('articles', { title: 'An older article' });
    page = await openEditor(client);
  });
  afterAll(async () => page.close());

  const read = async (id: unknown, query = ''): Promise<any> =>
    (await client.get(`/api/articles/${String(id)}?${query}`)).body.data.attributes;
  const writeAs = async (identifier: string, path: string, data: object): Promise<void> => {
    const { url } = client.service;
    const { body } = await request(url).post('/api/auth/local').send({ identifier, password });
    await request(url).put(path).auth(body.jwt, { type: 'bearer' }).send({ data }).expect(200);
  };
  const idInAddress = async (): Promise<unknown> =>
    page.waitFor(`/articles\\/(\\d+)$/.exec(location.pathname)?.[1]`).then(Number);

  test('logs in, and sees only the types of the role', async () => {
    await page.fill('[name=identifier]', 'ann');
    await page.fill('[name=password]', 'wrong');
    await page.click('button', 'Log in');
    await page.waitFor(`document.querySelector('[role=alert]')?.textContent.includes('password is wrong')`);
    expect(await page.evaluate(`document.querySelector('.brand').textContent`)).toBe('Bakery');
    // A little darker than it is set, as it could not be read on white.
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.primary')).backgroundColor`)).toBe(
      'rgb(151, 75, 189)',
    );
    expect(await page.findBarriers()).toEqual([]);
    await page.fill('[name=password]', password);
    await page.click('button', 'Log in');
    await page.heading('Welcome, ann');
    expect(await page.evaluate('document.title')).toBe('Home – Bakery');
    // A phone has no room for the logo and the name.
    await page.look(390, 'light');
    expect(
      await page.evaluate(`[document.querySelector('.brand').innerText, document.querySelector('.brand').title]`),
    ).toEqual(['', 'Bakery']);
    await page.look(1400, 'light');
    const links = `[...document.querySelectorAll('#navigation a')].map(({ textContent }) => textContent)`;
    expect(await page.evaluate(links)).toEqual(['Articles', 'Authors', 'Pages']);
    const home = `[...document.querySelectorAll('.tiles p, .recent a')].map(({ textContent }) => textContent)`;
    // A tile is empty until its entries are counted.
    // What programs write is counted there, and is no news.
    await page.waitFor(`${home}.filter(Boolean).length === 3`);
    expect(await page.evaluate(home)).toEqual(['1 entry in all languages', '1 entry', '0 entries']);
    expect(await page.findBarriersInLooks()).toEqual([]);
  });

  test('finds entries, and what is shown is in the address', async () => {
    await page.click('#navigation a', 'Articles');
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('An older article')`);
    await page.fill('input[type=search]', 'newer');
    await page.waitFor(`document.querySelector('.empty')?.textContent.includes('No entry matches')`);
    expect(await page.evaluate('location.search')).toBe('?search=newer');
    await page.click('button', 'Show all');
    // A list is pale while it is read again.
    const list = `document.querySelector('[aria-busy=false] > tbody')`;
    await page.waitFor(`${list}?.textContent.includes('An older article')`);
    await page.click('button', 'Columns');
    await page.click('.dialog label', 'Summary');
    const heads = `[...document.querySelectorAll('thead th')].map(({ textContent }) => textContent.trim())`;
    await page.waitFor(`${heads}.includes('Summary')`);
    expect(await page.findBarriers()).toEqual([]);
    await page.click('.dialog button', 'The usual columns');
    await page.waitFor(`!${heads}.includes('Summary')`);
    await page.click('.dialog [aria-label=Close]');
    expect(await page.findBarriersInLooks()).toEqual([]);
    // A phone shows them when they are asked for.
    await page.look(390, 'light');
    const isShown = `document.querySelector('.order').checkVisibility()`;
    expect(await page.evaluate(isShown)).toBe(false);
    await page.click('.toolbar .more');
    await page.waitFor(isShown);
    await page.choose('.order', 'title:asc');
    await page.waitFor(`location.search === '?sort=title%3Aasc'`);
    await page.look(1400, 'light');
    await page.goTo('/admin/content/articles/9999');
    await page.click('.empty a', 'Back to the list');
    await page.waitFor(`${list}?.textContent.includes('An older article')`);
    await page.click('thead button', 'Changed');
    await page.waitFor(`location.search === '?sort=updatedAt%3Aasc'`);
    await page.goTo('/admin/content/articles');
  });

  test('says how many entries of the list have each value that a filter offers', async () => {
    await page.click('button', 'Add filter');
    await page.choose('.new-filter > .choice:first-of-type', 'kind');
    await page.click('.new-filter > .choice:last-of-type > button');
    const offered = `[...document.querySelectorAll('[role=option]')].map(({ textContent }) => textContent)`;
    await page.waitFor(`${offered}.length > 0 && ${offered}.every((text) => / \\d+$/.test(text))`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.look(1400, 'light');
    await page.click('button', 'Add filter');
    await page.waitFor(`document.querySelector('.new-filter') === null`);
  });

  test('filters entries by a related one, and Escape closes the line for a filter', async () => {
    await page.click('button', 'Add filter');
    await page.choose('.new-filter .choice', 'author');
    await page.fill('.new-filter [role=combobox]', 'Ad');
    await page.waitFor(`/#\\d+ · \\d+$/.test(document.querySelector('[role=option]')?.textContent ?? '')`);
    await page.look(1400, 'light');
    await page.click('[role=option]', 'Ada');
    expect(await page.findBarriersInLooks()).toEqual([]);
    await page.look(1400, 'light');
    await page.click('.new-filter button', 'Apply');
    await page.waitFor(`document.querySelector('ul.filters')?.innerText.startsWith('Author is Ada')`);
    expect(await page.evaluate('location.search')).toMatch(/^\?filter=author%3A%24eq%3A\d+$/);
    await page.waitFor(`document.querySelector('.empty')?.textContent.includes('No entry matches')`);
    await page.click('button', 'Add filter');
    await page.waitFor(`document.querySelector('.new-filter button') !== null`);
    await page.evaluate(`document.querySelector('.new-filter button').focus()`);
    await page.press('Escape');
    await page.waitFor(`document.querySelector('.new-filter') === null`);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add filter');
    await page.click('ul.filters button');
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('An older article')`);
  });

  test('gives what a list shows a name, and returns to it', async () => {
    await page.fill('input[type=search]', 'older');
    await page.waitFor(`location.search === '?search=older'`);
    await page.click('button', 'Views');
    await page.fill('.dialog [name=name]', ' All');
    expect(await page.evaluate(`document.querySelector('.dialog [name=name]').matches(':invalid')`)).toBe(true);
    await page.fill('.dialog [name=name]', 'Older ones');
    await page.click('.dialog button', 'Save this view');
    const shown = `document.querySelector('.views [aria-current]')?.textContent`;
    await page.waitFor(`${shown} === 'Older ones'`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    // Nothing of it is in the browser.
    expect(await page.evaluate(`JSON.stringify(localStorage).includes('Older ones')`)).toBe(false);
    await page.waitFor(`fetch('/api/admin/content', {
      headers: { Authorization: 'Bearer ' + JSON.parse(localStorage.getItem('content-service.session')).jwt },
    }).then((answer) => answer.json()).then(({ data }) => 'views.articles' in data.account.preferences)`);
    await page.evaluate('location.reload()');
    await page.waitFor(`${shown} === 'Older ones'`);
    await page.click('.views a', 'All');
    await page.waitFor(`location.search === '' && ${shown} === 'All'`);
    await page.click('.views a', 'Older ones');
    await page.waitFor(`location.search === '?search=older' && ${shown} === 'Older ones'`);
    await page.click('button', 'Views');
    expect(await page.findBarriers()).toEqual([]);
    await page.click('.dialog [aria-label="Remove Older ones"]');
    await page.click('.dialog [aria-label=Close]');
    await page.waitFor(`document.querySelector('.views') === null`);
    await page.fill('input[type=search]', '');
    await page.waitFor(`location.search === ''`);
  });

  test('goes to entries and forms by keys alone, which a text may need for itself', async () => {
    const activeElement = 'document.activeElement';
    const strike = (key: string): Promise<unknown> =>
      page.evaluate(`{
        document.querySelector('main').focus();
        ${activeElement}.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true, cancelable: true }));
      }`);
    const openPalette = async (text: string, option: string): Promise<void> => {
      await page.press('k');
      await page.waitFor(`${activeElement}.matches('.palette [role=combobox]')`);
      await page.insert(text);
      await page.waitFor(`document.querySelector('.palette [aria-selected=true]')?.textContent.includes('${option}')`);
    };
    await strike('/');
    expect(await page.evaluate(`${activeElement}.type`)).toBe('search');
    // Fields keep letters; with Ctrl they are none.
    const asked = page.requested.length;
    await openPalette('older', 'An older article');
    const searches = page.requested.slice(asked).filter((url) => url.includes('containsi'));
    expect(searches.map((url) => new URL(url).pathname)).toEqual(['/api/articles', '/api/authors', '/api/pages']);
    expect(await page.findBarriersInLooks()).toEqual([]);
    // Three letters more are among what was found.
    await page.insert(' art');
    await page.waitFor(`document.querySelector('.palette .choices').getAttribute('aria-busy') === 'false'`);
    expect(page.requested.slice(asked).filter((url) => url.includes('containsi'))).toEqual(searches);
    await page.press('Enter');
    await page.heading('An older article');
    // A link is what the same keys are for in a text.
    await page.placeCursor(field('body'));
    await page.press('k');
    await page.waitFor(`document.querySelector('.dialog input') !== null`);
    expect(await page.evaluate(`document.querySelector('.palette')`)).toBeNull();
    await page.press('Escape');
    await page.waitFor(`document.querySelector('.dialog') === null`);
    await strike('?');
    await page.waitFor(`document.querySelector('.dialog.keys')?.textContent.includes('Ctrl+Shift+S')`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    // What is behind a dialog is out of reach.
    await page.press('k');
    expect(await page.evaluate(`document.querySelectorAll('.dialog').length`)).toBe(1);
    await page.press('Escape');
    await page.waitFor(`document.querySelector('.dialog') === null`);
    await page.evaluate(`document.querySelector('main').focus()`);
    await openPalette('articles', 'Articles');
    await page.press('Enter');
    await page.heading('Articles');
    await strike('n');
    await page.heading('New: Article');
    await page.goTo('/admin/content/articles');
    await page.heading('Articles');
  });

  test('writes an article with a cover, a component and a dynamic zone, and publishes it', async () => {
    await page.click('a', 'New entry');
    await page.waitFor(`document.activeElement.id === 'field-title'`);
    await page.evaluate('document.activeElement.blur()');
    await page.click('button', 'Publish');
    await page.waitFor(`document.activeElement.id === 'field-title'`);
    await page.notice('One value has to be corrected first.');
    await page.type('title', 'Sourdough');
    await page.click('button', 'Generate');
    await page.click('.tools [aria-label="Edit the source"]');
    await page.type(
      'body',
      '# Bread\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n<img src="x" onerror="alert(1)"><script>alert(1)</script>**rises**',
    );
    await page.click('button', 'Edit as text');
    await page.placeCursor(`${field('body')} tr:nth-child(2) td:first-child`);
    await page.insert('3');
    await page.waitFor(`document.querySelector('${field('body')} tr:nth-child(2) td')?.textContent === '13'`);
    await page.press('Backspace');
    await page.press('Backspace');
    await page.insert('3');
    await page.type('rating', '4.5');
    await page.relate('author', 'Ada');
    await page.dropFile(`${field('cover')} .drop`, 'loaf.png');
    await page.waitFor(`document.querySelector('${field('cover')} .files')?.textContent.includes('loaf.png')`);
    await page.click(`${field('seo')} button`, 'Add');
    await page.type('seo.metaTitle', 'Bread');
    await page.click(`${field('blocks')} button`, 'Add Text');
    await page.type('blocks.0.content', 'Flour and water');
    await page.click(`${field('blocks')} button`, 'Add Quote');
    await page.type('blocks.1.text', 'Bread is life');
    await page.relate('blocks.1.source', 'Ada');
    await page.click(`[aria-label="Move QuoteBlock 2 up"]`);
    for (const [width, scheme] of [
      [1400, 'dark'],
      [390, 'dark'],
      [390, 'light'],
      [1400, 'light'],
    ] as const) {
      await page.look(width, scheme);
      expect(await page.findBarriers()).toEqual([]);
    }
    await page.click('button', 'Publish');
    await page.heading('Sourdough');
    await page.waitFor(`document.querySelector('aside dl')?.textContent.split('by\u00A0ann').length === 3`);
    const id = await idInAddress();
    const populate =
      'populate[author][fields]=name&populate[cover]=true&populate[seo]=true&populate[blocks][populate]=*';
    expect(await read(id, populate)).toMatchObject({
      title: 'Sourdough',
      slug: 'sourdough',
      body: expect.stringContaining('| a | b |\n| --- | --- |\n| 3 | 2 |\n\n<img'),
      rating: 4.5,
      publishedAt: expect.any(String),
      author: { data: { attributes: { name: 'Ada' } } },
      cover: { data: { attributes: { name: 'loaf.png' } } },
      seo: { metaTitle: 'Bread' },
      blocks: [
        { __component: 'blocks.quote', source: { data: { attributes: { name: 'Ada' } } } },
        { __component: 'blocks.text', content: 'Flour and water' },
      ],
    });
  });

  test('previews and schedules it', async () => {
    const id = await idInAddress();
    expect(await page.evaluate(`document.querySelector('.bar a[target=_blank]').href`)).toBe(
      'https://www.example.org/en/articles/sourdough',
    );
    await page.click('button', 'Schedule…');
    await page.fill('[name=unpublishAt]', '2000-01-01T09:00');
    await page.click('.dialog button', 'Schedule');
    await page.waitFor(`document.querySelector('.dialog [role=alert]')?.textContent.includes('in the future')`);
    await page.fill('[name=unpublishAt]', '2090-01-31T09:00');
    expect(await page.findBarriers()).toEqual([]);
    await page.click('.dialog button', 'Schedule');
    await page.notice('Scheduled: ');
    const unpublishAt = await page.evaluate(`new Date('2090-01-31T09:00').toISOString()`);
    expect((await client.get(`/api/articles/${String(id)}/schedule`)).body.data).toEqual({
      publishAt: null,
      unpublishAt,
    });
    await page.click('button', 'Change…');
    await page.click('.dialog button', 'Cancel the schedule');
    await page.notice('cancelled');
    expect((await client.get(`/api/articles/${String(id)}/schedule`)).body.data.unpublishAt).toBeNull();
  });

  test('sees no forbidden field, cannot change one that is only shown, and HTML in a text is only text', async () => {
    await page.waitFor(`document.querySelector('${field('ref')}')?.matches(':disabled')`);
    expect(await page.evaluate(`document.querySelector('${field('code')}')`)).toBeNull();
    expect(await page.actions()).not.toContain('Delete');
    expect(await page.evaluate(`document.querySelector('${field('author')}').textContent.includes('New')`)).toBe(false);
    await page.waitFor(`document.querySelector('${field('body')} strong')?.textContent === 'rises'`);
    expect(await page.evaluate(`document.querySelector('${field('body')} :is(img, script)')`)).toBeNull();
  });

  test('translates it', async () => {
    const id = await idInAddress();
    await page.click('a', 'Translate into French');
    await page.waitFor(
      `location.search.includes('locale=fr') && document.querySelector('${field('title')}')?.value === 'Sourdough'`,
    );
    await page.type('title', 'Pain au levain');
    await page.click('button', 'Save draft');
    await page.heading('Pain au levain');
    const french = await idInAddress();
    expect(french).not.toBe(id);
    expect((await client.get('/api/articles?locale=fr')).body.data).toEqual([]);
    const stored = await read(french, 'populate=localizations');
    expect(stored).toMatchObject({ title: 'Pain au levain', locale: 'fr', publishedAt: null, rating: 4.5 });
    expect(stored.localizations.data).toMatchObject([{ id }]);
    // It is published later, and not before.
    await page.click('button', 'Schedule…');
    await page.fill('[name=publishAt]', '2090-01-31T09:00');
    await page.click('.dialog button', 'Schedule');
    await page.notice('Scheduled: ');
    expect((await client.get(`/api/articles/${String(french)}/schedule`)).body.data).toEqual({
      publishAt: await page.evaluate(`new Date('2090-01-31T09:00').toISOString()`),
      unpublishAt: null,
    });
    expect((await client.get('/api/articles?locale=fr')).body.data).toEqual([]);
    await page.goTo('/admin/content/articles?locale=fr');
    await page.waitFor(`document.querySelector('tbody .hint')?.textContent.startsWith('Publish Jan 31, 2090')`);
    await page.evaluate('history.back()');
    await page.heading('Pain au levain');
  });

  test('is shown what another user changed in the meantime, and decides', async () => {
    const id = await idInAddress();
    await page.type('title', 'Pain de campagne');
    await writeAs('bob', `/api/articles/${String(id)}`, { title: 'Baguette', summary: 'Written by another user' });
    await page.press('s');
    await page.waitFor(`document.querySelector('.dialog')?.textContent.includes('changed in the meantime')`);
    await page.waitFor(`document.querySelector('.dialog p').textContent.startsWith('Changed by bob on ')`);
    const rows = `[...document.querySelectorAll('.dialog tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))`;
    expect(await page.evaluate(rows)).toEqual([
      ['TitleBoth changed it', 'Pain de campagne', 'Baguette'],
      ['Summary', '(empty)', 'Written by another user'],
    ]);
    expect(await page.findBarriers()).toEqual([]);
    expect(await read(id)).toMatchObject({ title: 'Baguette' });
    await page.click('.dialog button', 'Use these values');
    await page.click('button', 'Save draft');
    await page.notice('Saved.');
    expect(await read(id)).toMatchObject({ title: 'Pain de campagne', summary: 'Written by another user' });
  });

  test('keeps what was not saved when the page is left', async () => {
    await page.waitFor(`document.querySelector('${field('summary')}')?.value === 'Written by another user'`);
    await page.type('summary', 'Not saved yet');
    await page.click('.way-back a', 'Articles');
    await page.waitFor(`document.querySelector('tbody') !== null`);
    // The list is as it was left.
    expect(await page.evaluate('location.search')).toBe('?locale=fr');
    await page.evaluate('history.back()');
    await page.waitFor(`document.querySelector('${field('summary')}')?.value === 'Not saved yet'`);
    await page.click('button', 'Discard them');
    const visible = `document.querySelector('${field('summary')}')?.value`;
    expect(await page.waitFor(`${visible} !== 'Not saved yet' && ${visible}`)).toBe('Written by another user');
  });

  test('selects a range of entries with Shift', async () => {
    const ids: number[] = [];
    for (const title of ['One', 'Two', 'Three', 'Four'])
      ids.push(await client.create('pages', { title, path: `/${title}`, hero: { label: 'Welcome' } }));
    await page.click('#navigation a', 'Pages');
    await page.waitFor(`document.querySelectorAll('tbody tr').length === 4`);
    const click = (name: string, shiftKey: boolean): Promise<unknown> =>
      page.evaluate(`document.querySelector('[aria-label="Select ${name}"]').dispatchEvent(
        new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: ${shiftKey} }))`);
    await click('Four', false);
    await click('Two', true);
    await page.waitFor(`document.querySelector('.selection')?.textContent.includes('3 entries selected')`);
    const selected = `[...document.querySelectorAll('tbody tr:has(:checked) a')].map(({ textContent }) => textContent)`;
    expect(await page.evaluate(selected)).toEqual(['Four', 'Three', 'Two']);
    const head = `(({ checked, indeterminate }) => [checked, indeterminate])(document.querySelector('thead input'))`;
    expect(await page.evaluate(head)).toEqual([false, true]);
    await page.click('thead input');
    await page.waitFor(`document.querySelector('.selection')?.textContent.includes('4 entries selected')`);
    expect(await page.evaluate(head)).toEqual([true, false]);
    await page.click('.selection button', 'Clear the selection');
    for (const id of ids) await client.delete(`/api/pages/${id}`);
    await page.goTo('/admin');
    await page.heading('Welcome, ann');
  });

  test('publishes and deletes several entries, or is shown why none changed', async () => {
    const hero = { label: 'Welcome' };
    const [kept, second] = [
      await client.create('pages', { title: 'Imprint', path: '/imprint', hero }),
      await client.create('pages', { title: 'About', path: '/about', hero }),
    ];
    await client.put(`/api/pages/${kept}`, { publishedAt: null });
    await page.click('#navigation a', 'Pages');
    await page.waitFor(`document.querySelectorAll('tbody tr').length === 2`);
    await page.click('[aria-label="Select all on this page"]');
    // A published entry is checked as a whole.
    await client.put(`/api/pages/${kept}`, { path: null });
    await page.click('.selection button', 'Publish');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'Publish 1 entry?'`);
    await page.click('.dialog button', 'Publish');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'Not published'`);
    expect(await page.evaluate(`document.querySelector('.dialog li').innerText`)).toMatch(/^Imprint\s+Path: Required$/);
    await page.click('.dialog [aria-label=Close]');
    await client.put(`/api/pages/${kept}`, { path: '/imprint' });
    await page.click('.selection button', 'Publish');
    await page.click('.dialog button', 'Publish');
    await page.notice('1 entry published.');
    expect((await client.get('/api/pages?fields=id&sort=id')).body.data).toEqual([
      { id: kept, attributes: {} },
      { id: second, attributes: {} },
    ]);
    await client.delete(`/api/pages/${second}`);
    await page.click('[aria-label="Select all on this page"]');
    await page.click('.selection button', 'Delete');
    await page.click('.dialog button.danger', 'Delete');
    await page.waitFor(`document.querySelector('.dialog h2')?.textContent === 'Not deleted'`);
    expect(await page.evaluate(`document.querySelector('.dialog li').innerText`)).toMatch(
      /^About\s+It does not exist any more, or your role may not see it\.$/,
    );
    expect(await page.findBarriers()).toEqual([]);
    await page.click('.dialog [aria-label=Close]');
    await page.waitFor(`document.querySelectorAll('tbody tr').length === 1`);
    await page.click('.selection button', 'Delete');
    await page.click('.dialog button.danger', 'Delete');
    await page.notice('1 entry deleted.');
    expect((await client.get('/api/pages?publicationState=preview')).body.data).toEqual([]);
  });

  test('keeps what is typed, says so where the form is left, and lists it on Home', async () => {
    await page.look(1400, 'light');
    const { id } = (await client.get('/api/articles?filters[title]=An older article')).body.data[0];
    await page.goTo(`/admin/content/articles/${id}`);
    await page.heading('An older article');
    await page.type('summary', 'Begun, and left');
    await page.click('#navigation a', 'Authors');
    await page.notice('Your changes of “An older article” are not saved.');
    await page.click('#navigation .unsaved', 'Unsaved: 1');
    const listed = `[...document.querySelectorAll('.recent')].find((list) => list.textContent.startsWith('Unsaved changes'))`;
    await page.waitFor(`${listed} !== undefined`);
    expect(await page.findBarriersInLooks()).toEqual([]);
    // As in another tab.
    await page.evaluate('sessionStorage.clear()');
    await page.click('.recent a', 'An older article');
    await page.waitFor(`document.querySelector('${field('summary')}')?.value === 'Begun, and left'`);
    await page.click('button', 'Log out');
    await page.waitFor(`document.querySelector('.dialog')?.textContent.includes('1 form has changes')`);
    await page.click('.dialog button', 'Stay');
    await page.click('.brand');
    await page.click('[aria-label="Discard the changes of An older article"]');
    await page.notice('Discarded.');
    await page.waitFor(`${listed} === undefined`);
    await page.click('.notices button', 'Undo');
    await page.waitFor(`${listed} !== undefined`);
  });

  test('logs out; nothing came from another server, and nothing broke the content security policy', async () => {
    // What is still asked for would be refused without the log-in.
    await page.settled();
    await page.click('button', 'Log out');
    await page.click('.dialog button', 'Log out');
    await page.waitFor(`document.querySelector('[name=identifier]') !== null`);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    const origins = page.requested.filter((url) => !url.startsWith(client.service.url) && !/^(?:data|blob):/.test(url));
    expect(origins).toEqual([]);
    // The wrong password, the outdated write, and the page that was deleted before several were.
    const expected = / (?:400|412|404) /;
    expect(page.mistakes.filter((line) => !expected.test(line))).toEqual([]);
  });
});
