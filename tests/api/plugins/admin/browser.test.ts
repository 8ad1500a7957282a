import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { source as axe } from 'axe-core';
import { chromium, openPage, type BrowserPage } from '../../../support/browser.js';
import { declare } from '../../../support/access.js';
import { useService } from '../../../support/service.js';

// oxlint-disable-next-line no-console -- makes clear that the test was skipped
if (chromium === undefined) console.warn('SKIPPED: the editor in a browser, for there is no chromium on the PATH');
const inBrowser = chromium === undefined ? describe.skip : describe;

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const password = 'ann-writes-articles';

inBrowser('an editor with a limited role', () => {
  const previews = { 'api::article.article': 'https://www.example.org/{locale}/articles/{slug}' };
  const client = useService({
    plugins: { admin: { config: { previews } }, i18n: { config: { locales: ['en', 'fr'] } } },
  });
  let page: BrowserPage;
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
    const user = { username: 'ann', email: 'ann@example.org', password, role: 1, confirmed: true };
    const created = await fetch(`${service.url}/api/users`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${service.token}` },
      body: JSON.stringify(user),
    });
    if (!created.ok) throw new Error(await created.text());
    await client.create('authors', { name: 'Ada' });
    await client.create('articles', { title: 'An older article' });
    page = await openPage(chromium ?? '', `${service.url}/admin`);
  });
  afterAll(async () => page.close());

  const quoted = (text: string): string => JSON.stringify(text);
  const click = (selector: string, text = ''): Promise<unknown> =>
    page.waitFor(`(() => {
      const element = [...document.querySelectorAll(${quoted(selector)})].find((element) =>
        element.textContent.includes(${quoted(text)}) && element.offsetParent !== null && !element.matches(':disabled'));
      element?.click();
      return element !== undefined;
    })()`);
  /** Types into a field, as React notices it. */
  const fill = (selector: string, value: string): Promise<unknown> =>
    page.waitFor(`(() => {
      const element = document.querySelector(${quoted(selector)});
      if (element === null || element.matches(':disabled')) return false;
      element.focus();
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value').set.call(element, ${quoted(value)});
      element.dispatchEvent(new Event(element.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
      return true;
    })()`);
  const field = (path: string): string => `[id="field-${path}"]`;
  const type = (path: string, value: string): Promise<unknown> => fill(field(path), value);
  const relate = async (path: string, text: string): Promise<void> => {
    await fill(`${field(path)} [role=combobox]`, text);
    await page.waitFor(`(() => {
      const option = [...document.querySelectorAll('${field(path)} [role=option]')].find(
        (option) => option.textContent.includes(${quoted(text)}));
      option?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
      return option !== undefined;
    })()`);
  };
  const heading = (text: string): Promise<unknown> =>
    page.waitFor(`document.querySelector('h1')?.textContent === ${quoted(text)}`);
  const notice = (text: string): Promise<unknown> =>
    page.waitFor(`document.querySelector('.notices').textContent.includes(${quoted(text)})`);
  /** The findings of axe that keep people from using the page. */
  const findBarriers = async (): Promise<unknown> => {
    await page.evaluate(axe);
    return page.evaluate(`axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
  };
  const read = async (id: unknown, query = ''): Promise<any> =>
    (await client.get(`/api/articles/${String(id)}?${query}`)).body.data.attributes;
  const idInAddress = async (): Promise<unknown> =>
    page.waitFor(`/articles\\/(\\d+)$/.exec(location.pathname)?.[1]`).then(Number);

  test('logs in, and sees only the types of the role', async () => {
    await fill('[name=identifier]', 'ann');
    await fill('[name=password]', 'wrong');
    await click('button', 'Log in');
    await page.waitFor(`document.querySelector('[role=alert]')?.textContent === 'Invalid identifier or password'`);
    expect(await findBarriers()).toEqual([]);
    await fill('[name=password]', password);
    await click('button', 'Log in');
    await heading('Welcome, ann');
    const links = `[...document.querySelectorAll('#navigation a')].map(({ textContent }) => textContent)`;
    expect(await page.evaluate(links)).toEqual(['Article', 'Author', 'Page']);
  });

  test('finds entries, and what is shown is in the address', async () => {
    await click('#navigation a', 'Article');
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('An older article')`);
    await fill('input[type=search]', 'newer');
    await page.waitFor(`document.querySelector('.empty')?.textContent.includes('No entry matches')`);
    expect(await page.evaluate('location.search')).toBe('?search=newer');
    await click('button', 'Show all');
    await page.waitFor(`document.querySelector('tbody')?.textContent.includes('An older article')`);
    expect(await findBarriers()).toEqual([]);
  });

  test('writes an article with a cover, a component and a dynamic zone, and publishes it', async () => {
    await click('a', 'New entry');
    await page.waitFor(`document.querySelector('${field('title')}') !== null`);
    await click('button', 'Publish');
    await page.waitFor(`document.activeElement.id === 'field-title'`);
    await notice('One value has to be corrected first.');
    await type('title', 'Sourdough');
    await click('button', 'Generate');
    await type('body', '# Bread\n\n<img src="x" onerror="alert(1)"><script>alert(1)</script>**rises**');
    await type('rating', '4.5');
    await relate('author', 'Ada');
    await page.evaluate(`(() => {
      const input = document.querySelector('${field('cover')} [type=file]');
      const bytes = Uint8Array.from(atob('${pixel}'), (letter) => letter.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], 'loaf.png', { type: 'image/png' }));
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    })()`);
    await page.waitFor(`document.querySelector('${field('cover')} .files')?.textContent.includes('loaf.png')`);
    await click(`${field('seo')} button`, 'Add');
    await type('seo.metaTitle', 'Bread');
    await click(`${field('blocks')} button`, 'Add Text');
    await type('blocks.0.content', 'Flour and water');
    await click(`${field('blocks')} button`, 'Add Quote');
    await type('blocks.1.text', 'Bread is life');
    await relate('blocks.1.source', 'Ada');
    await click(`[aria-label="Move QuoteBlock 2 up"]`);
    expect(await findBarriers()).toEqual([]);
    await click('button', 'Publish');
    await heading('Sourdough');
    const id = await idInAddress();
    const populate =
      'populate[author][fields]=name&populate[cover]=true&populate[seo]=true&populate[blocks][populate]=*';
    expect(await read(id, populate)).toMatchObject({
      title: 'Sourdough',
      slug: 'sourdough',
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
    expect(await page.evaluate(`document.querySelector('aside a[target=_blank]').href`)).toBe(
      'https://www.example.org/en/articles/sourdough',
    );
    await click('button', 'Schedule…');
    await fill('[name=unpublishAt]', '2000-01-01T09:00');
    await click('dialog button', 'Schedule');
    await page.waitFor(`document.querySelector('dialog [role=alert]')?.textContent.includes('in the future')`);
    await fill('[name=unpublishAt]', '2090-01-31T09:00');
    expect(await findBarriers()).toEqual([]);
    await click('dialog button', 'Schedule');
    await notice('Scheduled.');
    const unpublishAt = await page.evaluate(`new Date('2090-01-31T09:00').toISOString()`);
    expect((await client.get(`/api/articles/${String(id)}/schedule`)).body.data).toEqual({
      publishAt: null,
      unpublishAt,
    });
    await click('button', 'Change…');
    await click('dialog button', 'Cancel the schedule');
    await notice('cancelled');
    expect((await client.get(`/api/articles/${String(id)}/schedule`)).body.data.unpublishAt).toBeNull();
  });

  test('sees no forbidden field, cannot change one that is only shown, and the preview runs no script', async () => {
    await page.waitFor(`document.querySelector('${field('ref')}')?.matches(':disabled')`);
    expect(await page.evaluate(`document.querySelector('${field('code')}')`)).toBeNull();
    expect(
      await page.evaluate(`[...document.querySelectorAll('button')].some((b) => b.textContent === 'Delete')`),
    ).toBe(false);
    await click('.markdown button', 'Preview');
    const html = String(await page.waitFor(`document.querySelector('.preview')?.innerHTML`));
    expect(html).toContain('<strong>rises</strong>');
    expect(html).not.toMatch(/script|onerror/);
  });

  test('translates it', async () => {
    const id = await idInAddress();
    await click('a', 'Translate into French');
    await page.waitFor(
      `location.search.includes('locale=fr') && document.querySelector('${field('title')}')?.value === 'Sourdough'`,
    );
    await type('title', 'Pain au levain');
    await click('button', 'Save draft');
    await heading('Pain au levain');
    const french = await idInAddress();
    expect(french).not.toBe(id);
    expect((await client.get('/api/articles?locale=fr')).body.data).toEqual([]);
    const stored = await read(french, 'populate=localizations');
    expect(stored).toMatchObject({ title: 'Pain au levain', locale: 'fr', publishedAt: null, rating: 4.5 });
    expect(stored.localizations.data).toMatchObject([{ id }]);
  });

  test('is shown what another user changed in the meantime, and decides', async () => {
    const id = await idInAddress();
    await type('title', 'Pain de campagne');
    await client.put(`/api/articles/${String(id)}`, { title: 'Baguette', summary: 'Written by another user' });
    await click('button', 'Save draft');
    await page.waitFor(`document.querySelector('dialog')?.textContent.includes('changed by someone else')`);
    const rows = `[...document.querySelectorAll('dialog tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))`;
    expect(await page.evaluate(rows)).toEqual([
      ['TitleBoth changed it', 'Pain de campagne', 'Baguette'],
      ['Summary', '(empty)', 'Written by another user'],
    ]);
    expect(await findBarriers()).toEqual([]);
    expect(await read(id)).toMatchObject({ title: 'Baguette' });
    await click('dialog button', 'Use these values');
    await click('button', 'Save draft');
    await notice('Saved.');
    expect(await read(id)).toMatchObject({ title: 'Pain de campagne', summary: 'Written by another user' });
  });

  test('keeps what was not saved when the page is left', async () => {
    await page.waitFor(`document.querySelector('${field('summary')}')?.value === 'Written by another user'`);
    await type('summary', 'Not saved yet');
    await click('#navigation a', 'Article');
    await page.waitFor(`document.querySelector('tbody') !== null`);
    await page.evaluate('history.back()');
    await page.waitFor(`document.querySelector('${field('summary')}')?.value === 'Not saved yet'`);
    await click('button', 'Discard them');
    const visible = `document.querySelector('${field('summary')}')?.value`;
    expect(await page.waitFor(`${visible} !== 'Not saved yet' && ${visible}`)).toBe('Written by another user');
  });

  test('publishes and deletes several entries, or is shown why none changed', async () => {
    const hero = { label: 'Welcome' };
    const [kept, second] = [
      await client.create('pages', { title: 'Imprint', path: '/imprint', hero }),
      await client.create('pages', { title: 'About', path: '/about', hero }),
    ];
    await client.put(`/api/pages/${kept}`, { publishedAt: null });
    await click('#navigation a', 'Page');
    await page.waitFor(`document.querySelectorAll('tbody tr').length === 2`);
    await click('[aria-label="Select all on this page"]');
    await click('.selection button', 'Publish');
    await notice('1 entry published.');
    expect((await client.get('/api/pages?fields=id&sort=id')).body.data).toEqual([
      { id: kept, attributes: {} },
      { id: second, attributes: {} },
    ]);
    await client.delete(`/api/pages/${second}`);
    await click('[aria-label="Select all on this page"]');
    await click('.selection button', 'Delete');
    await click('dialog button.danger', 'Delete');
    await page.waitFor(`document.querySelector('dialog h2')?.textContent === 'Not deleted'`);
    expect(await page.evaluate(`document.querySelector('dialog li').textContent`)).toBe('About: Not Found');
    expect(await findBarriers()).toEqual([]);
    await click('dialog [aria-label=Close]');
    await page.waitFor(`document.querySelectorAll('tbody tr').length === 1`);
    await click('.selection button', 'Delete');
    await click('dialog button.danger', 'Delete');
    await notice('1 entry deleted.');
    expect((await client.get('/api/pages?publicationState=preview')).body.data).toEqual([]);
  });

  test('logs out; nothing came from another server, and nothing broke the content security policy', async () => {
    await click('button', 'Log out');
    await page.waitFor(`document.querySelector('[name=identifier]') !== null`);
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
    const origins = page.requested.filter((url) => !url.startsWith(client.service.url) && !/^(?:data|blob):/.test(url));
    expect(origins).toEqual([]);
    // The wrong password, the outdated write, and the image of the preview.
    expect(page.mistakes.filter((line) => !/ (?:400|412|404) /.test(line))).toEqual([]);
  });
});
