import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { corpus, useService } from '../../../support/service.js';

const client = useService();
const program = path.resolve('bin/content-service.mjs');

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'seed-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const environment = () => ({
  ...process.env,
  MONGODB_URI: process.env['TEST_MONGODB_URI'],
  DATABASE_NAME: client.service.database.db.databaseName,
  DATA_FOLDER: folder,
  CONTENT_TYPES: corpus,
  NODE_ENV: 'test',
});

/** Writes a file of rows; returns its path. */
function write(name: string, rows: readonly (object | string)[]): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n'));
  return file;
}

/** Runs the script as an operator does, on the database of the tests. */
function seed(...args: readonly string[]) {
  const run = spawnSync(process.execPath, [program, 'seed', ...args], { encoding: 'utf8', env: environment() });
  const [database, ...lines] = run.stdout.trimEnd().split('\n');
  return { status: run.status, database, lines, stderr: run.stderr };
}

const names = async (query: string): Promise<readonly unknown[]> => {
  const { body } = await client.get(query);
  return body.data.map(({ attributes }: { attributes: { name: unknown } }) => attributes.name);
};

const tags = { $type: 'api::tag.tag', $key: 'name' };
const articles = { $type: 'api::article.article', $key: 'slug' };

describe('seed', () => {
  test('stores entries that refer to each other, also in components and zones', async () => {
    const file = write('all.ndjson', [
      { $type: 'api::author.author', $key: 'email' },
      { name: 'Ida', email: 'ida@example.org' },
      tags,
      { name: 'Sea' },
      { name: 'Wind' },
      { $type: 'api::category.category', $key: 'slug' },
      { name: 'Island', slug: 'island', parent: { slug: 'coast' } },
      { name: 'Coast', slug: 'coast' },
    ]);
    expect(seed(file)).toMatchObject({ status: 0, lines: [expect.stringMatching(/^Done: 5 stored in .* 0 failed$/)] });
    const { body } = await client.get('/api/categories?filters[slug]=island&populate=parent');
    expect(body.data[0].attributes.parent.data.attributes).toMatchObject({ name: 'Coast' });
    expect(await names('/api/tags?sort=name')).toEqual(['Sea', 'Wind']);
  });

  test('skips existing entries and stores the others', async () => {
    const file = write('more.ndjson', [tags, { name: 'Wind', color: 'red' }, { name: 'Rain' }, { name: 'Rain' }]);
    expect(seed(file).lines).toEqual([expect.stringMatching(/^Done: 1 stored in .*, 2 existing, 0 failed$/)]);
    expect(seed(file).lines).toEqual([expect.stringMatching(/^Done: 0 stored in .*, 3 existing, 0 failed$/)]);
    const { body } = await client.get('/api/tags?filters[name]=Wind');
    expect(body.data[0].attributes.color).not.toBe('red');
  });

  test('reports refused rows with the rule and stores the others', async () => {
    const file = write('broken.ndjson', [
      tags,
      { name: 'Good' },
      { name: 'Bad', color: 'pink' },
      '{ "name": "Worse"',
      { name: 'Lost', nam: 'typo' },
      { color: 'red' },
      { $type: 'api::category.category', $key: 'slug' },
      { name: 'Orphan', slug: 'orphan', parent: { slug: 'nowhere' } },
      { name: 'Vague', slug: 'vague', parent: { name: 'Coast' } },
    ]);
    const { status, lines } = seed(file);
    expect(status).toBe(1);
    const refused = lines.filter((line) => line.startsWith('broken'));
    expect(refused.toSorted()).toEqual([
      expect.stringMatching(/^broken\.ndjson:3 color: color must be one of the following values: red, green, blue/),
      'broken.ndjson:4: invalid JSON, close brace expected at column 18',
      'broken.ndjson:5 nam: is not an attribute; did you mean "name"?',
      'broken.ndjson:6 name: is the key and must not be empty',
      'broken.ndjson:8 parent: no api::category.category has the slug "nowhere"; put it before this row',
      'broken.ndjson:9 parent: must name an entry of api::category.category by one of id, slug',
    ]);
    expect(lines).toContainEqual(expect.stringMatching(/^Done: 1 stored in .*, 0 existing, 6 failed$/));
    expect(await names('/api/tags?filters[name]=Good')).toEqual(['Good']);
  });

  test('skips the rest of a file after an invalid header, but not other files', async () => {
    fs.mkdirSync(path.join(folder, 'several'));
    write('several/a.ndjson', [{ name: 'Nowhere' }, { name: 'Nowhere too' }]);
    fs.writeFileSync(path.join(folder, 'several/b.json'), JSON.stringify([tags, { name: 'List' }], null, 2));
    write('several/notes.txt', ['no seed']);
    const { status, lines } = seed(path.join(folder, 'several'));
    expect(status).toBe(1);
    expect(lines[0]).toBe(
      'a.ndjson:1: a file must begin with a header: {"$type": …, "$key": …}; the rest of the file is skipped',
    );
    expect(lines[1]).toMatch(/^Done: 1 stored in .*, 1 failed$/);
    expect(await names('/api/tags?filters[name]=List')).toEqual(['List']);
  });
});

