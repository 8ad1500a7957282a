import { expect, test } from '@jest/globals';
import type { Document } from 'mongodb';
import { useService } from '../../../support/service.js';

const client = useService({
  contentTypes: 'tests/api/plugins/i18n/content-types',
  plugins: { i18n: { config: { locales: ['en', 'fr', 'de'] } } },
});
const { get, put, post, create } = client;

const stored = async (id: number): Promise<Document> =>
  (await client.service.database.db.collection<{ _id: number }>('wares').findOne({ _id: id })) ?? {};

/** Creates a localization with internal code; returns its id. */
async function localize(of: number, locale: string, data: object = {}): Promise<number> {
  const { id } = await client.service.entries.create('api::ware.ware', { locale, localizations: [of], ...data });
  return id;
}

/** The shared values of a document. */
const values = (document: Document): Document =>
  Object.fromEntries(Object.entries(document).filter(([name]) => Object.hasOwn(exact, name)));

const exact = {
  code: 'EXACT',
  note: 'ünï ✓',
  amount: 0,
  serial: '9223372036854775807',
  weight: 0.1,
  kind: 'b',
  active: false,
  day: '2024-02-29',
  opens: '07:05:09.100',
  since: '2024-01-01T08:00:00.000Z',
  stamp: 1_700_000_000_000,
  meta: { 'a.b': [1, { $where: null }], text: '1' },
};

test('values of every type are copied exactly to new and existing localizations', async () => {
  const en = await create('wares', exact);
  const fr = await localize(en, 'fr');
  expect(values(await stored(fr))).toEqual(values(await stored(en)));
  const changed = {
    ...exact,
    code: 'ELSE',
    amount: 1,
    serial: '-1',
    since: null,
    stamp: 5,
    meta: [null],
    active: true,
  };
  expect((await put(`/api/wares/${fr}`, changed)).status).toBe(200);
  expect(values(await stored(en))).toEqual(values(await stored(fr)));
  expect((await get(`/api/wares/${en}`)).body.data.attributes).toMatchObject({ serial: '-1', stamp: '5', since: null });
});

test('null is shared too, and defaults apply to new content only', async () => {
  const en = await create('wares', { amount: null });
  expect(await stored(await localize(en, 'fr'))).not.toHaveProperty('amount');
  expect(await stored(await create('wares', {}))).toHaveProperty('amount', 5);
});

test('passwords, uids, relations and components belong to each locale, localized or not', async () => {
  const parent = await create('wares', {});
  const en = await create('wares', { pin: 'secret', slug: 'own', parent, size: { height: 3 } });
  const fr = await localize(en, 'fr', { pin: 'autre' });
  expect(await stored(fr)).toEqual({
    _id: fr,
    pin: expect.not.stringContaining('autre'),
    amount: 5,
    locale: 'fr',
    localizations: [en],
    _rank: { localizations: ['en'] },
    createdAt: expect.any(Date),
    updatedAt: expect.any(Date),
  });
  const { pin } = await stored(fr);
  await put(`/api/wares/${en}`, { pin: 'changed', slug: 'changed', parent: null, size: null });
  expect(await stored(fr)).toMatchObject({ pin });
  expect(await stored(fr)).not.toHaveProperty('slug');
});

test('a unique shared value is equal in all localizations, and unique within each locale', async () => {
  const en = await create('wares', { code: 'U1' });
  const fr = await localize(en, 'fr');
  const de = await localize(en, 'de');
  const other = await create('wares', { code: 'U2', locale: 'de' });
  const refused = { path: ['code'], message: 'This attribute must be unique', name: 'ValidationError' };
  expect((await post('/api/wares', { code: 'U1' })).body.error.details.errors).toEqual([refused]);
  expect((await post('/api/wares', { code: 'U1', locale: 'fr' })).body.error.details.errors).toEqual([refused]);
  expect((await put(`/api/wares/${en}`, { code: 'U2' })).body.error.details.errors).toEqual([refused]);
  for (const id of [en, fr, de]) expect(await stored(id)).toHaveProperty('code', 'U1');
  expect((await put(`/api/wares/${other}`, { code: 'U3' })).status).toBe(200);
  expect((await put(`/api/wares/${en}`, { code: 'U2' })).status).toBe(200);
  for (const id of [en, fr, de]) expect(await stored(id)).toHaveProperty('code', 'U2');
  expect((await put(`/api/wares/${de}`, { code: 'U2', title: 'same' })).status).toBe(200);
});

test('indexes declared by the project serve lists of one locale', async () => {
  const { db } = client.service.database;
  const names = (await db.collection('wares').listIndexes().toArray()).map(({ name }) => String(name));
  expect(names).toEqual(
    expect.arrayContaining(['cs_locale_1__id_1', 'cs_weight_1__id_1_locale_1', 'cs_locale_1_amount_-1__id_1']),
  );
});
