import { expect, test } from '@jest/globals';
import request from 'supertest';
import { useService, type Answer } from '../../../tests/support/service.js';

/**
 * What localizations share in Strapi 5 beside values: components, zones and files that are not marked as localized. The
 * stored data is checked at the end.
 */
const client = useService({
  contentTypes: 'packages/strapi5/tests/localized-types',
  environment: { REST_PREFIX: '/v4/api' },
  plugins: {
    strapi5: { config: { path: '/' } },
    graphql: { config: { endpoint: '/v4/graphql' } },
    i18n: { config: { locales: ['en', 'fr', 'de'] } },
  },
});

const send = (method: 'post' | 'put', path: string, data: object): Promise<Answer> =>
  request(client.service.url)[method](`/api/${path}`).auth(client.service.token, { type: 'bearer' }).send({ data });
const populate =
  'populate[lines][populate][0]=tag&populate[lines][populate][1]=file&populate[zone]=true&populate[photo]=true&populate[own]=true&populate[tag]=true';
const read = async (documentId: string, locale: string, status = 'published'): Promise<Answer['body']> =>
  (await client.get(`/api/leaflets/${documentId}?locale=${locale}&status=${status}&${populate}`)).body.data;
const upload = async (): Promise<number> => {
  const sent = await request(client.service.url)
    .post('/api/upload')
    .auth(client.service.token, { type: 'bearer' })
    .attach('files', Buffer.from('text'), 'one.txt');
  return sent.body[0].id as number;
};

/** Without the ids of components. */
const valuesOf = ({ lines, zone, photo }: Answer['body']): unknown =>
  JSON.parse(
    JSON.stringify({ lines, zone, photo: photo?.id }, (key, value: unknown) =>
      key === 'id' || key === 'file' ? undefined : value,
    ),
  );
const idsOf = ({ lines, zone }: Answer['body']): readonly string[] =>
  [...lines, ...zone].flatMap((part: { id: number; tag?: { id: number } | null }) => [
    `line ${part.id}`,
    ...(part.tag ? [`mark ${part.tag.id}`] : []),
  ]);

const lines = (text: string): object => ({ lines: [{ text, tag: { color: 'red' } }] });

/** An English and a French entry of one document. */
async function created(data: object, french: object = { title: 'fr' }): Promise<string> {
  const made = await send('post', 'leaflets', { title: 'en', ...data });
  expect(made.status).toBe(201);
  const { documentId } = made.body.data;
  const added = await send('put', `leaflets/${documentId}?locale=fr`, french);
  expect([added.status, added.body.error]).toEqual([200, undefined]);
  return documentId as string;
}

test('a new localization has them, with components of its own, and files that they lead to', async () => {
  const file = await upload();
  const documentId = await created({
    lines: [{ text: 'one', file, tag: { color: 'red' } }, { text: 'two' }],
    zone: [{ __component: 'kit.line', text: 'zone' }],
    photo: file,
    own: { text: 'own' },
    tag: { code: `only ${Date.now()}` },
  });
  const [en, fr] = [await read(documentId, 'en'), await read(documentId, 'fr')];
  expect(valuesOf(fr)).toEqual(valuesOf(en));
  expect([fr.lines[0].file.id, fr.photo.id]).toEqual([file, file]);
  expect(idsOf(fr).filter((id) => idsOf(en).includes(id))).toEqual([]);
  // What is marked as localized is each localization's own, and so is what must be unique in all components.
  expect([fr.own, fr.tag]).toEqual([null, null]);
});

test.each([
  ['a whole list', lines('new')],
  ['none', { zone: [] }],
])('a write of %s goes to all', async (_, data) => {
  const documentId = await created({ ...lines('old'), zone: [{ __component: 'kit.line', text: 'zone' }] });
  expect((await send('put', `leaflets/${documentId}?locale=fr`, data)).status).toBe(200);
  const [en, fr] = [await read(documentId, 'en'), await read(documentId, 'fr')];
  expect(valuesOf(en)).toEqual(valuesOf(fr));
  expect(en.title).toBe('en');
});

test('a change of one component goes to all, and each keeps its title', async () => {
  const documentId = await created(lines('old'));
  const { lines: stored } = await read(documentId, 'fr');
  const changed = { lines: [{ id: stored[0].id, text: 'changed' }, { text: 'added' }] };
  expect((await send('put', `leaflets/${documentId}?locale=fr`, changed)).status).toBe(200);
  const en = await read(documentId, 'en');
  expect(en.lines.map(({ text, tag }: Answer['body']) => [text, tag?.color])).toEqual([
    ['changed', 'red'],
    ['added', undefined],
  ]);
});

test('a saved draft changes no other localization before it is published', async () => {
  const documentId = await created(lines('old'));
  expect((await send('put', `leaflets/${documentId}?locale=fr&status=draft`, lines('draft'))).status).toBe(200);
  expect((await read(documentId, 'en')).lines[0].text).toBe('old');
  expect((await read(documentId, 'fr', 'draft')).lines[0].text).toBe('draft');
  expect((await send('put', `leaflets/${documentId}?locale=fr`, {})).status).toBe(200);
  expect((await read(documentId, 'en')).lines[0].text).toBe('draft');
});

test('a new draft that would change what is published is refused by name, and one that is alike is not', async () => {
  const documentId = await created(lines('old'));
  const refused = await send('put', `leaflets/${documentId}?locale=de&status=draft`, { title: 'de', ...lines('new') });
  expect([refused.status, refused.body.error.details.errors[0].path]).toEqual([400, ['lines']]);
  expect((await read(documentId, 'en')).lines[0].text).toBe('old');
  const alike = await send('put', `leaflets/${documentId}?locale=de&status=draft`, { title: 'de', ...lines('old') });
  expect([alike.status, alike.body.error]).toEqual([200, undefined]);
});
