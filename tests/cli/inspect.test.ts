import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { usesOfAbsent } from '../support/absent-uses.js';

const program = path.resolve('bin/content-service.mjs');
const sample = path.resolve('tests/fixtures/project-corpus/project');
const { env: variables } = JSON.parse(fs.readFileSync('tests/fixtures/project-corpus/world.json', 'utf8')) as {
  readonly env: Readonly<Record<string, string>>;
};

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'inspect-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

function inspect(...args: readonly string[]) {
  const env = { ...process.env, ...variables, NODE_ENV: 'test', DATA_FOLDER: path.join(folder, 'data') };
  return spawnSync(process.execPath, [program, 'inspect', ...args], { cwd: folder, env, encoding: 'utf8' });
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
}

test('inspect lists the code of a project that runs', () => {
  const { stdout, status, stderr } = inspect(sample, '--json');
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    loaded: { controllers: 10, services: 11, policies: 8, middlewares: 8, lifecycles: 3, 'strapi-server': 1 },
    plugins: ['reminders'],
    unsupported: [],
  });
});

test('inspect reports unsupported code with file, line and consequence', () => {
  write({
    'src/index.js': 'module.exports = {\n  bootstrap: ({ strapi }) => strapi.db.connection.raw("select 1"),\n};',
    'src/api/one/index.js':
      'module.exports = { async bootstrap({ strapi }) { try { await strapi.db.connection.raw("select 1"); } catch {} } };',
    'src/admin/app.js': 'ctx.session;',
    'config/logger.js': 'module.exports = require("@strapi/logger");',
    'config/plugins.js':
      'module.exports = { grapql: { enabled: true }, ckeditor: true, resend: { config: {} }, email: { config: { provider: "sendgrid" } } };',
    'database/migrations/one.js': 'module.exports = {};',
    'src/api/.gitkeep': '',
  });
  const { stdout, status } = inspect();
  expect(status).toBe(1);
  expect(stdout).toContain('database/migrations/one.js does not run: imported data is already migrated\n');
  expect(stdout).toContain('4 settings and files have no effect: src/admin, config/logger, ckeditor, resend\n');
  const each = inspect('--all').stdout;
  for (const line of [
    "src/admin has no effect: Strapi's admin panel is not there\n",
    'config/plugins.js:1: resend has no effect: it is not installed, and not enabled in Strapi v4 either\n',
    'config/logger has no effect: LOG_LEVEL says what is logged\n',
    'config/plugins.js:1: ckeditor has no effect: it is an editor for the admin panel\n',
  ])
    expect(each).toContain(line);
  // What does not work comes first.
  expect(stdout).toMatch(/^Not supported:\n/);
  expect(stdout).toContain(
    'Not supported:\n' +
      '  config/plugins.js:1: the plugin "grapql"; did you mean "graphql"?: it is not installed and does not run\n' +
      '  config/plugins.js:1: the email provider "sendgrid": it is not installed: mail is not sent unless SMTP_URL is set\n' +
      '  src/index.js:2: strapi.db.connection: SQL is not available on MongoDB: the call throws, which stops the start in register and bootstrap\n' +
      '  src/api/one/index.js:1: strapi.db.connection: SQL is not available on MongoDB: the call throws, and the code around it goes on\n',
  );
  expect(stdout).toContain('npm install @strapi/provider-email-sendgrid@4\n');
});

test("inspect knows the service's own plugins", () => {
  const names = ['versions', 'mcp', 'admin', 'webhooks', 'cdn', 'schedule', 'api-tokens', 'landing-page'];
  write({
    'src/index.js': 'module.exports = {};',
    'src/api/.gitkeep': '',
    'config/plugins.js': `module.exports = ${JSON.stringify(Object.fromEntries(names.map((name) => [name, true])))};`,
  });
  expect(inspect().stdout).toContain('Everything is supported.');
});

