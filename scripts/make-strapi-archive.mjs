/**
 * Writes an archive as `strapi export` of Strapi v4 does, of as many articles as wanted, for the content types in
 * tests/fixtures/corpus: `node scripts/make-strapi-archive.mjs <file.tar.gz> [articles]`. What an import of it costs is
 * in docs/internals/verification.md.
 */
import { createWriteStream, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';

const [file, count = '100000'] = process.argv.slice(2);
if (file === undefined) {
  console.error('node scripts/make-strapi-archive.mjs <file.tar.gz> [articles]');
  process.exit(2);
}
const articles = Number(count);
const [authors, tags] = [1000, 50];
const LINES = 2000;

const archive = pack();
const written = pipeline(archive, createGzip({ level: 1 }), createWriteStream(file));

const add = (name, text) =>
  new Promise((resolve, reject) => {
    archive.entry({ name }, text, (error) => (error ? reject(error) : resolve()));
  });

/** Rows as files of so many lines. */
async function addRows(folder, rows) {
  let [lines, files] = [[], 0];
  const flush = async () => {
    files += 1;
    await add(`${folder}/${folder}_${String(files).padStart(5, '0')}.jsonl`, `${lines.join('\n')}\n`);
    lines = [];
  };
  for (const row of rows) {
    lines.push(JSON.stringify(row));
    if (lines.length === LINES) await flush();
  }
  if (lines.length > 0) await flush();
}

function* schemas() {
  const folder = fileURLToPath(new URL('../tests/fixtures/corpus/content-types', import.meta.url));
  for (const name of readdirSync(folder, { recursive: true }).filter((one) => one.endsWith('.json'))) {
    const parts = name.replace(/\.json$/, '').split(path.sep);
    const isComponent = parts.length === 3;
    const uid = isComponent ? `${parts[1]}.${parts[2]}` : `api::${parts[0]}.${parts[0]}`;
    const definition = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
    yield { ...definition, uid, modelType: isComponent ? 'component' : 'contentType' };
  }
}

const moment = (id) => new Date(Date.UTC(2024, 0, 1) + id * 60_000).toISOString();
const times = (id) => ({ createdAt: moment(id), updatedAt: moment(id + 1) });
const text = 'The light on the north pier turns every nine seconds, and the ferries know it. ';

function* entities() {
  const locale = { name: 'English (en)', code: 'en', ...times(1) };
  yield { type: 'plugin::i18n.locale', id: 1, data: locale };
  for (let id = 1; id <= authors; id += 1) {
    yield {
      type: 'api::author.author',
      id,
      data: { name: `Author ${id}`, email: `a${id}@example.org`, active: true, ...times(id) },
    };
  }
  for (let id = 1; id <= tags; id += 1) {
    yield { type: 'api::tag.tag', id, data: { name: `Tag ${id}`, color: 'red', ...times(id) } };
  }
  for (let id = 1; id <= articles; id += 1) yield { type: 'api::article.article', id, data: article(id) };
}

const article = (id) => ({
  title: `Article ${id}`,
  slug: `article-${id}`,
  body: text.repeat(12),
  summary: text,
  kind: 'news',
  rating: id % 5,
  views: id,
  bignum: String(id),
  featured: id % 2 === 0,
  publishOn: '2024-01-15',
  startsAt: moment(id),
  meta: { level: id % 7, tags: ['a', 'b'] },
  code: `A-${id}`,
  ...times(id),
  publishedAt: id % 10 === 0 ? null : moment(id),
  locale: 'en',
  seo: { id, metaTitle: `Article ${id}`, openGraph: { id, ogTitle: `Article ${id}`, ogType: 'article' } },
  links: [1, 2].map((index) => ({ id: id * 2 + index, label: `Link ${index}`, url: '/', priority: index })),
  blocks: [
    { __component: 'blocks.text', id, content: text },
    { __component: 'blocks.quote', id, text },
  ],
});

function* links() {
  const from = (type, field, ref, pos) => ({ type, field, ref, ...(pos !== undefined && { pos }) });
  const basic = (relation, left, right) => ({ kind: 'relation.basic', relation, left, right });
  const uid = 'api::article.article';
  for (let id = 1; id <= articles; id += 1) {
    const author = (id % authors) + 1;
    const rank = Math.ceil(id / authors);
    yield basic('manyToOne', from(uid, 'author', id), from('api::author.author', 'articles', author, rank));
    for (const pos of [1, 2, 3]) {
      const tag = ((id * 7 + pos * 11) % tags) + 1;
      yield basic('manyToMany', from(uid, 'tags', id, pos), from('api::tag.tag', 'articles', tag, id));
    }
    yield basic('oneToOne', from('blocks.quote', 'source', id), from('api::author.author', undefined, author));
  }
}

const defaultLocale = { id: 1, key: 'plugin_i18n_default_locale', value: 'en', type: 'string' };

await addRows('schemas', schemas());
await addRows('entities', entities());
await addRows('links', links());
await addRows('configuration', [{ type: 'core-store', value: defaultLocale }]);
await add('metadata.json', JSON.stringify({ createdAt: moment(1), strapi: { version: '4.26.2' } }));
archive.finalize();
await written;
