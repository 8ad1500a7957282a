import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { enabledPlugins } from '../../../../src/app/load-registry.js';
import { listLocales, setLocales, nameLocale } from '../../../../src/plugins/i18n/locales.js';
import { parseSettings } from '../../../../src/plugins/i18n/settings.js';
import { openLocks } from '../../../../src/mongo/coordination/locks.js';
import type { TestService } from '../../../../src/testing.js';
import { useService, type Client } from '../../../support/service.js';

/** What plugins get. */
const contextOf = (service: TestService) => ({ ...service, storage: { locks: openLocks(service.database.db) } });

const replaceLocales = ({ service }: Client, body: object): request.Test =>
  request(service.url).put('/api/i18n/locales').auth(service.token, { type: 'bearer' }).send(body);

describe('a project that declares no locales', () => {
  const client = useService();

  test('has English, the default, until others are declared', async () => {
    const { get, post, service } = client;
    const { status, body } = await get('/api/i18n/locales');
    expect(status).toBe(200);
    expect(body).toEqual([
      {
        id: 1,
        name: 'English (en)',
        code: 'en',
        isDefault: true,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ]);
    expect((await post('/api/categories', { name: 'Deutsch', locale: 'de' })).status).toBe(400);

    const declared = [{ code: 'fr', name: 'Français' }, { code: 'de', isDefault: true }, { code: 'en' }];
    const context = contextOf(service);
    await setLocales(context, declared);
    const listed = (await get('/api/i18n/locales')).body as readonly Record<string, unknown>[];
    expect(listed.map(({ id, code, name, isDefault }) => [id, code, name, isDefault])).toEqual([
      [1, 'fr', 'Français', false],
      [2, 'de', 'German (de)', true],
      [3, 'en', 'English (en)', false],
    ]);
    expect((await post('/api/categories', { name: 'Standard' })).body.data.attributes.locale).toBe('de');
    expect(await setLocales(context, declared)).toEqual([]);
    expect(await setLocales(context, [{ code: 'en' }, { code: 'de' }])).toEqual(['Locale fr: removed']);
    const codes = (await listLocales(service.entries)).map(({ code, isDefault }) => [code, isDefault]);
    expect(codes).toEqual([
      ['de', true],
      ['en', false],
    ]);
  });

  test('gets others over the API, with full access', async () => {
    const { get, post, service } = client;
    await setLocales(contextOf(service), [{ code: 'en' }]);
    const { status, body } = await replaceLocales(client, { locales: ['en', 'fr'], defaultLocale: 'fr' });
    expect(status).toBe(200);
    expect(body.map(({ code, name, isDefault }: Record<string, unknown>) => [code, name, isDefault])).toEqual([
      ['en', 'English (en)', false],
      ['fr', 'French (fr)', true],
    ]);
    expect((await post('/api/categories', { name: 'Neuve' })).body.data.attributes.locale).toBe('fr');
    for (const [sent, message] of [
      [{}, 'locales must be a list of codes'],
      [{ locales: ['en', '?'] }, 'locales[1] is "?"; allowed: the code of a language, e.g. "pt-BR"'],
      [{ locales: ['en'], defaultLocale: 'fr' }, 'defaultLocale is "fr"; allowed: one of en'],
    ] as const)
      expect((await replaceLocales(client, sent)).body.error).toMatchObject({ status: 400, message });
    const strangers = await fetch(`${service.url}/api/i18n/locales`, { method: 'PUT', body: '{}' });
    expect(strangers.status).toBe(403);
    expect((await get('/api/i18n/locales')).body).toHaveLength(2);
  });

  test('keeps one default when two replace them at once, also in two processes', async () => {
    const { service } = client;
    const another = contextOf(service);
    for (let round = 0; round < 3; round += 1) {
      await setLocales(contextOf(service), [{ code: 'en' }]);
      await Promise.all([
        replaceLocales(client, { locales: ['en', 'fr'], defaultLocale: 'fr' }).expect(200),
        setLocales(another, [{ code: 'en' }, { code: 'de', isDefault: true }]),
      ]);
      const stored = await listLocales(service.entries);
      expect(stored.filter(({ isDefault }) => isDefault === true)).toHaveLength(1);
      expect([
        ['en', 'fr'],
        ['en', 'de'],
      ]).toContainEqual(stored.map(({ code }) => code));
    }
  });

  test('are replaced as a whole, or not at all', async () => {
    const { service } = client;
    const context = contextOf(service);
    await setLocales(context, [{ code: 'en' }]);
    const before = await listLocales(service.entries);
    const invalid = [{ code: 'fr', isDefault: true }, { code: 'en' }, { code: 'de', name: 7 as unknown as string }];
    await expect(setLocales(context, invalid)).rejects.toThrow('name must be a `string` type');
    expect(await listLocales(service.entries)).toEqual(before);
  });

  test('refuses to list locales without permission', async () => {
    const { status } = await fetch(`${client.service.url}/api/i18n/locales`);
    expect(status).toBe(403);
  });
});

describe('a project that declares locales in the plugins file', () => {
  const client = useService({ plugins: { i18n: { config: { defaultLocale: 'fr', locales: ['en', 'fr'] } } } });

  test('has them, in this order', async () => {
    const listed = (await client.get('/api/i18n/locales')).body as readonly Record<string, unknown>[];
    expect(listed.map(({ id, code, isDefault }) => [id, code, isDefault])).toEqual([
      [1, 'en', false],
      [2, 'fr', true],
    ]);
    expect((await client.post('/api/categories', { name: 'Nouvelle' })).body.data.attributes.locale).toBe('fr');
    const { body } = await replaceLocales(client, { locales: ['en'] });
    expect(body.error).toMatchObject({ status: 400, message: expect.stringContaining('declare the locales') });
  });
});

describe('a project without the i18n plugin', () => {
  const client = useService({ plugins: { i18n: false } });

  test('has no locales, no localizations and no such fields', async () => {
    const { get, post, create, service } = client;
    const id = await create('categories', { name: 'Plain', locale: 'en' });
    const { attributes, ...rest } = (await get(`/api/categories/${id}?populate=*`)).body.data;
    expect(rest).toEqual({ id });
    expect(attributes).not.toHaveProperty('locale');
    expect(attributes).not.toHaveProperty('localizations');
    expect((await get('/api/categories?locale=fr')).body.data).toHaveLength(1);
    expect((await get('/api/i18n/locales')).status).toBe(404);
    expect((await post(`/api/categories/${id}/localizations`, {})).status).toBe(405);
    const { database, registry } = service;
    expect(await database.db.collection('categories').findOne({})).not.toHaveProperty('locale');
    expect(await database.db.listCollections({ name: 'i18n_locale' }).toArray()).toEqual([]);
    expect([...registry.contentTypes.keys()].filter((uid) => uid.includes('i18n'))).toEqual([]);
  });

  test('does not create the plugin, its hooks and interceptors', async () => {
    const namesOf = async (enabled: boolean): Promise<readonly string[]> => {
      const folders = { project: '.', contentTypes: '.', data: '.' };
      const plugins = { i18n: { enabled, config: {} } };
      const loaded = await enabledPlugins({ plugins, folders, environment: 'production' });
      return loaded.map(({ name }) => name);
    };
    expect(await namesOf(true)).toContain('i18n');
    expect(await namesOf(false)).not.toContain('i18n');
  });
});

test.each([
  [{}, undefined],
  [{ defaultLocale: 'fr' }, [{ code: 'fr', isDefault: true }]],
  [
    { locales: ['en', 'pt-BR', 'en'] },
    [
      { code: 'en', isDefault: true },
      { code: 'pt-BR', isDefault: false },
    ],
  ],
])('the settings %j declare %j', (settings, declared) => {
  expect(parseSettings(settings)).toEqual(declared);
});

test.each([
  [{ locales: 'en' }, 'i18n.config.locales is not a list of codes; allowed: codes of languages, e.g. ["en", "pt-BR"]'],
  [{ locales: [] }, 'i18n.config.locales is not a list of codes; allowed: codes of languages, e.g. ["en", "pt-BR"]'],
  [{ locales: ['en', 'all?'] }, 'i18n.config.locales[1] is "all?"; allowed: the code of a language, e.g. "pt-BR"'],
  [{ locales: ['all'] }, 'i18n.config.locales[0] is "all"; allowed: the code of a language, e.g. "pt-BR"'],
  [{ defaultLocale: 'de', locales: ['en', 'fr'] }, 'i18n.config.defaultLocale is "de"; allowed: one of en, fr'],
  [{ language: 'de' }, 'i18n.config.language is unknown; allowed: defaultLocale and locales'],
])('the settings %j are refused', (settings, message) => {
  expect(() => parseSettings(settings)).toThrow(message);
});

test.each([
  ['fr', 'French (fr)'],
  ['fr-CA', 'French (Canada) (fr-CA)'],
  ['xq', 'xq'],
  ['no language', 'no language'],
])('the locale %s is called %s', (code, name) => {
  expect(nameLocale(code)).toBe(name);
});
