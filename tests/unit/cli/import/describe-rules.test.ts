import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { packArchive } from '../../../../src/cli/commands/export/pack-archive.js';
import { makeManifest, names } from '../../../../src/cli/commands/import/backup/manifest.js';
import { hintAtRules, openAny } from '../../../../src/cli/commands/import/import.js';
import { describeSource } from '../../../../src/config/describe-source.js';
import { dialectOf } from '../../../../src/content-types/model/dialects.js';
import { describeRules } from '../../../../src/mongo/stored/dialect.js';
import { link } from '../../../../src/content-types/link/link.js';
import { define } from '../../content-types/define.js';

const postgres = { database: 'postgres', collation: 'en_US' } as const;
const sqlite = { database: 'sqlite', collation: 'case_sensitive_like' } as const;

test('a start and an import say why values have the rules of a database', () => {
  expect(describeSource({ source: 'config/database' })).toBe('config/database says');
  expect(describeSource({ source: 'default' })).toBe('nothing names a database');
  expect(describeSource({ source: 'config/database', unsetVariable: 'DATABASE_CLIENT' })).toBe(
    'the default of config/database says (DATABASE_CLIENT has no value here; if the site has another database, set STRAPI_DATABASE)',
  );
});

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
  ['the right database is set', 'STRAPI_DATABASE', postgres, { database: 'postgres', unsetVariable: undefined }],
  ['config/database names no database', 'STRAPI_DATABASE', postgres, undefined],
  ['config/database has only a default', 'STRAPI_DATABASE', postgres, { database: 'sqlite', unsetVariable: 'CLIENT' }],
  ['config/database counts', 'config/database', postgres, { database: 'postgres', unsetVariable: undefined }],
] as const)('an import has no hint if %s', (_case, source, choice, named) => {
  expect(hintAtRules(source, choice, named)).toEqual([]);
});

test('an import tells that an explicit choice is not that of the project, and leads nowhere', () => {
  expect(hintAtRules('STRAPI_DATABASE', sqlite, { database: 'mysql', unsetVariable: undefined })).toEqual([
    'config/database names mysql; STRAPI_DATABASE is set to sqlite, and counts',
  ]);
  expect(hintAtRules('default', sqlite, undefined)).toEqual([
    'Hint: if they come from Strapi on PostgreSQL or MySQL, set STRAPI_DATABASE=postgres or mysql before you import them',
  ]);
});

test('only an archive of Strapi v4 has values by the rules of another database', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'archives-'));
  try {
    const [own, strapi] = [path.join(folder, 'own.tar.gz'), path.join(folder, 'strapi.tar.gz')];
    const manifest = JSON.stringify(makeManifest(link(define()), [], new Map(), true));
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