describe('seed with a folder of images', () => {
  const paint = (background: string): Promise<Buffer> =>
    sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .png()
      .toBuffer();

  test('uploads each image once, before the rows that refer to it by name', async () => {
    const place = path.join(folder, 'magazine');
    fs.mkdirSync(place);
    for (const name of ['red.png', 'blue.png'])
      fs.writeFileSync(path.join(place, name), await paint(name.slice(0, -4)));
    fs.writeFileSync(path.join(place, 'broken.png'), (await paint('green')).subarray(0, 100));
    write('magazine/rows.ndjson', [
      articles,
      { title: 'A', slug: 'painted', cover: { name: 'red.png' }, gallery: [{ name: 'blue.png' }, { name: 'red.png' }] },
      { title: 'B', slug: 'unpainted', cover: { name: 'green.png' } },
      { title: 'C', slug: 'mispainted', cover: { hash: 'red' } },
    ]);
    const first = seed(place);
    expect(first.status).toBe(1);
    expect(first.lines.slice(0, 4)).toEqual([
      'broken.png: File is not a valid image',
      'rows.ndjson:4 cover: must name an entry of plugin::upload.file by one of id, name',
      'rows.ndjson:3 cover: no plugin::upload.file has the name "green.png"; put it before this row',
      expect.stringMatching(/^Done: 3 stored in .*, 0 existing, 3 failed$/),
    ]);
    expect(seed(place).lines).toContainEqual(expect.stringMatching(/^Done: 0 stored in .*, 3 existing, 3 failed$/));
    const { body } = await client.get('/api/articles?filters[slug]=painted&populate=cover,gallery');
    const { cover, gallery } = body.data[0].attributes;
    expect(cover.data.attributes).toMatchObject({ name: 'red.png', mime: 'image/png', width: 300 });
    expect(cover.data.attributes.formats.thumbnail.width).toBe(234);
    expect(gallery.data).toHaveLength(2);
    expect(fs.existsSync(path.join(folder, cover.data.attributes.url))).toBe(true);
    expect(fs.readdirSync(path.join(folder, 'uploads-temporary'))).toEqual([]);
  });

  test('reads subfolders at any depth, except hidden ones', async () => {
    const place = path.join(folder, 'album');
    for (const name of ['a/deep/pink.png', 'b/lime.png', 'b/pink.png', 'gold.png', '.cache/navy.png']) {
      fs.mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
      fs.writeFileSync(path.join(place, name), await paint(path.basename(name, '.png')));
    }
    write('album/a/package.json', [{ name: 'no rows' }]);
    write('album/rows.ndjson', [articles, { title: 'D', slug: 'deep', cover: { name: 'pink.png' } }]);
    const same = 'b/pink.png: has the same name as a/deep/pink.png: rows could not distinguish them';
    const done = (counts: string) => expect.stringMatching(`^Done: ${counts}, 1 failed$`);
    expect(seed(place).lines.slice(0, 2)).toEqual([same, done('4 stored in .*, 0 existing')]);
    expect(seed(place).lines.slice(0, 2)).toEqual([same, done('0 stored in .*, 4 existing')]);
    const { body } = await client.get('/api/articles?filters[slug]=deep&populate=cover');
    expect(body.data[0].attributes.cover.data.attributes).toMatchObject({ name: 'pink.png', width: 300 });
  });
});