test('inspect warns about plugin settings without effect', () => {
  write({
    'src/index.js': 'module.exports = {};',
    'src/api/.gitkeep': '',
    'config/plugins.js': `module.exports = {
      email: { config: {}, settings: {} },
      'users-permissions': { config: { providers: { discord: { enabled: true, callback: '/auth' } } } },
      upload: { config: { 'vercel-deploy': {} } },
      graphql: { config: { subscriptions: true, artifacts: { schema: true }, apolloServer: { bodyParserConfig: {} } } },
    };`,
  });
  const { stdout, status } = inspect('--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    unsupported: [],
    warnings: [
      'config/plugins.js:2: email.settings is unknown and has no effect; allowed: enabled, config and resolve',
      expect.stringMatching(
        /^config\/plugins\.js:4: Plugin upload: config\.vercel-deploy is not supported; allowed: sizeLimit, /,
      ),
      expect.stringMatching(
        /^config\/plugins\.js:3: Plugin users-permissions: config\.providers\.discord\.callback .*; the provider is left out$/,
      ),
      'config/plugins.js:3: Plugin users-permissions: config.providers.discord.key is missing; the provider is left out',
      'config/plugins.js:3: Plugin users-permissions: config.providers.discord.secret is missing; the provider is left out',
      expect.stringMatching(
        /^config\/plugins\.js:5: Plugin graphql: config\.subscriptions true has no effect: EVENTS=true /,
      ),
      'config/plugins.js:5: Plugin graphql: config.artifacts.schema true has no effect; name a file',
      expect.stringMatching(
        /^config\/plugins\.js:5: Plugin graphql: config\.apolloServer\.bodyParserConfig is not supported/,
      ),
    ],
  });
});

test.each([
  ['src/policies/mine.js', 'module.exports = (;', /^src\/policies\/mine\.js cannot be loaded: .*mine\.js/],
  // Its code runs a second time, compiled.
  [
    'src/policies/twice.js',
    'globalThis.runs = (globalThis.runs ?? 0) + 1; throw new Error(["the key is missing", "opened already"][globalThis.runs - 1]);',
    /^src\/policies\/twice\.js cannot be loaded: the key is missing \(src\/policies\/twice\.js:1\)/,
  ],
  [
    'src/api/note/routes/note.js',
    'module.exports = { routes: [{ method: "GET", path: "/n", handler: "note.find" }] };',
    /^Error creating endpoint GET \/n: Handler not found "note.find"/,
  ],
])('inspect reports code that cannot be loaded: %s', (file, text, message) => {
  write({ [file]: text, 'src/api/.gitkeep': '' });
  const { stderr, status } = inspect();
  expect(stderr.replace(/^Error: /, '')).toMatch(message);
  expect(status).toBe(2);
});

test('inspect names what guards actions over REST only', () => {
  write({
    'src/api/note/content-types/note/schema.json': JSON.stringify({
      kind: 'collectionType',
      collectionName: 'notes',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
      attributes: { text: { type: 'string' } },
    }),
    'src/api/note/controllers/note.js': 'module.exports = { find: () => [] };',
    'src/api/note/routes/note.js':
      'module.exports = { routes: [{ method: "GET", path: "/n", handler: "note.find", config: { policies: [() => true] } }] };',
    'package.json': '{}',
  });
  expect(inspect().stdout).toContain('there is no GraphQL API: @strapi/plugin-graphql is not in the dependencies');
  write({ 'package.json': JSON.stringify({ dependencies: { '@strapi/plugin-graphql': '4.26.2' } }) });
  const { stdout, status } = inspect();
  expect(status).toBe(0);
  expect(stdout).toContain(
    '1 action of note: GraphQL does not run their controllers, policies and middlewares, as in Strapi v4, unless resolversConfig adds policies\n',
  );
  const policies = 'as in Strapi v4, unless resolversConfig adds policies';
  expect(inspect('--all').stdout).toContain(
    `api::note.note.find: GraphQL does not run the policies of GET /n in src/api/note/routes/note.js, ${policies}\n` +
      `api::note.note.find: GraphQL does not run the controller "note" in src/api/note/controllers/note.js, ${policies}\n`,
  );
});

