import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scaffold } from '../../src/cli/commands/init/scaffold.js';
import { readPage } from '../docs/read-page.js';
import { chromium, openPage, type BrowserPage } from '../support/browser.js';
import { useService } from '../support/service.js';
import { until } from '../support/until.js';
import { hasRegistry, startExample, type ExampleSite, type Variables } from './example-site.js';
import { openGate, type Gate } from './gate.js';

const secrets = {
  DRAFTS_TOKEN: 'the-token-that-reads-drafts',
  PREVIEW_PASSWORD: 'the-password-of-the-preview',
  WEBHOOK_SECRET: 'the-secret-of-the-webhook',
  PURGE_TOKEN: 'the-token-of-the-purges',
};

export interface Example {
  /** The folder below `examples`. */
  readonly name: 'next' | 'nuxt';
  /** What the names of its variables begin with. */
  readonly prefix: string;
  /** What browsers load of the build, in its folder. */
  readonly publicFolder: string;
}

const hook = '/api/revalidate';
const purge = '/api/purge';

/** The files that `docs/front-ends.md` adds to the project of the quick start, with the address of a site. */
function writeProject(folder: string, site: string): void {
  const packages = { production: {}, development: {} };
  const files = new Map(scaffold({ name: 'magazine', type: 'article', packages, plugins: [], secret: () => '' }));
  const access = 'content-types/access.json';
  for (const step of readPage(readFileSync('docs/front-ends.md', 'utf8'))) {
    if (step.kind !== 'file' || !step.path.endsWith('.json')) continue;
    const added = JSON.parse(step.text.replaceAll('https://www.example.com', site)) as object;
    const before = step.path === access ? (JSON.parse(files.get(access) ?? '{}') as object) : {};
    files.set(step.path, JSON.stringify({ ...before, ...added }));
  }
  for (const [name, text] of files) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

/** Builds and runs an example beside a service, and looks at its pages as a visitor and as an editor. */
export function testSite({ name, prefix, publicFolder }: Example): void {
  const { dependencies } = JSON.parse(readFileSync(`examples/${name}/package.json`, 'utf8')) as {
    readonly dependencies: Variables;
  };
  const isInstallable = hasRegistry(`${name}@${dependencies[name]}`);
  if (!isInstallable)
    console.warn(`SKIPPED: the example for ${name}, for its packages are not to be had: there is no registry`);

  (isInstallable ? describe : describe.skip)(`the example for ${name}`, () => {
    const project = mkdtempSync(path.join(os.tmpdir(), `content-service-${name}-project-`));
    const variables = Object.fromEntries(Object.entries(secrets).map(([key, value]) => [prefix + key, value]));
    let gate: Gate;
    let site: ExampleSite;
    beforeAll(async () => {
      gate = await openGate();
      writeProject(project, gate.url);
    });
    const client = useService({
      contentTypes: path.join(project, 'content-types'),
      environment: {
        ...secrets,
        DRAFTS: 'restricted',
        CACHE_TAGS: 'true',
        CACHE_CONTROL: 'public, max-age=0, s-maxage=31536000',
        WEBHOOK_PRIVATE_NETWORKS: 'true',
      },
      configure: (config) => ({ ...config, folders: { ...config.folders, project } }),
    });
    let cats: number;
    let dogs: number;
    beforeAll(async () => {
      cats = await createWithCover({ title: 'On Cats', body: 'They sleep.' });
      dogs = await client.create('articles', { title: 'On Dogs', body: 'They bark.', publishedAt: null });
      site = await startExample(name, {
        ...variables,
        [`${prefix}CONTENT_URL`]: client.service.url,
        NEXT_TELEMETRY_DISABLED: '1',
      });
      gate.site = site.url;
    });
    afterAll(async () => {
      await site?.stop();
      await gate.stop();
      rmSync(project, { recursive: true, force: true });
    });

    async function createWithCover(data: object): Promise<number> {
      const form = new FormData();
      form.append('data', JSON.stringify(data));
      const picture = readFileSync('tests/fixtures/corpus/fixtures/wide.png');
      form.append('files.cover', new Blob([picture], { type: 'image/png' }), 'cat.png');
      const headers = { Authorization: `Bearer ${client.service.token}` };
      const response = await fetch(`${client.service.url}/api/articles`, { method: 'POST', headers, body: form });
      const { data: entry } = (await response.json()) as { readonly data: { readonly id: number } };
      return entry.id;
    }
    const get = async (address: string, headers: Variables = {}): Promise<{ response: Response; text: string }> => {
      const response = await fetch(site.url + address, { headers, redirect: 'manual' });
      return { response, text: await response.text() };
    };
    const shown = async (address: string): Promise<string> => (await get(address)).text;
    const statusOf = async (address: string): Promise<number> => (await get(address)).response.status;
    const asEditor = (password: string): Variables => ({
      Authorization: `Basic ${Buffer.from(`editor:${password}`).toString('base64')}`,
    });
    /** Changes an article. The request that would tell the site is held. */
    const change = async (id: number, data: object, by: string): Promise<void> => {
      gate.hold(by);
      await client.put(`/api/articles/${id}`, data);
      await gate.held();
    };
    /** Whatever the site keeps, it keeps for days: nothing but the request changes its pages. */
    const tell = async (isTold: () => Promise<boolean>): Promise<void> => {
      gate.release();
      await until(isTold);
      expect(new Set(gate.statuses)).toEqual(new Set([204]));
    };
    const published = { publishedAt: '2026-01-01T08:00:00Z' };

    test('shows what is published: a list, an entry and its image', async () => {
      const list = await shown('/');
      expect(list).toContain('On Cats');
      expect(list).not.toContain('On Dogs');
      const entry = await shown('/articles/on-cats');
      expect(entry).toContain('They sleep.');
      const [, address = ''] = /<img[^>]* src="([^"]+)"/.exec(entry) ?? [];
      const image = await fetch(address);
      expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(await statusOf('/articles/on-dogs')).toBe(404);
      expect(await statusOf('/articles/on-mice')).toBe(404);
    });

    test('shows drafts to whoever has the password, until the preview is left', async () => {
      const entrance = '/api/preview?slug=on-dogs';
      expect(await statusOf(entrance)).toBe(401);
      expect((await get(entrance, asEditor('a guess'))).response.status).toBe(401);
      const { response } = await get(entrance, asEditor(secrets.PREVIEW_PASSWORD));
      expect(response.headers.get('location')).toBe('/articles/on-dogs');
      const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? [];
      const preview = await get('/articles/on-dogs', { Cookie: cookie });
      expect(preview.text).toContain('They bark.');
      expect(preview.response.headers.get('cache-control')).toContain('no-store');
      expect((await get('/', { Cookie: cookie })).text).toContain('On Dogs');
      // What one has seen does not stay for others.
      expect(await shown('/')).not.toContain('On Dogs');
      expect(await statusOf('/articles/on-dogs')).toBe(404);
      const made = `${cookie.split('=')[0]}=x`;
      expect((await get('/articles/on-dogs', { Cookie: made })).response.status).toBe(404);
    });

    test('keeps its secrets on the server', async () => {
      const { response } = await get('/api/preview?slug=on-dogs', asEditor(secrets.PREVIEW_PASSWORD));
      const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? [];
      const folder = path.join(site.folder, publicFolder);
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      expect(files.length).toBeGreaterThan(3);
      const texts = files.map((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8'));
      const sent = [...texts, (await get('/', { Cookie: cookie })).text, cookie].join('\n');
      expect(Object.values(secrets).filter((secret) => sent.includes(secret))).toEqual([]);
    });

    test('refuses webhooks and purges of others', async () => {
      const forged = { 'X-Timestamp': String(Math.floor(Date.now() / 1000)), 'X-Signature': 'sha256=0' };
      const send = async (address: string, headers: Variables): Promise<number> =>
        (await fetch(site.url + address, { method: 'POST', headers, body: '{ "tags": ["content"] }' })).status;
      expect(await send(hook, forged)).toBe(401);
      expect(await send(purge, { Authorization: 'Bearer undefined' })).toBe(401);
    });

    test.each([
      ['the webhook has come', hook, 'On Old Cats'],
      ['its cache tags are purged', purge, 'On Young Cats'],
    ])('shows a change as soon as %s', async (_, by, title) => {
      const before = await shown('/articles/on-cats');
      expect(await shown('/')).not.toContain(title);
      await change(cats, { title }, by);
      expect(await shown('/articles/on-cats')).toBe(before);
      expect(await shown('/')).not.toContain(title);
      await tell(async () => (await shown('/articles/on-cats')).includes(title));
      expect(await shown('/')).toContain(title);

      expect(await statusOf('/articles/on-dogs')).toBe(404);
      await change(dogs, published, by);
      expect(await shown('/')).not.toContain('On Dogs');
      await tell(async () => (await shown('/')).includes('On Dogs'));
      expect(await shown('/articles/on-dogs')).toContain('They bark.');

      await change(dogs, { publishedAt: null }, by);
      expect(await shown('/articles/on-dogs')).toContain('They bark.');
      await tell(async () => (await statusOf('/articles/on-dogs')) === 404);
      expect(await shown('/')).not.toContain('On Dogs');
    });

    (chromium === undefined ? describe.skip : describe)('in a browser', () => {
      const opened: BrowserPage[] = [];
      afterAll(async () => {
        for (const page of opened) await page.close();
      });
      const open = async (address: string): Promise<BrowserPage> => {
        const page = await openPage(chromium ?? '', address);
        opened.push(page);
        return page;
      };
      const says = (text: string): string => `document.body?.textContent.includes(${JSON.stringify(text)})`;
      const link = `[...document.querySelectorAll('main a')].find((one) => one.textContent.endsWith('Cats'))`;
      /**
       * The scripts of the page have taken over: until then they may undo what a click has begun. Nuxt notes it in its
       * root.
       */
      const isRunning = `document.readyState === 'complete' &&
        (document.querySelector('#__nuxt') === null || '__vue_app__' in document.querySelector('#__nuxt'))`;
      /** `SCREENSHOTS=<folder>` keeps what the browser shows. */
      const keep = async (page: BrowserPage, step: string): Promise<void> => {
        const folder = process.env['SCREENSHOTS'];
        if (folder !== undefined) writeFileSync(path.join(folder, `${name}-${step}.png`), await page.screenshot());
      };

      test('a visitor reads an article, and an editor sees a draft until they leave the preview', async () => {
        const page = await open(site.url);
        await page.waitFor(`document.querySelector('li img')?.naturalWidth > 0`);
        await keep(page, 'list');
        await page.evaluate(`${link}.click()`);
        await page.waitFor(`location.pathname === '/articles/on-cats' && ${says('They sleep.')}`);
        await page.waitFor(`document.querySelector('article img')?.naturalWidth > 0`);
        await keep(page, 'entry');
        await page.close();
        opened.pop();

        const entrance = new URL('/api/preview?slug=on-dogs', site.url);
        const editor = await open(
          Object.assign(entrance, { username: 'editor', password: secrets.PREVIEW_PASSWORD }).href,
        );
        await editor.waitFor(`${says('They bark.')} && ${says('This is a preview')}`);
        await keep(editor, 'preview');
        await editor.evaluate(`location.assign('/')`);
        await editor.waitFor(`location.pathname === '/' && ${says('On Dogs')} && ${isRunning}`);
        await keep(editor, 'preview-list');
        await editor.evaluate(`document.querySelector('.preview button').click()`);
        await editor.waitFor(
          `document.querySelector('main li') !== null && document.querySelector('.preview') === null`,
        );
        expect(await editor.evaluate(says('On Dogs'))).toBe(false);
        const isOfSite = (mistake: string): boolean => !mistake.includes('favicon.ico');
        expect([...page.mistakes, ...editor.mistakes].filter(isOfSite)).toEqual([]);
      });

      test('a visitor finds what was published after the webhook', async () => {
        await change(dogs, published, hook);
        await tell(async () => (await shown('/')).includes('On Dogs'));
        const page = await open(site.url);
        await page.waitFor(`document.querySelector('main li') !== null`);
        expect(await page.evaluate(says('On Dogs'))).toBe(true);
        await keep(page, 'published');
      });
    });
  });

  if (chromium === undefined)
    console.warn(`SKIPPED: the example for ${name} in a browser, for there is no chromium on the PATH`);
}
