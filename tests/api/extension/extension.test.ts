import { expect, test } from '@jest/globals';
import { AppError } from '../../../src/errors/app-error.js';
import type { Extension } from '../../../src/plugins/contract/extension.js';
import { useService } from '../../support/service.js';

const seen: string[] = [];

/** An owner's code, as it would stand in `extensions/index.js`. */
const extension: Extension = {
  lifecycles: {
    'api::tag.tag': {
      beforeCreate: ({ data }) => {
        if (data['name'] === 'forbidden') throw new AppError('application', 'This name is not for tags');
        return { ...data, name: String(data['name']).trim() };
      },
      afterCreate: async ({ id, entries }) => {
        const { name } = await entries.findOne('api::tag.tag', id);
        seen.push(`created ${String(name)}`);
      },
      afterUpdate: ({ id }) => void seen.push(`updated ${id}`),
      beforeDelete: ({ id }) => void seen.push(`deleting ${id}`),
      afterDelete: ({ id }) => void seen.push(`deleted ${id}`),
    },
  },
  routes: ({ entries }) => [
    {
      method: 'GET',
      path: '/tags/count',
      action: 'api::tag.tag.find',
      handle: async ({ query }) => ({ body: { count: await entries.count('api::tag.tag', query) } }),
    },
  ],
  guards: {
    'api::comment.comment.create': {
      policies: [({ body }) => !JSON.stringify(body).includes('spam')],
      middlewares: [
        (_request, response, next) => {
          response.setHeader('X-Checked', 'yes');
          next();
        },
      ],
    },
  },
};

const { get, post, put, delete: remove, create } = useService({ extension });

test('lifecycles see every write: before it they change or refuse the data, after it they know the id', async () => {
  const id = await create('tags', { name: '  Bread ' });
  expect((await get(`/api/tags/${id}`)).body.data.attributes.name).toBe('Bread');
  await put(`/api/tags/${id}`, { color: 'red' });
  await remove(`/api/tags/${id}`);
  expect(seen).toEqual(['created Bread', `updated ${id}`, `deleting ${id}`, `deleted ${id}`]);
});

test('what a lifecycle throws is the answer, and nothing is written', async () => {
  const { status, body } = await post('/api/tags', { name: 'forbidden' });
  expect({ status, message: body.error.message }).toEqual({ status: 400, message: 'This name is not for tags' });
  expect((await get('/api/tags?filters[name]=forbidden')).body.data).toEqual([]);
});

test('a route of the owner stands beside the generated ones', async () => {
  await create('tags', { name: 'One', color: 'blue' });
  await create('tags', { name: 'Two' });
  expect((await get('/api/tags/count?filters[color]=blue')).body).toEqual({ count: 1 });
});

test('policies and middlewares stand before generated routes', async () => {
  expect((await post('/api/comments', { text: 'spam and eggs' })).status).toBe(403);
  const { status, headers } = await post('/api/comments', { text: 'eggs' });
  expect({ status, checked: headers['x-checked'] }).toEqual({ status: 200, checked: 'yes' });
});
