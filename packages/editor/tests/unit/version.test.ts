import { expect, test } from '@jest/globals';
import { valuesOf, type Value, type Values } from '../../src/browser/model/values.js';
import { formerValues, linkedIn, restorable, type Version } from '../../src/browser/model/version.js';
import { article, content } from './content.js';

const versionOf = (data: Version['data']): Version => ({ id: 1, at: '2026-01-01T00:00:00.000Z', by: null, data });
const entryOf = (uid: string, id: number) => ({ id, name: `${uid} ${id}` });
const stored = valuesOf(content, article, {
  title: 'New',
  rating: 2,
  author: { data: { id: 2, attributes: { name: 'Bob' } } },
  links: [{ id: 5, label: 'Home', url: '/' }],
});
const differing = (version: Version, now: Values): readonly string[] =>
  restorable(article, version, now, formerValues(content, article, version, now, entryOf)).map(({ name }) => name);

test('the related entries of a version are read by their types', () => {
  const linked = linkedIn(content, article, versionOf({ title: 'Old', author: 3, tags: [8, 9] }));
  expect([...linked]).toEqual([
    ['api::author.author', new Set([3])],
    ['api::tag.tag', new Set([8, 9])],
  ]);
});

test('a version differs in what it contains and the form has otherwise', () => {
  const links = [{ id: 5, label: 'Home', url: '/' }];
  expect(differing(versionOf({ title: 'Old', rating: 2, author: 3, links }), stored)).toEqual(['title', 'author']);
  expect(differing(versionOf({ links: [{ ...links[0], label: 'Start' }] }), stored)).toEqual(['links']);
});

test('components of then take the places of those in the form', () => {
  const version = versionOf({ links: [{ id: 5, label: 'Start', url: '/' }] });
  const keys = (values: Values): readonly string[] =>
    (values['links'] as readonly { key: string }[]).map(({ key }) => key);
  expect(keys(formerValues(content, article, version, stored, entryOf))).toEqual(keys(stored));
});

test('relations that the form has not read completely are not restored', () => {
  const truncated = { ...stored, tags: { ...(stored['tags'] as object), truncated: true } as Value };
  const version = versionOf({ title: 'Old', tags: [8] });
  expect(differing(version, stored)).toEqual(['title', 'tags']);
  expect(differing(version, truncated)).toEqual(['title']);
});
