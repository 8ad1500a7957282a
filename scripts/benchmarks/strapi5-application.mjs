import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { writeProject } from './code.mjs';
import { article, authors, categories, tags } from './world.mjs';

const types = ['article', 'author', 'category', 'tag'];
const actions = types.flatMap((name) =>
  ['find', 'findOne', 'create'].map((action) => `api::${name}.${name}.${action}`),
);

const settings = {
  'config/server.js': `module.exports = ({ env }) => ({ host: '127.0.0.1', port: env.int('PORT'), app: { keys: ['a'.repeat(16)] } });`,
  'config/admin.js': `module.exports = { auth: { secret: 'a' }, apiToken: { salt: 'b' }, transfer: { token: { salt: 'c' } },
  secrets: { encryptionKey: 'd'.repeat(32) }, serveAdminPanel: false };`,
  'config/database.js': `const afterCreate = (connection, done) => {
  for (const pragma of ['case_sensitive_like = ON', 'journal_mode = WAL', 'synchronous = OFF']) connection.pragma(pragma);
  done(null, connection);
};
module.exports = ({ env }) => ({ connection: { client: 'sqlite', connection: { filename: env('DATABASE_FILE', ':memory:') },
  useNullAsDefault: true, pool: { min: 1, max: 1, afterCreate } } });`,
  'config/api.js': 'module.exports = { rest: { defaultLimit: 25, maxLimit: 100, withCount: true } };',
  'config/middlewares.js': `module.exports = ['logger', 'errors', 'security', 'cors', 'poweredBy', 'query', 'body', 'session',
  'favicon', 'public'].map((name) => 'strapi::' + name);`,
  'config/plugins.js': `module.exports = { graphql: { enabled: true, config: { amountLimit: 100, depthLimit: 20, maxLimit: 100 } },
  'users-permissions': { config: { jwtSecret: 'e'.repeat(16), ratelimit: { enabled: false } } } };`,
  'src/index.js': `const actions = ${JSON.stringify(actions)};
module.exports = {
  async bootstrap({ strapi }) {
    if (!process.env.GRANT) return;
    const permissions = strapi.db.query('plugin::users-permissions.permission');
    const role = await strapi.db.query('plugin::users-permissions.role').findOne({ where: { type: 'public' } });
    for (const action of actions) await permissions.create({ data: { action, role: role.id } });
  },
};`,
  'start.js': `const { createStrapi } = require('@strapi/strapi');
createStrapi({ appDir: __dirname, distDir: __dirname, serveAdminPanel: false, autoReload: false }).start().then((strapi) => {
  if (process.env.GRANT) process.exit(0);
  console.log('Ready on http://127.0.0.1:' + strapi.server.httpServer.address().port);
});`,
  'favicon.png': '',
};

/** Writes the content types of the benchmark as an application into a folder with the packages of Strapi 5. */
export function writeApplication(folder) {
  writeProject(folder, '');
  for (const [file, text] of Object.entries(settings)) {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), `${text}\n`);
  }
  // The service needs no names of tables.
  const components = path.join(folder, 'src', 'components', 'bench');
  for (const file of fs.readdirSync(components)) {
    const place = path.join(components, file);
    const collectionName = `components_bench_${path.basename(file, '.json')}s`;
    fs.writeFileSync(place, JSON.stringify({ collectionName, ...JSON.parse(fs.readFileSync(place, 'utf8')) }));
  }
  fs.mkdirSync(path.join(folder, 'public', 'uploads'), { recursive: true });
  // The service reads it; Strapi grants the same in `bootstrap`.
  const access = { roles: { public: { permissions: actions }, authenticated: { permissions: [] } } };
  fs.writeFileSync(path.join(folder, 'access.json'), JSON.stringify(access));
}

export const environmentOf = (file) => ({
  NODE_ENV: 'production',
  DATABASE_FILE: file,
  PORT: '0',
  STRAPI_TELEMETRY_DISABLED: 'true',
  STRAPI_LOG_LEVEL: 'error',
});

/**
 * Lets Strapi make its tables in a new file, and writes the world straight into them.
 * @param documentIds by the name of the type and the number of the entry, as the service has them
 */
export function seedApplication(folder, file, count, documentIds) {
  const env = { ...process.env, ...environmentOf(file), GRANT: 'true' };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['start.js'], { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`Strapi cannot make its tables:\n${stdout}${stderr}`);
  const Database = createRequire(path.join(folder, 'package.json'))('better-sqlite3');
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  db.exec('begin');
  writeRows(openTables(db), count, documentIds);
  db.exec('commit');
  db.exec('analyze');
  db.close();
}

/** What inserts a row of a table. */
function openTables(db) {
  const statements = new Map();
  return (table, row) => {
    const names = Object.keys(row);
    if (!statements.has(table)) {
      const columns = names.map((name) => `"${name}"`).join(',');
      statements.set(
        table,
        db.prepare(`insert into "${table}" (${columns}) values (${names.map(() => '?').join(',')})`),
      );
    }
    statements
      .get(table)
      .run(...Object.values(row).map((value) => (typeof value === 'boolean' ? Number(value) : value)));
  };
}

function writeRows(insert, count, documentIds) {
  const base = (type, { id, createdAt, updatedAt }) => ({
    id,
    document_id: documentIds[type].get(id),
    created_at: createdAt.getTime(),
    updated_at: updatedAt.getTime(),
    published_at: createdAt.getTime(),
  });
  for (const one of authors())
    insert('authors', { ...base('author', one), name: one.name, email: one.email, bio: one.bio });
  for (const one of categories()) {
    insert('categories', { ...base('category', one), name: one.name, slug: one.slug });
    if (one.parent !== undefined)
      insert('categories_parent_lnk', { category_id: one.id, inv_category_id: one.parent, category_ord: one.id });
  }
  for (const one of tags()) insert('tags', { ...base('tag', one), name: one.name, color: one.color });
  // Each article has two rows. Those that are published have the ids that the service gives, also of components.
  for (let id = 1; id <= count; id++) {
    for (const isDraft of [false, true]) {
      const one = article(id);
      const row = isDraft ? count + id : id;
      const { title, slug, body, kind, views, rating } = one;
      const published_at = isDraft ? null : one.publishedAt.getTime();
      insert('articles', { ...base('article', one), id: row, published_at, title, slug, body, kind, views, rating });
      insert('articles_author_lnk', { article_id: row, author_id: one.author, article_ord: row });
      insert('articles_category_lnk', { article_id: row, category_id: one.category, article_ord: row });
      for (const [index, tag] of one.tags.entries())
        insert('articles_tags_lnk', { article_id: row, tag_id: tag, tag_ord: index + 1, article_ord: row });
      writeComponents(insert, row, one);
    }
  }
}

function writeComponents(insert, row, { seo, links, blocks }) {
  const add = (name, id, values, field, order) => {
    insert(`components_bench_${name}s`, { id, ...values });
    insert('articles_cmps', { entity_id: row, cmp_id: id, component_type: `bench.${name}`, field, order });
  };
  const { metaTitle, metaDescription, noIndex } = seo;
  add('seo', row, { meta_title: metaTitle, meta_description: metaDescription, no_index: noIndex }, 'seo', 1);
  for (const [index, link] of links.entries())
    add('link', (row - 1) * links.length + index + 1, link, 'links', index + 1);
  for (const [index, { component, source, ...values }] of blocks.entries()) {
    add(component, row, values, 'blocks', index + 1);
    if (source !== undefined) insert('components_bench_quotes_source_lnk', { quote_id: row, author_id: source });
  }
}