test('a module that code finds by an alias of its own is not missing', () => {
  write({
    'src/index.js': `const Module = require('node:module');
      const resolve = Module._resolveFilename;
      Module._resolveFilename = (request, ...others) =>
        resolve(request.replace(/^@shop(?=\\/)/, require('node:path').join(__dirname, 'shop')), ...others);
      module.exports = {};`,
    'src/shop/prices.js': 'module.exports = { of: () => 1 };',
    'src/api/note/services/note.js':
      "module.exports = { price: require('@shop/prices').of, tax: () => require('@shop/taxes') };",
  });
  const { stdout } = inspect();
  expect(stdout).toContain('src/api/note/services/note.js:1: the package "@shop/taxes": it is not installed\n');
  expect(stdout).not.toContain('@shop/prices');
});

test('packages that come with Strapi are those of the service, unless the project or a plugin has them', () => {
  write({
    'config/plugins.js': "module.exports = { own: { enabled: true, resolve: './src/plugins/own' } };",
    'package.json': '{ "dependencies": { "uuid": "^8.0.0" } }',
    'src/plugins/own/node_modules/qs/package.json': '{ "name": "qs" }',
    'src/plugins/own/node_modules/qs/index.js': "module.exports = 'of the plugin';",
    'src/plugins/own/strapi-server.js':
      "if (require('qs') !== 'of the plugin') throw new Error('not its own');\n" +
      "new (require('@koa/router'))().get('/', require('yup').string);\nmodule.exports = {};",
    'src/index.ts': `import _, { get } from 'lodash';
      import { pick } from 'lodash/fp';
      import jwt from 'jsonwebtoken';
      import * as qs from 'qs';
      console.log(_.get({ a: 1 }, 'a') + get({ a: 2 }, 'a'), pick(['b'])({ a: 1, b: 2 }), qs.stringify({ c: 3 }), typeof jwt.sign);
      export default {};`,
    'src/api/note/services/note.js':
      "const { lookup } = require('mime-types');\nmodule.exports = { type: console.log(lookup('a.pdf')), other: () => [require('absent-qs'), require('chalk'), require('uuid')] };",
  });
  const { stdout, stderr } = inspect();
  expect(stdout).toContain('3 { b: 2 } c=3 function\n');
  expect(stdout).toContain('application/pdf\n');
  expect(stdout + stderr).not.toMatch(/"(?:lodash|jsonwebtoken|qs|mime-types)/);
  expect(stdout).toContain('Missing packages: npm install absent-qs chalk@4 uuid\n');
});

test('inspect lists everything that is missing, and goes on', () => {
  write({
    'config/server.js': "module.exports = require('absent-settings');",
    'src/index.ts': `import type { A } from 'only-types';
      import { B } from 'erased';
      import axios from 'absent-axios';
      export default { bootstrap: () => axios.get((1 as unknown as B).x) };`,
    // The service has this part of koa-body.
    'src/api/note/services/note.js':
      "module.exports = () => ({ run: () => require('@absent/scoped/part'), text: require('koa-body/unparsed.js') });",
    'src/api/note/controllers/note.js':
      "const { run } = require('absent-settings');\nmodule.exports = { find: () => strapi.stop() };",
    'src/plugins/own/strapi-server.js': "module.exports = require('absent-plugin');",
    'src/plugins/own/admin/src/index.js': "module.exports = require('absent-panel');",
    'src/plugins/own/strapi-admin.js': "module.exports = require('absent-panel');",
    // Nothing loads these: beside the server of a plugin, of a plugin that does not run, and of an extension.
    'src/plugins/own/tests/own.js': "module.exports = require('absent-unused');",
    'src/plugins/off/server/index.js': "module.exports = () => strapi.destroy(require('absent-unused'));",
    'src/plugins/off/strapi-server.js': "module.exports = require('./server');",
    'src/extensions/users-permissions/server/former.js': "module.exports = require('absent-unused');",
    'config/plugins.js':
      "module.exports = { own: { enabled: true, resolve: './src/plugins/own' }, sentry: { enabled: true }, menus: { enabled: true }, sorter: { enabled: true }, cloud: { enabled: true, resolve: './src/plugins/off' } };",
    'src/plugins/off/package.json': '{ "name": "@strapi/plugin-cloud" }',
    'package.json': '{ "dependencies": { "@owner/sorter": "^1.2.0", "strapi-plugin-email": "^3.6.8" } }',
  });
  const { status, stdout, stderr } = inspect();
  expect(stderr).toContain('config/server.js cannot be loaded: the package "absent-settings" is not installed');
  expect(stderr).toContain('The plugin own cannot be loaded: the package "absent-plugin" is not installed');
  for (const line of [
    '  4 packages that the code imports are not installed: "absent-settings" (src/api/note/controllers/note.js:1), ' +
      '"@absent/scoped" (src/api/note/services/note.js:1), "absent-axios" (src/index.ts:3), "absent-plugin" (src/plugins/own/strapi-server.js:1)\n',
    'Missing packages: npm install @strapi/plugin-sentry@4 strapi-plugin-menus @owner/sorter@^1.2.0 absent-settings @absent/scoped absent-axios absent-plugin\n',
    'the plugin "menus": it is not installed and does not run: the package may be strapi-plugin-menus\n',
    'src/api/note/controllers/note.js:2: strapi.stop: the call throws\n',
  ])
    expect(stdout).toContain(line);
  expect(stdout.match(/npm install/g)).toHaveLength(1);
  expect(stdout).not.toMatch(
    /only-types|erased|absent-panel|absent-unused|strapi-plugin-email|Everything is supported/,
  );
  expect(status).toBe(2);
});

test('inspect reports definitions that cannot be read and plugins that are not there, and still reports the code', () => {
  write({
    'src/api/note/content-types/note/schema.json': '{ "kind": "collectionType", ',
    'src/api/page/content-types/page/schema.json': JSON.stringify({
      kind: 'collectionType',
      info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
      attributes: { notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' } },
    }),
    'src/api/page/controllers/page.js': 'module.exports = { find: () => strapi.stop() };',
    'config/plugins.js': "module.exports = { own: { enabled: true, resolve: './src/plugins/own' } };",
  });
  const { status, stdout, stderr } = inspect();
  expect(stderr).toContain(
    'src/api/note/content-types/note/schema.json: line 1, column 29: invalid JSON, property name expected\n',
  );
  expect(stderr).toContain('The plugin own (./src/plugins/own) cannot be loaded: ');
  // The definition may be right but for its form.
  expect(stderr).not.toContain('is no content type');
  expect(stdout).toContain('src/api/page/controllers/page.js:1: strapi.stop: the call throws\n');
  expect(status).toBe(2);
});

test('inspect looks at the files beside src that code loads', () => {
  write({
    'src/index.js': "module.exports = { bootstrap: () => require('../database/seeds') };",
    'src/admin/app.js': "require('../../panel');",
    'config/middlewares.js': "module.exports = [{ resolve: './lib/own' }];",
    'database/seeds/index.ts': "import { rows } from './rows';\nexport const seed = () => strapi.stop(rows);",
    'database/seeds/rows.ts': "import faker from 'absent-faker';\nexport const rows = [faker.name()];",
    'lib/own.js': "module.exports = () => async () => require('absent-own');",
    'panel.js': "require('absent-panel');",
    'scripts/deploy.js': "require('absent-deploy');",
  });
  const { stdout } = inspect();
  expect(stdout).toContain('"absent-own" (lib/own.js:1), "absent-faker" (database/seeds/rows.ts:1)\n');
  expect(stdout).toContain('database/seeds/index.ts:2: strapi.stop: the call throws\n');
  expect(stdout).not.toMatch(/absent-(?:panel|deploy)/);
});

test('inspect leaves out what only the panel runs', () => {
  const absent = (name: string): string => `import one from 'absent-${name}';\nexport const all = [one()];`;
  write({
    'src/index.js': "module.exports = { bootstrap: () => require('./shared/both') };",
    'src/admin/app.tsx':
      "import { Home } from '../pages/Home';\nimport '../shared/both';\nimport x from 'absent-panel';",
    'src/pages/Home.jsx': "import { all } from './chart';\nexport const Home = () => <p>{all}</p>;",
    'src/pages/chart.js': absent('panel-chart'),
    'src/shared/both.js': "module.exports = require('absent-both');",
    'src/shared/nobody.js': "module.exports = require('absent-nobody');",
    'src/extensions/own/admin/src/page.js': absent('panel-page'),
    'src/extensions/own/documents/admin/page.js': absent('panel-deep'),
    'src/extensions/own/strapi-server.js': "module.exports = (plugin) => require('./server/admin/part')(plugin);",
    'src/extensions/own/server/admin/part.js': "module.exports = (plugin) => require('absent-server') && plugin;",
    'src/plugins/@owner/own/admin/src/index.ts': absent('panel-plugin'),
  });
  const { stdout } = inspect();
  for (const name of ['both', 'nobody', 'server']) expect(stdout).toContain(`"absent-${name}"`);
  expect(stdout).not.toContain('absent-panel');
});

test('inspect goes on after settings that lack a variable, and still reports the code', () => {
  write({
    'config/plugins.js': `module.exports = ({ env }) => {
      if (!process.env.AWS_BUCKET) throw new Error('AWS_BUCKET is missing');
      return { email: { config: { settings: { defaultFrom: env('MAIL_SENDER').trim(), testAddress: env('TEST_ADDRESS', 'a@b.test') } } } };
    };`,
    'src/index.js': [1, 2, 3, 4, 5].map((n) => `exports.f${n} = () => strapi.stop();`).join('\n'),
    'src/api/.gitkeep': '',
  });
  const { status, stdout, stderr } = inspect();
  expect(stderr).toContain('config/plugins.js cannot be read: AWS_BUCKET is missing');
  expect(stderr).toContain(
    'Variables of the project without a value: AWS_BUCKET (config/plugins.js:2), MAIL_SENDER (config/plugins.js:3)\n',
  );
  expect(stdout).not.toContain('MAIL_SENDER');
  expect(stdout).toContain('so that its defaults apply: TEST_ADDRESS (config/plugins.js:3)\n');
  expect(stdout).toContain(
    '  src/index.js:1, src/index.js:2, src/index.js:3 and 2 more places: strapi.stop: the call throws, which stops the start in register and bootstrap\n',
  );
  expect(status).toBe(2);
});

test('inspect says what stops the start of a project without code', () => {
  write({
    'src/api/.gitkeep': '',
    'config/plugins.js':
      "module.exports = ({ env }) => ({ upload: { config: { sizeLimit: env('UPLOAD_SIZE').trim() } } });",
  });
  const { status, stderr } = inspect();
  expect(stderr).toContain('Variables of the project without a value: UPLOAD_SIZE (config/plugins.js:1)\n');
  expect(status).toBe(2);
});

test('inspect finds every absent member in the sample project', () => {
  const project = path.join(folder, 'project');
  fs.cpSync(sample, project, { recursive: true });
  const uses = usesOfAbsent();
  write({ 'project/src/uses.js': `module.exports = [\n${uses.map(({ code }) => `() => ${code}`).join(',\n')},\n];` });
  const { unsupported } = JSON.parse(inspect(project, '--json').stdout) as {
    readonly unsupported: readonly { readonly file: string; readonly line: number; readonly what: string }[];
  };
  expect(unsupported.map(({ file, line, what }) => [file, line, what])).toEqual(
    uses.map(({ name }, index) => ['src/uses.js', index + 2, name]),
  );
});

test('inspect ends although the code of the project keeps the process alive', () => {
  write({ 'src/index.js': 'setInterval(() => undefined, 1000); module.exports = {};', 'src/api/.gitkeep': '' });
  expect(inspect()).toMatchObject({ status: 0, signal: null });
});

test('inspect names the version of Strapi, and lists what code of Strapi 5 uses and is not there', () => {
  const code = {
    'src/index.ts': 'export default {\n  register({ strapi }) {\n    strapi.ai.start();\n  },\n};',
    'src/api/note/services/note.js':
      "const { createContentApiRoutesFactory } = require('@strapi/utils');\nmodule.exports = {};",
  };
  write({ ...code, 'package.json': '{ "dependencies": { "@strapi/strapi": "5.54.0" } }' });
  const five = inspect('--all');
  expect(five.status).toBe(1);
  expect(five.stdout).toMatch(/^A project of Strapi 5 \(5\.54\.0\)\n/);
  expect(five.stdout).toContain(
    '  src/index.ts:3: strapi.ai: the call throws, which stops the start in register and bootstrap\n' +
      '  src/api/note/services/note.js:1: @strapi/utils.createContentApiRoutesFactory: the call throws\n',
  );
  const schema = (draftAndPublish: boolean) =>
    JSON.stringify({
      kind: 'collectionType',
      collectionName: 'notes',
      info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
      options: { draftAndPublish },
      attributes: { text: { type: 'text' } },
    });
  const update =
    "module.exports = { run: () => strapi.db.query('api::note.note').update({ where: { id: 1 }, data: {} }) };";
  write({
    'src/index.ts': '',
    'src/api/note/services/note.js': update,
    'src/api/note/content-types/note/schema.json': schema(true),
  });
  expect(inspect('--all').stdout).toContain(
    "src/api/note/services/note.js:1: strapi.db.query('api::note.note').update: the type has drafts: the call throws\n",
  );
  write({ 'src/api/note/content-types/note/schema.json': schema(false) });
  expect(inspect('--all').stdout).toContain('Everything is supported.');
  // A project that names no version runs as one of Strapi 4, in which such code is a mistake.
  write({
    'package.json': '{}',
    'src/index.js': '',
    'src/api/note/services/note.js': "module.exports = () => strapi.documents('api::note.note');",
  });
  expect(inspect('--all').stdout).toContain(
    'src/api/note/services/note.js:1: strapi.documents: it is of Strapi 5, which package.json does not name: the call throws\n',
  );
  write({ 'package.json': '{ "dependencies": { "@strapi/strapi": "^6.0.0" } }' });
  expect(inspect()).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('"^6.0.0" is Strapi 6: the service runs'),
  });
});

