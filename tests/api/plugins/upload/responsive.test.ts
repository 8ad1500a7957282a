import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { chromium, openPage, type BrowserPage } from '../../../support/browser.js';
import { useService } from '../../../support/service.js';
import { picture, upload } from './media.js';

const client = useService();

// oxlint-disable-next-line no-console -- makes clear that the test was skipped
if (chromium === undefined) console.warn('SKIPPED: images in a browser, for there is no chromium on the PATH');
const inBrowser = chromium === undefined ? describe.skip : describe;

interface Format {
  readonly url: string;
  readonly width: number;
}

inBrowser('in a browser, the sizes of an image', () => {
  let html = '';
  let formats: Readonly<Record<string, Format>>;
  let page: BrowserPage;
  const frontEnd = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));

  beforeAll(async () => {
    const { url } = client.service;
    const [file] = await upload(client.service, { content: await picture(1200, 800), name: 'wide.png' });
    formats = file.formats;
    const srcset = [...Object.values(formats), file as Format].map((one) => `${url}${one.url} ${one.width}w`);
    const image = (sizes: number): string =>
      `<img style="display: block" sizes="${sizes}px" srcset="${srcset.join(', ')}">`;
    html = `<link rel="icon" href="data:,"><body style="margin: 0">${image(480)}${image(740)}`;
    await new Promise<void>((resolve) => {
      frontEnd.listen(0, '127.0.0.1', resolve);
    });
    // Another site than that of the service.
    page = await openPage(chromium ?? '', `http://localhost:${(frontEnd.address() as AddressInfo).port}`);
    await page.waitFor(`document.images.length === 2 && [...document.images].every((one) => one.naturalWidth > 0)`);
  });
  afterAll(async () => {
    await page.close();
    frontEnd.close();
  });

  test('sizes of an image are loaded by a page of another site according to its width', async () => {
    const loaded = await page.evaluate('[...document.images].map((one) => one.currentSrc)');
    const expected = [formats['small'], formats['medium']].map((one) => `${client.service.url}${one?.url}`);
    expect(loaded).toEqual(expected);
    expect(page.requested.filter((url) => url.includes('/uploads/')).toSorted()).toEqual(expected.toSorted());
    expect(page.mistakes).toEqual([]);
  });

  test('sizes of an image are visible images', async () => {
    const area = { left: 10, top: 10, width: 400, height: 300 };
    const seen = await sharp(await page.screenshot())
      .extract(area)
      .toBuffer();
    const { channels } = await sharp(seen).stats();
    expect(channels.slice(0, 3).map(({ min, max }) => [min, max])).toEqual([
      [255, 255],
      [0, 0],
      [0, 0],
    ]);
  });
});
