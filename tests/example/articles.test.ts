/**
 * How to test your own content types: a service on an in-memory MongoDB, and its documents service to put data in.
 * In your project import from `content-service/testing`.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestService, type TestService } from '../../src/testing.js';

let service: TestService;

beforeAll(async () => {
  service = await createTestService({ contentTypes: 'content-types' });
});
afterAll(() => service.close());

const request = async (path: string, method = 'GET', data?: object): Promise<any> => {
  const response = await fetch(service.url + path, {
    method,
    headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' },
    ...(data && { body: JSON.stringify({ data }) }),
  });
  return response.json();
};

test('a featured article of an author can be found', async () => {
  const author = await request('/api/authors', 'POST', { name: 'Ida Holm', slug: 'ida-holm' });
  await request('/api/articles', 'POST', { title: 'On Bread', featured: true, author: author.data.id });
  await request('/api/articles', 'POST', { title: 'On Salt', author: author.data.id });

  const query = 'filters[featured]=true&filters[author][slug]=ida-holm&fields[0]=title&populate=author';
  const { data } = await request(`/api/articles?${query}`);
  expect(data).toHaveLength(1);
  expect(data[0].attributes).toMatchObject({
    title: 'On Bread',
    author: { data: { attributes: { name: 'Ida Holm' } } },
  });
});

test('creating an article without a title is refused', async () => {
  const { error } = await request('/api/articles', 'POST', { summary: 'Nothing above it' });
  expect(error.message).toBe('title must be defined.');
});