test('inspect reports a project without code', () => {
  write({ 'src/api/.gitkeep': '' });
  expect(inspect()).toMatchObject({ status: 0, stdout: 'The project has no code.\n' });
  const { stdout, status } = inspect('--json');
  expect(status).toBe(0);
  const nothing = { loaded: {}, plugins: [], notes: [], unsupported: [], guards: [], warnings: [], failures: [] };
  expect(JSON.parse(stdout)).toEqual({
    folder: fs.realpathSync(folder),
    strapi: { major: 4, hasGraphql: false },
    ...nothing,
  });
});

test('inspect finds what is wrong with a project without code', () => {
  const schema = (attributes: object) =>
    JSON.stringify({ info: { singularName: 'song', pluralName: 'songs', displayName: 'Song' }, attributes });
  write({
    'src/api/song/content-types/song/schema.json': schema({ title: { type: 'string', requird: true } }),
    'config/plugins.js': 'module.exports = { uplaod: true };',
  });
  const { stdout, status } = inspect('--all');
  expect(status).toBe(0);
  expect(stdout).toContain('attributes.title.requird is unknown and has no effect; did you mean "required"?\n');
  expect(stdout).toContain('config/plugins.js:1: unknown plugin "uplaod" has no effect; did you mean "upload"?\n');
  write({ 'src/api/song/content-types/song/schema.json': schema({ title: { type: 'strng' } }) });
  const broken = inspect();
  expect(broken.status).toBe(2);
  expect(broken.stderr).toContain('attributes.title.type names an unknown attribute type "strng"');
});

