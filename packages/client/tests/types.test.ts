import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { loadRegistry } from '../../../src/app/load-registry.js';
import { describeTypes } from '../../../src/plugins/contract/describe-types.js';
import { corpus } from '../../../tests/support/service.js';
import { contentType, define } from '../../../tests/unit/content-types/define.js';
import { link } from '../../../src/content-types/link/link.js';

const describeFolder = async (contentTypes: string, format: 'client' | 'documents' = 'client'): Promise<string> => {
  const folders = { project: '.', contentTypes, data: '.' };
  const plugins = format === 'documents' ? { strapi5: { enabled: true, config: {} } } : {};
  return describeTypes(await loadRegistry({ plugins, folders, environment: 'test' }), undefined, format);
};

const typesIn = (file: string): string => readFileSync(`packages/client/tests/types/${file}`, 'utf8');

test('the types of the sample content equal content.d.ts, and in the format of Strapi 5 documents.d.ts', async () => {
  expect(await describeFolder('content-types')).toBe(typesIn('content.d.ts'));
  expect(await describeFolder('content-types', 'documents')).toBe(typesIn('documents.d.ts'));
});

test('every kind of attribute has a type', async () => {
  const text = await describeFolder(corpus);
  expect(text).not.toMatch(/undefined|\[object/);
  for (const kind of ['Zone<', 'Parts<', 'Part<', 'Files<', 'Many<', 'One<', 'Anything', 'Json'])
    expect(text).toContain(kind);
});

test('a generated uid is always there, and blocks have their own type', () => {
  const text = describeTypes(
    link(
      define(
        contentType('note', {
          title: { type: 'string' },
          slug: { type: 'uid', targetField: 'title', generate: true },
          body: { type: 'blocks' },
        }),
      ),
    ),
  );
  expect(text).toContain('    slug: string;\n');
  expect(text).toContain('    body: Blocks | null;\n');
  expect(text).toContain('    body?: Blocks | readonly Json[] | null;\n');
  expect(text).toMatch(/^import type \{ Blocks, Json \}/m);
});

test('the type of a response follows the query, and invalid queries do not compile', () => {
  const { stdout, status } = spawnSync('node_modules/.bin/tsc', ['-p', 'packages/client/tests/types'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([0, '']);
});
