/* Where formats of the API know documents, all localizations of an entry have one `documentId`, each locale once. */
import { expect, test } from '@jest/globals';
import request from 'supertest';
import { documentsPlugin } from '../../../support/documents-plugin.js';
import { useService, type Answer } from '../../../support/service.js';

const client = useService({
  contentTypes: 'packages/versions/tests/content-types',
  plugins: {
    i18n: { config: { locales: ['en', 'de', 'fr'] } },
    [documentsPlugin.name]: documentsPlugin.settings,
  },
});

const post = async (path: string, body: object = {}): Promise<Answer> =>
  request(client.service.url).post(`/api/articles/${path}`).auth(client.service.token, { type: 'bearer' }).send(body);
const localize = async (id: number, locale: string): Promise<number> =>
  (await post(`${id}/localizations`, { locale, title: locale })).body.id;
const remove = (id: number): Promise<Answer> => client.delete(`/api/articles/${id}`);
const documentOf = async (id: number): Promise<unknown> => {
  const entry = await client.service.database.db.collection<{ _id: number }>('articles').findOne({ _id: id });
  return (entry as { readonly documentId?: unknown } | null)?.documentId;
};

test('a localization whose place was taken is restored by itself, also when the first entry is gone', async () => {
  const english = await client.create('articles', { title: 'en' });
  const former = await localize(english, 'fr');
  await remove(former);
  const successor = await localize(english, 'fr');
  await remove(english);
  const { status, body } = await post(`trash/${former}/restore`);
  const lost = [{ type: 'api::article.article', id: successor, path: 'localizations' }];
  expect([status, body.meta]).toEqual([200, { links: 0, lost, unkept: 0 }]);
  expect(await documentOf(former)).not.toBe(await documentOf(successor));
});

test('a localization finds those that its document got while it was deleted', async () => {
  const english = await client.create('articles', { title: 'en' });
  const german = await localize(english, 'de');
  await remove(german);
  const french = await localize(english, 'fr');
  await remove(english);
  expect((await post(`trash/${german}/restore`)).body.meta).toMatchObject({ lost: [] });
  expect(await documentOf(german)).toBe(await documentOf(french));
  const { body } = await client.get(
    `/api/articles/${german}?status=draft&populate[localizations][publicationState]=preview`,
  );
  expect(body.data.attributes.localizations.data.map(({ id }: { id: number }) => id)).toEqual([french]);
});
