import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { breachesOf, everything, exportTo, importInto, openExport, useTargets } from './support.js';

/** A folder for each released version, with content types and an archive that it made of their entries. */
const archives = path.resolve('tests/fixtures/archives');
const versions = fs.readdirSync(archives);
const archiveOf = (released: string): string => path.join(archives, released, 'export.tar.gz');
const typesOf = (released: string): string => path.join(archives, released, 'content-types');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'archives-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));
const environment = { API_TOKEN_SALT: 'the-salt-of-the-archives', EDITOR_TOKEN: 'a-token-of-the-archive' };
const open = useTargets({ environment });

test('there is an archive of each released version', () => {
  const released = [...fs.readFileSync('CHANGELOG.md', 'utf8').matchAll(/^## (\d\S*) – \d{4}-/gm)].map(
    ([, name]) => name,
  );
  expect(released.length).toBeGreaterThan(0);
  const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { readonly version: string };
  // The one that is being released gets its archive with the next commit.
  expect(versions).toEqual(expect.arrayContaining(released.filter((name) => name !== version)));
});

describe.each(versions)('an archive of %s', (released) => {
  test('is restored whole by this version, which lacks plugins that ran there', async () => {
    const target = await open(typesOf(released));
    const { manifest } = await openExport(archiveOf(released));
    const absent = Object.keys(manifest.collections).filter((uid) => !target.registry.contentTypes.has(uid));
    expect(absent).toContain('admin::mcp-proposal');
    const { skipped, files, entries } = await importInto(target, archiveOf(released));
    expect([skipped.lines(), files]).toEqual([[], 1]);
    expect(Object.fromEntries(entries ?? [])).toMatchObject({
      articles: 11,
      authors: 3,
      homepage: 1,
      up_users: 1,
      files: 1,
    });
    expect(await breachesOf(target)).toEqual([]);

    const headers = { authorization: `Bearer ${environment.EDITOR_TOKEN}`, 'content-type': 'application/json' };
    const read = async (where: string, body?: object): Promise<unknown> => {
      const init = body === undefined ? { headers } : { method: 'POST', body: JSON.stringify(body), headers };
      const response = await fetch(target.url + where, init);
      return response.json();
    };
    const list =
      '/api/articles?publicationState=preview&locale=all&sort=id&populate=cover,author,quotes,parts,localizations';
    const { data } = (await read(list)) as { readonly data: readonly { readonly attributes: object }[] };
    expect(data[0]?.attributes).toMatchObject({
      title: 'Article 1 — über "Zeichen"',
      views: '9007199254740993',
      price: 1.25,
      day: '2026-02-21',
      at: '2026-02-01T10:20:30.456Z',
      extra: { $where: 1, 'a.b': [1, null, { c: 'd' }] },
      cover: { data: { attributes: { name: 'Łódź straße.png' } } },
      author: { data: { attributes: { name: 'Émile Zola' } } },
      quotes: [{ text: 'quote 1' }, { text: 'second' }],
      parts: [{ __component: 'blocks.text' }, { __component: 'blocks.quote' }],
      localizations: { data: [{ attributes: { locale: 'de' } }] },
    });
    const login = { identifier: 'ada', password: 'correct-horse-9' };
    expect(await read('/api/auth/local', login)).toMatchObject({ user: { username: 'ada' } });
  });

  test('has all that an archive of this version needs: the versions can go back', async () => {
    const target = await open(typesOf(released));
    await importInto(target, archiveOf(released));
    const archive = path.join(folder, `back-to-${released}.tar.gz`);
    await exportTo(archive, target);
    const { manifest } = await openExport(archive);
    const { storage } = (await openExport(archiveOf(released))).manifest;
    expect(storage).toMatchObject(manifest.storage);
  });
});

describe('an archive with entries of a plugin that does not run here', () => {
  const types = typesOf('0.1.0');
  const archive = path.join(folder, 'versions.tar.gz');
  const openSource = useTargets({ environment, plugins: { versions: true } });

  test('names what is missing, and writes nothing; without the plugin the rest is restored', async () => {
    const source = await openSource(types);
    await importInto(source, archiveOf('0.1.0'));
    await source.entries.update('api::author.author', 1, { note: 'changed' });
    expect(await source.entries.count('admin::entry-version', {})).toBeGreaterThan(0);
    const plugins = [
      { name: 'versions', contentTypes: ['admin::entry-version'] },
      { name: 'audit', package: 'audit-log', contentTypes: ['plugin::audit.record'] },
      { name: 'i18n', contentTypes: ['plugin::i18n.locale'] },
    ];
    await exportTo(archive, source, plugins);

    const target = await open(types);
    const before = await everything(target);
    const refusal = importInto(target, archive);
    await expect(refusal).rejects.toThrow(
      /^The export has entries of plugins that do not run here:\n  \d entr(?:y|ies) of admin::entry-version, of the plugin versions: turn versions on in config\/plugins\nNothing was written\. To leave them out, add --without versions$/,
    );
    await expect(importInto(target, archive, { without: 'audit' })).rejects.toThrow(
      '--without audit: the export has no',
    );
    expect(await everything(target)).toEqual(before);

    const { skipped, lines } = await importInto(target, archive, { without: 'versions' });
    expect(skipped.lines()).toEqual([]);
    expect(lines).toEqual([
      expect.stringMatching(/^Left out: \d entr.* of admin::entry-version, of the plugin versions$/),
    ]);
    expect(await target.entries.findOne('api::author.author', 1)).toMatchObject({ note: 'changed' });
  });

  test('and attributes of one are refused with the command that installs it', async () => {
    const target = await open(types);
    const { manifest, ...backup } = await openExport(archive);
    const storage = { ...manifest.storage, 'api::author.author': { audited: 'datetime' } };
    const changed = { ...backup, manifest: { ...manifest, storage } };
    await expect(importInto(target, changed)).rejects.toThrow(
      [
        '  api::author.author audited (datetime) is not an attribute in this project',
        'It was made with the plugin versions, which does not run here: turn versions on in config/plugins',
        'It was made with the plugin audit, which does not run here: npm install audit-log, and turn audit on in config/plugins',
      ].join('\n'),
    );
  });
});
