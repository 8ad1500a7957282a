import { expect, test } from '@jest/globals';
import { capture, fillIn } from '../../scripts/conformance/captured.js';

test('values are captured from a response by their paths', () => {
  const body = { data: [{ id: 7, attributes: { title: null } }] };
  const paths = { id: 'data.0.id', title: 'data.0.attributes.title', none: 'data.1.id', deep: 'data.0.id.x' };
  expect(capture(paths, body)).toEqual({ id: 7 });
  expect(capture({ all: 'data' }, 'text')).toEqual({});
});

test('a captured value is inserted as a value, or as text within a string', () => {
  const captured = { id: 7, slug: 'a' };
  expect(fillIn({ path: '/api/{{slug}}/{{id}}', ids: ['{{id}}', '{{id|str}}'] }, captured)).toEqual({
    path: '/api/a/7',
    ids: [7, '7'],
  });
  expect(fillIn('{{text|num}}', { text: '12' })).toBe(12);
  expect(fillIn(null, captured)).toBeNull();
});

test('references to values that were not captured stay and are reported', () => {
  const missed: string[] = [];
  expect(fillIn(['{{id}}', 'a {{name|str}}'], {}, (name) => missed.push(name))).toEqual(['{{id}}', 'a {{name|str}}']);
  expect(missed).toEqual(['id', 'name']);
});