describe('seed --reset', () => {
  test('deletes nothing without a terminal and --yes', async () => {
    const before = await client.service.entries.count('api::tag.tag');
    const { status, lines, stderr } = seed(write('reset.ndjson', [tags]), '--reset');
    expect({ status, lines }).toEqual({ status: 2, lines: [] });
    expect(stderr).toBe('--reset requires confirmation: add --yes if there is no terminal\n');
    expect(await client.service.entries.count('api::tag.tag')).toBe(before);
  });

  test.each([
    [
      'an unknown type',
      [tags, { name: 'New' }, { $type: 'api::tagg.tagg', $key: 'name' }],
      /^reset\.ndjson:3: \$type names an unknown/,
    ],
    ['no header', [{ name: 'New' }, tags], /^reset\.ndjson:1: a file must begin with a header/],
  ])('deletes nothing if a file has %s', async (_what, rows, message) => {
    const before = await client.service.entries.count('api::tag.tag');
    const { status, stderr } = seed(write('reset.ndjson', rows), '--reset', '--yes');
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(await client.service.entries.count('api::tag.tag')).toBe(before);
  });

  test('with --yes deletes the entries of the types in the file, and no others', async () => {
    const [count, others] = await Promise.all([
      client.service.entries.count('api::tag.tag'),
      client.service.entries.count('api::category.category'),
    ]);
    const { status, lines } = seed(write('reset.ndjson', [tags, { name: 'New' }]), '--reset', '--yes');
    expect(status).toBe(0);
    expect(lines[0]).toBe(`Deleted: ${count.toLocaleString('en')} of api::tag.tag`);
    expect(await names('/api/tags')).toEqual(['New']);
    expect(await client.service.entries.count('api::category.category')).toBe(others);
  });
});

test.each([
  ['no file', [], /^error: missing required argument 'place'/],
  ['a file that does not exist', ['nowhere.ndjson'], /^nowhere\.ndjson does not exist$/m],
  ['a folder without seeds', ['src'], /^src contains no \.json or \.ndjson file and no image$/m],
  ['an unknown option', ['x.ndjson', '--force'], /^error: unknown option '--force'/],
])('seed stores nothing and exits with 2: %s', (_what, args, message) => {
  const { status, stderr } = seed(...args);
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
});

test('seed resumes when it is run again after a stop', async () => {
  const rows = Array.from({ length: 3000 }, (_, index) => ({ name: `Many ${index}` }));
  const file = write('many.ndjson', [tags, ...rows]);
  const child = spawn(process.execPath, [program, 'seed', file], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  const output = createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    if (lines.length === 1) child.kill('SIGINT');
  });
  await Promise.all([ended, once(output, 'close')]);
  expect(await ended).toEqual([130, null]);
  const stopped = /^Stopped; run the command again to continue: ([\d,]+) stored/.exec(lines.at(-1) ?? '');
  const stored = Number(stopped?.[1]?.replace(',', ''));
  expect(stored).toBeLessThan(3000);
  expect(seed(file).lines).toEqual([
    expect.stringMatching(
      new RegExp(
        `^Done: ${(3000 - stored).toLocaleString('en')} stored in .*, ${stored.toLocaleString('en')} existing`,
      ),
    ),
  ]);
});