test('inspect lists contradictions in the definitions of a project with code', () => {
  write({
    'src/index.js': 'module.exports = {};',
    'src/api/song/content-types/song/schema.json': JSON.stringify({
      info: { singularName: 'song', pluralName: 'songs', displayName: 'Song' },
      attributes: { kind: { type: 'enumeration', enum: ['slow', 'fast'], default: 'quick' } },
    }),
  });
  expect(inspect()).toMatchObject({ status: 0, stdout: expect.stringContaining('"quick" is not in enum') });
});

test('inspect reads the definitions of a project that is not of Strapi, and no other files in its folder', () => {
  write({ 'package.json': '{}', 'node_modules/a/package.json': '{}', 'content-types/access.json': '{ "roles": {} }' });
  expect(inspect('.')).toMatchObject({ status: 0, stdout: 'The project has no code.\n' });
});

test('inspect lists the variables that the project reads and that have no value', () => {
  write({
    'site/src/api/.gitkeep': '',
    'site/.env': 'SHOP_KEY=one',
    'site/config/shop.js': `module.exports = ({ env }) => ({ key: env('SHOP_KEY'), vat: env.float('SHOP_VAT', 0) });`,
    'site/config/plugins.js': 'module.exports = { upload: { config: { sizeLimit: process.env.SHOP_SIZE } } };',
  });
  expect(inspect('site')).toMatchObject({
    status: 0,
    stdout: [
      'The project has no code.',
      'Variables of the project without a value: SHOP_SIZE (config/plugins.js:1)',
      'Variables of the project without a value, so that its defaults apply: SHOP_VAT (config/shop.js:1)\n',
    ].join('\n'),
  });
});

