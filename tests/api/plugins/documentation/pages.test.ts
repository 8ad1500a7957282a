import { expect, test } from '@jest/globals';
import request from 'supertest';
import { createTestService, type TestService } from '../../../../src/testing.js';

const contentTypes = 'tests/property/content-types';
const mongodbUri = process.env['TEST_MONGODB_URI'] ?? '';

async function serving(
  environment: Record<string, string>,
  plugins: Record<string, boolean>,
  work: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await createTestService({ contentTypes, mongodbUri, environment, plugins });
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

const development = { NODE_ENV: 'development' };
const statusOf = async ({ url }: TestService, path: string): Promise<number> => (await request(url).get(path)).status;

test('in development Swagger UI is served from this origin only, without inline scripts', () =>
  serving(development, {}, async (service) => {
    const page = await request(service.url).get('/documentation');
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    expect(page.headers['content-security-policy']).toContain("script-src 'self';");
    expect(page.text).not.toMatch(/<script>|https?:\/\//);
    const links = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toHaveLength(4);
    for (const link of links) expect([link, await statusOf(service, link)]).toEqual([link, 200]);
    for (const path of ['/documentation/package.json', '/documentation/..%2fpackage.json', '/documentation/x'])
      expect([path, await statusOf(service, path)]).toEqual([path, 404]);
  }));

test('in development the documentation of the package is shown, with its links and images', () =>
  serving(development, {}, async (service) => {
    const page = await request(service.url).get('/documentation/guide/docs/why.md');
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    expect(page.text).toContain('<title>Why</title>');
    expect(page.text).toContain('<h2 id="compared">Compared</h2>');
    expect(page.text).toContain('<a href="performance.md#compared-with-other-systems">');
    const folder = '/documentation/guide/docs';
    for (const path of [
      `${folder}/journey.svg`,
      `${folder}/deployment/.dockerignore`,
      `${folder}/README.md`,
      '/documentation/guide/SECURITY.md',
    ])
      expect([path, await statusOf(service, path)]).toEqual([path, 200]);
    for (const path of ['/package.json', '/docs', '/docs/..%2fpackage.json', '/docs/x.md'])
      expect([path, await statusOf(service, `/documentation/guide${path}`)]).toEqual([path, 404]);
  }));

test('in development the landing page lists the content types with counts and links to the other pages', () =>
  serving(development, {}, async (service) => {
    await service.entries.create('api::maker.maker', {});
    const page = await request(service.url).get('/');
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.text).toContain('<a href="/documentation">API documentation</a>');
    expect(page.text).toMatch(/\/api\/makers<\/code><\/a><\/td>\s*<td class="number">1<\/td>/);
    expect(page.text).not.toMatch(/<script|https?:\/\//);
    expect(await statusOf(service, '/nothing')).toBe(404);
    expect((await request(service.url).post('/')).status).toBe(405);
  }));

test('in production there are no pages, but the OpenAPI description', () =>
  serving({}, {}, async (service) => {
    expect(await statusOf(service, '/documentation')).toBe(404);
    expect(await statusOf(service, '/')).toBe(404);
    expect(await statusOf(service, '/documentation/guide/docs/README.md')).toBe(404);
    expect(await statusOf(service, '/documentation/openapi.json')).toBe(200);
  }));

test('the plugins file disables pages and description', () =>
  serving(development, { documentation: false, 'landing-page': false }, async (service) => {
    for (const path of ['/', '/documentation', '/documentation/openapi.json'])
      expect([path, await statusOf(service, path)]).toEqual([path, 404]);
  }));
