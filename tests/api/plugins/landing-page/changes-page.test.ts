import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { chromium, openPage, type BrowserPage } from '../../../support/browser.js';

let service: TestService;
let page: BrowserPage | undefined;
beforeAll(async () => {
  service = await createTestService({
    contentTypes: 'tests/property/content-types',
    mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
    environment: { NODE_ENV: 'development', EVENTS: 'true' },
  });
});
afterAll(async () => {
  await page?.close();
  await service.close();
});

test('the landing page links to a page of its own script, which requests nothing else', async () => {
  expect((await request(service.url).get('/')).text).toContain('<a href="/changes">Changes</a>');
  const { status, headers, text } = await request(service.url).get('/changes');
  expect([status, headers['content-security-policy']]).toEqual([
    200,
    expect.stringMatching(/script-src 'sha256-[^']+'; connect-src 'self'/),
  ]);
  expect(text).not.toMatch(/https?:\/\//);
});

const inBrowser = chromium === undefined ? describe.skip : describe;

inBrowser('in a browser', () => {
  test('a developer sees events arrive', async () => {
    const opened = await openPage(chromium ?? '', `${service.url}/changes`);
    page = opened;
    await opened.waitFor(`document.querySelector('output').textContent.includes('403')`);
    await opened.evaluate(`document.querySelector('input').value = '${service.token}'`);
    await opened.evaluate(`document.querySelector('select').value = 'makers'`);
    await opened.evaluate(`document.querySelector('button').click()`);
    await opened.waitFor(`document.querySelector('output').textContent.includes('Connected')`);
    const { id } = await service.entries.create('api::maker.maker', {});
    await opened.waitFor(`document.querySelector('tbody tr')`);
    const cells = `[...document.querySelector('tbody tr').cells].slice(1, 4).map((cell) => cell.textContent)`;
    expect(await opened.evaluate(cells)).toEqual(['entry.create', 'api::maker.maker', String(id)]);
    // The public may read nothing.
    expect(opened.mistakes).toEqual([expect.stringContaining('403')]);
  });
});
