import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { chromium, openPage } from '../../support/browser.js';

const inBrowser = chromium === undefined ? describe.skip : describe;

/** Leaves the first page before the expression has a value. */
const navigate = `new Promise((resolve) => {
  if (location.pathname === '/') location.replace('/second');
  else resolve(location.pathname);
})`;

inBrowser('a page', () => {
  test('waits while it navigates', async () => {
    const server = createServer((_request, response) => response.setHeader('Content-Type', 'text/html').end('<p>'));
    await new Promise<void>((resolve) => {
      server.listen(0, resolve);
    });
    const page = await openPage(chromium ?? '', `http://localhost:${(server.address() as AddressInfo).port}`);
    try {
      expect(await page.waitFor(navigate)).toBe('/second');
    } finally {
      await page.close();
      server.closeAllConnections();
      server.close();
    }
  });
});
