import { expect, test } from '@jest/globals';
import { useService } from '../../support/service.js';

const client = useService({ plugins: { i18n: { config: { locales: ['en', 'fr'] } } } });

test.each([
  ['setting', { siteName: 'Setting' }],
  ['homepage', { title: 'Home' }],
])(
  'of concurrent first writes to the single type %s one creates the entry and the others update it',
  async (path, data) => {
    const type = client.service.registry.contentTypes.get(`api::${path}.${path}`);
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([1, 2, 3, 4].map(() => client.put(`/api/${path}`, data)));
      expect(answers.map(({ status, body }) => ({ status, id: body.data?.id }))).toEqual(
        answers.map(() => ({ status: 200, id: answers[0]?.body.data.id })),
      );
      expect(await client.service.database.db.collection(type?.collectionName ?? '').countDocuments()).toBe(1);
      await client.delete(`/api/${path}`);
    }
  },
);
