import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { packArchive } from '../../../../src/cli/commands/export/pack-archive.js';
import { writeExport } from '../../../../src/cli/commands/export/write-export.js';
import { importBackup } from '../../../../src/cli/commands/import/backup/import-backup.js';
import { importSource } from '../../../../src/cli/commands/import/import-source.js';
import { openSource } from '../../../../src/cli/commands/import/import.js';
import { openLocalStore } from '../../../../src/plugins/upload/storage/open-store.js';
import { createTestService, type TestService } from '../../../../src/testing.js';
import { corpus, useService } from '../../../support/service.js';
import { everything, exportTo, filesIn, filesOf, importInto, importingInto, openExport } from './support.js';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'export-'));
const archive = path.join(folder, 'export.tar.gz');
afterAll(() => fs.rmSync(folder, { recursive: true }));

// As on a new machine with the settings of the old one: keys stay good.
const environment = { API_TOKEN_SALT: 'the-same-salt-on-both-machines' };
const source = useService({ environment });
let target: TestService;

beforeAll(async () => {
  const world = await openSource('tests/fixtures/strapi-export/world.tar.gz', { key: undefined });
  await importSource(world, importingInto(source.service));
  await source.service.entries.update('plugin::upload.file', 1, { focalPoint: { x: 0.25, y: 1 } });
  const mongodbUri = process.env['TEST_MONGODB_URI'];
  target = await createTestService({
    contentTypes: corpus,
    environment,
    ...(mongodbUri !== undefined && { mongodbUri }),
  });
  await target.database.db.collection('strapi_api_tokens').deleteMany({});
});
afterAll(async () => target.close());

const paths = (service: TestService): readonly string[] =>
  [...service.registry.contentTypes.values()]
    .filter(({ uid }) => uid.startsWith('api::'))
    .map(({ kind, singularName, pluralName }) => (kind === 'singleType' ? singularName : pluralName))
    .flatMap((name) => [`/api/${name}?populate=*&publicationState=preview&locale=all`, `/api/${name}?sort=id:desc`]);

/** An answer to who has the key of the exported service: its status, and a digest of its text, which is long. */
async function answer({ url }: TestService, where: string): Promise<readonly [string, number, string]> {
  const response = await fetch(url + where, { headers: { authorization: `Bearer ${source.service.token}` } });
  return [
    where,
    response.status,
    createHash('sha256')
      .update(await response.text())
      .digest('hex'),
  ];
}

describe('import of an archive of export', () => {
  beforeAll(async () => {
    await exportTo(archive, source.service);
  });

  test('reports different content types and writes nothing', async () => {
    const backup = await openExport(archive);
    const { manifest } = backup;
    const storage = {
      ...manifest.storage,
      'api::tag.tag': { ...manifest.storage['api::tag.tag'], name: 'integer', weight: 'integer' },
      'api::gone.gone': {},
    };
    const before = await everything(target);
    const changed = { ...backup, manifest: { ...manifest, storage } };
    const importing = importBackup(changed, importingInto(target));
    await expect(importing).rejects.toThrow(
      [
        'The content types of the export are different:',
        '  api::tag.tag name is integer in the export and string in this project',
        '  api::tag.tag weight (integer) is not an attribute in this project',
        '  api::gone.gone is not defined in this project',
        'Nothing was written.',
      ].join('\n'),
    );
    expect(await everything(target)).toEqual(before);
  });

  test('refuses a truncated archive and writes nothing', async () => {
    const cut = path.join(folder, 'cut.tar.gz');
    const bytes = fs.readFileSync(archive);
    fs.writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length / 2)));
    const before = await everything(target);
    await expect(importInto(target, cut)).rejects.toThrow('is damaged');
    expect(await everything(target)).toEqual(before);
  });

  test('refuses a format that it does not know', async () => {
    const later = path.join(folder, 'later.tar.gz');
    await packArchive(later, ({ text }) => text('content-service.json', '{ "format": 99 }'));
    await expect(openExport(later)).rejects.toThrow('has the format 99; this version reads 1');
  });

  test('resumes after an interruption and restores every document, file and response', async () => {
    let left = 40;
    const breaking = { stored: () => fail((left -= 1)), existing: () => undefined, read: () => undefined };
    const fail = (more: number): void => {
      if (more < 0) throw new Error('It is broken off');
    };
    await expect(importInto(target, archive, { reporter: breaking })).rejects.toThrow('It is broken off');
    const { skipped: untaken, stored, existing } = await importInto(target, archive);
    expect(untaken.lines()).toEqual([]);
    expect(stored).toBeGreaterThan(0);
    expect(existing).toBeGreaterThan(0);

    const [there, here] = [await everything(source.service), await everything(target)];
    expect(Object.values(there).flat().length).toBeGreaterThan(100);
    expect(here).toEqual(there);
    const names = Object.keys(filesIn(source.service));
    expect(names.length).toBeGreaterThan(0);
    expect(filesIn(target)).toEqual(filesIn(source.service));
    for (const where of [...paths(source.service), `/uploads/${names[0]}`]) {
      const there = await answer(source.service, where);
      expect(await answer(target, where)).toEqual(there);
      expect(there[1]).toBe(200);
    }
  });

  test('changes nothing the second time, and restores entries changed since the export', async () => {
    const before = await everything(target);
    expect(await importInto(target, archive)).toMatchObject({ stored: 0, files: 0 });
    expect(await everything(target)).toEqual(before);
    await target.database.db.collection<{ _id: number }>('tags').updateOne({ _id: 1 }, { $set: { name: 'Changed' } });
    const [file = ''] = fs.readdirSync(filesOf(target));
    fs.rmSync(path.join(filesOf(target), file));
    expect(await importInto(target, archive)).toMatchObject({ stored: 1, files: 1 });
    expect(await everything(target)).toEqual(before);
  });

  test('raises the counters, so that new entries get new ids', async () => {
    const ids = await Promise.all(
      [source.service, target].map(async ({ entries }) => (await entries.create('api::tag.tag', { name: 'New' })).id),
    );
    expect(ids[1]).toBe(ids[0]);
  });
});

test('export writes a file with mode 0600, and no file if it is stopped', async () => {
  expect(fs.statSync(archive).mode & 0o777).toBe(0o600);
  const stopping = new AbortController();
  const exporting = {
    registry: source.service.registry,
    plugins: [],
    database: source.service.database,
    store: openLocalStore(filesOf(source.service)),
    stopping: stopping.signal,
  };
  const stopped = writeExport(path.join(folder, 'stopped.tar.gz'), exporting, () => stopping.abort());
  await expect(stopped).rejects.toThrow('aborted');
  expect(fs.readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
});
