import { expect, test } from '@jest/globals';
import { findUses } from '../../../src/strapi/project/find-uses.js';
import { usesOfAbsent } from '../../support/absent-uses.js';

const isAbsent = (request: string): boolean =>
  request.startsWith('@strapi/strapi/lib/') && !request.endsWith('factories');
const whats = (source: string): readonly string[] => findUses(source, 4, isAbsent).map(({ what }) => what);

test('the use of each absent member is found by the name with which it throws', () => {
  const uses = usesOfAbsent();
  expect(uses.map(({ code }) => whats(code))).toEqual(uses.map(({ name }) => [name]));
});

test.each([
  ['const { fs, log } = strapi;', ['strapi.fs']],
  ["const { templateConfiguration: fill } = require('@strapi/utils');", ['@strapi/utils.templateConfiguration']],
  ["const { traverse } = require('@strapi/utils');", ['@strapi/utils.traverse']],
  ["require('@strapi/strapi/lib/services/cron')", ['@strapi/strapi/lib/services/cron']],
  ["import { a } from '@strapi/strapi/lib/Strapi'; a();", ['@strapi/strapi/lib/Strapi']],
  ["import A from '@strapi/strapi/lib/Strapi'; class B extends A {}", ['@strapi/strapi/lib/Strapi']],
  ["import '@strapi/strapi/lib/Strapi';", ['@strapi/strapi/lib/Strapi']],
  [
    "import { type A, B } from '@strapi/strapi/lib/Strapi'; const a = <B>{} as unknown as A[]; interface C extends B {}",
    [],
  ],
  ["import type { A } from '@strapi/strapi/lib/Strapi'; require('@strapi/strapi/lib/factories')", []],
  ["import { A } from '@strapi/strapi/lib/services/entity-service/types/params';", []],
  ["import { compile } from '@strapi/strapi';", ['@strapi/strapi.compile']],
  ['await strapi\n  .db\n  .queryBuilder("x")', ['strapi.db.queryBuilder']],
  ["strapi.plugins['upload'].services.upload.enhanceFile()", ["strapi.plugin('upload').service('upload').enhanceFile"]],
  ["strapi.service('plugin::upload.folder')", ["strapi.plugin('upload').service('folder')"]],
  ["strapi.services['admin::token'].create()", ["strapi.service('admin::token').create"]],
  ["strapi.admin.services['api-token'].list()", ["strapi.service('admin::api-token').list"]],
  ['strapi.admin.services.passport()', ["strapi.service('admin::passport')"]],
  ["strapi.admin.config.get('x') // strapi.admin", ['strapi.admin']],
  ["await strapi.db.connection.raw('select 1')", ['strapi.db.connection']],
  ['strapi.plugins.upload.provider.upload()', []],
  ["strapi.plugin('email').provider.send()", []],
  ["strapi.query('shared.part').create({})", ["strapi.db.query('shared.part').create"]],
  ["strapi.db.query('strapi::webhook').findMany()", ["strapi.db.query('strapi::webhook')"]],
  ['// strapi.stop()\n/* strapi.fs */ const a = "http://x"; strapi.app', ['strapi.app']],
  ['strapi.app = 1; strapi.config.get("x"); strapi.fsExtra; mystrapi.fs', []],
  // What is no code does not count.
  ["log('strapi.stop() is called'); const a = `strapi.fs ${b} strapi.app`; /strapi.fs/.test(a)", []],
  ["const text = '/*'; strapi.fs; // */", ['strapi.fs']],
  ['`${strapi.fs}`', ['strapi.fs']],
  ['/* never closed', []],
  ['strapi?.fs; strapi["app"]; strapi[name]', ['strapi.fs', 'strapi.app']],
  ['(strapi as any).fs.readFileSync; strapi!.app', ['strapi.fs', 'strapi.app']],
  ['const element = <A b={strapi.fs} />;', ['strapi.fs']],
  ['@Injectable() class A { constructor(@Inject() private b: B) { strapi.fs; } }', ['strapi.fs']],
  ['const { db: { connection }, fs = 1 } = strapi;', ['strapi.db.connection', 'strapi.fs']],
  ['({ fs: this.fs } = strapi);', ['strapi.fs']],
  ["const u = require('@strapi/utils'); u.templateConfiguration()", ['@strapi/utils.templateConfiguration']],
  ["import * as u from '@strapi/utils'; u.templateConfiguration()", ['@strapi/utils.templateConfiguration']],
  ["import utils from './utils'; utils.templateConfiguration()", []],
  ["strapi.service('api::a.a').find().then(() => strapi.fs)", ['strapi.fs']],
])('%s', (source, expected) => {
  expect(whats(source)).toEqual(expected);
});

