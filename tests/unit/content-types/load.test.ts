import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { load } from '../../../src/content-types/load/load.js';
import { StartError } from '../../../src/errors/start-error.js';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'definitions-'));
});
afterAll(() => rm(root, { recursive: true }));

/** A folder `content-types` of its own with these files. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(await mkdtemp(join(root, 'case-')), 'content-types');
  for (const [path, text] of Object.entries({ 'components/.keep': '', ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

/** The lines of the error that loading these files ends in. */
async function mistakesIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const error: unknown = await load(await folderWith(files)).catch((reason: unknown) => reason);
  if (!(error instanceof StartError)) throw new Error('it loaded');
  return error.message.split('\n');
}

const named = (singularName: string): string => JSON.stringify({ info: { singularName }, attributes: {} });

describe('a folder', () => {
  test('provides content types and components by location, in the order of their names', async () => {
    const folder = await folderWith({
      'tag.json': named('tag'),
      'blog-post.json': named('blog-post'),
      'components/shared/seo.json': '{"attributes":{}}',
      'components/blocks/text.json': '{"attributes":{}}',
      'read-me.md': '# no definition',
      '.hidden.json': 'no JSON',
    });
    const { contentTypes, components } = await load(folder);
    expect(contentTypes.map(({ uid, file }) => [uid, file])).toEqual([
      ['api::blog-post.blog-post', 'content-types/blog-post.json'],
      ['api::tag.tag', 'content-types/tag.json'],
    ]);
    expect(components.map(({ uid, file }) => [uid, file])).toEqual([
      ['blocks.text', 'content-types/components/blocks/text.json'],
      ['shared.seo', 'content-types/components/shared/seo.json'],
    ]);
  });

  test('can have no components', async () => {
    expect((await load(await folderWith({ 'tag.json': named('tag') }))).components).toEqual([]);
  });

  test('that does not exist stops the start', async () => {
    const folder = join(root, 'no', 'content-types');
    await expect(load(folder)).rejects.toThrow(
      new StartError(`content-types: cannot be read as a folder (ENOENT): ${folder}`),
    );
  });
});

test('$schema and byte order marks are ignored', async () => {
  const folder = await folderWith({ 'tag.json': `\uFEFF{"$schema":"x",${named('tag').slice(1)}` });
  const { contentTypes } = await load(folder);
  expect(contentTypes[0]?.definition).toEqual({ info: { singularName: 'tag' }, attributes: {} });
});

test('all files that cannot be loaded are reported together', async () => {
  const mistakes = await mistakesIn({
    'a.json': '{\n  "info": {},\n  "attributes" {}\n}',
    'b.json': '["info"]',
    'c.json': named('see'),
    'd.json': '',
    'components/e.json': '{}',
    'components/f/g.json': '{"a": tru}',
  });
  expect(mistakes).toEqual([
    'content-types/a.json: line 3, column 16: invalid JSON, colon expected',
    'content-types/b.json: must be an object in braces',
    'content-types/components/f/g.json: line 1, column 7: invalid JSON, invalid symbol',
    'content-types/d.json: line 1, column 1: invalid JSON, value expected',
    'content-types/c.json: info.singularName must be "c", like the name of the file',
    'content-types/components/e.json: is not in a supported location; expected <name>.json, components/<category>/<name>.json or extensions/<plugin>/<name>.json',
  ]);
});
