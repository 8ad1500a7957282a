import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { lineDifference } from '../../src/browser/builder/review/line-difference.js';
import { declare } from '../../../../tests/support/access.js';
import { chromium } from '../../../../tests/support/browser.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';
import stored from './outlines.json' with { type: 'json' };
import { countRequests, settle, takePicture, takePictureAtRest } from './take-picture.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
const folder = mkdtempSync(path.join(os.tmpdir(), 'pictures-'));
cpSync('content-types', folder, { recursive: true });
rmSync(path.join(folder, 'access.json'));
const authorFile = path.join(folder, 'author.json');
const { options, ...author } = JSON.parse(readFileSync(authorFile, 'utf8')) as { readonly options: object };
writeFileSync(authorFile, JSON.stringify({ ...author, options: { ...options, trash: 30 } }));
/** The addresses of all pages, as the routes of the editor have them: `/content/:path/:id`. */
const browser = path.resolve('packages/editor/src/browser');
const routes = readdirSync(browser, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx'))
  .flatMap((name) => [...readFileSync(path.join(browser, name), 'utf8').matchAll(/<Route path="([^"]+)"/g)])
  .map(([, route = '']) => route);
const password = 'ann-looks-at-pages';
// Not Jest's snapshots: it keeps them beside the file that runs, which is another one for a group of files.
const isUpdate = process.env['UPDATE_OUTLINES'] !== undefined;
const drawn: Record<string, readonly string[]> = {};
const long =
  'A title that is so long that it needs several lines on a phone, and Donaudampfschifffahrtsgesellschaften too';

/** A text with each kind of block, and each sign within a line. */
const everyBlock = [
  ...[1, 2, 3, 4, 5, 6].map((level) => `${'#'.repeat(level)} Heading ${level}`),
  `${long} **bold** _italic_ ~~struck~~ \`code\` [link](https://www.example.org "Title")`,
  '- one\n- two\n  - nested\n    1. deeper',
  '3. three\n4. four\n   - below it',
  `- [ ] ${long}\n- [x] done`,
  '> quoted\n>\n> twice',
  '```ts\nconst loaf = 1;\n```',
  '| a | b |\n| - | - |\n| 1 | 2 |',
  '---',
  '![Field](/admin/assets/none.png "Title")',
  '<aside>HTML</aside>',
].join('\n\n');

/**
 * Each page on a wide screen and a phone, by day and by night. Pixels differ with the fonts and the browser of a
 * machine, so compared are the outlines of pages, and flaws are looked for that pixels would show.
 */
inBrowser('pictures of the editor', () => {
  const client = useService({
    contentTypes: folder,
    environment: { NODE_ENV: 'development' },
    plugins: {
      'api-tokens': { config: { routes: true } },
      audit: true,
      upload: { config: { trash: 30 } },
      'users-permissions': { config: { rateLimit: false } },
    },
  });
  let page: EditorPage;
  beforeAll(async () => {
    const of = (plugin: string, ...names: readonly string[]) => names.map((name) => `plugin::${plugin}.${name}`);
    const own = ['article', 'author', 'category', 'tag', 'homepage', 'setting'].flatMap((name) => {
      const isSingle = client.service.registry.contentTypes.get(`api::${name}.${name}`)?.kind === 'singleType';
      const actions = isSingle ? ['find', 'update'] : ['find', 'findOne', 'create', 'update', 'delete'];
      return actions.map((action) => `api::${name}.${name}.${action}`);
    });
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: [
        ...own,
        ...of('upload.content-api', 'find', 'findOne', 'upload', 'destroy'),
        ...of(
          'users-permissions',
          'auth.changePassword',
          'user.me',
          'user.find',
          'user.findOne',
          'user.create',
          'user.update',
        ),
        ...of(
          'users-permissions',
          'role.find',
          'role.findOne',
          'role.createRole',
          'role.updateRole',
          'permissions.getPermissions',
        ),
        ...of('api-tokens.token', 'find', 'create', 'delete'),
        'admin::audit.record.find',
      ],
    });
    await createUser(client, 'ann', password);
    const author = await client.create('authors', { name: 'Ada', email: 'ada@example.org' });
    await client.delete(`/api/authors/${await client.create('authors', { name: 'Eve', email: 'eve@example.org' })}`);
    await client.create('articles', {
      title: 'Bread',
      kind: 'recipe',
      author,
      body: everyBlock,
    });
    await client.create('articles', {
      title: long,
      publishedAt: null,
      author,
      body: '| Grain | Water | Salt | Hours |\n| - | - | - | - |\n| Rye | Much | Little | 20 |',
      seo: { metaTitle: long.slice(0, 60) },
      links: [{ label: 'Mill', url: 'https://www.example.org' }],
      blocks: [
        { __component: 'blocks.text', content: long },
        { __component: 'blocks.quote', text: long, source: author },
      ],
    });
    await client.put('/api/homepage', { title: 'Welcome' });
    const image = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'olive' } })
      .jpeg()
      .toBuffer();
    const form = new FormData();
    form.append('files', new Blob([new Uint8Array(image)], { type: 'image/jpeg' }), 'field.jpg');
    const headers = { Authorization: `Bearer ${client.service.token}` };
    for (let copy = 0; copy < 2; copy += 1)
      await fetch(`${client.service.url}/api/upload`, { method: 'POST', headers, body: form });
    await client.delete('/api/upload/files/2');
    page = await openEditor(client);
    await page.waitFor(`document.querySelector('[name=identifier]') !== null`);
    await page.evaluate(countRequests);
  });
  afterAll(async () => {
    await page.close();
    rmSync(folder, { recursive: true });
    const file = path.resolve('packages/editor/tests/service/outlines.json');
    if (isUpdate) writeFileSync(file, `${JSON.stringify(drawn, null, 2)}\n`);
  });

  const heading = (text: string) => (): Promise<unknown> => page.heading(text);
  const rows = (count: number) => (): Promise<unknown> =>
    page.waitFor(`document.querySelectorAll('tbody tr').length >= ${count}`);
  const dialog = async (button: string): Promise<void> => {
    await page.click('button', button);
    await page.waitFor(`document.querySelector('.dialog') !== null`);
  };
  /** Where a state is, and what leads to it there. */
  const states: readonly (readonly [name: string, address: string, ...steps: readonly (() => Promise<unknown>)[]])[] = [
    ...['forgotten', 'first', 'reset', 'invited'].map(
      (name) =>
        [
          `account ${name}`,
          `/admin/account/${name}`,
          () => page.waitFor(`document.querySelector('h1') !== null`),
        ] as const,
    ),
    ['log-in', '/admin', () => page.waitFor(`document.querySelector('[name=identifier]') !== null`)],
    [
      'home',
      '/admin',
      () => page.logIn('ann', password),
      heading('Welcome, ann'),
      () => page.waitFor(`document.querySelectorAll('.recent a').length === 1`),
    ],
    ['list', '/admin/content/articles', rows(2)],
    [
      'list with nothing found',
      '/admin/content/articles?search=nothing',
      () => page.waitFor(`document.querySelector('.empty') !== null`),
    ],
    [
      'list with a selection',
      '/admin/content/articles',
      rows(2),
      () => page.click('[aria-label="Select all on this page"]'),
    ],
    ['columns of a list', '/admin/content/articles', rows(2), () => dialog('Columns')],
    ['views of a list', '/admin/content/articles', rows(2), () => dialog('Views')],
    [
      'filter of a list',
      '/admin/content/articles',
      rows(2),
      () => page.click('button', 'Add filter'),
      () => page.waitFor(`document.querySelector('form .choice') !== null`),
    ],
    ['empty list', '/admin/content/tags', () => page.waitFor(`document.querySelector('.empty') !== null`)],
    ['trash', '/admin/content/authors/trash', rows(1)],
    ['users', '/admin/content/users', rows(1)],
    ['invitation', '/admin/content/users', rows(1), () => dialog('Invite')],
    ['user', '/admin/content/users/1', heading('ann')],
    ['new entry', '/admin/content/articles/new', () => page.waitFor(`document.querySelector('#field-title') !== null`)],
    ['entry', '/admin/content/articles/2', heading(long)],
    [
      'text with each kind of block',
      '/admin/content/articles/1',
      heading('Bread'),
      () => page.waitFor(`document.querySelector('${field('body')} .text-source') !== null`),
      // In a table are its buttons.
      () => page.placeCursor(`${field('body')} td`),
    ],
    [
      'options of a choice',
      '/admin/content/articles/1',
      heading('Bread'),
      () => page.click('#field-kind'),
      () => page.waitFor(`document.querySelector('[role=option]') !== null`),
    ],
    ['schedule of an entry', '/admin/content/articles/2', heading(long), () => dialog('Schedule…')],
    [
      'search of related entries',
      '/admin/content/articles/1',
      heading('Bread'),
      () => page.fill(`${field('related')} [role=combobox]`, 'A'),
      () => page.waitFor(`document.querySelectorAll('[role=option]').length === 3`),
    ],
    ['single type', '/admin/content/homepage', heading('Welcome')],
    ['files', '/admin/files', () => page.waitFor(`document.querySelector('.grid img')?.complete`)],
    [
      'files as a list',
      '/admin/files',
      () => page.click('.toolbar button', 'As a list'),
      () => page.waitFor(`document.querySelector('.grid.rows img')?.complete`),
    ],
    ['trash of files', '/admin/files/trash', rows(1), () => page.waitFor(`document.querySelector('td img')?.complete`)],
    [
      'deleted file',
      '/admin/files/trash',
      rows(1),
      () => page.click('td.name button', 'field.jpg'),
      () => page.waitFor(`document.querySelector('.dialog img')?.complete`),
    ],
    [
      'file',
      '/admin/files',
      () => page.click('.toolbar button[aria-pressed=true]'),
      () => page.click('.grid button', 'field.jpg'),
      () => page.waitFor(`document.querySelector('.dialog img')?.complete`),
    ],
    [
      'crop of an image',
      '/admin/files',
      () => page.click('.grid button', 'field.jpg'),
      () => page.click('.dialog button', 'Crop…'),
      () => page.waitFor(`document.querySelector('.dialog [name=width]')?.value === '400'`),
    ],
    ['roles', '/admin/roles', rows(2)],
    ['role', '/admin/roles/1', heading('Authenticated')],
    ['tokens', '/admin/tokens', heading('API tokens')],
    ['new token', '/admin/tokens', heading('API tokens'), () => dialog('New token')],
    ['audit log', '/admin/audit?action=login', rows(1)],
    [
      'account',
      '/admin/account',
      heading('Your account'),
      () => page.waitFor(`document.querySelector('.sessions li') !== null`),
    ],
    ['content types', '/admin/types', heading('Content types')],
    ['new content type', '/admin/types', heading('Content types'), () => dialog('New content type')],
    ['content type', '/admin/types/api::article.article', heading('Article')],
    ['languages of entries', '/admin/locales', heading('Languages of entries')],
    ['attribute', '/admin/types/api::article.article', heading('Article'), () => dialog('New attribute')],
    [
      'what a change of a type will write',
      '/admin/types/api::tag.tag',
      heading('Tag'),
      () => page.click('[aria-label="Remove slug"]'),
      () => page.click('button', 'Review and write'),
      () => page.waitFor(`document.querySelectorAll('.dialog .difference').length === 1`),
    ],
    [
      'conflict of two editors',
      '/admin/content/articles/1',
      heading('Bread'),
      () => page.type('title', 'Rye bread and what goes with it'),
      () => client.put('/api/articles/1', { title: long }),
      () => page.press('s'),
      () => page.waitFor(`document.querySelector('.dialog') !== null`),
    ],
    [
      'menu of a text',
      '/admin/content/articles/new',
      heading('New: Article'),
      () => page.type('body', '/'),
      () => page.waitFor(`document.querySelector('.slash') !== null`),
    ],
    ['missing page', '/admin/nowhere', () => page.waitFor(`document.querySelector('h1') !== null`)],
  ];

  test.each(states)('%s', async (name, address, ...steps) => {
    await page.look(1440, 'light');
    await page.goTo(address);
    for (const step of steps) await step();
    await settle(page);
    const outlines: string[] = [];
    for (const width of [1440, 390]) {
      for (const scheme of ['light', 'dark'] as const) {
        await page.look(width, scheme);
        // The menu closes when the page gets narrow.
        await settle(page);
        const { outline, flaws } = await takePictureAtRest(page);
        expect([width, scheme, flaws]).toEqual([width, scheme, []]);
        expect([width, scheme, await page.findBarriers()]).toEqual([width, scheme, []]);
        outlines.push(outline);
      }
    }
    const [wide = '', wideDark, narrow = '', narrowDark] = outlines;
    expect([wideDark, narrowDark]).toEqual([wide, narrow]);
    const onPhone = lineDifference(wide, narrow)
      .split('\n')
      .filter((line) => !line.startsWith(' '));
    drawn[name] = [...wide.split('\n'), ...onPhone];
    if (!isUpdate) expect(drawn[name]).toEqual(new Map<string, readonly string[]>(Object.entries(stored)).get(name));
    await page.evaluate(`for (const close of document.querySelectorAll('.dialog [aria-label=Close]')) close.click()`);
  });

  test('each page has a picture: add one for a new page', () => {
    expect(routes.length).toBeGreaterThan(12);
    const addresses = states.map(([, address]) => new URL(address, 'http://localhost').pathname.slice('/admin'.length));
    const isDrawn = (route: string): boolean => {
      const pattern = new RegExp(`^${route.replaceAll(/\/:\w+\?/g, '(?:/[^/]+)?').replaceAll(/:\w+/g, '[^/]+')}$`);
      return addresses.some((address) => pattern.test(address === '' ? '/' : address));
    };
    expect(routes.filter((route) => !isDrawn(route))).toEqual([]);
  });

  test('each stored outline is that of a page', () => {
    expect(new Set(Object.keys(stored))).toEqual(new Set(states.map(([name]) => name)));
  });

  test('on a phone the menu opens where the page is scrolled to, and what a list is filtered and sorted by is a press away', async () => {
    await page.look(390, 'light');
    const isInSight = (selector: string) =>
      page.waitFor(`(() => {
        const { left, right, top, height } = document.querySelector('${selector}').getBoundingClientRect();
        return height > 0 && top > 0 && top < innerHeight && left >= 0 && right <= innerWidth;
      })()`);
    await page.goTo('/admin/content/articles');
    await rows(2)();
    await page.click('.toolbar .more');
    expect(await isInSight('.order button')).toBe(true);
    expect(await isInSight('tbody tr')).toBe(true);
    await page.goTo('/admin/content/articles/2');
    await heading(long)();
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.click('button.menu');
    expect(await isInSight('#navigation a')).toBe(true);
    await page.click('button.menu');
  });

  test('flaws are found', async () => {
    await page.look(390, 'dark');
    const flawsWith = async (style: string): Promise<string> => {
      await page.evaluate(`{
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('${style}');
        document.adoptedStyleSheets = [sheet];
      }`);
      const { flaws } = await takePicture(page);
      return flaws.join();
    };
    await page.goTo('/admin/content/articles');
    await rows(2)();
    expect(await flawsWith('')).toBe('');
    // The size of a control is not that of the signs of a font.
    expect(await flawsWith('button, .button { font-size: 5px; padding: 0 }')).not.toContain('smaller than 24 pixels');
    expect(await flawsWith('main { width: 110vw }')).toContain('the page is wider than the screen');
    expect(await flawsWith('h1 { position: relative; left: -20vw }')).toContain('is beside the screen');
    expect(await flawsWith('h1 { width: 10px; overflow: hidden }')).toContain('is cut off');
    expect(await flawsWith('button { width: 30px; padding: 0; white-space: nowrap }')).toContain('is wider than it');
    expect(await flawsWith('button { height: 20px; min-height: 0 }')).toContain('is smaller than 24 pixels');
    expect(await flawsWith('button { margin: 0 -20px }')).toContain('lies over');
  });
});