test('a use has the line on which it ends', () => {
  expect(findUses('strapi\n  .fs\n  .x();\nstrapi.app').map(({ line }) => line)).toEqual([2, 4]);
});

test.each([
  ['try { await strapi.app; } catch {}', true],
  ["try { if (a) run(await strapi.app, 1); } catch (error) { strapi.log.warn('no'); }", true],
  ['try { const { app } = strapi; } catch {}', true],
  ['try { strapi.app } catch (error) { if (a) throw error; }', false],
  ['try { strapi.app } finally { a(); }', false],
  ['try { a(); } catch { strapi.app }', false],
  ['try { later(() => strapi.app) } catch {}', false],
  ['strapi.app', false],
])('what the code catches: %s', (source, isCaught) => {
  expect(findUses(source).map((use) => use.isCaught === true)).toEqual([isCaught]);
});

const use = 'strapi.db.connection.raw()';

test.each([
  `if (strapi.db.config.connection.client === 'postgres') await ${use};`,
  `const { client } = strapi.db.dialect; if (client !== 'sqlite') ${use};`,
  `const isPostgres = strapi.db.dialect.client === "postgres"; return isPostgres ? ${use} : 1;`,
  `const client = strapi.db.config.connection.client; if (!['postgres', 'mysql'].includes(client)) return; ${use};`,
  `const run = () => { if (strapi.db.dialect.client !== 'mysql') { log(); return null; } ${use}; };`,
  `strapi.db.dialect.client === 'mysql' && ready && ${use};`,
  `if (strapi.config.get('database.connection.client') === 'postgres') ${use};`,
  `const client = strapi.config.get('database.connection.client', 'mysql'); if (client !== 'sqlite') ${use};`,
  `if (strapi.config.database.connection.client === 'postgres') ${use};`,
  `switch (strapi.db.dialect.client) { case 'mysql': ${use}; break; case 'postgres': ${use}; break; default: }`,
  `const { db: { dialect: kind } } = strapi; const { client: { x } } = kind; if (strapi?.db?.dialect?.client == 'mysql') ${use}`,
])('SQL of a kind of database that the service is not is no use: %s', (source) => {
  expect(whats(source)).toEqual([]);
});

test.each([
  `if (strapi.db.dialect.client === 'sqlite') ${use};`,
  `if (strapi.db.dialect.client !== 'postgres') ${use};`,
  `if (client === 'postgres') ${use};`,
  `if (strapi.config.get('database.connection.host') === 'postgres') ${use};`,
  `if (strapi.store.get('database.connection.client') === 'postgres') ${use};`,
  `let client = strapi.db.dialect.client; client = of(); if (client === 'postgres') ${use};`,
  `const client = strapi.db.dialect.client; const run = (client) => client === 'postgres' && ${use};`,
  `{ const client = strapi.db.dialect.client; } if (client === 'postgres') ${use};`,
  `const client = strapi.db.dialect.client; { const client = other(); if (client === 'postgres') ${use}; }`,
  `if (strapi.db.dialect.client === 'mysql' || ready) ${use};`,
  `switch (strapi.db.dialect.client) { case 'sqlite': case 'mysql': ${use}; }`,
  `run(); return; function run() { ${use}; }`,
])('SQL that may run is a use: %s', (source) => {
  expect(whats(source)).toEqual(['strapi.db.connection']);
});
