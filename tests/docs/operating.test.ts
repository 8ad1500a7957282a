import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { connectToUri } from '../../src/mongo/connection/connect.js';
import { corpus } from '../support/service.js';
import { useProjects, type OwnProject } from './own-project.js';
import { runPage } from './run-page.js';

/** The pages for operators, done as they stand, each in a project of its own. */
const project = useProjects();
const read = (page: string): string => readFileSync(`docs/${page}`, 'utf8');

/** The first `access.json` of a page. */
const accessOf = (page: string): string => /```json\n(.*?)```/s.exec(page)?.[1] ?? '';

const secrets = {
  WEBSITE_TOKEN: 'x'.repeat(16),
  IMPORT_TOKEN: 'y'.repeat(16),
  GITHUB_KEY: 'key',
  GITHUB_SECRET: 'secret',
  HOUSE_KEY: 'key',
  HOUSE_SECRET: 'secret',
};

test('docs/auth.md: access.json, commands, user attributes and providers work', async () => {
  const own = project('content-types');
  const page = read('auth.md');
  own.write('content-types/access.json', accessOf(page));
  Object.assign(own.environment, secrets);
  const { wrong, ran } = await runPage(page, own, { started: true });
  expect(wrong).toEqual([]);
  expect(ran).toBe(6);
  // With what the page adds to users and settings.
  const url = await own.start();
  expect((await fetch(`${url}/api/connect/github`, { redirect: 'manual' })).status).toBe(403);
});

test('docs/drafts.md: a link to a draft is made', async () => {
  const own = project('content-types');
  const client = await connectToUri(own.environment['MONGODB_URI'] ?? '');
  await client.db(own.databaseName).collection<{ _id: number }>('articles').insertOne({ _id: 12 });
  await client.close();
  const { wrong, ran } = await runPage(read('drafts.md'), own);
  expect(wrong).toEqual([]);
  expect(ran).toBe(1);
});

test('docs/officer.md: the roles, what they may do, and the users are listed', async () => {
  const own = project('content-types');
  own.write('content-types/access.json', accessOf(read('auth.md')));
  Object.assign(own.environment, secrets);
  const { wrong, ran } = await runPage(read('officer.md'), own, { started: true });
  expect(wrong).toEqual([]);
  expect(ran).toBe(4);
});

test('docs/mcp.md: a token for an assistant is created', async () => {
  const { wrong, ran } = await runPage(read('mcp.md'), project('content-types'));
  expect(wrong).toEqual([]);
  expect(ran).toBe(1);
});

test('docs/backup.md: export and import work', async () => {
  const { wrong, ran } = await runPage(read('backup.md'), project('content-types'));
  expect(wrong).toEqual([]);
  expect(ran).toBe(2);
});

test('docs/upgrading.md: the data is checked before the switch', async () => {
  const { wrong, ran } = await runPage(read('upgrading.md'), project('content-types'));
  expect(wrong).toEqual([]);
  expect(ran).toBe(1);
});

test('docs/compatible-services.md: the database is asked', async () => {
  const own = project('content-types');
  const instead = { 'mongodb://user:password@cluster.example.org/?tls=true': own.environment['MONGODB_URI'] ?? '' };
  const { wrong, ran } = await runPage(read('compatible-services.md'), own, { instead });
  expect(wrong).toEqual([]);
  expect(ran).toBe(1);
});

test('docs/internals/verification.md: the measuring scripts work', async () => {
  const { wrong, ran } = await runPage(read('internals/verification.md'), project(corpus), {
    instead: { ' 100000 ': ' 20 ' },
  });
  expect(wrong).toEqual([]);
  expect(ran).toBe(3);
});

test('docs/internals/conformance.md: replaying one area and printing a step work', async () => {
  const { wrong, ran } = await runPage(read('internals/conformance.md'), project(), {
    instead: { '13-populate': '15-publication' },
  });
  expect(wrong).toEqual([]);
  expect(ran).toBe(2);
});

test('docs/internals/benchmarks.md: a small benchmark can be profiled', async () => {
  const own = project();
  const small = '--rounds 1 --seconds 0.01 --count 50 --connections 2';
  const instead = {
    'benchmark.mjs --only W4': `benchmark.mjs --only W1 ${small}`,
    '/tmp/profiles': 'profiles',
  };
  const { wrong, ran } = await runPage(read('internals/benchmarks.md'), own, { instead });
  expect(wrong).toEqual([]);
  expect(ran).toBe(1);
  expect(existsSync(path.join(own.folder, 'profiles'))).toBe(true);
});

test('docs/seeding.md: seeding entries and images, and --reset work', async () => {
  const own = project('content-types');
  mkdirSync(path.join(own.folder, 'north'));
  copyFileSync('tests/fixtures/corpus/fixtures/wide.png', path.join(own.folder, 'north/north-light.jpg'));
  const { wrong, ran } = await runPage(read('seeding.md'), own, {
    filesFirst: true,
    // Nobody is there to be asked.
    instead: { '--reset': '--reset --yes' },
  });
  expect(wrong).toEqual([]);
  expect(ran).toBe(3);
});

test('docs/migrate.md: the report and --apply work', async () => {
  const own = project();
  for (const [file, definition] of Object.entries(definitions)) own.write(`content-types/${file}`, definition);
  await fillIn(own);
  const { wrong, ran } = await runPage(read('migrate.md'), own, { filesFirst: true });
  expect(wrong).toEqual([]);
  expect(ran).toBe(3);
});

const info = (name: string) => ({
  collectionName: `${name}s`,
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
});
const toPosts = { type: 'relation', relation: 'manyToMany', target: 'api::post.post', inversedBy: 'tags' };
const toTags = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', mappedBy: 'posts' };

/** The content types that the project of docs/migrate.md has in the end. */
const definitions = {
  'post.json': {
    ...info('post'),
    attributes: {
      title: { type: 'string' },
      kind: { type: 'string', required: true, default: 'news' },
      tags: toTags,
      seo: { type: 'component', component: 'shared.seo' },
    },
  },
  'tag.json': { ...info('tag'), attributes: { name: { type: 'string' }, posts: toPosts } },
  'note.json': {
    ...info('note'),
    pluginOptions: { i18n: { localized: true } },
    attributes: { text: { type: 'string', pluginOptions: { i18n: { localized: true } } } },
  },
  'components/shared/seo.json': { attributes: { heading: { type: 'string' } } },
};

/** The data that it had before: 1,200 posts, of which 300 have no kind and 900 a tag, and 5,000 notes. */
async function fillIn({ databaseName, environment: { MONGODB_URI } }: OwnProject): Promise<void> {
  const client = await connectToUri(MONGODB_URI ?? '');
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const many = <T>(count: number, make: (id: number) => T) => Array.from({ length: count }, (_, at) => make(at + 1));
  const posts = many(1200, (id) => ({
    _id: id,
    headline: `Post ${id}`,
    ...(id > 300 && { kind: 'essay', tags: [1], _rank: { tags: [id] } }),
    ...times,
  }));
  const db = client.db(databaseName);
  await db.collection<{ _id: number }>('old_posts').insertMany(posts);
  await db.collection<{ _id: number }>('tags').insertOne({ _id: 1, ...times });
  await db.collection<{ _id: number }>('notes').insertMany(many(5000, (id) => ({ _id: id, text: 'x', ...times })));
  await client.close();
}
