import { expect, test } from '@jest/globals';
import { frameOrigin, readMessage, typedOf } from '../../src/browser/model/preview.js';
import { formAttributes } from '../../src/browser/model/schema.js';
import { originsOf } from '../../src/settings.js';
import { article, content } from './content.js';

test('a site is told values as the API has them, without links and hidden values', () => {
  const link = { label: 'Home', key: 'hidden', url: '/' };
  const values = {
    title: 'Rye',
    secret: 'hidden',
    rating: '4',
    meta: '{"a":1}',
    startsAt: '',
    author: { items: [], stored: [], truncated: false },
    links: [{ component: 'shared.link', key: 'a', id: 3, values: link }],
  };
  expect(typedOf(content, formAttributes(article), values)).toEqual({
    title: 'Rye',
    rating: 4,
    serial: null,
    meta: { a: 1 },
    startsAt: null,
    links: [{ id: 3, label: 'Home', url: '/' }],
  });
});

test('what is half typed is not told', () => {
  const meta = formAttributes(article).filter(({ name }) => name === 'meta');
  expect(typedOf(content, meta, { meta: '{"a":' })).toEqual({});
});

test('a page of the site can say that it listens, and name a field of this entry', () => {
  const entry = 'api::article.article:12';
  const read = (message: unknown): unknown => readMessage({ contentService: message }, entry);
  expect(read({ kind: 'ready', more: 1 })).toEqual({ kind: 'ready' });
  expect(read({ kind: 'field', path: 'title' })).toEqual({ kind: 'field', path: 'title' });
  expect(read({ kind: 'field', path: 'title', entry })).toEqual({ kind: 'field', path: 'title' });
  for (const other of [
    { kind: 'field', path: 'title', entry: 'api::article.article:13' },
    { kind: 'field', path: ['title'] },
    { kind: 'save' },
    null,
    'ready',
  ])
    expect(read(other)).toBeUndefined();
  for (const other of [null, 1, 'ready', [], { kind: 'ready' }]) expect(readMessage(other, entry)).toBeUndefined();
});

test('frames show pages of the origins of previews, and no others', () => {
  const frames = originsOf({
    a: 'https://www.example.org/{locale}/{slug}?draft',
    b: 'https://www.example.org/b',
    c: 'https://{locale}.example.org/',
    d: 'http://localhost:3000?slug={slug}',
  });
  expect(frames).toEqual(['https://www.example.org', 'http://localhost:3000']);
  const shown = (address: string) => frameOrigin({ frames }, address);
  expect(shown('https://www.example.org/en/rye')).toBe('https://www.example.org');
  expect(shown('http://localhost:3000?slug=rye')).toBe('http://localhost:3000');
  for (const other of ['https://www.example.org.evil.example/', 'https://en.example.org/', 'http://localhost:30001/'])
    expect(shown(other)).toBeUndefined();
});