test('inspect names members of services that guard access, and that an extension replaces or takes away', () => {
  const extension = 'src/extensions/users-permissions/strapi-server.js';
  write({
    [extension]: `module.exports = (plugin) => {
      const { jwt } = plugin.services;
      plugin.services.jwt = (context) => ({
        ...jwt(context),
        issue: () => 'asked',
        getToken: (ctx) => ctx.cookies.get('token'),
      });
      plugin.services.user = () => ({ validatePassword: () => true });
      return plugin;
    };`,
  });
  const { stdout, status } = inspect(folder, '--json');
  const place = { file: extension, consequence: 'the start stops' };
  const [replaced, missing] = ['code replaces getToken of plugin::', 'plugin::users-permissions.user has no fetch'];
  expect([status, JSON.parse(stdout).unsupported]).toEqual([
    1,
    [
      { ...place, line: 6, what: expect.stringContaining(replaced) },
      { ...place, line: 8, what: expect.stringContaining(missing) },
    ],
  ]);
});

/** What Strapi v4 ignores, or takes in another way than the service would. */
const accepted = {
  'package.json': JSON.stringify({ dependencies: { '@strapi/strapi': '4.26.2' } }),
  'src/api/note/content-types/note/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'notes',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    options: {},
    attributes: { createdBy: { type: 'string' }, updatedAt: { type: 'date' }, text: { type: 'string' } },
  }),
  'src/api/note/routes/note.js': `module.exports = { routes: [] };`,
  'src/api/note/routes/note.ts': `throw new Error('not loaded');`,
  'config/plugins.ts': `throw new Error('not loaded');`,
  'config/plugins.js': `module.exports = {
    i18n: { enabled: Number(process.env.HELPER ?? 1), config: { syncPublishing: true } },
    upload: { config: { breakpoints: { xlarge: undefined, small: 500 }, sizeOptimization: 'yes', actionOptions: [] } },
    'users-permissions': { config: { providers: [] } },
    documentation: 'yes',
    transformer: null,
  };`,
};

