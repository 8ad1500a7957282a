import vm from 'node:vm';
import { expect, test } from '@jest/globals';
import request from 'supertest';
import { useService } from '../../../support/service.js';

const client = useService({ environment: { NODE_ENV: 'development' } });

interface Sent {
  readonly url: string;
}

/** The request of Swagger UI after the page's script has changed it. */
async function intercept(path: string): Promise<string> {
  const { text } = await request(client.service.url).get('/documentation/start.js');
  let options: { readonly requestInterceptor?: (sent: Sent) => Sent } = {};
  const page = {
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    document: { documentElement: { classList: { toggle: () => undefined } } },
    location: { href: `${client.service.url}/documentation` },
    SwaggerUIBundle: (received: typeof options) => void (options = received),
    URL,
    URLSearchParams,
  };
  vm.runInNewContext(text, page);
  return options.requestInterceptor?.({ url: `${client.service.url}${path}` }).url ?? '';
}

test('Swagger UI sends objects in filters as brackets, and the filters apply', async () => {
  await client.create('tags', { name: 'Tram' });
  await client.create('tags', { name: 'Bus' });
  const filters = encodeURIComponent('{"$contains":"Tr"}');
  const list = encodeURIComponent('[{"name":"Tram"},{"name":"{x"}]');
  for (const query of [`filters[name]=${filters}`, `filters[$or]=${list}&sort=name`]) {
    const url = await intercept(`/api/tags?${query}`);
    const { body } = await request(url).get('').auth(client.service.token, { type: 'bearer' });
    expect(body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name)).toEqual(['Tram']);
  }
  expect(decodeURIComponent(await intercept('/api/tags?filters[name]=%7Bx&_q=%7B%7D'))).toBe(
    `${client.service.url}/api/tags?filters[name]={x&_q={}`,
  );
});

test('the examples of filters and uids are valid', async () => {
  const { body } = await request(client.service.url).get('/documentation/openapi.json');
  const { parameters } = body.paths['/tags'].get;
  const { example } = parameters.find(({ name }: { name: string }) => name === 'filters');
  const path = await intercept(`/api/tags?filters[id]=${encodeURIComponent(JSON.stringify(example.id))}`);
  const found = await request(path).get('').auth(client.service.token, { type: 'bearer' });
  expect(found.body.data.length).toBeGreaterThan(0);
  const { slug } =
    body.components.schemas.CategoryInput.properties ?? body.components.schemas.CategoryInput.allOf[0].properties;
  expect(JSON.stringify(slug)).toContain('"example":"my-');
});
