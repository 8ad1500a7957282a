import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { packArchive } from '../../../../src/cli/commands/export/pack-archive.js';
import { makeManifest, names } from '../../../../src/cli/commands/import/backup/manifest.js';
import { hintAtRules, openAny } from '../../../../src/cli/commands/import/import.js';
import { dialectOf } from '../../../../src/content-types/model/dialects.js';
import { describeRules } from '../../../../src/mongo/stored/dialect.js';
import { link } from '../../../../src/content-types/link/link.js';
import { define } from '../../content-types/define.js';

const postgres = { database: 'postgres', collation: 'en_US' } as const;
const sqlite = { database: 'sqlite', collation: 'case_sensitive_like' } as const;

test('messages say whose rules values have, and where those are not what such a database usually does', () => {
  expect(describeRules(dialectOf('postgres'), 'config/database says')).toBe(
    'postgres (en_US), as config/database says',
  );
  expect(describeRules(dialectOf('sqlite', 'like'), 'config/database says')).toBe(
    'sqlite (like), as config/database says',
  );
  expect(describeRules(dialectOf('sqlite'), 'nothing names a database')).toBe(
    'sqlite, as nothing names a database; unlike there, $contains and similar operators tell upper from lower case, unless STRAPI_DATABASE_COLLATION=like',
  );
});

test.each([
  ['config/database', postgres, 'postgres'],
  ['STRAPI_DATABASE', postgres, undefined],
] as const)('%s names the right database', (source, choice, named) => {
  expect(hintAtRules(source, choice, named)).toEqual([]);
});

test('other rules than those of the site that it imports are worth a hint, as is no choice', () => {
  expect(hintAtRules('STRAPI_DATABASE', sqlite, 'mysql')).toEqual([
    'Hint: config/database names mysql; with STRAPI_DATABASE=mysql values have the rules of that site',
  ]);
  expect(hintAtRules('default', sqlite, undefined)).toEqual([
    'Hint: if they come from Strapi v4 on PostgreSQL or MySQL, set STRAPI_DATABASE=postgres or mysql before you import them',
  ]);
});

test('only an archive of Strapi v4 has values by the rules of another database', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'archives-'));
  try {
    const [own, strapi] = [path.join(folder, 'own.tar.gz'), path.join(folder, 'strapi.tar.gz')];
    const manifest = JSON.stringify(makeManifest(link(define()), true));
    await packArchive(own, (packing) => packing.text(names.manifest, manifest));
    await packArchive(strapi, (packing) => packing.text('metadata.json', '{}'));
    const hasSqlRules = async (archive: string): Promise<boolean> => {
      const opened = await openAny({ archive, from: undefined, key: undefined, models: undefined });
      return opened.hasSqlRules;
    };
    expect([await hasSqlRules(own), await hasSqlRules(strapi)]).toEqual([false, true]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
