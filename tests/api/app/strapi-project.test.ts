import { expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const client = useService({ contentTypes: 'tests/fixtures/strapi-project' });

test('content types are read from a Strapi v4 project set as CONTENT_TYPES', async () => {
  const shelf = await client.create('shelves', { name: 'Upper' });
  await client.create('books', { title: 'Tides', shelf, labels: [{ text: 'new' }] });
  const { body } = await client.get('/api/books?populate=*');
  expect(body.data[0].attributes).toMatchObject({
    title: 'Tides',
    labels: [{ text: 'new' }],
    shelf: { data: { id: shelf } },
  });
  expect((await client.put('/api/about', { text: 'Open daily' })).status).toBe(200);
});

test('extensions of a Strapi v4 project change content types of plugins', async () => {
  const { entries, registry } = client.service;
  const uid = 'plugin::users-permissions.user';
  const user = { username: 'clara', email: 'clara@example.org', nickname: 'Cat' };
  expect(await entries.create(uid, user)).toMatchObject({ nickname: 'Cat', email: 'clara@example.org' });
  await expect(entries.create(uid, { ...user, username: 'cat', email: 'cat@example.org' })).rejects.toThrow(
    'username must be at least 5 characters',
  );
  expect(registry.contentTypes.has('plugin::comments.comment')).toBe(false);
});
