import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { definitionPath } from '../../../src/content-types/write/definition-path.js';
import { mergeDefinition } from '../../../src/content-types/write/merge-definition.js';
import { writeLike } from '../../../src/content-types/write/write-like.js';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scaled.js';

const folders = ['tests/fixtures/corpus/content-types', 'content-types'];
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFileSync(path.join(folder, name), 'utf8')),
);

/** In the forms that people and programs write. */
const forms = [
  (value: unknown) => JSON.stringify(value),
  (value: unknown) => `${JSON.stringify(value, null, 2)}\n`,
  (value: unknown) => `\uFEFF${JSON.stringify(value, null, 4).replaceAll('\n', '\r\n')}\r\n`,
  (value: unknown) => `${JSON.stringify(value, null, '\t').replaceAll(/\[\s+("[^"]*")\s+\]/g, '[$1]')}\n`,
];
const parse = (text: string): any => JSON.parse(text.replace(/^\uFEFF/, '')); // oxlint-disable-line typescript/no-explicit-any

describe('a definition file', () => {
  test('that does not change is written as it was, to the byte', () => {
    expect(files.length).toBeGreaterThan(15);
    for (const text of files) expect(writeLike(text, mergeDefinition(parse(text), parse(text)))).toBe(text);
    const anything = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(anything, fc.constantFrom(...forms), (value, form) => {
        const text = form(value);
        expect(writeLike(text, parse(text))).toBe(text);
      }),
      { numRuns: scaled(600, 3000) },
    );
  });

  test('has what is written, in the form of the text before', () => {
    const json = fc.dictionary(fc.string({ maxLength: 2 }), fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(json, json, fc.constantFrom(...forms), (before, after, form) => {
        const wanted = parse(JSON.stringify(after));
        expect(parse(writeLike(form(before), wanted))).toEqual(wanted);
      }),
      { numRuns: scaled(600, 3000) },
    );
  });

  test('differs only where its definition does', () => {
    const text = `{
  "info": { "singularName": "tag", "pluralName": "tags" },
  "attributes": {
    "name": { "type": "string" },
    "kind": { "type": "enumeration", "enum": ["a", "b"] }
  }
}
`;
    const value = parse(text);
    value.attributes.name.required = true;
    value.attributes.kind.enum.push('c');
    value.attributes.note = { type: 'text' };
    expect(writeLike(text, value)).toBe(`{
  "info": { "singularName": "tag", "pluralName": "tags" },
  "attributes": {
    "name": { "type": "string", "required": true },
    "kind": { "type": "enumeration", "enum": ["a", "b", "c"] },
    "note": {
      "type": "text"
    }
  }
}
`);
  });

  test('has its members in another order where only that was changed', () => {
    const text = '{\n  "a": { "x": 1 },\n  "b": [ 2 ]\n}\n';
    expect(writeLike(text, { b: [2], a: { x: 1 } })).toBe('{\n  "b": [ 2 ],\n  "a": { "x": 1 }\n}\n');
  });

  test('begins as Strapi v4 writes it', () => {
    const attributes = { name: { type: 'string' } };
    const info = { displayName: 'Tag', pluralName: 'tags', singularName: 'tag' };
    const made = mergeDefinition(undefined, { attributes, pluginOptions: {}, options: {}, info, kind: 'collectionType', collectionName: 'tags' }); // prettier-ignore
    expect(Object.keys(made)).toEqual(['kind', 'collectionName', 'info', 'options', 'pluginOptions', 'attributes']);
    expect(Object.keys(made['info'] as object)).toEqual(['singularName', 'pluralName', 'displayName']);
    expect(writeLike(undefined, made)).toBe(`${JSON.stringify(made, null, 2)}\n`);
  });

  test('keeps the keys that the builder does not know, and the order of others than attributes', () => {
    const before = {
      $schema: '../x.json',
      attributes: {
        b: {
          type: 'string',
          joinTable: 'x',
          required: true,
          pluginOptions: { other: { a: 1 }, i18n: { localized: true }, editor: { label: 'gone' } },
        },
        a: { type: 'string' },
      },
      options: { comment: 'kept', draftAndPublish: true },
      info: { name: 'leaf', displayName: 'B', description: 'gone', icon: 'gone', singularName: 'b' },
      config: { x: 1 },
    };
    const after = {
      kind: 'collectionType',
      info: { singularName: 'b', pluralName: 'bs', displayName: 'C' },
      options: {},
      attributes: { c: { type: 'text' }, b: { type: 'string', unique: true, pluginOptions: {} } },
    };
    expect(JSON.stringify(mergeDefinition(before, after))).toBe(
      JSON.stringify({
        $schema: '../x.json',
        kind: 'collectionType',
        attributes: {
          c: { type: 'text' },
          b: { type: 'string', joinTable: 'x', pluginOptions: { other: { a: 1 } }, unique: true },
        },
        options: { comment: 'kept' },
        info: { name: 'leaf', pluralName: 'bs', displayName: 'C', singularName: 'b' },
        config: { x: 1 },
      }),
    );
  });
});

test('definitions are where they are loaded from, and nowhere else', () => {
  const place = (uid: string, isProject = false): string | undefined => definitionPath(uid, isProject)?.join('/');
  expect(place('api::blog-post.blog-post')).toBe('blog-post.json');
  expect(place('shared.seo')).toBe('components/shared/seo.json');
  expect(place('api::blog.post', true)).toBe('src/api/blog/content-types/post/schema.json');
  expect(place('shared.seo', true)).toBe('src/components/shared/seo.json');
  for (const uid of [
    'api::blog.post',
    'api::../x.../x',
    'plugin::upload.file',
    '../../x.y',
    'a/b.c',
    '..',
    'a.b.c',
    'x',
  ])
    expect(place(uid)).toBeUndefined();
});
