import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chromium } from '../../../../tests/support/browser.js';
import { declare } from '../../../../tests/support/access.js';
import { createUser } from '../../../../tests/support/create-user.js';
import { useService } from '../../../../tests/support/service.js';
import { field, openEditor, type EditorPage } from './editor-page.js';

const inBrowser = chromium === undefined ? describe.skip : describe;
/** What the package exports for sites; the build makes it. */
const script = readFileSync(path.resolve('packages/client/dist/preview.js'), 'utf8');

inBrowser('the page of a site beside the form', () => {
  const previews: Record<string, string> = {};
  /** What the page showed, in the order in which it said so. */
  const seen: { readonly by: 'load' | 'typing'; readonly title: string; readonly typed?: object }[] = [];
  let wake: () => void = () => undefined;
  let site: Server;
  let editor: EditorPage;
  let stored = 'Rye';

  /** The page shows the stored title, and says what it shows. */
  const page = (): string => `<!doctype html><title>Site</title>
    <body data-content-entry="api::article.article:1">
    <h1 data-content-field="title">${stored}</h1>
    <p data-content-field="summary"><b>Not only a text</b></p>
    <a href="/elsewhere" data-content-field="links.0.label">Link</a>
    <script type="module">
      import { livePreview } from '/preview.js';
      const tell = (by, typed) => fetch('/seen', {
        method: 'POST', body: JSON.stringify({ by, title: document.querySelector('h1').textContent, typed }),
      });
      livePreview({ editor: '${client.service.url}', onTyped: ({ attributes }) => tell('typing', attributes) });
      await tell('load');
    </script>`;
  beforeAll(async () => {
    site = createServer((request, response) => {
      if (request.method === 'GET') {
        const isScript = request.url === '/preview.js';
        response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html').end(isScript ? script : page());
        return;
      }
      request.setEncoding('utf8').on('data', (text: string) => {
        seen.push(JSON.parse(text) as (typeof seen)[number]);
        response.end();
        wake();
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => site.once('listening', resolve));
    previews['api::article.article'] =
      `http://127.0.0.1:${(site.address() as AddressInfo).port}/{locale}/articles?title={title}`;
  });
  const client = useService({ plugins: { admin: { config: { previews } }, i18n: { config: { locales: ['en'] } } } });
  beforeAll(async () => {
    await declare(client.service, {
      public: ['plugin::users-permissions.auth.callback'],
      authenticated: ['find', 'findOne', 'update'].map((action) => `api::article.article.${action}`),
    });
    await createUser(client, 'ann', 'ann-writes-articles');
    await client.post('/api/articles', { title: stored, summary: 'Dark and dense' });
    editor = await openEditor(client, '/admin/content/articles/1');
    await editor.look(1600, 'light');
    await editor.logIn('ann', 'ann-writes-articles');
  });
  afterAll(async () => {
    await editor.close();
    site.closeAllConnections();
    site.close();
  });

  /** Waits until the page has said this. */
  async function shows(what: (typeof seen)[number]): Promise<void> {
    for (;;) {
      const at = seen.findIndex((one) => JSON.stringify(one) === JSON.stringify(what));
      if (at >= 0) {
        seen.splice(0, at + 1);
        return;
      }
      await new Promise<void>((resolve, reject) => {
        wake = resolve;
        setTimeout(
          () => reject(new Error(`Not shown: ${JSON.stringify(what)}, but ${JSON.stringify(seen)}`)),
          60_000,
        ).unref();
      });
    }
  }

  test('shows what is typed, and after saving what is stored', async () => {
    await editor.click('button', 'Preview beside the form');
    await shows({ by: 'load', title: 'Rye' });
    await editor.waitFor(`document.querySelector('.preview .hint').textContent.startsWith('Shows what you type')`);
    await editor.type('title', 'Rye bread');
    await shows({ by: 'typing', title: 'Rye bread', typed: { title: 'Rye bread' } });
    // What is typed back is told, too.
    await editor.type('title', 'Rye');
    await shows({ by: 'typing', title: 'Rye', typed: { title: 'Rye' } });
    await editor.type('title', 'Spelt');
    stored = 'Spelt';
    await editor.click('button[type=submit]', 'Save');
    await shows({ by: 'load', title: 'Spelt' });
    expect((await client.get('/api/articles/1')).body.data.attributes.title).toBe('Spelt');
  });

  test('leads to the field of what is clicked, and never elsewhere', async () => {
    const corner = (await editor.evaluate(`(() => {
      const { x, y, width } = document.querySelector('.preview iframe').getBoundingClientRect();
      return { x, y, scale: width / document.querySelector('.preview iframe').offsetWidth };
    })()`)) as { readonly x: number; readonly y: number; readonly scale: number };
    await editor.evaluate(`document.querySelector('${field('summary').replaceAll("'", "\\'")}').focus()`);
    await editor.clickAt({ x: corner.x + 30 * corner.scale, y: corner.y + 45 * corner.scale });
    await editor.waitFor(`document.activeElement === document.querySelector('${field('title')}')`);
    expect(await editor.evaluate('location.pathname')).toBe('/admin/content/articles/1');
  });

  test('is as wide as on a phone on request, has no barriers, and goes when it is closed', async () => {
    await editor.click('.preview button[aria-label="As on a phone"]');
    await editor.waitFor(`document.querySelector('.preview iframe').offsetWidth === 390`);
    expect(await editor.findBarriers()).toEqual([]);
    await editor.click('.preview button[aria-label="Close the preview"]');
    await editor.waitFor(`document.querySelector('.preview') === null`);
    expect(editor.mistakes).toEqual([]);
  });
});