test('inspect warns of what Strapi ignores, with file and line, and says which of two files is taken', () => {
  write(accepted);
  const { stdout, stderr, status } = inspect('--all');
  expect([status, stderr]).toEqual([0, '']);
  for (const line of [
    'config/plugins.js:2: i18n.config.syncPublishing is unknown; allowed: defaultLocale and locales; it has no effect',
    'config/plugins.js:3: Plugin upload: config.sizeOptimization "yes" must be true or false; it has no effect',
    'config/plugins.js:3: Plugin upload: config.actionOptions must be an object; it has no effect',
    'config/plugins.js:4: Plugin users-permissions: config.providers must be an object; it has no effect',
    'config/plugins.js:5: documentation is a string and has no effect; allowed: true, false or an object',
    'config/plugins.js:6: transformer is null and has no effect; allowed: true, false or an object',
    'config/plugins.js is loaded, as by Strapi, and config/plugins.ts has no effect: remove it',
    'src/api/note/routes/note.js is loaded, as by Strapi, and src/api/note/routes/note.ts has no effect: remove it',
    'src/api/note/content-types/note/schema.json:1: attributes.createdBy is replaced by that of every entry, as in Strapi v4',
    'src/api/note/content-types/note/schema.json:1: attributes.updatedAt is replaced by that of every entry, as in Strapi v4',
  ])
    expect(stdout).toContain(`${line}\n`);
  expect(stdout).not.toContain('breakpoints');
});

