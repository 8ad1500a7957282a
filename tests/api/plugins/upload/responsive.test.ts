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

interface Size {
  readonly url: string;
  readonly width: number;
}

interface Image extends Size {
  readonly formats: Readonly<Record<string, Size>>;
}

inBrowser('in a browser, the sizes of an image', () => {
  let html = '';
  let expected: readonly string[];
  let page: BrowserPage;
  const frontEnd = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));

  beforeAll(async () => {
    const { url } = client.service;
    // Two files, because Chromium takes a larger size of an image that it has loaded already.
    const [narrow, wide] = (await upload(
      client.service,
      { content: await picture(1200, 800), name: 'narrow.png' },
      { content: await picture(1200, 800), name: 'wide.png' },
    )) as [Image, Image];
    const image = (file: Image, sizes: number): string => {
      const srcset = [...Object.values(file.formats), file].map((size) => `${url}${size.url} ${size.width}w`);
      return `<img style="display: block" sizes="${sizes}px" srcset="${srcset.join(', ')}">`;
    };
    html = `<link rel="icon" href="data:,"><body style="margin: 0">${image(narrow, 480)}${image(wide, 740)}`;
    expected = [narrow.formats['small'], wide.formats['medium']].map((size) => `${url}${size?.url}`);
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
