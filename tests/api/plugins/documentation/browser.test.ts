import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { chromium, openPage, type BrowserPage } from '../../../support/browser.js';

// oxlint-disable-next-line no-console -- makes clear that the test was skipped
if (chromium === undefined) console.warn('SKIPPED: the pages in a browser, for there is no chromium on the PATH');
const inBrowser = chromium === undefined ? describe.skip : describe;

/** How light the background is, of 255; behind what has none stands that of the page. */
const lightness = `(() => {
  const colours = [document.body, document.documentElement].map((one) => getComputedStyle(one).backgroundColor);
  const colour = colours.find((one) => one !== 'rgba(0, 0, 0, 0)') ?? 'rgb(255, 255, 255)';
  return Math.max(...colour.match(/\\d+/g).slice(0, 3).map(Number));
})()`;

inBrowser('in a browser', () => {
  let service: TestService;
  let page: BrowserPage;
  beforeAll(async () => {
    service = await createTestService({
      contentTypes: 'content-types',
      mongodbUri: process.env['TEST_MONGODB_URI'] ?? '',
      environment: { NODE_ENV: 'development' },
    });
  });
  afterAll(() => service.close());

  async function visiting(path: string, ready: string, work: () => Promise<void>): Promise<void> {
    page = await openPage(chromium ?? '', service.url + path);
    try {
      await page.waitFor(ready);
      await work();
      expect(page.requested.filter((url) => !url.startsWith(service.url) && !url.startsWith('data:'))).toEqual([]);
      expect(page.mistakes).toEqual([]);
    } finally {
      await page.close();
    }
  }

  /**
   * By day and by night, narrow and wide: nothing stands beyond the edge, and the page follows the system's colours.
   */
  async function looksWell(): Promise<void> {
    for (const width of [1400, 360]) {
      await page.look(width, 'light');
      await page.waitFor(`${lightness} > 200`);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await page.look(width, 'dark');
      await page.waitFor(`${lightness} < 60`);
    }
  }

  const click = (selector: string): Promise<unknown> =>
    page.waitFor(`(() => {
      const found = document.querySelector('${selector}');
      found?.click();
      return Boolean(found);
    })()`);

  test('Swagger UI shows every route, and tries one', () =>
    visiting('/documentation', `document.querySelectorAll('.opblock').length > 20`, async () => {
      await service.entries.create('api::article.article', {
        title: 'On Bread',
        slug: 'bread',
        publishedAt: new Date(),
      });
      await looksWell();
      await page.look(1400, 'light');
      await click('.opblock-get .opblock-summary-control');
      await page.waitFor(`document.querySelector('.try-out__btn') !== null`);
      await click('.try-out__btn');
      await click('.execute');
      const answer = `document.querySelector('.live-responses-table')?.textContent`;
      await page.waitFor(`${answer}?.includes('On Bread')`);
      expect(await page.evaluate(answer)).toContain('200');
    }));

  test('the landing page fits the screen in light and dark mode', () =>
    visiting('/', `document.querySelector('table') !== null`, async () => {
      await looksWell();
      await page.look(400, 'light');
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('.scroll')].every((one) => one.scrollWidth <= one.clientWidth)`,
        ),
      ).toBe(true);
    }));
});