test('inspect takes TypeScript where the project has a tsconfig.json', () => {
  write({
    ...accepted,
    'tsconfig.json': '{}',
    'config/plugins.ts': 'export default {};',
    'config/plugins.js': `throw new Error('not loaded');`,
    'src/api/note/routes/note.ts': 'export default { routes: [] };',
  });
  const { stdout, status } = inspect('--all');
  expect(status).toBe(0);
  expect(stdout).toContain(
    'config/plugins.ts is loaded, as by Strapi, because the project has a tsconfig.json, and config/plugins.js has no effect: remove it\n',
  );
});

test('inspect needs nothing of a start in production, and looks at all code where a setting stops a start', () => {
  write({
    ...accepted,
    '.env': 'NODE_ENV=production',
    'config/plugins.js': `module.exports = {\n  'users-permissions': { config: { allowRegister: 'no' } },\n};`,
    'src/index.js': `module.exports = {\n  bootstrap: ({ strapi }) => strapi.stop(),\n};`,
  });
  const env = { PATH: process.env['PATH'], NO_COLOR: '1' };
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, 'inspect', '--all'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toBe(
    'config/plugins.js:2: Plugin users-permissions: config.allowRegister "no" must be true or false\n',
  );
  expect(stdout).toContain(
    '  src/index.js:2: strapi.stop: the call throws, which stops the start in register and bootstrap\n',
  );
  expect(stdout).toContain('In production: MONGODB_URI is missing; in production set it');
  expect(stdout).toContain('In production: JWT_SECRET is missing;');
  // No secrets are made, and no folder for them.
  expect(fs.readdirSync(folder).toSorted()).toEqual(['.env', 'config', 'package.json', 'src']);
});

test('inspect looks at the server code of enabled plugins from npm', () => {
  const plugin = 'node_modules/strapi-plugin-own';
  write({
    'package.json': '{ "dependencies": { "strapi-plugin-own": "1.0.0" } }',
    'src/index.js': 'module.exports = {};',
    [`${plugin}/package.json`]: '{ "name": "strapi-plugin-own", "strapi": { "kind": "plugin", "name": "own" } }',
    [`${plugin}/strapi-server.js`]: "module.exports = require('./server');",
    [`${plugin}/strapi-admin.js`]: 'strapi.stop();',
    [`${plugin}/server/index.js`]: `module.exports = {
      controllers: { page: require('./controllers/page'), panel: require('./controllers/panel') },
      routes: {
        admin: { type: 'admin', routes: [{ method: 'GET', path: '/p', handler: 'panel.find' }] },
        clients: { type: 'content-api', routes: [{ method: 'GET', path: '/c', handler: 'page.find' }] },
      },
    };`,
    [`${plugin}/server/controllers/page.js`]: `module.exports = { find: () =>
      strapi.db.dialect.client === 'postgres' ? strapi.db.connection.raw() :
      strapi.db.queryBuilder('x') };`,
    [`${plugin}/server/controllers/panel.js`]: 'module.exports = { find: () => strapi.stop() };',
  });
  const { stdout, status } = inspect('--json');
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    unsupported: [
      {
        file: `${plugin}/server/controllers/page.js`,
        line: 3,
        what: 'strapi.db.queryBuilder',
        consequence: 'the call throws',
      },
      {
        file: `${plugin}/server/controllers/panel.js`,
        line: 1,
        what: 'strapi.stop',
        consequence: "the call throws, and only routes for Strapi's admin panel, which is not there, lead to it",
      },
    ],
  });
});
