import { expect, test } from '@jest/globals';
import { useService } from '../support/service.js';

const client = useService({
  plugins: { strapi5: true },
  configure: (config) => ({ ...config, limits: { ...config.limits, components: 3 } }),
});
const { post, put, create } = client;
const texts = (count: number) => Array.from({ length: count }, () => ({ __component: 'blocks.text', content: 'x' }));
const tooMany = (operation: readonly string[] = []) => ({
  status: 400,
  body: {
    error: {
      details: {
        errors: [
          {
            path: [...operation, 'blocks'],
            message: 'blocks has too many components (COMPONENT_LIMIT): at most 3 in a request',
          },
        ],
      },
    },
  },
});

test.each(['/api/articles', '/v5/api/articles'])('%s refuses more components than the limit', async (path) => {
  const before = await client.service.database.db.collection('articles').countDocuments();
  expect(await post(path, { title: 'x', blocks: texts(4) })).toMatchObject(tooMany());
  expect(await client.service.database.db.collection('articles').countDocuments()).toBe(before);
  expect((await post(path, { title: 'x', blocks: texts(3) })).status).toBeLessThan(300);
});

test('components that are not one of the zone count, and those of an update', async () => {
  const id = await create('articles', { title: 'x' });
  expect(await put(`/api/articles/${id}`, { blocks: [1, 2, 3, 4] })).toMatchObject(tooMany());
});

test('code of the project has no limit', async () => {
  const { blocks } = await client.service.entries.create(
    'api::article.article',
    { title: 'x', blocks: texts(4) },
    { populate: 'blocks' },
  );
  expect(blocks).toHaveLength(4);
});
